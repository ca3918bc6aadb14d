/**
 * Every figure of the page against the command line's, on real captures: the page's own modules unpack what
 * a report holds, and stacks, totals, tables, searches and sandwiches must agree to the last nanosecond with
 * `fold` and `top`, and with plain sums over their lines. Needs no browser; needs the corpus.
 */

import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { gunzipSync } from 'node:zlib';
import { KINDS } from '#viewer/lib/color.js';
import { fromBase64, inflate } from '#viewer/lib/bytes.js';
import { openChart } from '#viewer/data/chart.js';
import { openProfile } from '#viewer/data/profile.js';
import { ALWAYS, adderOf, addUp, sourcesOf } from '#viewer/logic/by-time.js';
import { durationsOf } from '#viewer/logic/durations.js';
import { foldedText } from '#viewer/logic/export-stacks.js';
import { layOut } from '#viewer/logic/layout.js';
import { withoutIndex } from '#viewer/logic/names.js';
import { childrenOf } from '#viewer/logic/order.js';
import { addParts, partitionsIn } from '#viewer/logic/partition-in.js';
import { indexSteps, valuesByPhase } from '#viewer/logic/phases.js';
import { halfOf, pivotOf } from '#viewer/logic/sandwich.js';
import { search } from '#viewer/logic/search.js';
import { waysTo } from '#viewer/logic/split.js';
import { tabulate } from '#viewer/logic/table.js';

/** @import { Scene } from '#viewer/logic/scene.js' */

const corpus = process.env['FLAMELANE_CORPUS'] ?? '';
const root = fileURLToPath(new URL('../../', import.meta.url));
const folder = mkdtempSync(join(tmpdir(), 'flamelane-exact-'));
after(() => rmSync(folder, { recursive: true, force: true }));

/** All kinds of frames that a page has. */
const ALL = 'thread,python,module,annotation,op,runtime,kernel,native,os';
const WEIGHTS = ['gpu', 'idle', 'wall', 'launches'];
const N_FILES = 20;
/** Larger captures take a while, and are of the same kinds. */
const LARGEST = 1_300_000;
/** Of those whose partition alone is compared. */
const LARGEST_OF_ALL = 2_000_000;

/** @param {...string} args */
function flamelane(...args) {
  const own = process.env['FLAMELANE'];
  const [command, before] = own ? [own, []] : ['cargo', ['run', '--quiet', '--release', '-p', 'flamelane', '--']];
  return execFileSync(command, [...before, ...args], { cwd: root, encoding: 'utf8', maxBuffer: 2 ** 30, stdio: ['ignore', 'pipe', 'ignore'] });
}

/** Captures from the smallest to the largest. @param {number} largest in bytes */
function allFiles(largest) {
  const place = join(corpus, 'kineto');
  const all = readdirSync(place).filter((name) => /\.json(\.gz)?$/.test(name)).map((name) => join(place, name));
  const sized = all.map((file) => ({ file, size: statSync(file).size })).filter(({ size }) => size <= largest);
  return sized.sort((a, b) => a.size - b.size || (a.file < b.file ? -1 : 1));
}

/** Every so many of them. */
function files() {
  const sized = allFiles(LARGEST);
  return Array.from({ length: N_FILES }, (_, i) => sized[Math.round((i * (sized.length - 1)) / (N_FILES - 1))]?.file ?? '');
}

/** A page's first profile, read from the text of the file. @param {string} file */
function pageOf(file) {
  const text = readFileSync(file, 'utf8');
  const block = (/** @type {string} */ id) => new RegExp(` id="${id}">([^<]*)</script>`).exec(text)?.[1] ?? '';
  const { profiles, charts } = JSON.parse(block('contents'));
  const read = (/** @type {string} */ id) => inflate(fromBase64(block(id)));
  return { profile: openProfile(profiles[0], read), chart: openChart(charts[0], read), report: JSON.parse(block('report')) };
}

/** Durations of kernels and copies. @param {import('#viewer/data/chart.js').Chart} chart @param {string} file */
async function spreads(chart, file) {
  const rows = await Promise.all(chart.index.lanes.map((_, lane) => chart.lane(lane)));
  const pieces = chart.index.window.map(([from, to]) => ({ from, to }));
  const durations = durationsOf(await chart.frames(), rows.flat(), pieces, undefined);
  const told = JSON.parse(flamelane('top', file, '--by', 'kernel', '-w', 'gpu', '-n', '1000000', '--callers', '0', '--format', 'json'));
  for (const { name, kind, p50, p99, max } of told.rows) {
    const ours = durations.of(KINDS.findIndex((one) => one === kind), name);
    // Buckets stand for no span.
    if (ours) assert.deepEqual([ours.p50, ours.p99, ours.max], [p50, p99, max], `${file} durations of ${ours.n} ${name}`);
    else assert.deepEqual([p50, p99, max], [0, 0, 0], `no span of ${name}`);
  }
}

/** @param {import('#viewer/data/profile.js').Profile} profile @param {string} weight @returns {Promise<Scene>} */
async function sceneOf(profile, weight) {
  const [tree, values] = await Promise.all([profile.tree(), profile.values(weight)]);
  return { tree, values, weight, title: weight, unit: 'ns', calls: undefined, layout: layOut(tree, values.total, undefined) };
}

/** Folded text as stacks with values. @param {string} text */
function stacksOf(text) {
  return text.split('\n').filter((line) => line !== '').map((line) => {
    const at = line.lastIndexOf(' ');
    return { names: line.slice(0, at).split(';'), value: Number(line.slice(at + 1)) };
  });
}

/** Sums by a key. @template Item @param {Iterable<Item>} items @param {(item: Item) => [string, number] | undefined} of */
function sums(items, of) {
  /** @type {Record<string, number>} */
  const found = {};
  for (const item of items) {
    const pair = of(item);
    if (pair) found[pair[0]] = (found[pair[0]] ?? 0) + pair[1];
  }
  return found;
}

/** As folded text writes a name. @param {string} name */
const plain = (name) => name.replaceAll(';', ':').replaceAll(/[\n\r]/g, ' ');

/** @param {Scene} scene @param {ReturnType<typeof stacksOf>} stacks */
function searches({ tree, values }, stacks) {
  for (const text of ['gemm', 'forward', 'aten::', 'copy', 'nothing of that name']) {
    const found = search(tree, values.self, values.total, (name) => name.includes(text));
    const inside = stacks.filter(({ names }) => names.some((name) => name.includes(text)));
    const own = stacks.filter(({ names }) => names[names.length - 1]?.includes(text));
    const sum = (/** @type {typeof stacks} */ some) => some.reduce((all, { value }) => all + value, 0);
    assert.deepEqual([found.total, found.self], [sum(inside), sum(own)], `search ${text}`);
  }
}

/** @param {Scene} scene @param {string} file @param {string} weight */
function table({ tree, values }, file, weight) {
  const told = JSON.parse(flamelane('top', file, '--by', 'frame', '-w', weight, '-n', '1000000', '--callers', '0', '--format', 'json'));
  const rows = tabulate(tree, values, undefined, 'function');
  const ours = new Map(rows.map((row) => [`${KINDS[row.kind]} ${row.name}`, row]));
  assert.equal(told.total, values.total[0], 'the sum of the table');
  for (const { name, kind, self, total } of told.rows) {
    const row = ours.get(`${kind} ${name}`);
    // What has none of the weight has no row.
    assert.deepEqual([row?.self ?? 0, row?.total ?? 0], [self, total], `row ${kind} ${name}`);
  }
  return told.rows.length;
}

/** @param {Scene} scene @param {string} file @param {string} weight */
function families({ tree, values }, file, weight) {
  const told = JSON.parse(flamelane('top', file, '--by', 'family', '-w', weight, '-n', '1000000', '--callers', '0', '--format', 'json'));
  const figures = (/** @type {{ name: string, self: number, total: number }[]} */ rows) => Object.fromEntries(
    rows.filter(({ self, total }) => self !== 0 || total !== 0).map(({ name, self, total }) => [name, [self, total]]));
  assert.deepEqual(figures(tabulate(tree, values, undefined, 'family')), figures(told.rows), `${file} families by ${weight}`);
}

/**
 * What the parts by phase and by stream add up to, against the report's steps and against the whole.
 * @param {ReturnType<typeof pageOf>} page @param {string} file
 */
async function parts({ profile, chart, report }, file) {
  const { list, marker } = report.captures[0].steps;
  const index = indexSteps(list, marker ?? 'step');
  const told = sums(/** @type {import('#viewer/data/report.js').Step[]} */ (list), ({ phase, kept, gpu_ns }) => [phase ?? marker ?? 'step', kept ? gpu_ns : 0]);
  const selves = await valuesByPhase(profile, chart, 'gpu', ALWAYS, index);
  const all = (/** @type {Float64Array} */ self) => self.reduce((sum, own) => sum + own, 0);
  const ours = sums(selves.entries(), ([phase, self]) => [index.phases[phase] ?? '', all(self)]);
  // Steps count what a call of theirs launched; phases also work of unknown origin.
  if (report.captures[0].totals.attributed_ns > 0) assert.deepEqual(ours, told, `${file} by phase`);
  for (const weight of ['gpu', 'idle', 'launches']) {
    const [{ self }, by_stream] = [await profile.values(weight), new Float64Array(profile.index.nodes)];
    await addUp(by_stream, sourcesOf(chart, weight), ALWAYS, adderOf(weight));
    if (profile.index.columns.some((column) => column.weight === weight)) assert.deepEqual(by_stream, self, `${file} ${weight} of all streams`);
  }
}

/**
 * Where the wall time went, device by device and in all; and the same from three stretches that follow each other.
 * @param {ReturnType<typeof pageOf>} page @param {string} file
 */
async function partitions({ chart, report }, file) {
  const { devices, partition } = report.captures[0];
  const parts = (/** @type {import('#viewer/logic/partition-in.js').Parts} */ { compute, comm, copy, idle, comm_hidden, copy_hidden }) =>
    ({ compute_ns: compute, comm_exposed_ns: comm, copy_exposed_ns: copy, idle_ns: idle, comm_hidden_ns: comm_hidden, copy_hidden_ns: copy_hidden });
  const whole = await partitionsIn(chart, ALWAYS);
  for (const [row, device] of devices.entries()) {
    const ours = whole[row];
    assert.ok(ours, `${file} device ${row}`);
    assert.deepEqual(parts(ours), device.partition, `${file} device ${row}`);
    assert.deepEqual([ours.wall, ours.sum, ours.unplaced], [device.wall_ns, device.sum_ns, 0], `${file} device ${row}`);
  }
  assert.deepEqual(parts(addParts(whole)), partition, `${file} partition`);
  const { from_ns: from, to_ns: to } = chart.index;
  const third = Math.round((to - from) / 3);
  const edges = [-Infinity, from + third, to - third, Infinity];
  const thirds = await Promise.all(edges.slice(1).map((edge, i) => partitionsIn(chart, { from: edges[i] ?? 0, to: edge })));
  assert.deepEqual(addParts(thirds.flat()), addParts(whole), `${file} in thirds`);
  return devices.length;
}

/**
 * Modules, whose layers the page takes together, and the operators that lead to each function.
 * @param {Scene} scene @param {string} file @param {string} weight
 */
function splits({ tree, values }, file, weight) {
  const top = (/** @type {string} */ by) => JSON.parse(flamelane('top', file, '--by', by, '-w', weight, '-n', '1000000', '--callers', '1000000', '--format', 'json')).rows;
  const layers = tabulate(tree, values, undefined, 'module');
  const told = sums(/** @type {{ name: string, self: number, total: number }[]} */ (top('module')), ({ name, self, total }) => (total === 0 ? undefined : [withoutIndex(name), self]));
  assert.deepEqual(sums(layers, ({ name, self }) => [name, self]), told, `${file} modules by ${weight}`);
  const rows = new Map(top('frame').map((/** @type {{ kind: string, name: string }} */ row) => [`${row.kind} ${row.name}`, row]));
  for (const row of tabulate(tree, values, undefined, 'function').sort((a, b) => b.total - a.total).slice(0, 40)) {
    /** @type {{ op: string | null, total: number }[]} */
    const callers = rows.get(`${KINDS[row.kind]} ${row.name}`)?.callers ?? [];
    const by_op = sums(callers, ({ op, total }) => (total === 0 ? undefined : [op ?? '', total]));
    const op = (/** @type {number} */ node) => {
      let above = tree.parent[node] ?? 0;
      while (above > 0 && KINDS[tree.kinds[tree.frame[above] ?? 0] ?? 0] !== 'op') above = tree.parent[above] ?? 0;
      return above > 0 ? tree.names[tree.frame[above] ?? 0] ?? '' : '';
    };
    const ways = waysTo(tree, values, undefined, row).filter(({ total }) => total !== 0);
    assert.deepEqual(sums(ways, ({ heaviest, total }) => [op(heaviest), total]), by_op, `${file} ways to ${row.name} by ${weight}`);
  }
}

/** The heaviest functions, those in the middle and the lightest. @param {Scene} scene @param {ReturnType<typeof stacksOf>} stacks */
function sandwiches(scene, stacks) {
  const { tree, values } = scene;
  const rows = tabulate(tree, values, undefined, 'function').sort((a, b) => b.total - a.total);
  const once = rows.filter((row) => rows.filter((other) => plain(other.name) === plain(row.name)).length === 1);
  const chosen = [0, 1, 2, Math.floor(once.length / 2), once.length - 1].map((i) => once[i]).filter((row) => row !== undefined);
  for (const { name, kind } of chosen) {
    const frame = tree.names.findIndex((one, i) => one === name && tree.kinds[i] === kind);
    const pivot = pivotOf(scene, frame);
    const through = stacks.flatMap(({ names, value }) => {
      const at = names.indexOf(plain(name));
      return at < 0 ? [] : [{ value, caller: names[at - 1], callee: names[at + 1] }];
    });
    assert.equal(pivot.total, through.reduce((all, { value }) => all + value, 0), `total of ${name}`);
    for (const side of /** @type {const} */ (['callers', 'callees'])) {
      const half = halfOf(scene, pivot, side, { from: 0, to: Infinity, least: 0 });
      const next = childrenOf(half.tree, 0).filter((node) => (half.values.total[node] ?? 0) !== 0);
      const ours = sums(next, (node) => [plain(half.tree.names[half.tree.frame[node] ?? 0] ?? ''), half.values.total[node] ?? 0]);
      const wanted = sums(through, ({ caller, callee, value }) => {
        const other = side === 'callers' ? caller : callee;
        return other === undefined ? undefined : [other, value];
      });
      assert.deepEqual(ours, wanted, `${side} of ${name}`);
    }
  }
}

test('figures of the page are those of the command line, on captures of all sizes', { skip: corpus === '' && 'no corpus' }, async () => {
  let [n_stacks, n_rows, n_files] = [0, 0, 0];
  for (const file of files()) {
    const html = join(folder, 'report.html');
    try {
      flamelane('report', file, '-o', html);
    } catch {
      continue; // Refused, for a reason that other tests look at.
    }
    const page = pageOf(html);
    const { profile, chart } = page;
    n_files++;
    await parts(page, file);
    if (profile.index.columns.some(({ weight }) => weight === 'gpu')) await spreads(chart, file);
    for (const weight of WEIGHTS) {
      if (!profile.index.columns.some((column) => column.weight === weight)) continue;
      const scene = await sceneOf(profile, weight);
      const text = flamelane('fold', file, '-w', weight, '--stack', ALL);
      const ours = foldedText({ tree: scene.tree, self: scene.values.self, top: 0, weight, unit: 'ns' });
      assert.deepEqual(ours.split('\n').sort(), text.split('\n').sort(), `${file} ${weight}`);
      const stacks = stacksOf(text);
      n_stacks += stacks.length;
      searches(scene, stacks);
      n_rows += table(scene, file, weight);
      families(scene, file, weight);
      splits(scene, file, weight);
      sandwiches(scene, stacks);
    }
  }
  console.log(`# ${n_files} captures, ${n_stacks} stacks, ${n_rows} rows of tables compared`);
  assert.ok(n_files >= 18, `${n_files} captures`);
});

/** The bundled capture with every other launch on a second device. */
function onTwoDevices() {
  const trace = JSON.parse(gunzipSync(readFileSync(join(root, 'fixtures/kineto/llm-decode.json.gz'))).toString());
  for (const event of trace.traceEvents) {
    const is_work = ['kernel', 'gpu_memcpy', 'gpu_memset'].includes(event.cat);
    if (is_work && event.args.correlation % 2 === 1) Object.assign(event, { pid: 1, args: { ...event.args, device: 1 } });
  }
  const file = join(folder, 'two-devices.json');
  writeFileSync(file, JSON.stringify(trace));
  return file;
}

test('the partition of any stretch adds up to that of the report, device by device', { skip: corpus === '' && 'no corpus' }, async () => {
  const counts = { devices: 0, hidden: 0, several: 0 };
  for (const file of [...allFiles(LARGEST_OF_ALL).map(({ file: one }) => one), onTwoDevices()]) {
    const html = join(folder, 'partition.html');
    try {
      flamelane('report', file, '-o', html);
    } catch {
      continue;
    }
    const page = pageOf(html);
    const n = await partitions(page, file);
    counts.devices += n;
    counts.several += n > 1 ? 1 : 0;
    counts.hidden += page.report.captures[0].partition.comm_hidden_ns > 0 ? 1 : 0;
  }
  console.log(`# ${counts.devices} partitions compared`);
  assert.ok(counts.devices >= 30 && counts.several > 0 && counts.hidden >= 3, JSON.stringify(counts));
});
