/** A line that says what has just happened, and goes away. */

import { h } from '#viewer/lib/dom.js';

const SHOWN_MS = 1800;

export function createToast() {
  const element = h('div', { class: 'toast', role: 'status', hidden: true });
  let timer = 0;
  return {
    element,
    /** @param {string} text */
    say(text) {
      element.textContent = text;
      element.hidden = false;
      clearTimeout(timer);
      timer = window.setTimeout(() => (element.hidden = true), SHOWN_MS);
    },
  };
}

/**
 * @param {string} text
 * @returns {Promise<boolean>} whether it worked
 */
export async function copyText(text) {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return copyBySelection(text);
  }
}

/**
 * The old way, for pages that may not use the clipboard.
 * @param {string} text
 */
function copyBySelection(text) {
  const area = h('textarea', { class: 'out-of-sight', 'aria-hidden': 'true' });
  area.value = text;
  document.body.append(area);
  area.select();
  const worked = document.execCommand('copy');
  area.remove();
  return worked;
}
