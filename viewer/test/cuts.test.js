import assert from 'node:assert/strict';
import { test } from 'node:test';
import { totals } from '#viewer/data/profile.js';
import { cutSelf, readCuts, stacksLeft } from '#viewer/logic/cuts.js';
import { search } from '#viewer/logic/search.js';
import { fromHash, toHash } from '#viewer/state/url.js';
import { drawTree } from './fixture.js';

const DRAWING = `
main 1
  step 2
    gemm 30
    copy 4
      gemm 8
  log 16
other 3
  copy 5
`;

/** @param {string[]} cuts */
function left(...cuts) {
  const { tree, values } = drawTree(DRAWING);
  const self = cutSelf(values.self, stacksLeft(tree, cuts));
  return { tree, values, self, sum: totals(tree, self)[0] };
}

test('what is kept and what is dropped by one search add up to the whole, node by node', () => {
  for (const text of ['gemm', 'copy', 'step', 'nothing', '/m/']) {
    const [kept, dropped] = [left(`+${text}`), left(`-${text}`)];
    assert.deepEqual(kept.self.map((value, i) => value + (dropped.self[i] ?? 0)), kept.values.self);
    const test = text === '/m/' ? (/** @type {string} */ name) => /m/.test(name) : (/** @type {string} */ name) => name.includes(text);
    assert.equal(kept.sum, search(kept.tree, kept.values.self, kept.values.total, test).total, `${text}: what is kept is what a search tells`);
  }
});

test('cuts come one after the other', () => {
  assert.equal(left('+copy').sum, 4 + 8 + 5);
  assert.equal(left('+copy', '-gemm').sum, 4 + 5);
  assert.equal(left('+copy', '+main').sum, 4 + 8);
  assert.equal(left('-gemm', '-copy', '-log', '-step').sum, 1 + 3);
  assert.equal(left('+[').sum, 0, 'a bracket is a bracket');
  assert.equal(left('+/[/').sum, 69, 'what is no expression cuts nothing');
});

test('cuts survive the address, whatever they hold; what is none is left out', () => {
  const cuts = ['+a,b;c', '-"#&=%', '+größe 漢'];
  assert.deepEqual(fromHash(toHash({ ...fromHash(''), cuts })).cuts, cuts);
  for (const broken of ['x', '{"a":1}', '["a",3,"+",null]', '["+a"']) assert.deepEqual(readCuts(broken), []);
});
