import assert from 'node:assert/strict';
import { test } from 'node:test';
import { KINDS } from '#viewer/lib/color.js';
import { partsByEnd } from '#viewer/logic/parts.js';
import { functionsIn, rowsOfParts, waysTo } from '#viewer/logic/split.js';
import { tabulate } from '#viewer/logic/table.js';
import { drawTree, goldenProfile } from './fixture.js';

/** @import { Row } from '#viewer/logic/table.js' */

const sum = (/** @type {readonly Row[]} */ rows, /** @type {'self' | 'total' | 'calls'} */ figure) => rows.reduce((all, row) => all + row[figure], 0);

/**
 * A drawn tree of which each name tells the kind: `op:mm`, `module:Layer_0`; all others are kernels.
 * @param {string} drawing
 */
function drawKinds(drawing) {
  const { tree, values } = drawTree(drawing);
  const kinds = Uint8Array.from(tree.names, (name) => KINDS.findIndex((kind) => kind === (/^(\w+):/.exec(name)?.[1] ?? 'kernel')));
  const names = tree.names.map((name) => name.replace('module:', 'nn.Module: ').replace(/^(op|python|runtime):/, ''));
  return { tree: { ...tree, kinds, names }, values };
}

test('the ways to each function add up to its row, under every weight, also of one that calls itself', async () => {
  const profile = goldenProfile();
  const tree = await profile.tree();
  let n_ways = 0;
  for (const { weight } of profile.index.columns) {
    const values = await profile.values(weight);
    for (const row of tabulate(tree, values, undefined, 'function')) {
      const ways = waysTo(tree, values, undefined, row);
      n_ways += ways.length;
      assert.deepEqual([sum(ways, 'self'), sum(ways, 'total')], [row.self, row.total], `${weight} ${row.name}`);
      assert.ok(ways.every((way) => way.of === row));
    }
  }
  assert.ok(n_ways > 20, `${n_ways} ways`);
});

test('a way is the operator and the own code above, whatever lies between', () => {
  const { tree, values } = drawKinds('python:mine.py(3):_f 0\n  op:aten::mm 0\n    runtime:launch 0\n      gemm 5\n  op:aten::add 0\n    gemm 1\npython:torch/nn.py(1):_g 0\n  gemm 2');
  const row = tabulate(tree, values, undefined, 'function').find(({ name }) => name === 'gemm');
  assert.ok(row);
  const ways = waysTo(tree, values, Float64Array.from(tree.frame, () => 1), row);
  assert.deepEqual(ways.map(({ name, self, total, calls }) => [name, self, total, calls]), [
    ['aten::mm · mine.py(3):_f', 5, 5, 1], ['torch/nn.py(1):_g', 2, 2, 1], ['aten::add · mine.py(3):_f', 1, 1, 1],
  ]);
});

test('all layers of a kind are one module: self is what no module inside has, and what none has is left over', () => {
  const { tree, values } = drawKinds('module:Model_0 1\n  module:Layer_0 0\n    gemm 4\n  module:Layer_1 2\n    module:Norm_3 0\n      gemm 1\n    module:Layer_7 0\n      gemm 8\ngemm 9');
  const rows = tabulate(tree, values, undefined, 'module');
  assert.deepEqual(rows.map(({ name, self, total }) => [name, self, total]), [['nn.Module: Model', 1, 16], ['nn.Module: Layer', 14, 15], ['nn.Module: Norm', 1, 1]]);
  const parts = partsByEnd(tree, values.self, 'module');
  const outside = rowsOfParts(parts).filter(({ name }) => !rows.some((row) => row.name === name));
  assert.deepEqual(outside.map(({ name, self }) => [name, self]), [['outside modules', 9]]);
  assert.equal(sum([...rows, ...outside], 'self'), values.total[0]);
  for (const part of parts) {
    const row = [...rows, ...outside].find(({ name }) => name === part.name);
    assert.ok(row);
    assert.equal(sum(functionsIn(tree, part, row), 'self'), row.self, part.name);
  }
});
