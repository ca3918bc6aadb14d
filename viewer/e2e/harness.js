/** What the browser tests share: reports made with cargo, pages opened from `file://`, patience. */

import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before } from 'node:test';
import { fileURLToPath } from 'node:url';
import { openBrowser, openPage } from './browser.js';

/** @typedef {import('playwright-core').Page} Page */

const folder = mkdtempSync(join(tmpdir(), 'flamelane-e2e-'));
export const root = fileURLToPath(new URL('../../', import.meta.url));
/** @type {import('playwright-core').Browser} */
let browser;

/** @param {...string} args */
const cargo = (...args) => void execFileSync('cargo', ['run', '--quiet', ...args], { cwd: root, stdio: ['ignore', 'ignore', 'inherit'] });

/**
 * The invented capture of the writers' example.
 * @param {string} name
 * @param {...string} args
 */
export function makeReport(name, ...args) {
  cargo('-p', 'flamelane-write', '--example', 'html_demo', '--', join(folder, name), ...args);
}

/**
 * The report of a trace, lanes and all.
 * @param {string} name
 * @param {string} trace below the repository's root
 */
export function makeTraceReport(name, trace) {
  cargo('-p', 'flamelane', '--', 'report', trace, '-o', join(folder, name));
}

before(async () => {
  makeReport('demo.html');
  browser = await openBrowser();
});

after(async () => {
  await browser?.close();
  rmSync(folder, { recursive: true, force: true });
});

/**
 * Opens a report, runs a test on it, and holds the page to no complaints and no requests.
 * @param {Parameters<typeof openPage>[2]} options
 * @param {(page: Page) => Promise<void>} run
 * @param {string} [name]
 */
export async function onPage(options, run, name = 'demo.html') {
  const { page, complaints, context } = await openPage(browser, name.startsWith('http:') ? name : join(folder, name), options);
  await run(page);
  assert.deepEqual(complaints, []);
  await context.close();
}

/** @param {Page} page */
export const ready = (page) => page.waitForFunction(() => /** @type {any} */ (window).__viewer.ready(), null, { timeout: 60_000 });
/**
 * Waits frame by frame. Asked from outside: the page's own policy forbids it to evaluate text.
 * @param {Page} page @param {string} expression of `v`, the viewer
 */
export async function until(page, expression) {
  const deadline = Date.now() + 30_000;
  while (!(await ask(page, `Boolean(${expression})`))) {
    if (Date.now() > deadline) throw new Error(`never came true: ${expression}`);
    await page.evaluate(() => new Promise(requestAnimationFrame));
  }
}

/** @param {Page} page @param {string} expression of `v`, the viewer */
export const ask = (page, expression) => page.evaluate((text) => new Function('v', `return ${text}`)(/** @type {any} */ (window).__viewer), expression);

/**
 * Saves an item of the menu of the view on show; answers the path of the file and its name.
 * @param {Page} page
 * @param {string} item
 */
export async function save(page, item) {
  const waiting = page.waitForEvent('download');
  await page.keyboard.press('e');
  await page.getByRole('menuitem', { name: item }).filter({ visible: true }).press('Enter');
  const saved = await waiting;
  const path = join(folder, saved.suggestedFilename());
  await saved.saveAs(path);
  return { path, name: saved.suggestedFilename(), text: () => readFileSync(path, 'utf8') };
}
