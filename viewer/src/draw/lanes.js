/**
 * Paints lanes. Knows boxes, columns, gaps and marks of time; nothing of traces.
 *
 * @import { SpanList } from '#viewer/logic/span-list.js'
 * @import { Palette } from '#viewer/draw/palette.js'
 * @import { Labels } from '#viewer/draw/flame.js'
 * @import { CounterStrip } from '#viewer/draw/counters.js'
 *
 * @typedef {{ x: number, width: number }} Stretch
 */

import { paintColumns } from '#viewer/draw/columns.js';
import { paintCounters } from '#viewer/draw/counters.js';
import { ROW_HEIGHT, hatching, paintBoxes, paintLabels } from '#viewer/draw/flame.js';

/**
 * @param {CanvasRenderingContext2D} context
 * @param {{ width: number, height: number }} size
 * @param {SpanList} list
 * @param {Palette} palette
 * @param {{ labels: Labels, busy: { y: number, stretches: readonly Stretch[] }[], outside: readonly Stretch[], busy_fill: string,
 *   counters: readonly CounterStrip[] }} more
 */
export function paintLanes(context, size, list, palette, { labels, busy, outside, busy_fill, counters }) {
  context.clearRect(0, 0, size.width, size.height);
  context.fillStyle = busy_fill;
  for (const { y, stretches } of busy) {
    for (const { x, width } of stretches) context.fillRect(x, y, width, ROW_HEIGHT - 1);
  }
  paintGaps(context, size.width, list, palette);
  paintCounters(context, counters, size.width, palette);
  paintColumns(context, size.width, list.columns, palette.pixels, ROW_HEIGHT - 1);
  list.boxes.forEach((boxes, bucket) => {
    if (boxes.length > 0) paintBoxes(context, boxes, palette.fill[bucket] ?? '');
  });
  paintLabels(context, list.labels, palette, labels);
  context.fillStyle = palette.ground;
  context.globalAlpha = 0.6;
  for (const { x, width } of outside) context.fillRect(x, 0, width, size.height);
  context.globalAlpha = 1;
}

/**
 * Idle pieces cut out of the busy strip.
 * @param {CanvasRenderingContext2D} context
 * @param {number} width
 * @param {SpanList} list
 * @param {Palette} palette
 */
function paintGaps(context, width, { gaps, thin }, palette) {
  for (const fill of [palette.ground, hatching(context, palette.hatch)]) {
    context.fillStyle = fill;
    for (let i = 0; i < gaps.length; i += 4) {
      const [x, y, w] = [/** @type {number} */ (gaps.data[i]), /** @type {number} */ (gaps.data[i + 1]), /** @type {number} */ (gaps.data[i + 2])];
      context.fillRect(x, y, Math.max(1, w), ROW_HEIGHT - 1);
    }
  }
  paintColumns(context, width, [thin], palette.pixels.slice(-1), ROW_HEIGHT - 1);
}

/**
 * The axis: marks of time above, steps below.
 * @param {CanvasRenderingContext2D} context
 * @param {{ width: number, height: number }} size
 * @param {Palette} palette
 * @param {{ ticks: readonly { x: number, text: string }[],
 *   steps: readonly { x: number, width: number, text: string, kept: boolean }[] }} marks
 */
export function paintRuler(context, size, palette, { ticks, steps }) {
  context.clearRect(0, 0, size.width, size.height);
  context.font = `11px ${getComputedStyle(context.canvas).fontFamily}`;
  context.textBaseline = 'middle';
  context.fillStyle = palette.text;
  for (const { x, text } of ticks) {
    context.globalAlpha = 0.25;
    context.fillRect(Math.round(x), 4, 1, 14);
    context.globalAlpha = 0.75;
    context.fillText(text, Math.round(x) + 4, 11);
  }
  for (const { x, width, text, kept } of steps) {
    context.globalAlpha = kept ? 0.13 : 0.05;
    context.fillRect(x, 21, Math.max(1, width - 1), 16);
    if (width < 24) continue;
    context.globalAlpha = kept ? 0.9 : 0.5;
    context.save();
    context.beginPath();
    context.rect(x, 21, width - 3, 16);
    context.clip();
    context.fillText(text, x + 5, 29);
    context.restore();
  }
  context.globalAlpha = 1;
}

/**
 * The line from a launch to its work.
 * @param {CanvasRenderingContext2D} context
 * @param {{ x: number, y: number }} from
 * @param {{ x: number, y: number }} to
 * @param {string} color
 */
export function paintLink(context, from, to, color) {
  context.strokeStyle = color;
  context.lineWidth = 1.5;
  context.beginPath();
  context.moveTo(from.x, from.y);
  const bend = Math.max(20, Math.abs(to.x - from.x) / 3);
  context.bezierCurveTo(from.x + bend, from.y, to.x - bend, to.y, to.x, to.y);
  context.stroke();
}

/**
 * A stretch of time on the overlay.
 * @param {CanvasRenderingContext2D} context
 * @param {Stretch} stretch
 * @param {number} height
 * @param {string} color
 */
export function paintStretch(context, { x, width }, height, color) {
  context.fillStyle = color;
  context.globalAlpha = 0.12;
  context.fillRect(x, 0, width, height);
  context.globalAlpha = 1;
  paintEdges(context, { x, width }, height, color);
}

/**
 * The edges of a stretch alone: what lies between stays as it is.
 * @param {CanvasRenderingContext2D} context
 * @param {Stretch} stretch
 * @param {number} height
 * @param {string} color
 */
export function paintEdges(context, { x, width }, height, color) {
  context.fillStyle = color;
  context.globalAlpha = 0.8;
  context.fillRect(x, 0, 1, height);
  context.fillRect(x + width, 0, 1, height);
  context.globalAlpha = 1;
}
