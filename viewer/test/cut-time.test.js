import assert from 'node:assert/strict';
import { test } from 'node:test';
import { addCount, addFirst, addStarts, addTime } from '#viewer/logic/cut-time.js';

/** A small generator with a seed: the same spans in every run. @param {number} seed */
function chance(seed) {
  let state = seed;
  return (/** @type {number} */ below) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state % below;
  };
}

/**
 * Spans by time, none overlapping, some without length, some without a gap between them.
 * @param {number} seed
 * @param {number} n
 */
function spans(seed, n) {
  const next = chance(seed);
  const [start, end] = [new Float64Array(n), new Float64Array(n)];
  let at = -50;
  for (let i = 0; i < n; i++) {
    start[i] = at + next(4);
    end[i] = at = /** @type {number} */ (start[i]) + next(9);
  }
  const node = Uint32Array.from(start, () => next(5));
  const frame = Uint32Array.from(start, () => next(3));
  return { start, end, node, frame, launch: undefined, first: 0 };
}

const WHOLE = { from: -1e9, to: 1e9 };

/**
 * Adds up stretches that follow each other.
 * @param {(self: Float64Array, stretch: { from: number, to: number }) => void} add
 * @param {number} seed
 */
function inPieces(add, seed) {
  const next = chance(seed);
  const self = new Float64Array(5);
  let from = WHOLE.from;
  for (let edge = -60; edge < 400; edge += next(13)) {
    add(self, { from, to: edge });
    from = edge;
  }
  add(self, { from, to: WHOLE.to });
  return self;
}

test('stretches that follow each other add up to the whole, for every node', () => {
  for (let seed = 1; seed < 40; seed++) {
    const row = spans(seed, 60);
    const node = (/** @type {number} */ i) => (row.node[i] || 0) - 1;
    for (const add of [addTime, addStarts]) {
      const whole = new Float64Array(5);
      add(whole, row, node, WHOLE);
      assert.deepEqual(inPieces((self, stretch) => add(self, row, node, stretch), seed * 7), whole);
    }
  }
});

test('the whole is the sum of the lengths, by node, and nothing for spans without one', () => {
  const row = { start: Float64Array.of(0, 10, 10), end: Float64Array.of(8, 10, 13) };
  const self = new Float64Array(3);
  addTime(self, row, (i) => [1, 2, -1][i] ?? -1, WHOLE);
  assert.deepEqual([...self], [0, 8, 0]);
});

test('a span across an edge counts with the part inside, and once on either side', () => {
  const row = { start: Float64Array.of(0, 20), end: Float64Array.of(10, 30) };
  const [time, count] = [new Float64Array(1), new Float64Array(1)];
  addTime(time, row, () => 0, { from: 7, to: 22 });
  addCount(count, row, () => 0, { from: 7, to: 22 });
  assert.deepEqual([time[0], count[0]], [5, 2]);
  addCount(count, row, () => 0, { from: 10, to: 20 });
  assert.equal(count[0], 2);
});

test('the first of each node is where its earliest part in the stretch begins', () => {
  const row = { start: Float64Array.of(0, 20, 40), end: Float64Array.of(10, 30, 50) };
  const first = new Float64Array(3).fill(Infinity);
  addFirst(first, row, (i) => [0, 1, 0][i] ?? -1, { from: 7, to: 45 });
  assert.deepEqual([...first], [7, 20, Infinity]);
});
