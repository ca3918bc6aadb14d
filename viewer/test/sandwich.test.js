import assert from 'node:assert/strict';
import { test } from 'node:test';
import { layOut } from '#viewer/logic/layout.js';
import { childrenOf } from '#viewer/logic/order.js';
import { findFrame, halfOf, keyOfNode, nodeAtPath, pivotOf, shareRoom } from '#viewer/logic/sandwich.js';
import { nameOf, pathTo } from '#viewer/logic/stack.js';
import { tabulate } from '#viewer/logic/table.js';
import { drawTree, goldenProfile } from './fixture.js';

/**
 * @import { Half, Side } from '#viewer/logic/sandwich.js'
 * @import { Scene } from '#viewer/logic/scene.js'
 */

const WHOLE = { from: 0, to: Infinity, least: 0 };

/** @param {string} drawing @returns {Scene} */
function sceneOf(drawing) {
  const { tree, values } = drawTree(drawing);
  const calls = Float64Array.from(values.self, (_, i) => (i === 0 ? 0 : (i % 5) + 1));
  return { tree, values, calls, layout: layOut(tree, values.total, undefined), weight: 'gpu', title: 'GPU time', unit: 'ns' };
}

/** Every node of a half as its path of names, with its total. @param {Half} half */
function paths({ tree, values, n_folded }) {
  /** @type {Record<string, number>} */
  const found = {};
  for (let i = 0; i < tree.n; i++) {
    if (n_folded[i] === 0) found[pathTo(tree, i).map((node) => nameOf(tree, node)).join(' ')] = values.total[i] ?? 0;
  }
  return found;
}

/**
 * The same by going through all stacks one by one.
 * @param {Scene} scene @param {number} frame @param {Side} side
 */
function slowly({ tree, values }, frame, side) {
  /** @type {Record<string, number>} */
  const found = {};
  for (let i = 1; i < tree.n; i++) {
    const stack = pathTo(tree, i).slice(1);
    const at = stack.findIndex((node) => tree.frame[node] === frame);
    const self = values.self[i] ?? 0;
    if (at < 0 || self === 0) continue;
    const way = (side === 'callers' ? stack.slice(0, at + 1).reverse() : stack.slice(at)).map((node) => nameOf(tree, node));
    for (let n = 1; n <= way.length; n++) {
      const path = way.slice(0, n).join(' ');
      found[path] = (found[path] ?? 0) + self;
    }
  }
  return found;
}

/** A tree that no two runs draw differently; every name may be inside itself. @param {number} seed */
function randomTree(seed) {
  let state = seed * 2654435761 + 1;
  const random = (/** @type {number} */ n) => {
    state = (Math.imul(state, 1103515245) + 12345) & 0x7fffffff;
    return (state >> 8) % n;
  };
  const lines = [];
  for (let i = 0, depth = 0; i < 120; i++) {
    depth = i === 0 ? 0 : random(Math.min(9, depth + 2));
    lines.push(`${'  '.repeat(depth)}f${random(6)} ${random(4) === 0 ? 0 : random(50)}`);
  }
  return lines.join('\n');
}

/** No weight is lost: every node is its self and its children. @param {Half} half */
function addsUp({ tree, values }) {
  for (let i = 0; i < tree.n; i++) {
    const children = childrenOf(tree, i);
    const sum = children.reduce((all, child) => all + (values.total[child] ?? 0), values.self[i] ?? 0);
    assert.equal(sum, values.total[i], `node ${i}`);
  }
}

test('callers above, callees below, the function in the middle', () => {
  const scene = sceneOf('a 1\n  f 2\n    x 3\nb 0\n  c 0\n    f 10\n      y 4\n  f 20');
  const pivot = pivotOf(scene, findFrame(scene.tree, 'thread:f'));
  assert.deepEqual([pivot.total, pivot.self, pivot.n_stacks], [39, 32, 3]);
  assert.deepEqual(paths(halfOf(scene, pivot, 'callers', WHOLE)), {
    f: 39, 'f b': 20, 'f c': 14, 'f c b': 14, 'f a': 5,
  });
  assert.deepEqual(paths(halfOf(scene, pivot, 'callees', WHOLE)), { f: 39, 'f y': 4, 'f x': 3 });
});

test('an instance inside another one counts once, and shows among the callees', () => {
  const scene = sceneOf('m 0\n  f 1\n    g 2\n      f 4\n        f 8');
  const pivot = pivotOf(scene, findFrame(scene.tree, 'thread:f'));
  assert.deepEqual([pivot.total, pivot.self, pivot.n_stacks, pivot.outermost.nodes.length], [15, 13, 3, 1]);
  assert.deepEqual(paths(halfOf(scene, pivot, 'callers', WHOLE)), { f: 15, 'f m': 15 });
  assert.deepEqual(paths(halfOf(scene, pivot, 'callees', WHOLE)), { f: 15, 'f g': 14, 'f g f': 12, 'f g f f': 8 });
});

test('both sides are what going through all stacks finds, on trees that call themselves', () => {
  for (let seed = 0; seed < 40; seed++) {
    const scene = sceneOf(randomTree(seed));
    for (let frame = 1; frame < scene.tree.names.length; frame++) {
      const pivot = pivotOf(scene, frame);
      for (const side of /** @type {const} */ (['callers', 'callees'])) {
        const half = halfOf(scene, pivot, side, WHOLE);
        if (pivot.total > 0) assert.deepEqual(paths(half), slowly(scene, frame, side), `seed ${seed}, ${side} of f${frame}`);
        assert.equal(half.n_folded.reduce((n, folded) => n + folded, 0), 0);
        assert.equal(half.calls?.[0], pivot.calls);
        addsUp(half);
      }
    }
  }
});

test('what is folded keeps its weight, and what is drawn is never another figure', () => {
  for (let seed = 0; seed < 40; seed++) {
    const scene = sceneOf(randomTree(seed));
    for (let frame = 1; frame < scene.tree.names.length; frame++) {
      const pivot = pivotOf(scene, frame);
      const reach = { from: pivot.total * 0.2, to: pivot.total * 0.6, least: pivot.total / 20 };
      for (const side of /** @type {const} */ (['callers', 'callees'])) {
        const half = halfOf(scene, pivot, side, reach);
        addsUp(half);
        assert.equal(half.values.total[0], pivot.total);
        const all = slowly(scene, frame, side);
        for (const [path, total] of Object.entries(paths(half))) assert.equal(total, all[path] ?? 0, path);
      }
    }
  }
});

test('figures are those of the table', async () => {
  const profile = goldenProfile();
  const [tree, values, calls] = [await profile.tree(), await profile.values('gpu'), (await profile.values('calls')).self];
  const scene = { tree, values, calls, layout: layOut(tree, values.total, undefined), weight: 'gpu', title: 'GPU time', unit: 'ns' };
  const rows = tabulate(tree, values, calls, 'function');
  assert.ok(rows.length > 5);
  for (const row of rows) {
    const frame = tree.names.findIndex((name, i) => name === row.name && tree.kinds[i] === row.kind);
    const pivot = pivotOf(scene, frame);
    assert.deepEqual(
      [pivot.total, pivot.self, pivot.calls, pivot.n_stacks, pivot.heaviest],
      [row.total, row.self, row.calls, row.n_stacks, row.heaviest], row.name);
  }
});

test('a function has a name for the URL, everything has none', () => {
  const { tree } = drawTree('a:b 1\n  c 2');
  assert.equal(keyOfNode(tree, 1), 'thread:a:b');
  assert.equal(findFrame(tree, 'thread:a:b'), tree.frame[1]);
  assert.equal(keyOfNode(tree, 0), '');
  assert.equal(findFrame(tree, ''), -1);
  assert.equal(findFrame(tree, 'kernel:c'), -1);
});

test('a place is found again after growing anew', () => {
  const { tree } = drawTree('a 1\n  b 2\n  c 3\n    d 4');
  const frames = (/** @type {number} */ node) => pathTo(tree, node).slice(1).map((i) => tree.frame[i] ?? 0);
  for (let node = 0; node < tree.n; node++) assert.equal(nodeAtPath(tree, frames(node)), node);
  assert.equal(nodeAtPath(tree, [...frames(3), 99]), 3);
});

test('neither side takes room that the other needs', () => {
  assert.equal(shareRoom(400, 100, 200), 100);
  assert.equal(shareRoom(400, 300, 300), 200);
  assert.equal(shareRoom(400, 300, 60), 300);
  assert.equal(shareRoom(400, 900, 60), 340);
});
