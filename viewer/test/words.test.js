import assert from 'node:assert/strict';
import { test } from 'node:test';
import { formatBytes, formatCount, formatMs, formatShare, formatTime, tie } from '#viewer/lib/units.js';
import { mergeAlike } from '#viewer/logic/alike.js';
import { shorter } from '#viewer/logic/names.js';
import { commonCaller, findAlike, findPath, folded, userFrame } from '#viewer/logic/stack.js';
import { fromHash, toHash } from '#viewer/state/url.js';
import { INITIAL } from '#viewer/state/view-state.js';
import { drawTree } from './fixture.js';

const plain = (/** @type {string} */ text) => text.replaceAll('\u202f', ' ');

test('numbers have a unit and three figures', () => {
  const times = [0, 7, 999.9, 1500, 418_000, 3_020_000_000].map((ns) => plain(formatTime(ns)));
  assert.deepEqual(times, ['0 ns', '7.00 ns', '1.00 µs', '1.50 µs', '418 µs', '3.02 s']);
  assert.equal(plain(formatMs(12_345_678)), '12.35 ms');
  assert.equal(plain(formatBytes(1536)), '1.50 KiB');
  assert.equal(plain(formatCount(217381)), '217 381');
  assert.deepEqual([0.641, 0.0003, 0.00001, 0].map((share) => plain(formatShare(share))), ['64.1 %', '0.03 %', '< 0.01 %', '0 %']);
  assert.equal(tie('5.3 ms of 6 steps, 42 % of it'), '5.3\u00a0ms of 6 steps, 42\u00a0% of it');
});

test('names get shorter and stay telling', () => {
  assert.deepEqual(shorter('a/b/core.py(21): step'), ['a/b/core.py(21): step', 'step · core.py:21', 'step']);
  assert.equal(shorter('void at::native::(anonymous namespace)::soft<4, A<int>>(float*)').pop(), 'soft');
  assert.equal(shorter('void cutlass::Kernel2<cutlass_80_tensorop_bf16_s16816gemm_bf16_128x64_x>(P)').pop(), 's16816gemm_bf16_128x64');
  assert.equal(shorter('nn.Module: Mlp_3').pop(), 'Mlp_3');
  assert.deepEqual(shorter('plain'), ['plain']);
});

test('a path is found, also below a thread and beyond the tree', () => {
  const { tree } = drawTree('thread\n  a\n    b 1\n  c\n    b 2');
  assert.equal(findPath(tree, ['thread', 'c', 'b']), 5);
  assert.equal(findPath(tree, ['c', 'b']), 5);
  assert.equal(findPath(tree, ['a', 'b', 'gone']), 3);
  assert.equal(findPath(tree, ['nowhere']), 0);
  assert.equal(folded(tree, 5), 'thread;c;b');
});

test('stacks alike are found together, with the caller they share', () => {
  const { tree } = drawTree('thread\n  a\n    L_0\n      k 1\n    L_1\n      k 2\n  b\n    L_0\n      k 4');
  tree.names.forEach((name, i) => (tree.names[i] = name.replace(/^L/, 'nn.Module: L')));
  assert.deepEqual(findAlike(tree, ['thread', 'a', 'nn.Module: L_1', 'k']), [4, 6]);
  assert.deepEqual(findAlike(tree, ['a', 'nn.Module: L_1', 'k']), [4, 6]);
  assert.equal(commonCaller(tree, [4, 6]), 2);
  assert.equal(commonCaller(tree, [4]), 4);
  assert.deepEqual(findAlike(tree, ['nowhere']), []);
});

test('the user frame is the innermost of their own code', () => {
  const { tree } = drawTree('train.py(1):main\n  torch/nn/module.py(5):call\n    mm 1');
  tree.kinds.fill(1);
  assert.equal(userFrame(tree, 2), 1);
});

test('the state survives the URL, strange hashes do not break it', () => {
  assert.equal(toHash(INITIAL), '');
  const state = { ...INITIAL, view: /** @type {const} */ ('flame'), weight: 'idle', focus: 12, search: '/a&b=#/', dim: ['op', 'comm'], flip: true };
  assert.deepEqual(fromHash(toHash(state)), state);
  assert.deepEqual(fromHash('#view=nothing&focus=x&order=up&group=1'), { ...INITIAL });
});

test('stacks that differ by a module number are one row', () => {
  /** @param {string} module @param {number} ns */
  const row = (module, ns) => ({ name: 'gemm', kind: 'kernel', detail: 'mm', user_frame: null, stack: ['m', module, 'gemm'], ns, per_step_ns: ns, count: 1, n_alike: 1 });
  const merged = mergeAlike([row('nn.Module: L_0', 5), row('nn.Module: L_1', 7), row('other_1', 20)]);
  assert.deepEqual(merged.map(({ ns, n_alike }) => [ns, n_alike]), [[20, 1], [12, 2]]);
});
