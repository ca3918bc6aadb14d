/**
 * The pointer over the lanes: point, select, focus, drag, wheel; with Shift a stretch of time.
 *
 * @import { LanesStage } from '#viewer/views/lanes-stage.js'
 */

import { drawMarks, panBy, timeOf, under, zoomAt } from '#viewer/views/lanes-stage.js';

/** A press that moves less is a click. */
const CLICK_SLOP = 4;

/** @param {LanesStage} stage */
export function listenToPointer(stage) {
  const { over, ruler } = stage;
  const drag = { on: false, moved: false, range: false, x: 0, y: 0, from: 0 };
  const down = (/** @type {PointerEvent} */ event) => {
    if (event.button !== 0) return;
    const range = event.shiftKey || event.currentTarget === ruler;
    Object.assign(drag, { on: true, moved: false, range, x: event.clientX, y: event.clientY, from: timeOf(stage, event.offsetX) });
    /** @type {Element} */ (event.currentTarget).setPointerCapture(event.pointerId);
  };
  const move = (/** @type {PointerEvent} */ event) => {
    if (drag.on) dragTo(stage, drag, event);
    if (!drag.on && event.currentTarget === over) hover(stage, event);
  };
  const up = () => (drag.on = false);
  for (const canvas of [over, ruler]) {
    canvas.addEventListener('pointerdown', down);
    canvas.addEventListener('pointermove', move);
    canvas.addEventListener('pointerup', up);
    canvas.addEventListener('pointercancel', up);
    canvas.addEventListener('wheel', (event) => wheel(stage, event), { passive: false });
  }
  over.addEventListener('pointerleave', () => leave(stage));
  over.addEventListener('click', (event) => {
    if (!drag.moved) stage.events.select(under(stage, event.offsetX, event.offsetY));
    drag.moved = false;
  });
  over.addEventListener('dblclick', (event) => {
    const hit = under(stage, event.offsetX, event.offsetY);
    if (hit) stage.events.focus(hit);
  });
}

/**
 * @param {LanesStage} stage
 * @param {{ moved: boolean, range: boolean, x: number, y: number, from: number }} drag
 * @param {PointerEvent} event
 */
function dragTo(stage, drag, event) {
  const [dx, dy] = [event.clientX - drag.x, event.clientY - drag.y];
  if (!drag.moved && Math.hypot(dx, dy) < CLICK_SLOP) return;
  if (!drag.moved) leave(stage);
  drag.moved = true;
  if (drag.range) {
    const to = timeOf(stage, event.offsetX);
    stage.events.range({ from: Math.min(drag.from, to), to: Math.max(drag.from, to) });
    return;
  }
  Object.assign(drag, { x: event.clientX, y: event.clientY });
  panBy(stage, -dx);
  if (event.pointerType === 'mouse') stage.scroll.scrollTop -= dy;
}

/**
 * @param {LanesStage} stage
 * @param {PointerEvent} event
 */
function hover(stage, event) {
  const hit = under(stage, event.offsetX, event.offsetY);
  const place = hit?.place;
  stage.over.style.cursor = place || (hit?.gap ?? -1) >= 0 ? 'pointer' : 'default';
  const { marks } = stage;
  if (marks.hover?.row !== place?.row || marks.hover?.i !== place?.i) {
    marks.hover = place;
    drawMarks(stage);
  }
  stage.events.hover(hit, event.offsetX, event.offsetY);
}

/** @param {LanesStage} stage */
function leave(stage) {
  stage.marks.hover = undefined;
  drawMarks(stage);
  stage.events.hover(undefined, -1, -1);
}

/**
 * Up and down scrolls; with Ctrl or a pinch it zooms at the pointer; sideways it pans.
 * @param {LanesStage} stage
 * @param {WheelEvent} event
 */
function wheel(stage, event) {
  if (event.ctrlKey || event.metaKey) {
    event.preventDefault();
    zoomAt(stage, event.offsetX, Math.exp(Math.max(-120, Math.min(120, event.deltaY)) * 0.004));
  } else if (Math.abs(event.deltaX) > Math.abs(event.deltaY) || event.shiftKey) {
    event.preventDefault();
    panBy(stage, event.deltaX || event.deltaY);
  }
}
