/**
 * One function: its callers above, its callees below, itself as a bar between. Both halves are flame
 * graphs of their own trees, grown as far as a pixel shows them and further when zoomed.
 *
 * @import { App, View } from '#viewer/views/app.js'
 * @import { ViewState } from '#viewer/state/view-state.js'
 * @import { Half, Pivot, Side } from '#viewer/logic/sandwich.js'
 * @import { Scene } from '#viewer/logic/scene.js'
 */

import { KINDS } from '#viewer/lib/color.js';
import { h } from '#viewer/lib/dom.js';
import { findFrame, halfOf, keyOfNode, nodeAtPath, pivotOf } from '#viewer/logic/sandwich.js';
import { paintOf } from '#viewer/logic/scene.js';
import { pathTo } from '#viewer/logic/stack.js';
import { N_BUCKETS } from '#viewer/draw/palette.js';
import { createExportMenu } from '#viewer/views/export-menu.js';
import { createLegend } from '#viewer/views/legend.js';
import { createMirror } from '#viewer/views/mirror.js';
import { createChooser } from '#viewer/views/sandwich-choose.js';
import { createBar, createPivotDetails } from '#viewer/views/sandwich-details.js';
import { exportName, sandwichExports } from '#viewer/views/sandwich-export.js';
import { sandwichKey } from '#viewer/views/sandwich-keys.js';
import { arrange, bottomGap, follow, hover, mark, open, setCursor, stageOf, tellEmpty, zoomTo } from '#viewer/views/sandwich-stages.js';
import { aboutSandwichHit, speakSandwich } from '#viewer/views/sandwich-words.js';
import { arrangedSceneOf, colorsOf, sceneOf } from '#viewer/views/scenes.js';
import { createStage, redraw, setScene, showNode } from '#viewer/views/stage.js';
import { createTooltip } from '#viewer/views/tooltip.js';
import { createWeights } from '#viewer/views/weights.js';

/** After a zoom or a pan the halves grow once it has come to rest. */
const REST_MS = 60;

/** @typedef {ReturnType<typeof makeSandwich>} Sandwich */

/**
 * @param {App} app
 * @returns {View & { sandwich: Sandwich }}
 */
export function createSandwich(app) {
  const view = makeSandwich(app);
  return {
    sandwich: view,
    element: view.element,
    show: (state, before) => update(view, state, before?.view !== state.view),
    key: (event) => sandwichKey(view, event),
    restyle: () => [view.callers, view.callees].forEach(redraw),
  };
}

/** @param {App} app */
function makeSandwich(app) {
  const side = (/** @type {Side} */ name) => createStage({
    palette: app.palette,
    hover: (hit, x, y) => hover(view, name, hit, x, y),
    select: (hit) => (hit.run ? zoomTo(view, name, hit.run) : open(view, name, hit.node)),
    focus: () => {},
    moved: () => {
      follow(view, name);
      growLater(view);
    },
  }, 1);
  const [callers, callees] = [side('callers'), side('callees')];
  const tooltip = createTooltip(aboutSandwichHit);
  const bar = createBar(() => setCursor(view, 'callees', 0));
  const none = { callers: h('p', { class: 'sandwich-none' }), callees: h('p', { class: 'sandwich-none' }) };
  const above = h('div', { class: 'sandwich-half' }, callers.element, none.callers);
  const below = h('div', { class: 'sandwich-half callees' }, callees.element, none.callees);
  const holder = h('div', { class: 'stage sandwich-stage', tabindex: 0, role: 'tree' }, above, bar.element, below, tooltip.element);
  const mirror = createMirror(holder, 'sandwich-node', speakSandwich);
  holder.append(mirror.element);
  const [weights, legend, details, chooser] = [createWeights(app), createLegend(app), createPivotDetails(app), createChooser(app)];
  const back = h('button', { type: 'button', class: 'button', onclick: () => app.store.update({ view: 'flame' }) }, 'Flame graph', h('kbd', {}, 'Esc'));
  const whole = h('button', { type: 'button', class: 'button', hidden: true, onclick: () => showNode(callees, 0, true) }, 'All of it', h('kbd', {}, '0'));
  const menu = createExportMenu(app, () => exportName(view), sandwichExports(() => view));
  const body = h('div', { class: 'flame-body', hidden: true }, h('div', { class: 'flame-main' }, holder, legend.element), details.element);
  const element = h('section', { class: 'view flame sandwich' },
    h('div', { class: 'toolbar' }, weights.element, h('div', { class: 'toolbar-right' }, whole, back, menu.element)), body, chooser.element);
  const view = {
    app, element, body, holder, whole, above, below, none, callers, callees, tooltip, bar, mirror, weights, legend, details, chooser, menu,
    /** @type {Scene | undefined} */
    scene: undefined,
    /** @type {Pivot | undefined} */
    pivot: undefined,
    /** @type {{ callers: Half, callees: Half } | undefined} */
    halves: undefined,
    /** The part of both halves that is grown, and how finely. */
    reach: { from: 0, to: 0, least: 0 },
    /** Where the keyboard is; without an outline until a key has moved it. */
    cursor: { side: /** @type {Side} */ ('callees'), node: 0, shown: false },
    timer: 0,
    ready: false,
  };
  new ResizeObserver(() => {
    if (!view.halves || holder.clientHeight === 0) return;
    arrange(view, false);
    growLater(view);
  }).observe(holder);
  return view;
}

/**
 * @param {Sandwich} view
 * @param {ViewState} state
 * @param {boolean} entered from another view, which has lost how far this one was scrolled
 */
async function update(view, state, entered) {
  view.weights.show();
  const [scene, arranged] = await Promise.all([sceneOf(view.app), state.pivot === '' ? arrangedSceneOf(view.app) : undefined]);
  // A later state may have arrived while this one was unpacked.
  if (!scene || state !== view.app.store.get()) return;
  // Without a function of its own, the view shows that of the selected node.
  const key = state.pivot || (arranged ? keyOfNode(arranged.tree, state.select) : '');
  const frame = findFrame(scene.tree, key);
  view.body.hidden = frame < 0;
  view.chooser.element.hidden = frame >= 0;
  if (frame < 0) {
    view.chooser.show(scene, key === '' ? '' : `There is no ${key.replace(':', ' “')}” in this capture.`);
    view.halves = undefined;
  } else {
    const known = view.halves && view.scene === scene && view.pivot?.frame === frame;
    if (!known) pivotTo(view, scene, frame);
    dress(view, state, entered);
  }
  view.ready = true;
}

/**
 * @param {Sandwich} view
 * @param {Scene} scene
 * @param {number} frame
 */
function pivotTo(view, scene, frame) {
  view.scene = scene;
  view.pivot = pivotOf(scene, frame);
  view.tooltip.hide();
  view.whole.hidden = true;
  cancelAnimationFrame(view.callers.glide);
  cancelAnimationFrame(view.callees.glide);
  for (const { view: part } of [view.callers, view.callees]) [part.from, part.to] = [0, Math.max(view.pivot.total, 1e-6)];
  view.cursor = { side: 'callees', node: 0, shown: false };
  growHalves(view);
}

/**
 * Grows both halves as far as is in sight, with as much again to pan into.
 * @param {Sandwich} view
 */
function growHalves(view) {
  const { scene, pivot, callees: { view: { from, to } } } = view;
  if (!scene || !pivot) return;
  const width = to - from;
  view.reach = { from: from - width / 2, to: to + width / 2, least: width / Math.max(1, view.holder.clientWidth) };
  view.halves = {
    callers: halfOf(scene, pivot, 'callers', view.reach),
    callees: halfOf(scene, pivot, 'callees', view.reach),
  };
}

/** @param {Sandwich} view */
function growLater(view) {
  clearTimeout(view.timer);
  view.timer = window.setTimeout(() => {
    const { reach, halves, callees: { view: { from, to } } } = view;
    const finer = (to - from) / Math.max(1, view.holder.clientWidth) < reach.least * 0.999;
    if (!halves || (!finer && from >= reach.from && to <= reach.to)) return;
    const { side, node, shown } = view.cursor;
    const path = pathTo(halves[side].tree, node).slice(1).map((i) => halves[side].tree.frame[i] ?? 0);
    growHalves(view);
    if (view.halves) view.cursor = { side, node: nodeAtPath(view.halves[side].tree, path), shown };
    view.tooltip.hide();
    dress(view, view.app.store.get(), false);
  }, REST_MS);
}

/**
 * Puts the halves on their stages, and everything around them.
 * @param {Sandwich} view
 * @param {ViewState} state
 * @param {boolean} entered
 */
function dress(view, state, entered) {
  const { scene, pivot, halves } = view;
  if (!scene || !pivot || !halves) return;
  const dimmed = new Set(state.dim.map((kind) => KINDS.findIndex((name) => name === kind)));
  const fresh = entered || view.callers.scene?.tree.frame[0] !== pivot.frame || view.callers.scene?.weight !== scene.weight;
  const gap = fresh ? 0 : bottomGap(view.callers);
  for (const side of /** @type {const} */ (['callers', 'callees'])) {
    const stage = stageOf(view, side);
    stage.marks.hover = -1;
    setScene(stage, halves[side], paintOf(halves[side], colorsOf(halves[side].tree), N_BUCKETS, { found: undefined, focus: 0, dimmed }), side === 'callers');
  }
  tellEmpty(view, pivot, halves);
  view.bar.show(scene, pivot);
  view.legend.show(scene.tree);
  view.details.show(scene, pivot, halves);
  view.holder.setAttribute('aria-label', `Callers above and callees below ${scene.tree.names[pivot.frame]}`);
  arrange(view, fresh, gap);
  mark(view);
}
