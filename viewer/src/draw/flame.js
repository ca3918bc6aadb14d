/**
 * Paints a draw list. Knows boxes, runs, labels and bars; nothing of stacks.
 *
 * @import { Floats } from '#viewer/lib/floats.js'
 * @import { Palette } from '#viewer/draw/palette.js'
 * @import { Ruler } from '#viewer/draw/text.js'
 *
 * @typedef {object} Boxes
 * @property {Floats[]} boxes one a bucket: x, y, width, row
 * @property {Floats} runs x, y, width, whether a hit is inside
 * @property {Floats} labels x, y, width, row
 * @property {Floats} bars x, y, width, 0
 *
 * @typedef {object} Labels
 * @property {(row: number) => readonly string[]} names of falling length
 * @property {(row: number, y: number) => number} bucket
 */

import { ruler } from '#viewer/draw/text.js';

export const ROW_HEIGHT = 20;
const FONT_SIZE = 11.5;
/** More text than this nobody reads. */
const MAX_LABELS = 5000;

/**
 * Makes the backing store as large as the canvas is on screen, in device pixels.
 * @param {HTMLCanvasElement} canvas
 * @param {number} width
 * @param {number} height
 * @returns {CanvasRenderingContext2D}
 */
export function fitCanvas(canvas, width, height) {
  const ratio = devicePixelRatio || 1;
  const [w, h] = [Math.round(width * ratio), Math.round(height * ratio)];
  if (canvas.width !== w || canvas.height !== h) {
    canvas.width = w;
    canvas.height = h;
  }
  canvas.style.width = `${width}px`;
  canvas.style.height = `${height}px`;
  const context = /** @type {CanvasRenderingContext2D} */ (canvas.getContext('2d'));
  context.setTransform(ratio, 0, 0, ratio, 0, 0);
  return context;
}

/**
 * @param {CanvasRenderingContext2D} context
 * @param {{ width: number, height: number }} size
 * @param {Boxes} list
 * @param {Palette} palette
 * @param {Labels} labels
 */
export function paintFlame(context, size, list, palette, labels) {
  context.clearRect(0, 0, size.width, size.height);
  paintRuns(context, list.runs, palette);
  list.boxes.forEach((boxes, bucket) => {
    if (boxes.length > 0) paintBoxes(context, boxes, palette.fill[bucket] ?? '');
  });
  paintBars(context, list.bars, palette);
  paintLabels(context, list.labels, palette, labels);
}

/**
 * @param {CanvasRenderingContext2D} context
 * @param {Floats} boxes
 * @param {string} fill
 */
export function paintBoxes(context, { data, length }, fill) {
  const ratio = devicePixelRatio || 1;
  context.fillStyle = fill;
  for (let i = 0; i < length; i += 4) {
    const x = /** @type {number} */ (data[i]);
    const width = /** @type {number} */ (data[i + 2]);
    // Whole device pixels: no soft edges, no seams.
    const left = Math.round(x * ratio) / ratio;
    const right = Math.round((x + width) * ratio) / ratio;
    const gap = width >= 3 ? 1 : 0;
    context.fillRect(left, /** @type {number} */ (data[i + 1]), Math.max(1 / ratio, right - left - gap), ROW_HEIGHT - 1);
  }
}

/** @type {WeakMap<CanvasRenderingContext2D, { color: string, pattern: CanvasPattern | string }>} */
const patterns = new WeakMap();

/**
 * @param {CanvasRenderingContext2D} context
 * @param {string} color
 */
export function hatching(context, color) {
  const known = patterns.get(context);
  if (known?.color === color) return known.pattern;
  const tile = document.createElement('canvas');
  tile.width = tile.height = 4;
  const pen = /** @type {CanvasRenderingContext2D} */ (tile.getContext('2d'));
  pen.strokeStyle = color;
  pen.lineWidth = 1.3;
  for (const shift of [-4, 0, 4]) {
    pen.moveTo(shift - 1, 5);
    pen.lineTo(shift + 5, -1);
  }
  pen.stroke();
  const pattern = context.createPattern(tile, 'repeat') ?? color;
  patterns.set(context, { color, pattern });
  return pattern;
}

/**
 * @param {CanvasRenderingContext2D} context
 * @param {Floats} runs
 * @param {Palette} palette
 */
function paintRuns(context, { data, length }, palette) {
  for (const hit of [0, 1]) {
    context.fillStyle = hatching(context, hit === 1 ? palette.bar : palette.hatch);
    for (let i = 0; i < length; i += 4) {
      if (data[i + 3] !== hit) continue;
      const [x, y, width] = data.subarray(i, i + 3);
      context.fillRect(x ?? 0, y ?? 0, width ?? 0, ROW_HEIGHT - 1);
    }
  }
}

/**
 * @param {CanvasRenderingContext2D} context
 * @param {Floats} bars
 * @param {Palette} palette
 */
function paintBars(context, { data, length }, palette) {
  context.fillStyle = palette.bar;
  for (let i = 0; i < length; i += 4) {
    const [x, y, width] = data.subarray(i, i + 3);
    context.fillRect(x ?? 0, (y ?? 0) + ROW_HEIGHT - 3, width ?? 0, 2);
  }
}

/** @type {WeakMap<CanvasRenderingContext2D, { font: string, ruler: Ruler }>} */
const rulers = new WeakMap();

/**
 * The ruler of a canvas, whose font it sets.
 * @param {CanvasRenderingContext2D} context
 */
function rulerOf(context) {
  const font = `${FONT_SIZE}px ${getComputedStyle(context.canvas).fontFamily}`;
  context.font = font;
  let known = rulers.get(context);
  if (known?.font !== font) rulers.set(context, (known = { font, ruler: ruler(context) }));
  return known.ruler;
}

/**
 * What fits into a box of a picture that is no canvas.
 * @param {HTMLCanvasElement} canvas with the font of the picture
 */
export function flameRuler(canvas) {
  return rulerOf(/** @type {CanvasRenderingContext2D} */ (canvas.getContext('2d')));
}

/**
 * @param {CanvasRenderingContext2D} context
 * @param {Floats} list
 * @param {Palette} palette
 * @param {Labels} labels
 */
export function paintLabels(context, { data, length }, palette, labels) {
  const fitting = rulerOf(context);
  context.textBaseline = 'middle';
  const end = Math.min(length, MAX_LABELS * 4);
  let ink = '';
  for (let i = 0; i < end; i += 4) {
    const [y, row] = [/** @type {number} */ (data[i + 1]), /** @type {number} */ (data[i + 3])];
    const text = fitting.fit(labels.names(row), /** @type {number} */ (data[i + 2]) - 9);
    if (text === '') continue;
    const next = palette.ink[labels.bucket(row, y)] ?? '';
    if (next !== ink) context.fillStyle = ink = next;
    context.fillText(text, /** @type {number} */ (data[i]) + 4, y + ROW_HEIGHT / 2);
  }
}

/**
 * Outlines a box on the overlay.
 * @param {CanvasRenderingContext2D} context
 * @param {{ x: number, y: number, width: number }} box
 * @param {string} color
 * @param {number} line
 */
export function outline(context, box, color, line) {
  context.strokeStyle = color;
  context.lineWidth = line;
  const inset = line / 2;
  const width = Math.max(2, box.width - 1) - line;
  context.strokeRect(box.x + inset, box.y + inset, Math.max(1, width), ROW_HEIGHT - 1 - line);
}
