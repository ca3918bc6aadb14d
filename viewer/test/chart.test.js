import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { fromBase64, inflate } from '#viewer/lib/bytes.js';
import { KINDS } from '#viewer/lib/color.js';
import { openChart } from '#viewer/data/chart.js';
import { gapAt, longestGaps, nextGap } from '#viewer/logic/gaps.js';
import { openAtFirst, placeOf, shelve } from '#viewer/logic/lanes.js';
import { NOTHING, partitionsIn } from '#viewer/logic/partition-in.js';
import { queueOf } from '#viewer/logic/queue.js';
import { around, launchedBy, launcherOf, nameAt, sameName, stackOf } from '#viewer/logic/span-facts.js';
import { inStretch } from '#viewer/logic/stretch.js';

/** @type {{ index: import('#viewer/data/chart.js').ChartIndex, blocks: Record<string, string>,
 *   frames: [string, string][], rows: { start: number[], end: number[], frame: number[], launch: number[], node: number[] }[][],
 *   idle: { pieces: [number, number, number][], owners: [string, number[]][] }[],
 *   row_of_node: number[], courses: [number, number, number][][] }} */
const golden = JSON.parse(readFileSync(new URL('./golden/chart.json', import.meta.url), 'utf8'));

const chart = openChart(golden.index, (id) => inflate(fromBase64(golden.blocks[id] ?? '')));

async function openLanes() {
  const rows = await Promise.all(golden.index.lanes.map((_, lane) => chart.lane(lane)));
  const idle = await Promise.all(golden.index.idle.map((_, device) => chart.idle(device)));
  return { chart, frames: await chart.frames(), rows, idle, queues: golden.index.idle.map((_, device) => queueOf({ chart, rows }, device)) };
}

/**
 * The span of a name, the `nth` of them.
 * @param {import('#viewer/logic/lanes.js').Lanes} lanes
 * @param {string} name
 * @param {number} [nth]
 * @returns {import('#viewer/logic/span-facts.js').Place}
 */
function find(lanes, name, nth = 0) {
  const all = [];
  for (let number = 0; ; number++) {
    const place = placeOf(lanes, number);
    if (place && nameAt(lanes, place) === name) all.push(place);
    const found = all[nth];
    if (found) return found;
    assert.ok(place, `no span ${name}`);
  }
}

/** @param {number} node of the writer's profile */
const rowOf = (node) => golden.row_of_node[node] ?? -1;

test('every span is the one the writer had, beyond 32 bits too', async () => {
  const lanes = await openLanes();
  const rows = lanes.rows.map((of_lane) => of_lane.map(({ start, end, frame, launch, node }) =>
    ({ start: [...start], end: [...end], frame: [...frame], launch: [...(launch ?? [])], node: [...(node ?? [])].map((row) => golden.row_of_node.indexOf(row)) })));
  assert.deepEqual(rows, golden.rows);
  assert.deepEqual(lanes.frames.names.map((name, i) => [name, KINDS[lanes.frames.kinds[i] ?? 0]]), golden.frames);
});

test('a thread is at every moment in the node the writer had', async () => {
  const courses = await Promise.all(golden.index.lanes.map((_, lane) => chart.course(lane)));
  const told = courses.map(({ start, end, node }) => [...start].map((from, i) => [from, end[i], node[i]]));
  assert.deepEqual(told, golden.courses.map((course) => course.map(([from, to, node]) => [from, to, rowOf(node)])));
});

test('idle pieces and their owners are the ones the writer had', async () => {
  const { idle } = await openLanes();
  const told = idle.map(({ pieces, owners }) => ({
    pieces: [...pieces.start].map((from, i) => [from, pieces.end[i], pieces.frame[i]]),
    owners: owners.map((owner) => [owner.class, [...owner.stack]]),
  }));
  assert.deepEqual(told, golden.idle);
  assert.deepEqual(idle.map(({ owners }) => owners.map(({ node }) => node)), [[rowOf(1), rowOf(2)]]);
});

test('a launch leads to its work and back, and work to its whole stack', async () => {
  const lanes = await openLanes();
  const [first, last] = [find(lanes, 'gemm 🔥', 0), find(lanes, 'gemm 🔥', 1)];
  assert.deepEqual(launcherOf(lanes, last), find(lanes, 'cudaLaunchKernel', 0));
  const work = launchedBy(lanes, find(lanes, 'cudaLaunchKernel', 1), 9);
  assert.deepEqual([work.n, ...work.first.map(({ i }) => i)], [1, first.i]);
  assert.deepEqual(stackOf(lanes, first), ['forward', 'cudaLaunchKernel', 'gemm 🔥']);
  assert.equal(launcherOf(lanes, find(lanes, 'Memcpy HtoD')), undefined);
  assert.equal(launchedBy(lanes, find(lanes, 'forward'), 9).n, 0);
});

test('a span knows what it lies in, and the next of its name', async () => {
  const lanes = await openLanes();
  const second = find(lanes, 'cudaLaunchKernel', 1);
  assert.deepEqual(around(lanes, second).map((place) => nameAt(lanes, place)), ['forward', 'cudaLaunchKernel']);
  assert.equal(sameName(second, -1)?.i, 0);
  assert.equal(sameName(second, 1), undefined);
  assert.equal(sameName(find(lanes, 'gemm 🔥'), 1)?.i, 2);
});

test('a closed lane shows its outermost row; devices come first', async () => {
  const lanes = await openLanes();
  const kinds = (/** @type {Set<number>} */ open) => shelve(lanes, open).bands.map(({ kind, depth }) => `${kind} ${depth}`);
  assert.deepEqual(kinds(new Set()), ['idle 0', 'spans 0', 'spans 0']);
  assert.deepEqual(kinds(openAtFirst(lanes)), ['idle 0', 'spans 0', 'spans 0', 'spans 1']);
});

test('the queue lies right below its device, and holds what was launched and is not finished', async () => {
  const lanes = await openLanes();
  const { bands, counters, heads } = shelve(lanes, new Set());
  assert.deepEqual(heads.slice(0, 3).map(({ kind }) => kind), ['idle', 'queue', 'stream']);
  assert.ok((bands[0]?.top ?? 0) < (counters[0]?.top ?? 0) && (counters[0]?.top ?? 0) < (bands[1]?.top ?? 0));
  const queue = lanes.queues[0];
  assert.deepEqual([[...(queue?.time ?? [])], [...(queue?.value ?? [])]], [[1, 7, 50, 9_000_000_000_007], [1, 2, 1, 0]]);
  const without = shelve({ ...lanes, queues: [undefined] }, new Set());
  assert.deepEqual([without.counters.length, without.bands[1]?.top], [0, (bands[1]?.top ?? 0) - 22]);
});

test('gaps are told by their owner, walked by time and by length', async () => {
  const lanes = await openLanes();
  assert.deepEqual(longestGaps(lanes, 5).map(({ owner, class: of, from, to }) => [owner, of, to - from]),
    [['forward', 'late host', 17], ['cudaLaunchKernel', 'launch latency', 13]]);
  assert.equal(nextGap(lanes, 0, 1, 1)?.from, 7);
  assert.equal(nextGap(lanes, 13, -1, 1)?.from, -10);
  assert.equal(nextGap(lanes, 0, 1, 15), undefined);
  assert.equal(gapAt(lanes, 0, 1).owner, 'cudaLaunchKernel');
});

test('a stretch of time counts what lies in it, cut at its edges', async () => {
  const found = inStretch(await openLanes(), 5, 30);
  assert.deepEqual(found.devices, [{ device: 'GPU 0', ...NOTHING, wall: 25, compute: 10, idle: 15, sum: 10 }]);
  assert.deepEqual(found.devices, await partitionsIn(chart, { from: 5, to: 30 }));
  assert.deepEqual(found.work, [{ name: 'gemm 🔥', kind: 'kernel', ns: 10, count: 1 }]);
  assert.deepEqual(found.owners.map(({ name, ns }) => [name, ns]), [['cudaLaunchKernel', 13], ['forward', 2]]);
});
