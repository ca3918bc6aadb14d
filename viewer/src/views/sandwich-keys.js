/**
 * The keys of the sandwich.
 *
 * @import { Sandwich } from '#viewer/views/sandwich.js'
 */

import { nameOf } from '#viewer/logic/stack.js';
import { step } from '#viewer/logic/walk.js';
import { showPlaces } from '#viewer/views/function-links.js';
import { open, setCursor } from '#viewer/views/sandwich-stages.js';
import { panBy, showNode, zoomAt } from '#viewer/views/stage.js';

/** @type {Readonly<Record<string, (view: Sandwich) => void>>} */
const KEYS = {
  ArrowUp: (view) => climb(view, 'callers'),
  ArrowDown: (view) => climb(view, 'callees'),
  ArrowLeft: (view) => aside(view, 'left'),
  ArrowRight: (view) => aside(view, 'right'),
  Enter: (view) => open(view, view.cursor.side, view.cursor.node),
  Escape: ({ app }) => app.store.update({ view: 'flame' }),
  '/': ({ app }) => app.store.update({ view: 'table', group: 'function' }),
  c: (view) => copy(view),
  e: ({ menu }) => menu.open(),
  f: ({ app, scene, pivot }) => scene && pivot && showPlaces(app, { name: scene.tree.names[pivot.frame] ?? '', ...pivot }),
  '+': ({ callees }) => zoomAt(callees, callees.view.width / 2, 0.7),
  '=': ({ callees }) => zoomAt(callees, callees.view.width / 2, 0.7),
  '-': ({ callees }) => zoomAt(callees, callees.view.width / 2, 1 / 0.7),
  a: ({ callees }) => panBy(callees, -callees.view.width / 6),
  d: ({ callees }) => panBy(callees, callees.view.width / 6),
  0: ({ callees }) => showNode(callees, 0, true),
};

/**
 * @param {Sandwich} view
 * @param {KeyboardEvent} event
 */
export function sandwichKey(view, event) {
  const run = KEYS[event.key];
  // On a button or link, Enter presses it.
  const onControl = event.target instanceof HTMLButtonElement || event.target instanceof HTMLAnchorElement;
  if (!run || (onControl && event.key === 'Enter')) return false;
  if (view.halves || event.key === 'Escape' || event.key === '/') run(view);
  return true;
}

/**
 * One step up or down, through the function in the middle.
 * @param {Sandwich} view
 * @param {'callers' | 'callees'} side that lies in this direction
 */
function climb(view, side) {
  const { cursor, halves } = view;
  if (!halves) return;
  const outwards = cursor.node === 0 || cursor.side === side;
  const from = cursor.node === 0 ? side : cursor.side;
  const { tree, layout } = halves[from];
  setCursor(view, from, step(tree, layout, cursor.node, outwards ? 'callee' : 'caller'));
}

/**
 * @param {Sandwich} view
 * @param {'left' | 'right'} direction
 */
function aside(view, direction) {
  const { cursor, halves } = view;
  if (!halves) return;
  const { tree, layout } = halves[cursor.side];
  setCursor(view, cursor.side, step(tree, layout, cursor.node, direction));
}

/** @param {Sandwich} view */
function copy(view) {
  const { app, cursor, halves } = view;
  const half = halves?.[cursor.side];
  if (half && half.n_folded[cursor.node] === 0) void app.copy(nameOf(half.tree, cursor.node), 'Name');
}
