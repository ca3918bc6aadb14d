/**
 * The columns of the table of functions, on screen and as CSV.
 *
 * @import { Row } from '#viewer/logic/table.js'
 * @import { Scene } from '#viewer/logic/scene.js'
 * @import { Durations } from '#viewer/logic/durations.js'
 *
 * @typedef {object} Told what the cells tell of
 * @property {Scene | undefined} scene
 * @property {Durations | undefined} durations
 * @property {(row: Row) => boolean | undefined} opened whether a row is split; nothing where it cannot be
 * @property {(row: Row) => void} toggle splits it, or not
 * @property {(row: Row) => boolean} has_sandwich
 * @property {(row: Row) => void} sandwich
 */

import { KINDS, kindColor } from '#viewer/lib/color.js';
import { h } from '#viewer/lib/dom.js';
import { formatCount, formatNoun, formatShare, formatTime, formatValue } from '#viewer/lib/units.js';
import { nameOf, userFrame } from '#viewer/logic/stack.js';
import { mean } from '#viewer/logic/table.js';
import { userText } from '#viewer/views/summary-lists.js';

/**
 * @param {Told} told
 * @returns {import('#viewer/views/grid.js').Column<Row>[]}
 */
export function tableColumns(told) {
  const spread = (/** @type {string} */ title, /** @type {'p50' | 'p99' | 'max'} */ figure) => ({
    key: figure, title, width: 'minmax(56px, 74px)', number: true, fixed: true, wide: true,
    cell: (/** @type {Row} */ row) => spreadCell(durationsOf(told, row), figure),
  });
  const unit = () => told.scene?.unit ?? '';
  const sum = () => told.scene?.layout.sum || 1;
  const isCalls = () => told.scene?.weight === 'calls';
  return [
    { key: 'self', title: 'Self', width: 'minmax(64px, 84px)', number: true, cell: (row) => value(row.self, unit()) },
    { key: 'self-share', title: '', spoken: 'Share of self', width: 'minmax(48px, 60px)', number: true, fixed: true, cell: (row) => row.self === 0 ? '' : h('span', { class: 'quiet' }, formatShare(row.self / sum())) },
    { key: 'total', title: 'Total', width: 'minmax(64px, 84px)', number: true, cell: (row) => value(row.total, unit()) },
    { key: 'total-share', title: '', spoken: 'Share of total', width: 'minmax(48px, 60px)', number: true, fixed: true, cell: (row) => h('span', { class: 'quiet' }, formatShare(row.total / sum())) },
    { key: 'calls', title: 'Calls', width: 'minmax(62px, 84px)', number: true, cell: (row) => (row.calls > 0 ? formatCount(row.calls) : '') },
    { key: 'mean', title: 'Mean', width: 'minmax(64px, 84px)', number: true, cell: (row) => (row.calls > 0 && !isCalls() ? formatValue(mean(row), unit()) : '') },
    spread('p50', 'p50'), spread('p99', 'p99'), spread('Max', 'max'),
    { key: 'name', title: 'Name', width: 'minmax(240px, 3fr)', cell: (row) => nameCell(told, row) },
    { key: 'sandwich', title: '', spoken: 'Callers and callees', width: '60px', fixed: true, cell: (row) => sandwichCell(told, row) },
    { key: 'user', title: 'User frame', width: 'minmax(0, 1.2fr)', fixed: true, cell: (row) => userCell(row, told.scene) },
  ];
}

/**
 * All that a row says, with figures in whole units; a row that is a part of another says so.
 * @param {Scene} scene
 * @param {Durations | undefined} durations
 * @returns {import('#viewer/logic/export-csv.js').CsvColumn<Row>[]}
 */
export function csvColumns(scene, durations) {
  const spread = (/** @type {'n' | 'p50' | 'p99' | 'max'} */ figure) => ({
    title: figure === 'n' ? 'spans' : `${figure}_ns`,
    value: (/** @type {Row} */ row) => durationsOf({ durations }, row)?.[figure] ?? '',
  });
  const user = (/** @type {Row} */ row) => (row.heaviest > 0 ? userFrame(scene.tree, row.heaviest) : undefined);
  return [
    { title: 'name', value: (row) => row.name },
    { title: 'part_of', value: (row) => row.of?.name ?? '' },
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
 * How long the spans of a row's function are; of a part of them that is not known.
 * @param {{ durations: Durations | undefined }} told
 * @param {Row} row
 */
function durationsOf({ durations }, row) {
  return row.of ? undefined : durations?.of(row.kind, row.name);
}

/**
 * @param {import('#viewer/logic/durations.js').Spread | undefined} spread
 * @param {'p50' | 'p99' | 'max'} figure
 */
function spreadCell(spread, figure) {
  if (!spread) return '';
  return h('span', { class: 'quiet', title: `of ${formatNoun(spread.n, 'span')}; ${spread[figure].toLocaleString('en')} ns` }, formatTime(spread[figure]));
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

/**
 * @param {Told} told
 * @param {Row} row
 */
function nameCell(told, row) {
  const kind = KINDS[row.kind] ?? 'synthetic';
  const opened = told.opened(row);
  return h('span', { class: row.of ? 'name-cell part' : 'name-cell', title: row.name },
    opened === undefined ? !row.of && h('span', { class: 'chevron' }) : h('button', {
      type: 'button', class: 'chevron', tabindex: -1, 'aria-expanded': String(opened), 'aria-label': `Split ${row.name}`,
      title: opened ? 'Close (←)' : 'What it is made of (→)',
      onclick: (/** @type {MouseEvent} */ event) => {
        event.stopPropagation();
        told.toggle(row);
      },
    }, '›'),
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
 * @param {Told} told
 * @param {Row} row
 */
function sandwichCell(told, row) {
  if (!told.has_sandwich(row)) return '';
  return h('button', {
    type: 'button', class: 'link row-action', tabindex: -1, title: 'All callers and callees (x)',
    onclick: (/** @type {MouseEvent} */ event) => {
      event.stopPropagation();
      told.sandwich(row);
    },
  }, 'Sandwich');
}
