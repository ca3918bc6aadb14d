/**
 * Functions, or kinds, or families as a table; a row leads to the flame graph, or to the sandwich.
 *
 * @import { App, View } from '#viewer/views/app.js'
 * @import { Row, SortKey } from '#viewer/logic/table.js'
 * @import { Scene } from '#viewer/logic/scene.js'
 * @import { Durations } from '#viewer/logic/durations.js'
 */

import { KINDS, kindColor } from '#viewer/lib/color.js';
import { h } from '#viewer/lib/dom.js';
import { formatCount, formatNoun, formatShare, formatTime, formatValue } from '#viewer/lib/units.js';
import { durationsOf } from '#viewer/logic/durations.js';
import { csv } from '#viewer/logic/export-csv.js';
import { matcher } from '#viewer/logic/search.js';
import { pivotKey } from '#viewer/logic/sandwich.js';
import { nameOf, userFrame } from '#viewer/logic/stack.js';
import { mean, sortRows, tabulate } from '#viewer/logic/table.js';
import { currentChart, currentProfile, currentStacks } from '#viewer/views/app.js';
import { createExportMenu } from '#viewer/views/export-menu.js';
import { showPlaces, showSandwich } from '#viewer/views/function-links.js';
import { createGrid } from '#viewer/views/grid.js';
import { howto } from '#viewer/views/howto.js';
import { sceneOf } from '#viewer/views/scenes.js';
import { createSearchBox } from '#viewer/views/search-box.js';
import { stretchOf } from '#viewer/views/stretch.js';
import { userText } from '#viewer/views/summary-lists.js';
import { createWeights } from '#viewer/views/weights.js';

const GROUPS = /** @type {const} */ ([['function', 'Function'], ['kind', 'Kind'], ['family', 'Kernel family']]);

/**
 * @param {App} app
 * @returns {View}
 */
export function createTable(app) {
  const weights = createWeights(app);
  const sorting = { key: /** @type {SortKey} */ ('self'), reverse: false };
  /** @type {Scene | undefined} */
  let scene;
  /** @type {Durations | undefined} */
  let durations;
  const grid = createGrid({
    label: 'Functions', columns: columns(app, () => scene, () => durations),
    open: (/** @type {Row} */ row) => openRow(app, row),
    keys: { x: (/** @type {Row} */ row) => openSandwich(app, row) },
    sort(key) {
      sorting.reverse = sorting.key === key && !sorting.reverse;
      sorting.key = /** @type {SortKey} */ (key);
      draw();
    },
  });
  const search = createSearchBox(app, { step: () => grid.element.focus(), leave: () => grid.element.focus() });
  const group = h('select', {
    class: 'select', 'aria-label': 'One row a',
    onchange: () => app.store.update({ group: GROUPS.find(([name]) => name === group.value)?.[0] ?? 'function' }),
  }, GROUPS.map(([name, title]) => h('option', { value: name }, title)));
  /** @type {Row[]} */
  let shown = [];
  const menu = createExportMenu(app, () => `${scene?.weight ?? ''}.${app.store.get().group}s`,
    [{ title: 'Table (CSV)', ending: '.csv', type: 'text/csv', make: () => scene && csv(csvColumns(scene, durations), shown) }]);
  const draw = () => {
    const { group: by, search: text } = app.store.get();
    group.value = by;
    search.set(text);
    if (!scene) return;
    const all = tabulate(scene.tree, scene.values, scene.calls, by, KINDS);
    if (durations) countSpans(all, by, scene.tree, durations);
    const test = matcher(text);
    const rows = typeof test === 'function' ? all.filter((row) => test(row.name)) : all;
    search.tell('', typeof test === 'string' ? test : text === '' ? '' : formatNoun(rows.length, 'row'), typeof test === 'string');
    shown = sortRows(rows, sorting.key, sorting.reverse);
    grid.show(shown, sorting.key, sorting.reverse);
  };
  return {
    element: h('section', { class: 'view table' },
      h('div', { class: 'toolbar' }, weights.element, h('div', { class: 'toolbar-right' }, search.element, group, menu.element)),
      howto(currentStacks(app) ? 'stacks-table' : 'table'), grid.element),
    async show(state) {
      weights.show();
      const next = await sceneOf(app);
      if (state !== app.store.get()) return;
      scene = next;
      durations = undefined;
      draw();
      const known = await durationsIn(app);
      if (state !== app.store.get()) return;
      durations = known;
      if (known) draw();
    },
    key(event) {
      if (event.key === '/') search.focus();
      else if (event.key === 'e') menu.open();
      else if (event.key === 'ArrowDown' && event.target === document.body) grid.element.focus();
      else return false;
      return true;
    },
  };
}

/**
 * @param {App} app
 * @param {() => Scene | undefined} scene
 * @param {() => Durations | undefined} durations
 * @returns {import('#viewer/views/grid.js').Column<Row>[]}
 */
function columns(app, scene, durations) {
  const spread = (/** @type {string} */ title, /** @type {'p50' | 'p99' | 'max'} */ figure) => ({
    key: figure, title, width: 'minmax(56px, 74px)', number: true, fixed: true, wide: true,
    cell: (/** @type {Row} */ row) => spreadCell(durations()?.of(row.kind, row.name), figure),
  });
  const unit = () => scene()?.unit ?? '';
  const sum = () => scene()?.layout.sum || 1;
  const isCalls = () => scene()?.weight === 'calls';
  /** @type {import('#viewer/views/grid.js').Column<Row>[]} */
  const all = [
    { key: 'self', title: 'Self', width: 'minmax(64px, 84px)', number: true, cell: (row) => value(row.self, unit()) },
    { key: 'self-share', title: '', spoken: 'Share of self', width: 'minmax(48px, 60px)', number: true, fixed: true, cell: (row) => row.self === 0 ? '' : h('span', { class: 'quiet' }, formatShare(row.self / sum())) },
    { key: 'total', title: 'Total', width: 'minmax(64px, 84px)', number: true, cell: (row) => value(row.total, unit()) },
    { key: 'total-share', title: '', spoken: 'Share of total', width: 'minmax(48px, 60px)', number: true, fixed: true, cell: (row) => h('span', { class: 'quiet' }, formatShare(row.total / sum())) },
    { key: 'calls', title: 'Calls', width: 'minmax(62px, 84px)', number: true, cell: (row) => (row.calls > 0 ? formatCount(row.calls) : '') },
    { key: 'mean', title: 'Mean', width: 'minmax(64px, 84px)', number: true, cell: (row) => (row.calls > 0 && !isCalls() ? formatValue(mean(row), unit()) : '') },
    spread('p50', 'p50'), spread('p99', 'p99'), spread('Max', 'max'),
    { key: 'name', title: 'Name', width: 'minmax(240px, 3fr)', cell: (row) => nameCell(row) },
    { key: 'sandwich', title: '', spoken: 'Callers and callees', width: '60px', fixed: true, cell: (row) => sandwichCell(app, row) },
    { key: 'user', title: 'User frame', width: 'minmax(0, 1.2fr)', fixed: true, cell: (row) => userCell(row, scene()) },
  ];
  return all.filter(({ key }) => !lacking(app).includes(key));
}

/**
 * Columns that would be empty: finished stacks have no spans, and rarely say how often a frame was entered.
 * @param {App} app
 * @returns {readonly string[]}
 */
function lacking(app) {
  if (!currentStacks(app)) return [];
  const has_calls = currentProfile(app)?.index.columns.some(({ weight }) => weight === 'calls');
  return has_calls ? ['p50', 'p99', 'max'] : ['p50', 'p99', 'max', 'calls', 'mean'];
}

/**
 * @param {import('#viewer/logic/durations.js').Spread | undefined} spread
 * @param {'p50' | 'p99' | 'max'} figure
 */
function spreadCell(spread, figure) {
  if (!spread) return '';
  return h('span', { class: 'quiet', title: `of ${formatNoun(spread.n, 'span')}; ${spread[figure].toLocaleString('en')} ns` }, formatTime(spread[figure]));
}

/** More spans than this take too long to sort for a table. */
const MOST_SPANS = 4_000_000;

/**
 * How long the spans of the window, or of the chosen stretch, are; nothing when the page has no lanes, or
 * too many spans.
 * @param {App} app
 * @returns {Promise<Durations | undefined>}
 */
async function durationsIn(app) {
  const chart = currentChart(app);
  const n_spans = chart?.index.lanes.flatMap(({ rows }) => rows).reduce((sum, n) => sum + n, 0) ?? 0;
  if (!chart || n_spans > MOST_SPANS) return undefined;
  const rows = await Promise.all(chart.index.lanes.map((_, lane) => chart.lane(lane)));
  const narrowed = stretchOf(app);
  const pieces = narrowed ? [narrowed] : chart.index.window.map(([from, to]) => ({ from, to }));
  return durationsOf(await chart.frames(), rows.flat(), pieces, narrowed);
}

/**
 * All that a row says, with figures in whole units.
 * @param {Scene} scene
 * @param {Durations | undefined} durations
 * @returns {import('#viewer/logic/export-csv.js').CsvColumn<Row>[]}
 */
function csvColumns(scene, durations) {
  const spread = (/** @type {'n' | 'p50' | 'p99' | 'max'} */ figure) => ({
    title: figure === 'n' ? 'spans' : `${figure}_ns`,
    value: (/** @type {Row} */ row) => durations?.of(row.kind, row.name)?.[figure] ?? '',
  });
  const user = (/** @type {Row} */ row) => (row.heaviest > 0 ? userFrame(scene.tree, row.heaviest) : undefined);
  return [
    { title: 'name', value: (row) => row.name },
    { title: 'kind', value: (row) => KINDS[row.kind] ?? '' },
    { title: 'self', value: (row) => row.self },
    { title: 'total', value: (row) => row.total },
    { title: 'unit', value: () => scene.unit },
    { title: 'share_of_total', value: (row) => row.total / (scene.layout.sum || 1) },
    { title: 'calls', value: (row) => (row.calls > 0 ? row.calls : '') },
    spread('n'), spread('p50'), spread('p99'), spread('max'),
    { title: 'stacks', value: (row) => (row.n_stacks > 0 ? row.n_stacks : '') },
    { title: 'user_frame', value: (row) => nameOfUser(scene, user(row)) },
  ];
}

/**
 * @param {Scene} scene
 * @param {number | undefined} node
 */
function nameOfUser({ tree }, node) {
  return node === undefined ? '' : nameOf(tree, node);
}

/**
 * @param {number} amount
 * @param {string} unit
 */
function value(amount, unit) {
  return amount === 0 ? h('span', { class: 'quiet' }, '0') : formatValue(amount, unit);
}

/** @param {Row} row */
function nameCell(row) {
  const kind = KINDS[row.kind] ?? 'synthetic';
  return h('span', { class: 'name-cell', title: row.name },
    h('span', { class: 'swatch', style: `background:${kindColor(kind)}`, role: 'img', 'aria-label': kind }),
    h('span', { class: 'mono' }, row.name.replace(/^void /, '')));
}

/**
 * @param {Row} row
 * @param {Scene | undefined} scene
 */
function userCell(row, scene) {
  if (!scene || row.heaviest === 0) return '';
  const user = userFrame(scene.tree, row.heaviest);
  if (user === undefined || nameOf(scene.tree, user) === row.name) return '';
  const name = nameOf(scene.tree, user);
  return h('span', { class: 'quiet', title: name }, userText(name));
}

/**
 * Nobody calls a kernel: it runs as often as there are spans of it, and a family as often as its kernels.
 * @param {Row[]} rows
 * @param {import('#viewer/logic/table.js').Group} group
 * @param {import('#viewer/data/tree.js').Tree} tree
 * @param {Durations} durations
 */
function countSpans(rows, group, tree, durations) {
  if (group !== 'family') {
    for (const row of rows) row.calls ||= durations.count(row.kind, row.name);
    return;
  }
  /** @type {Map<string, number>} */
  const counts = new Map();
  tree.families?.of.forEach((family, frame) => {
    const name = tree.families?.names[family - 1];
    if (name === undefined) return;
    const n = durations.count(/** @type {number} */ (tree.kinds[frame]), tree.names[frame] ?? '');
    counts.set(name, (counts.get(name) ?? 0) + n);
  });
  for (const row of rows) row.calls ||= counts.get(row.name) ?? 0;
}

/**
 * @param {App} app
 * @param {Row} row
 */
function openRow(app, row) {
  if (app.store.get().group === 'function') showPlaces(app, row);
}

/**
 * @param {App} app
 * @param {Row} row
 */
function openSandwich(app, row) {
  if (app.store.get().group === 'function') showSandwich(app, pivotKey(row.kind, row.name));
}

/**
 * @param {App} app
 * @param {Row} row
 */
function sandwichCell(app, row) {
  if (app.store.get().group !== 'function') return '';
  return h('button', {
    type: 'button', class: 'link row-action', tabindex: -1, title: 'All callers and callees (x)',
    onclick: (/** @type {MouseEvent} */ event) => {
      event.stopPropagation();
      openSandwich(app, row);
    },
  }, 'Sandwich');
}
