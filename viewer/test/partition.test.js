import assert from 'node:assert/strict';
import { test } from 'node:test';
import { KINDS } from '#viewer/lib/color.js';
import { addParts, classesOfWork, partitionIn } from '#viewer/logic/partition-in.js';
import { stepsIn } from '#viewer/logic/steps-in.js';

/** A small generator with a seed: the same spans in every run. @param {number} seed */
function chance(seed) {
  let state = seed;
  return (/** @type {number} */ below) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return (state >>> 8) % below;
  };
}

const NAMES = ['gemm', 'ncclAllReduce', 'Memcpy HtoD (Pinned -> Device)', 'Memcpy DtoD (Device -> Device)', 'Memset (Device)', 'Memcpy PtoP (Device -> Device)'];
const FRAMES = { names: NAMES, kinds: Uint8Array.from(['kernel', 'comm', 'copy', 'copy', 'memset', 'copy'], (kind) => KINDS.findIndex((one) => one === kind)) };
const CLASSES = classesOfWork(FRAMES);
const LENGTH = 300;
/** @type {[number, number][]} */
const WINDOW = [[10, 120], [150, 280]];

/** A stream. @param {ReturnType<typeof chance>} next @param {number} n */
function stream(next, n) {
  const [start, end] = [new Float64Array(n), new Float64Array(n)];
  let at = 0;
  for (let i = 0; i < n; i++) {
    start[i] = at + next(9);
    end[i] = at = /** @type {number} */ (start[i]) + next(7);
  }
  return { start, end, frame: Uint32Array.from(start, () => next(NAMES.length)), launch: undefined, node: undefined, first: 0 };
}

/** @param {number} at */
const isInWindow = (at) => WINDOW.some(([from, to]) => from <= at && at < to);

/** What runs at each ns. @param {ReturnType<typeof stream>[]} rows @param {number} at */
function runningAt(rows, at) {
  return rows.flatMap(({ start, end, frame }) => [...frame].filter((_, i) => (start[i] ?? 0) <= at && at < (end[i] ?? 0)).map((one) => CLASSES[one] ?? 0));
}

/** @param {number} seed */
function device(seed) {
  const next = chance(seed);
  const rows = Array.from({ length: next(5) }, () => stream(next, 20 + next(30)));
  const idle = Array.from({ length: LENGTH }, (_, at) => at).filter((at) => isInWindow(at) && runningAt(rows, at).length === 0);
  // Pieces of one ns each: owners cut idle time anywhere.
  const pieces = { start: Float64Array.from(idle), end: Float64Array.from(idle, (at) => at + 1) };
  return { rows, idle: pieces, classes: CLASSES };
}

/** Ns by ns. @param {ReturnType<typeof device>} work @param {{ from: number, to: number }} stretch */
function slowly({ rows }, { from, to }) {
  const parts = { wall: 0, compute: 0, comm: 0, copy: 0, idle: 0, comm_hidden: 0, copy_hidden: 0, unplaced: 0, sum: 0 };
  for (let at = Math.max(0, from); at < Math.min(to, LENGTH); at++) {
    if (!isInWindow(at)) continue;
    const running = runningAt(rows, at);
    const [compute, comm, copy] = [1, 2, 4].map((one) => running.includes(one));
    parts.wall++;
    parts[compute ? 'compute' : comm ? 'comm' : copy ? 'copy' : 'idle']++;
    if (comm && compute) parts.comm_hidden++;
    if (copy && (compute || comm)) parts.copy_hidden++;
    parts.sum += running.length;
  }
  return parts;
}

test('copies within a device and fills compute; copies between devices and with the host do not', () => {
  assert.deepEqual([...CLASSES], [1, 2, 4, 1, 1, 4]);
});

test('any stretch of any streams is what a count ns by ns says', () => {
  for (let seed = 1; seed < 120; seed++) {
    const [work, next] = [device(seed), chance(seed * 31)];
    for (let round = 0; round < 4; round++) {
      const from = next(LENGTH) - 5;
      const stretch = { from, to: from + next(160) };
      const parts = partitionIn(work, WINDOW, stretch);
      assert.deepEqual(parts, slowly(work, stretch), `seed ${seed}, ${stretch.from} to ${stretch.to}`);
      assert.equal(parts.compute + parts.comm + parts.copy + parts.idle, parts.wall);
    }
  }
});

test('stretches that follow each other add up to the whole', () => {
  for (let seed = 1; seed < 60; seed++) {
    const [work, next] = [device(seed), chance(seed * 7)];
    const parts = [];
    let from = -Infinity;
    for (let edge = 0; edge < LENGTH; edge += next(23)) {
      parts.push(partitionIn(work, WINDOW, { from, to: edge }));
      from = edge;
    }
    parts.push(partitionIn(work, WINDOW, { from, to: Infinity }));
    assert.deepEqual(addParts(parts), partitionIn(work, WINDOW, { from: -Infinity, to: Infinity }));
  }
});

test('busy time of spans that have no row is told apart, so that the parts still add up', () => {
  const nothing = { start: new Float64Array(), end: new Float64Array() };
  const parts = partitionIn({ rows: [], idle: nothing, classes: CLASSES }, WINDOW, { from: 0, to: 20 });
  assert.deepEqual([parts.wall, parts.idle, parts.unplaced], [10, 0, 10]);
});

test('steps of a stretch are those whose markers lie in it, phase by phase; cut ones are counted apart', () => {
  const step = (/** @type {string | null} */ phase, /** @type {number} */ from_ns, kept = true) => ({
    name: 'step', phase, batch: null, kept, from_ns, marker_ns: 10, wall_ns: 12, busy_ns: 8, idle_ns: 4, left_out: null, stretch_ns: /** @type {[number, number]} */ ([from_ns, from_ns + 10]), launch_calls: 1, kernels: 1, gpu_ns: 8,
  });
  const list = [step('decode', 0), step('prefill', 20), step('decode', 40), step('decode', 60, false), step(null, 80), step('decode', 100)];
  assert.deepEqual(stepsIn(list, 'step', { from: 5, to: 105 }), {
    cut: 2,
    groups: [
      { phase: 'prefill', count: 1, left_out: 0, wall: 12, busy: 8, idle: 4 },
      { phase: 'decode', count: 2, left_out: 1, wall: 12, busy: 8, idle: 4 },
      { phase: 'step', count: 1, left_out: 0, wall: 12, busy: 8, idle: 4 },
    ],
  });
  assert.deepEqual(stepsIn(list, 'step', { from: 10, to: 20 }), { cut: 0, groups: [] });
});
