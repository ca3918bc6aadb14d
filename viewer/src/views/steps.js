/**
 * All steps: a strip to find the one that stands out, what each kind of them takes, and a table. A step
 * narrows all views to its stretch of time.
 *
 * @import { App, View } from '#viewer/views/app.js'
 * @import { Capture } from '#viewer/data/report.js'
 * @import { Group, StepRow } from '#viewer/logic/steps.js'
 */

import { fill, h } from '#viewer/lib/dom.js';
import { formatValue } from '#viewer/lib/units.js';
import { csv } from '#viewer/logic/export-csv.js';
import { STEP_CSV, rowOfStretch, sortSteps, spreadOf, stepRows } from '#viewer/logic/steps.js';
import { currentCapture } from '#viewer/views/app.js';
import { createExportMenu } from '#viewer/views/export-menu.js';
import { createGrid } from '#viewer/views/grid.js';
import { howto } from '#viewer/views/howto.js';
import { stepColumns } from '#viewer/views/step-columns.js';
import { createFigures, figureOn, nextFigure } from '#viewer/views/step-figures.js';
import { colorsOf, groupTable } from '#viewer/views/step-groups.js';
import { leaveStep, narrowToStep, showInLanes, sortBy, sorting } from '#viewer/views/step-moves.js';
import { noSteps } from '#viewer/views/step-none.js';
import { createStrip } from '#viewer/views/step-strip.js';
import { notListed, patterns, tellStep, tellSteps } from '#viewer/views/step-words.js';
import { stretchOf } from '#viewer/views/stretch.js';

const HEIGHT = 124;
const HINT = 'Click or Enter: narrow all views · twice, or l: lanes';

/** @typedef {{ capture: Capture, rows: StepRow[], groups: Group[], colors: string[] }} Shown */

/**
 * @param {App} app
 * @returns {View}
 */
export function createStepsView(app) {
  /** @type {Shown | undefined} */
  let shown;
  let [order, current] = ['', -1];
  /** @type {StepRow[]} */
  let sorted = [];
  const moves = {
    open: (/** @type {StepRow} */ row) => narrowToStep(app, row),
    lanes: (/** @type {StepRow} */ row) => showInLanes(app, row),
    walk: (/** @type {StepRow} */ row) => point(row.number),
  };
  const strip = createStrip({ label: 'Steps; Enter narrows all views to one', height: HEIGHT, ...moves, tell: (row) => tell(shown, row) });
  const grid = createGrid({
    label: 'Steps', columns: stepColumns(() => shown), ...moves, again: moves.lanes, keys: { l: moves.lanes }, sort: (key) => sortBy(app, key),
  });
  const menu = createExportMenu(app, () => 'steps',
    [{ title: 'Table (CSV)', ending: '.csv', type: 'text/csv', make: () => csv(STEP_CSV, sorted) }]);
  const page = createPage(app, strip, grid, menu);
  const point = (/** @type {number} */ number) => {
    current = number;
    strip.point(number, rowOfStretch(shown?.rows ?? [], stretchOf(app)));
    grid.point(sorted.findIndex((row) => row.number === number));
  };
  const draw = (/** @type {Shown} */ shown) => {
    const { rows, colors } = shown;
    const { key, reverse } = sorting(app);
    if (order !== `${key} ${reverse}`) grid.show((sorted = sortSteps(rows, key, reverse)), key, reverse);
    order = `${key} ${reverse}`;
    const figure = figureOn(app);
    const usual = usualOf(rows, figure);
    page.tell(legendOf(shown, usual > 0 ? formatValue(usual, figure.unit) : ''));
    strip.show(rows, figure.key, colors, usual);
    const selected = rowOfStretch(rows, stretchOf(app));
    point(selected >= 0 ? selected : current);
  };
  return {
    element: page.element,
    restyle: strip.draw,
    show() {
      const capture = currentCapture(app);
      if (!capture) return;
      if (capture !== shown?.capture) {
        const { rows, groups } = stepRows(capture.steps);
        shown = { capture, rows, groups, colors: colorsOf(groups) };
        [order, current] = ['', -1];
        page.show(shown);
      }
      if (shown.rows.length > 0) draw(shown);
    },
    key(event) {
      const row = shown?.rows[current];
      if (event.key === 'e') menu.open();
      else if (event.key === 'w' || event.key === 'W') nextFigure(app, event.key === 'w' ? 1 : -1);
      else if (event.key === 'Escape') leaveStep(app);
      else if (event.key === 'l' && row) showInLanes(app, row);
      else if (event.key === 'ArrowDown' && event.target === document.body) grid.element.focus();
      else if (event.key.startsWith('Arrow') && event.target === document.body) strip.element.focus();
      else return false;
      return true;
    },
  };
}

/**
 * What to compare with: the median of the kept steps; 0 where there are no two.
 * @param {readonly StepRow[]} rows
 * @param {import('#viewer/logic/steps.js').Figure} figure
 */
function usualOf(rows, figure) {
  const kept = rows.filter(({ step }) => step.kept).map(({ step }) => figure.of(step));
  return kept.length > 1 ? spreadOf(kept).p50 : 0;
}

/**
 * @param {Shown | undefined} shown
 * @param {StepRow | undefined} row
 */
function tell(shown, row) {
  return [...(row ? tellStep(row) : shown ? tellSteps(shown.capture) : []), h('span', { class: 'steps-marker' }, HINT)];
}

/**
 * What is around the strip and the grid, and what stands there where a capture has no steps.
 * @param {App} app
 * @param {import('#viewer/views/step-strip.js').Strip} strip
 * @param {{ element: HTMLElement }} grid
 * @param {{ element: HTMLElement }} menu
 */
function createPage(app, strip, grid, menu) {
  const figures = createFigures(app);
  const legend = h('div', { class: 'keys' });
  const groups = h('div', { class: 'steps-groups', tabindex: 0, role: 'group', 'aria-label': 'Groups of steps' });
  const none = h('div', { class: 'steps-none' });
  const parts = [
    h('div', { class: 'toolbar' }, figures.element, h('div', { class: 'toolbar-right' }, legend, menu.element)),
    howto('steps'), h('div', { class: 'steps-top' }, strip.element, strip.told), groups, grid.element,
  ];
  return {
    element: h('section', { class: 'view table steps-view' }, parts, none),
    tell(/** @type {(Node | string)[]} */ words) {
      figures.show();
      fill(legend, ...words);
    },
    /** @param {Shown} shown */
    show({ capture, rows, groups: kinds }) {
      for (const part of parts) part.hidden = rows.length === 0;
      none.hidden = rows.length > 0;
      fill(none, rows.length === 0 && noSteps(capture));
      fill(groups, groupTable(capture, kinds), notListed(capture), patterns(capture));
    },
  };
}

/**
 * @param {Shown} shown
 * @param {string} usual
 */
function legendOf({ groups, rows }, usual) {
  const item = (/** @type {string} */ style, /** @type {string} */ text) =>
    [h('span', { class: 'swatch', style, 'aria-hidden': 'true' }), text];
  return [
    ...(groups.filter(({ kept }) => kept).length === 1 ? item('background:var(--compute)', 'busy') : []),
    ...item('background:var(--idle)', 'idle'),
    ...(groups.some(({ kept }) => !kept) ? item('box-shadow:inset 0 0 0 1px var(--ink-3)', 'left out') : []),
    ...(rows.some(({ said }) => said !== '') ? [h('span', { class: 'step-said', 'aria-hidden': 'true' }, '▼'), 'unlike the others'] : []),
    ...(usual === '' ? [] : [h('span', { class: 'step-usual', 'aria-hidden': 'true' }, '┄'), `median ${usual}`]),
  ];
}
