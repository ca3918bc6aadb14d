/**
 * The steps in the summary: a small strip; a step leads to its stretch of the lanes.
 *
 * @import { App } from '#viewer/views/app.js'
 * @import { Capture } from '#viewer/data/report.js'
 * @import { StepRow } from '#viewer/logic/steps.js'
 */

import { h } from '#viewer/lib/dom.js';
import { formatMs } from '#viewer/lib/units.js';
import { lengthFigure, stepRows } from '#viewer/logic/steps.js';
import { createStrip } from '#viewer/views/step-strip.js';
import { patterns, tellStep, tellSteps } from '#viewer/views/step-words.js';

const HEIGHT = 90;

/** @param {App} app */
export function createSteps(app) {
  /** @type {Capture | undefined} */
  let capture;
  const open = (/** @type {StepRow} */ { step: { stretch_ns: [from_ns, to_ns] } }) => app.openTime({ from_ns, to_ns });
  const hint = (/** @type {string} */ text) => h('span', { class: 'steps-marker' }, text);
  const strip = createStrip({
    label: 'Steps; Enter shows one in the lanes', height: HEIGHT, open, lanes: open,
    tell: (row) => (row ? [...tellStep(row), hint('Click, or Enter: lanes')]
      : capture ? [...tellSteps(capture), capture.steps.marker !== null && hint(capture.steps.marker)] : []),
  });
  return {
    restyle: strip.draw,
    /** @param {Capture} next */
    show(next) {
      capture = next;
      const { list } = next.steps;
      if (list.length === 0) return null;
      const figure = lengthFigure(list);
      const { rows } = stepRows(next.steps);
      strip.show(rows, figure.key, ['--compute'], 0);
      // One bar compares with nothing.
      const several = list.length > 1;
      const slowest = extremes(rows, figure.of);
      const all = h('button', { type: 'button', class: 'link', title: 'All steps with their figures', onclick: () => app.store.update({ view: 'steps' }) }, 'All');
      return h('section', { class: 'card' },
        h('div', { class: 'card-head' }, h('h2', {}, 'Steps'), several && h('div', { class: 'keys' },
          h('span', { class: 'swatch compute' }), 'busy', h('span', { class: 'swatch idle' }), 'idle',
          link(open, 'Slowest', slowest[0]), link(open, 'Fastest', slowest.at(-1)), all)),
        several && strip.element, strip.told, patterns(next));
    },
  };
}

/**
 * @param {(row: StepRow) => void} open
 * @param {string} text
 * @param {StepRow | undefined} row
 */
const link = (open, text, row) => row && h('button', {
  type: 'button', class: 'link', title: `Show ${row.step.name}, ${formatMs(row.step.wall_ns || row.step.marker_ns)}, in the lanes`, onclick: () => open(row),
}, text);

/**
 * The kept steps, longest first.
 * @param {readonly StepRow[]} rows
 * @param {(step: StepRow['step']) => number} length
 */
function extremes(rows, length) {
  return rows.filter(({ step }) => step.kept).toSorted((a, b) => length(b.step) - length(a.step));
}
