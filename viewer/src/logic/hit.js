/**
 * What is under a point of the flame graph.
 *
 * @import { Layout } from '#viewer/logic/layout.js'
 * @import { DrawList, Viewport } from '#viewer/logic/drawlist.js'
 *
 * @typedef {object} Hit
 * @property {number} node
 * @property {{ from: number, to: number } | undefined} run rows of the layout, when the frame is one
 *   of several drawn as one
 */

import { lastAtMost } from '#viewer/lib/bisect.js';

/**
 * @param {Layout} layout
 * @param {Viewport} view
 * @param {DrawList} list
 * @param {number} x
 * @param {number} y
 * @returns {Hit | undefined}
 */
export function hitTest(layout, view, list, x, y) {
  const row = Math.floor((y + view.scroll) / view.row_height);
  const level = view.flip ? layout.n_levels - 1 - row : row + view.first;
  if (row < 0 || level < view.first || level >= layout.n_levels || layout.sum <= 0) return undefined;
  const run = runAt(list, x, row * view.row_height - view.scroll);
  const start = /** @type {number} */ (layout.level_start[level]);
  const stop = /** @type {number} */ (layout.level_start[level + 1]);
  const value = view.from + ((view.to - view.from) * x) / view.width;
  const found = lastAtMost(layout.left, start, stop, value);
  if (run) {
    const within = Math.min(Math.max(found, run.from), run.to - 1);
    return { node: /** @type {number} */ (layout.node[within]), run };
  }
  if (found < start) return undefined;
  const right = /** @type {number} */ (layout.left[found]) + /** @type {number} */ (layout.width[found]);
  return value < right ? { node: /** @type {number} */ (layout.node[found]), run: undefined } : undefined;
}

/**
 * @param {DrawList} list
 * @param {number} x
 * @param {number} y
 */
function runAt(list, x, y) {
  const { runs, run_rows } = list;
  for (let i = 0; i < runs.length; i += 4) {
    const left = /** @type {number} */ (runs.data[i]);
    if (runs.data[i + 1] !== y || x < left) continue;
    if (x >= left + /** @type {number} */ (runs.data[i + 2])) continue;
    const from = /** @type {number} */ (run_rows.data[i]);
    const to = /** @type {number} */ (run_rows.data[i + 1]);
    return to - from > 1 ? { from, to } : undefined;
  }
  return undefined;
}

/**
 * The weight of a run of frames.
 * @param {Layout} layout
 * @param {{ from: number, to: number }} run
 */
export function runWeight(layout, run) {
  let sum = 0;
  for (let row = run.from; row < run.to; row++) sum += /** @type {number} */ (layout.width[row]);
  return sum;
}
