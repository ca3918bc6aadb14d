/**
 * What happened in a stretch of time: device work and idle time, cut at its edges.
 *
 * @import { Lanes } from '#viewer/logic/lanes.js'
 * @import { Row } from '#viewer/data/chart.js'
 * @import { Stretch } from '#viewer/logic/cut-time.js'
 *
 * @typedef {{ name: string, kind: string, ns: number, count: number }} Sum
 */

import { KINDS } from '#viewer/lib/color.js';
import { gapAt } from '#viewer/logic/gaps.js';
import { firstEndingAfter } from '#viewer/logic/span-list.js';

/**
 * @param {Lanes} lanes
 * @param {number} from ns
 * @param {number} to
 */
export function inStretch(lanes, from, to) {
  return {
    devices: lanes.idle.map(({ pieces }, device) => ({
      device: lanes.chart.index.idle[device]?.device ?? '', wall: windowIn(lanes.chart.index.window, { from, to }), idle: timeIn(pieces, { from, to }),
    })),
    work: workIn(lanes, from, to),
    owners: ownersIn(lanes, from, to),
  };
}

/**
 * How much of the window lies in the stretch.
 * @param {readonly [number, number][]} window
 * @param {Stretch} stretch
 */
export function windowIn(window, { from, to }) {
  return window.reduce((sum, [start, end]) => sum + Math.max(0, Math.min(end, to) - Math.max(start, from)), 0);
}

/**
 * Calls `each` with every span of a row that lies in the stretch, and how much of it does.
 * @param {Row} row
 * @param {number} from
 * @param {number} to
 * @param {(i: number, ns: number) => void} each
 */
function spansIn(row, from, to, each) {
  for (let i = firstEndingAfter(row, from); i < row.start.length; i++) {
    const start = /** @type {number} */ (row.start[i]);
    if (start >= to) return;
    each(i, Math.min(/** @type {number} */ (row.end[i]), to) - Math.max(start, from));
  }
}

/**
 * How much of the spans of a row lies in the stretch.
 * @param {Row} row
 * @param {Stretch} stretch
 */
export function timeIn(row, { from, to }) {
  let sum = 0;
  spansIn(row, from, to, (_, ns) => (sum += ns));
  return sum;
}

/**
 * @param {Lanes} lanes
 * @param {number} from
 * @param {number} to
 */
function workIn(lanes, from, to) {
  /** @type {Map<number, Sum>} */
  const sums = new Map();
  const streams = lanes.rows.filter((_, lane) => lanes.chart.index.lanes[lane]?.device !== null);
  for (const row of streams.flat()) {
    spansIn(row, from, to, (i, ns) => {
      const frame = /** @type {number} */ (row.frame[i]);
      const kind = KINDS[lanes.frames.kinds[frame] ?? 0] ?? '';
      add(sums, frame, { name: lanes.frames.names[frame] ?? '', kind, ns, count: 1 });
    });
  }
  return largestFirst(sums);
}

/**
 * @param {Lanes} lanes
 * @param {number} from
 * @param {number} to
 */
function ownersIn(lanes, from, to) {
  /** @type {Map<string, Sum>} */
  const sums = new Map();
  lanes.idle.forEach(({ pieces }, device) => spansIn(pieces, from, to, (i, ns) => {
    const { owner } = gapAt(lanes, device, i);
    add(sums, owner, { name: owner, kind: '', ns, count: 1 });
  }));
  return largestFirst(sums);
}

/**
 * @template Key
 * @param {Map<Key, Sum>} sums
 * @param {Key} key
 * @param {Sum} more
 */
function add(sums, key, more) {
  const known = sums.get(key);
  if (known) Object.assign(known, { ns: known.ns + more.ns, count: known.count + 1 });
  else sums.set(key, more);
}

/** @param {Map<unknown, Sum>} sums */
function largestFirst(sums) {
  return [...sums.values()].sort((a, b) => b.ns - a.ns || (a.name < b.name ? -1 : 1));
}
