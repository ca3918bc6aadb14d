/** The table of functions, split and grouped, in a real browser, on the bundled trace. */

import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { ask, makeTraceReport, onPage, save, until } from './harness.js';

const FILE = 'table.html';
const TABLE = '#view-table';

before(() => makeTraceReport(FILE, 'fixtures/kineto/llm-decode.json.gz'));

/** @param {import('playwright-core').Page} page */
const names = (page) => page.locator(`${TABLE} .grid-row .name-cell`).evaluateAll((cells) => cells.map((cell) => `${cell.classList.contains('part') ? '  ' : ''}${cell.getAttribute('title')}`));

test('a row opens to the ways that lead to it and closes, by keys', () => onPage({ hash: '#view=table' }, async (page) => {
  await page.locator(`${TABLE} .grid-row`).first().waitFor();
  const closed = await names(page);
  await page.locator(`${TABLE} .grid`).focus();
  for (const key of ['ArrowDown', 'ArrowDown', 'ArrowRight']) await page.keyboard.press(key);
  const second = page.locator(`${TABLE} .grid-row[aria-level="1"]`).nth(1);
  await page.locator(`${TABLE} .grid-row[aria-level="2"]`).first().waitFor();
  assert.equal(await second.getAttribute('aria-expanded'), 'true');
  const opened = await names(page);
  assert.deepEqual(opened.slice(0, 2), closed.slice(0, 2));
  assert.match(opened[2] ?? '', /^ {2}\S/);
  // From a part, the arrow goes back to its row and closes it.
  for (const key of ['ArrowDown', 'ArrowLeft']) await page.keyboard.press(key);
  await page.locator(`${TABLE} .grid-row[aria-level="2"]`).first().waitFor({ state: 'detached' });
  assert.equal(await page.locator(`${TABLE} .grid-row.current .name-cell`).getAttribute('title'), closed[1]);
  await page.keyboard.press('ArrowRight');
  await page.keyboard.press('ArrowDown');
  const way = await page.locator(`${TABLE} .grid-row.current .name-cell.part`).getAttribute('title');
  await page.keyboard.press('Enter');
  await until(page, "v.state().view === 'flame' && v.state().select > 0");
  const stack = await ask(page, '(({ tree }, node) => { const out = []; for (; node > 0; node = tree.parent[node]) out.push(tree.names[tree.frame[node]]); return out; })(v.scene(), v.state().select)');
  for (const part of (way ?? '').split(' · ')) assert.ok(stack.includes(part), `${part} is above ${stack[0]}`);
}, FILE));

test('grouped by each, rows add up to the weight, and open to functions by the mouse', () => onPage({ hash: '#view=table' }, async (page) => {
  for (const [title, group] of [['Module', 'module'], ['Kind', 'kind'], ['Kernel family', 'family'], ['Stream or thread', 'stream'], ['Phase', 'phase']]) {
    await page.locator(TABLE).getByLabel('One row a').selectOption(title ?? '');
    await until(page, `v.state().group === '${group}'`);
    await page.locator(`${TABLE} .grid-row[aria-level="1"][aria-expanded="false"]`).first().waitFor();
    const chevron = page.locator(`${TABLE} .grid-row[aria-level="1"] .chevron`).first();
    await chevron.click();
    const part = page.locator(`${TABLE} .grid-row[aria-level="2"]`).first();
    await part.waitFor();
    const csv = await exported(page);
    const rows = csv.filter((row) => row['part_of'] === '');
    const parts = csv.filter((row) => row['part_of'] !== '');
    const sum = (/** @type {typeof csv} */ some) => some.reduce((all, row) => all + Number(row['self']), 0);
    totals.add(sum(rows));
    assert.equal(sum(parts), Number(rows.find((row) => row['name'] === parts[0]?.['part_of'])?.['self']), group);
  }
  totals.add(await ask(page, "JSON.parse(document.getElementById('contents').textContent).profiles[0].columns.find(({ weight }) => weight === 'gpu').sum"));
  assert.equal(totals.size, 1, `one sum, whatever the rows are: ${[...totals].join(', ')}`);
}, FILE));

/** @type {Set<number>} */
const totals = new Set();

/**
 * The table that is saved, a record a row.
 * @param {import('playwright-core').Page} page
 */
async function exported(page) {
  const { text } = await save(page, 'Table (CSV)');
  const lines = text().trimEnd().split(/\r?\n/).map(cells);
  return lines.slice(1).map((line) => Object.fromEntries((lines[0] ?? []).map((title, i) => [title, line[i] ?? ''])));
}

/** @param {string} line */
const cells = (line) => Array.from(line.matchAll(/(?:^|,)(?:"((?:[^"]|"")*)"|([^,]*))/g), ([, quoted, bare]) => quoted?.replaceAll('""', '"') ?? bare ?? '');
