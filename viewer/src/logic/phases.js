/**
 * A weight divided by the phase of the step that it belongs to, by the report's own rules: device work to the
 * step that launched it, idle time to the step of the work that ends it, time of threads to the step that is
 * on.
 *
 * @import { Chart, Row } from '#viewer/data/chart.js'
 * @import { Profile } from '#viewer/data/profile.js'
 * @import { Tree } from '#viewer/data/tree.js'
 * @import { Step } from '#viewer/data/report.js'
 * @import { Recorded, Source } from '#viewer/logic/by-time.js'
 * @import { Stretch } from '#viewer/logic/cut-time.js'
 *
 * @typedef {object} Index the steps by their starts
 * @property {readonly Step[]} steps
 * @property {Float64Array} start
 * @property {readonly number[]} latest_end of each and all before
 * @property {readonly string[]} phases
 * @property {readonly number[]} phase of each step, row of `phases`
 *
 * @typedef {(source: Source, record: Recorded) => (i: number) => number} Label the phase of a span; `phases.length` for none
 */

import { lastAtMost, lowerBound } from '#viewer/lib/bisect.js';
import { adderOf, addUp, isOfThreads, sourcesOf } from '#viewer/logic/by-time.js';

/**
 * @param {readonly Step[]} list
 * @param {string} marker what to call steps that tell no phase
 * @returns {Index}
 */
export function indexSteps(list, marker) {
  const steps = list.toSorted((a, b) => a.from_ns - b.from_ns);
  const names = steps.map(({ phase }) => phase ?? marker);
  const phases = [...new Set(names)];
  let latest = -Infinity;
  return {
    steps, phases,
    start: Float64Array.from(steps, ({ from_ns }) => from_ns),
    latest_end: steps.map((step) => (latest = Math.max(latest, endOf(step)))),
    phase: names.map((name) => phases.indexOf(name)),
  };
}

/** @param {Step} step */
function endOf({ from_ns, marker_ns }) {
  return from_ns + marker_ns;
}

/**
 * What each node has in each phase; what belongs to no step is in none.
 * @param {Profile} profile
 * @param {Chart} chart
 * @param {string} weight one that is known by time
 * @param {Stretch} stretch
 * @param {Index} index
 * @returns {Promise<Float64Array[]>} one entry a phase, each with one a node
 */
export async function valuesByPhase(profile, chart, weight, stretch, index) {
  const n = profile.index.nodes;
  const all = new Float64Array(n * (index.phases.length + 1));
  const selves = index.phases.map((_, phase) => all.subarray(phase * n, (phase + 1) * n));
  const sources = sourcesOf(chart, weight);
  if (isOfThreads(weight)) {
    for (const { from, to, phase } of courses(index, stretch)) await addUp(/** @type {Float64Array} */ (selves[phase]), sources, { from, to }, adderOf(weight));
    return selves;
  }
  const before = launchedBefore(await profile.tree());
  const label = await (weight === 'idle' ? byNextWork : byLaunch)(chart, index, before);
  for (const source of sources) {
    for (const record of await source.records()) {
      const phase = label(source, record);
      const place = (/** @type {number} */ i) => {
        const node = record.node(i);
        return node < 0 ? -1 : phase(i) * n + node;
      };
      adderOf(weight)(all, record.spans, place, stretch);
    }
  }
  return selves;
}

/**
 * The parts of a stretch in which each step is on, none overlapping: where several are, the latest begun.
 * @param {Index} index
 * @param {Stretch} stretch
 */
function courses(index, { from, to }) {
  const edges = [...new Set(index.steps.flatMap((step) => [step.from_ns, endOf(step)]))].sort((a, b) => a - b);
  return edges.flatMap((edge, i) => {
    const part = { from: Math.max(from, edge), to: Math.min(to, edges[i + 1] ?? edge), phase: phaseAt(index, edge) };
    return part.from < part.to && part.phase < index.phases.length ? [part] : [];
  });
}

/**
 * The phase of the step that is open at a time: the latest begun.
 * @param {Index} index
 * @param {number} at
 */
function phaseAt({ steps, start, latest_end, phases, phase }, at) {
  for (let i = lastAtMost(start, 0, start.length, at); i >= 0 && /** @type {number} */ (latest_end[i]) > at; i--) {
    if (endOf(/** @type {Step} */ (steps[i])) > at) return /** @type {number} */ (phase[i]);
  }
  return phases.length;
}

/** What the tree calls work that was launched before anything was recorded. */
const BEFORE = '[launched before capture]';

/**
 * One entry a node, 1 for what was launched before anything was recorded.
 * @param {Tree} tree
 */
function launchedBefore({ n, names, frame, parent }) {
  const before = new Uint8Array(n);
  for (let i = 1; i < n; i++) {
    before[i] = names[/** @type {number} */ (frame[i])] === BEFORE ? 1 : /** @type {number} */ (before[/** @type {number} */ (parent[i])]);
  }
  return before;
}

/**
 * Work of unknown origin is of the step that is on when it begins.
 * @param {Chart} chart
 * @param {Index} index
 * @param {Uint8Array} before
 * @returns {Promise<(row: Row) => (i: number) => number>}
 */
async function ofWork(chart, index, before) {
  const hosts = await Promise.all(chart.index.lanes.map((lane, number) => (lane.device === null ? chart.lane(number) : [])));
  const rows = hosts.flat().filter(({ start }) => start.length > 0).sort((a, b) => a.first - b.first);
  const firsts = Float64Array.from(rows, ({ first }) => first);
  return (row) => (i) => {
    const launch = (row.launch?.[i] ?? 0) - 1;
    if (launch < 0) {
      const known = before[row.node?.[i] ?? 0] === 0;
      return known ? phaseAt(index, /** @type {number} */ (row.start[i])) : index.phases.length;
    }
    const host = rows[lastAtMost(firsts, 0, firsts.length, launch)];
    const start = host?.start[launch - host.first];
    return start === undefined ? index.phases.length : phaseAt(index, start);
  };
}

/**
 * @param {Chart} chart
 * @param {Index} index
 * @param {Uint8Array} before
 * @returns {Promise<Label>}
 */
async function byLaunch(chart, index, before) {
  const phase = await ofWork(chart, index, before);
  return (_, { spans }) => phase(/** @type {Row} */ (spans));
}

/**
 * @param {Chart} chart
 * @param {Index} index
 * @param {Uint8Array} before
 * @returns {Promise<Label>}
 */
async function byNextWork(chart, index, before) {
  const of_work = await ofWork(chart, index, before);
  const rows = await Promise.all(chart.index.lanes.map((_, lane) => chart.lane(lane)));
  const kept = index.steps.map((step, i) => ({ step, phase: index.phase[i] ?? 0 })).filter(({ step }) => step.kept);
  const lastBefore = (/** @type {number} */ at) => kept.findLast(({ step }) => step.from_ns < at)?.phase ?? index.phases.length;
  return ({ device }, { spans }) => {
    const streams = rows.filter((_, lane) => chart.index.lanes[lane]?.device === device).flat();
    const phases = streams.map((row) => of_work(row));
    return (i) => {
      const at = /** @type {number} */ (spans.start[i]);
      const next = { start: Infinity, launch: Infinity, phase: index.phases.length };
      streams.forEach((row, stream) => {
        const span = lowerBound(row.start, 0, row.start.length, at);
        const start = row.start[span] ?? Infinity;
        const launch = row.launch?.[span] ?? 0;
        if (start < next.start || (start === next.start && start < Infinity && launch < next.launch)) {
          Object.assign(next, { start, launch, phase: phases[stream]?.(span) });
        }
      });
      return next.start < Infinity ? next.phase : lastBefore(/** @type {number} */ (spans.end[i]));
    };
  };
}
