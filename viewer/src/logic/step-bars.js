/**
 * The bars of the strip of steps. More steps than pixels share a bar, which shows the largest of them.
 *
 * @import { FigureKey, StepRow } from '#viewer/logic/steps.js'
 *
 * @typedef {object} Bar
 * @property {number} first row of its first step
 * @property {number} peak row of its largest step, which it shows
 * @property {number} busy height of the lower part
 * @property {number} idle height of the upper part
 * @property {boolean} kept
 * @property {number} group
 * @property {boolean} marked whether one of its steps is unlike the others
 */

import { figureOf } from '#viewer/logic/steps.js';

/**
 * @param {readonly StepRow[]} rows in their own order
 * @param {FigureKey} key
 * @param {number} width room in whole pixels
 * @returns {Bar[]}
 */
export function barsOf(rows, key, width) {
  const { of } = figureOf(key);
  const n_bars = Math.min(rows.length, Math.max(1, Math.floor(width)));
  return Array.from({ length: n_bars }, (_, bar) => {
    const first = Math.floor((bar * rows.length) / n_bars);
    const end = Math.floor(((bar + 1) * rows.length) / n_bars);
    let peak = first;
    let [most, marked] = [-Infinity, false];
    for (let i = first; i < end; i++) {
      const row = /** @type {StepRow} */ (rows[i]);
      const value = of(row.step);
      if (value > most) [most, peak] = [value, i];
      marked ||= row.said !== '';
    }
    const { step, group } = /** @type {StepRow} */ (rows[peak]);
    const idle = key === 'wall' ? step.idle_ns : key === 'idle' ? most : 0;
    return { first, peak, busy: most - idle, idle, kept: step.kept, group, marked };
  });
}

/**
 * The bar of a row.
 * @param {readonly Bar[]} bars
 * @param {number} row
 */
export function barOfRow(bars, row) {
  let [low, high] = [0, bars.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (/** @type {Bar} */ (bars[middle]).first <= row) low = middle + 1;
    else high = middle;
  }
  return low - 1;
}

/**
 * How far apart bars begin; few steps do not become slabs.
 * @param {number} n_bars
 * @param {number} width
 * @param {number} height of the strip
 */
export const pitchOf = (n_bars, width, height) => Math.min(height / 3, width / Math.max(1, n_bars));

/**
 * The value at the top of the strip. Steps that were left out (a warm-up many times as long) do not
 * flatten the others: they are cut off.
 * @param {readonly Bar[]} bars
 */
export function topOf(bars) {
  const most = (/** @type {boolean} */ kept_alone) =>
    bars.reduce((max, bar) => (bar.kept || !kept_alone ? Math.max(max, bar.busy + bar.idle) : max), 0);
  const kept = most(true);
  return Math.min(most(false), kept > 0 ? kept * 1.25 : Infinity) || 1;
}
