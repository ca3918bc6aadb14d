/**
 * The frame around the views: name, tabs, captures, theme, keys.
 *
 * @import { App, View } from '#viewer/views/app.js'
 * @import { ViewName, ViewState } from '#viewer/state/view-state.js'
 */

import { fill, h, takesText } from '#viewer/lib/dom.js';
import { captureName } from '#viewer/data/report.js';
import { currentCapture, currentFile, currentStacks, viewOnShow, viewsOf } from '#viewer/views/app.js';
import { troubles } from '#viewer/views/health.js';
import { createHelp } from '#viewer/views/help.js';
import { createStretchBar } from '#viewer/views/stretch-bar.js';
import { createTheme } from '#viewer/views/theme.js';
import { nextWeight } from '#viewer/views/weights.js';

/**
 * @param {App} app
 * @param {Record<ViewName, View>} views
 */
export function createShell(app, views) {
  const help = createHelp(app);
  const theme = createTheme(() => Object.values(views).forEach((view) => view.restyle?.()));
  const tabs = h('div', { class: 'tabs', role: 'tablist', 'aria-label': 'Views', onkeydown: (/** @type {KeyboardEvent} */ event) => tabKey(app, event) });
  const capture = h('div', { class: 'capture' });
  const main = h('main', { class: 'main' }, viewsOf(app).map(({ name, title }) => {
    const { element } = views[name];
    element.id = `view-${name}`;
    element.setAttribute('role', 'tabpanel');
    element.setAttribute('aria-label', title);
    // The summary has a heading of its own: the verdict.
    if (name !== 'summary') element.prepend(h('h1', { class: 'out-of-sight' }, title));
    return element;
  }));
  const stretch = createStretchBar(app);
  const element = h('div', { class: 'shell' },
    h('header', { class: 'top' }, h('div', { class: 'brand' }, logo(), 'flamelane'), tabs, capture,
      h('div', { class: 'top-right' }, theme.element,
        h('button', { type: 'button', class: 'button icon', 'aria-label': 'Keys', title: 'Keys (?)', onclick: help.toggle }, '?'))),
    stretch.element, main, help.element);
  addEventListener('keydown', (event) => key(app, views, { help: help.toggle, theme: theme.next }, event));
  return {
    element,
    /**
     * @param {ViewState} state
     * @param {ViewState | undefined} before
     */
    show(state, before) {
      const [on_show, shown] = [viewOnShow(app), viewsOf(app)];
      fill(tabs, shown.map(({ name, title }) => tab(app, name, title, on_show === name)));
      fill(capture, captureSelect(app));
      void stretch.show(state);
      for (const { name } of shown) views[name].element.hidden = name !== on_show;
      void views[on_show].show(state, before);
    },
  };
}

function logo() {
  return h('span', { class: 'logo', 'aria-hidden': 'true' }, h('i'), h('i'), h('i'));
}

/**
 * @param {App} app
 * @param {ViewName} name
 * @param {string} title
 * @param {boolean} on
 */
function tab(app, name, title, on) {
  const capture = currentCapture(app);
  const n_bad = name === 'notes' && capture ? troubles(capture).length : 0;
  return h('button', {
    type: 'button', role: 'tab', id: `tab-${name}`, 'aria-selected': String(on), 'aria-controls': `view-${name}`,
    tabindex: on ? 0 : -1, onclick: () => app.store.update({ view: name }),
  }, title, n_bad > 0 && h('span', { class: 'badge', 'aria-label': `${n_bad} problems` }, n_bad));
}

/**
 * @param {App} app
 * @param {KeyboardEvent} event
 */
function tabKey(app, event) {
  const by = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
  if (by === undefined) return;
  event.preventDefault();
  event.stopPropagation();
  const [shown, on_show] = [viewsOf(app), viewOnShow(app)];
  const at = shown.findIndex(({ name }) => name === on_show);
  const next = shown[(at + by + shown.length) % shown.length];
  if (next) app.store.update({ view: next.name });
  document.getElementById(`tab-${next?.name}`)?.focus();
}

/** @param {App} app */
function captureSelect(app) {
  const file = currentFile(app);
  if (app.profiles.length < 2) return h('span', { class: 'mono', title: file }, file, formatOf(app));
  const current = app.store.get().capture;
  const select = h('select', {
    class: 'select', 'aria-label': 'Capture',
    // The clocks of two captures have nothing to do with each other.
    onchange: () => app.store.update({ capture: Number(select.value), focus: 0, select: -1, since: 0, until: 0 }),
  }, app.profiles.map((profile, i) => {
    const one = app.report.captures[profile.index.capture ?? -1];
    const name = one ? captureName(one) : profile.index.stacks?.file ?? `capture ${i}`;
    return h('option', { value: i, selected: i === current }, name);
  }));
  return select;
}

/**
 * Of stacks, whose page has no summary that says it.
 * @param {App} app
 */
function formatOf(app) {
  const stacks = currentStacks(app);
  return stacks ? ` · ${stacks.format} stacks` : '';
}

/**
 * @param {App} app
 * @param {Record<ViewName, View>} views
 * @param {{ help: () => void, theme: () => void }} actions
 * @param {KeyboardEvent} event
 */
function key(app, views, actions, event) {
  if (event.ctrlKey || event.metaKey || event.altKey || takesText(event.target)) return;
  if (document.querySelector('dialog[open]') && event.key !== '?') return;
  const view = viewOnShow(app);
  const byNumber = viewsOf(app)[Number(event.key) - 1];
  if (byNumber) app.store.update({ view: byNumber.name });
  else if (event.key === '?') actions.help();
  else if (event.key === 't') actions.theme();
  else if (views[view].key?.(event)) { /* the view took it */ }
  else if (event.key === '/') app.store.update({ view: 'flame' });
  else if (event.key === 'w' || event.key === 'W') nextWeight(app, event.key === 'w' ? 1 : -1);
  else return;
  event.preventDefault();
}
