/**
 * The columns of the grid of steps.
 *
 * @import { Figure, Group, StepRow } from '#viewer/logic/steps.js'
 * @import { Column } from '#viewer/views/grid.js'
 */

import { h } from '#viewer/lib/dom.js';
import { formatCount, formatMs, formatTime } from '#viewer/lib/units.js';
import { FIGURES, UPWARDS, remarkOf } from '#viewer/logic/steps.js';

/**
 * @param {() => { groups: readonly Group[], colors: readonly string[] } | undefined} shown
 * @returns {Column<StepRow>[]}
 */
export function stepColumns(shown) {
  const columns = [
    { key: 'number', title: '#', width: 'minmax(34px, 52px)', number: true, cell: (/** @type {StepRow} */ row) => h('span', { class: 'quiet' }, row.number) },
    { key: 'name', title: 'Step', width: 'minmax(130px, 3fr)', cell: (/** @type {StepRow} */ row) => nameCell(row) },
    { key: 'group', title: 'Group', width: 'minmax(120px, 1.3fr)', cell: (/** @type {StepRow} */ row) => groupCell(shown()?.groups[row.group], shown()?.colors[row.group] ?? '') },
    { key: 'phase', title: 'Phase', width: 'minmax(52px, 64px)', wide: true, cell: (/** @type {StepRow} */ row) => row.step.phase ?? '' },
    { key: 'batch', title: 'Batch', width: 'minmax(42px, 56px)', number: true, wide: true, cell: (/** @type {StepRow} */ row) => (row.step.batch === null ? '' : formatCount(row.step.batch)) },
    ...FIGURES.map(figureColumn),
    { key: 'start', title: 'Start', width: 'minmax(56px, 76px)', number: true, cell: (/** @type {StepRow} */ { step }) => h('span', { class: 'quiet', title: `${step.from_ns.toLocaleString('en')} ns` }, formatTime(step.from_ns)) },
    { key: 'remark', title: 'Remark', width: 'minmax(80px, 1.2fr)', cell: (/** @type {StepRow} */ row) => remarkCell(row) },
  ];
  return columns.map((column) => ({ ...column, upwards: UPWARDS.includes(column.key) }));
}

/** @param {Figure} figure */
function figureColumn({ key, title, unit, of }) {
  const is_time = unit === 'ns';
  return {
    key, title, width: is_time ? 'minmax(64px, 76px)' : 'minmax(52px, 66px)', number: true,
    wide: key === 'marker' || key === 'launches',
    cell: (/** @type {StepRow} */ { step }) => h('span', is_time ? { title: `${of(step).toLocaleString('en')} ns` } : {}, is_time ? formatMs(of(step)) : formatCount(of(step))),
  };
}

/** @param {StepRow} row */
function nameCell({ step }) {
  return h('span', { class: step.kept ? 'mono' : 'mono quiet', title: step.name }, step.name);
}

/**
 * @param {Group | undefined} group
 * @param {string} color
 */
function groupCell(group, color) {
  if (!group) return '';
  return h('span', { class: 'name-cell' },
    h('span', { class: 'swatch', style: `background:var(${color})`, 'aria-hidden': 'true' }), group.name);
}

/** @param {StepRow} row */
function remarkCell(row) {
  const remark = remarkOf(row);
  if (remark === '') return '';
  if (!row.step.kept) return h('span', { class: 'quiet', title: remark }, remark);
  return h('span', { class: 'step-said', title: remark }, h('span', { 'aria-hidden': 'true' }, '▼ '), remark);
}
