/**
 * The path to the focus, each part a way back.
 *
 * @import { App } from '#viewer/views/app.js'
 * @import { Scene } from '#viewer/logic/scene.js'
 */

import { fill, h } from '#viewer/lib/dom.js';
import { formatCount, formatShare, formatValue } from '#viewer/lib/units.js';
import { shorter } from '#viewer/logic/names.js';
import { nameOf, pathTo } from '#viewer/logic/stack.js';

const N_SHOWN = 4;

/** @param {App} app */
export function createCrumbs(app) {
  const path = h('ol', { class: 'crumbs-path' });
  const sum = h('div', { class: 'crumbs-sum' });
  const element = h('nav', { class: 'crumbs', 'aria-label': 'Focus' }, path, sum);
  return {
    element,
    /**
     * @param {Scene} scene
     * @param {number} focus
     * @param {{ frames: number, below: number }} foldedFrames
     */
    show(scene, focus, foldedFrames) {
      const nodes = pathTo(scene.tree, focus);
      const hidden = Math.max(0, nodes.length - N_SHOWN - 1);
      const shown = [...nodes.slice(0, 1), ...nodes.slice(1 + hidden)];
      fill(path, shown.map((node, i) => [
        i === 1 && hidden > 0 && h('li', { class: 'crumbs-gap', title: `${hidden} frames between` }, '…'),
        h('li', {}, crumb(app, scene, node, node === focus)),
      ]).flat());
      const { sum: weight } = scene.layout;
      const total = scene.values.total[focus] ?? 0;
      const part = focus > 0 ? `${formatShare(total / (weight || 1))} of ` : '';
      fill(sum, `${part}${formatValue(weight, scene.unit)} ${scene.title} · ${formatCount(scene.layout.node.length)} frames`,
        foldedFrames.frames > 0 && ` · ${formatCount(foldedFrames.frames)} below ${formatShare(foldedFrames.below)} folded`);
    },
  };
}

/**
 * @param {App} app
 * @param {Scene} scene
 * @param {number} node
 * @param {boolean} current
 */
function crumb(app, scene, node, current) {
  const names = shorter(nameOf(scene.tree, node));
  const text = names[names.length - 1] ?? '';
  if (current) return h('span', { class: 'crumb current', 'aria-current': 'true', title: names[0] }, text);
  return h('button', { type: 'button', class: 'crumb', title: names[0], onclick: () => app.store.update({ focus: node }) }, text);
}
