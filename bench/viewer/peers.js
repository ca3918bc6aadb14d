/**
 * The same stacks in other viewers: speedscope and a full SVG by inferno. `node bench/viewer/peers.js FOLDER`
 * after `bench/viewer/setup.sh`; FOLDER as for `measure.js`.
 *
 * They have no hook that says when they have drawn, so what is told is when the page shows a picture: the
 * first frame after speedscope has left its loading screen, the end of loading of the SVG.
 */

import { createServer } from 'node:http';
import { createReadStream, existsSync, statSync } from 'node:fs';
import { extname, join, normalize } from 'node:path';
import { fileURLToPath } from 'node:url';
import { openBrowser } from '../../viewer/e2e/browser.js';

const folder = process.argv[2] ?? '.';
const peers = fileURLToPath(new URL('../out/peers/', import.meta.url));
const speedscope = join(peers, 'node/node_modules/speedscope/dist/release');
/** After this long a viewer is taken to have failed. */
const PATIENCE_MS = 120_000;
const TYPES = { '.html': 'text/html', '.js': 'text/javascript', '.css': 'text/css', '.folded': 'text/plain', '.svg': 'image/svg+xml', '.wasm': 'application/wasm' };

const server = createServer((request, response) => {
  const path = normalize(decodeURIComponent(new URL(request.url ?? '/', 'http://x').pathname));
  const file = [join(folder, path), join(speedscope, path)].find((one) => existsSync(one) && statSync(one).isFile());
  if (!file) return void response.writeHead(404).end();
  response.writeHead(200, { 'content-type': /** @type {Record<string, string>} */ (TYPES)[extname(file)] ?? 'application/octet-stream' });
  createReadStream(file).pipe(response);
});
await new Promise((resolve) => server.listen(0, '127.0.0.1', () => resolve(undefined)));
const { port } = /** @type {import('node:net').AddressInfo} */ (server.address());
const base = `http://127.0.0.1:${port}`;
const browser = await openBrowser();
/** @param {string} url @param {string} shown */
async function time(url, shown) {
  const page = await browser.newPage({ viewport: { width: 1440, height: 900 } });
  const start = performance.now();
  try {
    await page.goto(url, { timeout: PATIENCE_MS, waitUntil: 'load' });
    await page.waitForFunction(shown, null, { timeout: PATIENCE_MS, polling: 50 });
    return `${(performance.now() - start).toFixed(0)} ms`;
  } catch (error) {
    return `failed after ${((performance.now() - start) / 1000).toFixed(0)} s: ${String(error).split('\n')[0]}`;
  } finally {
    await page.close();
  }
}

for (const name of ['flame-100k.folded', 'flame.folded']) {
  if (!existsSync(join(folder, name))) continue;
  const size = (statSync(join(folder, name)).size / 1e6).toFixed(0);
  const told = await time(`${base}/index.html#profileURL=${encodeURIComponent(`${base}/${name}`)}&title=x`,
    "document.querySelector('canvas') && !document.body.innerText.includes('Loading') && document.body.innerText.includes('Left Heavy')");
  console.log(`speedscope ${name} (${size} MB): ${told}`);
}
for (const name of ['flame-100k.svg', 'flame.svg']) {
  if (!existsSync(join(folder, name))) continue;
  console.log(`inferno ${name} (${(statSync(join(folder, name)).size / 1e6).toFixed(0)} MB): ${await time(`${base}/${name}`, "document.readyState === 'complete'")}`);
}
await browser.close();
server.close();
