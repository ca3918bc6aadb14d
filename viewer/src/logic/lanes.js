/**
 * What the lane view stacks from top to bottom: for each device why it was idle, how much it had before
 * it and its streams, then the host threads; a lane that is closed shows its outermost row alone.
 *
 * @import { Chart, Frames, Idle, Row } from '#viewer/data/chart.js'
 * @import { Counter } from '#viewer/logic/counter.js'
 *
 * @typedef {object} Band one row on screen
 * @property {'idle' | 'spans'} kind
 * @property {number} lane row of the chart's lanes; of an idle band, of its devices
 * @property {number} depth row inside the lane
 * @property {Row} row
 * @property {number} top px below the first band
 *
 * @typedef {object} Head the name beside the bands of a lane
 * @property {'idle' | 'queue' | 'stream' | 'thread'} kind
 * @property {number} lane of idle time and of a queue, the device
 * @property {string} name
 * @property {string} more
 * @property {number} top
 * @property {number} n_rows
 * @property {boolean} open
 *
 * @typedef {object} Lanes everything that is unpacked
 * @property {Chart} chart
 * @property {Frames} frames
 * @property {Row[][]} rows one a lane
 * @property {Idle[]} idle one a device
 * @property {(Counter | undefined)[]} queues one a device, once all rows are there; nothing where no
 *   launch is known
 *
 * @typedef {{ device: number, top: number, counter: Counter }} Strip a counter on screen
 * @typedef {{ bands: Band[], counters: Strip[], heads: Head[], height: number }} Shelf
 */

export const BAND_HEIGHT = 20;
/** Between lanes. */
const MARGIN = 6;

/**
 * @param {Lanes} lanes
 * @param {ReadonlySet<number>} open
 * @returns {Shelf}
 */
export function shelve(lanes, open) {
  /** @type {Shelf} */
  const shelf = { bands: [], counters: [], heads: [], height: 0 };
  const { index } = lanes.chart;
  index.idle.forEach(({ device }, row) => {
    addIdle(shelf, lanes, row, device);
    addQueue(shelf, lanes, row);
    index.lanes.forEach((lane, i) => lane.device === row && addLane(shelf, lanes, i, 'stream', open));
  });
  index.lanes.forEach((lane, i) => lane.device === null && addLane(shelf, lanes, i, 'thread', open));
  return shelf;
}

/**
 * @param {Shelf} shelf
 * @param {Lanes} lanes
 * @param {number} device
 * @param {string} name
 */
function addIdle(shelf, lanes, device, name) {
  const row = lanes.idle[device]?.pieces;
  if (!row) return;
  shelf.height += shelf.height > 0 ? MARGIN : 0;
  shelf.heads.push({ kind: 'idle', lane: device, name, more: 'busy and idle', top: shelf.height, n_rows: 1, open: true });
  shelf.bands.push({ kind: 'idle', lane: device, depth: 0, row, top: shelf.height });
  shelf.height += BAND_HEIGHT + 2;
}

/**
 * @param {Shelf} shelf
 * @param {Lanes} lanes
 * @param {number} device
 */
function addQueue(shelf, lanes, device) {
  const counter = lanes.queues[device];
  if (!counter) return;
  shelf.heads.push({ kind: 'queue', lane: device, name: 'queue', more: '', top: shelf.height, n_rows: 1, open: true });
  shelf.counters.push({ device, top: shelf.height, counter });
  shelf.height += BAND_HEIGHT + 2;
}

/**
 * @param {Shelf} shelf
 * @param {Lanes} lanes
 * @param {number} lane
 * @param {'stream' | 'thread'} kind
 * @param {ReadonlySet<number>} open
 */
function addLane(shelf, lanes, lane, kind, open) {
  const rows = lanes.rows[lane] ?? [];
  const about = lanes.chart.index.lanes[lane];
  if (!about || rows.length === 0) return;
  shelf.height += kind === 'thread' ? MARGIN : 0;
  const is_open = rows.length === 1 || open.has(lane);
  const hidden = about.hidden > 0 ? `, ${about.hidden} spans without a row` : '';
  const more = `${rows.length === 1 ? '' : `${rows.length} rows`}${hidden}`;
  shelf.heads.push({ kind, lane, name: about.name, more, top: shelf.height, n_rows: rows.length, open: is_open });
  for (const [depth, row] of (is_open ? rows : rows.slice(0, 1)).entries()) {
    shelf.bands.push({ kind: 'spans', lane, depth, row, top: shelf.height });
    shelf.height += BAND_HEIGHT;
  }
  shelf.height += 2;
}

/** Rows of a lane that is open from the start. */
const FEW_ROWS = 6;

/**
 * The lanes that are open at first: the thread that launches most, and all that are shallow.
 * @param {Lanes} lanes
 * @returns {Set<number>}
 */
export function openAtFirst({ chart, rows }) {
  const first = chart.index.lanes.findIndex((lane) => lane.device === null);
  const shallow = rows.flatMap((of_lane, lane) => (of_lane.length <= FEW_ROWS ? [lane] : []));
  return new Set([first, ...shallow]);
}

/**
 * Where a span is.
 * @param {Lanes} lanes
 * @param {number} number of the span
 * @returns {{ lane: number, depth: number, row: Row, i: number } | undefined}
 */
export function placeOf(lanes, number) {
  if (number < 0) return undefined;
  for (const [lane, rows] of lanes.rows.entries()) {
    const last = rows[rows.length - 1];
    if (!last || number >= last.first + last.start.length) continue;
    const depth = rows.findIndex((row) => number < row.first + row.start.length);
    const row = rows[depth];
    return row && { lane, depth, row, i: number - row.first };
  }
  return undefined;
}
