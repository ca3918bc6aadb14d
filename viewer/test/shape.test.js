import assert from 'node:assert/strict';
import { test } from 'node:test';
import { KINDS } from '#viewer/lib/color.js';
import { totals } from '#viewer/data/profile.js';
import { divide } from '#viewer/logic/divide.js';
import { invert } from '#viewer/logic/invert.js';
import { sequence } from '#viewer/logic/order.js';
import { partsByEnd, partsOf } from '#viewer/logic/parts.js';
import { indexSteps, valuesByPhase } from '#viewer/logic/phases.js';
import { foldRecursion } from '#viewer/logic/recursion.js';
import { nameOf } from '#viewer/logic/stack.js';
import { drawTree } from './fixture.js';

/**
 * @param {import('#viewer/data/tree.js').Tree} tree
 * @param {Float64Array} self
 */
const drawn = (tree, self) => Array.from(totals(tree, self), (total, i) => `${'  '.repeat(tree.depth[i] ?? 0)}${nameOf(tree, i)} ${total}`);

test('a function that calls itself is one frame, with what all its instances call', () => {
  const { tree, values } = drawTree('f 1\n  f 2\n    g 3\n    f 4\n  g 5\n    f 6\nh 7');
  const folded = foldRecursion({ tree, self: values.self, calls: Float64Array.of(0, 1, 1, 2, 4, 8, 16, 32) });
  assert.deepEqual(drawn(folded.tree, folded.self), ['all 28', '  f 21', '    g 14', '      f 6', '  h 7']);
  assert.deepEqual([...folded.calls ?? []], [0, 6, 10, 16, 32], 'every entry counts');
});

test('turned over, every function has its self weight, and callers add up to what they called', () => {
  const { tree, values } = drawTree('a 1\n  k 2\n  b 0\n    k 3\nk 4');
  const { tree: up, values: turned } = invert(tree, values.self, values.total, false);
  assert.deepEqual(drawn(up, turned.self), ['all 10', '  k 9', '    b 3', '      a 3', '    a 2', '  a 1']);
});

test('parts add up to the whole, and stay apart when turned over', () => {
  const { tree, values } = drawTree('m 0\n  nn.Module:_L_0 1\n    k 2\n  nn.Module:_L_1 0\n    k 3\n  k 4');
  const names = tree.names.map((name) => name.replace('nn.Module:_', 'nn.Module: '));
  const kinds = Uint8Array.from(names, (name) => KINDS.indexOf(name.startsWith('nn.Module') ? 'module' : 'python'));
  const named = { ...tree, names, kinds };
  const { tree: divided, self } = divide({ tree: named }, partsByEnd(named, values.self, 'module'));
  assert.deepEqual(drawn(divided, self), ['all 10', '  nn.Module: L 6', '    m 6', '      nn.Module: L_0 3', '        k 2',
    '      nn.Module: L_1 3', '        k 3', '  outside modules 4', '    m 4', '      k 4']);
  const up = invert(divided, self, totals(divided, self), true);
  assert.equal(up.values.total[0], 10);
  assert.deepEqual(drawn(up.tree, up.values.self).filter((line) => /^ {2,4}\S/.test(line)), ['  nn.Module: L 6', '    k 5', '    nn.Module: L_0 1', '  outside modules 4', '    k 4']);
});

test('what none of the parts has is the last one, and a stack that was dropped is in none', () => {
  const { tree, values } = drawTree('a 1\n  k 4\n  l 0\nb 3');
  const parts = partsOf(values.self);
  parts.add('stream 7', Float64Array.of(0, 0, 3, 5, 0));
  parts.add('stream 9', Float64Array.of(0, 0, 1, 0, 3));
  parts.add('stream 13', new Float64Array(5));
  const { tree: divided, self } = divide({ tree }, parts.all('on no stream'));
  assert.deepEqual(drawn(divided, self), ['all 8', '  stream 9 4', '    a 1', '      k 1', '    b 3', '  stream 7 3', '    a 3', '      k 3',
    '  on no stream 1', '    a 1']);
});

test('in the order of time, what is seen first is on the left, and what never is keeps its place', () => {
  const { tree, values } = drawTree('a 1\n  k 4\n  l 1\nb 3\nc 2\nd 1');
  const first = Float64Array.of(Infinity, 90, 30, 20, 10, Infinity, Infinity);
  const name = (/** @type {number} */ node) => nameOf(tree, node);
  assert.deepEqual([...sequence(tree, values.total, 'time', first) ?? []].map(name), ['all', 'b', 'a', 'l', 'k', 'c', 'd']);
  const parts = [{ name: 'late', kind: 0, nodes: [2], selves: [4] }, { name: 'early', kind: 0, nodes: [2, 4], selves: [0, 3] }];
  const made = divide({ tree, first }, parts);
  assert.deepEqual([...sequence(made.tree, totals(made.tree, made.self), 'time', made.first) ?? []].map((node) => nameOf(made.tree, node)), ['all', 'early', 'b', 'a', 'k', 'late', 'a', 'k']);
  const folded = foldRecursion({ ...drawTree('f 1\n  f 2\n  g 1'), self: Float64Array.of(0, 1, 2, 1), first: Float64Array.of(Infinity, 9, 4, 6) });
  assert.deepEqual([...folded.first ?? []], [Infinity, 4, 6]);
});

/** @param {Partial<import('#viewer/data/report.js').Step>} step */
const step = (step) => /** @type {import('#viewer/data/report.js').Step} */ ({ phase: null, kept: true, ...step });

/**
 * Two steps of which the second works on while the host is done; a stream, and the thread that launches.
 * @returns {import('#viewer/data/chart.js').Chart}
 */
function drawChart() {
  const lane = (/** @type {number | null} */ device) => ({ device, process: 'p', name: 'l', rows: [2], hidden: 0, block: '', stretches: 0, course: null });
  const rows = [
    { start: Float64Array.of(12, 40), end: Float64Array.of(20, 60), frame: Uint32Array.of(0, 0), launch: Uint32Array.of(3, 4), node: Uint32Array.of(1, 1), first: 0 },
    { start: Float64Array.of(5, 15), end: Float64Array.of(6, 16), frame: Uint32Array.of(0, 0), launch: undefined, node: undefined, first: 2 },
  ];
  const pieces = { start: Float64Array.of(0, 20, 60), end: Float64Array.of(12, 40, 70), frame: Uint32Array.of(0, 0, 0), launch: undefined, node: undefined, first: 0 };
  return {
    index: { capture: 0, frames: 1, names: '', from_ns: 0, to_ns: 70, window: [[0, 70]], has_courses: true, lanes: [lane(0), lane(null)],
      idle: [{ device: 'GPU 0', pieces: 3, owners: [['host', 0]], nodes: [1], block: '' }] },
    frames: async () => ({ names: ['k'], kinds: Uint8Array.of(KINDS.indexOf('kernel')) }),
    lane: async (number) => rows.slice(number, number + 1),
    course: async (number) => (number === 0 ? { start: new Float64Array(), end: new Float64Array(), node: new Uint32Array() }
      : { start: Float64Array.of(0), end: Float64Array.of(30), node: Uint32Array.of(1) }),
    idle: async () => ({ pieces, owners: [{ class: 'host', stack: new Uint32Array(), node: 1 }] }),
  };
}

test('work is of the phase that launched it, idle time of the work that ends it, the tail of the last step', async () => {
  const { tree } = drawTree('k 0');
  const profile = /** @type {import('#viewer/data/profile.js').Profile} */ (/** @type {unknown} */ ({ index: { nodes: tree.n }, tree: async () => tree }));
  const index = indexSteps([step({ name: 's1', phase: 'decode', from_ns: 10, marker_ns: 10 }), step({ name: 's0', phase: 'prefill', from_ns: 2, marker_ns: 8 })], 'step');
  const by = async (/** @type {string} */ weight, stretch = { from: -Infinity, to: Infinity }) =>
    Object.fromEntries((await valuesByPhase(profile, drawChart(), weight, stretch, index)).map((self, phase) => [index.phases[phase], self[1]]));
  assert.deepEqual(await by('gpu'), { prefill: 8, decode: 20 });
  assert.deepEqual(await by('launches'), { prefill: 1, decode: 1 });
  assert.deepEqual(await by('idle'), { prefill: 12, decode: 30 });
  assert.deepEqual(await by('wall'), { prefill: 8, decode: 10 });
  assert.deepEqual(await by('gpu', { from: 15, to: 50 }), { prefill: 5, decode: 10 });
});
