/** The lanes in a real browser, on the bundled trace. */

import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { ask, makeTraceReport, onPage, until } from './harness.js';

/** @typedef {import('playwright-core').Page} Page */

const FILE = 'lanes.html';

before(() => makeTraceReport(FILE, 'fixtures/kineto/llm-decode.json.gz'));

/** @param {(page: Page) => Promise<void>} run @param {string} [hash] @param {object} [options] */
const onLanes = (run, hash = '', options = {}) => onPage({ hash: `#view=lanes${hash}`, ...options }, async (page) => {
  await until(page, 'v.lanes.ready()');
  await run(page);
}, FILE);

/** The middle of a span of a name, in the page. @param {Page} page @param {string} name */
async function pointOf(page, name) {
  const at = await ask(page, `(() => {
    const { shelf, view, lanes } = v.lanes.stage();
    const scale = view.width / (view.to - view.from);
    for (const band of shelf.bands) for (let i = 0; i < band.row.start.length; i++) {
      if (band.kind !== 'spans' || lanes.frames.names[band.row.frame[i]] !== ${JSON.stringify(name)}) continue;
      return { x: ((band.row.start[i] + band.row.end[i]) / 2 - view.from) * scale, y: band.top - view.scroll + 10 };
    }
  })()`);
  const box = await page.locator('.lanes-scroll .stage-over').boundingBox();
  return { x: at.x + (box?.x ?? 0), y: at.y + (box?.y ?? 0) };
}

/** @param {Page} page */
const name = (page) => page.locator('#view-lanes .details-name').innerText();

test('the first screen shows the window; the longest gap and its owner are one click away', () => onLanes(async (page) => {
  const [from, to] = await ask(page, '[v.lanes.stage().view.from, v.lanes.stage().view.to]');
  const [[start, end]] = await ask(page, 'v.lanes.stage().lanes.chart.index.window');
  assert.ok(from < start && to > end, 'the whole window is in sight');
  const first = page.locator('.gap-list button').first();
  const owner = await first.getAttribute('title');
  await first.click();
  assert.equal(await name(page), owner);
  const gap = await ask(page, 'v.lanes.gap()');
  const shown = await ask(page, '[v.lanes.stage().view.from, v.lanes.stage().view.to]');
  assert.ok(shown[0] < gap.from && gap.to < shown[1] && shown[1] - shown[0] < 3 * (gap.to - gap.from), 'it fills the view');
  await page.locator('button', { hasText: 'Flame graph of idle time' }).click();
  await until(page, "v.state().view === 'flame' && v.state().weight === 'idle' && v.state().select > 0");
}));

test('idle pieces sum to the idle time of the report', () => onLanes(async (page) => {
  const [pieces, told] = await ask(page, `(() => {
    const { idle } = v.lanes.stage().lanes;
    const sum = idle.map(({ pieces }) => pieces.start.reduce((all, from, i) => all + pieces.end[i] - from, 0));
    return [sum, JSON.parse(document.getElementById('report').textContent).captures[0].devices.map((d) => d.idle_ns)];
  })()`);
  assert.deepEqual(pieces, told);
}));

test('the queue at the launches is the queue depth of the report', () => onLanes(async (page) => {
  const [found, told] = await page.evaluate(async () => {
    const { foundBy } = await import('#viewer/logic/queue.js');
    const { lanes } = /** @type {any} */ (window).__viewer.lanes.stage();
    const rows = lanes.rows.flat();
    /** @type {Set<number>} */
    const calls = new Set(rows.flatMap((/** @type {any} */ { launch }) => [...launch ?? []]));
    const starts = rows.flatMap((/** @type {any} */ { start, first }) => [...start].filter((_, i) => calls.has(first + i + 1)));
    const [[from, to]] = lanes.chart.index.window;
    const depths = starts.filter((/** @type {number} */ at) => from <= at && at < to)
      .map((/** @type {number} */ at) => foundBy(lanes.queues[0], at)).sort((/** @type {number} */ a, /** @type {number} */ b) => a - b);
    const quantile = (/** @type {number} */ percent) => depths[Math.ceil(depths.length * percent / 100) - 1];
    const report = JSON.parse(document.getElementById('report')?.textContent ?? '');
    return [{ p10: quantile(10), p50: quantile(50), p90: quantile(90) }, report.captures[0].launches.queue_depth];
  });
  assert.ok(told.p90 > told.p50 && told.p50 > 0);
  assert.deepEqual(found, told);
}));

test('the queue says what is under the pointer, and its scale follows what is on show', () => onLanes(async (page) => {
  const head = page.locator('.lane-head.queue');
  assert.match(await head.innerText(), /^queue\s+max \d+$/);
  assert.match(await head.getAttribute('aria-label') ?? '', /^Queue of GPU 0.*: at most \d+\u202flaunches not finished$/);
  const [gap, most] = await ask(page, `(() => {
    const { lanes, shelf } = v.lanes.stage();
    const [{ time, value }] = lanes.queues;
    const at = value.findIndex((n, i) => n === 0 && time[i + 1] - time[i] > 100_000);
    return [{ from: time[at], to: time[at + 1], y: shelf.counters[0].top + 10 }, Math.max(...value)];
  })()`);
  const box = await page.locator('.lanes-scroll .stage-over').boundingBox();
  assert.ok(box);
  const show = async (/** @type {number} */ from, /** @type {number} */ to) => {
    await ask(page, `v.update(${JSON.stringify({ from: Math.round(from), to: Math.round(to) })})`);
    await until(page, `Math.round(v.lanes.stage().view.from) === ${Math.round(from)}`);
    await until(page, 'v.lanes.stage().frame === 0');
  };
  const length = gap.to - gap.from;
  await show(gap.from + length / 4, gap.to - length / 4);
  assert.match(await head.innerText(), /empty$/);
  await page.mouse.move(box.x + box.width / 2, box.y + gap.y);
  assert.match(await page.locator('#view-lanes .tooltip').innerText(), /^queue\s+empty · at [\d.]+\u202f\S+: nothing launched is left to do$/);
  await show(gap.to - length / 2, gap.to + length / 2);
  await page.mouse.move(box.x + box.width * 0.502, box.y + gap.y);
  assert.match(await page.locator('#view-lanes .tooltip').innerText(), /^queue\s+[\d to]*\d\u202flaunch(es)? · not finished at/);
  await page.locator('button', { hasText: 'Whole file' }).click();
  await head.getByText(`max ${most}`, { exact: true }).waitFor();
  await page.mouse.move(box.x + box.width / 2, box.y - 20);
  await page.locator('#view-lanes .tooltip').waitFor({ state: 'hidden' });
}));

test('spans, gaps and stretches tell of the queue; walking spans passes it by', () => onLanes(async (page) => {
  const details = page.locator('#view-lanes .details');
  await page.locator('.gap-list button').first().click();
  assert.match(await details.innerText(), /Queue meanwhile\s+(empty|\d)/);
  await page.keyboard.press('Escape');
  await ask(page, `(() => {
    const { rows, chart } = v.lanes.stage().lanes;
    const row = rows[chart.index.lanes.findIndex((lane) => lane.device !== null)][0];
    v.update({ span: row.first + row.launch.findIndex((number) => number > 0) });
  })()`);
  await until(page, 'v.lanes.stage().marks.select');
  assert.match(await details.innerText(), /Queue at its launch\s+(empty|\d)/);
  await page.keyboard.press('ArrowRight');
  assert.equal(await ask(page, 'v.lanes.stage().marks.select.lane'), await ask(page, 'v.lanes.stage().lanes.chart.index.lanes.findIndex((lane) => lane.device !== null)'));
}));

test('a kernel leads to its launch, the launch back to the kernel, and to the flame graph', () => onLanes(async (page) => {
  const kernel = await ask(page, `(() => {
    const { rows, frames, chart } = v.lanes.stage().lanes;
    const lane = chart.index.lanes.findIndex((lane) => lane.device !== null);
    const row = rows[lane][0];
    const i = row.launch.findIndex((number, i) => number > 0 && row.end[i] - row.start[i] > 20_000);
    v.update({ span: row.first + i });
    return frames.names[row.frame[i]];
  })()`);
  await until(page, 'v.lanes.stage().marks.select');
  assert.equal(await name(page), kernel);
  await page.keyboard.press('l');
  assert.match(await name(page), /Launch|Memcpy/);
  await page.keyboard.press('l');
  await page.locator('#view-lanes .details button', { hasText: 'Flame graph' }).click();
  await until(page, "v.state().view === 'flame' && v.state().weight === 'gpu' && v.state().select > 0");
}));

test('the pointer selects, a double click zooms, the wheel scrolls and zooms', () => onLanes(async (page) => {
  const marker = await ask(page, 'v.lanes.stage().lanes.frames.names.find((name) => /^ProfilerStep|decode|execute/.test(name)) ?? ""');
  const at = await pointOf(page, marker);
  await page.mouse.click(at.x, at.y);
  assert.equal(await name(page), marker);
  assert.match(page.url(), /span=\d+/);
  const before = await ask(page, 'v.lanes.stage().view.to - v.lanes.stage().view.from');
  await page.mouse.dblclick(at.x, at.y);
  const after = await ask(page, 'v.lanes.stage().view.to - v.lanes.stage().view.from');
  assert.ok(after < before);
  await page.keyboard.down('Control');
  await page.mouse.wheel(0, -200);
  await page.keyboard.up('Control');
  await until(page, `v.lanes.stage().view.to - v.lanes.stage().view.from < ${after}`);
}));

test('keys alone walk spans and gaps', () => onLanes(async (page) => {
  await page.locator('.lanes-holder').focus();
  await page.keyboard.press('ArrowRight');
  const first = await name(page);
  await page.keyboard.press('.');
  assert.equal(await name(page), first, 'the next of the same name');
  await page.keyboard.press('Escape');
  await page.keyboard.press(']');
  assert.match(await page.locator('#view-lanes .details-kind').innerText(), /idle/);
  const gap = await ask(page, 'v.lanes.gap().from');
  await page.keyboard.press(']');
  assert.ok((await ask(page, 'v.lanes.gap().from')) > gap);
  await page.keyboard.press('w');
  await page.keyboard.press('d');
  await page.keyboard.press('0');
  await until(page, 'v.lanes.stage().view.from < v.lanes.stage().lanes.chart.index.window[0][0]');
}));

test('a search counts, dims and walks', () => onLanes(async (page) => {
  await page.keyboard.press('/');
  await page.keyboard.type('gemm');
  await until(page, "v.state().search === 'gemm'");
  const told = await page.locator('#view-lanes .search-result').innerText();
  const n = await ask(page, `v.lanes.stage().lanes.rows.flat().reduce((n, row) => n + row.frame.reduce((m, f) =>
    m + (v.lanes.stage().lanes.frames.names[f].toLowerCase().includes('gemm') ? 1 : 0), 0), 0)`);
  assert.equal(Number(told.split(' spans')[0]?.replace(/\D/g, '')), n);
  await page.keyboard.press('Enter');
  assert.match(await name(page), /gemm/i);
}));

test('a stretch chosen on the axis tells what lies in it', () => onLanes(async (page) => {
  const box = await page.locator('.lanes-ruler').boundingBox();
  assert.ok(box);
  await page.mouse.move(box.x + 200, box.y + 10);
  await page.mouse.down();
  await page.mouse.move(box.x + 500, box.y + 10);
  await page.mouse.up();
  assert.match(await page.locator('#view-lanes .details').innerText(), /stretch of time[\s\S]*busy[\s\S]*Device work/);
}));

test('the stretch on show is in the URL, and a finding leads to its own', async () => {
  await onLanes(async (page) => {
    assert.deepEqual(await ask(page, '[v.lanes.stage().view.from, v.lanes.stage().view.to].map(Math.round)'), [2_000_000, 3_000_000]);
  }, '&from=2000000&to=3000000');
  await onPage({}, async (page) => {
    await page.locator('.finding summary').first().waitFor();
    await page.locator('button', { hasText: 'Show in the lanes' }).first().click();
    await until(page, "v.state().view === 'lanes' && v.lanes.ready()");
    const where = await ask(page, "JSON.parse(document.getElementById('report').textContent).captures[0].findings[0].where");
    const [from, to] = await ask(page, '[v.lanes.stage().view.from, v.lanes.stage().view.to]');
    assert.ok(from <= where.from_ns && to >= where.to_ns);
  }, FILE);
});

for (const width of [800, 1440, 2560]) {
  test(`nothing runs over at ${width} px`, () => onLanes(async (page) => {
    assert.ok((await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)) <= 0);
  }, '', { width, dark: width === 1440 }));
}

test('a page without lanes says so', () => onPage({ hash: '#view=lanes' }, async (page) => {
  assert.match(await page.locator('#view-lanes').innerText(), /without lanes/);
}));

test('a step of the summary leads to its stretch, by pointer and by keys; the slowest by one button', () => onPage({ hash: '#view=summary' }, async (page) => {
  const strip = page.locator('#view-summary .steps');
  await strip.waitFor();
  const steps = await ask(page, "JSON.parse(document.getElementById('report').textContent).captures[0].steps.list");
  const shows = async (/** @type {{ stretch_ns: [number, number] }} */ { stretch_ns: [start, end] }) => {
    await until(page, "v.state().view === 'lanes' && v.lanes.ready()");
    const [from, to] = await ask(page, '[v.state().from, v.state().to]');
    assert.ok(from < start && to > end && to - from < 2 * (end - start), `${from} to ${to}`);
    await page.goBack();
    await until(page, "v.state().view === 'summary'");
  };
  const pitch = 90 / 3;
  await strip.click({ position: { x: (steps.length - 0.5) * pitch, y: 60 } });
  await shows(steps[steps.length - 1]);
  await strip.focus();
  await page.keyboard.press('Home');
  await page.keyboard.press('ArrowRight');
  await page.keyboard.press('Enter');
  await shows(steps[1]);
  await page.getByRole('button', { name: 'Slowest' }).click();
  const kept = steps.filter((/** @type {any} */ step) => step.kept);
  await shows(kept.toSorted((/** @type {any} */ a, /** @type {any} */ b) => b.wall_ns - a.wall_ns)[0]);
}, FILE));
