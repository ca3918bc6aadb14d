/**
 * Idle pieces as people walk them: largest first, or the next one in sight.
 *
 * @import { Lanes } from '#viewer/logic/lanes.js'
 *
 * @typedef {object} Gap
 * @property {number} device row of the chart's devices
 * @property {number} i row of its pieces
 * @property {number} from ns
 * @property {number} to
 * @property {string} owner
 * @property {string} class
 */

import { KINDS } from '#viewer/lib/color.js';

/**
 * @param {Lanes} lanes
 * @param {number} device
 * @param {number} i
 * @returns {Gap}
 */
export function gapAt(lanes, device, i) {
  const idle = lanes.idle[device];
  const owner = idle?.owners[idle.pieces.frame[i] ?? 0];
  const name = owner ? ownerName(lanes, owner.stack) : '';
  return {
    device, i, from: idle?.pieces.start[i] ?? 0, to: idle?.pieces.end[i] ?? 0, owner: name, class: owner?.class ?? '',
  };
}

/**
 * The innermost frame that is somebody's code; a bucket of ours only where there is nothing else.
 * @param {Lanes} lanes
 * @param {Uint32Array} stack
 */
function ownerName({ frames }, stack) {
  const names = [...stack].filter((frame) => KINDS[frames.kinds[frame] ?? 0] !== 'thread');
  const real = names.filter((frame) => KINDS[frames.kinds[frame] ?? 0] !== 'synthetic');
  const last = real[real.length - 1] ?? names[names.length - 1] ?? stack[stack.length - 1];
  return last === undefined ? '' : frames.names[last] ?? '';
}

/**
 * The names of a gap's owner, outermost first.
 * @param {Lanes} lanes
 * @param {Gap} gap
 */
export function ownerStack(lanes, gap) {
  const idle = lanes.idle[gap.device];
  const owner = idle?.owners[idle.pieces.frame[gap.i] ?? 0];
  return [...(owner?.stack ?? [])].map((frame) => lanes.frames.names[frame] ?? '');
}

/**
 * The longest pieces of all devices, longest first.
 * @param {Lanes} lanes
 * @param {number} most
 */
export function longestGaps(lanes, most) {
  /** @type {{ device: number, i: number, ns: number }[]} */
  let best = [];
  lanes.idle.forEach(({ pieces }, device) => {
    for (let i = 0; i < pieces.start.length; i++) {
      const ns = /** @type {number} */ (pieces.end[i]) - /** @type {number} */ (pieces.start[i]);
      const last = best[best.length - 1];
      if (best.length >= most && last && ns <= last.ns) continue;
      best.push({ device, i, ns });
      best.sort((a, b) => b.ns - a.ns);
      best = best.slice(0, most);
    }
  });
  return best.map(({ device, i }) => gapAt(lanes, device, i));
}

/**
 * The nearest piece of at least `least` ns whose middle is after `time`, or before it.
 * @param {Lanes} lanes
 * @param {number} time
 * @param {number} by 1 or -1
 * @param {number} least
 */
export function nextGap(lanes, time, by, least) {
  /** @type {Gap | undefined} */
  let best;
  const middle = (/** @type {Gap} */ gap) => (gap.from + gap.to) / 2;
  lanes.idle.forEach(({ pieces }, device) => {
    for (let k = 0; k < pieces.start.length; k++) {
      const i = by > 0 ? k : pieces.start.length - 1 - k;
      const [from, to] = [/** @type {number} */ (pieces.start[i]), /** @type {number} */ (pieces.end[i])];
      if (to - from < least || ((from + to) / 2 - time) * by <= 0) continue;
      const gap = gapAt(lanes, device, i);
      if (!best || (middle(gap) - middle(best)) * by < 0) best = gap;
      break;
    }
  });
  return best;
}
