/**
 * Plumbing: frames that have nearly all of their weight from one caller and pass it on to one callee. Folded
 * away, the frames around them move together; node numbers, values and totals stay what they are.
 *
 * @import { Tree } from '#viewer/data/tree.js'
 * @import { Scene } from '#viewer/logic/scene.js'
 */

import { layOut } from '#viewer/logic/layout.js';
import { sequence } from '#viewer/logic/order.js';

/** What passes on at least this share does nothing worth a row. */
const PASSES = 0.99;

/**
 * The scene without its plumbing.
 * @param {Scene} scene
 * @param {import('#viewer/logic/order.js').Order} order
 * @param {(node: number) => boolean} open nodes that stay whatever they pass on
 * @returns {Scene}
 */
export function collapse(scene, order, open) {
  const { tree, values } = scene;
  const hidden = plumbing(tree, values.total, open);
  const shown = without(tree, hidden);
  const width = values.total.map((total, i) => (hidden[i] === 1 ? 0 : total));
  const layout = layOut(shown.tree, width, sequence(tree, values.total, order, scene.first));
  return { ...scene, tree: shown.tree, layout, folded: shown.folded };
}

/**
 * One entry a node, 1 for plumbing.
 * @param {Tree} tree
 * @param {Float64Array} total
 * @param {(node: number) => boolean} open
 */
export function plumbing(tree, total, open) {
  const most = new Float64Array(tree.n);
  for (let i = 1; i < tree.n; i++) {
    const parent = /** @type {number} */ (tree.parent[i]);
    most[parent] = Math.max(at(most, parent), at(total, i));
  }
  const hidden = new Uint8Array(tree.n);
  for (let i = 1; i < tree.n; i++) {
    const own = at(total, i);
    const from = at(total, /** @type {number} */ (tree.parent[i]));
    if (own > 0 && own >= PASSES * from && at(most, i) >= PASSES * own && !open(i)) hidden[i] = 1;
  }
  return hidden;
}

/**
 * The tree as if hidden nodes were not there: what they call hangs below the nearest one that is. `folded`
 * counts the hidden ones between a node and that one.
 * @param {Tree} tree
 * @param {Uint8Array} hidden
 */
function without(tree, hidden) {
  const parent = tree.parent.slice();
  const depth = tree.depth.slice();
  const folded = new Uint32Array(tree.n);
  for (let i = 1; i < tree.n; i++) {
    const above = /** @type {number} */ (tree.parent[i]);
    if (hidden[above] === 1) {
      parent[i] = /** @type {number} */ (parent[above]);
      folded[i] = /** @type {number} */ (folded[above]) + 1;
    }
    depth[i] = /** @type {number} */ (depth[/** @type {number} */ (parent[i])]) + 1;
  }
  return { tree: { ...tree, parent, depth }, folded };
}

/**
 * @param {Float64Array} column
 * @param {number} i
 */
function at(column, i) {
  return /** @type {number} */ (column[i]);
}
