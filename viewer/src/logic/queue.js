/**
 * The queue of a device: how many launches it has before it at each moment. A launch is in it from the
 * start of its call until the last of its work on the device has ended, as in the report's
 * `queue_depth`; a call that launched many kernels, the replay of a graph, is one.
 *
 * @import { Row } from '#viewer/data/chart.js'
 * @import { Lanes } from '#viewer/logic/lanes.js'
 * @import { Counter } from '#viewer/logic/counter.js'
 */

import { pending, valueAt } from '#viewer/logic/counter.js';

/**
 * @param {Pick<Lanes, 'chart' | 'rows'>} lanes unpacked
 * @param {number} device
 * @returns {Counter | undefined} nothing where no launch of its work is known
 */
export function queueOf({ chart, rows }, device) {
  const of = (/** @type {number | null} */ wanted) =>
    rows.filter((_, lane) => chart.index.lanes[lane]?.device === wanted).flat();
  const launched = lastEnds(of(device));
  if (launched.until.length === 0) return undefined;
  const { begins, ends } = times(of(null), launched);
  return begins.length > 0 ? pending(begins, ends) : undefined;
}

/**
 * How many launches a call found before it that were not finished.
 * @param {Counter} queue
 * @param {number} begin of the call
 */
export const foundBy = (queue, begin) => Math.max(0, valueAt(queue, begin) - 1);

/**
 * When the last work of each call ends, from the first call that launched any; NaN where one launched none.
 * @typedef {{ from: number, until: Float64Array }} Launched
 */

/**
 * @param {readonly Row[]} streams
 * @returns {Launched}
 */
function lastEnds(streams) {
  let [from, to] = [Infinity, 0];
  for (const { launch } of streams) for (let i = 0; launch && i < launch.length; i++) {
    const number = /** @type {number} */ (launch[i]);
    if (number === 0) continue;
    from = Math.min(from, number - 1);
    to = Math.max(to, number);
  }
  const until = new Float64Array(Math.max(0, to - from)).fill(NaN);
  for (const { launch, end } of streams) for (let i = 0; launch && i < launch.length; i++) {
    const call = /** @type {number} */ (launch[i]) - 1 - from;
    const [known, ends] = [/** @type {number} */ (until[call]), /** @type {number} */ (end[i])];
    if (call >= 0 && !(known >= ends)) until[call] = ends;
  }
  return { from: to > 0 ? from : 0, until };
}

/**
 * When the launching calls began, and when their work ended, each in order.
 * @param {readonly Row[]} threads
 * @param {Launched} launched
 */
function times(threads, { from, until }) {
  const [begins, ends] = [new Float64Array(until.length), new Float64Array(until.length)];
  let n = 0;
  for (const { start, first } of threads) for (let i = Math.max(0, from - first); i < start.length; i++) {
    const end = until[first + i - from];
    if (end === undefined) break;
    if (Number.isNaN(end)) continue;
    begins[n] = /** @type {number} */ (start[i]);
    ends[n++] = end;
  }
  return { begins: begins.slice(0, n).sort(), ends: ends.slice(0, n).sort() };
}
