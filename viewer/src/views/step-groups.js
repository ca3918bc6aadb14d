/**
 * One line a kind of steps: phase, batch, population.
 *
 * @import { Capture } from '#viewer/data/report.js'
 * @import { Group } from '#viewer/logic/steps.js'
 */

import { h } from '#viewer/lib/dom.js';
import { formatCount, formatMs, formatNoun, formatShare } from '#viewer/lib/units.js';
import { lengthFigure, lengthsOf, sharesOf } from '#viewer/logic/steps.js';

/** Told apart with the common colour-vision deficiencies; names stand beside them. */
const COLORS = ['--compute', '--kind-op', '--kind-python', '--comm', '--kind-copy', '--kind-annotation', '--kind-runtime', '--ink-3'];

/** @param {readonly Group[]} groups */
export const colorsOf = (groups) => groups.map(({ kept }, i) => (kept ? COLORS[i % COLORS.length] ?? '' : '--ink-4'));

/**
 * @param {Capture} capture
 * @param {readonly Group[]} groups
 */
export function groupTable(capture, groups) {
  const colors = colorsOf(groups);
  const length = lengthFigure(capture.steps.list);
  const heads = ['Group', 'Steps', `${length.title} p50`, 'p99', 'Min', 'Max', 'Busy', 'Idle, mean'];
  return h('table', { class: 'small step-groups' },
    h('caption', { class: 'out-of-sight' }, 'Groups of steps'),
    h('thead', {}, h('tr', {}, heads.map((head) => h('th', { scope: 'col' }, head)))),
    h('tbody', {}, groups.map((group, i) => groupRow(capture, group, colors[i] ?? ''))));
}

/**
 * @param {Capture} capture
 * @param {Group} group
 * @param {string} color
 */
function groupRow(capture, group, color) {
  const { p50, p99, min, max } = lengthsOf(capture, group);
  const { busy, idle } = sharesOf(group.rows);
  const time = (/** @type {number} */ ns) => h('td', { title: `${ns.toLocaleString('en')} ns` }, formatMs(ns));
  return h('tr', { class: group.kept ? '' : 'quiet' },
    h('th', { scope: 'row' }, h('span', { class: 'name-cell' },
      h('span', { class: 'swatch', style: `background:var(${color})`, 'aria-hidden': 'true' }), group.name)),
    h('td', { title: formatNoun(group.rows.length, 'step') }, formatCount(group.rows.length)),
    time(p50), time(p99), time(min), time(max),
    h('td', {}, Number.isNaN(busy) ? '–' : formatShare(busy)), time(Math.round(idle)));
}
