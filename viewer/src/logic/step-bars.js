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
