/**
 * One function: its callers above, its callees below, itself as a bar between. Both halves are flame
 * graphs of their own trees, grown as far as a pixel shows them and further when zoomed.
 *
 * @import { App, View } from '#viewer/views/app.js'
 * @import { ViewState } from '#viewer/state/view-state.js'
 * @import { Hit } from '#viewer/logic/hit.js'
 * @import { Half, Pivot, Side } from '#viewer/logic/sandwich.js'
 * @import { Scene } from '#viewer/logic/scene.js'
 * @import { Stage } from '#viewer/views/stage.js'
 */

import { KINDS } from '#viewer/lib/color.js';
import { h } from '#viewer/lib/dom.js';
import { findFrame, halfOf, keyOfNode, nodeAtPath, pivotOf, shareRoom } from '#viewer/logic/sandwich.js';
import { paintOf } from '#viewer/logic/scene.js';
import { pathTo } from '#viewer/logic/stack.js';
import { ROW_HEIGHT } from '#viewer/draw/flame.js';
import { N_BUCKETS } from '#viewer/draw/palette.js';
import { showSandwich } from '#viewer/views/function-links.js';
import { createLegend } from '#viewer/views/legend.js';
import { createMirror } from '#viewer/views/mirror.js';
import { createChooser } from '#viewer/views/sandwich-choose.js';
import { createBar, createPivotDetails } from '#viewer/views/sandwich-details.js';
import { sandwichKey } from '#viewer/views/sandwich-keys.js';
import { aboutSandwichHit, speakSandwich } from '#viewer/views/sandwich-words.js';
import { colorsOf, sceneOf } from '#viewer/views/scenes.js';
import { boxOf, createStage, drawMarks, measure, moveTo, redraw, revealRow, setScene, stageHeight } from '#viewer/views/stage.js';
import { createTooltip } from '#viewer/views/tooltip.js';
import { createWeights } from '#viewer/views/weights.js';

/** After a zoom or a pan the halves grow once it has come to rest. */
const REST_MS = 60;
/** What a half takes that has nothing to show but a word. */
const EMPTY_HEIGHT = 30;
/** The callees keep this much, however tall the callers are. */
const LEAST_CALLEES = 3 * ROW_HEIGHT;

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
    show: (state) => update(view, state),
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
    moved: () => follow(view, name),
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
  const body = h('div', { class: 'flame-body' }, h('div', { class: 'flame-main' }, holder, legend.element), details.element);
  const element = h('section', { class: 'view flame sandwich' },
    h('div', { class: 'toolbar' }, weights.element, h('div', { class: 'toolbar-right' }, back)), body, chooser.element);
  const view = {
    app, element, body, holder, above, below, none, callers, callees, tooltip, bar, mirror, weights, legend, details, chooser,
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
  new ResizeObserver(() => view.halves && (arrange(view, false), growLater(view))).observe(holder);
  return view;
}

/**
 * @param {Sandwich} view
 * @param {Side} side
 */
export function stageOf(view, side) {
  return side === 'callers' ? view.callers : view.callees;
}

/**
 * @param {Sandwich} view
 * @param {ViewState} state
 */
async function update(view, state) {
  view.weights.show();
  const scene = await sceneOf(view.app);
  // A later state may have arrived while this one was unpacked.
  if (!scene || state !== view.app.store.get()) return;
  // Without a function of its own, the view shows that of the selected node.
  const key = state.pivot || keyOfNode(scene.tree, state.select);
  const frame = findFrame(scene.tree, key);
  view.body.hidden = frame < 0;
  view.chooser.element.hidden = frame >= 0;
  if (frame < 0) {
    view.chooser.show(scene, key === '' ? '' : `There is no ${key.replace(':', ' ')} in this capture.`);
    view.halves = undefined;
  } else {
    const known = view.halves && view.scene === scene && view.pivot?.frame === frame;
    if (!known) pivotTo(view, scene, frame);
    dress(view, state);
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
    dress(view, view.app.store.get());
  }, REST_MS);
}

/**
 * Puts the halves on their stages, and everything around them.
 * @param {Sandwich} view
 * @param {ViewState} state
 */
function dress(view, state) {
  const { scene, pivot, halves } = view;
  if (!scene || !pivot || !halves) return;
  const dimmed = new Set(state.dim.map((kind) => KINDS.findIndex((name) => name === kind)));
  const fresh = view.callers.scene?.tree.frame[0] !== pivot.frame || view.callers.scene?.weight !== scene.weight;
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

/**
 * @param {Sandwich} view
 * @param {Pivot} pivot
 * @param {{ callers: Half, callees: Half }} halves
 */
function tellEmpty({ none }, pivot, { callers, callees }) {
  const nothing = pivot.total <= 0 ? 'None of this weight is in this function or below it. Switch the weight.' : '';
  none.callers.textContent = nothing || callers.tree.n > 1 ? '' : 'No callers: its stacks begin here.';
  none.callees.textContent = nothing || (callees.tree.n > 1 ? '' : 'Calls nothing: all of it is self.');
  none.callers.hidden = none.callers.textContent === '';
  none.callees.hidden = none.callees.textContent === '';
}

/** @param {Stage} stage */
function bottomGap({ element }) {
  return element.scrollHeight - element.scrollTop - element.clientHeight;
}

/**
 * Shares the height between the halves; the callers keep their distance from the bar.
 * @param {Sandwich} view
 * @param {boolean} fresh another function: both start at the bar
 * @param {number} gap pixels that the callers are scrolled away from it
 */
function arrange(view, fresh, gap = bottomGap(view.callers)) {
  const { holder, above, bar, callers, callees } = view;
  const need = (/** @type {Stage} */ stage, /** @type {HTMLElement} */ told) => Math.max(stageHeight(stage), told.hidden ? 0 : EMPTY_HEIGHT);
  const room = holder.clientHeight - bar.element.offsetHeight;
  above.style.height = `${shareRoom(room, need(callers, view.none.callers), Math.max(LEAST_CALLEES, need(callees, view.none.callees)))}px`;
  callers.element.scrollTop = callers.element.scrollHeight - callers.element.clientHeight - gap;
  if (fresh) callees.element.scrollTop = 0;
  for (const stage of [callers, callees]) {
    stage.view.scroll = stage.element.scrollTop;
    measure(stage);
  }
}

/**
 * Shows where the keyboard is.
 * @param {Sandwich} view
 */
function mark(view) {
  const { cursor, halves, bar, mirror } = view;
  if (!halves) return;
  for (const side of /** @type {const} */ (['callers', 'callees'])) {
    const stage = stageOf(view, side);
    stage.marks.select = cursor.side === side && cursor.node > 0 ? cursor.node : -1;
    drawMarks(stage);
  }
  bar.element.classList.toggle('current', cursor.shown && cursor.node === 0);
  mirror.show(halves[cursor.side], cursor.node);
}

/**
 * @param {Sandwich} view
 * @param {Side} side
 * @param {number} node
 */
export function setCursor(view, side, node) {
  view.cursor = { side, node, shown: true };
  const stage = stageOf(view, side);
  const half = view.halves?.[side];
  if (!half) return;
  if (node > 0) {
    revealRow(stage, node, 0);
    stage.view.scroll = stage.element.scrollTop;
    if (!boxOf(stage, node)) centre(stage, node);
  }
  mark(view);
  const box = boxOf(stage, node);
  if (box) hover(view, side, { node, run: undefined }, box.x, box.y);
  else view.tooltip.hide();
}

/**
 * @param {Stage} stage
 * @param {number} node
 */
function centre(stage, node) {
  const { layout } = stage.scene ?? {};
  const place = layout?.place[node] ?? -1;
  if (!layout || place < 0) return;
  const { from, to } = stage.view;
  const middle = /** @type {number} */ (layout.left[place]) + /** @type {number} */ (layout.width[place]) / 2;
  const start = Math.max(0, Math.min(layout.sum - (to - from), middle - (to - from) / 2));
  moveTo(stage, start, start + (to - from), false);
}

/**
 * A frame becomes the function in the middle; what is folded is zoomed to.
 * @param {Sandwich} view
 * @param {Side} side
 * @param {number} node
 */
export function open(view, side, node) {
  const half = view.halves?.[side];
  if (!half || node <= 0) return;
  const row = half.layout.place[node] ?? -1;
  if ((half.n_folded[node] ?? 0) > 0) zoomTo(view, side, { from: row, to: row + 1 });
  else showSandwich(view.app, keyOfNode(half.tree, node));
}

/**
 * @param {Sandwich} view
 * @param {Side} side
 * @param {{ from: number, to: number }} rows of the layout
 */
function zoomTo(view, side, rows) {
  const layout = view.halves?.[side].layout;
  if (!layout) return;
  const last = rows.to - 1;
  const right = /** @type {number} */ (layout.left[last]) + /** @type {number} */ (layout.width[last]);
  moveTo(stageOf(view, side), /** @type {number} */ (layout.left[rows.from]), right, true);
}

/**
 * @param {Sandwich} view
 * @param {Side} side
 * @param {Hit | undefined} hit
 * @param {number} x
 * @param {number} y
 */
function hover(view, side, hit, x, y) {
  const { holder, tooltip, halves } = view;
  if (!hit || !halves) return tooltip.hide();
  const top = side === 'callers' ? 0 : view.below.offsetTop;
  tooltip.show(halves[side], hit, { x, y: y + top, width: holder.clientWidth, height: holder.clientHeight, above: side === 'callers' });
}

/**
 * Both halves show the same stretch.
 * @param {Sandwich} view
 * @param {Side} side that has moved
 */
function follow(view, side) {
  const other = stageOf(view, side === 'callers' ? 'callees' : 'callers');
  const { from, to } = stageOf(view, side).view;
  [other.view.from, other.view.to] = [from, to];
  redraw(other);
  view.tooltip.hide();
  growLater(view);
}
