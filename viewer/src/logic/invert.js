/**
 * The tree from the leaves up: below the root every function with weight of its own, as wide as that, and
 * below each what called it. Parts stay where they are, each turned for itself.
 *
 * @import { Tree } from '#viewer/data/tree.js'
 * @import { Grown, Members, Reach, Spread } from '#viewer/logic/grow.js'
 */

import { grow } from '#viewer/logic/grow.js';

/** Stacks with more frames than this in all are grown only as far as they can be seen at first. */
const MOST_FRAMES = 2_000_000;
/** Part of the sum below which callers of such stacks are folded into a rest. */
const LEAST = 1e-5;

/**
 * @param {Tree} tree
 * @param {Float64Array} self
 * @param {Float64Array} total
 * @param {boolean} divided whether the frames below the root are parts
 * @returns {Grown}
 */
export function invert(tree, self, total, divided) {
  const sum = total[0] ?? 0;
  /** @type {Members} */
  const root = { nodes: [0], weights: [sum], calls: [0] };
  /** @type {Reach} */
  const reach = { from: -Infinity, to: Infinity, least: framesIn(tree, self) > MOST_FRAMES ? sum * LEAST : 0 };
  return grow(tree, tree.frame[0] ?? 0, root, toLeavesThenCallers(tree, self, total, divided), reach);
}

/**
 * How many frames all stacks with weight have together.
 * @param {Tree} tree
 * @param {Float64Array} self
 */
function framesIn(tree, self) {
  let n = 0;
  for (let i = 0; i < tree.n; i++) if (self[i] !== 0) n += /** @type {number} */ (tree.depth[i]);
  return n;
}

/**
 * @param {Tree} tree
 * @param {Float64Array} self
 * @param {Float64Array} total
 * @param {boolean} divided
 * @returns {Spread}
 */
function toLeavesThenCallers(tree, self, total, divided) {
  const top = divided ? 1 : 0;
  return (node, weight, _calls, add) => {
    const depth = /** @type {number} */ (tree.depth[node]);
    const end = /** @type {number} */ (tree.end[node]);
    if (depth < top) {
      for (let part = node + 1; part < end; part = /** @type {number} */ (tree.end[part])) add(part, /** @type {number} */ (total[part]), 0);
      return /** @type {number} */ (self[node]);
    }
    if (depth === top) {
      for (let leaf = node + 1; leaf < end; leaf++) {
        const own = /** @type {number} */ (self[leaf]);
        if (own !== 0) add(leaf, own, 0);
      }
      return /** @type {number} */ (self[node]);
    }
    const parent = /** @type {number} */ (tree.parent[node]);
    if (/** @type {number} */ (tree.depth[parent]) <= top) return weight;
    add(parent, weight, 0);
    return 0;
  };
}
