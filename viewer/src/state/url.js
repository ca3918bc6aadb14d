/**
 * The view as the hash of the URL and back. Only what differs from the initial view is written.
 *
 * @import { ViewState } from '#viewer/state/view-state.js'
 */

import { readCuts } from '#viewer/logic/cuts.js';
import { ORDERS } from '#viewer/logic/order.js';
import { DIVISIONS } from '#viewer/logic/parts.js';
import { FIGURES } from '#viewer/logic/steps.js';
import { INITIAL, VIEWS } from '#viewer/state/view-state.js';

/** @param {ViewState} state */
export function toHash(state) {
  const params = new URLSearchParams();
  for (const [key, value] of Object.entries(state)) {
    const initial = INITIAL[/** @type {keyof ViewState} */ (key)];
    // What a person looks for may hold commas.
    const text = key === 'cuts' && state.cuts.length > 0 ? JSON.stringify(value) : String(value);
    if (text !== String(initial)) params.set(key, text);
  }
  const text = params.toString();
  return text === '' ? '' : `#${text}`;
}

/**
 * Whatever a hash says that is not understood is left at its initial value.
 * @param {string} hash
 * @returns {ViewState}
 */
export function fromHash(hash) {
  const params = new URLSearchParams(hash.replace(/^#/, ''));
  const text = (/** @type {string} */ key) => params.get(key);
  const number = (/** @type {string} */ key, /** @type {number} */ initial) => {
    const value = Number(text(key) ?? initial);
    return Number.isSafeInteger(value) ? value : initial;
  };
  return {
    view: VIEWS.find((view) => view.name === text('view'))?.name ?? INITIAL.view,
    capture: number('capture', INITIAL.capture),
    weight: text('weight') ?? INITIAL.weight,
    focus: number('focus', INITIAL.focus),
    select: number('select', INITIAL.select),
    pivot: text('pivot') ?? INITIAL.pivot,
    search: text('search') ?? INITIAL.search,
    order: ORDERS.find((order) => order === text('order')) ?? INITIAL.order,
    flip: text('flip') === 'true',
    collapse: text('collapse') === 'true',
    invert: text('invert') === 'true',
    recursion: text('recursion') === 'true',
    by: DIVISIONS.find((division) => division === text('by')) ?? INITIAL.by,
    dim: (text('dim') ?? '').split(',').filter((kind) => kind !== ''),
    group: DIVISIONS.find((division) => division === text('group')) ?? INITIAL.group,
    figure: FIGURES.find(({ key }) => key === text('figure'))?.key ?? INITIAL.figure,
    sort: text('sort') ?? INITIAL.sort,
    from: number('from', INITIAL.from),
    to: number('to', INITIAL.to),
    span: number('span', INITIAL.span),
    cuts: readCuts(text('cuts') ?? '[]'),
    since: number('since', INITIAL.since),
    until: number('until', INITIAL.until),
  };
}
