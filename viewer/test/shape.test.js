import assert from 'node:assert/strict';
import { test } from 'node:test';
import { KINDS } from '#viewer/lib/color.js';
import { totals } from '#viewer/data/profile.js';
import { divide } from '#viewer/logic/divide.js';
import { invert } from '#viewer/logic/invert.js';
import { partsByEnd } from '#viewer/logic/parts.js';
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
  const folded = foldRecursion(tree, values.self, Float64Array.of(0, 1, 1, 2, 4, 8, 16, 32));
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
  const { tree: divided, self } = divide(named, partsByEnd(named, values.self, 'module'));
  assert.deepEqual(drawn(divided, self), ['all 10', '  nn.Module: L 6', '    m 6', '      nn.Module: L_0 3', '        k 2',
    '      nn.Module: L_1 3', '        k 3', '  outside modules 4', '    m 4', '      k 4']);
  const up = invert(divided, self, totals(divided, self), true);
  assert.equal(up.values.total[0], 10);
  assert.deepEqual(drawn(up.tree, up.values.self).filter((line) => /^ {2,4}\S/.test(line)), ['  nn.Module: L 6', '    k 5', '    nn.Module: L_0 1', '  outside modules 4', '    k 4']);
});
