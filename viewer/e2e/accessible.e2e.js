/** No view has a fault that axe-core can find, on light and on dark. */

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { before, test } from 'node:test';
import { makeTraceReport, onPage, until } from './harness.js';

const FILE = 'accessible.html';
const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** Each view with something selected, so that its details are there. @type {readonly string[]} */
const VIEWS = [
  'view=summary', 'view=flame&select=5', 'view=flame&weight=idle&search=decode', 'view=lanes&span=3', 'view=table', 'view=table&group=kind', 'view=table&group=module', 'view=table&search=no-such-name',
  'view=sandwich&select=5', 'view=idle', 'view=paths', 'view=steps', 'view=steps&figure=idle&sort=-wall', 'view=notes', 'view=flame&since=1000000&until=9000000', 'view=summary&since=1000000&until=9000000',
];

before(() => makeTraceReport(FILE, 'fixtures/kineto/llm-decode.json.gz'));

for (const dark of [false, true]) {
  test(`axe finds no fault, ${dark ? 'dark' : 'light'}`, () => onPage({ dark, hash: `#${VIEWS[0]}` }, async (page) => {
    // As if typed into the console: the page's own policy lets no other script in.
    await page.evaluate(axe);
    /** @type {Record<string, string[]>} */
    const all = {};
    for (const view of VIEWS) {
      await page.evaluate((hash) => void (location.hash = hash), view);
      const name = /view=(\w+)/.exec(view)?.[1];
      await until(page, `!document.getElementById('view-${name}').hidden`);
      if (view.startsWith('view=summary&since')) await page.locator('.of-stretch .toplist').first().waitFor();
      if (name === 'flame') await until(page, 'v.ready()');
      if (name === 'lanes') await until(page, 'v.lanes.ready()');
      await page.evaluate(() => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))));
      const faults = await page.evaluate(async () => {
        const { violations } = await /** @type {any} */ (window).axe.run(document);
        return violations.map((/** @type {any} */ { id, help, nodes }) => `${id}: ${help}: ${nodes.slice(0, 3).map((/** @type {any} */ node) => `${node.html.slice(0, 160)} ${node.failureSummary?.slice(0, 260)}`).join(' | ')}`);
      });
      if (faults.length > 0) all[view] = faults;
    }
    assert.deepEqual(all, {});
  }, FILE));
}
