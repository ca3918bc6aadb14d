/**
 * One function seen from everywhere it runs: the callers of all its instances as one tree, and what
 * they call as another. An instance inside another one is part of that one: recursion counts once.
 *
 * @import { Tree } from '#viewer/data/tree.js'
 * @import { Members, Reach, Spread } from '#viewer/logic/grow.js'
 * @import { Scene } from '#viewer/logic/scene.js'
 *
 * @typedef {'callers' | 'callees'} Side
 *
 * @typedef {object} Pivot
 * @property {number} frame
 * @property {number} total
 * @property {number} self
 * @property {number} calls 0 when the profile does not say
 * @property {number} n_stacks distinct stacks that end in it
 * @property {number} heaviest node with the largest total
 * @property {Members} outermost instances that are not inside another one
 *
 * @typedef {Scene & { side: Side, whole: number, n_folded: Uint32Array, rest: number }} Half with the
 *   weight of the whole profile
 */

import { KINDS } from '#viewer/lib/color.js';
import { grow } from '#viewer/logic/grow.js';
import { layOut } from '#viewer/logic/layout.js';

/**
 * A function as the URL names it, the same in every capture.
 * @param {number} kind
 * @param {string} name
 */
export function pivotKey(kind, name) {
  return `${KINDS[kind] ?? ''}:${name}`;
}

/**
 * @param {Tree} tree
 * @param {number} node
 * @returns {string} empty for the root, which is no function
 */
export function keyOfNode(tree, node) {
  if (node <= 0 || node >= tree.n) return '';
  const frame = /** @type {number} */ (tree.frame[node]);
  return pivotKey(/** @type {number} */ (tree.kinds[frame]), tree.names[frame] ?? '');
}

/**
 * @param {Tree} tree
 * @param {string} key
 * @returns {number} -1 when there is no such function
 */
export function findFrame(tree, key) {
  const colon = key.indexOf(':');
  const kind = KINDS.findIndex((one) => one === key.slice(0, colon));
  const name = key.slice(colon + 1);
  return tree.names.findIndex((one, frame) => one === name && tree.kinds[frame] === kind && one !== '');
}

/**
 * All instances of a function.
 * @param {Scene} scene
 * @param {number} frame
 * @returns {Pivot}
 */
export function pivotOf({ tree, values, calls }, frame) {
  /** @type {Members} */
  const outermost = { nodes: [], weights: [], calls: [] };
  const pivot = { frame, total: 0, self: 0, calls: 0, n_stacks: 0, heaviest: 0, outermost };
  let most = 0;
  for (let i = 1, covered = 0; i < tree.n; i++) {
    if (tree.frame[i] !== frame) continue;
    const total = /** @type {number} */ (values.total[i]);
    const entered = calls ? /** @type {number} */ (calls[i]) : 0;
    pivot.n_stacks++;
    pivot.self += /** @type {number} */ (values.self[i]);
    pivot.calls += entered;
    if (total > most) [most, pivot.heaviest] = [total, i];
    if (i < covered) {
      const last = outermost.calls.length - 1;
      outermost.calls[last] = /** @type {number} */ (outermost.calls[last]) + entered;
      continue;
    }
    covered = /** @type {number} */ (tree.end[i]);
    pivot.total += total;
    outermost.nodes.push(i);
    outermost.weights.push(total);
    outermost.calls.push(entered);
  }
  return pivot;
}

/**
 * One side of a function, as far as it can be seen.
 * @param {Scene} scene
 * @param {Pivot} pivot
 * @param {Side} side
 * @param {Reach} reach
 * @returns {Half}
 */
export function halfOf(scene, pivot, side, reach) {
  const spread = side === 'callers' ? toCallers(scene) : toCallees(scene);
  const grown = grow(scene.tree, pivot.frame, pivot.outermost, spread, reach);
  const layout = layOut(grown.tree, grown.values.total, undefined);
  return {
    ...grown, layout, side, whole: scene.layout.sum,
    weight: scene.weight, title: scene.title, unit: scene.unit, calls: scene.calls && grown.calls,
  };
}

/**
 * @param {Scene} scene
 * @returns {Spread}
 */
function toCallers({ tree }) {
  return (node, weight, calls, add) => {
    if (weight === 0) return 0;
    const parent = /** @type {number} */ (tree.parent[node]);
    if (parent <= 0) return weight;
    add(parent, weight, calls);
    return 0;
  };
}

/**
 * @param {Scene} scene
 * @returns {Spread}
 */
function toCallees({ tree, values, calls }) {
  return (node, _weight, _calls, add) => {
    const end = /** @type {number} */ (tree.end[node]);
    for (let child = node + 1; child < end; child = /** @type {number} */ (tree.end[child])) {
      const total = /** @type {number} */ (values.total[child]);
      if (total !== 0) add(child, total, calls ? /** @type {number} */ (calls[child]) : 0);
    }
    return /** @type {number} */ (values.self[node]);
  };
}

/**
 * The node whose frames lead there from the root, or the last one on the way that is still there:
 * growing again gives nodes new numbers.
 * @param {Tree} tree
 * @param {readonly number[]} path frames, without the root's
 */
export function nodeAtPath(tree, path) {
  let node = 0;
  for (const frame of path) {
    const end = /** @type {number} */ (tree.end[node]);
    let child = node + 1;
    while (child < end && tree.frame[child] !== frame) child = /** @type {number} */ (tree.end[child]);
    if (child >= end) break;
    node = child;
  }
  return node;
}

/**
 * How many pixels the callers get: all they need when both sides fit, or else no more than half,
 * unless the callees leave more.
 * @param {number} room
 * @param {number} callers height they need
 * @param {number} callees
 */
export function shareRoom(room, callers, callees) {
  return Math.max(0, Math.min(callers, Math.max(Math.floor(room / 2), room - callees)));
}
