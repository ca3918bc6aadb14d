import assert from 'node:assert/strict';
import { test } from 'node:test';
import { frameOf, spotOf } from '#viewer/logic/finding-place.js';
import { figuresOf, openAtFirst, partOf, scaleOf, weightOf } from '#viewer/logic/findings.js';
import { drawTree } from './fixture.js';

/** @typedef {import('#viewer/data/report.js').Finding} Finding */

/** @param {Partial<Finding>} some @returns {Finding} */
const finding = (some) => ({
  kind: 'host-island', where: { lane: '', step: null, from_ns: 0, to_ns: 0 }, stack: [], user_frame: null,
  count: 1, per_step: 1, evidence: {}, owned_ns_per_step: 0, max_gain_ns_per_step: 0,
  simulated_gain_ns_per_step: null, confidence: '', owned_share: 0, shares_with: [], subject: '',
  headline: true, sentence: '', experiment: '', ...some,
});

/** @param {string} name @param {number} ns */
const ran = (name, ns) => ({ frames_ns_per_step: [{ name, ns }] });

test('lost time shows under idle, time that the device is busy under gpu', () => {
  assert.deepEqual(['exposed-comm', 'copy-on-critical-path', 'loop', 'sync-cliff', 'a kind to come'].map(weightOf), ['gpu', 'gpu', 'gpu', 'idle', 'idle']);
  assert.deepEqual(['exposed-comm', 'copy-on-critical-path', 'loop', 'pause'].map(partOf), ['comm', 'copy', 'compute', 'idle']);
});

test('the first three that may be said first are open', () => {
  const all = [true, false, true, true, true].map((headline) => finding({ headline }));
  assert.deepEqual(openAtFirst(all), [true, false, true, true, false]);
});

test('owned time, bound and replay are on the scale of the step and stay on it', () => {
  const lost = { owned_ns_per_step: 40, max_gain_ns_per_step: 10, simulated_gain_ns_per_step: 5 };
  assert.deepEqual(scaleOf(finding(lost), 100), { owned: 0.4, bound: 0.1, simulated: 0.05 });
  assert.deepEqual(scaleOf(finding({ ...lost, simulated_gain_ns_per_step: -5 }), 100).simulated, 0);
  assert.deepEqual(scaleOf(finding({ ...lost, max_gain_ns_per_step: 500 }), 100).bound, 1);
  assert.deepEqual(scaleOf(finding({}), 0), { owned: 0, bound: 0, simulated: null });
});

test('evidence has its units, whatever it holds', () => {
  const { figures, parts } = figuresOf({
    blocked_ns: 7, trend_ns_per_step: 8, device_ns_per_round: 9, moved_bytes: 10, gb_per_s: 1.5, calls: 4,
    call: 'cudaStreamSynchronize', odd: [1, { name: 'x' }], none: null,
    frames_ns_per_step: [{ name: 'small', ns: 1 }, { name: 'large', ns: 2 }],
  });
  assert.deepEqual(figures.map(({ label, value, unit, per }) => [label, value, unit, per]), [
    ['blocked', 7, 'ns', ''], ['trend', 8, 'ns', '/step'], ['device', 9, 'ns', '/round'], ['moved', 10, 'bytes', ''],
    ['speed', 1.5, 'number', ' GB/s'], ['calls', 4, 'number', ''], ['call', 'cudaStreamSynchronize', 'text', ''],
    ['odd', '[1,{"name":"x"}]', 'text', ''], ['none', 'null', 'text', ''],
  ]);
  assert.deepEqual(parts.map(({ name }) => name), ['large', 'small']);
});

test('the frame of a finding is what ran longest, else the collective or copy, else the stack’s last', () => {
  assert.equal(frameOf(finding({ evidence: ran('decode', 5), stack: ['a'] })), 'decode');
  assert.equal(frameOf(finding({ evidence: { collective: 'ncclAllReduce' }, stack: ['a'] })), 'ncclAllReduce');
  assert.equal(frameOf(finding({ stack: ['a', 'b'] })), 'b');
  assert.equal(frameOf(finding({})), '');
});

test('a sync that costs nothing itself leads to the caller that holds what it loses', () => {
  const { tree, values } = drawTree('thread\n  step\n    sync 1\n    decode 90\n  other 5');
  const lost = finding({ kind: 'sync-cliff', stack: ['step', 'sync'], owned_ns_per_step: 10, evidence: ran('decode', 10) });
  assert.deepEqual(spotOf(tree, values.total, lost, 9), { focus: 2, select: 4, search: 'decode' });
  const own = finding({ stack: ['step', 'decode'], owned_ns_per_step: 90, evidence: ran('decode', 90) });
  assert.deepEqual(spotOf(tree, values.total, own, 0), { focus: 4, select: 4, search: 'decode' });
});

test('a short name is searched for as a word, odd ones do not break the search', () => {
  const { tree, values } = drawTree('step\n  aten::mm 5\n  MmaBackward 7\n  summer 9\n  f(x)[*] 3');
  const of = (/** @type {string} */ name) => spotOf(tree, values.total, finding({ stack: ['step'], evidence: ran(name, 1) }), 1);
  assert.deepEqual(of('mm'), { focus: 1, select: 2, search: '/\\bmm\\b/' });
  assert.deepEqual(of('f(x)[*]'), { focus: 1, select: 5, search: 'f(x)[*]' });
  assert.deepEqual(of('not recorded'), { focus: 1, select: 1, search: '' });
});

test('a stack that is not in the tree shows everything', () => {
  const { tree, values } = drawTree('step\n  a 5');
  assert.deepEqual(spotOf(tree, values.total, finding({ stack: ['gone'] }), 1), { focus: 0, select: -1, search: '' });
});
