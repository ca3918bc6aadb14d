/**
 * Paints columns of pixels that are partly covered. They are too many for a box each: a strip that is one pixel
 * high per band is filled by hand, and stretched to the height of its band.
 *
 * @import { Floats } from '#viewer/lib/floats.js'
 *
 * @typedef {{ canvas: HTMLCanvasElement, context: CanvasRenderingContext2D, pixels: ImageData }} Strips
 */

/** @type {WeakMap<CanvasRenderingContext2D, Strips>} */
const known = new WeakMap();

/**
 * @param {CanvasRenderingContext2D} context
 * @param {number} width px
 * @param {readonly Floats[]} columns one list a colour: x, y, width, share that is covered
 * @param {readonly number[]} pixels their colours, as image data holds them
 * @param {number} height of a band
 */
export function paintColumns(context, width, columns, pixels, height) {
  const bands = bandsOf(columns);
  if (bands.size === 0) return;
  const strips = stripsOf(context, Math.ceil(width), bands.size);
  const out = new Uint32Array(strips.pixels.data.buffer).fill(0);
  columns.forEach(({ data, length }, bucket) => {
    if (length === 0) return;
    const color = pixels[bucket] ?? 0;
    for (let i = 0; i < length; i += 4) {
      const from = /** @type {number} */ (bands.get(/** @type {number} */ (data[i + 1]))) * strips.canvas.width + /** @type {number} */ (data[i]);
      const alpha = Math.round(/** @type {number} */ (data[i + 3]) * 255);
      out.fill((color | (alpha << 24)) >>> 0, from, from + /** @type {number} */ (data[i + 2]));
    }
  });
  strips.context.putImageData(strips.pixels, 0, 0);
  context.imageSmoothingEnabled = false;
  for (const [y, row] of bands) context.drawImage(strips.canvas, 0, row, strips.canvas.width, 1, 0, y, strips.canvas.width, height);
}

/**
 * The rows of the strip by the tops of their bands.
 * @param {readonly Floats[]} columns
 */
function bandsOf(columns) {
  /** @type {Map<number, number>} */
  const bands = new Map();
  for (const { data, length } of columns) {
    let last = NaN;
    for (let i = 1; i < length; i += 4) {
      const y = /** @type {number} */ (data[i]);
      if (y === last) continue;
      last = y;
      if (!bands.has(y)) bands.set(y, bands.size);
    }
  }
  return bands;
}

/**
 * The strips of a canvas, at least as high as asked for.
 * @param {CanvasRenderingContext2D} context
 * @param {number} width
 * @param {number} height
 * @returns {Strips}
 */
function stripsOf(context, width, height) {
  const found = known.get(context);
  if (found && found.canvas.width === width && found.canvas.height >= height) return found;
  const canvas = document.createElement('canvas');
  Object.assign(canvas, { width, height });
  const own = /** @type {CanvasRenderingContext2D} */ (canvas.getContext('2d', { willReadFrequently: true }));
  const made = { canvas, context: own, pixels: own.createImageData(width, height) };
  known.set(context, made);
  return made;
}
