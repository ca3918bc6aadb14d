/** Sentences of the report as DOM: names in backticks become code, the first letter a capital. */

import { h } from '#viewer/lib/dom.js';
import { tie } from '#viewer/lib/units.js';

/**
 * @param {string} sentence
 * @returns {(Node | string)[]}
 */
export function prose(sentence) {
  return phrase(capital(sentence));
}

/**
 * The same for what is no sentence: its first letter may be that of a name.
 * @param {string} text
 * @returns {(Node | string)[]}
 */
export function phrase(text) {
  const parts = tie(text).split('`');
  // An odd backtick opens nothing.
  if (parts.length % 2 === 0) return [tie(text)];
  return parts.map((part, i) => (i % 2 === 1 ? h('code', {}, part) : part)).filter((part) => part !== '');
}

/** @param {string} text */
function capital(text) {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
