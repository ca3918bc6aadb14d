/**
 * The lists of the first screen: questions, idle owners, GPU paths. Each row leads to its
 * place in the flame graph.
 *
 * @import { App } from '#viewer/views/app.js'
 * @import { Capture } from '#viewer/data/report.js'
 * @import { Owner } from '#viewer/logic/alike.js'
 */

import { h } from '#viewer/lib/dom.js';
import { formatShare, formatTime } from '#viewer/lib/units.js';
import { idleRows, mergeAlike, pathRows } from '#viewer/logic/alike.js';
import { shorter } from '#viewer/logic/names.js';
import { prose } from '#viewer/views/prose.js';

const N_ROWS = 6;

/**
 * @param {App} app
 * @param {Capture} capture
 */
export function questions(app, capture) {
  if (capture.questions.length === 0) return null;
  return h('section', { class: 'questions', 'aria-label': 'First questions' }, capture.questions.map((question, i) =>
    h('div', { class: 'question' },
      h('h2', {}, question.question),
      h('p', {}, prose(question.answer)),
      question.stack.length > 0 && h('button', {
        type: 'button', class: 'link', 'data-question': i,
        onclick: () => void app.openStack(asksIdle(question.question) ? 'idle' : 'gpu', question.stack),
      }, 'Show in the flame graph'))));
}

/** @param {string} question */
function asksIdle(question) {
  return /idle|wait|gap|blank/i.test(question);
}

/**
 * @param {App} app
 * @param {Capture} capture
 */
export function topIdle(app, capture) {
  const items = mergeAlike(idleRows(capture));
  return list(app, { title: 'Who owns the idle time', weight: 'idle', view: 'idle', items, sum: capture.window.idle_ns });
}

/**
 * @param {App} app
 * @param {Capture} capture
 */
export function topPaths(app, capture) {
  const items = pathRows(capture);
  return list(app, { title: 'Where the GPU time goes', weight: 'gpu', view: 'paths', items, sum: capture.window.sum_ns });
}

/**
 * @param {App} app
 * @param {{ title: string, weight: string, view: 'idle' | 'paths', items: readonly Owner[], sum: number }} what
 */
function list(app, { title, weight, view, items, sum }) {
  if (items.length === 0) return null;
  return h('section', { class: 'card' },
    h('div', { class: 'card-head' }, h('h2', {}, title),
      items.length > N_ROWS && h('button', { type: 'button', class: 'link', onclick: () => app.store.update({ view }) }, `All ${items.length}`)),
    toplist(app, { weight, items: items.slice(0, N_ROWS), sum }));
}

/**
 * Rows that lead to their places in the flame graph, the first with the longest bar.
 * @param {App} app
 * @param {{ weight: string, items: readonly Owner[], sum: number }} what
 */
export function toplist(app, { weight, items, sum }) {
  const most = items[0]?.ns || 1;
  return h('ol', { class: `toplist ${weight}` }, items.map((item) => h('li', {}, h('button', {
    type: 'button', class: 'toplist-row', title: item.name, onclick: () => void app.openStack(weight, item.stack),
  },
  h('span', { class: 'toplist-share' }, formatShare(item.ns / (sum || 1))),
  h('span', { class: 'toplist-name' }, h('span', { class: 'mono' }, shortName(item.name)),
    h('span', { class: 'toplist-user' }, where(item))),
  h('span', { class: 'toplist-time' }, formatTime(item.per_step_ns || item.ns), h('small', {}, item.per_step_ns > 0 ? '/step' : '')),
  h('span', { class: 'toplist-bar', style: `width:${(100 * item.ns) / most}%` })))));
}

/** @param {Owner} item */
function where({ name, user_frame, detail, n_alike, kind }) {
  const user = user_frame === null || user_frame === name ? '' : userText(user_frame);
  const op = kind === 'kernel' || kind === 'comm' ? detail : '';
  return [user, op, n_alike > 1 ? `${n_alike} stacks alike` : ''].filter((part) => part !== '').join(' · ');
}

/** @param {string} name */
export function shortName(name) {
  const names = shorter(name);
  return names.find((text) => text.length <= 48) ?? names[names.length - 1] ?? name;
}

/** @param {string} frame */
export function userText(frame) {
  const names = shorter(frame);
  return names[1] ?? names[0] ?? frame;
}
