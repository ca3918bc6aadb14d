/**
 * One capture's lanes, unpacked lane by lane when a view first asks. Times are ns since the trace's
 * origin; doubles hold them to the ns.
 *
 * @import { ReadBlock } from '#viewer/data/profile.js'
 *
 * @typedef {object} LaneIndex
 * @property {number | null} device row of the chart's `idle`; null for a host thread
 * @property {string} process
 * @property {string} name
 * @property {number[]} rows number of spans of each row
 * @property {number} hidden spans that have no row
 * @property {string} block
 * @property {number} stretches of a thread's course
 * @property {string | null} course block
 *
 * @typedef {object} IdleIndex
 * @property {string} device what to call it
 * @property {number} pieces
 * @property {[string, number][]} owners class and number of frames of each
 * @property {number[]} nodes row of the profile of each owner
 * @property {string} block
 *
 * @typedef {object} ChartIndex
 * @property {number} capture row of the report's captures
 * @property {number} frames
 * @property {string} names block
 * @property {number} from_ns
 * @property {number} to_ns
 * @property {[number, number][]} window
 * @property {boolean} has_courses whether threads say at each moment where in the profile they are
 * @property {LaneIndex[]} lanes
 * @property {IdleIndex[]} idle
 *
 * @typedef {object} Row spans by time, none overlapping; one entry a span in every column
 * @property {Float64Array} start
 * @property {Float64Array} end
 * @property {Uint32Array} frame row of the frames
 * @property {Uint32Array | undefined} launch number of the span that launched it, plus one; 0 is none
 * @property {Uint32Array | undefined} node row of the profile that a device span's time is in; 0 is none
 * @property {number} first number of its first span: spans are numbered through all lanes and rows
 *
 * @typedef {{ start: Float64Array, end: Float64Array, node: Uint32Array }} Course whose each ns of the
 *   window is on a thread: stretches by time with their rows of the profile
 * @typedef {{ names: string[], kinds: Uint8Array }} Frames
 * @typedef {{ class: string, stack: Uint32Array, node: number }} Owner a class of idle time, rows of
 *   the frames, and the row of the profile that its time is in
 * @typedef {{ pieces: Row, owners: Owner[] }} Idle the pieces' frames are rows of `owners`
 *
 * @typedef {object} Chart
 * @property {ChartIndex} index
 * @property {() => Promise<Frames>} frames
 * @property {(lane: number) => Promise<Row[]>} lane
 * @property {(lane: number) => Promise<Course>} course empty for a stream
 * @property {(device: number) => Promise<Idle>} idle
 */

import { readFrames } from '#viewer/data/tree.js';
import { readVarints, splitColumns, undoZigzag } from '#viewer/data/varint.js';

/**
 * @param {ChartIndex} index
 * @param {ReadBlock} readBlock
 * @returns {Chart}
 */
export function openChart(index, readBlock) {
  const first = firstNumbers(index);
  const columns = async (/** @type {string} */ block) => splitColumns(await readBlock(block));
  return {
    index,
    frames: once(async () => readFrames(index.frames, await columns(index.names))),
    lane: onceEach(async (lane) => {
      const about = /** @type {LaneIndex} */ (index.lanes[lane]);
      return readLane(about, await columns(about.block), index.from_ns, first[lane] ?? 0);
    }),
    course: onceEach(async (lane) => {
      const { course, stretches } = /** @type {LaneIndex} */ (index.lanes[lane]);
      return readCourse(stretches, course === null ? [] : await columns(course), index.from_ns);
    }),
    idle: onceEach(async (device) => {
      const about = /** @type {IdleIndex} */ (index.idle[device]);
      return readIdle(about, await columns(about.block), index.from_ns);
    }),
  };
}

/**
 * @template Value
 * @param {() => Promise<Value>} load
 */
function once(load) {
  /** @type {Promise<Value> | undefined} */
  let loaded;
  return () => (loaded ??= load());
}

/**
 * @template Value
 * @param {(row: number) => Promise<Value>} load
 */
function onceEach(load) {
  /** @type {Map<number, Promise<Value>>} */
  const loaded = new Map();
  return (/** @type {number} */ row) => {
    const known = loaded.get(row) ?? load(row);
    loaded.set(row, known);
    return known;
  };
}

/**
 * The number of the first span of each lane, and of all spans at the end.
 * @param {ChartIndex} index
 */
export function firstNumbers({ lanes }) {
  const first = [0];
  for (const lane of lanes) first.push((first[first.length - 1] ?? 0) + lane.rows.reduce((sum, n) => sum + n, 0));
  return first;
}

/**
 * @param {LaneIndex} lane
 * @param {readonly Uint8Array[]} columns distances, lengths, frames, launches, rows of the profile
 * @param {number} from
 * @param {number} first
 * @returns {Row[]}
 */
function readLane(lane, columns, from, first) {
  const n = lane.rows.reduce((sum, count) => sum + count, 0);
  const start = readVarints(columns[0] ?? new Uint8Array(), new Float64Array(n));
  const end = readVarints(columns[1] ?? new Uint8Array(), new Float64Array(n));
  const frame = readVarints(columns[2] ?? new Uint8Array(), new Uint32Array(n));
  const [launches, nodes] = [readSteps(columns[3], n), readSteps(columns[4], n)];
  const [launch, node] = [launches && new Uint32Array(n), nodes && new Uint32Array(n)];
  let at = 0;
  return lane.rows.map((count) => {
    const stop = at + count;
    addUp(start, end, at, stop, from);
    if (launches && launch) sumInto(launches, launch, at, stop);
    if (nodes && node) sumInto(nodes, node, at, stop);
    const row = {
      start: start.subarray(at, stop), end: end.subarray(at, stop), frame: frame.subarray(at, stop),
      launch: launch?.subarray(at, stop), node: node?.subarray(at, stop), first: first + at,
    };
    at = stop;
    return row;
  });
}

/**
 * Differences from one number to the next.
 * @param {Uint8Array | undefined} column
 * @param {number} n
 */
function readSteps(column, n) {
  return column && undoZigzag(readVarints(column, new Float64Array(n)));
}

/**
 * @param {number} n
 * @param {readonly Uint8Array[]} columns distances, lengths, rows of the profile
 * @param {number} from
 * @returns {Course}
 */
function readCourse(n, columns, from) {
  const start = readVarints(columns[0] ?? new Uint8Array(n), new Float64Array(n));
  const end = readVarints(columns[1] ?? new Uint8Array(n), new Float64Array(n));
  const node = new Uint32Array(n);
  addUp(start, end, 0, n, from);
  sumInto(readSteps(columns[2], n) ?? new Float64Array(n), node, 0, n);
  return { start, end, node };
}

/**
 * From distances and lengths to starts and ends, in place.
 * @param {Float64Array} start
 * @param {Float64Array} end
 * @param {number} at
 * @param {number} stop
 * @param {number} from
 */
function addUp(start, end, at, stop, from) {
  let last = from;
  for (let i = at; i < stop; i++) {
    start[i] = last + /** @type {number} */ (start[i]);
    end[i] = last = /** @type {number} */ (start[i]) + /** @type {number} */ (end[i]);
  }
}

/**
 * @param {Float64Array} steps
 * @param {Uint32Array} out
 * @param {number} at
 * @param {number} stop
 */
function sumInto(steps, out, at, stop) {
  let value = 0;
  for (let i = at; i < stop; i++) out[i] = value += /** @type {number} */ (steps[i]);
}

/**
 * @param {IdleIndex} idle
 * @param {readonly Uint8Array[]} columns distances, lengths, owners, frames of the owners
 * @param {number} from
 * @returns {Idle}
 */
function readIdle(idle, columns, from) {
  const n = idle.pieces;
  const start = readVarints(columns[0] ?? new Uint8Array(), new Float64Array(n));
  const end = readVarints(columns[1] ?? new Uint8Array(), new Float64Array(n));
  const frame = readVarints(columns[2] ?? new Uint8Array(), new Uint32Array(n));
  addUp(start, end, 0, n, from);
  const n_frames = idle.owners.reduce((sum, [, count]) => sum + count, 0);
  const frames = readVarints(columns[3] ?? new Uint8Array(), new Uint32Array(n_frames));
  let at = 0;
  const owners = idle.owners.map(([name, count], i) =>
    ({ class: name, stack: frames.subarray(at, (at += count)), node: idle.nodes[i] ?? 0 }));
  return { pieces: { start, end, frame, launch: undefined, node: undefined, first: 0 }, owners };
}
