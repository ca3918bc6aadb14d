/**
 * The function of the sandwich in figures: the bar between the halves, and the pane beside them with
 * its nearest callers and callees as lists.
 *
 * @import { App } from '#viewer/views/app.js'
 * @import { Half, Pivot } from '#viewer/logic/sandwich.js'
 * @import { Scene } from '#viewer/logic/scene.js'
 */

import { KINDS, kindColor } from '#viewer/lib/color.js';
import { fill, h } from '#viewer/lib/dom.js';
import { formatCount, formatNoun, formatShare, formatValue } from '#viewer/lib/units.js';
import { childrenOf } from '#viewer/logic/order.js';
import { keyOfNode } from '#viewer/logic/sandwich.js';
import { kindOf, nameOf } from '#viewer/logic/stack.js';
import { showPlaces, showSandwich } from '#viewer/views/function-links.js';
import { howto } from '#viewer/views/howto.js';

/** Rows of each list; the flame graphs show the rest. */
const MAX_ROWS = 8;

/** @param {() => void} press */
export function createBar(press) {
  const element = h('div', { class: 'sandwich-bar', 'aria-hidden': 'true', onclick: press });
  return {
    element,
    /**
     * @param {Scene} scene
     * @param {Pivot} pivot
     */
    show(scene, pivot) {
      const kind = KINDS[scene.tree.kinds[pivot.frame] ?? 0] ?? 'synthetic';
      const name = scene.tree.names[pivot.frame] ?? '';
      const share = (/** @type {number} */ value) => formatShare(value / (scene.layout.sum || 1));
      element.style.background = kindColor(kind);
      element.style.color = `var(--kind-${kind}-ink)`;
      element.title = name;
      fill(element, h('span', { class: 'sandwich-name mono' }, name.replace(/^void /, '')), h('span', { class: 'sandwich-told' },
        figure('total', formatValue(pivot.total, scene.unit), share(pivot.total)),
        figure('self', formatValue(pivot.self, scene.unit), share(pivot.self)),
        pivot.calls > 0 && scene.weight !== 'calls' && figure('calls', formatCount(pivot.calls), '')));
    },
  };
}

/**
 * @param {string} name
 * @param {string} value
 * @param {string} share
 */
function figure(name, value, share) {
  return h('span', {}, `${name} `, h('b', {}, value), share !== '' && ` ${share}`);
}

/** @param {App} app */
export function createPivotDetails(app) {
  const element = h('aside', { class: 'details', 'aria-label': 'The function, its callers and callees' });
  const hint = howto('sandwich');
  return {
    element,
    /**
     * @param {Scene} scene
     * @param {Pivot} pivot
     * @param {{ callers: Half, callees: Half }} halves
     */
    show(scene, pivot, halves) {
      const name = scene.tree.names[pivot.frame] ?? '';
      const kind = KINDS[scene.tree.kinds[pivot.frame] ?? 0] ?? 'synthetic';
      const action = (/** @type {string} */ text, /** @type {string} */ key, /** @type {() => void} */ run) =>
        h('button', { type: 'button', class: 'button', onclick: run }, text, key !== '' && h('kbd', {}, key));
      fill(element,
        h('div', { class: 'details-kind' }, h('span', { class: 'swatch', style: `background:${kindColor(kind)}` }), kind),
        h('h2', { class: 'details-name' }, name),
        table(scene, pivot),
        h('div', { class: 'details-actions' },
          action('All its places', 'f', () => showPlaces(app, { name, ...pivot })),
          action('Copy name', 'c', () => void app.copy(name, 'Name'))),
        list(app, halves.callers, 'Called by', 'Begins a stack'),
        list(app, halves.callees, 'Calls', 'Self'),
        hint);
    },
  };
}

/**
 * @param {Scene} scene
 * @param {Pivot} pivot
 */
function table({ unit, weight, title, layout }, pivot) {
  const share = (/** @type {number} */ value) => formatShare(value / (layout.sum || 1));
  const row = (/** @type {string} */ name, /** @type {string} */ value, /** @type {string} */ more) =>
    h('tr', {}, h('th', { scope: 'row' }, name), h('td', {}, value), h('td', {}, more));
  return h('table', { class: 'figures' },
    h('caption', {}, title),
    h('tbody', {},
      row('Total', formatValue(pivot.total, unit), share(pivot.total)),
      row('Self', formatValue(pivot.self, unit), share(pivot.self)),
      pivot.calls > 0 && weight !== 'calls' && row('Calls', formatCount(pivot.calls), ''),
      pivot.calls > 0 && weight !== 'calls' && row('Mean per call', formatValue(pivot.total / pivot.calls, unit), ''),
      row('Stacks', formatCount(pivot.n_stacks), '')));
}

/**
 * The nearest functions of one side, each a way on; what is left of the weight in the last row.
 * @param {App} app
 * @param {Half} half
 * @param {string} title
 * @param {string} own what the weight is that goes no further
 */
function list(app, half, title, own) {
  const { tree, values, n_folded, layout } = half;
  const children = childrenOf(tree, 0);
  if (children.length === 0 || layout.sum <= 0) return null;
  const shown = children.filter((node) => n_folded[node] === 0).slice(0, MAX_ROWS);
  const more = children.filter((node) => !shown.includes(node));
  const n_more = more.reduce((n, node) => n + Math.max(1, n_folded[node] ?? 0), 0);
  const weight = more.reduce((sum, node) => sum + (values.total[node] ?? 0), 0);
  const self = values.self[0] ?? 0;
  return h('div', { class: 'details-stack' },
    h('div', { class: 'label' }, `${title} ${formatNoun(shown.length + n_more, 'function')} · share of its ${half.title}`),
    h('ul', {},
      shown.map((node) => h('li', {}, row(app, half, node))),
      n_more > 0 && h('li', {}, plainRow(`${formatCount(n_more)} more`, weight / layout.sum)),
      self > 0 && h('li', {}, plainRow(own, self / layout.sum))));
}

/**
 * @param {App} app
 * @param {Half} half
 * @param {number} node
 */
function row(app, { tree, values, layout }, node) {
  const name = nameOf(tree, node);
  return h('button', { type: 'button', class: 'stack-row', title: name, onclick: () => showSandwich(app, keyOfNode(tree, node)) },
    h('span', { class: 'swatch', style: `background:${kindColor(KINDS[kindOf(tree, node)] ?? 'synthetic')}` }),
    h('span', { class: 'stack-name mono' }, name.replace(/^void /, '')),
    h('span', { class: 'stack-share' }, formatShare((values.total[node] ?? 0) / layout.sum)));
}

/**
 * @param {string} text
 * @param {number} share
 */
function plainRow(text, share) {
  return h('div', { class: 'stack-row plain' }, h('span', { class: 'stack-name' }, text), h('span', { class: 'stack-share' }, formatShare(share)));
}
