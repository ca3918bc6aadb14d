import assert from 'node:assert/strict';
import { test } from 'node:test';
import { csv } from '#viewer/logic/export-csv.js';
import { foldedText, pprof } from '#viewer/logic/export-stacks.js';
import { boxShapes, svg } from '#viewer/draw/svg.js';
import { floats, push4 } from '#viewer/lib/floats.js';
import { message, numberField, numbersField, textField } from '#viewer/lib/protobuf.js';
import { goldenProfile } from './fixture.js';

/** @param {string} weight */
async function stacks(weight, top = 0) {
  const profile = goldenProfile();
  const [tree, { self }] = await Promise.all([profile.tree(), profile.values(weight)]);
  return { tree, self, top, weight, unit: 'ns' };
}

test('folded lines sum to the weight; those of a focus to its total, with the frames above it', async () => {
  for (const weight of ['gpu', 'idle']) {
    const whole = await stacks(weight);
    const sum = (/** @type {string} */ text) => text.trim().split('\n').reduce((all, line) => all + Number(line.slice(line.lastIndexOf(' ') + 1)), 0);
    const total = whole.self.reduce((all, value) => all + value, 0);
    assert.equal(sum(foldedText(whole)), total);
    const lines = foldedText(whole).trim().split('\n');
    assert.deepEqual(lines, [...lines].sort());
    const below = foldedText({ ...whole, top: 1 }).trim().split('\n');
    assert.ok(below.every((line) => lines.includes(line)));
  }
});

test('fractions are saved as the whole numbers that they are multiples of', async () => {
  const { tree, self, weight, unit } = await stacks('gpu');
  const thousandths = { tree, self: self.map((value) => value / 1000), top: 0, weight, unit, decimals: 3 };
  const [whole, parts] = [foldedText({ ...thousandths, self, decimals: 0 }), foldedText(thousandths)];
  const values = (/** @type {string} */ text) => text.trim().split('\n').map((line) => Number(line.slice(line.lastIndexOf(' ') + 1)));
  assert.deepEqual(values(parts), values(whole).map((value) => value / 1000));
  const [bytes, plain] = [pprof(thousandths), pprof({ ...thousandths, self, decimals: 0 })].map((made) => Buffer.from(made));
  assert.ok(bytes?.includes('nanoseconds/1000'));
  assert.equal(bytes?.length, (plain?.length ?? 0) + '/1000'.length);
});

test('a message of numbers and texts is the bytes that the format asks for', () => {
  assert.deepEqual([...numberField(1, 150)], [8, 150, 1]);
  assert.deepEqual([...numberField(2, -1)], [16, ...Array(9).fill(255), 1]);
  assert.deepEqual([...numberField(1, 2 ** 40)], [8, 128, 128, 128, 128, 128, 32]);
  assert.deepEqual([...textField(2, 'hé')], [18, 3, 104, 195, 169]);
  assert.deepEqual([...numbersField(4, [3, 270])], [34, 3, 3, 142, 2]);
  assert.equal(message([]).length, 0);
});

test('pprof names every frame once and has one sample a stack with a value', async () => {
  const all = await stacks('gpu');
  const bytes = pprof(all);
  const fields = [...top(bytes)];
  const count = (/** @type {number} */ field) => fields.filter(([number]) => number === field).length;
  const owning = all.self.filter((value) => value !== 0).length;
  assert.equal(count(2), owning);
  assert.equal(count(4), count(5));
  assert.equal(fields.find(([number]) => number === 6)?.[1].length, 0, 'the first text is empty');
});

/** The length-delimited fields of a message. @param {Uint8Array} bytes @returns {Generator<[number, Uint8Array]>} */
function* top(bytes) {
  let at = 0;
  const varint = () => {
    let [value, scale] = [0, 1];
    for (;; scale *= 128) {
      const byte = bytes[at++] ?? 0;
      value += (byte & 127) * scale;
      if (byte < 128) return value;
    }
  };
  while (at < bytes.length) {
    const key = varint();
    if (key % 8 === 2) {
      const length = varint();
      yield [key >> 3, bytes.subarray(at, (at += length))];
    } else varint();
  }
}

test('a table as CSV quotes what would break a line or a column', () => {
  const columns = [{ title: 'name', value: (/** @type {string} */ row) => row }, { title: 'n', value: () => 7 }];
  assert.equal(csv(columns, ['a,b', 'say "x"', 'two\nlines', 'plain']), 'name,n\n"a,b",7\n"say ""x""",7\n"two\nlines",7\nplain,7\n');
});

test('a picture holds any name as text', () => {
  const list = floats();
  push4(list, 1, 2, 30, 5);
  const palette = { pixels: [], fill: ['red'], ink: [''], ground: 'white', text: 'black', accent: '', hatch: 'grey', bar: '' };
  const shapes = boxShapes([list], palette, (row) => `<script>&"${row}\u0000\ud800`);
  const text = svg({ width: 100, height: 20, title: '</title><x>', subtitle: '', shapes }, palette);
  assert.ok(!text.includes('<script>') && !text.includes('</title><x>'));
  assert.ok(text.includes('&lt;script&gt;&amp;&quot;5\ufffd\ufffd'), text);
});
