/**
 * The two stages of the sandwich as one: they share the height, the stretch and the keyboard.
 *
 * @import { Hit } from '#viewer/logic/hit.js'
 * @import { Half, Pivot, Side } from '#viewer/logic/sandwich.js'
 * @import { Sandwich } from '#viewer/views/sandwich.js'
 * @import { Stage } from '#viewer/views/stage.js'
 */

import { keyOfNode, shareRoom } from '#viewer/logic/sandwich.js';
import { ROW_HEIGHT } from '#viewer/draw/flame.js';
import { showSandwich } from '#viewer/views/function-links.js';
import { boxOf, drawMarks, measure, moveTo, redraw, revealRow, stageHeight } from '#viewer/views/stage.js';

/** What a half takes that has nothing to show but a word. */
const EMPTY_HEIGHT = 30;
/** The callees keep this much, however tall the callers are. */
const LEAST_CALLEES = 5 * ROW_HEIGHT;

/**
 * @param {Sandwich} view
 * @param {Side} side
 */
export function stageOf(view, side) {
  return side === 'callers' ? view.callers : view.callees;
}

/**
 * @param {Sandwich} view
 * @param {Pivot} pivot
 * @param {{ callers: Half, callees: Half }} halves
 */
export function tellEmpty({ none }, pivot, { callers, callees }) {
  const nothing = pivot.total <= 0 ? `No ${callers.title} in this function or below it: switch the weight.` : '';
  none.callers.textContent = nothing || callers.tree.n > 1 ? '' : 'No callers: its stacks begin here.';
  none.callees.textContent = nothing || (callees.tree.n > 1 ? '' : 'Calls nothing: all of it is self.');
  none.callers.hidden = none.callers.textContent === '';
  none.callees.hidden = none.callees.textContent === '';
}

/** @param {Stage} stage */
export function bottomGap({ element }) {
  return element.scrollHeight - element.scrollTop - element.clientHeight;
}

/**
 * Shares the height between the halves; the callers keep their distance from the bar.
 * @param {Sandwich} view
 * @param {boolean} fresh another function: both start at the bar
 * @param {number} gap pixels that the callers are scrolled away from it
 */
export function arrange(view, fresh, gap = bottomGap(view.callers)) {
  const { holder, above, bar, callers, callees } = view;
  const need = (/** @type {Stage} */ stage, /** @type {HTMLElement} */ told) => Math.max(stageHeight(stage), told.hidden ? 0 : EMPTY_HEIGHT);
  const room = holder.clientHeight - bar.element.offsetHeight;
  above.style.height = `${shareRoom(room, need(callers, view.none.callers), Math.max(view.none.callees.hidden ? LEAST_CALLEES : 0, need(callees, view.none.callees)))}px`;
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
export function mark(view) {
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
export function zoomTo(view, side, rows) {
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
export function hover(view, side, hit, x, y) {
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
export function follow(view, side) {
  const other = stageOf(view, side === 'callers' ? 'callees' : 'callers');
  const { from, to } = stageOf(view, side).view;
  view.whole.hidden = to - from > (view.pivot?.total ?? 0) * 0.999;
  [other.view.from, other.view.to] = [from, to];
  redraw(other);
  view.tooltip.hide();
}
