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
 * @param {() => { groups: readonly Group[], colors: readonly string[], rows: readonly StepRow[] } | undefined} shown
 * @returns {Column<StepRow>[]}
 */
export function stepColumns(shown) {
  const some = (/** @type {(row: StepRow) => boolean} */ test) => shown()?.rows.some(test) ?? false;
  const has_groups = () => (shown()?.groups.filter(({ kept }) => kept).length ?? 0) > 1;
  /** @type {Column<StepRow>[]} */
  const columns = [
    { key: 'number', title: '#', width: 'minmax(30px, 52px)', number: true, cell: (row) => h('span', { class: 'quiet' }, row.number) },
    { key: 'name', title: 'Step', width: 'minmax(90px, 3fr)', cell: nameCell },
    { key: 'group', title: 'Group', width: 'minmax(132px, 1.3fr)', needed: has_groups, cell: (row) => groupCell(shown()?.groups[row.group], shown()?.colors[row.group] ?? '') },
    { key: 'phase', title: 'Phase', width: 'minmax(52px, 64px)', wide: true, needed: () => some(({ step }) => step.phase !== null), cell: ({ step }) => step.phase ?? '' },
    { key: 'batch', title: 'Batch', width: 'minmax(42px, 56px)', number: true, wide: true, needed: () => some(({ step }) => step.batch !== null), cell: ({ step }) => (step.batch === null ? '' : formatCount(step.batch)) },
    ...FIGURES.map((figure) => figureColumn(figure, () => some(({ step }) => step.wall_ns > 0))),
    { key: 'start', title: 'Start', width: 'minmax(52px, 76px)', number: true, cell: ({ step }) => h('span', { class: 'quiet', title: `${step.from_ns.toLocaleString('en')} ns` }, formatTime(step.from_ns)) },
    { key: 'remark', title: 'Remark', width: 'minmax(70px, 1.2fr)', cell: remarkCell },
  ];
  return columns.map((column) => ({ ...column, upwards: UPWARDS.includes(column.key) }));
}

/**
 * @param {Figure} figure
 * @param {() => boolean} has_work whether devices did anything
 * @returns {Column<StepRow>}
 */
function figureColumn({ key, title, unit, of }, has_work) {
  const is_time = unit === 'ns';
  const of_device = is_time && key !== 'marker';
  return {
    key, title, width: is_time ? 'minmax(62px, 76px)' : 'minmax(50px, 66px)', number: true,
    wide: key === 'launches', needed: () => !of_device || has_work(),
    cell: ({ step }) => h('span', is_time ? { title: `${of(step).toLocaleString('en')} ns` } : {}, is_time ? formatMs(of(step)) : formatCount(of(step))),
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
  return h('span', { class: 'name-cell', title: group.name },
    h('span', { class: 'swatch', style: `background:var(${color})`, 'aria-hidden': 'true' }), h('span', { class: 'step-group' }, group.name));
}

/** @param {StepRow} row */
function remarkCell(row) {
  const remark = remarkOf(row);
  if (remark === '') return '';
  if (!row.step.kept) return h('span', { class: 'quiet', title: remark }, remark);
  return h('span', { class: 'step-said', title: remark }, h('span', { 'aria-hidden': 'true' }, '▼ '), remark);
}
