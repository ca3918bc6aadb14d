/**
 * A counter: a number that stays as it is from one instant to the next, and what a stretch of time
 * shows of it, column by column.
 *
 * @import { Floats } from '#viewer/lib/floats.js'
 * @import { Extremes } from '#viewer/lib/extremes.js'
 *
 * @typedef {object} Counter 0 before its first instant
 * @property {Float64Array} time ascending, ns
 * @property {Uint32Array} value from each instant on
 * @property {Extremes} extremes of the values
 *
 * @typedef {{ from: number, to: number, width: number }} Stretch ns, ns, px
 * @typedef {{ least: number, most: number }} Range
 * @typedef {{ columns: Floats, most: number }} Drawn x, width, least and most of each column; the most of all
 */

import { lastAtMost, lowerBound } from '#viewer/lib/bisect.js';
import { extremesOf, widen } from '#viewer/lib/extremes.js';
import { floats, push4 } from '#viewer/lib/floats.js';

/**
 * How many have begun and not ended at each instant. One that ends at an instant is gone by then; what
 * ends before it begins (clocks disagree) counts as nothing, never as less.
 * @param {Float64Array} begins ascending
 * @param {Float64Array} ends ascending
 * @returns {Counter}
 */
export function pending(begins, ends) {
  const time = new Float64Array(begins.length + ends.length);
  const value = new Uint32Array(time.length);
  let [n, begun, ended, last] = [0, 0, 0, 0];
  while (begun < begins.length || ended < ends.length) {
    const now = Math.min(begins[begun] ?? Infinity, ends[ended] ?? Infinity);
    while (begins[begun] === now) begun++;
    while (ends[ended] === now) ended++;
    const left = Math.max(0, begun - ended);
    if (left === last) continue;
    time[n] = now;
    value[n++] = last = left;
  }
  const values = value.slice(0, n);
  return { time: time.slice(0, n), value: values, extremes: extremesOf(values) };
}

/**
 * The value at an instant.
 * @param {Counter} counter
 * @param {number} time
 */
export function valueAt(counter, time) {
  return counter.value[lastAtMost(counter.time, 0, counter.time.length, time)] ?? 0;
}

/**
 * The extremes between two instants, the first with it and the second without.
 * @param {Counter} counter
 * @param {number} from
 * @param {number} to
 * @returns {Range}
 */
export function rangeIn(counter, from, to) {
  const first = lastAtMost(counter.time, 0, counter.time.length, from);
  const next = lowerBound(counter.time, first + 1, counter.time.length, to);
  return between(counter, first, next);
}

/**
 * The extremes from the value of one change on, up to another without it.
 * @param {Counter} counter
 * @param {number} first -1 for before all
 * @param {number} next
 * @returns {Range}
 */
function between({ value, extremes }, first, next) {
  const start = value[first] ?? 0;
  const range = { least: start, most: start };
  if (next > first + 1) widen(extremes, first + 1, next, range);
  return range;
}

/** @type {WeakMap<Counter, Stretch & { drawn: Drawn }>} */
const kept = new WeakMap();

/**
 * What a stretch of time shows of a counter. Kept until the stretch is another.
 * @param {Counter} counter
 * @param {Stretch} view
 * @returns {Drawn}
 */
export function drawnOf(counter, { from, to, width }) {
  const known = kept.get(counter);
  if (known && known.from === from && known.to === to && known.width === width) return known.drawn;
  const drawn = known?.drawn ?? { columns: floats(), most: 0 };
  fillColumns(counter, { from, to, width }, drawn);
  kept.set(counter, { from, to, width, drawn });
  return drawn;
}

/**
 * A column is a pixel where the counter changes inside, and as wide as it stays the same elsewhere.
 * @param {Counter} counter
 * @param {Stretch} view
 * @param {Drawn} drawn
 */
function fillColumns(counter, { from, to, width }, drawn) {
  const { time } = counter;
  const scale = width / (to - from);
  drawn.columns.length = drawn.most = 0;
  let first = lastAtMost(time, 0, time.length, from);
  for (let x = 0; x < width;) {
    const next = lowerBound(time, first + 1, time.length, from + (x + 1) / scale);
    const is_still = next === first + 1;
    const until = next < time.length ? Math.floor((/** @type {number} */ (time[next]) - from) * scale) : width;
    const right = is_still ? Math.max(x + 1, Math.min(width, until)) : x + 1;
    const { least, most } = between(counter, first, next);
    pushColumn(drawn.columns, x, right - x, least, most);
    drawn.most = Math.max(drawn.most, most);
    x = right;
    // A change on the very edge is that of the column that it begins.
    first = /** @type {number} */ (time[next]) <= from + x / scale ? next : next - 1;
  }
}

/**
 * @param {Floats} columns
 * @param {number} x
 * @param {number} width
 * @param {number} least
 * @param {number} most
 */
function pushColumn(columns, x, width, least, most) {
  const { data, length } = columns;
  if (length > 0 && data[length - 2] === least && data[length - 1] === most) data[length - 3] = x + width - (data[length - 4] ?? 0);
  else push4(columns, x, width, least, most);
}
