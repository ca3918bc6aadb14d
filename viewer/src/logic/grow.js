/**
 * A tree grown on demand from another one: nodes of the same frame become one, and what is narrower
 * than a pixel or out of sight is folded into a rest that carries its weight. The callers of a
 * function are too many to grow whole; no sum is ever changed by what is folded.
 *
 * @import { Tree } from '#viewer/data/tree.js'
 *
 * @typedef {object} Members nodes of the other tree that one node stands for
 * @property {number[]} nodes
 * @property {number[]} weights the part of the weight that each brings
 * @property {number[]} calls
 *
 * @typedef {(node: number, weight: number, calls: number, add: Add) => number} Spread hands the
 *   neighbours of a member to `add`; answers the weight that goes no further
 * @typedef {(node: number, weight: number, calls: number) => void} Add
 *
 * @typedef {object} Reach
 * @property {number} from left edge of what is in sight
 * @property {number} to
 * @property {number} least weight of a pixel
 *
 * @typedef {object} Grown
 * @property {Tree} tree in the order of weight, each rest after its siblings
 * @property {{ self: Float64Array, total: Float64Array }} values
 * @property {Float64Array} calls
 * @property {Uint32Array} n_folded functions that a rest stands for; 0 for all other nodes
 * @property {number} rest frame of every rest
 *
 * @typedef {Members & { frame: number, total: number, n_calls: number, n_folded: number }} Group
 */

import { KINDS } from '#viewer/lib/color.js';
import { fromColumns, withFrames } from '#viewer/data/tree.js';

const REST = { name: 'too narrow to draw', kind: KINDS.indexOf('synthetic') };

/** @type {WeakMap<readonly string[], Pick<Tree, 'names' | 'kinds'>>} */
const framesWithRest = new WeakMap();

/**
 * The frames of a tree and one more, for what is folded.
 * @param {Tree} tree
 */
function frames({ names, kinds }) {
  const known = framesWithRest.get(names) ?? withFrames({ names, kinds }, [REST]);
  framesWithRest.set(names, known);
  return known;
}

/**
 * @param {Tree} source
 * @param {number} frame of the root
 * @param {Members} members of the root
 * @param {Spread} spread
 * @param {Reach} reach
 * @returns {Grown}
 */
export function grow(source, frame, members, spread, reach) {
  const rest = source.names.length;
  const columns = {
    frame: /** @type {number[]} */ ([]), parent: /** @type {number[]} */ ([]), depth: /** @type {number[]} */ ([]),
    self: /** @type {number[]} */ ([]), total: /** @type {number[]} */ ([]), calls: /** @type {number[]} */ ([]),
    n_folded: /** @type {number[]} */ ([]),
  };
  const gather = gatherer(source, spread);
  const root = { ...emptyGroup(frame), ...members, total: sum(members.weights), n_calls: sum(members.calls) };
  const todo = [{ group: root, parent: -1, depth: 0, left: 0 }];
  for (let next = todo.pop(); next; next = todo.pop()) {
    const { group, parent, depth, left } = next;
    const node = columns.frame.length;
    const { own, groups } = group.n_folded > 0 ? { own: group.total, groups: [] } : gather(group);
    columns.frame.push(group.frame);
    columns.parent.push(parent);
    columns.depth.push(depth);
    columns.self.push(own);
    columns.total.push(group.total);
    columns.calls.push(group.n_calls);
    columns.n_folded.push(group.n_folded);
    const inSight = left < reach.to && left + group.total > reach.from;
    const children = fold(groups, inSight ? reach.least : Infinity, rest);
    // The first child is to come off the stack first.
    for (let i = children.length - 1, right = left + sum(children.map((child) => Math.max(0, child.total))); i >= 0; i--) {
      const child = /** @type {Group} */ (children[i]);
      right -= Math.max(0, child.total);
      todo.push({ group: child, parent: node, depth: depth + 1, left: right });
    }
  }
  return finish(source, columns, rest);
}

/**
 * @param {Tree} source
 * @param {Record<'frame' | 'parent' | 'depth' | 'self' | 'total' | 'calls' | 'n_folded', number[]>} columns
 * @param {number} rest
 * @returns {Grown}
 */
function finish(source, columns, rest) {
  return {
    tree: { ...fromColumns(columns), ...frames(source) },
    values: { self: Float64Array.from(columns.self), total: Float64Array.from(columns.total) },
    calls: Float64Array.from(columns.calls),
    n_folded: Uint32Array.from(columns.n_folded),
    rest,
  };
}

/**
 * What gathers the neighbours of a group by their frames.
 * @param {Tree} source
 * @param {Spread} spread
 */
function gatherer(source, spread) {
  const slots = new Int32Array(source.names.length).fill(-1);
  /** @type {Group[]} */
  let groups = [];
  /** @type {Add} */
  const add = (node, weight, calls) => {
    const frame = /** @type {number} */ (source.frame[node]);
    let slot = /** @type {number} */ (slots[frame]);
    if (slot < 0) {
      slot = slots[frame] = groups.length;
      groups.push(emptyGroup(frame));
    }
    const group = /** @type {Group} */ (groups[slot]);
    group.total += weight;
    group.n_calls += calls;
    group.nodes.push(node);
    group.weights.push(weight);
    group.calls.push(calls);
  };
  return (/** @type {Group} */ { nodes, weights, calls }) => {
    groups = [];
    let own = 0;
    for (let i = 0; i < nodes.length; i++) {
      own += spread(/** @type {number} */ (nodes[i]), /** @type {number} */ (weights[i]), /** @type {number} */ (calls[i]), add);
    }
    for (const { frame } of groups) slots[frame] = -1;
    return { own, groups };
  };
}

/**
 * The groups of a pixel or more, the heaviest first, then all others as one.
 * @param {Group[]} groups
 * @param {number} least
 * @param {number} rest
 */
function fold(groups, least, rest) {
  const wide = groups.filter((group) => group.total >= least && group.total > 0);
  wide.sort((a, b) => b.total - a.total || a.frame - b.frame);
  if (wide.length === groups.length) return wide;
  const folded = emptyGroup(rest);
  for (const group of groups) {
    if (group.total >= least && group.total > 0) continue;
    folded.total += group.total;
    folded.n_calls += group.n_calls;
    folded.n_folded++;
  }
  return [...wide, folded];
}

/**
 * @param {number} frame
 * @returns {Group}
 */
function emptyGroup(frame) {
  return { frame, total: 0, n_calls: 0, n_folded: 0, nodes: [], weights: [], calls: [] };
}

/** @param {readonly number[]} values */
function sum(values) {
  return values.reduce((total, value) => total + value, 0);
}
