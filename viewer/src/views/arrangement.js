/**
 * The switches that arrange the flame graph: divided by something, leaves first, recursion folded.
 *
 * @import { App } from '#viewer/views/app.js'
 * @import { ViewState } from '#viewer/state/view-state.js'
 */

import { h } from '#viewer/lib/dom.js';

const DIVISIONS = /** @type {const} */ ([
  ['', 'Undivided'], ['module', 'By module'], ['kind', 'By kind'], ['family', 'By kernel family'],
]);

/** @param {App} app */
export function createArrangement(app) {
  const by = h('select', {
    class: 'select', 'aria-label': 'Divide by', title: 'Divide by (g)',
    onchange: () => app.store.update({ by: DIVISIONS.find(([name]) => name === by.value)?.[0] ?? '' }),
  }, DIVISIONS.map(([name, title]) => h('option', { value: name }, title)));
  const toggle = (/** @type {'invert' | 'recursion'} */ key, /** @type {string} */ text, /** @type {string} */ title) => h('button', {
    type: 'button', class: 'button', title, onclick: () => app.store.update({ [key]: !app.store.get()[key] }),
  }, text);
  const invert = toggle('invert', 'Invert', 'Leaves first, what called them below (I)');
  const recursion = toggle('recursion', 'Recursion', 'Fold functions that call themselves into one frame (r)');
  return {
    elements: [by, invert, recursion],
    /** @param {ViewState} state */
    show(state) {
      by.value = state.by;
      invert.setAttribute('aria-pressed', String(state.invert));
      recursion.setAttribute('aria-pressed', String(state.recursion));
    },
  };
}

/**
 * @param {App} app
 * @param {number} step
 */
export function nextDivision(app, step) {
  const at = DIVISIONS.findIndex(([name]) => name === app.store.get().by);
  app.store.update({ by: DIVISIONS[(at + step + DIVISIONS.length) % DIVISIONS.length]?.[0] ?? '' });
}
