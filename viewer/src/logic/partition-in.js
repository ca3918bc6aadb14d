/**
 * Where the wall time of a device went in a stretch of time, by the report's own rule: each nanosecond of the
 * window is compute if anything computes, else communication, else copies, else idle. So the four add up to
 * the wall time; what runs behind something that comes first is hidden, and told beside.
 *
 * @import { Chart, Frames, Row } from '#viewer/data/chart.js'
 * @import { Spans, Stretch } from '#viewer/logic/cut-time.js'
 *
 * @typedef {object} Parts ns
 * @property {number} wall of the window that lies in the stretch
 * @property {number} compute
 * @property {number} comm exposed
 * @property {number} copy exposed
 * @property {number} idle
 * @property {number} comm_hidden
 * @property {number} copy_hidden
 * @property {number} unplaced busy with spans that the page has no row for
 * @property {number} sum of the durations inside, concurrent spans in full
 *
 * @typedef {object} Work of one device
 * @property {readonly Row[]} rows of its streams
 * @property {Spans} idle its pieces, all in the window
 * @property {Uint8Array} classes of the frames
 */

import { KINDS } from '#viewer/lib/color.js';
import { firstEndingAfter } from '#viewer/logic/span-list.js';
import { timeIn, windowIn } from '#viewer/logic/window-in.js';

const [COMPUTE, COMM, COPY] = [1, 2, 4];
/** Sets of classes whose unions tell all parts. */
const SETS = [COMPUTE, COMPUTE | COMM, COMPUTE | COMM | COPY, COMM, COPY];

/** @type {Readonly<Parts>} */
export const NOTHING = { wall: 0, compute: 0, comm: 0, copy: 0, idle: 0, comm_hidden: 0, copy_hidden: 0, unplaced: 0, sum: 0 };

/**
 * Copies within a device need what kernels need: its memory. So do fills.
 * @param {Frames} frames
 */
export function classesOfWork({ names, kinds }) {
  return Uint8Array.from(kinds, (kind, frame) => {
    if (KINDS[kind] === 'comm') return COMM;
    return KINDS[kind] === 'copy' && !isWithinDevice(names[frame] ?? '') ? COPY : COMPUTE;
  });
}

/** @param {string} name */
function isWithinDevice(name) {
  return !/PtoP|PeerToPeer/.test(name) && /DtoD|Device -> Device|DeviceToDevice/.test(name);
}

/**
 * @param {Chart} chart
 * @param {Stretch} stretch
 * @returns {Promise<(Parts & { device: string })[]>} one entry a device
 */
export async function partitionsIn(chart, stretch) {
  const { idle, lanes, window } = chart.index;
  const classes = classesOfWork(await chart.frames());
  return Promise.all(idle.map(async ({ device }, row) => {
    const streams = lanes.flatMap((lane, i) => (lane.device === row ? [chart.lane(i)] : []));
    const [rows, { pieces }] = await Promise.all([Promise.all(streams), chart.idle(row)]);
    return { device, ...partitionIn({ rows: rows.flat(), idle: pieces, classes }, window, stretch) };
  }));
}

/**
 * @param {Work} work
 * @param {readonly [number, number][]} window
 * @param {Stretch} stretch
 * @returns {Parts}
 */
export function partitionIn({ rows, idle, classes }, window, stretch) {
  /** Of each set the time covered, and up to when. */
  const covered = new Float64Array(SETS.length);
  const until = new Float64Array(SETS.length).fill(-Infinity);
  let sum = 0;
  for (const [start, end] of window) {
    const [from, to] = [Math.max(start, stretch.from), Math.min(end, stretch.to)];
    if (from < to) byStart(rows, from, to, (begin, stop, frame) => {
      sum += stop - begin;
      cover(covered, until, classes[frame] ?? 0, begin, stop);
    });
  }
  const [compute = 0, kernels = 0, busy = 0, comm = 0, copy = 0] = covered;
  const [wall, not_busy] = [windowIn(window, stretch), timeIn(idle, stretch)];
  return {
    wall, compute, comm: kernels - compute, copy: busy - kernels, idle: not_busy,
    comm_hidden: comm + compute - kernels, copy_hidden: copy + kernels - busy, unplaced: wall - not_busy - busy, sum,
  };
}

/**
 * Adds a span to the unions of all sets that its class is in; spans come by start.
 * @param {Float64Array} covered
 * @param {Float64Array} until
 * @param {number} of the class
 * @param {number} begin
 * @param {number} stop
 */
function cover(covered, until, of, begin, stop) {
  for (let set = 0; set < SETS.length; set++) {
    if ((/** @type {number} */ (SETS[set]) & of) === 0) continue;
    const known = at(until, set);
    if (stop <= known) continue;
    covered[set] = at(covered, set) + stop - (begin > known ? begin : known);
    until[set] = stop;
  }
}

/**
 * Calls `take` with what of each span lies between two times, in the order of their starts.
 * @param {readonly Row[]} rows
 * @param {number} from
 * @param {number} to
 * @param {(begin: number, stop: number, frame: number) => void} take
 */
function byStart(rows, from, to, take) {
  const next = Uint32Array.from(rows, (row) => firstEndingAfter(row, from));
  const start = Float64Array.from(rows, (row, i) => row.start[at(next, i)] ?? Infinity);
  // What is sorted is a heap.
  const heap = Uint32Array.from(rows.keys()).sort((a, b) => (at(start, a) < at(start, b) ? -1 : 1));
  while (heap.length > 0) {
    const first = at(heap, 0);
    const begin = at(start, first);
    if (begin >= to) return;
    const row = /** @type {Row} */ (rows[first]);
    const i = at(next, first);
    take(begin > from ? begin : from, Math.min(at(row.end, i), to), at(row.frame, i));
    next[first] = i + 1;
    start[first] = i + 1 < row.start.length ? at(row.start, i + 1) : Infinity;
    sink(heap, start);
  }
}

/**
 * Moves the first row of a heap down to where its start belongs.
 * @param {Uint32Array} heap of rows
 * @param {Float64Array} start of each row
 */
function sink(heap, start) {
  const row = at(heap, 0);
  let place = 0;
  for (let below = 1; below < heap.length; below = 2 * place + 1) {
    if (below + 1 < heap.length && at(start, at(heap, below + 1)) < at(start, at(heap, below))) below++;
    const other = at(heap, below);
    if (at(start, other) >= at(start, row)) break;
    heap[place] = other;
    place = below;
  }
  heap[place] = row;
}

/**
 * @param {Float64Array | Uint32Array | Uint8Array} column
 * @param {number} i
 */
function at(column, i) {
  return /** @type {number} */ (column[i]);
}

/**
 * All devices together.
 * @param {readonly Parts[]} all
 * @returns {Parts}
 */
export function addParts(all) {
  const sum = { ...NOTHING };
  for (const parts of all) {
    for (const key of /** @type {(keyof Parts)[]} */ (Object.keys(NOTHING))) sum[key] += parts[key];
  }
  return sum;
}
