/**
 * Pictures of every view, in both themes and at three widths, of the bundled example: one sheet a view, for the
 * documentation and to be looked at. `node e2e/pictures.js [FOLDER]`; by default `docs/pictures`.
 */

import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { openBrowser, openPage } from './browser.js';

/** @typedef {import('playwright-core').Page} Page */

const root = fileURLToPath(new URL('../../', import.meta.url));
const folder = process.argv[2] ?? join(root, 'docs/pictures');
const work = mkdtempSync(join(tmpdir(), 'flamelane-pictures-'));
const TRACE = 'fixtures/kineto/llm-decode.json.gz';

/** Each view, with what a person would have open. @type {Readonly<Record<string, string>>} */
const VIEWS = {
  summary: '#view=summary',
  flame: '#view=flame&weight=idle',
  divided: '#view=flame&by=phase&order=time',
  inverted: '#view=flame&invert=true',
  lanes: '#view=lanes',
  steps: '#view=steps',
  functions: '#view=table',
  modules: '#view=table&group=module',
  sandwich: '#view=sandwich&pivot=op:aten::mm',
  idle: '#view=idle',
  paths: '#view=paths',
  notes: '#view=notes',
};
const WIDTHS = [800, 1440, 2560];
const HEIGHTS = { 800: 900, 1440: 900, 2560: 1440 };
/** Width of a tile on a sheet, by that of the page. */
const TILES = { 800: 300, 1440: 480, 2560: 480 };

/** @param {import('playwright-core').Browser} browser @param {string} file @param {string} name */
async function sheet(browser, file, name) {
  const tiles = [];
  for (const dark of [false, true]) {
    for (const width of /** @type {(800 | 1440 | 2560)[]} */ (WIDTHS)) {
      const { page, context } = await openPage(browser, file, { width, height: HEIGHTS[width], dark, hash: VIEWS[name] ?? '' });
      await settled(page);
      const picture = await page.screenshot({ type: 'png' });
      tiles.push({ width: TILES[width], source: `data:image/png;base64,${picture.toString('base64')}`, title: `${width} px, ${dark ? 'dark' : 'light'}` });
      await context.close();
    }
  }
  const { page, context } = await blank(browser);
  await page.setContent(`<body style="margin:16px;width:1300px;background:#d7d9dd;display:flex;flex-wrap:wrap;gap:16px;align-items:start">${
    tiles.map(({ width, source, title }) => `<img alt="${title}" width="${width}" src="${source}">`).join('')}</body>`);
  await page.locator('body').screenshot({ path: join(folder, `viewer-${name}.jpg`), type: 'jpeg', quality: 82 });
  await context.close();
}

/** @param {import('playwright-core').Browser} browser */
async function blank(browser) {
  const context = await browser.newContext({ viewport: { width: 1332, height: 800 } });
  return { context, page: await context.newPage() };
}

/** Waits until the page has drawn what it unpacks. @param {Page} page */
async function settled(page) {
  await page.evaluate(async () => {
    // Nothing tells that a view has no more to come: what does not change for a while is done.
    let [last, calm] = ['', 0];
    while (calm < 20) {
      await new Promise((done) => setTimeout(done, 25));
      const now = document.body.innerText + document.querySelectorAll('*').length;
      calm = now === last ? calm + 1 : 0;
      last = now;
    }
  });
}

const browser = await openBrowser();
const file = join(work, 'report.html');
execFileSync('cargo', ['run', '--quiet', '--release', '-p', 'flamelane', '--', 'report', TRACE, '-o', file], { cwd: root, stdio: ['ignore', 'ignore', 'inherit'] });
const asked = process.argv.slice(3);
for (const name of Object.keys(VIEWS)) if (asked.length === 0 || asked.includes(name)) await sheet(browser, file, name);
await browser.close();
rmSync(work, { recursive: true, force: true });
