/**
 * What a file of finished stacks is, and its sums: what the summary says of a capture with a timeline.
 *
 * @import { App } from '#viewer/views/app.js'
 * @import { ColumnIndex, ProfileIndex } from '#viewer/data/profile.js'
 * @import { Note } from '#viewer/data/report.js'
 */

import { h } from '#viewer/lib/dom.js';
import { formatCount, formatValue } from '#viewer/lib/units.js';
import { currentProfile } from '#viewer/views/app.js';
import { weightOnShow } from '#viewer/views/weights.js';

/**
 * Nothing for a capture with a timeline.
 * @param {App} app
 */
export function stacksFile(app) {
  const index = currentProfile(app)?.index;
  if (!index?.stacks) return null;
  const { file, format, notes } = index.stacks;
  return h('section', { class: 'stacks-file', 'aria-label': 'The file' },
    h('h2', { class: 'details-name' }, file),
    h('p', { class: 'quiet' }, `${format} stacks, without a timeline: what each cost, not when.`),
    index.columns.length > 0 ? sums(app, index) : h('p', {}, 'None of its stacks has any weight.'),
    notes.length > 0 && h('div', {}, h('div', { class: 'label' }, 'Reader’s notes'), h('ul', {}, notes.map(note))));
}

/**
 * @param {App} app
 * @param {ProfileIndex} index
 */
function sums(app, { columns }) {
  const current = weightOnShow(app);
  const row = (/** @type {ColumnIndex} */ { weight, unit, decimals, sum }) => h('tr', {},
    h('th', { scope: 'row' }, weight === current ? h('b', {}, weight) : weight),
    h('td', { title: `${(sum / 10 ** decimals).toLocaleString('en', { maximumFractionDigits: decimals })} ${unit}` }, formatValue(sum / 10 ** decimals, unit)));
  return h('table', { class: 'figures' }, h('caption', {}, 'Sums over all stacks'), h('tbody', {}, columns.map(row)));
}

/** @param {Note} note */
function note({ count, message, first }) {
  return h('li', {}, `${formatCount(count)} ${message}`, first !== '' && h('span', { class: 'mono quiet' }, ` ${first}`));
}
