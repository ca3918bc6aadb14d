/**
 * The idle table and the table of GPU paths: the report's own rows, in full.
 *
 * @import { App, View } from '#viewer/views/app.js'
 * @import { Capture } from '#viewer/data/report.js'
 * @import { Owner } from '#viewer/logic/alike.js'
 */

import { KINDS, kindColor } from '#viewer/lib/color.js';
import { fill, h } from '#viewer/lib/dom.js';
import { formatCount, formatShare, formatTime } from '#viewer/lib/units.js';
import { idleRows, mergeAlike, pathRows } from '#viewer/logic/alike.js';
import { csv } from '#viewer/logic/export-csv.js';
import { ownersIn } from '#viewer/logic/owner-rows.js';
import { currentCapture, currentChart, currentProfile } from '#viewer/views/app.js';
import { createExportMenu } from '#viewer/views/export-menu.js';
import { createGrid } from '#viewer/views/grid.js';
import { howto } from '#viewer/views/howto.js';
import { stretchOf } from '#viewer/views/stretch.js';
import { userText } from '#viewer/views/summary-lists.js';

/**
 * @param {App} app
 * @returns {View}
 */
export function createIdle(app) {
  return createOwners(app, {
    view: 'idle', weight: 'idle', noun: 'Idle time', title: 'Owner', count: 'Gaps',
    rows: idleRows, sum: (capture) => capture.window.idle_ns,
  });
}

/**
 * @param {App} app
 * @returns {View}
 */
export function createPaths(app) {
  return createOwners(app, {
    view: 'paths', weight: 'gpu', noun: 'GPU time', title: 'Kernel or copy', count: 'Count',
    rows: pathRows, sum: (capture) => capture.window.sum_ns,
  });
}

/**
 * @param {App} app
 * @param {{ view: string, weight: 'idle' | 'gpu', noun: string, title: string, count: string,
 *   rows: (capture: Capture) => Owner[], sum: (capture: Capture) => number }} what
 * @returns {View}
 */
function createOwners(app, what) {
  const sorting = { key: 'ns', reverse: false };
  /** @type {Owner[]} */
  let rows = [];
  let sum = 1;
  const told = h('p', {});
  const inOrder = () => sorted(rows, sorting.key, sorting.reverse);
  const draw = () => grid.show(inOrder(), sorting.key, sorting.reverse);
  const menu = createExportMenu(app, () => what.view,
    [{ title: 'Table (CSV)', ending: '.csv', type: 'text/csv', make: () => csv(CSV, inOrder()) }]);
  const grid = createGrid({
    label: what.noun, columns: columns(what, () => sum),
    open: (/** @type {Owner} */ row) => void app.openStack(what.weight, row.stack),
    sort(key) {
      sorting.reverse = sorting.key === key && !sorting.reverse;
      sorting.key = key;
      draw();
    },
  });
  return {
    element: h('section', { class: 'view table' }, h('div', { class: 'owners-told' }, told, menu.element), howto(what.view), grid.element),
    async show(state) {
      const capture = currentCapture(app);
      if (!capture) return;
      const narrowed = await rowsIn(app, what.weight);
      if (state !== app.store.get()) return;
      rows = mergeAlike(narrowed ?? what.rows(capture));
      sum = (narrowed ? narrowed.reduce((all, row) => all + row.ns, 0) : what.sum(capture)) || 1;
      const listed = rows.reduce((total, row) => total + row.ns, 0);
      fill(told, h('b', {}, `${formatTime(listed)} ${what.noun}`),
        ` in ${formatCount(rows.reduce((n, row) => n + row.n_alike, 0))} stacks, ${formatShare(listed / sum)} of all${narrowed ? ' in the stretch' : ''}. A row opens its stack in the flame graph.`);
      draw();
    },
    key(event) {
      if (event.key === 'e') {
        menu.open();
        return true;
      }
      if (event.key !== 'ArrowDown' || event.target !== document.body) return false;
      grid.element.focus();
      return true;
    },
  };
}

/** @type {import('#viewer/logic/export-csv.js').CsvColumn<Owner>[]} */
const CSV = [
  { title: 'name', value: (row) => row.name },
  { title: 'kind', value: (row) => row.kind },
  { title: 'ns', value: (row) => row.ns },
  { title: 'ns_per_step', value: (row) => row.per_step_ns },
  { title: 'count', value: (row) => row.count },
  { title: 'detail', value: (row) => row.detail },
  { title: 'user_frame', value: (row) => row.user_frame ?? '' },
  { title: 'stack', value: (row) => row.stack.join(';') },
];

/**
 * The rows of the chosen stretch of time; nothing when that is the whole window.
 * @param {App} app
 * @param {'idle' | 'gpu'} weight
 * @returns {Promise<Owner[] | undefined>}
 */
async function rowsIn(app, weight) {
  const [profile, chart, stretch] = [currentProfile(app), currentChart(app), stretchOf(app)];
  if (!profile || !chart || !stretch) return undefined;
  return ownersIn(profile, chart, weight, stretch);
}

/**
 * @param {{ title: string, noun: string, count: string, view: string }} what
 * @param {() => number} sum
 * @returns {import('#viewer/views/grid.js').Column<Owner>[]}
 */
function columns(what, sum) {
  const paths = what.view === 'paths';
  return [
    { key: 'ns', title: what.noun, width: 'minmax(71px, 96px)', number: true, cell: (row) => formatTime(row.ns) },
    { key: 'share', title: 'Share', width: 'minmax(53px, 72px)', number: true, fixed: true, cell: (row) => formatShare(row.ns / sum()) },
    { key: 'step', title: 'Per step', width: 'minmax(68px, 92px)', number: true, fixed: true, cell: (row) => (row.per_step_ns > 0 ? formatTime(row.per_step_ns) : '') },
    { key: 'count', title: what.count, width: 'minmax(59px, 80px)', number: true, cell: (row) => formatCount(row.count) },
    { key: 'mean', title: 'Mean', width: 'minmax(65px, 88px)', number: true, cell: (row) => (row.count > 0 ? formatTime(row.ns / row.count) : '') },
    { key: 'name', title: what.title, width: 'minmax(240px, 2fr)', cell: (row) => nameCell(row) },
    { key: 'detail', title: paths ? 'Op' : 'Class', width: 'minmax(92px, .8fr)', fixed: true, cell: (row) => h('span', { class: paths ? 'mono quiet' : 'quiet', title: row.detail }, row.detail) },
    { key: 'user', title: 'User frame', width: 'minmax(0, 1.3fr)', fixed: true, wide: true, cell: (row) => h('span', { class: 'quiet', title: row.user_frame ?? '' }, row.user_frame === null ? '' : userText(row.user_frame)) },
  ];
}

/** @param {Owner} row */
function nameCell(row) {
  const kind = KINDS.find((name) => name === row.kind) ?? 'synthetic';
  return h('span', { class: 'name-cell', title: row.stack.join(' › ') },
    h('span', { class: 'swatch', style: `background:${kindColor(kind)}`, role: 'img', 'aria-label': kind }),
    h('span', { class: 'mono' }, row.name.replace(/^void /, '')),
    row.n_alike > 1 && h('span', { class: 'chip', title: 'Stacks that differ only by the number of a module' }, `${row.n_alike} alike`));
}

/**
 * @param {readonly Owner[]} rows
 * @param {string} key
 * @param {boolean} reverse
 */
function sorted(rows, key, reverse) {
  const value = (/** @type {Owner} */ row) => (key === 'count' ? row.count : key === 'mean' ? row.ns / (row.count || 1) : row.ns);
  const compare = (/** @type {Owner} */ a, /** @type {Owner} */ b) =>
    (key === 'name' ? (a.name < b.name ? -1 : 1) : value(b) - value(a));
  return rows.toSorted((a, b) => (reverse ? -compare(a, b) : compare(a, b)));
}
