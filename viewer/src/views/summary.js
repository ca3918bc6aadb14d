/**
 * The first screen: can the capture be trusted, what ran, where the wall time went, why the device
 * was idle, and where to look next.
 *
 * @import { App, View } from '#viewer/views/app.js'
 * @import { Capture } from '#viewer/data/report.js'
 */

import { fill, h } from '#viewer/lib/dom.js';
import { formatNoun, formatShare, formatTime } from '#viewer/lib/units.js';
import { currentCapture } from '#viewer/views/app.js';
import { healthStrip } from '#viewer/views/health.js';
import { howto } from '#viewer/views/howto.js';
import { partition } from '#viewer/views/partition.js';
import { stretchOf } from '#viewer/views/stretch.js';
import { createStretchCard } from '#viewer/views/summary-stretch.js';
import { boundWords, launches, phases } from '#viewer/views/summary-launches.js';
import { devices, families, idleClasses, ranges } from '#viewer/views/summary-tables.js';
import { findings } from '#viewer/views/summary-findings.js';
import { questions, topIdle, topPaths } from '#viewer/views/summary-lists.js';
import { createSteps } from '#viewer/views/summary-steps.js';
import { prose } from '#viewer/views/prose.js';

/**
 * @param {App} app
 * @returns {View}
 */
export function createSummary(app) {
  const page = h('div', { class: 'summary' });
  const element = h('section', { class: 'view summary-scroll' }, page);
  const stretch = createStretchCard(app);
  const of_whole = ofWhole();
  const steps = createSteps(app);
  /** @type {Capture | undefined} */
  let shown;
  return {
    element,
    restyle: () => steps.restyle(),
    async show(state) {
      const capture = currentCapture(app);
      of_whole.hidden = !stretchOf(app);
      const adding = stretch.show(state);
      if (!capture || capture === shown) return adding;
      shown = capture;
      fill(page, stretch.element, of_whole, headline(capture), healthStrip(capture),
        h('div', { class: 'columns wide-left' },
          h('div', { class: 'stack' }, partition(capture), steps.show(capture)),
          sums(capture)),
        findings(app, capture),
        howto('summary'),
        h('div', { class: 'columns' }, topIdle(app, capture), topPaths(app, capture)),
        questions(app, capture),
        h('div', { class: 'columns' }, families(capture), idleClasses(capture)),
        h('div', { class: 'columns' }, ranges(capture), launches(capture)),
        h('div', { class: 'columns' }, phases(capture), devices(capture)));
      return adding;
    },
  };
}

/** Heads what is not of the chosen stretch. */
function ofWhole() {
  return h('div', { class: 'of-whole', hidden: true }, h('h2', {}, 'The whole window'),
    h('p', { class: 'quiet' }, 'The verdict, the findings and all figures below are those of the report: they speak of the whole window.'));
}

/** @param {Capture} capture */
function headline(capture) {
  const { verdict, protocol, job } = capture;
  const title = verdict.sentence || protocol.dense;
  const facts = [
    job.kind, ...job.models, ...job.frameworks, job.dtype, batch(job.batch), ...new Set(job.devices),
  ].filter((fact) => fact !== null && fact !== '');
  return h('header', { class: 'headline' },
    h('p', { class: 'facts' }, facts.map((fact) => h('span', {}, fact))),
    h('h1', {}, prose(title)),
    protocol.explanation !== '' && h('p', { class: 'lead' }, prose(protocol.explanation)),
    capture.bound && h('p', { class: 'lead' }, h('b', {}, 'Bound '), boundWords(capture)),
    protocol.experiment !== '' && h('p', { class: 'experiment' }, h('b', {}, 'Try next '), prose(protocol.experiment)));
}

/** @param {[number, number] | null} range */
function batch(range) {
  if (range === null) return null;
  return range[0] === range[1] ? `batch ${range[0]}` : `batch ${range[0]}–${range[1]}`;
}

/**
 * Sum and union side by side, so that nobody takes one for the other.
 * @param {Capture} capture
 */
function sums({ window, devices: all, totals, steps }) {
  const wall = all.filter((device) => device.in_verdict).reduce((sum, device) => sum + device.wall_ns, 0) || window.wall_ns;
  const overlap = window.busy_ns > 0 ? window.sum_ns / window.busy_ns : 0;
  const row = (/** @type {string} */ name, /** @type {string} */ value, /** @type {string | (Node | string)[]} */ note) =>
    h('tr', {}, h('th', { scope: 'row' }, name), h('td', {}, value), h('td', {}, note));
  return h('section', { class: 'card' },
    h('h2', {}, 'Sum and union'),
    h('p', { class: 'sentence' }, `${formatTime(window.sum_ns)} of device work in a ${formatTime(wall)} window: ${formatTime(window.idle_ns)} are gaps.`),
    h('table', { class: 'figures' }, h('tbody', {},
      row('Window', formatTime(wall), prose(window.rule)),
      row('Busy (union)', formatTime(window.busy_ns), formatShare(window.busy_ns / (wall || 1))),
      row('Work (sum)', formatTime(window.sum_ns), `${overlap.toFixed(2)} × busy`),
      row('Idle', formatTime(window.idle_ns), formatShare(window.idle_ns / (wall || 1))),
      steps.count > 0 && row('Step, median', formatTime(steps.wall_ns.p50), formatNoun(steps.count, 'step')),
      window.not_recorded_ns > 0 && row('Not recorded', formatTime(window.not_recorded_ns), 'may have been busy'),
      row('Attributed', formatShare(attributed(totals)), 'of device time has a launch'))),
    window.left_out.length > 0 && h('p', { class: 'left-out' }, 'Left out: ',
      window.left_out.map((part) => `${part.what} (${part.why})`).join(', ')));
}

/** @param {Capture['totals']} totals */
function attributed(totals) {
  const all = totals.kernels_ns + totals.copies_ns + totals.memsets_ns + totals.graph_rows_ns;
  return all > 0 ? totals.attributed_ns / all : 0;
}
