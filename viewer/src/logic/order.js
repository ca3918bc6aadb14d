/**
 * The order of siblings. `steady` is the order of the file: by largest share of any weight, so that
 * frames keep their places when the weight is switched. `heavy` puts the heaviest under the weight
 * shown to the left, `name` sorts by the alphabet.
 *
 * @import { Tree } from '#viewer/data/tree.js'
 * @typedef {'steady' | 'heavy' | 'name'} Order
 */

/** @type {readonly Order[]} */
export const ORDERS = ['steady', 'heavy', 'name'];

/**
 * All nodes depth first in the order asked for; nothing for the order of the file.
 * @param {Tree} tree
 * @param {Float64Array} total
 * @param {Order} order
 * @returns {Uint32Array | undefined}
 */
export function sequence(tree, total, order) {
  if (order === 'steady') return undefined;
  const rank = order === 'name' ? nameRanks(tree.names) : undefined;
  const at = (/** @type {Uint32Array | Float64Array} */ column, /** @type {number} */ i) =>
    /** @type {number} */ (column[i]);
  const compare = rank
    ? (/** @type {number} */ a, /** @type {number} */ b) =>
      at(rank, at(tree.frame, a)) - at(rank, at(tree.frame, b)) || a - b
    : (/** @type {number} */ a, /** @type {number} */ b) => at(total, b) - at(total, a) || a - b;
  return depthFirst(tree, compare);
}

/** @param {readonly string[]} names */
function nameRanks(names) {
  const key = names.map((name) => name.toLowerCase());
  const sorted = names.map((_, i) => i);
  sorted.sort((a, b) => (/** @type {string} */ (key[a]) < /** @type {string} */ (key[b]) ? -1
    : key[a] === key[b] ? a - b : 1));
  const ranks = new Uint32Array(names.length);
  sorted.forEach((name, rank) => (ranks[name] = rank));
  return ranks;
}

/**
 * @param {Tree} tree
 * @param {(a: number, b: number) => number} compare
 */
function depthFirst(tree, compare) {
  const out = new Uint32Array(tree.n);
  const todo = [0];
  let length = 0;
  while (todo.length > 0) {
    const node = /** @type {number} */ (todo.pop());
    out[length++] = node;
    const children = childrenOf(tree, node);
    if (children.length > 1) children.sort(compare);
    for (let i = children.length - 1; i >= 0; i--) todo.push(/** @type {number} */ (children[i]));
  }
  return out;
}

/**
 * The children of a node in the order of the file.
 * @param {Tree} tree
 * @param {number} node
 */
export function childrenOf(tree, node) {
  const children = [];
  const end = /** @type {number} */ (tree.end[node]);
  for (let child = node + 1; child < end; child = /** @type {number} */ (tree.end[child])) {
    children.push(child);
  }
  return children;
}
