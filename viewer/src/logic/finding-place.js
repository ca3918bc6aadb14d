/**
 * Where a finding is in the flame graph: what holds the time that it owns, and the frame to look for.
 * The stack of a finding is often a call that costs nothing itself (a sync, a late launch); the time
 * it loses is then beside it, below a caller that both share.
 *
 * @import { Tree } from '#viewer/data/tree.js'
 * @import { Finding } from '#viewer/data/report.js'
 *
 * @typedef {{ focus: number, select: number, search: string }} Spot
 */

import { figuresOf } from '#viewer/logic/findings.js';
import { matcher } from '#viewer/logic/search.js';
import { commonCaller, findAlike, findPath } from '#viewer/logic/stack.js';

/** The share of a finding's time that its place must hold: small pieces may lie elsewhere. */
const ENOUGH = 0.8;

/**
 * @param {Tree} tree
 * @param {Float64Array} total of the weight it shows under
 * @param {Finding} finding
 * @param {number} n_steps
 * @returns {Spot}
 */
export function spotOf(tree, total, finding, n_steps) {
  const alike = findAlike(tree, finding.stack);
  const start = alike.length > 0 ? commonCaller(tree, alike) : findPath(tree, finding.stack);
  const owned = finding.owned_ns_per_step * Math.max(n_steps, 1);
  const focus = holder(tree, total, start, ENOUGH * owned);
  const search = wordFor(tree, frameOf(finding));
  const widest = search === '' ? -1 : widestMatch(tree, total, focus, search);
  return { focus, select: widest >= 0 ? widest : focus > 0 ? focus : -1, search };
}

/**
 * The frame that most of a finding's time is in.
 * @param {Finding} finding
 */
export function frameOf({ evidence, stack }) {
  const text = [evidence['collective'], evidence['copy']].find((value) => typeof value === 'string');
  return figuresOf(evidence).parts[0]?.name ?? (typeof text === 'string' ? text : stack[stack.length - 1] ?? '');
}

/**
 * The innermost of `node` and its callers that holds at least so much.
 * @param {Tree} tree
 * @param {Float64Array} total
 * @param {number} node
 * @param {number} least
 */
function holder(tree, total, node, least) {
  let top = node;
  while (top > 0 && /** @type {number} */ (total[top]) < least) top = /** @type {number} */ (tree.parent[top]);
  return top;
}

/**
 * What to search for: the name, as a word of its own where other names merely contain it. Empty when
 * no frame has it.
 * @param {Tree} tree
 * @param {string} name
 */
function wordFor(tree, name) {
  if (name === '') return '';
  const escaped = name.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&');
  const word = `/${/^\w/.test(name) ? '\\b' : ''}${escaped}${/\w$/.test(name) ? '\\b' : ''}/`;
  const count = (/** @type {string} */ text) => {
    const test = matcher(text);
    return typeof test === 'function' ? tree.names.filter(test).length : 0;
  };
  const n_words = count(word);
  if (n_words === 0) return '';
  return count(name) === n_words ? name : word;
}

/**
 * The widest frame at or below `top` that a search finds; -1 when there is none with weight.
 * @param {Tree} tree
 * @param {Float64Array} total
 * @param {number} top
 * @param {string} search
 */
function widestMatch(tree, total, top, search) {
  const test = matcher(search);
  if (typeof test !== 'function') return -1;
  const hit = tree.names.map(test);
  let best = { node: -1, ns: 0 };
  for (let i = top; i < /** @type {number} */ (tree.end[top]); i++) {
    const ns = /** @type {number} */ (total[i]);
    if (ns > best.ns && hit[/** @type {number} */ (tree.frame[i])] === true) best = { node: i, ns };
  }
  return best.node;
}
