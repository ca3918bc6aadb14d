/**
 * The self values of a profile within a stretch of time. What lies across an edge counts with the part
 * inside; what is counted and not timed is counted where it starts. So stretches that follow each other
 * add up to the whole, for every node.
 *
 * @typedef {{ from: number, to: number }} Stretch ns; `to` is outside
 * @typedef {{ start: Float64Array, end: Float64Array }} Spans by time, none overlapping
 */

import { lastAtMost, lowerBound } from '#viewer/lib/bisect.js';

/**
 * Adds to each span's node how much of the span lies in the stretch.
 * @param {Float64Array} self one entry a node
 * @param {Spans} spans
 * @param {(i: number) => number} node of a span; below 0 for none
 * @param {Stretch} stretch
 */
export function addTime(self, { start, end }, node, { from, to }) {
  for (let i = lastAtMost(end, 0, end.length, from) + 1; i < start.length && at(start, i) < to; i++) {
    const row = node(i);
    if (row >= 0) self[row] = at(self, row) + Math.min(at(end, i), to) - Math.max(at(start, i), from);
  }
}

/**
 * Adds one to the node of each span of which something lies in the stretch.
 * @type {typeof addTime}
 */
export function addCount(self, { start, end }, node, { from, to }) {
  for (let i = lastAtMost(end, 0, end.length, from) + 1; i < start.length && at(start, i) < to; i++) {
    const row = node(i);
    if (row >= 0) self[row] = at(self, row) + 1;
  }
}

/**
 * Lowers the entry of each span's node to where the span's part in the stretch begins.
 * @type {typeof addTime}
 */
export function addFirst(first, { start, end }, node, { from, to }) {
  for (let i = lastAtMost(end, 0, end.length, from) + 1; i < start.length && at(start, i) < to; i++) {
    const row = node(i);
    if (row >= 0) first[row] = Math.min(at(first, row), Math.max(at(start, i), from));
  }
}

/**
 * Adds one to the node of each span that starts in the stretch.
 * @type {typeof addTime}
 */
export function addStarts(self, { start }, node, { from, to }) {
  for (let i = lowerBound(start, 0, start.length, from); i < start.length && at(start, i) < to; i++) {
    const row = node(i);
    if (row >= 0) self[row] = at(self, row) + 1;
  }
}

/**
 * @param {Float64Array | Uint32Array} column
 * @param {number} i
 */
function at(column, i) {
  return /** @type {number} */ (column[i]);
}
