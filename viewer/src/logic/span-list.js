/**
 * From rows of spans and a stretch of time to what is to be painted. Spans of a pixel and more are
 * boxes; where they are narrower, each pixel column knows exactly how much of it is covered.
 *
 * @import { Floats } from '#viewer/lib/floats.js'
 * @import { Band } from '#viewer/logic/lanes.js'
 * @import { Row } from '#viewer/data/chart.js'
 *
 * @typedef {object} TimeView
 * @property {number} from ns
 * @property {number} to
 * @property {number} width px
 * @property {number} height
 * @property {number} scroll
 *
 * @typedef {object} SpanList
 * @property {Floats[]} boxes one a colour, dimmed ones after the others: x, y, width, number in its row
 * @property {Floats[]} columns one a colour: x, y, width, share of it that is covered
 * @property {Floats} gaps idle pieces: x, y, width, number in its row
 * @property {Floats} thin columns of idle pieces: x, y, width, share that is idle
 * @property {Floats} labels x, y, width, number in its row
 * @property {Floats} label_bands band of each label, as its first number
 */

import { lowerBound } from '#viewer/lib/bisect.js';
import { floats, push4 } from '#viewer/lib/floats.js';

/** Narrower boxes get no text. */
const MIN_LABEL = 30;
/** Shares of a column are told apart in so many steps: neighbours that look alike are one. */
const SHADES = 16;

/**
 * @param {number} n_buckets
 * @returns {SpanList}
 */
export function emptySpanList(n_buckets) {
  const each = () => Array.from({ length: n_buckets * 2 }, floats);
  return { boxes: each(), columns: each(), gaps: floats(), thin: floats(), labels: floats(), label_bands: floats() };
}

/**
 * Fills `list` anew.
 * @param {readonly Band[]} bands
 * @param {TimeView} view
 * @param {Uint8Array} bucket colour of each frame
 * @param {SpanList} list
 */
export function listSpans(bands, view, bucket, list) {
  for (const column of [...list.boxes, ...list.columns, list.gaps, list.thin, list.labels, list.label_bands]) {
    column.length = 0;
  }
  for (const [b, band] of bands.entries()) {
    const y = band.top - view.scroll;
    if (y <= view.height && y >= -20) listBand(band, b, y, view, bucket, list);
  }
}

/**
 * @param {Band} band
 * @param {number} b
 * @param {number} y
 * @param {TimeView} view
 * @param {Uint8Array} bucket
 * @param {SpanList} list
 */
function listBand({ kind, row }, b, y, view, bucket, list) {
  const { data, length } = cellsOf(row, view, bucket);
  const is_idle = kind === 'idle';
  for (let k = 0; k < length; k += 4) {
    const [color, x, width, value] = [at(data, k), at(data, k + 1), at(data, k + 2), at(data, k + 3)];
    if (color >= 0) {
      push4(is_idle ? list.thin : /** @type {Floats} */ (list.columns[color]), x, y, width, value);
      continue;
    }
    push4(is_idle ? list.gaps : /** @type {Floats} */ (list.boxes[-1 - color]), x, y, width, value);
    if (width > MIN_LABEL) {
      push4(list.labels, x, y, width, value);
      push4(list.label_bands, b, 0, 0, 0);
    }
  }
}

/**
 * What a row shows of a stretch of time, wherever it stands on screen: colour, x, width and share of each
 * column; -1 - colour, x, width and number of each box. Kept until the stretch is another, because
 * scrolling and selecting show the same again.
 * @typedef {{ cells: Floats, from: number, to: number, width: number, bucket: Uint8Array }} Kept
 */

/** @type {WeakMap<Float64Array, Kept>} */
const kept = new WeakMap();

/**
 * @param {Row} row
 * @param {TimeView} view
 * @param {Uint8Array} bucket
 */
function cellsOf(row, { from, to, width }, bucket) {
  const known = kept.get(row.start);
  if (known && known.from === from && known.to === to && known.width === width && known.bucket === bucket) return known.cells;
  const cells = known?.cells ?? floats();
  cells.length = 0;
  fillCells(row, { from, to, width }, bucket, cells);
  kept.set(row.start, { cells, from, to, width, bucket });
  return cells;
}

/**
 * @param {Row} row
 * @param {{ from: number, to: number, width: number }} view
 * @param {Uint8Array} bucket
 * @param {Floats} cells
 */
function fillCells(row, view, bucket, cells) {
  const { start, end, frame } = row;
  const scale = view.width / (view.to - view.from);
  const n = start.length;
  let i = firstEndingAfter(row, view.from);
  /** @type {Index | undefined} */
  let index;
  while (i < n && at(start, i) < view.to) {
    const x = (at(start, i) - view.from) * scale;
    const right = (at(end, i) - view.from) * scale;
    const color = bucket[/** @type {number} */ (frame[i])] ?? 0;
    if (right - x >= 1) {
      const left = Math.max(0, x);
      push4(cells, -1 - color, left, Math.min(view.width, right) - left, i);
      i++;
      continue;
    }
    const pixel = Math.max(0, Math.floor(x));
    const edge = view.from + (pixel + 1) / scale;
    const next = endOfColumn(row, index, i, n, edge, scale);
    if (next - i > FEW) index ??= indexOf(row);
    const covered = coveredBetween(row, index, i, next, edge) * scale;
    pushColumn(cells, color, pixel, Math.min(1, covered));
    i = next;
  }
}

/**
 * @param {Float64Array} column
 * @param {number} i
 */
const at = (column, i) => /** @type {number} */ (column[i]);

/**
 * The first span that ends after `time`.
 * @param {{ end: Float64Array }} row by time, none overlapping
 * @param {number} time
 */
export function firstEndingAfter({ end }, time) {
  const first = lowerBound(end, 0, end.length, time);
  let i = first;
  while (i < end.length && at(end, i) <= time) i++;
  return i;
}

/**
 * The first span after `i` that starts at or after `edge`, or is wide enough for a box.
 * @param {Row} row
 * @param {Index | undefined} index of the row, where columns hold many spans
 * @param {number} i
 * @param {number} n
 * @param {number} edge
 * @param {number} scale
 */
function endOfColumn({ start, end }, index, i, n, edge, scale) {
  let next = i + 1;
  if (index) {
    next = Math.max(next, firstOfSlot(index, edge));
    while (next < n && at(start, next) < edge) next++;
  } else {
    let step = 1;
    while (next < n && at(start, next) < edge) {
      next += step;
      step *= 2;
    }
    next = lowerBound(start, i + 1, Math.min(next, n), edge);
  }
  // A span of a pixel or more reaches past the edge, so only the last one before it can be one.
  const wide = next - 1 > i && (at(end, next - 1) - at(start, next - 1)) * scale >= 1;
  return wide ? next - 1 : next;
}

/**
 * A row made ready for columns of many spans: where each slot of time begins, and how much is covered
 * before each span.
 * @typedef {{ sum: Float64Array, first: Uint32Array, from: number, slots_per_ns: number }} Index
 */

/** @type {WeakMap<Float64Array, Index>} */
const indices = new WeakMap();
/** Spans of a slot, on average. */
const PER_SLOT = 8;

/**
 * @param {Row} row
 * @returns {Index}
 */
function indexOf({ start, end }) {
  const known = indices.get(start);
  if (known) return known;
  const n = start.length;
  const n_slots = Math.max(1, Math.floor(n / PER_SLOT));
  const from = at(start, 0);
  const slots_per_ns = n_slots / Math.max(1, at(start, n - 1) - from);
  const index = { sum: new Float64Array(n + 1), first: new Uint32Array(n_slots + 1), from, slots_per_ns };
  let slot = 0;
  for (let i = 0; i < n; i++) {
    index.sum[i + 1] = at(index.sum, i) + at(end, i) - at(start, i);
    const until = Math.min(n_slots, Math.floor((at(start, i) - from) * slots_per_ns));
    while (slot < until) index.first[++slot] = i;
  }
  while (slot < n_slots) index.first[++slot] = n;
  indices.set(start, index);
  return index;
}

/**
 * A span at or before the first that starts at or after an instant, and near to it.
 * @param {Index} index
 * @param {number} time
 */
function firstOfSlot({ first, from, slots_per_ns }, time) {
  const slot = Math.floor((time - from) * slots_per_ns) - 1;
  return slot < 0 ? 0 : /** @type {number} */ (first[Math.min(slot, first.length - 1)]);
}

/** A column of fewer spans is added up on the spot. */
const FEW = 8;

/**
 * Time that the spans in `[i, next)` cover before `edge`.
 * @param {Row} row
 * @param {Index | undefined} index
 * @param {number} i
 * @param {number} next
 * @param {number} edge
 */
function coveredBetween(row, index, i, next, edge) {
  const over = Math.max(0, at(row.end, next - 1) - edge);
  if (index) return at(index.sum, next) - at(index.sum, i) - over;
  let covered = -over;
  for (let k = i; k < next; k++) covered += at(row.end, k) - at(row.start, k);
  return covered;
}

/**
 * @param {Floats} cells
 * @param {number} color
 * @param {number} x
 * @param {number} share
 */
function pushColumn(cells, color, x, share) {
  const shade = Math.max(1, Math.round(share * SHADES)) / SHADES;
  const last = cells.length - 4;
  const { data } = cells;
  if (last >= 0 && data[last] === color && data[last + 3] === shade && at(data, last + 1) + at(data, last + 2) === x) {
    data[last + 2] = x + 1 - at(data, last + 1);
    return;
  }
  push4(cells, color, x, 1, shade);
}

/**
 * The span of a row under an instant; where they are narrower than `reach`, the nearest.
 * @param {Row} row
 * @param {number} time
 * @param {number} reach ns
 * @returns {number} -1 for none
 */
export function spanAt(row, time, reach) {
  const i = firstEndingAfter(row, time - reach);
  const { start, end } = row;
  let best = { i: -1, away: Infinity };
  for (let k = i; k < start.length && at(start, k) <= time + reach && k < i + 64; k++) {
    const away = Math.max(at(start, k) - time, time - at(end, k), 0);
    if (away < best.away) best = { i: k, away };
  }
  return best.i;
}
