/**
 * The lists of the first screen: questions, findings, idle owners, GPU paths. Each row leads to its
 * place in the flame graph.
 *
 * @import { App } from '#viewer/views/app.js'
 * @import { Capture } from '#viewer/data/report.js'
 */

import { h } from '#viewer/lib/dom.js';
import { formatShare, formatTime } from '#viewer/lib/units.js';
import { shorter } from '#viewer/logic/names.js';

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
      h('p', {}, question.answer),
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
export function findings(app, capture) {
  if (capture.findings.length === 0) return null;
  return h('section', { class: 'card' }, h('h2', {}, 'Findings'), h('ol', { class: 'findings' },
    capture.findings.map((finding) => h('li', {},
      h('div', { class: 'finding-cost' }, formatTime(finding.owned_ns_per_step), h('span', {}, 'per step')),
      h('div', {},
        h('div', {}, h('span', { class: 'chip' }, finding.kind), ' ', finding.sentence),
        h('div', { class: 'quiet' }, finding.experiment, ' ', h('button', {
          type: 'button', class: 'link', onclick: () => void app.openStack('idle', finding.stack),
        }, 'Show')))))));
}

/**
 * @typedef {object} Item
 * @property {string} name
 * @property {string} kind
 * @property {string | null} user_frame
 * @property {string[]} stack
 * @property {number} ns
 * @property {number} per_step_ns
 */

/**
 * @param {App} app
 * @param {Capture} capture
 */
export function topIdle(app, capture) {
  const items = capture.idle.map((owner) => ({ ...owner, name: owner.frame || owner.owner }));
  const sum = capture.window.idle_ns;
  return list(app, { title: 'Who owns the idle time', of: 'idle', weight: 'idle', view: 'idle', items, sum });
}

/**
 * @param {App} app
 * @param {Capture} capture
 */
export function topPaths(app, capture) {
  const sum = capture.window.sum_ns;
  return list(app, { title: 'Where the GPU time goes', of: 'GPU', weight: 'gpu', view: 'paths', items: capture.gpu_paths, sum });
}

/**
 * @param {App} app
 * @param {{ title: string, of: string, weight: string, view: 'idle' | 'paths', items: readonly Item[],
 *   sum: number }} what
 */
function list(app, { title, weight, view, items, sum }) {
  if (items.length === 0) return null;
  const most = items[0]?.ns || 1;
  return h('section', { class: 'card' },
    h('div', { class: 'card-head' }, h('h2', {}, title),
      items.length > N_ROWS && h('button', { type: 'button', class: 'link', onclick: () => app.store.update({ view }) }, `All ${items.length}`)),
    h('ol', { class: `toplist ${weight}` }, items.slice(0, N_ROWS).map((item) => h('li', {}, h('button', {
      type: 'button', class: 'toplist-row', title: item.name,
      onclick: () => void app.openStack(weight, withLeaf(item)),
    },
    h('span', { class: 'toplist-share' }, formatShare(item.ns / (sum || 1))),
    h('span', { class: 'toplist-name' }, h('span', { class: 'mono' }, shortName(item.name)),
      item.user_frame !== null && h('span', { class: 'toplist-user' }, userText(item.user_frame))),
    h('span', { class: 'toplist-time' }, formatTime(item.per_step_ns || item.ns), h('small', {}, item.per_step_ns > 0 ? '/step' : '')),
    h('span', { class: 'toplist-bar', style: `width:${(100 * item.ns) / most}%` }))))));
}

/**
 * The stack down to the item itself.
 * @param {{ name: string, stack: string[] }} item
 */
export function withLeaf({ name, stack }) {
  return stack[stack.length - 1] === name ? stack : [...stack, name];
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
