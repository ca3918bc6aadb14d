/**
 * Paths through the tree.
 *
 * @import { Tree } from '#viewer/data/tree.js'
 */

import { KINDS } from '#viewer/lib/color.js';
import { withoutIndex } from '#viewer/logic/names.js';
import { childrenOf } from '#viewer/logic/order.js';

/** What the root of everything is called. */
export const ROOT_NAME = 'all';

/**
 * @param {Tree} tree
 * @param {number} node
 */
export function nameOf(tree, node) {
  return tree.names[/** @type {number} */ (tree.frame[node])] || ROOT_NAME;
}

/**
 * @param {Tree} tree
 * @param {number} node
 */
export function kindOf(tree, node) {
  return /** @type {number} */ (tree.kinds[/** @type {number} */ (tree.frame[node])]);
}

/**
 * The nodes from the root to `node`, both included.
 * @param {Tree} tree
 * @param {number} node
 */
export function pathTo(tree, node) {
  const path = [];
  for (let i = node; i >= 0; i = /** @type {number} */ (tree.parent[i])) path.push(i);
  return path.reverse();
}

/**
 * The frames of a stack, callers first, without the root.
 * @param {Tree} tree
 * @param {number} node
 * @param {number | undefined} turned where the tree has leaves first: how many frames stay before them
 */
export function stackTo(tree, node, turned) {
  const path = pathTo(tree, node).slice(1);
  return turned === undefined ? path : [...path.slice(0, turned), ...path.slice(turned).reverse()];
}

/**
 * The stack as one line of folded text, without the root.
 * @param {Tree} tree
 * @param {number} node
 * @param {number} [turned] as in `stackTo`
 */
export function folded(tree, node, turned) {
  const names = stackTo(tree, node, turned).map((i) => nameOf(tree, i));
  return names.map((name) => name.replaceAll(';', ':').replaceAll(/[\n\r]/g, ' ')).join(';');
}

/**
 * The node that a list of names leads to. Frames that the list leaves out at the root (a thread)
 * are passed over; a list that goes on beyond the tree ends at the last frame that is there.
 * @param {Tree} tree
 * @param {readonly string[]} names root first
 * @returns {number} 0 when not even the first name is found
 */
export function findPath(tree, names) {
  const starts = [0, ...childrenOf(tree, 0)];
  let best = { node: 0, length: 0 };
  for (const start of starts) {
    const found = follow(tree, start, names);
    if (found.length > best.length) best = found;
  }
  return best.node;
}

/**
 * @param {Tree} tree
 * @param {number} start
 * @param {readonly string[]} names
 */
function follow(tree, start, names) {
  let node = start;
  let length = 0;
  for (const name of names) {
    const next = childrenOf(tree, node).find((child) => nameOf(tree, child) === name);
    if (next === undefined) break;
    node = next;
    length++;
  }
  return { node, length };
}

/**
 * All nodes whose path is like a list of names but for the numbers of modules.
 * @param {Tree} tree
 * @param {readonly string[]} names root first
 */
export function findAlike(tree, names) {
  const wanted = names.map(withoutIndex);
  // The list may leave out the thread at the root.
  for (const starts of [[0], childrenOf(tree, 0)]) {
    const found = wanted.reduce((nodes, name) => nodes.flatMap((node) =>
      childrenOf(tree, node).filter((child) => withoutIndex(nameOf(tree, child)) === name)), starts);
    if (found.length > 0) return found;
  }
  return [];
}

/**
 * The innermost node that all of `nodes` lie below or are.
 * @param {Tree} tree
 * @param {readonly number[]} nodes
 */
export function commonCaller(tree, nodes) {
  const first = nodes[0] ?? 0;
  const inside = (/** @type {number} */ top) =>
    nodes.every((node) => node >= top && node < /** @type {number} */ (tree.end[top]));
  let top = first;
  while (top > 0 && !inside(top)) top = /** @type {number} */ (tree.parent[top]);
  return top;
}

const ENGINE = /(^|[/\\])(torch|triton|site-packages|dist-packages|lib[/\\]python3[^/\\]*)[/\\]|^<(built-in|frozen|string)|^(threading|asyncio|runpy|contextlib)[./]/;

/**
 * The innermost Python frame at or above `node` that is the user's own: outside torch, triton,
 * installed packages and the interpreter.
 * @param {Tree} tree
 * @param {number} node
 * @returns {number | undefined}
 */
export function userFrame(tree, node) {
  for (let i = node; i > 0; i = /** @type {number} */ (tree.parent[i])) {
    if (kindOf(tree, i) === 1 && !ENGINE.test(nameOf(tree, i))) return i;
  }
  return undefined;
}

const OP = KINDS.indexOf('op');

/**
 * The operator that a node is or lies in; empty for none.
 * @param {Tree} tree
 * @param {number} node
 */
export function opOf(tree, node) {
  for (let i = node; i > 0; i = /** @type {number} */ (tree.parent[i])) {
    if (kindOf(tree, i) === OP) return nameOf(tree, i);
  }
  return '';
}
