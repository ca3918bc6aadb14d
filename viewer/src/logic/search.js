/**
 * Search over names: which frames match, and exactly how much of the weight they hold.
 *
 * @import { Tree } from '#viewer/data/tree.js'
 * @import { Layout } from '#viewer/logic/layout.js'
 *
 * @typedef {object} Matches
 * @property {Uint8Array} frame_hit 1 for each frame whose name matches
 * @property {number} n_functions frames that match
 * @property {number} n_frames nodes that match and have weight
 * @property {number} total weight of the outermost matches: what is in or below a match
 * @property {number} self weight in the matches themselves
 * @property {Float64Array} below weight at or below each node that is in a match
 */

/**
 * Reads what was typed: `/…/` is a regular expression, anything else a part of the name, where
 * capitals count only if there are some. Nothing when there is nothing to look for; an error's text
 * when the expression is not one.
 * @param {string} text
 * @returns {((name: string) => boolean) | string | undefined}
 */
export function matcher(text) {
  if (text === '') return undefined;
  const expression = /^\/(.+)\/([a-z]*)$/s.exec(text);
  if (expression) {
    try {
      const compiled = new RegExp(expression[1] ?? '', (expression[2] ?? '').replace(/[gy]/g, ''));
      return (name) => compiled.test(name);
    } catch (error) {
      return error instanceof Error ? error.message : String(error);
    }
  }
  if (text !== text.toLowerCase()) return (name) => name.includes(text);
  return (name) => name.toLowerCase().includes(text);
}

/**
 * @param {Tree} tree
 * @param {Float64Array} self
 * @param {Float64Array} total
 * @param {(name: string) => boolean} test
 * @returns {Matches}
 */
export function search(tree, self, total, test) {
  const frame_hit = Uint8Array.from(tree.names, (name) => (test(name) ? 1 : 0));
  const below = new Float64Array(tree.n);
  const sums = { n_frames: 0, total: 0, self: 0 };
  for (let i = 0, covered = 0; i < tree.n; i++) {
    if (frame_hit[/** @type {number} */ (tree.frame[i])] === 0) continue;
    const weight = /** @type {number} */ (total[i]);
    if (weight > 0) sums.n_frames++;
    sums.self += /** @type {number} */ (self[i]);
    if (i < covered) continue;
    covered = /** @type {number} */ (tree.end[i]);
    sums.total += weight;
    below[i] = weight;
  }
  sumUp(tree, below);
  const n_functions = frame_hit.reduce((n, hit) => n + hit, 0);
  return { frame_hit, n_functions, ...sums, below };
}

/**
 * Adds every node's value to those of its callers.
 * @param {Tree} tree
 * @param {Float64Array} values
 */
function sumUp(tree, values) {
  for (let i = tree.n - 1; i > 0; i--) {
    const value = /** @type {number} */ (values[i]);
    if (value === 0) continue;
    const parent = /** @type {number} */ (tree.parent[i]);
    values[parent] = /** @type {number} */ (values[parent]) + value;
  }
}

/**
 * The nodes that match, in the order of the eye: left to right, then from the root outwards.
 * @param {Tree} tree
 * @param {Layout} layout
 * @param {Matches} matches
 * @returns {Uint32Array}
 */
export function hitsInOrder(tree, layout, matches) {
  /** @type {number[]} */
  const hits = [];
  for (let i = 0; i < tree.n; i++) {
    const hit = matches.frame_hit[/** @type {number} */ (tree.frame[i])] === 1;
    if (hit && layout.place[i] !== -1) hits.push(i);
  }
  const left = (/** @type {number} */ node) =>
    /** @type {number} */ (layout.left[/** @type {number} */ (layout.place[node])]);
  hits.sort((a, b) => left(a) - left(b)
    || /** @type {number} */ (tree.depth[a]) - /** @type {number} */ (tree.depth[b]));
  return Uint32Array.from(hits);
}

/**
 * For each row of a layout the number of matches before it, so that a run can tell at once whether
 * it holds one.
 * @param {Tree} tree
 * @param {Layout} layout
 * @param {Matches} matches
 */
export function hitsBefore(tree, layout, matches) {
  const before = new Uint32Array(layout.node.length + 1);
  for (let row = 0; row < layout.node.length; row++) {
    const node = /** @type {number} */ (layout.node[row]);
    const hit = /** @type {number} */ (matches.frame_hit[/** @type {number} */ (tree.frame[node])]);
    before[row + 1] = /** @type {number} */ (before[row]) + hit;
  }
  return before;
}
