import assert from 'node:assert/strict';
import { test } from 'node:test';
import { csv } from '#viewer/logic/export-csv.js';
import { barOfRow, barsOf } from '#viewer/logic/step-bars.js';
import {
  STEP_CSV, lengthFigure, lengthsOf, remarkOf, rowOfStretch, sharesOf, sortSteps, spreadOf, stepRows,
} from '#viewer/logic/steps.js';
import { fromHash, toHash } from '#viewer/state/url.js';
import { INITIAL } from '#viewer/state/view-state.js';

/** @typedef {import('#viewer/data/report.js').Capture} Capture */
/** @typedef {import('#viewer/data/report.js').Step} Step */

/** @param {Partial<Step>} some @returns {Step} */
const step = (some) => ({
  name: 'step', phase: null, batch: null, kept: true, left_out: null, from_ns: 0, marker_ns: 10, wall_ns: 10,
  busy_ns: 6, idle_ns: 4, launch_calls: 2, kernels: 3, gpu_ns: 6, stretch_ns: [0, 10], ...some,
});

/**
 * @param {readonly Partial<Step>[]} list
 * @param {Partial<Capture['steps']>} [more]
 */
const steps = (list, more = {}) => ({
  marker: null, kind: 'annotation', count: list.filter(({ kept }) => kept !== false).length,
  wall_ns: { p50: 10, mean: 10, min: 9, max: 11 }, patterns: [], list: list.map(step), not_listed: 0, ...more,
});

/** @param {ReturnType<typeof steps>} of */
const capture = (of) => /** @type {Capture} */ (/** @type {unknown} */ ({ steps: of }));

test('kept steps of one kind are one group, what is left out comes last', () => {
  const { rows, groups } = stepRows(steps([{ kept: false, left_out: 'warm-up' }, {}, {}]));
  assert.deepEqual(groups.map(({ name, rows: of }) => [name, of.length]), [['all kept steps', 2], ['left out', 1]]);
  assert.deepEqual(rows.map(({ group }) => group), [1, 0, 0]);
  assert.deepEqual(rows.map(remarkOf), ['left out: warm-up', '', '']);
});

test('groups are phase and batch; phase alone where batches are many', () => {
  const few = stepRows(steps([{ phase: 'decode', batch: 8 }, { phase: 'prefill', batch: 1 }, { phase: 'decode', batch: 8 }, {}]));
  assert.deepEqual(few.groups.map(({ name, rows }) => [name, rows.length]), [['decode · batch 8', 2], ['no phase', 1], ['prefill · batch 1', 1]]);
  const many = stepRows(steps(Array.from({ length: 40 }, (_, batch) => ({ phase: batch < 20 ? 'decode' : 'mixed', batch }))));
  assert.deepEqual(many.groups.map(({ name, rows }) => [name, rows.length]), [['decode', 20], ['mixed', 20]]);
});

test('what the report tells from the others is marked, and no rule is made up', () => {
  const outliers = { pattern: 'outliers', sentence: '', steps: [1] };
  const { rows } = stepRows(steps([{}, { wall_ns: 90 }, { wall_ns: 900 }], { patterns: [outliers] }));
  assert.deepEqual(rows.map(remarkOf), ['', 'slow', '']);
  const populations = { pattern: 'populations', sentence: '', steps: [2, 3] };
  const split = stepRows(steps([{}, {}, {}, {}], { patterns: [populations, { ...outliers, steps: [3] }] }));
  assert.deepEqual(split.groups.map(({ name }) => name), ['launches less', 'launches more']);
  assert.deepEqual(split.rows.map(remarkOf), ['', '', 'launches more', 'slow']);
});

test('figures of a group are of the lower one of two; least and most of all steps are the report’s', () => {
  assert.deepEqual(spreadOf([4, 1, 3, 2]), { p50: 2, p99: 3, min: 1, max: 4 });
  assert.deepEqual(spreadOf([]), { p50: 0, p99: 0, min: 0, max: 0 });
  const one = steps([{ wall_ns: 2 }, { wall_ns: 10 }, { wall_ns: 11 }]);
  const { groups } = stepRows(one);
  assert.ok(groups[0]);
  assert.deepEqual(lengthsOf(capture(one), groups[0]), { p50: 10, p99: 10, min: 9, max: 11 });
  assert.deepEqual(sharesOf(groups[0].rows), { busy: 18 / 23, idle: 4 });
});

test('without device work the host’s length is what there is', () => {
  const list = [{ wall_ns: 0, busy_ns: 0, idle_ns: 0, marker_ns: 7 }].map(step);
  assert.equal(lengthFigure(list).key, 'marker');
  assert.equal(lengthFigure([step({})]).key, 'wall');
});

test('times are sorted from the longest, numbers and names from the first, ties as they ran', () => {
  const { rows } = stepRows(steps([{ name: 'b', wall_ns: 5 }, { name: 'a', wall_ns: 9 }, { name: 'a', wall_ns: 5 }]));
  const numbers = (/** @type {string} */ key, reverse = false) => sortSteps(rows, key, reverse).map(({ number }) => number);
  assert.deepEqual(numbers('number'), [0, 1, 2]);
  assert.deepEqual(numbers('number', true), [2, 1, 0]);
  assert.deepEqual(numbers('wall'), [1, 0, 2]);
  assert.deepEqual(numbers('wall', true), [0, 2, 1]);
  assert.deepEqual(numbers('name'), [1, 2, 0]);
  assert.deepEqual(numbers('no such column'), [0, 1, 2]);
});

test('a hundred thousand steps share bars, each as high as the largest, and none is lost', () => {
  const n = 100_000;
  const { rows } = stepRows(steps(Array.from({ length: n }, (_, i) => ({ wall_ns: i === 54_321 ? 1000 : 10, idle_ns: 4 })),
    { patterns: [{ pattern: 'outliers', sentence: '', steps: [54_321] }] }));
  const bars = barsOf(rows, 'wall', 1400.5);
  assert.equal(bars.length, 1400);
  const at = barOfRow(bars, 54_321);
  assert.deepEqual([bars[at]?.peak, bars[at]?.marked, (bars[at]?.busy ?? 0) + (bars[at]?.idle ?? 0)], [54_321, true, 1000]);
  assert.equal(bars.filter(({ marked }) => marked).length, 1);
  assert.deepEqual([barOfRow(bars, 0), barOfRow(bars, n - 1)], [0, 1399]);
  assert.deepEqual(barsOf(rows.slice(0, 3), 'idle', 1400).map(({ busy, idle }) => [busy, idle]), [[0, 4], [0, 4], [0, 4]]);
});

test('the step of a stretch is found again', () => {
  const { rows } = stepRows(steps([{ stretch_ns: [0, 10] }, { stretch_ns: [10, 30] }]));
  assert.equal(rowOfStretch(rows, { from: 10, to: 30 }), 1);
  assert.equal(rowOfStretch(rows, { from: 10, to: 29 }), -1);
  assert.equal(rowOfStretch(rows, undefined), -1);
});

test('the table as CSV has whole units and the reason', () => {
  const { rows } = stepRows(steps([{ kept: false, left_out: 'warm-up: compiles, loads' }]));
  assert.equal(csv(STEP_CSV, rows).split('\n')[1], '0,step,,,false,0,10,10,6,4,2,3,6,"left out: warm-up: compiles, loads"');
});

test('figure and order are in the address', () => {
  const state = { ...INITIAL, view: /** @type {const} */ ('steps'), figure: /** @type {const} */ ('idle'), sort: '-wall' };
  assert.equal(toHash(state), '#view=steps&figure=idle&sort=-wall');
  assert.deepEqual(fromHash(toHash(state)), state);
  assert.equal(fromHash('#figure=nonsense').figure, 'wall');
});
