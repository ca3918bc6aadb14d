/**
 * The weight switch: the main weights as buttons, the rest behind "More".
 *
 * @import { App } from '#viewer/views/app.js'
 */

import { fill, h } from '#viewer/lib/dom.js';
import { asTheFileSays, weightMeaning, weightTitle } from '#viewer/logic/weights.js';
import { currentProfile, currentStacks } from '#viewer/views/app.js';
import { isKnown } from '#viewer/views/stretch.js';

const N_BUTTONS = 4;
const NOT_BY_TIME = 'When this weight arises is not known: it is there for the whole window only.';

/** @param {App} app */
export function createWeights(app) {
  const element = h('div', { class: 'weights', role: 'radiogroup', 'aria-label': 'Weight' });
  return {
    element,
    show() {
      const weights = currentProfile(app)?.index.columns.map((column) => column.weight) ?? [];
      const current = weightOnShow(app);
      const rest = weights.slice(N_BUTTONS);
      fill(element,
        weights.slice(0, N_BUTTONS).map((weight) => button(app, weight, current)),
        rest.length > 0 && more(app, rest, current));
    },
  };
}

/**
 * @param {App} app
 * @param {string} weight
 * @param {string} current
 */
function button(app, weight, current) {
  return h('button', {
    type: 'button', role: 'radio', 'aria-checked': String(weight === current),
    title: !isKnown(app, weight) ? NOT_BY_TIME : currentStacks(app) ? asTheFileSays(weight) : weightMeaning(weight),
    'data-weight': weight, disabled: !isKnown(app, weight), onclick: () => app.store.update({ weight }),
  }, titleIn(app, weight));
}

/**
 * @param {App} app
 * @param {readonly string[]} weights
 * @param {string} current
 */
function more(app, weights, current) {
  const inside = weights.includes(current);
  const select = h('select', {
    'aria-label': 'More weights', class: inside ? 'on' : '',
    onchange: () => select.value !== '' && app.store.update({ weight: select.value }),
  },
  !inside && h('option', { value: '', selected: true }, 'More'),
  weights.map((weight) => h('option', { value: weight, selected: weight === current, disabled: !isKnown(app, weight) }, titleIn(app, weight))));
  return select;
}

/**
 * What a weight is called: that of finished stacks as their file says it, since words of ours may mean
 * something else there.
 * @param {App} app
 * @param {string} weight
 */
export function titleIn(app, weight) {
  return currentStacks(app) ? weight : weightTitle(weight);
}

/**
 * The weights that can be shown now.
 * @param {App} app
 */
function known(app) {
  return (currentProfile(app)?.index.columns ?? []).filter(({ weight }) => isKnown(app, weight));
}

/**
 * The weight asked for, or the first there is.
 * @param {App} app
 */
export function weightOnShow(app) {
  const columns = known(app);
  const { weight } = app.store.get();
  return columns.find((column) => column.weight === weight)?.weight ?? columns[0]?.weight ?? weight;
}

/**
 * @param {App} app
 * @param {number} by 1 is the next weight, -1 the one before
 */
export function nextWeight(app, by) {
  const columns = known(app);
  const at = columns.findIndex((column) => column.weight === weightOnShow(app));
  const next = columns[(at + by + columns.length) % columns.length];
  if (next) app.store.update({ weight: next.weight });
}
