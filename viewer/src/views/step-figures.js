/**
 * The switch between the figures that bars of steps are as high as.
 *
 * @import { App } from '#viewer/views/app.js'
 * @import { Figure } from '#viewer/logic/steps.js'
 */

import { fill, h } from '#viewer/lib/dom.js';
import { FIGURES, figureOf, lengthFigure } from '#viewer/logic/steps.js';
import { currentCapture } from '#viewer/views/app.js';

/** @param {App} app */
export function createFigures(app) {
  const element = h('div', {
    class: 'weights', role: 'radiogroup', 'aria-label': 'Height of the bars',
    onkeydown: (/** @type {KeyboardEvent} */ event) => {
      const by = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
      if (by === undefined) return;
      event.preventDefault();
      event.stopPropagation();
      nextFigure(app, by);
    },
  });
  return {
    element,
    show() {
      const on = figureOn(app);
      const focused = element.contains(document.activeElement);
      fill(element, FIGURES.map((figure) => button(app, figure, figure === on)));
      if (focused) element.querySelector(/** @type {'button'} */ ('[aria-checked=true]'))?.focus();
    },
  };
}

/**
 * @param {App} app
 * @param {Figure} figure
 * @param {boolean} on
 */
function button(app, { key, title, meaning }, on) {
  return h('button', {
    type: 'button', role: 'radio', 'aria-checked': String(on), tabindex: on ? 0 : -1, title: meaning, 'data-figure': key,
    onclick: () => app.store.update({ figure: key }),
  }, title);
}

/**
 * The figure asked for; without any device work, the host's length in place of the wall time.
 * @param {App} app
 */
export function figureOn(app) {
  const { figure } = app.store.get();
  return figure === 'wall' ? lengthFigure(currentCapture(app)?.steps.list ?? []) : figureOf(figure);
}

/**
 * @param {App} app
 * @param {number} by 1 is the next figure, -1 the one before
 */
export function nextFigure(app, by) {
  const next = FIGURES[(FIGURES.indexOf(figureOn(app)) + by + FIGURES.length) % FIGURES.length];
  if (next) app.store.update({ figure: next.key });
}
