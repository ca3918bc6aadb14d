/**
 * What the sandwich shows before a function is chosen: those that most of the weight is in.
 *
 * @import { App } from '#viewer/views/app.js'
 * @import { Scene } from '#viewer/logic/scene.js'
 */

import { KINDS, kindColor } from '#viewer/lib/color.js';
import { fill, h } from '#viewer/lib/dom.js';
import { formatShare } from '#viewer/lib/units.js';
import { pivotKey } from '#viewer/logic/sandwich.js';
import { sortRows, tabulate } from '#viewer/logic/table.js';
import { showSandwich } from '#viewer/views/function-links.js';
import { howto } from '#viewer/views/howto.js';

const N_ROWS = 12;

/** @param {App} app */
export function createChooser(app) {
  const element = h('div', { class: 'sandwich-choose' });
  const hint = howto('sandwich');
  return {
    element,
    /**
     * @param {Scene} scene
     * @param {string} trouble why there is no function; empty when none was asked for
     */
    show(scene, trouble) {
      const { tree, values, calls, layout, title } = scene;
      const rows = sortRows(tabulate(tree, values, calls, 'function'), 'self', false).slice(0, N_ROWS);
      fill(element, h('div', { class: 'sandwich-ask' },
        h('h2', {}, 'One function, all its callers and callees'),
        h('p', {}, trouble !== '' && `${trouble} `, 'Choose a function: select a frame of the ',
          link('flame graph', () => app.store.update({ view: 'flame' })), ' or a row of ',
          link('all functions', () => app.store.update({ view: 'table', group: 'function' })), ' and press ', h('kbd', {}, 'x'),
          ', or take one of those that most of the ', title, ' is in:'),
        h('ol', {}, rows.map((row) => h('li', {}, h('button', {
          type: 'button', class: 'stack-row', title: row.name, onclick: () => showSandwich(app, pivotKey(row.kind, row.name)),
        },
        h('span', { class: 'swatch', style: `background:${kindColor(KINDS[row.kind] ?? 'synthetic')}` }),
        h('span', { class: 'stack-name mono' }, row.name.replace(/^void /, '')),
        h('span', { class: 'stack-share' }, `self ${formatShare(row.self / (layout.sum || 1))}`))))),
        hint));
    },
  };
}

/**
 * @param {string} text
 * @param {() => void} run
 */
function link(text, run) {
  return h('button', { type: 'button', class: 'link', onclick: run }, text);
}
