/**
 * What is known of one span: what it lies in, what launched it, what it launched.
 *
 * @import { Lanes } from '#viewer/logic/lanes.js'
 * @import { Row } from '#viewer/data/chart.js'
 *
 * @typedef {{ lane: number, depth: number, row: Row, i: number }} Place
 */

import { lastAtMost } from '#viewer/lib/bisect.js';
import { placeOf } from '#viewer/logic/lanes.js';

/** @param {Place} place */
export const numberOf = ({ row, i }) => row.first + i;
/** @param {Place} place */
export const startOf = ({ row, i }) => /** @type {number} */ (row.start[i]);
/** @param {Place} place */
export const endOf = ({ row, i }) => /** @type {number} */ (row.end[i]);

/**
 * @param {Lanes} lanes
 * @param {Place} place
 */
export function nameAt({ frames }, { row, i }) {
  return frames.names[/** @type {number} */ (row.frame[i])] ?? '';
}

/**
 * @param {Lanes} lanes
 * @param {Place} place
 */
export function kindAt({ frames }, { row, i }) {
  return frames.kinds[/** @type {number} */ (row.frame[i])] ?? 0;
}

/**
 * The spans around a span, outermost first, itself last.
 * @param {Lanes} lanes
 * @param {Place} place
 * @returns {Place[]}
 */
export function around(lanes, place) {
  const start = startOf(place);
  const above = (lanes.rows[place.lane] ?? []).slice(0, place.depth).flatMap((row, depth) => {
    const i = lastAtMost(row.start, 0, row.start.length, start);
    const holds = i >= 0 && /** @type {number} */ (row.end[i]) > start;
    return holds ? [{ lane: place.lane, depth, row, i }] : [];
  });
  return [...above, place];
}

/**
 * The call that launched a device span.
 * @param {Lanes} lanes
 * @param {Place} place
 */
export function launcherOf(lanes, { row, i }) {
  return placeOf(lanes, (row.launch?.[i] ?? 0) - 1);
}

/**
 * The device spans that a call launched: the first of them by lane and row, and how many there are.
 * @param {Lanes} lanes
 * @param {Place} place
 * @param {number} most
 */
export function launchedBy(lanes, place, most) {
  const wanted = numberOf(place) + 1;
  /** @type {Place[]} */
  const first = [];
  let n = 0;
  lanes.rows.forEach((rows, lane) => rows.forEach((row, depth) => {
    for (let i = row.launch?.indexOf(wanted) ?? -1; row.launch && i >= 0; i = row.launch.indexOf(wanted, i + 1)) {
      if (n++ < most) first.push({ lane, depth, row, i });
    }
  }));
  return { first, n };
}

/**
 * The names that the flame graph has for a span, outermost first: of device work, the stack of its
 * launch above it.
 * @param {Lanes} lanes
 * @param {Place} place
 */
export function stackOf(lanes, place) {
  const launcher = launcherOf(lanes, place);
  const path = launcher ? [...around(lanes, launcher), place] : around(lanes, place);
  return path.map((one) => nameAt(lanes, one));
}

/**
 * The next span of the same name in the same row, or the one before.
 * @param {Place} place
 * @param {number} by 1 or -1
 * @returns {Place | undefined}
 */
export function sameName(place, by) {
  const { row, i } = place;
  const wanted = row.frame[i];
  for (let k = i + by; k >= 0 && k < row.frame.length; k += by) {
    if (row.frame[k] === wanted) return { ...place, i: k };
  }
  return undefined;
}
