import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readVarints, undoZigzag } from '#viewer/data/varint.js';
import { nameOf, pathTo } from '#viewer/logic/stack.js';
import { golden, goldenProfile } from './fixture.js';

test('the tree is the one the writer had', async () => {
  const tree = await goldenProfile().tree();
  assert.equal(tree.n, golden.stacks.length);
  for (let node = 0; node < tree.n; node++) {
    const names = pathTo(tree, node).slice(1).map((i) => nameOf(tree, i));
    assert.equal(names.join(';'), golden.stacks[node]);
  }
});

test('totals agree to the last unit, beyond 32 bits too', async () => {
  const profile = goldenProfile();
  for (const [weight, totals] of Object.entries(golden.totals)) {
    const { total } = await profile.values(weight);
    assert.deepEqual([...total], totals);
    assert.equal(total[0], golden.index.columns.find((column) => column.weight === weight)?.sum);
  }
});

test('a weight that is not there is nothing everywhere', async () => {
  const { total } = await goldenProfile().values('copies');
  assert.ok(total.every((value) => value === 0));
});

test('long and negative numbers come back', () => {
  const bytes = Uint8Array.from([0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x01, 0x03, 0x02]);
  assert.deepEqual([...readVarints(bytes, new Float64Array(3))], [2 ** 42, 3, 2]);
  assert.deepEqual([...undoZigzag(Float64Array.of(0, 1, 2, 3))], [0, -1, 1, -2]);
});
