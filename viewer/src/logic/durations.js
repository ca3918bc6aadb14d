/**
 * How long the spans of each function are: median, 99th percentile and longest, of those that the window
 * counts. Sorted function by function when a row asks.
 *
 * @import { Frames, Row } from '#viewer/data/chart.js'
 * @import { Stretch } from '#viewer/logic/cut-time.js'
 *
 * @typedef {{ n: number, p50: number, p99: number, max: number }} Spread ns; each the lower one of two
 *
 * @typedef {object} Durations
 * @property {(kind: number, name: string) => Spread | undefined} of nothing where there are no spans
 * @property {(kind: number, name: string) => number} count of the spans, without sorting them
 */

import { lowerBound } from '#viewer/lib/bisect.js';

/**
 * @param {Frames} frames
 * @param {readonly Row[]} rows
 * @param {readonly Stretch[]} pieces a host span counts where it starts in one of these
 * @param {Stretch | undefined} narrowed a device span counts where the window selects it, and where it
 *   starts in this, if anything
 * @returns {Durations}
 */
export function durationsOf(frames, rows, pieces, narrowed) {
  const each = (/** @type {(frame: number, ns: number) => void} */ take) => {
    for (const row of rows) for (const piece of row.node ? [narrowed] : pieces) takeSpans(row, piece, take);
  };
  const first = new Uint32Array(frames.names.length + 1);
  each((frame) => (first[frame + 1] = at(first, frame + 1) + 1));
  for (let frame = 0; frame < frames.names.length; frame++) first[frame + 1] = at(first, frame + 1) + at(first, frame);
  const all = new Float64Array(at(first, frames.names.length));
  const next = first.slice();
  each((frame, ns) => {
    const place = at(next, frame);
    all[place] = ns;
    next[frame] = place + 1;
  });
  const frameOf = new Map(frames.names.map((name, frame) => [`${frames.kinds[frame]} ${name}`, frame]));
  /** @type {Map<number, Spread | undefined>} */
  const known = new Map();
  const frameNamed = (/** @type {number} */ kind, /** @type {string} */ name) => frameOf.get(`${kind} ${name}`);
  return {
    count(kind, name) {
      const frame = frameNamed(kind, name);
      return frame === undefined ? 0 : at(first, frame + 1) - at(first, frame);
    },
    of(kind, name) {
      const frame = frameNamed(kind, name);
      if (frame === undefined) return undefined;
      if (!known.has(frame)) known.set(frame, spread(all.subarray(at(first, frame), at(first, frame + 1))));
      return known.get(frame);
    },
  };
}

/**
 * @param {Row} row
 * @param {Stretch | undefined} piece
 * @param {(frame: number, ns: number) => void} take
 */
function takeSpans({ start, end, frame, node }, piece, take) {
  let i = piece ? lowerBound(start, 0, start.length, piece.from) : 0;
  for (; i < start.length && (!piece || at(start, i) < piece.to); i++) {
    if (!node || at(node, i) > 0) take(at(frame, i), at(end, i) - at(start, i));
  }
}

/**
 * @param {Float64Array} durations sorted in place
 * @returns {Spread | undefined}
 */
function spread(durations) {
  const n = durations.length;
  if (n === 0) return undefined;
  durations.sort();
  const part = (/** @type {number} */ percent) => at(durations, Math.floor(((n - 1) * percent) / 100));
  return { n, p50: part(50), p99: part(99), max: part(100) };
}

/**
 * @param {Float64Array | Uint32Array} column
 * @param {number} i
 */
function at(column, i) {
  return /** @type {number} */ (column[i]);
}
