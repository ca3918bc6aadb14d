/**
 * What of a window, and of spans, lies in a stretch of time.
 *
 * @import { Spans, Stretch } from '#viewer/logic/cut-time.js'
 */

import { firstEndingAfter } from '#viewer/logic/span-list.js';

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
 * @param {Spans} row
 * @param {number} from
 * @param {number} to
 * @param {(i: number, ns: number) => void} each
 */
export function spansIn(row, from, to, each) {
  for (let i = firstEndingAfter(row, from); i < row.start.length; i++) {
    const start = /** @type {number} */ (row.start[i]);
    if (start >= to) return;
    each(i, Math.min(/** @type {number} */ (row.end[i]), to) - Math.max(start, from));
  }
}

/**
 * How much of the spans of a row lies in the stretch.
 * @param {Spans} row
 * @param {Stretch} stretch
 */
export function timeIn(row, { from, to }) {
  let sum = 0;
  spansIn(row, from, to, (_, ns) => (sum += ns));
  return sum;
}
