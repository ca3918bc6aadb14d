/**
 * The keys of the flame graph.
 *
 * @import { Flame } from '#viewer/views/flame.js'
 * @import { Direction } from '#viewer/logic/walk.js'
 */

import { keyOfNode } from '#viewer/logic/sandwich.js';
import { folded, nameOf } from '#viewer/logic/stack.js';
import { step } from '#viewer/logic/walk.js';
import { nextDivision, nextOrder } from '#viewer/views/arrangement.js';
import { cutBySearch } from '#viewer/views/cuts.js';
import { stepHit } from '#viewer/views/flame.js';
import { showSandwich } from '#viewer/views/function-links.js';
import { panBy, showNode, zoomAt } from '#viewer/views/stage.js';
import { nextWeight } from '#viewer/views/weights.js';

/** @type {Readonly<Record<string, (flame: Flame) => void>>} */
const KEYS = {
  '/': (flame) => flame.search.focus(),
  n: (flame) => stepHit(flame, 1),
  N: (flame) => stepHit(flame, -1),
  ArrowUp: (flame) => walk(flame, flame.app.store.get().flip ? 'callee' : 'caller'),
  ArrowDown: (flame) => walk(flame, flame.app.store.get().flip ? 'caller' : 'callee'),
  ArrowLeft: (flame) => walk(flame, 'left'),
  ArrowRight: (flame) => walk(flame, 'right'),
  Enter: (flame) => focusSelected(flame),
  Escape: (flame) => out(flame, 0),
  Backspace: (flame) => out(flame, 1),
  i: ({ app }) => app.store.update({ flip: !app.store.get().flip }),
  z: ({ app }) => app.store.update({ collapse: !app.store.get().collapse }),
  I: ({ app }) => app.store.update({ invert: !app.store.get().invert }),
  r: ({ app }) => app.store.update({ recursion: !app.store.get().recursion }),
  g: ({ app }) => nextDivision(app, 1),
  G: ({ app }) => nextDivision(app, -1),
  o: ({ app }) => nextOrder(app),
  w: ({ app }) => nextWeight(app, 1),
  W: ({ app }) => nextWeight(app, -1),
  x: (flame) => sandwich(flame),
  e: (flame) => flame.menu.open(),
  k: ({ app }) => cutBySearch(app, '+'),
  K: ({ app }) => cutBySearch(app, '-'),
  c: (flame) => copy(flame, 'Name'),
  C: (flame) => copy(flame, 'Stack'),
  '+': ({ stage }) => zoomAt(stage, stage.view.width / 2, 0.7),
  '=': ({ stage }) => zoomAt(stage, stage.view.width / 2, 0.7),
  '-': ({ stage }) => zoomAt(stage, stage.view.width / 2, 1 / 0.7),
  a: ({ stage }) => panBy(stage, -stage.view.width / 6),
  d: ({ stage }) => panBy(stage, stage.view.width / 6),
  0: (flame) => reset(flame),
};

/**
 * @param {Flame} flame
 * @param {KeyboardEvent} event
 */
export function flameKey(flame, event) {
  const run = KEYS[event.key];
  // On a button or link, Enter presses it.
  const onControl = event.target instanceof HTMLButtonElement || event.target instanceof HTMLAnchorElement;
  if (!run || (onControl && event.key === 'Enter')) return false;
  run(flame);
  return true;
}

/**
 * @param {Flame} flame
 * @param {Direction} direction
 */
function walk({ app, stage }, direction) {
  const { select, focus } = app.store.get();
  if (!stage.scene) return;
  const { tree, layout } = stage.scene;
  app.store.update({ select: select < 0 ? focus : step(tree, layout, select, direction) });
}

/** @param {Flame} flame */
function focusSelected({ app }) {
  const { select } = app.store.get();
  if (select >= 0) app.store.update({ focus: select });
}

/**
 * Out of the focus, of a free zoom, of the selection, of the search, whichever comes first.
 * @param {Flame} flame
 * @param {number} steps callers to go out by; 0 is all of them
 */
function out(flame, steps) {
  const { app, stage } = flame;
  const { focus, select, search } = app.store.get();
  const scene = stage.scene;
  if (focus > 0) app.store.update({ focus: steps === 0 ? 0 : Math.max(0, scene?.tree.parent[focus] ?? 0) });
  else if (scene && stage.view.to - stage.view.from < scene.layout.sum) showNode(stage, 0, true);
  else if (select >= 0) app.store.update({ select: -1 });
  else if (search !== '') app.store.update({ search: '' });
}

/** @param {Flame} flame */
function reset({ app, stage }) {
  if (app.store.get().focus === 0) showNode(stage, 0, true);
  app.store.update({ focus: 0 });
}

/**
 * The function of the selected frame, or else of the focus, between its callers and callees.
 * @param {Flame} flame
 */
function sandwich({ app, stage }) {
  const { select, focus } = app.store.get();
  if (stage.scene) showSandwich(app, keyOfNode(stage.scene.tree, select >= 0 ? select : focus));
}

/**
 * @param {Flame} flame
 * @param {'Name' | 'Stack'} what
 */
function copy({ app, whole }, what) {
  const { select, focus } = app.store.get();
  const node = select >= 0 ? select : focus;
  if (!whole) return;
  const { tree, turned } = whole;
  void app.copy(what === 'Name' ? nameOf(tree, node) : folded(tree, node, turned), what);
}
