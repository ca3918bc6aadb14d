/**
 * From a layout and a viewport to what is to be painted: boxes by colour, runs of frames too narrow
 * to see, labels, and bars for the share of a frame that a search matches. Nothing is left out:
 * neighbours narrower than a pixel become one run that knows which frames it stands for.
 *
 * @import { Layout } from '#viewer/logic/layout.js'
 * @import { Floats } from '#viewer/lib/floats.js'
 *
 * @typedef {object} Viewport
 * @property {number} from left edge, in units of the weight
 * @property {number} to right edge
 * @property {number} width in CSS pixels
 * @property {number} height
 * @property {number} scroll pixels above the top edge
 * @property {number} row_height
 * @property {boolean} flip root at the bottom
 * @property {number} first level drawn; those nearer to the root are shown elsewhere
 *
 * @typedef {object} Paint
 * @property {Uint32Array} frame row of `bucket`, one entry a node
 * @property {Uint8Array} bucket colour of each frame; from `n_buckets` on the same dimmed
 * @property {number} n_buckets
 * @property {number} faded levels above this one are ancestors of the focus and drawn dimmed
 * @property {Float64Array | undefined} matched weight below each node that the search matches
 * @property {Uint32Array | undefined} hits_before hits before each row of the layout
 * @property {number} rest frame that stands for others too narrow to draw, and is drawn like them; -1 is none
 *
 * @typedef {object} DrawList
 * @property {Floats[]} boxes one a bucket, dimmed ones after the others: x, y, width, row
 * @property {Floats} runs x, y, width, whether a hit is inside
 * @property {Floats} run_rows first and last row, y, x
 * @property {Floats} labels x, y, width, row
 * @property {Floats} bars x, y, width, 0
 */

import { lastAtMost, lowerBound } from '#viewer/lib/bisect.js';
import { floats, push4 } from '#viewer/lib/floats.js';

/** Narrower boxes get no text. */
const MIN_LABEL = 28;

/**
 * @param {number} n_buckets
 * @returns {DrawList}
 */
export function emptyDrawList(n_buckets) {
  const boxes = Array.from({ length: n_buckets * 2 }, floats);
  return { boxes, runs: floats(), run_rows: floats(), labels: floats(), bars: floats() };
}

/** @param {DrawList} list */
function clear(list) {
  for (const column of list.boxes) column.length = 0;
  for (const column of [list.runs, list.run_rows, list.labels, list.bars]) column.length = 0;
}

/**
 * The top edge of a level.
 * @param {Viewport} view
 * @param {number} level
 * @param {number} n_levels
 */
export function levelTop(view, level, n_levels) {
  const row = view.flip ? n_levels - 1 - level : level - view.first;
  return row * view.row_height - view.scroll;
}

/**
 * Fills `list` anew.
 * @param {Layout} layout
 * @param {Viewport} view
 * @param {Paint} paint
 * @param {DrawList} list
 */
export function listBoxes(layout, view, paint, list) {
  clear(list);
  for (let level = view.first; level < layout.n_levels; level++) {
    const y = levelTop(view, level, layout.n_levels);
    if (y > view.height || y + view.row_height < 0) continue;
    listLevel(layout, view, paint, list, level, y);
  }
}

/**
 * @param {Layout} layout
 * @param {Viewport} view
 * @param {Paint} paint
 * @param {DrawList} list
 * @param {number} level
 * @param {number} y
 */
function listLevel(layout, view, paint, list, level, y) {
  const start = /** @type {number} */ (layout.level_start[level]);
  const stop = /** @type {number} */ (layout.level_start[level + 1]);
  const scale = view.width / (view.to - view.from);
  const dim = level < paint.faded ? paint.n_buckets : 0;
  let row = Math.max(start, lastAtMost(layout.left, start, stop, view.from));
  while (row < stop) {
    const left = /** @type {number} */ (layout.left[row]);
    if (left >= view.to) break;
    const width = /** @type {number} */ (layout.width[row]) * scale;
    if (width < 1) {
      const pixel = Math.floor((left - view.from) * scale);
      const next = endOfRun(layout, row, stop, view.from + (pixel + 1) / scale, scale);
      if (pixel >= 0) pushRun(list, paint, pixel, y, row, next);
      row = next;
    } else {
      const x = (left - view.from) * scale;
      if (paint.frame[/** @type {number} */ (layout.node[row])] === paint.rest) pushRest(list, view, row, x, y, width);
      else pushBox(layout, view, paint, list, row, x, y, width, dim);
      row++;
    }
  }
}

/**
 * The first row after `row` that starts at or after `edge`, or is wide enough for a box.
 * @param {Layout} layout
 * @param {number} row
 * @param {number} stop
 * @param {number} edge
 * @param {number} scale
 */
function endOfRun(layout, row, stop, edge, scale) {
  let step = 1;
  let reach = row + 1;
  while (reach < stop && /** @type {number} */ (layout.left[reach]) < edge) {
    reach += step;
    step *= 2;
  }
  const next = lowerBound(layout.left, row + 1, Math.min(reach, stop), edge);
  // A frame of a pixel or more reaches past the edge, so only the last one before it can be one.
  const wide = next - 1 > row && /** @type {number} */ (layout.width[next - 1]) * scale >= 1;
  return wide ? next - 1 : next;
}

/**
 * A run of one row that stands for frames folded before.
 * @param {DrawList} list
 * @param {Viewport} view
 * @param {number} row
 * @param {number} x
 * @param {number} y
 * @param {number} width
 */
function pushRest(list, view, row, x, y, width) {
  const from = Math.max(0, Math.round(x));
  const to = Math.min(view.width, Math.round(x + width));
  if (to <= from) return;
  push4(list.runs, from, y, to - from, 0);
  push4(list.run_rows, row, row + 1, y, from);
}

/**
 * @param {DrawList} list
 * @param {Paint} paint
 * @param {number} pixel
 * @param {number} y
 * @param {number} from
 * @param {number} to
 */
function pushRun(list, paint, pixel, y, from, to) {
  const hits = paint.hits_before;
  const hit = hits && /** @type {number} */ (hits[to]) > /** @type {number} */ (hits[from]) ? 1 : 0;
  const { runs, run_rows } = list;
  const last = runs.length - 4;
  if (last >= 0 && runs.data[last + 1] === y && runs.data[last + 3] === hit
    && /** @type {number} */ (runs.data[last]) + /** @type {number} */ (runs.data[last + 2]) === pixel) {
    runs.data[last + 2] = pixel + 1 - /** @type {number} */ (runs.data[last]);
    run_rows.data[last + 1] = to;
    return;
  }
  push4(runs, pixel, y, 1, hit);
  push4(run_rows, from, to, y, pixel);
}

/**
 * @param {Layout} layout
 * @param {Viewport} view
 * @param {Paint} paint
 * @param {DrawList} list
 * @param {number} row
 * @param {number} x
 * @param {number} y
 * @param {number} width
 * @param {number} dim
 */
function pushBox(layout, view, paint, list, row, x, y, width, dim) {
  const from = Math.max(0, x);
  const to = Math.min(view.width, x + width);
  if (to <= from) return;
  const node = /** @type {number} */ (layout.node[row]);
  const bucket = /** @type {number} */ (paint.bucket[/** @type {number} */ (paint.frame[node])]);
  const shown = dim > 0 && bucket < paint.n_buckets ? bucket + dim : bucket;
  push4(/** @type {Floats} */ (list.boxes[shown]), from, y, to - from, row);
  if (to - from > MIN_LABEL) push4(list.labels, from, y, to - from, row);
  const matched = paint.matched ? /** @type {number} */ (paint.matched[node]) : 0;
  const share = matched / /** @type {number} */ (layout.width[row]);
  // A hit itself stands out by its colour.
  if (matched > 0 && !(share >= 1 && bucket < paint.n_buckets)) {
    push4(list.bars, from, y, Math.max(1, (to - from) * Math.min(1, share)), 0);
  }
}
