/**
 * Paints counters: an area as high as the number, pale up to the most of a column and full up to the
 * least, on a line that stays where the number is nothing.
 *
 * @import { Floats } from '#viewer/lib/floats.js'
 * @import { Palette } from '#viewer/draw/palette.js'
 *
 * @typedef {object} CounterStrip
 * @property {number} y px
 * @property {number} most what fills the height
 * @property {Floats} columns x, width, least and most
 */

import { ROW_HEIGHT } from '#viewer/draw/flame.js';

/** Room for the area: a row without the line below it. */
const HEIGHT = ROW_HEIGHT - 3;
/** Of what is more than nothing, however little. */
const LEAST_HEIGHT = 2;
const [PALE, FULL, LINE] = [0.28, 0.5, 0.35];

/**
 * The rectangles of a counter, in the order they are painted.
 * @param {CounterStrip} strip
 * @param {number} width of the stage
 * @param {(x: number, y: number, width: number, height: number, alpha: number) => void} paint
 */
export function eachShape({ y, most, columns: { data, length } }, width, paint) {
  const floor = y + HEIGHT;
  paint(0, floor, width, 1, LINE);
  for (const [offset, alpha] of /** @type {const} */ ([[3, PALE], [2, FULL]])) {
    for (let i = 0; i < length; i += 4) {
      const value = /** @type {number} */ (data[i + offset]);
      if (value === 0) continue;
      const high = Math.max(LEAST_HEIGHT, (value / most) * HEIGHT);
      paint(/** @type {number} */ (data[i]), floor - high, /** @type {number} */ (data[i + 1]), high, alpha);
    }
  }
}

/**
 * @param {CanvasRenderingContext2D} context
 * @param {readonly CounterStrip[]} strips
 * @param {number} width
 * @param {Palette} palette
 */
export function paintCounters(context, strips, width, palette) {
  context.fillStyle = palette.bar;
  for (const strip of strips) {
    let last = -1;
    eachShape(strip, width, (x, y, wide, high, alpha) => {
      if (alpha !== last) context.globalAlpha = last = alpha;
      context.fillRect(x, y, wide, high);
    });
  }
  context.globalAlpha = 1;
}

/**
 * The same as SVG text.
 * @param {readonly CounterStrip[]} strips
 * @param {number} width
 * @param {Palette} palette
 */
export function counterShapes(strips, width, palette) {
  /** @type {string[]} */
  const shapes = [];
  const round = (/** @type {number} */ value) => Math.round(value * 100) / 100;
  for (const strip of strips) eachShape(strip, width, (x, y, wide, high, alpha) => shapes.push(
    `<rect x="${round(x)}" y="${round(y)}" width="${round(wide)}" height="${round(high)}" fill="${palette.bar}" opacity="${alpha}"/>`));
  return shapes;
}
