/**
 * Functions, or what they can be grouped by, as a table; a row leads to the flame graph, or to the sandwich, and
 * opens to what it is made of.
 *
 * @import { App, View } from '#viewer/views/app.js'
 * @import { Row, SortKey } from '#viewer/logic/table.js'
 * @import { Part } from '#viewer/logic/divide.js'
 * @import { Scene } from '#viewer/logic/scene.js'
 * @import { ViewState } from '#viewer/state/view-state.js'
 */

import { h } from '#viewer/lib/dom.js';
import { formatNoun } from '#viewer/lib/units.js';
import { durationsOf } from '#viewer/logic/durations.js';
import { csv } from '#viewer/logic/export-csv.js';
import { matcher } from '#viewer/logic/search.js';
import { pivotKey } from '#viewer/logic/sandwich.js';
import { functionsIn, rowsOfParts, waysTo } from '#viewer/logic/split.js';
import { sortRows, tabulate } from '#viewer/logic/table.js';
import { PLAIN } from '#viewer/state/numbering.js';
import { currentChart, currentProfile, currentStacks } from '#viewer/views/app.js';
import { canDivide, partsFor } from '#viewer/views/divisions.js';
import { createExportMenu } from '#viewer/views/export-menu.js';
import { showPlaces, showSandwich } from '#viewer/views/function-links.js';
import { createGrid } from '#viewer/views/grid.js';
import { howto } from '#viewer/views/howto.js';
import { sceneOf } from '#viewer/views/scenes.js';
import { createSearchBox } from '#viewer/views/search-box.js';
import { stretchOf } from '#viewer/views/stretch.js';
import { csvColumns, tableColumns } from '#viewer/views/table-columns.js';
import { createWeights } from '#viewer/views/weights.js';

/** @type {readonly [ViewState['group'], string][]} */
const GROUPS = [
  ['function', 'Function'], ['module', 'Module'], ['kind', 'Kind'], ['family', 'Kernel family'],
  ['stream', 'Stream or thread'], ['phase', 'Phase'],
];

/** @typedef {ReturnType<typeof makeTable>} Table */

/**
 * @param {App} app
 * @returns {View}
 */
export function createTable(app) {
  const table = makeTable(app);
  return {
    element: table.element,
    show: (state) => update(table, state),
    key(event) {
      if (event.key === '/') table.search.focus();
      else if (event.key === 'e') table.menu.open();
      else if (event.key === 'ArrowDown' && event.target === document.body) table.grid.element.focus();
      else return false;
      return true;
    },
  };
}

/** @param {App} app */
function makeTable(app) {
  const weights = createWeights(app);
  /** @type {import('#viewer/views/table-columns.js').Told} */
  const told = {
    scene: undefined, durations: undefined,
    opened: (row) => (row.of ? undefined : table.open.has(keyOf(row))),
    toggle: (row) => toggle(table, row),
    has_sandwich: (row) => isFunction(app, row),
    sandwich: (row) => openSandwich(app, row),
  };
  const grid = createGrid({
    label: 'Functions', columns: tableColumns(told).filter(({ key }) => !lacking(app).includes(key)), level: levelOf(told),
    none: () => (app.store.get().search === '' ? 'Nothing has any of this weight.' : 'No name matches the search.'),
    open: (/** @type {Row} */ row) => openRow(table, row),
    keys: {
      x: (/** @type {Row} */ row) => openSandwich(app, row),
      ArrowRight: (/** @type {Row} */ row) => told.opened(row) === false && toggle(table, row),
      ArrowLeft: (/** @type {Row} */ row) => (row.of ?? told.opened(row)) && toggle(table, row.of ?? row),
    },
    sort(key) {
      const { sorting } = table;
      sorting.reverse = sorting.key === key && !sorting.reverse;
      sorting.key = /** @type {SortKey} */ (key);
      draw(table);
    },
  });
  const search = createSearchBox(app, { step: () => grid.element.focus(), leave: () => grid.element.focus() });
  const options = GROUPS.map(([name, title]) => h('option', { value: name }, title));
  const group = h('select', {
    class: 'select', 'aria-label': 'One row a',
    onchange: () => app.store.update({ group: GROUPS[group.selectedIndex]?.[0] ?? 'function' }),
  }, options);
  const menu = createExportMenu(app, () => `${told.scene?.weight ?? ''}.${app.store.get().group}s`, [{
    title: 'Table (CSV)', ending: '.csv', type: 'text/csv',
    make: () => told.scene && csv(csvColumns(told.scene, told.durations), table.shown),
  }]);
  const element = h('section', { class: 'view table' },
    h('div', { class: 'toolbar' }, weights.element, h('div', { class: 'toolbar-right' }, search.element, group, menu.element)),
    howto(currentStacks(app) ? 'stacks-table' : 'table'), grid.element);
  const table = {
    app, element, told, weights, grid, search, group, options, menu,
    sorting: { key: /** @type {SortKey} */ ('self'), reverse: false },
    grouped: /** @type {ViewState['group']} */ ('function'),
    /** Where the rows are grouped by parts. @type {readonly Part[] | undefined} */
    parts: undefined,
    /** What rows that are open are made of, by their keys. @type {Map<string, Row[]>} */
    open: new Map(),
    /** @type {Row[]} */
    shown: [],
  };
  return table;
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

/** @param {Row} row */
function keyOf({ kind, name }) {
  return `${kind} ${name}`;
}

/**
 * @param {import('#viewer/views/table-columns.js').Told} told
 * @returns {(row: Row) => { level: number, expanded: boolean | undefined }}
 */
function levelOf(told) {
  return (row) => ({ level: row.of ? 2 : 1, expanded: told.opened(row) });
}

/**
 * @param {Table} table
 * @param {ViewState} state
 */
async function update(table, state) {
  const { app, told } = table;
  table.weights.show();
  table.group.value = state.group;
  table.options.forEach((option, i) => {
    const group = GROUPS[i]?.[0] ?? 'function';
    option.disabled = group !== 'function' && !canDivide(app, group);
  });
  const scene = await sceneOf(app);
  const { group } = state;
  if (scene !== told.scene || group !== table.grouped) {
    const parts = scene && group !== 'function' ? await partsFor(app, scene, group) : undefined;
    if (state !== app.store.get()) return;
    // What the rows of another weight or group are made of is not what is open now.
    table.open.clear();
    Object.assign(told, { scene, durations: undefined });
    Object.assign(table, { parts, grouped: group });
  }
  draw(table);
  if (told.durations) return;
  const durations = await durationsIn(app);
  if (state !== app.store.get() || !durations) return;
  told.durations = durations;
  draw(table);
}

/** @param {Table} table */
function draw(table) {
  const { app, told, sorting, search } = table;
  const { group, search: text } = app.store.get();
  search.set(text);
  if (!told.scene) return;
  const all = rowsBy(table, told.scene);
  if (told.durations) countSpans(all, group, told.scene.tree, told.durations);
  const test = matcher(text);
  const rows = typeof test === 'function' ? all.filter((row) => test(row.name)) : all;
  search.tell('', typeof test === 'string' ? test : text === '' ? '' : formatNoun(rows.length, 'row'), typeof test === 'string');
  const parts = (/** @type {Row} */ row) => sortRows(table.open.get(keyOf(row)) ?? [], sorting.key, sorting.reverse);
  table.shown = sortRows(rows, sorting.key, sorting.reverse).flatMap((row) => [row, ...parts(row)]);
  table.grid.show(table.shown, sorting.key, sorting.reverse);
}

/**
 * A row each; what is in none of them has one of its own.
 * @param {Table} table
 * @param {Scene} scene
 */
function rowsBy({ grouped, parts = [] }, { tree, values, calls }) {
  if (grouped === 'stream' || grouped === 'phase') return rowsOfParts(parts);
  const rows = tabulate(tree, values, calls, grouped);
  const names = new Set(rows.map(({ name }) => name));
  return [...rows, ...rowsOfParts(parts.filter(({ name }) => !names.has(name)))];
}

/**
 * Opens a row to what it is made of, or closes it.
 * @param {Table} table
 * @param {Row} row
 */
function toggle(table, row) {
  const { scene } = table.told;
  if (!scene) return;
  if (!table.open.delete(keyOf(row))) {
    const part = table.parts?.find(({ name }) => name === row.name);
    const made_of = part ? functionsIn(scene.tree, part, row)
      : table.parts ? [] : waysTo(scene.tree, scene.values, scene.calls, row);
    table.open.set(keyOf(row), made_of);
  }
  const { scrollTop } = table.grid.element;
  draw(table);
  table.grid.element.scrollTop = scrollTop;
  table.grid.pick((shown) => !shown.of && keyOf(shown) === keyOf(row));
}

/** More spans than this take too long to sort for a table. */
const MOST_SPANS = 4_000_000;

/**
 * How long the spans of the window, or of the chosen stretch, are; nothing when the page has no lanes, or
 * too many spans.
 * @param {App} app
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
 * Nobody calls a kernel: it runs as often as there are spans of it, and a family as often as its kernels.
 * @param {Row[]} rows
 * @param {ViewState['group']} group
 * @param {import('#viewer/data/tree.js').Tree} tree
 * @param {import('#viewer/logic/durations.js').Durations} durations
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
 * Whether a row stands for a function: on its own, or as a part of something else.
 * @param {App} app
 * @param {Row} row
 */
function isFunction(app, row) {
  return (app.store.get().group === 'function') === (row.of === undefined);
}

/**
 * A function's places; the way to one; else what the row is made of.
 * @param {Table} table
 * @param {Row} row
 */
function openRow(table, row) {
  if (isFunction(table.app, row)) showPlaces(table.app, row);
  else if (row.of) table.app.store.update({ ...PLAIN, view: 'flame', focus: row.n_stacks > 1 ? 0 : row.heaviest, select: row.heaviest, search: row.n_stacks > 1 ? row.of.name : '' });
  else toggle(table, row);
}

/**
 * @param {App} app
 * @param {Row} row
 */
function openSandwich(app, row) {
  if (isFunction(app, row)) showSandwich(app, pivotKey(row.kind, row.name));
}
