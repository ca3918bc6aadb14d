/** Frames that only pass their weight on, folded and opened, in a real browser, on the bundled trace. */

import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { ask, makeTraceReport, onPage, ready, until } from './harness.js';

const FILE = 'plumbing.html';

before(() => makeTraceReport(FILE, 'fixtures/kineto/llm-decode.json.gz'));

const rows = 'v.scene().layout.node.length';

test('a button folds, a search and a selection open what they need, the figures stay', () => onPage({ hash: '#view=flame' }, async (page) => {
  await ready(page);
  const [all, sum, levels] = await ask(page, `[${rows}, v.scene().layout.sum, v.scene().layout.n_levels]`);
  await page.getByRole('button', { name: 'Collapse' }).click();
  await until(page, `${rows} < ${all}`);
  const [few, same, fewer] = await ask(page, `[${rows}, v.scene().layout.sum, v.scene().layout.n_levels]`);
  assert.ok(same === sum && fewer < levels, `${levels} levels to ${fewer}`);
  await page.locator('#view-flame .search input').fill('_run_code');
  await until(page, `${rows} === ${few} + 1`);
  await page.locator('#view-flame .search input').fill('');
  await until(page, `${rows} === ${few}`);
  // The details name every frame of the stack; a folded one opens when it is chosen.
  await page.locator('#view-flame .stage').focus();
  for (const key of ['ArrowDown', 'ArrowDown', 'ArrowDown']) await page.keyboard.press(key);
  await until(page, 'v.state().select > 0');
  const stack = page.locator('#view-flame .details-stack .stack-row');
  const folded = stack.filter({ hasText: '_run_code' }).first();
  await folded.click();
  await until(page, `v.scene().layout.place[v.state().select] >= 0 && ${rows} === ${few} + 1`);
  const name = await page.locator('#view-flame .details-name').innerText();
  assert.match(name, /_run_code/);
}, FILE));

test('by keys: folded, walked, copied whole, opened, and in the address', () => onPage({ hash: '#view=flame' }, async (page) => {
  await ready(page);
  const all = await ask(page, rows);
  await page.keyboard.press('z');
  await until(page, `v.state().collapse && ${rows} < ${all}`);
  assert.match(await page.evaluate(() => location.hash), /collapse=true/);
  for (const key of ['ArrowDown', 'ArrowDown', 'ArrowDown', 'ArrowRight', 'C']) await page.keyboard.press(key);
  await page.getByText('Stack copied').waitFor();
  const copied = await page.evaluate(() => navigator.clipboard.readText());
  assert.match(copied, /_run_module_as_main;.*_run_code;/, 'the copied stack has the folded frames');
  await page.keyboard.press('z');
  await until(page, `${rows} === ${all}`);
}, FILE));
