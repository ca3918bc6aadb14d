/**
 * The flame graph for those who hear it: the selected frame, its callers, its neighbours and its
 * callees as a tree of real elements out of sight.
 *
 * @import { Scene } from '#viewer/logic/scene.js'
 */

import { KINDS } from '#viewer/lib/color.js';
import { fill, h } from '#viewer/lib/dom.js';
import { formatCount, formatShare } from '#viewer/lib/units.js';
import { figures } from '#viewer/logic/scene.js';
import { kindOf, nameOf } from '#viewer/logic/stack.js';
import { placedChildren } from '#viewer/logic/walk.js';

/** More neighbours than this are counted, not listed. */
const MAX_ITEMS = 24;

/** @param {HTMLElement} holder the element with the keyboard focus */
export function createMirror(holder) {
  const element = h('div', { class: 'out-of-sight', role: 'group' });
  return {
    element,
    /**
     * @param {Scene} scene
     * @param {number} node
     */
    show(scene, node) {
      const current = Math.max(0, node);
      const parent = scene.tree.parent[current] ?? -1;
      const siblings = parent < 0 ? [0] : placedChildren(scene.tree, scene.layout, parent).nodes;
      const children = placedChildren(scene.tree, scene.layout, current).nodes;
      fill(element,
        parent >= 0 && item(scene, parent, -1, [parent], children.length),
        near(siblings, current).map((sibling) => item(scene, sibling, current, siblings, children.length)),
        children.slice(0, MAX_ITEMS).map((child) => item(scene, child, current, children, 0)));
      holder.setAttribute('aria-activedescendant', `node-${current}`);
    },
  };
}

/**
 * @param {readonly number[]} nodes
 * @param {number} current
 */
function near(nodes, current) {
  const from = Math.max(0, nodes.indexOf(current) - MAX_ITEMS / 2);
  return nodes.slice(from, from + MAX_ITEMS);
}

/**
 * @param {Scene} scene
 * @param {number} node
 * @param {number} current
 * @param {readonly number[]} siblings
 * @param {number} n_children
 */
function item(scene, node, current, siblings, n_children) {
  return h('div', {
    role: 'treeitem', id: `node-${node}`, 'aria-level': (scene.tree.depth[node] ?? 0) + 1,
    'aria-posinset': siblings.indexOf(node) + 1, 'aria-setsize': siblings.length,
    'aria-selected': String(node === current),
    'aria-expanded': node === current && n_children > 0 ? 'true' : undefined,
  }, spoken(scene, node));
}

/**
 * @param {Scene} scene
 * @param {number} node
 */
export function spoken(scene, node) {
  const { share, self_share, calls } = figures(scene, node);
  const called = calls > 0 ? `, ${formatCount(calls)} calls` : '';
  const kind = node === 0 ? '' : `, ${KINDS[kindOf(scene.tree, node)]}`;
  return `${nameOf(scene.tree, node)}${kind}, ${formatShare(share)} total, ${formatShare(self_share)} self${called}`;
}
