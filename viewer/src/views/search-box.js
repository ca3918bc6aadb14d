/**
 * The search field with what it found.
 *
 * @import { App } from '#viewer/views/app.js'
 */

import { fill, h } from '#viewer/lib/dom.js';

/**
 * @param {App} app
 * @param {{ step: (by: number) => void, leave: () => void, cut?: (sign: '+' | '-') => void }} events `cut`
 *   keeps or drops what was found
 */
export function createSearchBox(app, events) {
  const input = h('input', {
    type: 'search', placeholder: 'Search names', 'aria-label': 'Search names, or /regular expression/',
    spellcheck: 'false', autocomplete: 'off',
    oninput: () => app.store.update({ search: input.value }),
    onkeydown: (/** @type {KeyboardEvent} */ event) => key(event),
  });
  const result = h('div', { class: 'search-result', role: 'status' });
  const hint = h('kbd', { class: 'search-key', 'aria-hidden': 'true' }, '/');
  const key = (/** @type {KeyboardEvent} */ event) => {
    if (event.key === 'Enter') events.step(event.shiftKey ? -1 : 1);
    else if (event.key === 'Escape' && input.value === '') events.leave();
    else if (event.key === 'Escape') {
      input.value = '';
      app.store.update({ search: '' });
    } else return;
    event.preventDefault();
    event.stopPropagation();
  };
  const { cut } = events;
  const button = (/** @type {string} */ text, /** @type {string} */ title, /** @type {'+' | '-'} */ sign) =>
    h('button', { type: 'button', class: 'link', title, onclick: () => cut?.(sign) }, text);
  const cuts = h('div', { class: 'search-cuts', hidden: true },
    button('Keep', 'Only the stacks through these, in all views (k)', '+'), button('Drop', 'All but the stacks through these, in all views (K)', '-'));
  return {
    element: h('div', { class: 'search' }, h('div', { class: 'search-field' }, input, hint), cut && cuts, result),
    /** @param {string} text */
    set(text) {
      if (input.value !== text) input.value = text;
    },
    focus() {
      input.focus();
      input.select();
    },
    /**
     * @param {string} lead the figure that matters
     * @param {string} rest
     * @param {boolean} failed
     */
    tell(lead, rest, failed = false) {
      cuts.hidden = failed || lead === '';
      result.classList.toggle('failed', failed);
      fill(result, lead !== '' && h('b', {}, lead), rest);
    },
  };
}
