/**
 * Keeping and dropping stacks: what a search found becomes a cut of all views.
 *
 * @import { App } from '#viewer/views/app.js'
 */

import { h } from '#viewer/lib/dom.js';
import { readCut } from '#viewer/logic/cuts.js';
import { matcher } from '#viewer/logic/search.js';

/**
 * Makes a cut of the search on show.
 * @param {App} app
 * @param {'+' | '-'} sign keeps or drops
 */
export function cutBySearch(app, sign) {
  const { search, cuts } = app.store.get();
  if (typeof matcher(search) !== 'function') return app.say('Search for something first: its stacks can be kept or dropped');
  app.store.update({ cuts: [...cuts, sign + search], search: '', focus: 0, select: -1 });
}

/**
 * The cuts as buttons that take them back.
 * @param {App} app
 */
export function cutChips(app) {
  const { cuts } = app.store.get();
  return cuts.map((cut, i) => {
    const { keeps, text } = readCut(cut);
    const what = `${keeps ? 'only' : 'without'} ${text}`;
    return h('button', {
      type: 'button', class: 'chip cut-chip', title: `Take back: ${what}`, 'aria-label': `Take back: ${what}`,
      onclick: () => app.store.update({ cuts: cuts.filter((_, other) => other !== i), focus: 0, select: -1 }),
    }, h('span', {}, keeps ? 'only ' : 'without '), h('b', {}, text), ' ×');
  });
}
