/**
 * The kinds in the profile, each a switch that dims its frames.
 *
 * @import { App } from '#viewer/views/app.js'
 * @import { Tree } from '#viewer/data/tree.js'
 */

import { KINDS, kindColor } from '#viewer/lib/color.js';
import { fill, h } from '#viewer/lib/dom.js';

/** @param {App} app */
export function createLegend(app) {
  const element = h('div', { class: 'legend', role: 'group', 'aria-label': 'Kinds of frames' });
  return {
    element,
    /** @param {Tree} tree */
    show(tree) {
      const present = new Set(tree.kinds);
      const { dim } = app.store.get();
      fill(element, KINDS.map((kind, i) => present.has(i) && h('button', {
        type: 'button', 'aria-pressed': String(!dim.includes(kind)), title: `Dim ${kind} frames`,
        onclick: () => toggle(app, kind),
      }, h('span', { class: 'swatch', style: `background:${kindColor(kind)}` }), kind)),
      h('span', { class: 'legend-run' }, h('span', { class: 'swatch hatched' }), 'too narrow to draw'));
    },
  };
}

/**
 * @param {App} app
 * @param {string} kind
 */
function toggle(app, kind) {
  const { dim } = app.store.get();
  app.store.update({ dim: dim.includes(kind) ? dim.filter((k) => k !== kind) : [...dim, kind] });
}
