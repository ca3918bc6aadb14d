/** What the page saves, read again by the command line. */

import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { before, test } from 'node:test';
import { ask, makeTraceReport, onPage, ready, root, save, until } from './harness.js';

/** @typedef {import('playwright-core').Page} Page */

const FILE = 'export.html';
const TRACE = 'fixtures/kineto/llm-decode.json.gz';
/** The page has all frames, the command leaves threads out unless asked. */
const KINDS = 'thread,python,module,annotation,op,runtime,kernel';

before(() => makeTraceReport(FILE, TRACE));

/** @param {...string} args */
const flamelane = (...args) => execFileSync('cargo', ['run', '--quiet', '-p', 'flamelane', '--', ...args], { cwd: root, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] });

/** @param {string} text */
const lines = (text) => text.trim().split('\n').sort();

/** @param {string} hash @param {(page: Page) => Promise<void>} run */
const onReport = (hash, run) => onPage({ hash }, run, FILE);

test('folded stacks and pprof of the page are those of the command line, stack by stack', () => onReport('#view=flame', async (page) => {
  await ready(page);
  for (const weight of ['gpu', 'idle', 'wall']) {
    await ask(page, `v.update({ weight: '${weight}' })`);
    await until(page, `v.scene().weight === '${weight}'`);
    const wanted = lines(flamelane('fold', TRACE, '-w', weight, '--stack', KINDS));
    const folded = await save(page, 'Folded stacks');
    assert.equal(folded.name, `llm-decode.${weight}.folded`);
    assert.deepEqual(lines(folded.text()), wanted, weight);
    const packed = await save(page, 'pprof');
    assert.deepEqual(lines(flamelane('fold', packed.path, '-w', weight)), wanted, `${weight} by pprof`);
  }
}));

test('the picture of the flame graph shows what is on show, every box with its figures', () => onReport('#view=flame', async (page) => {
  await ready(page);
  const { text, name } = await save(page, 'Picture');
  assert.equal(name, 'llm-decode.gpu.svg');
  const n_boxes = await ask(page, 'v.draw().n_boxes');
  const parts = await page.evaluate((svg) => {
    const picture = new DOMParser().parseFromString(svg, 'image/svg+xml');
    const boxes = [...picture.querySelectorAll('rect title')].map((title) => title.textContent);
    return { broken: picture.querySelector('parsererror') !== null, boxes, texts: picture.querySelectorAll('text').length };
  }, text());
  assert.equal(parts.broken, false);
  assert.ok(parts.boxes.length >= n_boxes, `${parts.boxes.length} of ${n_boxes}`);
  assert.match(parts.boxes.join('\n'), /all: .* 100.0\s%/);
  assert.ok(parts.texts > 20);
}));

test('the sandwich saves whole stacks through its function alone, and a picture of both sides', () => onReport('#view=sandwich&pivot=op:aten::mm', async (page) => {
  await until(page, 'v.sandwich.ready && v.sandwich.callees.list');
  const through = lines(flamelane('fold', TRACE, '-w', 'gpu', '--stack', KINDS)).filter((line) => /(^|;)aten::mm(;| )/.test(line));
  assert.ok(through.length > 1);
  const folded = await save(page, 'Folded stacks');
  assert.equal(folded.name, 'llm-decode.gpu.aten_mm.folded');
  assert.deepEqual(lines(folded.text()), through);
  assert.deepEqual(lines(flamelane('fold', (await save(page, 'pprof')).path)), through);
  const svg = (await save(page, 'Picture')).text();
  const told = await page.evaluate((text) => {
    const picture = new DOMParser().parseFromString(text, 'image/svg+xml');
    return { broken: picture.querySelector('parsererror') !== null, boxes: [...picture.querySelectorAll('rect title')].map((title) => title.textContent) };
  }, svg);
  assert.equal(told.broken, false);
  const sum = through.reduce((all, line) => all + Number(line.slice(line.lastIndexOf(' '))), 0);
  assert.equal(await ask(page, 'v.sandwich.pivot.total'), sum);
  for (const name of ['aten::mm', ...await ask(page, "['callers', 'callees'].map((side) => { const { tree } = v.sandwich.halves[side]; return tree.names[tree.frame[1]]; })")]) {
    assert.ok(told.boxes.some((box) => box?.startsWith(`${name}: `)), name);
  }
}));

test('tables are saved whole, with figures in whole units', () => onReport('#view=table', async (page) => {
  await page.locator('#view-table .grid-row').first().waitFor();
  const { text, name } = await save(page, 'Table');
  assert.equal(name, 'llm-decode.gpu.functions.csv');
  const [head, ...rows] = text().trim().split('\n');
  assert.equal(head, 'name,part_of,kind,self,total,unit,share_of_total,calls,spans,p50_ns,p99_ns,max_ns,stacks,user_frame');
  const total = await page.locator('#view-table .grid').getAttribute('aria-rowcount');
  assert.equal(rows.length, Number(total) - 1);
  await page.keyboard.press('6');
  await page.locator('#view-idle .grid-row').first().waitFor();
  const idle = (await save(page, 'Table')).text();
  const sum = idle.trim().split('\n').slice(1).reduce((all, line) => all + Number(/,(\d+),\d+,\d+,(late|launch|dispatch|stream|inside|copy|device|unrec|over|not)/.exec(line)?.[1]), 0);
  assert.equal(sum, await ask(page, "JSON.parse(document.getElementById('report').textContent).captures[0].window.idle_ns"));
}));

test('the picture of the lanes names its lanes and its gaps', () => onReport('#view=lanes', async (page) => {
  await until(page, 'v.lanes.ready()');
  const { text } = await save(page, 'Picture');
  const found = await page.evaluate((svg) => {
    const picture = new DOMParser().parseFromString(svg, 'image/svg+xml');
    return { broken: picture.querySelector('parsererror') !== null, text: picture.documentElement.textContent ?? '' };
  }, text());
  assert.equal(found.broken, false);
  assert.match(found.text, /idle .*late host/);
  assert.match(found.text, /GPU 0/);
  assert.match(found.text, /queue · max \d+/);
}));
