/**
 * Steps as rows: their figures, what they have in common, their order.
 *
 * @import { Capture, Step, Steps } from '#viewer/data/report.js'
 * @import { Stretch } from '#viewer/logic/cut-time.js'
 * @import { CsvColumn } from '#viewer/logic/export-csv.js'
 *
 * @typedef {'wall' | 'busy' | 'idle' | 'marker' | 'launches' | 'kernels'} FigureKey
 * @typedef {{ key: FigureKey, title: string, unit: 'ns' | 'count', meaning: string,
 *   of: (step: Step) => number }} Figure
 *
 * @typedef {object} StepRow
 * @property {number} number position in the capture
 * @property {Step} step
 * @property {number} group row of the groups
 * @property {string} said what of the report marks it as unlike the others; empty where nothing does
 *
 * @typedef {{ name: string, phase: string, kept: boolean, rows: StepRow[] }} Group
 * @typedef {{ p50: number, p99: number, min: number, max: number }} Spread
 */

/** @type {readonly Figure[]} */
export const FIGURES = [
  { key: 'wall', title: 'Wall', unit: 'ns', meaning: 'Busy and idle time of the devices that belongs to the step', of: (step) => step.wall_ns },
  { key: 'busy', title: 'Busy', unit: 'ns', meaning: 'Time in which at least one kernel or copy of the step ran', of: (step) => step.busy_ns },
  { key: 'idle', title: 'Idle', unit: 'ns', meaning: 'Gaps that work of the step ends', of: (step) => step.idle_ns },
  { key: 'marker', title: 'Host', unit: 'ns', meaning: 'Length of the marker: from the begin to the end of the step on the host', of: (step) => step.marker_ns },
  { key: 'launches', title: 'Launches', unit: 'count', meaning: 'Launch calls in the step', of: (step) => step.launch_calls },
  { key: 'kernels', title: 'Kernels', unit: 'count', meaning: 'Kernels that the step launched', of: (step) => step.kernels },
];

/** @param {FigureKey} key */
export const figureOf = (key) => /** @type {Figure} */ (FIGURES.find((figure) => figure.key === key) ?? FIGURES[0]);

/**
 * The figure that says how long steps are: without device work only the host's is known.
 * @param {readonly Step[]} list
 * @returns {Figure}
 */
export const lengthFigure = (list) => figureOf(list.length === 0 || list.some((step) => step.wall_ns > 0) ? 'wall' : 'marker');

/** More kinds of steps than this read better by phase alone. */
const MOST_GROUPS = 8;
/** In words: steps that the report tells from the others, by pattern. */
const SAID = /** @type {const} */ ([['populations', 'launches more'], ['outliers', 'slow']]);

/**
 * @param {Steps} steps
 * @returns {{ rows: StepRow[], groups: Group[] }}
 */
export function stepRows(steps) {
  /** @type {Map<number, string>} */
  const said = new Map();
  for (const [pattern, words] of SAID) for (const number of meantBy(steps, pattern)) said.set(number, words);
  const keys = keysOf(steps, meantBy(steps, 'populations'));
  const kinds = new Map(keys.map((key) => [key.name, key]));
  const groups = [...kinds.values()].sort((a, b) => Number(b.kept) - Number(a.kept) || a.name.localeCompare(b.name, 'en', { numeric: true }))
    .map((key) => ({ ...key, rows: /** @type {StepRow[]} */ ([]) }));
  const numbers = new Map(groups.map(({ name }, i) => [name, i]));
  const rows = steps.list.map((step, number) => {
    const group = numbers.get(keys[number]?.name ?? '') ?? 0;
    const row = { number, step, group, said: said.get(number) ?? '' };
    groups[group]?.rows.push(row);
    return row;
  });
  return { rows, groups };
}

/**
 * The steps that a pattern of the report tells from the others.
 * @param {Steps} steps
 * @param {string} name
 */
function meantBy({ patterns }, name) {
  return new Set(patterns.filter(({ pattern }) => pattern === name).flatMap(({ steps }) => steps));
}

const LEFT_OUT = 'left out';

/**
 * What each step is grouped by: phase, batch, population; phases alone where batches are many.
 * @param {Steps} steps
 * @param {ReadonlySet<number>} many those of the population that launches more
 */
function keysOf({ list }, many) {
  const has_phase = list.some((step) => step.phase !== null);
  const key = (/** @type {Step} */ step, /** @type {number} */ number, /** @type {boolean} */ by_batch) => {
    if (!step.kept) return { name: LEFT_OUT, phase: '', kept: false };
    const phase = has_phase ? step.phase ?? 'no phase' : '';
    const batch = by_batch && step.batch !== null ? `batch ${step.batch}` : '';
    const population = many.size === 0 ? '' : many.has(number) ? 'launches more' : 'launches less';
    return { name: [phase, batch, population].filter((part) => part !== '').join(' · ') || 'all kept steps', phase, kept: true };
  };
  const fine = list.map((step, i) => key(step, i, true));
  const is_few = new Set(fine.filter(({ kept }) => kept).map(({ name }) => name)).size <= MOST_GROUPS;
  return is_few ? fine : list.map((step, i) => key(step, i, false));
}

/**
 * The lower one of two, as everywhere in the report.
 * @param {readonly number[]} values
 * @returns {Spread}
 */
export function spreadOf(values) {
  const sorted = Float64Array.from(values).sort();
  const part = (/** @type {number} */ percent) => sorted[Math.floor(((sorted.length - 1) * percent) / 100)] ?? 0;
  return { p50: part(50), p99: part(99), min: part(0), max: part(100) };
}

/**
 * How long the steps of a group are. Least and most of all kept steps are the report's, which leaves out
 * what the window cuts off the first and the last.
 * @param {Capture} capture
 * @param {Group} group
 */
export function lengthsOf({ steps }, group) {
  const figure = lengthFigure(steps.list);
  const spread = spreadOf(group.rows.map(({ step }) => figure.of(step)));
  const is_all = group.kept && group.rows.length === steps.count && steps.not_listed === 0;
  return is_all && figure.key === 'wall' ? { ...spread, min: steps.wall_ns.min, max: steps.wall_ns.max } : spread;
}

/** @param {readonly StepRow[]} rows */
export function sharesOf(rows) {
  const sum = (/** @type {(step: Step) => number} */ of) => rows.reduce((all, { step }) => all + of(step), 0);
  const [wall, busy, idle] = [sum((step) => step.wall_ns), sum((step) => step.busy_ns), sum((step) => step.idle_ns)];
  return { busy: wall > 0 ? busy / wall : NaN, idle: rows.length > 0 ? idle / rows.length : 0 };
}

/** @param {Step} step @returns {Stretch} */
export const stretchOfStep = ({ stretch_ns: [from, to] }) => ({ from, to });

/**
 * The row whose stretch it is; -1 where it is no step's.
 * @param {readonly StepRow[]} rows
 * @param {Stretch | undefined} stretch
 */
export const rowOfStretch = (rows, stretch) =>
  (stretch ? rows.findIndex(({ step: { stretch_ns: [from, to] } }) => from === stretch.from && to === stretch.to) : -1);

/**
 * Why a step is not like the others, in words; empty where it is.
 * @param {StepRow} row
 */
export const remarkOf = ({ step, said }) => (step.kept ? said : `left out: ${step.left_out ?? 'not in the window'}`);

/** @type {Readonly<Record<string, (row: StepRow) => string | number>>} */
const SORTED_BY = {
  number: (row) => row.number,
  start: (row) => row.step.from_ns,
  name: (row) => row.step.name,
  phase: (row) => row.step.phase ?? '',
  batch: (row) => row.step.batch ?? -1,
  group: (row) => row.group,
  remark: (row) => remarkOf(row) || '\uffff',
  ...Object.fromEntries(FIGURES.map((figure) => [figure.key, (/** @type {StepRow} */ row) => figure.of(row.step)])),
};

/** Columns that begin with the smallest. */
export const UPWARDS = ['number', 'start', 'name', 'phase', 'group', 'remark'];

/**
 * @param {readonly StepRow[]} rows
 * @param {string} key
 * @param {boolean} reverse
 */
export function sortSteps(rows, key, reverse) {
  const value = SORTED_BY[key] ?? ((/** @type {StepRow} */ row) => row.number);
  const way = (UPWARDS.includes(key) || !(key in SORTED_BY)) === reverse ? -1 : 1;
  return rows.toSorted((a, b) => {
    const [left, right] = [value(a), value(b)];
    return (left < right ? -way : left > right ? way : 0) || a.number - b.number;
  });
}

/** The columns of `flamelane steps --format csv`, and why a step is marked. @type {readonly CsvColumn<StepRow>[]} */
export const STEP_CSV = [
  { title: 'step', value: (row) => row.number },
  { title: 'name', value: ({ step }) => step.name },
  { title: 'phase', value: ({ step }) => step.phase ?? '' },
  { title: 'batch', value: ({ step }) => step.batch ?? '' },
  { title: 'kept', value: ({ step }) => String(step.kept) },
  { title: 'from_ns', value: ({ step }) => step.from_ns },
  { title: 'marker_ns', value: ({ step }) => step.marker_ns },
  { title: 'wall_ns', value: ({ step }) => step.wall_ns },
  { title: 'busy_ns', value: ({ step }) => step.busy_ns },
  { title: 'idle_ns', value: ({ step }) => step.idle_ns },
  { title: 'launch_calls', value: ({ step }) => step.launch_calls },
  { title: 'kernels', value: ({ step }) => step.kernels },
  { title: 'gpu_ns', value: ({ step }) => step.gpu_ns },
  { title: 'remark', value: remarkOf },
];
