/**
 * Where each frame is: its left edge and width in units of the weight, and for each depth the
 * frames in order of their left edges. Frames without any of the weight have no place.
 *
 * @import { Tree } from '#viewer/data/tree.js'
 *
 * @typedef {object} Layout
 * @property {number} sum width of everything
 * @property {number} n_levels
 * @property {Uint32Array} level_start where each level begins in the columns below; one more at the end
 * @property {Float64Array} left ascending within a level
 * @property {Float64Array} width above 0
 * @property {Uint32Array} node
 * @property {Int32Array} place of a node, its row in the columns above; -1 without one
 */

/**
 * @param {Tree} tree
 * @param {Float64Array} total
 * @param {Uint32Array | undefined} order nodes depth first; nothing for the order of the file
 * @returns {Layout}
 */
export function layOut(tree, total, order) {
  const lefts = leftEdges(tree, total, order);
  const levelStart = countLevels(tree, total);
  const n_levels = levelStart.length - 1;
  const n_placed = /** @type {number} */ (levelStart[n_levels]);
  const left = new Float64Array(n_placed);
  const width = new Float64Array(n_placed);
  const node = new Uint32Array(n_placed);
  const place = new Int32Array(tree.n).fill(-1);
  const next = levelStart.slice();
  for (let i = 0; i < tree.n; i++) {
    const current = order ? /** @type {number} */ (order[i]) : i;
    const value = /** @type {number} */ (total[current]);
    if (!(value > 0)) continue;
    const depth = /** @type {number} */ (tree.depth[current]);
    const row = /** @type {number} */ (next[depth]);
    next[depth] = row + 1;
    left[row] = /** @type {number} */ (lefts[current]);
    width[row] = value;
    node[row] = current;
    place[current] = row;
  }
  const sum = Math.max(0, total[0] ?? 0);
  return { sum, n_levels, level_start: levelStart, left, width, node, place };
}

/**
 * @param {Tree} tree
 * @param {Float64Array} total
 * @param {Uint32Array | undefined} order
 */
function leftEdges(tree, total, order) {
  const lefts = new Float64Array(tree.n);
  // Where the next child of each node begins.
  const cursor = new Float64Array(tree.n);
  for (let i = 1; i < tree.n; i++) {
    const node = order ? /** @type {number} */ (order[i]) : i;
    const parent = /** @type {number} */ (tree.parent[node]);
    const left = /** @type {number} */ (cursor[parent]);
    lefts[node] = left;
    cursor[node] = left;
    cursor[parent] = left + Math.max(0, /** @type {number} */ (total[node]));
  }
  return lefts;
}

/**
 * @param {Tree} tree
 * @param {Float64Array} total
 */
function countLevels(tree, total) {
  let n_levels = 0;
  for (let i = 0; i < tree.n; i++) {
    const depth = /** @type {number} */ (tree.depth[i]);
    if (/** @type {number} */ (total[i]) > 0 && depth >= n_levels) n_levels = depth + 1;
  }
  const starts = new Uint32Array(n_levels + 1);
  for (let i = 0; i < tree.n; i++) {
    if (!(/** @type {number} */ (total[i]) > 0)) continue;
    const slot = /** @type {number} */ (tree.depth[i]) + 1;
    starts[slot] = /** @type {number} */ (starts[slot]) + 1;
  }
  for (let i = 0; i < n_levels; i++) {
    starts[i + 1] = /** @type {number} */ (starts[i + 1]) + /** @type {number} */ (starts[i]);
  }
  return starts;
}
