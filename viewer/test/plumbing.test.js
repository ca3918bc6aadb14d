import assert from 'node:assert/strict';
import { test } from 'node:test';
import { layOut } from '#viewer/logic/layout.js';
import { collapse, plumbing } from '#viewer/logic/plumbing.js';
import { nameOf, pathTo } from '#viewer/logic/stack.js';
import { drawTree } from './fixture.js';

/** @param {string} drawing */
function sceneOf(drawing) {
  const { tree, values } = drawTree(drawing);
  return { tree, values, calls: undefined, layout: layOut(tree, values.total, undefined), weight: 'gpu', title: 'GPU time', unit: 'ns' };
}

/** What is on show: level, name and width. @param {ReturnType<typeof collapse>} scene */
const shown = ({ tree, layout, folded }) => Array.from(layout.node, (node, row) =>
  `${tree.depth[node]} ${nameOf(tree, node)} ${layout.width[row]}${folded?.[node] ? ` (${folded[node]})` : ''}`);

const DEEP = `
main 0
  wrap 0
    call 0
      run 1
        step 0
          gemm 600
          copy 300
        log 2
`;

const never = () => false;

test('frames that get and pass on nearly everything are folded, the first and the last of a chain stay', () => {
  const scene = collapse(sceneOf(DEEP), 'steady', never);
  assert.deepEqual(shown(scene), ['0 all 903', '1 step 900 (4)', '1 log 2 (4)', '2 gemm 600', '2 copy 300']);
});

test('every box keeps its left edge and width, nothing is lost', () => {
  const whole = sceneOf(DEEP);
  const scene = collapse(whole, 'steady', never);
  assert.equal(scene.layout.sum, whole.layout.sum);
  assert.deepEqual(scene.values, whole.values);
  for (const [row, node] of scene.layout.node.entries()) {
    assert.equal(scene.layout.width[row], whole.layout.width[whole.layout.place[node] ?? 0]);
  }
  assert.equal(pathTo(whole.tree, 5).length, 6, 'the whole tree is as it was');
});

test('what is open stays, and so does everything where each frame does something', () => {
  const scene = sceneOf(DEEP);
  const run = scene.tree.names.indexOf('run');
  const opened = collapse(scene, 'steady', (node) => scene.tree.frame[node] === run);
  assert.ok(shown(opened).includes('1 run 903 (3)'), shown(opened).join(', '));
  const busy = sceneOf('a 50\n  b 50\n    c 50\n');
  assert.deepEqual([...plumbing(busy.tree, busy.values.total, never)], [0, 0, 0, 0]);
});

test('siblings never overlap and stay inside their caller', () => {
  const { tree, layout } = collapse(sceneOf(`${DEEP}other 0\n  x 0\n    y 7\n`), 'heavy', never);
  const right = (/** @type {number} */ row) => (layout.left[row] ?? 0) + (layout.width[row] ?? 0);
  for (let level = 0; level < layout.n_levels; level++) {
    for (let row = (layout.level_start[level] ?? 0) + 1; row < (layout.level_start[level + 1] ?? 0); row++) {
      assert.ok(right(row - 1) <= (layout.left[row] ?? 0));
    }
  }
  for (const [row, node] of layout.node.entries()) {
    const above = layout.place[tree.parent[node] ?? 0] ?? -1;
    if (node > 0) assert.ok(above >= 0 && right(row) <= right(above) && (layout.left[row] ?? 0) >= (layout.left[above] ?? 0));
  }
});
