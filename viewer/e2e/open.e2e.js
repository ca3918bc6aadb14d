/** The page that `flamelane open` serves, in a real browser, on the bundled trace. */

import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { after, before, test } from 'node:test';
import { createInterface } from 'node:readline';
import { ask, onPage, ready, root, until } from './harness.js';

/** @type {import('node:child_process').ChildProcess} */
let server;
let url = '';

before(async () => {
  server = spawn('cargo', ['run', '--quiet', '-p', 'flamelane', '--', 'open', '--no-browser', 'fixtures/kineto/llm-decode.json.gz'],
    { cwd: root, stdio: ['ignore', 'pipe', 'ignore'] });
  const lines = createInterface({ input: /** @type {import('node:stream').Readable} */ (server.stdout) });
  for await (const line of lines) {
    url = line;
    break;
  }
});

after(() => server.kill());

test('the served page asks for blocks when a view first needs them, and shows what the file shows', () => onPage({}, async (page) => {
  /** @type {string[]} */
  const asked = [];
  page.on('request', (request) => asked.push(request.url().replace(url, '')));
  await page.locator('.summary h1').first().waitFor();
  assert.ok(!asked.some((path) => path.includes('-l')), 'no lane before it is looked at');
  await page.keyboard.press('2');
  await ready(page);
  assert.ok(await ask(page, 'v.scene().values.total[0] > 0'));
  await page.keyboard.press('3');
  await until(page, 'v.lanes.ready()');
  const { lanes } = await ask(page, '({ lanes: v.chart().index.lanes.map((lane) => lane.block) })');
  for (const block of lanes) assert.ok(asked.includes(`block/${block}`), block);
  assert.ok(asked.every((path) => !path.startsWith('http')), asked.join(' '));
}, url));

test('when the server is gone the page says so', async () => {
  const { page, context } = await onOwnPage();
  server.kill();
  await new Promise((resolve) => server.once('exit', resolve));
  await page.keyboard.press('2');
  await page.getByRole('alert').getByText('does not answer').waitFor();
  await context.close();
});

/** A page whose complaints are expected. */
async function onOwnPage() {
  const { openPage, openBrowser } = await import('./browser.js');
  const browser = await openBrowser();
  const opened = await openPage(browser, url);
  return { page: opened.page, context: { close: () => browser.close() } };
}
