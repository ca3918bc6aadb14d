/**
 * The flame graph: stage, search, focus, details.
 *
 * @import { App, View } from '#viewer/views/app.js'
 * @import { ViewState } from '#viewer/state/view-state.js'
 * @import { Scene, Found } from '#viewer/logic/scene.js'
 */

import { KINDS } from '#viewer/lib/color.js';
import { h } from '#viewer/lib/dom.js';
import { formatNoun, formatShare } from '#viewer/lib/units.js';
import { collapse } from '#viewer/logic/plumbing.js';
import { find, paintOf } from '#viewer/logic/scene.js';
import { matcher } from '#viewer/logic/search.js';
import { placedAncestor } from '#viewer/logic/walk.js';
import { N_BUCKETS } from '#viewer/draw/palette.js';
import { currentProfile } from '#viewer/views/app.js';
import { createArrangement } from '#viewer/views/arrangement.js';
import { createCrumbs } from '#viewer/views/crumbs.js';
import { cutBySearch } from '#viewer/views/cuts.js';
import { createDetails } from '#viewer/views/details.js';
import { createExportMenu } from '#viewer/views/export-menu.js';
import { flameExports } from '#viewer/views/flame-export.js';
import { flameKey } from '#viewer/views/flame-keys.js';
import { createLegend } from '#viewer/views/legend.js';
import { createMirror, spoken } from '#viewer/views/mirror.js';
import { arrangedSceneOf, colorsOf } from '#viewer/views/scenes.js';
import { createSearchBox } from '#viewer/views/search-box.js';
import { createStage, drawMarks, redraw, revealRow, setScene, showNode } from '#viewer/views/stage.js';
import { aboutHit, createTooltip } from '#viewer/views/tooltip.js';
import { createWeights } from '#viewer/views/weights.js';

/** @typedef {ReturnType<typeof makeFlame>} Flame */

/**
 * @param {App} app
 * @returns {View & { flame: Flame }}
 */
export function createFlame(app) {
  const flame = makeFlame(app);
  return {
    flame,
    element: flame.element,
    show: (state, before) => update(flame, state, before),
    key: (event) => flameKey(flame, event),
    restyle: () => redraw(flame.stage),
  };
}

/** @param {App} app */
function makeFlame(app) {
  const tooltip = createTooltip(aboutHit);
  const stage = createStage({
    palette: app.palette,
    hover: (hit, x, y) => {
      const { width, height } = stage.view;
      if (hit && stage.scene) tooltip.show(stage.scene, hit, { x, y, width, height });
      else tooltip.hide();
    },
    select: ({ node }) => app.store.update({ select: node }),
    focus: (node) => app.store.update({ focus: node, select: node }),
  });
  const holder = h('div', { class: 'stage', tabindex: 0, role: 'tree', 'aria-label': 'Flame graph' }, stage.element, tooltip.element);
  const mirror = createMirror(holder, 'node', spoken);
  holder.append(mirror.element);
  const weights = createWeights(app);
  const arrangement = createArrangement(app);
  const flip = h('button', { type: 'button', class: 'button', title: 'Turn upside down (i)', onclick: () => app.store.update({ flip: !app.store.get().flip }) }, 'Flip');
  const plumbing = h('button', { type: 'button', class: 'button', title: 'Fold frames that get and pass on 99 % of their weight (z)', onclick: () => app.store.update({ collapse: !app.store.get().collapse }) }, 'Collapse');
  const search = createSearchBox(app, { step: (by) => stepHit(flame, by), leave: () => holder.focus(), cut: (sign) => cutBySearch(app, sign) });
  const [crumbs, legend, details] = [createCrumbs(app), createLegend(app), createDetails(app)];
  const menu = createExportMenu(app, () => stage.scene?.weight ?? '', flameExports(() => flame));
  const element = h('section', { class: 'view flame' },
    h('div', { class: 'toolbar' }, weights.element, h('div', { class: 'toolbar-right' }, search.element, arrangement.elements, plumbing, flip, menu.element)),
    crumbs.element,
    h('div', { class: 'flame-body' }, h('div', { class: 'flame-main' }, holder, legend.element), details.element));
  const flame = {
    app, element, stage, holder, tooltip, mirror, weights, arrangement, plumbing, flip, search, crumbs, legend, details, menu,
    /** @type {Found | undefined} */
    found: undefined,
    /** With all frames. @type {Scene | undefined} */
    whole: undefined,
    /** @type {{ whole: Scene, search: string, scene: Scene } | undefined} */
    collapsed: undefined,
    ready: false,
  };
  return flame;
}

/**
 * @param {Flame} flame
 * @param {ViewState} state
 * @param {ViewState | undefined} before
 */
async function update(flame, state, before) {
  const whole = await arrangedSceneOf(flame.app);
  // A later state may have arrived while this one was unpacked.
  if (!whole || state !== flame.app.store.get()) return;
  flame.whole = whole;
  const scene = state.collapse ? collapsed(flame, whole, state) : whole;
  const changed = scene !== flame.stage.scene;
  if (changed || state.search !== before?.search) searchFor(flame, scene, state.search);
  const focus = placedAncestor(scene.tree, scene.layout, state.focus);
  const dimmed = new Set(state.dim.map((kind) => KINDS.findIndex((name) => name === kind)));
  const paint = paintOf(scene, colorsOf(scene.tree), N_BUCKETS, { found: flame.found, focus, dimmed });
  const first = !flame.stage.scene;
  setScene(flame.stage, scene, paint, state.flip);
  if (changed || state.focus !== before?.focus) showNode(flame.stage, focus, !first && !changed);
  flame.stage.marks.select = state.select;
  if (state.select >= 0 && state.select !== before?.select) revealRow(flame.stage, state.select, 1);
  drawMarks(flame.stage);
  dress(flame, scene, state, focus);
  flame.ready = true;
}

/**
 * The scene without its plumbing; what is looked for, selected or focused stays in sight.
 * @param {Flame} flame
 * @param {Scene} whole
 * @param {ViewState} state
 */
function collapsed(flame, whole, { search, select, focus, order }) {
  const known = flame.collapsed;
  const in_sight = (/** @type {number} */ node) => node < 0 || (known?.scene.layout.place[node] ?? -1) >= 0;
  if (known && known.whole === whole && known.search === search && in_sight(select) && in_sight(focus)) return known.scene;
  const test = matcher(search);
  const hit = whole.tree.names.map((name) => typeof test === 'function' && test(name));
  const scene = collapse(whole, order, (node) => node === select || node === focus || hit[whole.tree.frame[node] ?? 0] === true);
  flame.collapsed = { whole, search, scene };
  return scene;
}

/**
 * Everything around the stage.
 * @param {Flame} flame
 * @param {Scene} scene
 * @param {ViewState} state
 * @param {number} focus
 */
function dress(flame, scene, state, focus) {
  flame.weights.show();
  flame.arrangement.show(state);
  flame.flip.setAttribute('aria-pressed', String(state.flip));
  flame.plumbing.setAttribute('aria-pressed', String(state.collapse));
  flame.search.set(state.search);
  flame.crumbs.show(flame.whole ?? scene, focus, currentProfile(flame.app)?.index.folded ?? { frames: 0, below: 0 });
  flame.legend.show(scene.tree);
  flame.details.show(flame.whole ?? scene, state.select);
  flame.mirror.show(scene, state.select >= 0 ? state.select : focus);
}

/**
 * @param {Flame} flame
 * @param {Scene} scene
 * @param {string} text
 */
function searchFor(flame, scene, text) {
  const test = matcher(text);
  flame.found = typeof test === 'function' ? find(scene, test) : undefined;
  if (typeof test === 'string') flame.search.tell('', test, true);
  else if (!flame.found) flame.search.tell('', '');
  else {
    const { matches } = flame.found;
    const sum = scene.layout.sum || 1;
    flame.search.tell(`${formatShare(matches.total / sum)} of ${scene.title}`,
      ` · ${formatNoun(matches.n_frames, 'frame')} · ${formatNoun(matches.n_functions, 'function')} · self ${formatShare(matches.self / sum)}`);
  }
}

/**
 * Selects the next or the previous match, from the selected frame or else from the left edge.
 * @param {Flame} flame
 * @param {number} by
 */
export function stepHit(flame, by) {
  const { found, stage, app } = flame;
  const hits = found?.hits() ?? new Uint32Array();
  const n = hits.length;
  if (n === 0 || !stage.scene) return;
  const at = hits.indexOf(app.store.get().select);
  const start = at >= 0 ? at : by > 0 ? firstInSight(flame, hits) - 1 : n;
  const node = /** @type {number} */ (hits[(start + by + n) % n]);
  const inside = isInside(flame, node);
  app.store.update(inside ? { select: node } : { select: node, focus: 0 });
}

/**
 * @param {Flame} flame
 * @param {Uint32Array} hits
 */
function firstInSight({ stage }, hits) {
  const layout = stage.scene?.layout;
  const left = (/** @type {number} */ node) => layout?.left[layout.place[node] ?? 0] ?? 0;
  const found = hits.findIndex((node) => left(node) >= stage.view.from);
  return Math.max(0, found);
}

/**
 * Whether a node lies in the stretch on show.
 * @param {Flame} flame
 * @param {number} node
 */
function isInside({ stage }, node) {
  const layout = stage.scene?.layout;
  const place = layout?.place[node] ?? -1;
  if (!layout || place < 0) return false;
  const left = /** @type {number} */ (layout.left[place]);
  return left >= stage.view.from && left < stage.view.to;
}
