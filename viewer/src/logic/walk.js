/**
 * Moving through the flame graph by keys.
 *
 * @import { Tree } from '#viewer/data/tree.js'
 * @import { Layout } from '#viewer/logic/layout.js'
 * @typedef {'caller' | 'callee' | 'left' | 'right'} Direction
 */

import { lowerBound } from '#viewer/lib/bisect.js';

/**
 * The node one step away; the same one when there is nothing there.
 * @param {Tree} tree
 * @param {Layout} layout
 * @param {number} node
 * @param {Direction} direction
 */
export function step(tree, layout, node, direction) {
  const place = layout.place[node] ?? -1;
  if (place < 0) return 0;
  if (direction === 'caller') return Math.max(0, /** @type {number} */ (tree.parent[node]));
  if (direction === 'callee') return placedChildren(tree, layout, node).heaviest ?? node;
  const level = /** @type {number} */ (tree.depth[node]);
  const next = direction === 'left' ? place - 1 : place + 1;
  const start = /** @type {number} */ (layout.level_start[level]);
  const stop = /** @type {number} */ (layout.level_start[level + 1]);
  return next < start || next >= stop ? node : /** @type {number} */ (layout.node[next]);
}

/**
 * The children of a node from left to right, and the heaviest of them.
 * @param {Tree} tree
 * @param {Layout} layout
 * @param {number} node
 * @returns {{ nodes: number[], heaviest: number | undefined }}
 */
export function placedChildren(tree, layout, node) {
  const level = /** @type {number} */ (tree.depth[node]) + 1;
  const place = layout.place[node] ?? -1;
  /** @type {number[]} */
  const nodes = [];
  if (level >= layout.n_levels || place < 0) return { nodes, heaviest: undefined };
  const stop = /** @type {number} */ (layout.level_start[level + 1]);
  const left = /** @type {number} */ (layout.left[place]);
  let row = lowerBound(layout.left, /** @type {number} */ (layout.level_start[level]), stop, left);
  let heaviest;
  let most = 0;
  for (; row < stop && tree.parent[/** @type {number} */ (layout.node[row])] === node; row++) {
    nodes.push(/** @type {number} */ (layout.node[row]));
    if (/** @type {number} */ (layout.width[row]) > most) {
      most = /** @type {number} */ (layout.width[row]);
      heaviest = /** @type {number} */ (layout.node[row]);
    }
  }
  return { nodes, heaviest };
}

/**
 * The closest node towards the root that has a place under this weight.
 * @param {Tree} tree
 * @param {Layout} layout
 * @param {number} node
 */
export function placedAncestor(tree, layout, node) {
  let found = node >= 0 && node < tree.n ? node : 0;
  while (found > 0 && layout.place[found] === -1) found = /** @type {number} */ (tree.parent[found]);
  return found;
}
