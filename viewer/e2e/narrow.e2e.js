/** One stretch of time for all views, in a real browser, on the bundled trace. */

import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { ask, makeTraceReport, onPage, ready, until } from './harness.js';

/** @typedef {import('playwright-core').Page} Page */

const FILE = 'narrow.html';

before(() => makeTraceReport(FILE, 'fixtures/kineto/llm-decode.json.gz'));

/** @param {string} hash @param {(page: Page) => Promise<void>} run */
const onReport = (hash, run) => onPage({ hash }, run, FILE);

/** The flame graph's self values, by node. @param {Page} page @param {object} state */
async function selves(page, state) {
  const { weight, since, until: to } = /** @type {{ weight: string, since: number, until: number }} */ (state);
  await ask(page, `(window.__before = v.scene(), v.update(${JSON.stringify({ ...state, view: 'flame' })}))`);
  const settled = `v.state().weight === '${weight}' && v.state().since === ${since} && v.state().until === ${to}`;
  await until(page, `${settled} && v.scene()?.weight === '${weight}' && v.scene() !== window.__before`);
  return /** @type {number[]} */ (await ask(page, '[...v.scene().values.self]'));
}

test('stretches that follow each other add up to the window, node by node, under every weight', () => onReport('#view=flame', async (page) => {
  await ready(page);
  const { index } = await ask(page, '({ index: v.chart().index })');
  const { from_ns, to_ns } = index;
  const third = Math.round((to_ns - from_ns) / 3);
  const edges = [from_ns - 1, from_ns + third, to_ns - third, to_ns + 1];
  for (const weight of ['gpu', 'idle', 'wall', 'cpu', 'launches', 'copies']) {
    // Another weight between, so that each scene is a new one.
    await ask(page, `v.update({ weight: '${weight === 'gpu' ? 'wall' : 'gpu'}', since: 0, until: 0 })`);
    await until(page, `v.scene().weight === '${weight === 'gpu' ? 'wall' : 'gpu'}'`);
    const whole = await selves(page, { weight, since: 0, until: 0 });
    const sums = new Array(whole.length).fill(0);
    for (const [i, since] of edges.slice(0, -1).entries()) {
      const part = await selves(page, { weight, since, until: edges[i + 1] });
      part.forEach((value, node) => (sums[node] += value));
    }
    assert.deepEqual(sums, whole, weight);
    assert.ok(whole.some((value) => value > 0), `${weight} has something to add up`);
  }
}));

test('by keys: a gap narrows all views, its idle time is its length, back and the button undo it', () => onReport('#view=lanes', async (page) => {
  await until(page, 'v.lanes.ready()');
  await page.keyboard.press(']');
  await until(page, 'v.lanes.gap()');
  const gap = await ask(page, '({ from: v.lanes.gap().from, to: v.lanes.gap().to, owner: v.lanes.gap().owner })');
  await page.keyboard.press('v');
  await until(page, `v.state().since === ${gap.from} && v.state().until === ${gap.to}`);
  const bar = page.locator('.stretch-bar');
  assert.match(await bar.innerText(), /Narrowed to .*\s0\s% busy/s);
  await page.keyboard.press('2');
  await ask(page, "v.update({ weight: 'idle' })");
  await until(page, "v.scene()?.weight === 'idle'");
  assert.equal(await ask(page, 'v.scene().values.total[0]'), gap.to - gap.from);
  assert.equal(await page.locator('.weights [data-weight="gpu-busy"]').isDisabled(), true);
  await page.keyboard.press('6');
  const first = page.locator('#view-idle [role=row]', { hasText: gap.owner }).first();
  await first.waitFor();
  assert.match(await page.locator('.owners-told').first().innerText(), /100(\.0)?\s% of all in the stretch/);
  await bar.locator('button', { hasText: 'Whole window' }).press('Enter');
  await until(page, 'v.state().until === 0');
  assert.equal(await bar.isHidden(), true);
  await page.goBack();
  await until(page, `v.state().until === ${gap.to}`);
}));

test('what is narrowed survives in the address; health says that its figures are not', () => onReport('#view=notes&since=1000000&until=2000000', async (page) => {
  const bar = page.locator('.stretch-bar');
  await bar.getByText(/Narrowed to 1.00\sms/).waitFor();
  assert.match(await bar.innerText(), /of the whole window/);
  await bar.locator('button', { hasText: 'Lanes' }).click();
  await until(page, "v.state().view === 'lanes' && v.lanes.ready()");
  const [from, to] = await ask(page, '[v.lanes.stage().view.from, v.lanes.stage().view.to]');
  assert.ok(from < 1_000_000 && to > 2_000_000 && to - from < 3_000_000);
}));

/** Exact figures of the card's partition, in its order. @param {Page} page */
async function partition(page) {
  await page.locator('.of-stretch .part-time').first().waitFor();
  const titles = await page.locator('.of-stretch .part-time').evaluateAll((all) => all.map((one) => one.getAttribute('title') ?? ''));
  return titles.map((title) => Number(title.replace(/[^0-9]/g, '')));
}

test('the summary begins with the stretch: its parts add up to it, and the rest is headed as of the window', () => onReport('#view=summary&since=1000000&until=9000000', async (page) => {
  const card = page.locator('.of-stretch');
  const parts = await partition(page);
  assert.equal(parts.reduce((sum, ns) => sum + ns, 0), 8_000_000);
  assert.ok(parts[0] && parts[2] && parts[3], 'compute, copies and idle');
  assert.doesNotMatch(await page.locator('.stretch-bar').innerText(), /whole window\./);
  assert.match(await card.innerText(), /of device work in 8\.00\sms: .* are gaps\. 89 kernels and 8 copies or fills start in it/);
  assert.match(await card.locator('table').innerText(), /decode\s+1\s/);
  assert.match(await card.innerText(), /2\ssteps across an edge are not counted/);
  const [card_top, whole, verdict] = await Promise.all([card, page.locator('.of-whole'), page.locator('.headline')].map(async (one) => (await one.boundingBox())?.y ?? 0));
  assert.ok(card_top < whole && whole < verdict, 'from top to bottom: the stretch, the heading of the window, the verdict');
  await page.locator('.stretch-bar button', { hasText: 'Whole window' }).click();
  await card.waitFor({ state: 'hidden' });
  assert.equal(await page.locator('.of-whole').isHidden(), true);
  assert.ok(await page.locator('.headline').isVisible());
}));

test('by pointer and by keys: rows of the stretch lead to the flame graph, which stays narrowed', () => onReport('#view=summary&since=1000000&until=9000000', async (page) => {
  const idle = (await partition(page))[3];
  await page.locator('.of-stretch .toplist.gpu button').first().click();
  await until(page, "v.state().view === 'flame' && v.scene()?.weight === 'gpu'");
  assert.deepEqual(await ask(page, '[v.state().since, v.state().until]'), [1_000_000, 9_000_000]);
  await page.goBack();
  await page.locator('.of-stretch .toplist.idle button').first().press('Enter');
  await until(page, "v.state().view === 'flame' && v.scene()?.weight === 'idle'");
  assert.equal(await ask(page, 'v.scene().values.total[0]'), idle);
  await page.keyboard.press('1');
  await page.locator('.of-stretch .link', { hasText: 'All' }).last().press('Enter');
  await until(page, "v.state().view === 'idle'");
}));

test('a gap has no device work, and another stretch makes another card', () => onReport('#view=lanes', async (page) => {
  await until(page, 'v.lanes.ready()');
  await page.keyboard.press(']');
  await until(page, 'v.lanes.gap()');
  const ns = await ask(page, 'v.lanes.gap().to - v.lanes.gap().from');
  await page.keyboard.press('v');
  await page.keyboard.press('1');
  assert.deepEqual(await partition(page), [0, 0, 0, ns]);
  assert.equal(await page.locator('.of-stretch .toplist.gpu').count(), 0);
  const [from, to] = await ask(page, '[v.chart().index.window[0][0], v.chart().index.window[0][1]]');
  await ask(page, `v.update({ since: ${from - 5}, until: ${from + 1000} })`);
  await page.getByText(/Only 1.00\sµs of the stretch lie in the window/).waitFor();
  assert.equal((await partition(page)).reduce((sum, one) => sum + one, 0), 1000);
  await ask(page, `v.update({ since: ${to}, until: ${to + 1000} })`);
  await page.getByText('It lies outside the window').waitFor();
}));
