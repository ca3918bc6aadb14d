/**
 * Recursion folded away: a function that calls itself is one frame with all that its instances have, and
 * what they call hangs below it together. Only direct recursion: two functions that call each other in turn
 * say how deep a structure is, as the modules of a model do.
 *
 * @import { Tree } from '#viewer/data/tree.js'
 * @import { Stacks } from '#viewer/logic/divide.js'
 */

import { fromColumns } from '#viewer/data/tree.js';

/**
 * @param {Stacks} stacks
 * @returns {Stacks} siblings in the order of the tree
 */
export function foldRecursion({ tree, self, calls, first: seen }) {
  const { into, n, frame, first, next } = merge(tree);
  const columns = { frame: /** @type {number[]} */ ([]), parent: /** @type {number[]} */ ([]), depth: /** @type {number[]} */ ([]) };
  // Merged nodes in the order of the file's tree are not depth first: number them again.
  const number = new Uint32Array(n);
  const todo = [{ node: 0, parent: -1 }];
  for (let top = todo.pop(); top; top = todo.pop()) {
    const { node, parent } = top;
    number[node] = columns.frame.length;
    columns.frame.push(/** @type {number} */ (frame[node]));
    columns.parent.push(parent);
    columns.depth.push(parent < 0 ? 0 : /** @type {number} */ (columns.depth[parent]) + 1);
    // The last child was linked first.
    for (let child = /** @type {number} */ (first[node]); child > 0; child = /** @type {number} */ (next[child])) {
      todo.push({ node: child, parent: /** @type {number} */ (number[node]) });
    }
  }
  /** @type {(column: Float64Array, start: number, join: (a: number, b: number) => number) => Float64Array} */
  const joined = (column, start, join) => {
    const out = new Float64Array(n).fill(start);
    for (let i = 0; i < tree.n; i++) {
      const row = /** @type {number} */ (number[/** @type {number} */ (into[i])]);
      out[row] = join(/** @type {number} */ (out[row]), /** @type {number} */ (column[i]));
    }
    return out;
  };
  const add = (/** @type {number} */ a, /** @type {number} */ b) => a + b;
  return {
    tree: { ...tree, ...fromColumns(columns) }, self: joined(self, 0, add),
    ...(calls && { calls: joined(calls, 0, add) }), ...(seen && { first: joined(seen, Infinity, Math.min) }),
  };
}

/**
 * Which merged node each node becomes, and the children of merged nodes as linked lists, the last first.
 * @param {Tree} tree
 */
function merge(tree) {
  const into = new Uint32Array(tree.n);
  const [frame, first, next] = [[tree.frame[0] ?? 0], [0], [0]];
  /** @type {Map<number, number>} */
  const known = new Map();
  for (let i = 1; i < tree.n; i++) {
    const above = /** @type {number} */ (into[/** @type {number} */ (tree.parent[i])]);
    const own = /** @type {number} */ (tree.frame[i]);
    if (above > 0 && frame[above] === own) {
      into[i] = above;
      continue;
    }
    const key = above * tree.names.length + own;
    let node = known.get(key);
    if (node === undefined) {
      node = frame.push(own) - 1;
      next.push(/** @type {number} */ (first[above]));
      first.push(0);
      first[above] = node;
      known.set(key, node);
    }
    into[i] = node;
  }
  return { into, n: frame.length, frame, first, next };
}
