/**
 * The chosen stretch of time: all views that know when things happened are narrowed to it.
 *
 * @import { App } from '#viewer/views/app.js'
 * @import { Chart } from '#viewer/data/chart.js'
 * @import { Profile, Values } from '#viewer/data/profile.js'
 * @import { Stretch } from '#viewer/logic/cut-time.js'
 */

import { KINDS } from '#viewer/lib/color.js';
import { totals } from '#viewer/data/profile.js';
import { addCount, addStarts, addTime } from '#viewer/logic/cut-time.js';
import { currentChart } from '#viewer/views/app.js';

/** Weights that are known by the time at which they arise. */
const KNOWN_BY_TIME = ['gpu', 'idle', 'wall', 'cpu', 'launches', 'copies'];

/**
 * The stretch on show; nothing when that is the whole window, or the page has no lanes to cut from.
 * @param {App} app
 * @returns {Stretch | undefined}
 */
export function stretchOf(app) {
  const { since, until } = app.store.get();
  return until > since && currentChart(app) ? { from: since, to: until } : undefined;
}

/**
 * Whether the views can show a weight now.
 * @param {App} app
 * @param {string} weight
 */
export function isKnown(app, weight) {
  if (!stretchOf(app)) return true;
  const of_threads = weight === 'wall' || weight === 'cpu';
  return KNOWN_BY_TIME.includes(weight) && (!of_threads || currentChart(app)?.index.has_courses === true);
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
  if (weight === 'idle') await addIdle(self, chart, stretch);
  else if (weight === 'wall' || weight === 'cpu') await addWall(self, chart, stretch);
  else if (weight === 'gpu') await addWork(self, chart, stretch);
  else await addStarted(self, chart, weight, stretch);
  if (weight === 'cpu') await keepCpu(self, profile);
  return { self, total: totals(tree, self) };
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
  await (weight === 'idle' ? addIdle : addWork)(count, chart, stretch, addCount);
  return count;
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
 * @param {Float64Array} self
 * @param {Chart} chart
 * @param {Stretch} stretch
 * @param {typeof addTime} add
 */
async function addIdle(self, chart, stretch, add = addTime) {
  for (const device of chart.index.idle.keys()) {
    const { pieces, owners } = await chart.idle(device);
    add(self, pieces, (i) => owners[/** @type {number} */ (pieces.frame[i])]?.node ?? -1, stretch);
  }
}

/**
 * @param {Float64Array} self
 * @param {Chart} chart
 * @param {Stretch} stretch
 */
async function addWall(self, chart, stretch) {
  for (const lane of chart.index.lanes.keys()) {
    const course = await chart.course(lane);
    addTime(self, course, (i) => /** @type {number} */ (course.node[i]), stretch);
  }
}

/**
 * Host CPU time is wall time of the nodes that do not block: those that have any over all.
 * @param {Float64Array} self
 * @param {Profile} profile
 */
async function keepCpu(self, profile) {
  const cpu = await profile.values('cpu');
  cpu.self.forEach((ns, node) => (self[node] = ns === 0 ? 0 : /** @type {number} */ (self[node])));
}

/**
 * @param {Float64Array} self
 * @param {Chart} chart
 * @param {Stretch} stretch
 * @param {typeof addTime} add
 */
async function addWork(self, chart, stretch, add = addTime) {
  for await (const row of streamRows(chart)) add(self, row, (i) => row.node?.[i] || -1, stretch);
}

/** Kinds of device spans that a weight counts. @type {Readonly<Record<string, readonly string[]>>} */
const COUNTED = { launches: ['kernel', 'comm', 'graph'], copies: ['copy', 'memset'] };

/**
 * @param {Float64Array} self
 * @param {Chart} chart
 * @param {string} weight
 * @param {Stretch} stretch
 */
async function addStarted(self, chart, weight, stretch) {
  const { kinds } = await chart.frames();
  const counted = Uint8Array.from(kinds, (kind) => (COUNTED[weight]?.includes(KINDS[kind] ?? '') ? 1 : 0));
  for await (const row of streamRows(chart)) addStarts(self, row, counted, stretch);
}

/** @param {Chart} chart */
async function* streamRows(chart) {
  for (const [lane, { device }] of chart.index.lanes.entries()) {
    if (device !== null) yield* await chart.lane(lane);
  }
}
