import assert from 'node:assert/strict';
import { test } from 'node:test';
import { formatInstant, ticks } from '#viewer/logic/ruler.js';
import { emptySpanList, firstEndingAfter, listSpans, spanAt } from '#viewer/logic/span-list.js';

/** A row drawn with a letter for each span, one character a ns. @param {string} drawing */
function row(drawing) {
  const found = [...drawing.matchAll(/([a-z])\1*/g)];
  return {
    start: Float64Array.from(found, ({ index }) => index),
    end: Float64Array.from(found, ({ index, 0: text }) => index + text.length),
    frame: new Uint32Array(found.length), launch: undefined, node: undefined, first: 0,
  };
}

/** @param {import('#viewer/lib/floats.js').Floats} column */
const fours = ({ data, length }) => Array.from({ length: length / 4 }, (_, i) => [...data.subarray(4 * i, 4 * i + 4)]);

/** @param {import('#viewer/data/chart.js').Row} one @param {number} from @param {number} to @param {number} width @param {'spans' | 'idle'} [kind] */
function list(one, from, to, width, kind = 'spans') {
  const out = emptySpanList(1);
  listSpans([{ kind, lane: 0, depth: 0, row: one, top: 0 }], { from, to, width, height: 100, scroll: 0 }, new Uint8Array(1), out);
  return out;
}

test('a span of a pixel and more is a box, cut at the edges of what is on show', () => {
  const { boxes, columns } = list(row('aaaa  bbbb'), 2, 8, 60);
  assert.deepEqual(fours(boxes[0] ?? { data: new Float64Array(), length: 0 }), [[0, 0, 20, 0], [40, 0, 20, 1]]);
  assert.equal(columns[0]?.length, 0);
});

test('narrow spans are columns that know how much of them is covered', () => {
  // Four ns a pixel: half of the first is covered, nothing of the second, all of the third.
  const { columns } = list(row('a b     abab'), 0, 12, 3);
  assert.deepEqual(fours(columns[0] ?? { data: new Float64Array(), length: 0 }), [[0, 0, 1, 0.5], [2, 0, 1, 1]]);
});

test('a long row costs no more than its pixels, and stays exact', () => {
  const drawing = 'ab  '.repeat(5000);
  const { columns } = list(row(drawing), 0, drawing.length, 100);
  assert.deepEqual(fours(columns[0] ?? { data: new Float64Array(), length: 0 }), [[0, 0, 100, 0.5]]);
});

test('idle pieces go their own way', () => {
  const { gaps, thin, boxes } = list(row('aaaa bb'), 0, 8, 8, 'idle');
  assert.deepEqual(fours(gaps), [[0, 0, 4, 0], [5, 0, 2, 1]]);
  assert.equal(thin.length + (boxes[0]?.length ?? 0), 0);
});

test('a point finds its span, and where spans are narrow the nearest', () => {
  const one = row('aa   b');
  assert.deepEqual([spanAt(one, 1, 0), spanAt(one, 3, 0), spanAt(one, 4, 1.5), spanAt(one, 9, 1)], [0, -1, 1, -1]);
  assert.deepEqual([firstEndingAfter(one, 0), firstEndingAfter(one, 2), firstEndingAfter(one, 6)], [0, 1, 2]);
});

test('the axis has round marks with as many decimals as tell them apart', () => {
  const { step, marks } = ticks(1_234_000, 1_834_000, 6);
  assert.deepEqual([step, marks], [100_000, [1_300_000, 1_400_000, 1_500_000, 1_600_000, 1_700_000, 1_800_000]]);
  assert.equal(formatInstant(1_300_000, step, 1_834_000), '1.3\u202fms');
  assert.equal(formatInstant(0, 1, 900), '0\u202fns');
  assert.deepEqual(ticks(5, 5.5, 10), { step: 1, marks: [5] });
});

test('what a row shows is kept for the same stretch alone, and for the same colours', () => {
  const one = row('aaaa  bbbb c d');
  const all = (/** @type {ReturnType<typeof list>} */ { boxes, columns }) => [...boxes, ...columns].map(fours);
  const first = all(list(one, 0, 14, 7));
  assert.deepEqual(all(list(one, 0, 14, 7)), first);
  assert.notDeepEqual(all(list(one, 2, 14, 7)), first);
  assert.deepEqual(all(list(one, 0, 14, 7)), first);
  const out = emptySpanList(2);
  listSpans([{ kind: 'spans', lane: 0, depth: 0, row: one, top: 40 }], { from: 0, to: 14, width: 7, height: 100, scroll: 10 }, Uint8Array.of(1), out);
  assert.deepEqual(fours(out.boxes[1] ?? { data: new Float64Array(), length: 0 }).map(([x, y, width]) => [x, y, width]), [[0, 30, 2], [3, 30, 2]]);
});
