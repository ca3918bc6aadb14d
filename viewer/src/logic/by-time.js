/**
 * The weights that are known by the time at which they arise: where the lanes record each of them, and what
 * they add up to in a stretch of time.
 *
 * @import { Chart } from '#viewer/data/chart.js'
 * @import { Profile, Values } from '#viewer/data/profile.js'
 * @import { Spans, Stretch } from '#viewer/logic/cut-time.js'
 *
 * @typedef {object} Recorded
 * @property {Spans} spans
 * @property {(i: number) => number} node row of the profile that a span's weight is in; below 0 for none
 *
 * @typedef {object} Source what records a weight: a stream, a thread, or a device that is idle
 * @property {string} name
 * @property {number | null} device row of the chart's `idle`; null for a thread
 * @property {() => Promise<Recorded[]>} records
 */

import { KINDS } from '#viewer/lib/color.js';
import { totals } from '#viewer/data/profile.js';
import { addCount, addFirst, addStarts, addTime } from '#viewer/logic/cut-time.js';

/** @type {Stretch} */
export const ALWAYS = { from: -Infinity, to: Infinity };

/**
 * @param {Chart} chart
 * @param {string} weight
 */
export function isByTime(chart, weight) {
  return isOfThreads(weight) ? chart.index.has_courses : ['gpu', 'idle', 'launches', 'copies'].includes(weight);
}

/**
 * Whether threads have the weight, and not devices.
 * @param {string} weight
 */
export function isOfThreads(weight) {
  return weight === 'wall' || weight === 'cpu';
}

/**
 * @param {Chart} chart
 * @param {string} weight one that is known by time
 * @returns {Source[]}
 */
export function sourcesOf(chart, weight) {
  const devices = chart.index.idle;
  if (weight === 'idle') return devices.map(({ device: name }, device) => ({ name, device, records: idleOf(chart, device) }));
  const records = isOfThreads(weight) ? courseOf : workOf;
  return chart.index.lanes.flatMap(({ device, process, name }, lane) => {
    if ((device === null) !== isOfThreads(weight)) return [];
    const owner = device === null ? process : devices[device]?.device ?? '';
    const title = device !== null && devices.length < 2 ? name : `${owner} · ${name}`;
    return [{ name: title, device, records: records(chart, lane, weight) }];
  });
}

/**
 * How a weight adds up.
 * @param {string} weight
 */
export function adderOf(weight) {
  return weight in COUNTED ? addStarts : addTime;
}

/**
 * @param {Float64Array} self one entry a node
 * @param {readonly Source[]} sources
 * @param {Stretch} stretch
 * @param {typeof addTime} add
 */
export async function addUp(self, sources, stretch, add) {
  for (const source of sources) {
    for (const { spans, node } of await source.records()) add(self, spans, node, stretch);
  }
}

/**
 * A weight's values within a stretch.
 * @param {Profile} profile
 * @param {Chart} chart
 * @param {string} weight
 * @param {Stretch} stretch
 * @returns {Promise<Values>}
 */
export async function valuesIn(profile, chart, weight, stretch) {
  const tree = await profile.tree();
  const self = new Float64Array(tree.n);
  await addUp(self, sourcesOf(chart, weight), stretch, adderOf(weight));
  if (weight === 'cpu') keepCpu(self, (await profile.values('cpu')).self);
  return { self, total: totals(tree, self) };
}

/**
 * Host CPU time is wall time of the nodes that do not block: those that have any over all.
 * @param {Float64Array} self wall time of each node
 * @param {Float64Array} cpu of each node
 */
export function keepCpu(self, cpu) {
  cpu.forEach((ns, node) => (self[node] = ns === 0 ? 0 : /** @type {number} */ (self[node])));
}

/**
 * How many device spans, or pieces of idle time, of each node touch a stretch.
 * @param {Profile} profile
 * @param {Chart} chart
 * @param {'gpu' | 'idle'} weight
 * @param {Stretch} stretch
 */
export async function countIn(profile, chart, weight, stretch) {
  const count = new Float64Array(profile.index.nodes);
  await addUp(count, sourcesOf(chart, weight), stretch, addCount);
  return count;
}

/**
 * When anything of each node's own is first seen in a stretch, on whatever stream, thread or device;
 * infinity where nothing is. The same under all weights, so that frames keep their places.
 * @param {Profile} profile
 * @param {Chart} chart
 * @param {Stretch} stretch
 */
export async function firstsIn(profile, chart, stretch) {
  const first = new Float64Array(profile.index.nodes).fill(Infinity);
  for (const weight of ['gpu', 'idle', 'wall']) await addUp(first, sourcesOf(chart, weight), stretch, addFirst);
  return first;
}

/**
 * The class of idle time that each node has, by its row.
 * @param {Chart} chart
 */
export async function classesOf(chart) {
  /** @type {Map<number, string>} */
  const classes = new Map();
  for (const device of chart.index.idle.keys()) {
    for (const owner of (await chart.idle(device)).owners) classes.set(owner.node, owner.class);
  }
  return classes;
}

/**
 * @param {Chart} chart
 * @param {number} device
 * @returns {Source['records']}
 */
function idleOf(chart, device) {
  return async () => {
    const { pieces, owners } = await chart.idle(device);
    return [{ spans: pieces, node: (i) => owners[/** @type {number} */ (pieces.frame[i])]?.node ?? -1 }];
  };
}

/**
 * @param {Chart} chart
 * @param {number} lane
 * @returns {Source['records']}
 */
function courseOf(chart, lane) {
  return async () => {
    const course = await chart.course(lane);
    return [{ spans: course, node: (i) => /** @type {number} */ (course.node[i]) }];
  };
}

/** Kinds of device spans that a weight counts. @type {Readonly<Record<string, readonly string[]>>} */
const COUNTED = { launches: ['kernel', 'comm', 'graph'], copies: ['copy', 'memset'] };

/**
 * @param {Chart} chart
 * @param {number} lane
 * @param {string} weight
 * @returns {Source['records']}
 */
function workOf(chart, lane, weight) {
  const kinds = COUNTED[weight];
  return async () => {
    const counted = kinds && Uint8Array.from((await chart.frames()).kinds, (kind) => (kinds.includes(KINDS[kind] ?? '') ? 1 : 0));
    return (await chart.lane(lane)).map((row) => ({
      spans: row,
      node: (i) => (counted && counted[/** @type {number} */ (row.frame[i])] === 0 ? -1 : row.node?.[i] || -1),
    }));
  };
}
