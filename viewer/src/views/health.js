/**
 * Capture health: what is missing, and what would fix it.
 *
 * @import { Capture, Health } from '#viewer/data/report.js'
 */

import { h } from '#viewer/lib/dom.js';
import { formatNoun } from '#viewer/lib/units.js';
import { prose } from '#viewer/views/prose.js';

const MARKS = { ok: '✓', warn: '!', fail: '×' };

/**
 * @param {Health} check
 * @returns {'ok' | 'warn' | 'fail'}
 */
function statusOf(check) {
  return check.status === 'ok' || check.status === 'fail' ? check.status : 'warn';
}

/** @param {Capture} capture */
export function troubles(capture) {
  return capture.health.filter((check) => check.status !== 'ok');
}

/**
 * What stands above everything else: the checks that did not pass, and how many did.
 * @param {Capture} capture
 */
export function healthStrip(capture) {
  const bad = troubles(capture);
  const n_good = capture.health.length - bad.length;
  if (capture.health.length === 0) return null;
  return h('section', { class: 'health', 'aria-label': 'Capture health' },
    bad.map(healthRow),
    n_good > 0 && h('a', { class: 'health-rest', href: '#view=notes' },
      `${bad.length > 0 ? 'The other ' : ''}${formatNoun(n_good, 'check')} of the capture passed`));
}

/** @param {Health} check */
export function healthRow(check) {
  const status = statusOf(check);
  return h('div', { class: `health-row ${status}` },
    h('span', { class: 'health-mark', role: 'img', 'aria-label': status }, MARKS[status]),
    h('div', {}, h('span', { class: 'health-message' }, prose(check.message)),
      check.fix !== null && check.fix !== '' && h('span', { class: 'health-fix' }, ' ',
        prose(check.recipe ? `${check.fix} (${check.recipe})` : check.fix))));
}
