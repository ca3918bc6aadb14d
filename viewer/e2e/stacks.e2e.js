/** Pages of finished stacks, one of each format, in a real browser: figures are those of the command line. */

import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { before, test } from 'node:test';
import { ask, makeTraceReport, onPage, ready, root, save, until } from './harness.js';

/** @typedef {import('playwright-core').Page} Page */

const FILES = ['folded/samples.txt', 'folded/fractions.txt', 'pprof/cpu.pb.gz', 'pprof/heap.pb', 'speedscope/several.json'];
const TABS = ['Flame graph', 'Functions', 'Sandwich'];

/** @param {string} file */
const pageOf = (file) => `${file.replaceAll('/', '-')}.html`;

before(() => FILES.forEach((file) => makeTraceReport(pageOf(file), `fixtures/${file}`)));

/** @param {...string} args */
const flamelane = (...args) => execFileSync('cargo', ['run', '--quiet', '-p', 'flamelane', '--', ...args], { cwd: root, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] });

/** @param {string} text */
const lines = (text) => text.trim().split('\n').sort();

/** Name, self and total of each function. @param {string} file @param {string} weight */
function topOf(file, weight) {
  const told = JSON.parse(flamelane('top', `fixtures/${file}`, '--by', 'frame', '-w', weight, '-n', '1000', '--format', 'json'));
  const scale = 10 ** told.decimals;
  /** @type {[string, number, number][]} */
  const rows = told.rows.map((/** @type {any} */ { name, self, total }) => [name, self / scale, total / scale]);
  return { total: told.total / scale, unit: told.unit, whole: scale === 1, rows: rows.filter(([, self, total]) => self !== 0 || total !== 0) };
}

/** The rows of the table as it is exported. @param {string} csv */
function rowsOf(csv) {
  const names = /^(?:"((?:[^"]|"")*)"|([^,]*)),/;
  return csv.trim().split('\n').slice(1).map((line) => {
    const found = names.exec(line);
    const [, , self, total] = line.slice(found?.[0].length ?? 0).split(',');
    return [found?.[1]?.replaceAll('""', '"') ?? found?.[2] ?? '', Number(self), Number(total)];
  });
}

for (const file of FILES) {
  test(`${file}: opens on the flame graph, with its own weights and their exact sums`, () => onPage({}, async (page) => {
    await ready(page);
    assert.deepEqual(await page.getByRole('tab').allTextContents(), TABS);
    assert.equal(await page.getByRole('tab', { selected: true }).textContent(), 'Flame graph');
    assert.ok(await page.locator('#view-flame').isVisible());
    const name = file.replace(/.*\//, '');
    assert.match(await page.title(), new RegExp(`^${name} `));
    const told = page.locator('.stacks-file');
    assert.match(await told.innerText(), new RegExp(`${name}[^]*${file.replace(/\/.*/, '')} stacks`));
    const weights = await page.locator('#view-flame .weights [role=radio]').allTextContents();
    const inspected = JSON.parse(flamelane('inspect', `fixtures/${file}`, '--format', 'json'));
    assert.deepEqual(weights, inspected.weights.map((/** @type {any} */ { name: weight }) => weight));
    assert.equal(await told.locator('tbody tr').count(), weights.length);
    for (const weight of weights) {
      await page.locator('#view-flame').getByRole('radio', { name: weight, exact: true }).click();
      await until(page, `v.scene().weight === '${weight}'`);
      const top = topOf(file, weight);
      assert.deepEqual(await ask(page, '[v.scene().values.total[0], v.scene().unit, v.scene().title]'), [top.total, top.unit, weight]);
      const wanted = lines(flamelane('fold', `fixtures/${file}`, '-w', weight));
      assert.deepEqual(lines((await save(page, 'Folded stacks')).text()), wanted, weight);
      const packed = lines(flamelane('fold', (await save(page, 'pprof')).path, '-w', weight));
      // Fractions are whole numbers of a smaller unit there.
      if (top.whole) assert.deepEqual(packed, wanted, `${weight} by pprof`);
      else assert.equal(packed.length, wanted.length);
      await page.keyboard.press('2');
      await page.locator('#view-table .grid-row').first().waitFor();
      const rows = rowsOf((await save(page, 'Table')).text());
      assert.deepEqual(rows.sort(), top.rows.sort(), weight);
      await page.keyboard.press('1');
    }
    assert.doesNotMatch(await page.locator('body').innerText(), /window|kernels run at once|lanes/i);
  }, pageOf(file)));
}

test('views of a timeline cannot be reached, by key or by address; the help names those that can', () => onPage({ hash: '#view=lanes&since=5&until=9' }, async (page) => {
  await ready(page);
  assert.ok(await page.locator('#view-flame').isVisible());
  assert.ok(await page.locator('.stretch-bar').isHidden());
  for (const key of ['4', '5', '8']) await page.keyboard.press(key);
  assert.ok(await page.locator('#view-flame').isVisible());
  await page.keyboard.press('?');
  const help = await page.locator('dialog').innerText();
  assert.match(help, /1 … 3/);
  assert.match(help, /Flame graph, Functions, Sandwich/);
  assert.doesNotMatch(help, /Idle|Lanes/);
  await page.keyboard.press('Escape');
  await page.keyboard.press('3');
  await page.locator('.sandwich-choose .stack-row').first().click();
  await until(page, 'v.sandwich.ready && v.sandwich.pivot !== undefined');
  await page.getByRole('tab', { selected: true }).focus();
  await page.keyboard.press('ArrowRight');
  assert.ok(await page.locator('#view-flame').isVisible());
}, pageOf('folded/samples.txt')));

test('search, cuts and arrangements keep the sums', () => onPage({}, async (page) => {
  await ready(page);
  const sum = await ask(page, 'v.scene().layout.sum');
  for (const key of ['I', 'r', 'g', 'z']) await page.keyboard.press(key);
  await until(page, "v.state().invert && v.state().recursion && v.state().by === 'module' && v.state().collapse && v.scene().turned === 1");
  assert.equal(await ask(page, 'v.scene().layout.sum'), sum);
  for (const key of ['I', 'r', 'G', 'z']) await page.keyboard.press(key);
  await until(page, 'v.scene().turned === undefined');
  await page.keyboard.press('/');
  await page.keyboard.type('decode');
  await until(page, 'v.found()?.total > 0');
  const found = await ask(page, 'v.found().total');
  await page.locator('#view-flame .stage').focus();
  await page.keyboard.press('k');
  await until(page, `v.scene().layout.sum === ${found}`);
  assert.match(await page.locator('.stretch-bar').innerText(), /samples left/);
  assert.ok(found < sum);
}, pageOf('folded/samples.txt')));
