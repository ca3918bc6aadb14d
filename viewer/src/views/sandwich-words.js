/**
 * A caller or a callee in words: beside the pointer, and for those who hear it.
 *
 * @import { Child } from '#viewer/lib/dom.js'
 * @import { Hit } from '#viewer/logic/hit.js'
 * @import { Half } from '#viewer/logic/sandwich.js'
 */

import { KINDS } from '#viewer/lib/color.js';
import { h } from '#viewer/lib/dom.js';
import { formatCount, formatNoun, formatShare, formatValue } from '#viewer/lib/units.js';
import { runWeight } from '#viewer/logic/hit.js';
import { shorter } from '#viewer/logic/names.js';
import { figures } from '#viewer/logic/scene.js';
import { kindOf, nameOf } from '#viewer/logic/stack.js';

/** @param {Half} half */
function one(half) {
  return half.side === 'callers' ? 'caller' : 'callee';
}

/**
 * The name in few letters.
 * @param {Half} half
 */
function pivotName(half) {
  const name = shorter(nameOf(half.tree, 0)).at(-1) ?? '';
  return name.length > 40 ? `${name.slice(0, 39)}…` : name;
}

/**
 * What a box or a run of boxes stands for.
 * @param {Half} half
 * @param {Hit} hit
 * @returns {Child[]}
 */
export function aboutSandwichHit(half, hit) {
  const n_folded = half.n_folded[hit.node] ?? 0;
  const run = hit.run ?? (n_folded > 0 ? rowsOf(half, hit.node) : undefined);
  return run ? aboutRun(half, run) : aboutFrame(half, hit.node);
}

/**
 * @param {Half} half
 * @param {number} node
 */
function rowsOf(half, node) {
  const row = /** @type {number} */ (half.layout.place[node]);
  return { from: row, to: row + 1 };
}

/**
 * @param {Half} half
 * @param {{ from: number, to: number }} run
 * @returns {Child[]}
 */
function aboutRun(half, run) {
  const weight = runWeight(half.layout, run);
  const nodes = half.layout.node.subarray(run.from, run.to);
  const n = nodes.reduce((sum, node) => sum + Math.max(1, half.n_folded[node] ?? 0), 0);
  return [
    h('div', { class: 'tooltip-name' }, `${formatNoun(n, one(half))} too narrow to draw`),
    h('div', { class: 'tooltip-figures' }, h('b', {}, formatShare(weight / half.layout.sum)), ` · ${formatValue(weight, half.unit)} together`),
    h('div', { class: 'tooltip-more' }, 'Click to zoom in'),
  ];
}

/**
 * @param {Half} half
 * @param {number} node
 * @returns {Child[]}
 */
function aboutFrame(half, node) {
  const { total, self, share, calls } = figures(half, node);
  const callers = half.side === 'callers';
  const counted = calls > 0 && (callers ? `${formatNoun(calls, 'call')} from here` : formatNoun(calls, 'call'));
  const own = self > 0 && (callers
    ? `${formatShare(self / half.layout.sum)} begins here`
    : `self ${formatShare(self / half.layout.sum)}`);
  return [
    h('div', { class: 'tooltip-name' }, nameOf(half.tree, node)),
    h('div', { class: 'tooltip-figures' },
      h('b', {}, formatShare(share)), ` ${callers ? 'of its time comes this way' : 'of it'} · ${formatValue(total, half.unit)} ${half.title}`),
    h('div', { class: 'tooltip-more' }, [`${formatShare(total / half.whole)} of all`, own, counted].filter(Boolean).join(' · ')),
  ];
}

/**
 * @param {Half} half
 * @param {number} node
 */
export function speakSandwich(half, node) {
  const { share, total, calls } = figures(half, node);
  const n_folded = half.n_folded[node] ?? 0;
  if (n_folded > 0) return `${formatNoun(n_folded, one(half))} too narrow to draw, ${formatShare(share)} together`;
  const name = `${nameOf(half.tree, node)}, ${KINDS[kindOf(half.tree, node)]}`;
  const called = calls > 0 ? `, ${formatCount(calls)} calls` : '';
  const all = `${formatShare(total / half.whole)} of all`;
  if (node === 0) return `${name}, ${all}${called}`;
  return `${one(half)} ${name}, ${formatShare(share)} of ${pivotName(half)}, ${all}${called}`;
}
