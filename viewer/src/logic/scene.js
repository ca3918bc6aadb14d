/**
 * Everything the flame graph needs under one weight and order, and how it is painted for a search,
 * a focus and a legend.
 *
 * @import { Tree } from '#viewer/data/tree.js'
 * @import { Values } from '#viewer/data/profile.js'
 * @import { Layout } from '#viewer/logic/layout.js'
 * @import { Matches } from '#viewer/logic/search.js'
 * @import { Paint } from '#viewer/logic/drawlist.js'
 *
 * @typedef {object} Scene
 * @property {Tree} tree
 * @property {Values} values
 * @property {Layout} layout
 * @property {string} weight
 * @property {string} title what the weight is called
 * @property {string} unit
 * @property {Float64Array | undefined} calls self values of the calls
 * @property {Float64Array} [first] when each node's own is first seen, where siblings are in that order
 * @property {Uint32Array} [folded] how many frames are folded away above each node
 * @property {number} [uncut] the sum before stacks were kept or dropped
 * @property {number} [turned] leaves first: how many frames at the root stay before them
 * @property {number} [rest] frame that stands for others too narrow to draw
 *
 * @typedef {object} Found
 * @property {Matches} matches
 * @property {() => Uint32Array} hits nodes in the order of the eye, sorted when first asked for
 * @property {Uint32Array} before hits before each row of the layout
 */

import { hitsBefore, hitsInOrder, search } from '#viewer/logic/search.js';

/**
 * @param {Scene} scene
 * @param {(name: string) => boolean} test
 * @returns {Found}
 */
export function find(scene, test) {
  const { tree, values, layout } = scene;
  const matches = search(tree, values.self, values.total, test);
  /** @type {Uint32Array | undefined} */
  let hits;
  return {
    matches,
    hits: () => (hits ??= hitsInOrder(tree, layout, matches)),
    before: hitsBefore(tree, layout, matches),
  };
}

/**
 * @param {Scene} scene
 * @param {Uint8Array} colors bucket of each frame
 * @param {number} n_buckets
 * @param {{ found: Found | undefined, focus: number, dimmed: ReadonlySet<number> }} view
 * @returns {Paint}
 */
export function paintOf(scene, colors, n_buckets, view) {
  const { tree } = scene;
  const bucket = colors.slice();
  const hit = view.found?.matches.frame_hit;
  for (let frame = 0; frame < bucket.length; frame++) {
    const quiet = (hit && hit[frame] === 0) || view.dimmed.has(/** @type {number} */ (tree.kinds[frame]));
    if (quiet) bucket[frame] = /** @type {number} */ (bucket[frame]) + n_buckets;
  }
  return {
    frame: tree.frame,
    bucket,
    n_buckets,
    faded: /** @type {number} */ (tree.depth[view.focus]),
    matched: view.found?.matches.below,
    hits_before: view.found?.before,
    rest: scene.rest ?? -1,
  };
}

/**
 * The values that a person reads about one node.
 * @param {Scene} scene
 * @param {number} node
 */
export function figures(scene, node) {
  const total = scene.values.total[node] ?? 0;
  const self = scene.values.self[node] ?? 0;
  const calls = scene.calls?.[node] ?? 0;
  const sum = scene.layout.sum;
  return {
    total, self, calls,
    share: sum > 0 ? total / sum : 0,
    self_share: sum > 0 ? self / sum : 0,
    mean: calls > 0 ? total / calls : 0,
  };
}
