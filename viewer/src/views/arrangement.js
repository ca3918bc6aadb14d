/**
 * The switches that arrange the flame graph: the order of siblings, divided by something, leaves first, recursion
 * folded.
 *
 * @import { App } from '#viewer/views/app.js'
 * @import { Order } from '#viewer/logic/order.js'
 * @import { Division } from '#viewer/logic/parts.js'
 * @import { ViewState } from '#viewer/state/view-state.js'
 */

import { h } from '#viewer/lib/dom.js';
import { ORDERS } from '#viewer/logic/order.js';
import { DIVISIONS } from '#viewer/logic/parts.js';
import { currentChart } from '#viewer/views/app.js';
import { canDivide } from '#viewer/views/divisions.js';

const ORDER_TITLES = { steady: 'Same order for all', heavy: 'Heaviest first', name: 'A to Z', time: 'By time' };
const TITLES = {
  '': 'Undivided', module: 'By module', kind: 'By kind', family: 'By kernel family', stream: 'By stream or thread',
  phase: 'By phase',
};
/** @type {readonly ('' | Division)[]} */
const WAYS = ['', ...DIVISIONS];

/** @param {App} app */
export function createArrangement(app) {
  const order = select('Order of siblings', 'Order of siblings (o)', ORDERS, ORDER_TITLES, (one) => app.store.update({ order: one }));
  const by = select('Divide by', 'Divide by (g)', WAYS, TITLES, (one) => app.store.update({ by: one }));
  const toggle = (/** @type {'invert' | 'recursion'} */ key, /** @type {string} */ text, /** @type {string} */ title) => h('button', {
    type: 'button', class: 'button', title, onclick: () => app.store.update({ [key]: !app.store.get()[key] }),
  }, text);
  const invert = toggle('invert', 'Invert', 'Leaves first, what called them below (I)');
  const recursion = toggle('recursion', 'Recursion', 'Fold functions that call themselves into one frame (r)');
  return {
    elements: [order.element, by.element, invert, recursion],
    /** @param {ViewState} state */
    show(state) {
      order.show(state.order, (one) => canOrder(app, one));
      by.show(state.by, (one) => canDivide(app, one));
      invert.setAttribute('aria-pressed', String(state.invert));
      recursion.setAttribute('aria-pressed', String(state.recursion));
    },
  };
}

/**
 * @template {string} Choice
 * @param {string} label
 * @param {string} title
 * @param {readonly Choice[]} choices
 * @param {Readonly<Record<Choice, string>>} titles
 * @param {(choice: Choice) => void} choose
 */
function select(label, title, choices, titles, choose) {
  const options = choices.map((choice) => h('option', { value: choice }, titles[choice]));
  const element = h('select', {
    class: 'select', 'aria-label': label, title,
    onchange: () => choose(/** @type {Choice} */ (choices[element.selectedIndex])),
  }, options);
  return {
    element,
    /**
     * @param {Choice} chosen
     * @param {(choice: Choice) => boolean} can
     */
    show(chosen, can) {
      element.value = chosen;
      options.forEach((option, i) => (option.disabled = !can(/** @type {Choice} */ (choices[i]))));
    },
  };
}

/**
 * Whether siblings can be put in an order: when callers of a leaf are first seen is not known.
 * @param {App} app
 * @param {Order} order
 */
function canOrder(app, order) {
  return order !== 'time' || (currentChart(app) !== undefined && !app.store.get().invert);
}

/** @param {App} app */
export function nextOrder(app) {
  app.store.update({ order: next(ORDERS, app.store.get().order, 1, (order) => canOrder(app, order)) });
}

/**
 * @param {App} app
 * @param {number} step
 */
export function nextDivision(app, step) {
  app.store.update({ by: next(WAYS, app.store.get().by, step, (by) => canDivide(app, by)) });
}

/**
 * The choice after this one, or before it, that can be made.
 * @template Choice
 * @param {readonly Choice[]} choices
 * @param {Choice} from
 * @param {number} step
 * @param {(choice: Choice) => boolean} can
 * @returns {Choice}
 */
function next(choices, from, step, can) {
  const at = choices.indexOf(from);
  for (let i = 1; i < choices.length; i++) {
    const choice = /** @type {Choice} */ (choices[(at + i * step + i * choices.length) % choices.length]);
    if (can(choice)) return choice;
  }
  return from;
}
