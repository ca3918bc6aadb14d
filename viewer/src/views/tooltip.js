/**
 * The box beside the pointer: what is under it, in figures.
 *
 * @import { Scene } from '#viewer/logic/scene.js'
 * @import { Hit } from '#viewer/logic/hit.js'
 * @import { Child } from '#viewer/lib/dom.js'
 *
 * @typedef {object} Spot
 * @property {number} x
 * @property {number} y
 * @property {number} width of the box that the tooltip stays in
 * @property {number} height
 * @property {boolean} [above] rather above the point than below it
 */

import { fill, h } from '#viewer/lib/dom.js';
import { formatCount, formatNoun, formatShare, formatValue } from '#viewer/lib/units.js';
import { runWeight } from '#viewer/logic/hit.js';
import { figures } from '#viewer/logic/scene.js';
import { nameOf } from '#viewer/logic/stack.js';

/**
 * @template {Scene} Shown
 * @param {(scene: Shown, hit: Hit) => Child[]} describe
 */
export function createTooltip(describe) {
  const element = h('div', { class: 'tooltip', hidden: true, 'aria-hidden': 'true' });
  return {
    element,
    hide: () => void (element.hidden = true),
    /**
     * @param {Shown} scene
     * @param {Hit} hit
     * @param {Spot} at
     */
    show(scene, hit, at) {
      fill(element, ...describe(scene, hit));
      element.hidden = false;
      placeTooltip(element, at);
    },
  };
}

/**
 * Beside a point, inside the box that holds it.
 * @param {HTMLElement} element
 * @param {Spot} at
 */
export function placeTooltip(element, at) {
  const { offsetWidth, offsetHeight } = element;
  const left = Math.min(at.x + 14, at.width - offsetWidth - 8);
  const below = at.y + 22 + offsetHeight < at.height && !(at.above && at.y >= offsetHeight + 10);
  element.style.left = `${Math.max(4, left)}px`;
  element.style.top = `${below ? at.y + 22 : Math.max(4, at.y - offsetHeight - 10)}px`;
}

/**
 * A frame of the flame graph, or a run of them.
 * @param {Scene} scene
 * @param {Hit} hit
 * @returns {Child[]}
 */
export function aboutHit(scene, hit) {
  const { tree, unit } = scene;
  if (hit.run) {
    const weight = runWeight(scene.layout, hit.run);
    const share = formatShare(weight / scene.layout.sum);
    return [
      h('div', { class: 'tooltip-name' }, `${formatCount(hit.run.to - hit.run.from)} frames too narrow to draw`),
      h('div', { class: 'tooltip-figures' }, `${share} · ${formatValue(weight, unit)} together`),
      h('div', { class: 'tooltip-more' }, `here: ${nameOf(tree, hit.node)}`),
    ];
  }
  const { total, self, share, self_share, calls } = figures(scene, hit.node);
  const own = self > 0 ? ` · self ${formatShare(self_share)}` : '';
  return [
    h('div', { class: 'tooltip-name' }, nameOf(tree, hit.node)),
    h('div', { class: 'tooltip-figures' },
      h('b', {}, formatShare(share)), ` · ${formatValue(total, unit)} ${scene.title}${own}`),
    calls > 0 && h('div', { class: 'tooltip-more' }, formatNoun(calls, 'call')),
    (scene.folded?.[hit.node] ?? 0) > 0 && h('div', { class: 'tooltip-more' }, `⋯ ${formatNoun(scene.folded?.[hit.node] ?? 0, 'frame')} above it folded`),
  ];
}
