/** The flame graph inverted, divided and without recursion, in a real browser, on the bundled trace. */

import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { ask, makeTraceReport, onPage, ready, until } from './harness.js';

const FILE = 'arrange.html';

before(() => makeTraceReport(FILE, 'fixtures/kineto/llm-decode.json.gz'));

const SUM = 'v.scene().layout.sum';
/** Name and total of what is right below the root. */
const FIRST = `(({ tree, values }) => { const out = []; for (let i = 1; i < tree.n; i = tree.end[i]) out.push([tree.names[tree.frame[i]], values.total[i]]); return out; })(v.scene())`;
/** The functions with weight of their own, the heaviest first. */
const SELVES = `(({ tree, values }) => { const sums = new Map(); values.self.forEach((self, i) => self > 0 && sums.set(tree.frame[i], (sums.get(tree.frame[i]) ?? 0) + self)); return [...sums].sort((a, b) => b[1] - a[1] || a[0] - b[0]).map(([frame, self]) => [tree.names[frame], self]); })(v.scene())`;

test('inverted by a button, the widths are the self weights of the table; the address keeps it, back undoes it', () => onPage({ hash: '#view=flame' }, async (page) => {
  await ready(page);
  const [sum, selves] = await ask(page, `[${SUM}, ${SELVES}]`);
  await page.locator('#view-flame').getByRole('button', { name: 'Invert' }).click();
  await until(page, 'v.scene().turned === 0');
  assert.match(await page.evaluate(() => location.hash), /invert=true/);
  assert.equal(await ask(page, SUM), sum);
  const first = await ask(page, FIRST);
  assert.deepEqual(first.slice(0, 20), selves.slice(0, 20));
  assert.equal(first.length, selves.length);
  // A copied stack is one, callers first, whichever way it is drawn.
  await page.locator('#view-flame .stage').focus();
  for (const key of ['ArrowDown', 'ArrowDown', 'ArrowDown', 'ArrowDown', 'C']) await page.keyboard.press(key);
  await page.getByText('Stack copied').waitFor();
  const copied = await page.evaluate(() => navigator.clipboard.readText());
  assert.ok(copied.includes(';') && copied.split(';').pop() === first[0][0], copied);
  await page.goBack();
  await until(page, 'v.scene().turned === undefined');
}, FILE));

test('divided and without recursion by keys: parts add up, numbers of another arrangement are let go', () => onPage({ hash: '#view=flame' }, async (page) => {
  await ready(page);
  const sum = await ask(page, SUM);
  for (const key of ['ArrowDown', 'ArrowDown', 'ArrowDown']) await page.keyboard.press(key);
  await until(page, 'v.state().select > 0');
  for (const by of ['module', 'kind', 'family', 'stream', 'phase']) {
    await page.keyboard.press('g');
    await until(page, `v.state().by === '${by}' && v.state().select === -1 && v.scene().tree.names[v.scene().tree.frame[1]] === (${FIRST})[0][0]`);
    const parts = await ask(page, FIRST);
    assert.ok(parts.length > 0);
    assert.equal(parts.reduce((/** @type {number} */ all, /** @type {[string, number]} */ [, total]) => all + total, 0), sum, by);
  }
  // When calls of a function happened is not known: there is nothing to divide them by.
  await page.evaluate(() => /** @type {any} */ (window).__viewer.update({ weight: 'calls' }));
  await until(page, `(${FIRST}).length === 1 && (${FIRST})[0][0] === 'not known by phase'`);
  await page.evaluate(() => /** @type {any} */ (window).__viewer.update({ weight: 'gpu', by: 'family' }));
  await until(page, "v.scene().weight === 'gpu'");
  await page.keyboard.press('I');
  await until(page, 'v.scene().turned === 1');
  assert.equal(await ask(page, SUM), sum);
  await page.keyboard.press('r');
  await until(page, 'v.state().recursion');
  assert.equal(await ask(page, SUM), sum);
  await page.keyboard.press('G');
  await until(page, "v.state().by === 'kind'");
}, FILE));

test('in the order of time, what is on the left of its siblings began before them', () => onPage({ hash: '#view=flame&order=heavy' }, async (page) => {
  await ready(page);
  await page.locator('#view-flame').getByLabel('Order of siblings').selectOption('By time');
  await until(page, 'v.scene().first !== undefined');
  const late = await ask(page, `(({ tree, layout, first }) => {
    const began = first.slice();
    for (let i = tree.n - 1; i > 0; i--) began[tree.parent[i]] = Math.min(began[tree.parent[i]], began[i]);
    let pairs = 0;
    for (let row = 1; row < layout.node.length; row++) {
      const [left, right] = [layout.node[row - 1], layout.node[row]];
      if (tree.parent[left] !== tree.parent[right]) continue;
      pairs++;
      if (began[left] > began[right]) return tree.names[tree.frame[left]];
    }
    return pairs > 20 ? '' : 'too few siblings to tell';
  })(v.scene())`);
  assert.equal(late, '');
  // The callers of a leaf have no such order: the choice is there, and off.
  await page.keyboard.press('I');
  await until(page, 'v.scene().turned === 0 && v.scene().first === undefined');
  assert.ok(await page.locator('#view-flame option[value=time]').isDisabled());
}, FILE));
