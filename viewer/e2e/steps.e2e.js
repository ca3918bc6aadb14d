/** The steps view in a real browser, on the bundled trace: figures, mouse, keys. */

import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { ask, makeTraceReport, onPage, save, until } from './harness.js';

/** @typedef {import('playwright-core').Page} Page */
/** @typedef {import('#viewer/data/report.js').Step} Step */

const FILE = 'steps.html';
const PITCH = 124 / 3;

before(() => makeTraceReport(FILE, 'fixtures/kineto/llm-decode.json.gz'));

/** @param {string} hash @param {(page: Page, list: Step[]) => Promise<void>} run */
const onSteps = (hash, run) => onPage({ hash }, async (page) => {
  await page.locator('#view-steps .grid-row').first().waitFor();
  await run(page, await ask(page, "JSON.parse(document.getElementById('report').textContent).captures[0].steps.list"));
}, FILE);

/** @param {Page} page @param {Step} step */
const narrowedTo = (page, { stretch_ns: [from, to] }) => until(page, `v.state().since === ${from} && v.state().until === ${to}`);

/** The nanoseconds in a row, from the titles of its figures. @param {Page} page @param {number} row */
const titles = (page, row) => page.locator('#view-steps .grid-row').nth(row).locator('span[title$=" ns"]')
  .evaluateAll((cells) => cells.map((cell) => Number(cell.getAttribute('title')?.replace(/[^\d]/g, ''))));

test('the grid has the figures of the report, to the nanosecond; the line of the group its spread', () => onSteps('#view=steps', async (page, list) => {
  for (const [i, step] of list.entries()) {
    assert.deepEqual(await titles(page, i), [step.wall_ns, step.busy_ns, step.idle_ns, step.marker_ns, step.from_ns]);
  }
  const { wall_ns, count } = await ask(page, "JSON.parse(document.getElementById('report').textContent).captures[0].steps");
  const line = page.locator('.step-groups tbody tr');
  assert.match(await line.innerText(), new RegExp(`decode · batch 32\\s+${count}\\s`));
  const figures = await line.locator('td[title$=" ns"]').evaluateAll((cells) => cells.map((cell) => Number(cell.getAttribute('title')?.replace(/[^\d]/g, ''))));
  assert.deepEqual([figures[0], figures[2], figures[3]], [wall_ns.p50, wall_ns.min, wall_ns.max]);
}));

test('one click narrows all views to a step, whose idle time it then is; the strip and the row agree', () => onSteps('#view=steps', async (page, list) => {
  const step = /** @type {Step} */ (list[3]);
  await page.locator('#view-steps .steps').click({ position: { x: 3.5 * PITCH, y: 100 } });
  await narrowedTo(page, step);
  assert.match(await page.locator('#view-steps .grid-row.current').innerText(), /^\s*3\s/);
  assert.equal(await page.locator('#view-steps .grid').getAttribute('aria-activedescendant'), 'row-steps-3');
  await page.locator('.stretch-bar').getByText(/Narrowed to/).waitFor();
  assert.equal(await ask(page, 'v.state().view'), 'steps');
  await ask(page, "v.update({ view: 'flame', weight: 'idle' })");
  await until(page, "v.scene()?.weight === 'idle'");
  assert.equal(await ask(page, 'v.scene().values.total[0]'), step.idle_ns);
  await page.goBack();
  await until(page, "v.state().view === 'steps'");
  await page.locator('#view-steps .grid-row').nth(5).click();
  await narrowedTo(page, /** @type {Step} */ (list[5]));
}));

test('a double click leads to the lanes of the step, also where the bar above has moved it', () => onSteps('#view=steps', async (page, list) => {
  for (const place of ['strip', 'grid']) {
    if (place === 'strip') await page.locator('#view-steps .steps').dblclick({ position: { x: 2.5 * PITCH, y: 100 } });
    else await page.locator('#view-steps .grid-row').nth(2).dblclick();
    await until(page, "v.state().view === 'lanes' && v.lanes.ready()");
    await narrowedTo(page, /** @type {Step} */ (list[2]));
    const [from, to] = await ask(page, '[v.state().from, v.state().to]');
    const [start, end] = /** @type {Step} */ (list[2]).stretch_ns;
    assert.ok(from < start && to > end && to - from < 2 * (end - start), place);
    await ask(page, "v.update({ view: 'steps', since: 0, until: 0 })");
    await until(page, 'v.state().until === 0');
  }
}));

test('by keys alone: tab, strip, grid, figures, lanes, back', () => onPage({ hash: '#view=summary' }, async (page) => {
  await page.keyboard.press('8');
  await until(page, "v.state().view === 'steps'");
  const list = await ask(page, "JSON.parse(document.getElementById('report').textContent).captures[0].steps.list");
  await page.keyboard.press('ArrowRight');
  const strip = page.locator('#view-steps .steps');
  await page.keyboard.press('Home');
  await page.keyboard.press('ArrowRight');
  assert.equal(await strip.getAttribute('aria-valuenow'), '2');
  assert.match(await strip.getAttribute('aria-valuetext') ?? '', /wall .* busy .* idle/);
  assert.match(await page.locator('#view-steps .grid-row.current').innerText(), /^\s*1\s/, 'the grid walks along');
  await page.keyboard.press('Enter');
  await narrowedTo(page, list[1]);
  await page.locator('#view-steps .grid').focus();
  await page.keyboard.press('ArrowDown');
  assert.equal(await strip.getAttribute('aria-valuenow'), '3', 'the strip walks along');
  await page.keyboard.press('Enter');
  await narrowedTo(page, list[2]);
  await page.keyboard.press('w');
  await until(page, "v.state().figure === 'busy'");
  assert.equal(await page.locator('#view-steps [role=radio][aria-checked=true]').innerText(), 'Busy');
  await page.keyboard.press('l');
  await until(page, "v.state().view === 'lanes'");
  await page.goBack();
  await until(page, "v.state().view === 'steps'");
  await page.locator('#view-steps .grid').focus();
  await page.keyboard.press('Escape');
  await until(page, 'v.state().until === 0');
}, FILE));

test('sorted by a column, and so again from the address', () => onSteps('#view=steps&figure=idle', async (page, list) => {
  const head = page.locator('#view-steps [role=columnheader] button', { hasText: 'Idle' });
  await head.click();
  const by_idle = list.toSorted((a, b) => b.idle_ns - a.idle_ns);
  assert.equal((await titles(page, 0))[2], by_idle[0]?.idle_ns);
  await head.click();
  await page.locator('#view-steps [aria-sort=ascending]', { hasText: 'Idle' }).waitFor();
  assert.equal((await titles(page, 0))[2], by_idle.at(-1)?.idle_ns);
  assert.match(page.url(), /figure=idle&sort=-idle/);
  await page.reload();
  await page.locator('#view-steps [aria-sort=ascending]', { hasText: 'Idle' }).waitFor();
}));

test('the table is saved as CSV, in the order on show', () => onSteps('#view=steps&sort=wall', async (page, list) => {
  const { name, text } = await save(page, 'Table (CSV)');
  assert.equal(name, 'llm-decode.steps.csv');
  const [head, ...rows] = text().trim().split('\n');
  assert.match(head ?? '', /^step,name,phase,batch,kept,from_ns,marker_ns,wall_ns/);
  const walls = list.map(({ wall_ns }) => wall_ns).sort((a, b) => b - a);
  assert.deepEqual(rows.map((row) => Number(row.split(',')[7])), walls);
}));

test('a page without lanes says that it cannot be narrowed; warm-up is marked with its reason', () => onPage({ hash: '#view=steps&sort=remark' }, async (page) => {
  const row = page.locator('#view-steps .grid-row').first();
  assert.match(await row.innerText(), /left out: warm-up: longer than twice the median step/);
  await row.click();
  assert.match(await page.locator('.toast').innerText(), /without lanes/);
}));

test('a capture without steps says why, and how to mark them', () => {
  makeTraceReport('none.html', 'fixtures/chrome/py-spy.json');
  return onPage({ hash: '#view=steps' }, async (page) => {
    const text = await page.locator('#view-steps').innerText();
    assert.match(text, /No steps in this capture/);
    assert.match(text, /record_function\("step"\)/);
    assert.match(text, /ProfilerStep#N/);
    assert.equal(await page.locator('#view-steps .grid').isVisible(), false);
    await page.locator('#view-steps pre').first().focus();
    await page.keyboard.press('w');
  }, 'none.html');
});
