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
  const { start, end, frame } = row;
  const scale = view.width / (view.to - view.from);
  const n = start.length;
  let i = firstEndingAfter(row, view.from);
  while (i < n && at(start, i) < view.to) {
    const x = (at(start, i) - view.from) * scale;
    const right = (at(end, i) - view.from) * scale;
    const color = kind === 'idle' ? 0 : /** @type {number} */ (bucket[/** @type {number} */ (frame[i])]);
    if (right - x >= 1) {
      const left = Math.max(0, x);
      const width = Math.min(view.width, right) - left;
      push4(kind === 'idle' ? list.gaps : /** @type {Floats} */ (list.boxes[color]), left, y, width, i);
      if (width > MIN_LABEL) {
        push4(list.labels, left, y, width, i);
        push4(list.label_bands, b, 0, 0, 0);
      }
      i++;
      continue;
    }
    const pixel = Math.max(0, Math.floor(x));
    const edge = view.from + (pixel + 1) / scale;
    const next = endOfColumn(row, i, n, edge, scale);
    const covered = coveredBetween(row, i, next, edge) * scale;
    pushColumn(kind === 'idle' ? list.thin : /** @type {Floats} */ (list.columns[color]), pixel, y, Math.min(1, covered));
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
 * @param {Row} row
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
 * @param {number} i
 * @param {number} n
 * @param {number} edge
 * @param {number} scale
 */
function endOfColumn({ start, end }, i, n, edge, scale) {
  let step = 1;
  let reach = i + 1;
  while (reach < n && at(start, reach) < edge) {
    reach += step;
    step *= 2;
  }
  const next = lowerBound(start, i + 1, Math.min(reach, n), edge);
  // A span of a pixel or more reaches past the edge, so only the last one before it can be one.
  const wide = next - 1 > i && (at(end, next - 1) - at(start, next - 1)) * scale >= 1;
  return wide ? next - 1 : next;
}

/** @type {WeakMap<Float64Array, Float64Array>} */
const sums = new WeakMap();

/**
 * Time covered by the spans before each, so that a column of thousands costs one subtraction.
 * @param {Row} row
 */
function sumsOf({ start, end }) {
  const known = sums.get(start);
  if (known) return known;
  const sum = new Float64Array(start.length + 1);
  for (let i = 0; i < start.length; i++) sum[i + 1] = at(sum, i) + at(end, i) - at(start, i);
  sums.set(start, sum);
  return sum;
}

/** A column of fewer spans is added up on the spot. */
const FEW = 8;

/**
 * Time that the spans in `[i, next)` cover before `edge`.
 * @param {Row} row
 * @param {number} i
 * @param {number} next
 * @param {number} edge
 */
function coveredBetween(row, i, next, edge) {
  const over = Math.max(0, at(row.end, next - 1) - edge);
  if (next - i > FEW) {
    const sum = sumsOf(row);
    return at(sum, next) - at(sum, i) - over;
  }
  let covered = -over;
  for (let k = i; k < next; k++) covered += at(row.end, k) - at(row.start, k);
  return covered;
}

/**
 * @param {Floats} columns
 * @param {number} x
 * @param {number} y
 * @param {number} share
 */
function pushColumn(columns, x, y, share) {
  const shade = Math.max(1, Math.round(share * SHADES)) / SHADES;
  const last = columns.length - 4;
  const { data } = columns;
  if (last >= 0 && data[last + 1] === y && data[last + 3] === shade && at(data, last) + at(data, last + 2) === x) {
    data[last + 2] = x + 1 - at(data, last);
    return;
  }
  push4(columns, x, y, 1, shade);
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
