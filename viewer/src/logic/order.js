/**
 * The order of siblings. `steady` is the order of the file: by largest share of any weight, so that
 * frames keep their places when the weight is switched. `heavy` puts the heaviest under the weight
 * shown to the left, `name` sorts by the alphabet, `time` puts what is seen first to the left.
 *
 * @import { Tree } from '#viewer/data/tree.js'
 * @typedef {'steady' | 'heavy' | 'name' | 'time'} Order
 */

/** @type {readonly Order[]} */
export const ORDERS = ['steady', 'heavy', 'name', 'time'];

/**
 * All nodes depth first in the order asked for; nothing for the order of the file.
 * @param {Tree} tree
 * @param {Float64Array} total
 * @param {Order} order
 * @param {Float64Array} [first] when each node's own is first seen; without it, that order is the file's
 * @returns {Uint32Array | undefined}
 */
export function sequence(tree, total, order, first) {
  const keys = order === 'heavy' ? total.map((value) => -value)
    : order === 'name' ? nameRanks(tree)
      : order === 'time' && first ? seenFirst(tree, first) : undefined;
  const at = (/** @type {number} */ node) => /** @type {number} */ (keys?.[node]);
  // Infinity less infinity is no number: those not seen keep their order.
  return keys && depthFirst(tree, (a, b) => at(a) - at(b) || a - b);
}

/**
 * When each node or anything below it is first seen.
 * @param {Tree} tree
 * @param {Float64Array} own
 */
function seenFirst(tree, own) {
  const first = own.slice();
  for (let i = tree.n - 1; i > 0; i--) {
    const parent = /** @type {number} */ (tree.parent[i]);
    first[parent] = Math.min(/** @type {number} */ (first[parent]), /** @type {number} */ (first[i]));
  }
  return first;
}

/**
 * Where each node's name is in the alphabet.
 * @param {Tree} tree
 */
function nameRanks({ names, frame }) {
  const key = names.map((name) => name.toLowerCase());
  const sorted = names.map((_, i) => i);
  sorted.sort((a, b) => (/** @type {string} */ (key[a]) < /** @type {string} */ (key[b]) ? -1
    : key[a] === key[b] ? a - b : 1));
  const ranks = new Float64Array(names.length);
  sorted.forEach((name, rank) => (ranks[name] = rank));
  return Float64Array.from(frame, (row) => /** @type {number} */ (ranks[row]));
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
