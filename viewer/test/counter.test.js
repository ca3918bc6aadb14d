import assert from 'node:assert/strict';
import { test } from 'node:test';
import { extremesOf, widen } from '#viewer/lib/extremes.js';
import { drawnOf, pending, rangeIn, valueAt } from '#viewer/logic/counter.js';
import { queueOf } from '#viewer/logic/queue.js';
import { eachShape } from '#viewer/draw/counters.js';

/** @typedef {import('#viewer/logic/counter.js').Counter} Counter */

/** The same numbers each time. @param {number} seed */
function chance(seed) {
  let state = seed;
  return (/** @type {number} */ below) => (state = (state * 1_103_515_245 + 12_345) % 2 ** 31) % below;
}

/** @param {Counter} counter */
const told = ({ time, value }) => [...time].map((at, i) => `${at}:${value[i]}`).join(' ');

/** @param {string} drawing a letter for each span, one character a ns @param {number} first */
function row(drawing, first) {
  const found = [...drawing.matchAll(/([a-z])\1*/g)];
  return {
    start: Float64Array.from(found, ({ index }) => index),
    end: Float64Array.from(found, ({ index, 0: text }) => index + text.length),
    frame: new Uint32Array(found.length), launch: /** @type {Uint32Array | undefined} */ (undefined), node: undefined, first,
    letters: found.map(({ 1: letter }) => letter ?? ''),
  };
}

/**
 * Streams of devices and threads, drawn: a span of a stream is launched by the call of its letter.
 * @param {{ streams: [number, string][], threads: string[][] }} drawing
 */
function draw({ streams, threads }) {
  let first = 0;
  const next = (/** @type {string} */ text) => {
    const one = row(text, first);
    first += one.start.length;
    return one;
  };
  const of_streams = streams.map(([, text]) => [next(text)]);
  const of_threads = threads.map((rows) => rows.map(next));
  /** @type {Map<string, number>} */
  const call = new Map(of_threads.flat().flatMap((one) => one.letters.map((letter, i) => [letter, one.first + i + 1])));
  for (const [stream] of of_streams) if (stream) stream.launch = Uint32Array.from(stream.letters, (letter) => call.get(letter) ?? 0);
  const lanes = [...streams.map(([device]) => ({ device })), ...threads.map(() => ({ device: null }))];
  return { chart: /** @type {any} */ ({ index: { lanes } }), rows: [...of_streams, ...of_threads] };
}

test('a launch is in the queue from its call until its work has ended', () => {
  const lanes = draw({ streams: [[0, '    aa bb   z']], threads: [['ab c']] });
  assert.equal(told(/** @type {Counter} */ (queueOf(lanes, 0))), '0:1 1:2 6:1 9:0');
});

test('a call that launched much is one, and ends with the last of it, on whatever stream', () => {
  const lanes = draw({ streams: [[0, '  aa bb aa'], [0, '  aaaaaaaaaaaa']], threads: [['ab']] });
  assert.equal(told(/** @type {Counter} */ (queueOf(lanes, 0))), '0:1 1:2 7:1 14:0');
});

test('each device has its own queue, filled by all threads; one that no launch is known of has none', () => {
  const lanes = draw({ streams: [[0, '   aa  ee'], [1, '    bbb'], [2, ' zz yy']], threads: [['xx', 'a  b'], ['  e']] });
  assert.deepEqual([0, 1].map((device) => told(/** @type {Counter} */ (queueOf(lanes, device)))), ['0:1 2:2 5:1 9:0', '3:1 7:0']);
  assert.equal(queueOf(lanes, 2), undefined);
});

test('work that ends before its launch begins counts as nothing, and never as less', () => {
  assert.equal(told(pending(Float64Array.of(5, 6), Float64Array.of(2, 9))), '6:1 9:0');
});

test('what ends when the next begins leaves room for it', () => {
  assert.equal(told(pending(Float64Array.of(0, 4), Float64Array.of(4, 8))), '0:1 8:0');
});

test('the queue is at every instant what counting gives', () => {
  const draws = chance(3);
  const begins = Float64Array.from({ length: 500 }, () => draws(4000)).sort();
  const ends = begins.map((begin) => begin + 1 + draws(300)).sort();
  const counter = pending(begins, ends);
  for (let at = -2; at < 4400; at++) {
    const slow = begins.filter((begin) => begin <= at).length - ends.filter((end) => end <= at).length;
    assert.equal(valueAt(counter, at), slow, `at ${at}`);
  }
});

test('the extremes of any part are those of all its values', () => {
  const draws = chance(11);
  for (const n of [1, 15, 16, 17, 256, 257, 5000]) {
    const column = Uint32Array.from({ length: n }, () => draws(1000));
    const extremes = extremesOf(column);
    for (let k = 0; k < 200; k++) {
      const from = draws(n);
      const to = from + 1 + draws(n - from);
      const range = { least: Infinity, most: 0 };
      widen(extremes, from, to, range);
      const part = column.subarray(from, to);
      assert.deepEqual(range, { least: Math.min(...part), most: Math.max(...part) }, `${from} to ${to} of ${n}`);
    }
  }
});

/** Least and most of each pixel. @param {Counter} counter @param {number} from @param {number} to @param {number} width */
function pixels(counter, from, to, width) {
  const { columns: { data, length }, most } = drawnOf(counter, { from, to, width });
  const all = [];
  for (let i = 0; i < length; i += 4) {
    assert.equal(data[i], all.length, 'columns follow each other');
    for (let x = 0; x < (data[i + 1] ?? 0); x++) all.push([data[i + 2], data[i + 3]]);
  }
  return { all, most };
}

test('each pixel shows the least and the most of its time, near and far', () => {
  const draws = chance(5);
  const begins = Float64Array.from({ length: 3000 }, () => draws(65_536)).sort();
  const counter = pending(begins, begins.map((begin) => begin + 1 + draws(800)).sort());
  for (const [from, to, width] of /** @type {const} */ ([[0, 65_536, 64], [-4096, 69_632, 288], [30_000, 30_512, 512], [30_000, 30_032, 512], [30_000, 30_004, 1024]])) {
    const { all, most } = pixels(counter, from, to, width);
    assert.equal(all.length, width);
    const per_pixel = (to - from) / width;
    const slow = all.map((_, x) => {
      const [start, end] = [from + x * per_pixel, from + (x + 1) * per_pixel];
      const values = [valueAt(counter, start)];
      for (let at = Math.floor(start) + 1; at < end; at++) values.push(valueAt(counter, at));
      return [Math.min(...values), Math.max(...values)];
    });
    assert.deepEqual(all, slow, `${from} to ${to}`);
    assert.equal(most, Math.max(...slow.map(([, high = 0]) => high)));
    const range = rangeIn(counter, from, to);
    assert.equal(range.most, most);
  }
});

test('a queue that runs dry leaves its line alone; a single launch is to be seen beside a thousand', () => {
  const columns = { data: Float64Array.of(0, 3, 0, 0, 3, 1, 1, 1, 4, 1, 0, 1000, 0, 0, 0, 0), length: 12 };
  /** @type {number[][]} */
  const shapes = [];
  eachShape({ y: 40, most: 1000, columns }, 5, (x, y, width, height) => shapes.push([x, y, width, height]));
  const floor = shapes[0]?.[1] ?? 0;
  assert.deepEqual(shapes.slice(1).map(([x, , , height]) => [x, height]), [[3, 2], [4, floor - 40], [3, 2]]);
  assert.ok(shapes.slice(1).every(([, y = 0, , height = 0]) => y + height === floor));
});
