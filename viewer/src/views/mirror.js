/**
 * The flame graph for those who hear it: the selected frame, its callers, its neighbours and its
 * callees as a tree of real elements out of sight.
 *
 * @import { Tree } from '#viewer/data/tree.js'
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

/**
 * @template {Scene} Shown
 * @param {HTMLElement} holder the element with the keyboard focus
 * @param {string} prefix of the ids
 * @param {(scene: Shown, node: number) => string} speak
 */
export function createMirror(holder, prefix, speak) {
  const element = h('div', { class: 'out-of-sight', role: 'group' });
  return {
    element,
    /**
     * @param {Shown} scene
     * @param {number} node
     */
    show(scene, node) {
      const item = (/** @type {number} */ one, /** @type {number} */ selected, /** @type {readonly number[]} */ siblings, /** @type {number} */ n_children) =>
        treeItem(scene.tree, one, selected, siblings, n_children, { id: `${prefix}-${one}`, text: speak(scene, one) });
      const current = Math.max(0, node);
      const parent = scene.tree.parent[current] ?? -1;
      const siblings = parent < 0 ? [0] : placedChildren(scene.tree, scene.layout, parent).nodes;
      const children = placedChildren(scene.tree, scene.layout, current).nodes;
      fill(element,
        parent >= 0 && item(parent, -1, [parent], children.length),
        near(siblings, current).map((sibling) => item(sibling, current, siblings, children.length)),
        children.slice(0, MAX_ITEMS).map((child) => item(child, current, children, 0)));
      holder.setAttribute('aria-activedescendant', `${prefix}-${current}`);
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
 * @param {Tree} tree
 * @param {number} node
 * @param {number} current
 * @param {readonly number[]} siblings
 * @param {number} n_children
 * @param {{ id: string, text: string }} said
 */
function treeItem(tree, node, current, siblings, n_children, { id, text }) {
  return h('div', {
    role: 'treeitem', id, 'aria-level': (tree.depth[node] ?? 0) + 1,
    'aria-posinset': siblings.indexOf(node) + 1, 'aria-setsize': siblings.length,
    'aria-selected': String(node === current),
    'aria-expanded': node === current && n_children > 0 ? 'true' : undefined,
  }, text);
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
