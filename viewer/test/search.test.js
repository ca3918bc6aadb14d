import assert from 'node:assert/strict';
import { test } from 'node:test';
import { KINDS } from '#viewer/lib/color.js';
import { layOut } from '#viewer/logic/layout.js';
import { hitsInOrder, matcher, search } from '#viewer/logic/search.js';
import { sortRows, tabulate } from '#viewer/logic/table.js';
import { drawTree, golden, goldenProfile } from './fixture.js';

/** @param {string} text */
function testOf(text) {
  const test = matcher(text);
  if (typeof test !== 'function') throw new Error(`no matcher for ${text}`);
  return test;
}

test('a search finds exactly what the slow way finds', async () => {
  const profile = goldenProfile();
  const [tree, values] = [await profile.tree(), await profile.values('gpu')];
  for (const expected of golden.searches) {
    const found = search(tree, values.self, values.total, testOf(expected.text));
    assert.equal(found.total, expected.total, expected.text);
    assert.equal(found.self, expected.self, expected.text);
    assert.equal(found.below[0], expected.total, 'the root carries all of it');
  }
});

test('the table counts recursion once', async () => {
  const profile = goldenProfile();
  const [tree, values] = [await profile.tree(), await profile.values('gpu')];
  const rows = sortRows(tabulate(tree, values, undefined, 'function'), 'name', false);
  const plain = rows.map(({ name, kind, self, total }) => ({ name, kind: KINDS[kind], self, total }));
  /** @param {{ name: string }} a @param {{ name: string }} b */
  const byName = (a, b) => (a.name < b.name ? -1 : 1);
  assert.deepEqual(plain.sort(byName), golden.table.toSorted(byName));
});

test('kinds add up to everything', async () => {
  const profile = goldenProfile();
  const [tree, values] = [await profile.tree(), await profile.values('gpu')];
  const rows = tabulate(tree, values, undefined, 'kind');
  assert.equal(rows.reduce((sum, row) => sum + row.self, 0), values.total[0]);
});

test('families add up to all kernels, under every weight', async () => {
  const profile = goldenProfile();
  const tree = await profile.tree();
  for (const { weight } of profile.index.columns) {
    const values = await profile.values(weight);
    const inFamily = (/** @type {number} */ node) => (tree.families?.of[tree.frame[node] ?? 0] ?? 0) > 0;
    let sum = 0;
    for (let node = 0; node < tree.n; node++) if (inFamily(node)) sum += values.self[node] ?? 0;
    const rows = tabulate(tree, values, undefined, 'family');
    assert.equal(rows.reduce((all, { self }) => all + self, 0), sum, weight);
    if (weight === 'gpu') assert.ok(sum > 0 && rows.some(({ name }) => name === 'gemm'));
  }
});

test('small letters match all, capitals only themselves', () => {
  assert.ok(testOf('mm')('aten::MM'));
  assert.ok(!testOf('MM')('aten::mm'));
  assert.ok(testOf('/^aten::m+$/')('aten::mm'));
  assert.ok(!testOf('/a.b/')('a+'));
  assert.equal(matcher(''), undefined);
  assert.equal(typeof matcher('/(/'), 'string');
});

test('a match inside a match is not counted again', () => {
  const { tree, values } = drawTree('a 1\n  b 2\n    a 4\nc 8\n  a 16');
  const found = search(tree, values.self, values.total, testOf('a'));
  assert.equal(found.total, 1 + 2 + 4 + 16);
  assert.equal(found.self, 1 + 4 + 16);
  assert.equal(found.n_frames, 3);
});

test('matches are walked from left to right', () => {
  const { tree, values } = drawTree('x 1\n  hit 5\nhit 2\n  hit 1');
  const layout = layOut(tree, values.total, undefined);
  const found = search(tree, values.self, values.total, testOf('hit'));
  assert.deepEqual([...hitsInOrder(tree, layout, found)], [2, 3, 4]);
});
