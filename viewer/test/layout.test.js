import assert from 'node:assert/strict';
import { test } from 'node:test';
import { emptyDrawList, listBoxes } from '#viewer/logic/drawlist.js';
import { hitTest, runWeight } from '#viewer/logic/hit.js';
import { layOut } from '#viewer/logic/layout.js';
import { childrenOf, sequence } from '#viewer/logic/order.js';
import { placedAncestor, step } from '#viewer/logic/walk.js';
import { drawTree } from './fixture.js';

const TREE = 'm 0\n  a 10\n  b 5\n    c 20\nz 15';

/** @param {ReturnType<typeof drawTree>['tree']} tree */
function plainPaint(tree) {
  return {
    frame: tree.frame, bucket: new Uint8Array(tree.names.length), n_buckets: 1, faded: 0,
    matched: undefined, hits_before: undefined, rest: -1,
  };
}

const VIEW = { from: 0, to: 50, width: 500, height: 400, scroll: 0, row_height: 20, flip: false, first: 0 };

test('children fill their parent from the left, self is the rest', () => {
  const { tree, values } = drawTree(TREE);
  const layout = layOut(tree, values.total, undefined);
  assert.equal(layout.sum, 50);
  assert.deepEqual([...layout.level_start], [0, 1, 3, 5, 6]);
  assert.deepEqual([...layout.node], [0, 1, 5, 2, 3, 4]);
  assert.deepEqual([...layout.left], [0, 0, 35, 0, 10, 10]);
  assert.deepEqual([...layout.width], [50, 35, 15, 10, 25, 20]);
});

test('orders move siblings, never sums', () => {
  const { tree, values } = drawTree(TREE);
  const heavy = layOut(tree, values.total, sequence(tree, values.total, 'heavy'));
  assert.deepEqual([...heavy.node], [0, 1, 5, 3, 2, 4]);
  const name = layOut(tree, values.total, sequence(tree, values.total, 'name'));
  assert.deepEqual([...name.node], [0, 1, 5, 2, 3, 4]);
  assert.equal(name.sum, heavy.sum);
  assert.deepEqual(childrenOf(tree, 1), [2, 3]);
});

test('a frame without weight has no place, its caller stands in', () => {
  const { tree, values } = drawTree('a 3\n  b 0\n    c 0');
  const layout = layOut(tree, values.total, undefined);
  assert.equal(layout.place[3], -1);
  assert.equal(placedAncestor(tree, layout, 3), 1);
  assert.equal(placedAncestor(tree, layout, 99), 0);
});

test('boxes and runs together cover every frame in sight', () => {
  const lines = Array.from({ length: 4000 }, (_, i) => `f${i % 7} ${i % 400 === 0 ? 900 : 1}`);
  const { tree, values } = drawTree(lines.join('\n'));
  const layout = layOut(tree, values.total, undefined);
  const list = emptyDrawList(1);
  listBoxes(layout, { ...VIEW, to: layout.sum }, plainPaint(tree), list);
  let covered = 0;
  for (let i = 0; i < list.run_rows.length; i += 4) covered += (list.run_rows.data[i + 1] ?? 0) - (list.run_rows.data[i] ?? 0);
  covered += (list.boxes[0]?.length ?? 0) / 4;
  assert.equal(covered, tree.n);
  for (let i = 4; i < list.runs.length; i += 4) {
    const before = (list.runs.data[i - 4] ?? 0) + (list.runs.data[i - 2] ?? 0);
    assert.ok((list.runs.data[i] ?? 0) >= before || list.runs.data[i + 1] !== list.runs.data[i - 3], 'runs do not overlap');
  }
});

test('what is drawn is what the pointer finds', () => {
  const { tree, values } = drawTree(TREE);
  const layout = layOut(tree, values.total, undefined);
  const list = emptyDrawList(1);
  listBoxes(layout, VIEW, plainPaint(tree), list);
  assert.equal(hitTest(layout, VIEW, list, 5, 25)?.node, 1);
  assert.equal(hitTest(layout, VIEW, list, 400, 25)?.node, 5);
  assert.equal(hitTest(layout, VIEW, list, 150, 70)?.node, 4);
  assert.equal(hitTest(layout, VIEW, list, 50, 70), undefined);
  const flipped = { ...VIEW, flip: true };
  assert.equal(hitTest(layout, flipped, list, 5, 65)?.node, 0);
});

test('the pointer over a run learns all of it', () => {
  const { tree, values } = drawTree(Array.from({ length: 1000 }, (_, i) => `f${i} 1`).join('\n'));
  const layout = layOut(tree, values.total, undefined);
  const view = { ...VIEW, to: 1000, width: 100 };
  const list = emptyDrawList(1);
  listBoxes(layout, view, plainPaint(tree), list);
  const hit = hitTest(layout, view, list, 50, 25);
  assert.deepEqual(hit?.run, { from: 1, to: 1001 });
  assert.equal(hit?.run && runWeight(layout, hit.run), 1000);
});

test('keys walk to callers, heaviest callees and neighbours', () => {
  const { tree, values } = drawTree(TREE);
  const layout = layOut(tree, values.total, undefined);
  assert.equal(step(tree, layout, 0, 'callee'), 1);
  assert.equal(step(tree, layout, 1, 'callee'), 3);
  assert.equal(step(tree, layout, 2, 'right'), 3);
  assert.equal(step(tree, layout, 3, 'right'), 3);
  assert.equal(step(tree, layout, 4, 'caller'), 3);
  assert.equal(step(tree, layout, 0, 'caller'), 0);
});
