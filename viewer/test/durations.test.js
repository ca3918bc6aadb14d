import assert from 'node:assert/strict';
import { test } from 'node:test';
import { durationsOf } from '#viewer/logic/durations.js';

/** @param {[number, number, number, number?][]} spans start, end, frame, row of the profile of a device span */
function row(spans) {
  const of = (/** @type {number} */ i) => spans.map((span) => span[i] ?? 0);
  const node = spans[0]?.[3] === undefined ? undefined : Uint32Array.from(of(3));
  return { start: Float64Array.from(of(0)), end: Float64Array.from(of(1)), frame: Uint32Array.from(of(2)), node, launch: undefined, first: 0 };
}

const frames = { names: ['gemm', 'forward', 'gemm'], kinds: Uint8Array.of(6, 1, 1) };
const DAY = [{ from: -1e15, to: 1e15 }];

test('the figures are the lower ones of two, as the command line has them', () => {
  const durations = durationsOf(frames, [row([[0, 4, 1], [4, 5, 1], [5, 8, 1], [8, 10, 1]])], DAY, undefined);
  assert.deepEqual(durations.of(1, 'forward'), { n: 4, p50: 2, p99: 3, max: 4 });
});

test('a name of two kinds is two functions; what has no span has no figures', () => {
  const durations = durationsOf(frames, [row([[0, 9, 0, 3]]), row([[0, 2, 2]])], DAY, undefined);
  assert.equal(durations.of(6, 'gemm')?.max, 9);
  assert.equal(durations.of(1, 'gemm')?.max, 2);
  assert.equal(durations.of(1, 'forward'), undefined);
  assert.equal(durations.of(2, 'nothing'), undefined);
});

test('device spans that the window does not select do not count, host spans count where they start', () => {
  const device = row([[0, 5, 0, 0], [5, 7, 0, 2], [50, 53, 0, 2]]);
  const host = row([[0, 30, 1], [31, 32, 1]]);
  const pieces = [{ from: 10, to: 40 }];
  const whole = durationsOf(frames, [device, host], pieces, undefined);
  assert.deepEqual([whole.of(6, 'gemm')?.n, whole.of(6, 'gemm')?.max, whole.of(1, 'forward')?.n], [2, 3, 1]);
  const narrowed = durationsOf(frames, [device, host], pieces, pieces[0]);
  assert.equal(narrowed.of(6, 'gemm'), undefined);
});
