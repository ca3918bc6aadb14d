/**
 * The pointer over the flame graph: point, select, focus, drag, wheel.
 *
 * @import { Stage } from '#viewer/views/stage.js'
 */

import { drawMarks, nodeAt, panBy, zoomAt } from '#viewer/views/stage.js';

/** A press that moves less is a click. */
const CLICK_SLOP = 4;

/** @param {Stage} stage */
export function listenToPointer(stage) {
  const { element, over } = stage;
  const drag = { on: false, moved: false, x: 0, y: 0 };
  element.addEventListener('pointermove', (event) => {
    if (drag.on) dragTo(stage, drag, event);
    if (!drag.moved) hover(stage, event);
  });
  element.addEventListener('pointerleave', () => setHover(stage, -1));
  element.addEventListener('pointerdown', (event) => {
    if (event.button === 0 && event.target === over) {
      Object.assign(drag, { on: true, moved: false, x: event.clientX, y: event.clientY });
    }
  });
  addEventListener('pointerup', () => (drag.on = false));
  over.addEventListener('click', (event) => {
    const hit = nodeAt(stage, event.offsetX, event.offsetY);
    // The second click of a double one is not another: what it meets may have just come there.
    if (!drag.moved && hit && event.detail < 2) stage.events.select(hit);
    drag.moved = false;
  });
  over.addEventListener('dblclick', (event) => {
    const hit = nodeAt(stage, event.offsetX, event.offsetY);
    if (hit) stage.events.focus(hit.node);
  });
  element.addEventListener('wheel', (event) => wheel(stage, event), { passive: false });
}

/**
 * @param {Stage} stage
 * @param {{ on: boolean, moved: boolean, x: number, y: number }} drag
 * @param {PointerEvent} event
 */
function dragTo(stage, drag, event) {
  const [dx, dy] = [event.clientX - drag.x, event.clientY - drag.y];
  if (!drag.moved && Math.hypot(dx, dy) < CLICK_SLOP) return;
  if (!drag.moved) setHover(stage, -1);
  Object.assign(drag, { moved: true, x: event.clientX, y: event.clientY });
  panBy(stage, -dx);
  if (event.pointerType === 'mouse') stage.element.scrollTop -= dy;
}

/**
 * @param {Stage} stage
 * @param {PointerEvent} event
 */
function hover(stage, event) {
  if (event.target !== stage.over) return setHover(stage, -1);
  const hit = nodeAt(stage, event.offsetX, event.offsetY);
  stage.over.style.cursor = hit ? 'pointer' : 'default';
  if (stage.marks.hover !== (hit?.node ?? -1)) {
    stage.marks.hover = hit?.node ?? -1;
    drawMarks(stage);
  }
  stage.events.hover(hit, event.offsetX, event.offsetY);
}

/**
 * @param {Stage} stage
 * @param {number} node
 */
function setHover(stage, node) {
  stage.marks.hover = node;
  drawMarks(stage);
  stage.events.hover(undefined, 0, 0);
}

/**
 * Up and down scrolls; with Ctrl or a pinch it zooms at the pointer; sideways it pans.
 * @param {Stage} stage
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
