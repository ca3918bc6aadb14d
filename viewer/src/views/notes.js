/**
 * Health and notes: what the capture lacks, what the reader skipped or repaired.
 *
 * @import { App, View } from '#viewer/views/app.js'
 * @import { Capture } from '#viewer/data/report.js'
 */

import { fill, h } from '#viewer/lib/dom.js';
import { formatCount } from '#viewer/lib/units.js';
import { currentCapture } from '#viewer/views/app.js';
import { healthRow } from '#viewer/views/health.js';
import { howto } from '#viewer/views/howto.js';

/**
 * @param {App} app
 * @returns {View}
 */
export function createNotes(app) {
  const page = h('div', { class: 'summary narrow' });
  return {
    element: h('section', { class: 'view summary-scroll' }, page),
    show() {
      const capture = currentCapture(app);
      if (capture) fill(page, howto('notes'), health(capture), notes(capture), properties(capture));
    },
  };
}

/** @param {Capture} capture */
function health({ health: checks }) {
  const order = ['fail', 'warn', 'ok'];
  const sorted = checks.toSorted((a, b) => order.indexOf(a.status) - order.indexOf(b.status));
  return h('section', { class: 'card' }, h('h2', {}, 'Capture health'),
    sorted.length === 0 ? h('p', { class: 'quiet' }, 'No checks were made.') : h('div', { class: 'health flat' }, sorted.map(healthRow)));
}

/** @param {Capture} capture */
function notes({ notes: all }) {
  return h('section', { class: 'card' }, h('h2', {}, 'Reader’s notes'),
    all.length === 0 ? h('p', { class: 'quiet' }, 'Nothing was skipped or repaired.') : h('table', { class: 'notes' },
      h('thead', {}, h('tr', {}, h('th', { scope: 'col' }, 'Count'), h('th', { scope: 'col' }, 'What'), h('th', { scope: 'col' }, 'First'))),
      h('tbody', {}, all.map((note) => h('tr', { title: note.code },
        h('td', { class: 'number' }, formatCount(note.count)), h('td', {}, note.message), h('td', { class: 'mono quiet' }, note.first))))));
}

/** @param {Capture} capture */
function properties({ job, file, format }) {
  const rows = [['file', file], ['format', format], ...Object.entries(job.properties)];
  return h('section', { class: 'card' }, h('h2', {}, 'The file'), h('table', { class: 'small' }, h('tbody', {},
    rows.map(([name, value]) => h('tr', {}, h('th', { scope: 'row' }, name), h('td', { class: 'mono' }, value))))));
}
