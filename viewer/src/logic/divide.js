/**
 * A tree with its stacks sorted into parts: one branch a part, and below it the stacks that belong there.
 * A stack whose weight is split between parts is in each of them with what it has there, so the branches
 * add up to the whole.
 *
 * @import { Tree } from '#viewer/data/tree.js'
 *
 * @typedef {object} Part
 * @property {string} name
 * @property {number} kind
 * @property {number[]} nodes ascending
 * @property {number[]} selves what each node has of its own in this part
 *
 * @typedef {object} Stacks a tree and what its nodes have of their own
 * @property {Tree} tree
 * @property {Float64Array} self
 * @property {Float64Array} [calls]
 * @property {Float64Array} [first] when each is first seen; infinity for never
 */

import { fromColumns, withFrames } from '#viewer/data/tree.js';

/**
 * How often a function was entered for one part alone is not known: of parts there are no calls.
 * @param {Pick<Stacks, 'tree' | 'first'>} stacks
 * @param {readonly Part[]} parts
 * @returns {Stacks}
 */
export function divide({ tree, first }, parts) {
  const n_frames = tree.names.length;
  const columns = { frame: [tree.frame[0] ?? 0], parent: [-1], depth: [0], self: [0], first: [Infinity] };
  const push = (/** @type {number} */ frame, /** @type {number} */ parent) => {
    columns.frame.push(frame);
    columns.parent.push(parent);
    columns.depth.push(/** @type {number} */ (columns.depth[parent]) + 1);
    columns.first.push(Infinity);
    return columns.self.push(0) - 1;
  };
  // Where a node of the tree is in the part at hand; what other parts left there is older than its branch.
  const placed = new Uint32Array(tree.n);
  parts.forEach(({ nodes, selves }, row) => {
    const branch = placed[0] = push(n_frames + row, 0);
    nodes.forEach((node, i) => {
      const way = [];
      let at = node;
      for (; /** @type {number} */ (placed[at]) < branch; at = /** @type {number} */ (tree.parent[at])) way.push(at);
      let above = /** @type {number} */ (placed[at]);
      for (let next = way.pop(); next !== undefined; next = way.pop()) {
        above = placed[next] = push(/** @type {number} */ (tree.frame[next]), above);
      }
      columns.self[above] = /** @type {number} */ (columns.self[above]) + /** @type {number} */ (selves[i]);
      columns.first[above] = first?.[node] ?? Infinity;
    });
  });
  return {
    tree: { ...fromColumns(columns), ...withFrames(tree, parts) }, self: Float64Array.from(columns.self),
    ...(first && { first: Float64Array.from(columns.first) }),
  };
}
