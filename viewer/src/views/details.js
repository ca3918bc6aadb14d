/**
 * The pinned pane: everything about the selected frame, at once and in full.
 *
 * @import { App } from '#viewer/views/app.js'
 * @import { Scene } from '#viewer/logic/scene.js'
 */

import { KINDS, kindColor } from '#viewer/lib/color.js';
import { fill, h } from '#viewer/lib/dom.js';
import { formatCount, formatShare, formatValue } from '#viewer/lib/units.js';
import { keyOfNode } from '#viewer/logic/sandwich.js';
import { figures } from '#viewer/logic/scene.js';
import { folded, kindOf, nameOf, pathTo, userFrame } from '#viewer/logic/stack.js';
import { currentStacks } from '#viewer/views/app.js';
import { showSandwich } from '#viewer/views/function-links.js';
import { howto } from '#viewer/views/howto.js';
import { stacksFile } from '#viewer/views/stacks-file.js';

/** @param {App} app */
export function createDetails(app) {
  const element = h('aside', { class: 'details', 'aria-label': 'Details of the selected frame' });
  return {
    element,
    /**
     * @param {Scene} scene
     * @param {number} node -1 when nothing is selected
     */
    show(scene, node) {
      if (node < 0 || node >= scene.tree.n) fill(element, stacksFile(app), howto(currentStacks(app) ? 'stacks-flame' : 'flame'), empty());
      else fill(element, ...about(app, scene, node));
    },
  };
}

function empty() {
  return h('p', { class: 'details-empty' }, 'Select a frame to pin its figures here. Double-click, or Enter, to focus on it.');
}

/**
 * @param {App} app
 * @param {Scene} scene
 * @param {number} node
 */
function about(app, scene, node) {
  const { tree } = scene;
  const kind = KINDS[kindOf(tree, node)] ?? 'synthetic';
  // With leaves first, what lies above a frame are its callees.
  const user = scene.turned === undefined ? userFrame(tree, node) : undefined;
  const action = (/** @type {string} */ text, /** @type {string} */ key, /** @type {() => void} */ run) =>
    h('button', { type: 'button', class: 'button', onclick: run }, text, h('kbd', {}, key));
  return [
    h('div', { class: 'details-kind' },
      h('span', { class: 'swatch', style: `background:${kindColor(kind)}` }), node === 0 ? 'everything' : kind,
      h('button', { type: 'button', class: 'close', 'aria-label': 'Unpin', onclick: () => app.store.update({ select: -1 }) }, '×')),
    h('h2', { class: 'details-name' }, nameOf(tree, node)),
    table(scene, node),
    user !== undefined && user !== node && h('div', { class: 'details-user' },
      h('div', { class: 'label' }, 'User frame'),
      h('button', { type: 'button', class: 'link mono', onclick: () => app.store.update({ select: user }) }, nameOf(tree, user))),
    h('div', { class: 'details-actions' },
      action('Focus', '↵', () => app.store.update({ focus: node })),
      node > 0 && action('Sandwich', 'x', () => showSandwich(app, keyOfNode(tree, node))),
      action('Copy name', 'c', () => void app.copy(nameOf(tree, node), 'Name')),
      action('Copy stack', 'C', () => void app.copy(folded(tree, node, scene.turned), 'Stack'))),
    stack(app, scene, node),
  ];
}

/**
 * @param {Scene} scene
 * @param {number} node
 */
function table(scene, node) {
  const { unit, weight, title } = scene;
  const f = figures(scene, node);
  const row = (/** @type {string} */ name, /** @type {string} */ value, /** @type {string} */ share) =>
    h('tr', {}, h('th', { scope: 'row' }, name), h('td', {}, value), h('td', {}, share));
  return h('table', { class: 'figures' },
    h('caption', {}, title),
    h('tbody', {},
      row('Total', formatValue(f.total, unit), formatShare(f.share)),
      row('Self', formatValue(f.self, unit), formatShare(f.self_share)),
      f.calls > 0 && row('Calls', formatCount(f.calls), ''),
      f.calls > 0 && weight !== 'calls' && row('Mean per call', formatValue(f.mean, unit), '')));
}

/**
 * The callers, the selected frame last.
 * @param {App} app
 * @param {Scene} scene
 * @param {number} node
 */
function stack(app, scene, node) {
  const { tree, values, layout } = scene;
  const rows = pathTo(tree, node).slice(1).map((i) => h('li', {},
    h('button', {
      type: 'button', class: i === node ? 'stack-row current' : 'stack-row', title: nameOf(tree, i),
      onclick: () => app.store.update({ select: i }),
    },
    h('span', { class: 'swatch', style: `background:${kindColor(KINDS[kindOf(tree, i)] ?? 'synthetic')}` }),
    h('span', { class: 'stack-name mono' }, nameOf(tree, i)),
    h('span', { class: 'stack-share' }, formatShare((values.total[i] ?? 0) / (layout.sum || 1))))));
  if (rows.length === 0) return null;
  return h('div', { class: 'details-stack' }, h('div', { class: 'label' }, `Stack, ${rows.length} deep`), h('ol', {}, rows));
}
