/** Stacks kept and dropped, in a real browser, on the bundled trace. */

import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { ask, makeTraceReport, onPage, ready, until } from './harness.js';

const FILE = 'cuts.html';

before(() => makeTraceReport(FILE, 'fixtures/kineto/llm-decode.json.gz'));

test('by pointer: a search is kept, its share is what the search told; a chip and back take it back', () => onPage({ hash: '#view=flame' }, async (page) => {
  await ready(page);
  const whole = await ask(page, 'v.scene().layout.sum');
  await page.locator('#view-flame .search input').fill('aten::mm');
  await until(page, 'v.found()');
  const { total } = await ask(page, '({ total: v.found().total })');
  assert.ok(total > 0 && total < whole);
  await page.getByRole('button', { name: 'Keep', exact: true }).click();
  await until(page, `v.scene().layout.sum === ${total}`);
  const bar = page.locator('.stretch-bar');
  assert.match(await bar.innerText(), /only aten::mm/);
  assert.match(await bar.innerText(), new RegExp(`${((100 * total) / whole).toFixed(1)}\\s%`));
  await page.keyboard.press('4');
  await page.locator('#view-table .grid-row').first().waitFor();
  const rows = await page.locator('#view-table .grid-row .name-cell').allInnerTexts();
  assert.ok(rows.length > 0 && !rows.some((name) => name.includes('flash')), rows.join(' '));
  await page.goBack();
  await page.goBack();
  await until(page, `v.scene().layout.sum === ${whole}`);
  await page.goForward();
  await until(page, `v.scene().layout.sum === ${total}`);
  await page.getByRole('button', { name: 'Take back: only aten::mm' }).click();
  await until(page, `v.scene().layout.sum === ${whole}`);
  assert.equal(await bar.isHidden(), true);
}, FILE));

test('by keys: drop, then drop more; without a search it says what to do', () => onPage({ hash: '#view=flame' }, async (page) => {
  await ready(page);
  await page.keyboard.press('k');
  await page.getByText('Search for something first').waitFor();
  let sum = await ask(page, 'v.scene().layout.sum');
  for (const text of ['aten::mm', 'flash']) {
    await page.keyboard.press('/');
    await page.keyboard.type(text);
    await until(page, 'v.found()');
    const left = sum - (await ask(page, 'v.found().total'));
    await page.locator('#view-flame .stage').focus();
    await page.keyboard.press('K');
    await until(page, `v.scene().layout.sum === ${left}`);
    sum = left;
  }
  assert.deepEqual(await ask(page, 'v.state().cuts'), ['-aten::mm', '-flash']);
}, FILE));
