/** Sentences of the report as DOM: names in backticks become code, the first letter a capital. */

import { h } from '#viewer/lib/dom.js';
import { tie } from '#viewer/lib/units.js';

/**
 * @param {string} sentence
 * @returns {(Node | string)[]}
 */
export function prose(sentence) {
  const parts = tie(sentence).split('`');
  // An odd backtick opens nothing.
  if (parts.length % 2 === 0) return [capital(tie(sentence))];
  return parts
    .map((part, i) => (i % 2 === 1 ? h('code', {}, part) : i === 0 ? capital(part) : part))
    .filter((part) => part !== '');
}

/** @param {string} text */
function capital(text) {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
