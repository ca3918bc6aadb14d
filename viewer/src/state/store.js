/**
 * The one state of the page, kept in step with the URL: what a person would undo is an entry of the
 * browser's history, the rest replaces the current one.
 *
 * @import { ViewState } from '#viewer/state/view-state.js'
 *
 * @typedef {object} Store
 * @property {() => ViewState} get
 * @property {(patch: Partial<ViewState>) => void} update
 * @property {(listener: (state: ViewState, before: ViewState) => void) => void} listen
 */

import { atom } from '#viewer/state/atom.js';
import { changed } from '#viewer/state/numbering.js';
import { fromHash, toHash } from '#viewer/state/url.js';

/** @type {readonly (keyof ViewState)[]} */
const UNDOABLE = ['view', 'capture', 'weight', 'focus', 'pivot', 'cuts', 'since', 'until', 'invert', 'recursion', 'by'];

/** @returns {Store} */
export function openStore() {
  const state = atom(fromHash(location.hash));
  addEventListener('popstate', () => state.set(fromHash(location.hash)));
  return {
    get: state.get,
    listen: state.listen,
    update(patch) {
      const before = state.get();
      const next = changed(before, patch);
      const hash = toHash(next);
      if (hash === toHash(before)) return;
      const push = UNDOABLE.some((key) => next[key] !== before[key]);
      const url = hash === '' ? location.href.split('#')[0] ?? '' : hash;
      if (push) history.pushState(null, '', url);
      else history.replaceState(null, '', url);
      state.set(next);
    },
  };
}
