/** Light, dark, or as the system says. */

import { h } from '#viewer/lib/dom.js';
import { recall, remember } from '#viewer/state/remembered.js';

const THEMES = ['auto', 'light', 'dark'];
/** @type {Readonly<Record<string, string>>} */
const TITLES = { auto: 'Auto', light: 'Light', dark: 'Dark' };

/** @param {() => void} changed */
export function createTheme(changed) {
  let theme = THEMES.find((name) => name === recall('theme')) ?? 'auto';
  const element = h('button', { type: 'button', class: 'button', title: 'Light, dark or as the system says (t)', onclick: () => next() });
  const apply = () => {
    document.documentElement.dataset['theme'] = theme;
    element.textContent = TITLES[theme] ?? theme;
    element.setAttribute('aria-label', `Theme: ${TITLES[theme]}`);
    changed();
  };
  const next = () => {
    theme = THEMES[(THEMES.indexOf(theme) + 1) % THEMES.length] ?? 'auto';
    remember('theme', theme);
    apply();
  };
  matchMedia('(prefers-color-scheme: dark)').addEventListener('change', changed);
  apply();
  return { element, next };
}
