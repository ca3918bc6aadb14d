/**
 * Measures the viewer on made-up pages of the largest size: `node bench/viewer/measure.js FOLDER`, where
 * `large_pages FOLDER` (an example of the crate `flamelane-write`) has written them.
 *
 * What counts is the time that the page's own code takes to draw, not the interval between frames, which
 * on a shared machine is noise.
 */

import { statSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { openBrowser, openPage } from '../../viewer/e2e/browser.js';

const folder = resolve(process.argv[2] ?? '.');
const N_DRAWS = 80;
/** Times that a page is opened: the first time the browser itself warms up. */
const N_OPENED = 4;

/** @param {number[]} values @param {number} share */
const quantile = (values, share) => values.toSorted((a, b) => a - b)[Math.floor(share * (values.length - 1))] ?? 0;
/** @param {number[]} values */
const tell = (values) => `${quantile(values, 0.5).toFixed(1)} (${quantile(values, 0.95).toFixed(1)})`;

/** @param {string} file */
const megabytes = (file) => statSync(file).size / 1e6;

const browser = await openBrowser();
const rows = [await flame(), await lanes()].flat();
await browser.close();
console.log(`| page | measure | value | aim |\n| --- | --- | ---: | ---: |\n${rows.map((row) => `| ${row.join(' | ')} |`).join('\n')}`);

/**
 * Opens a page several times; the last one, and the median of the times until it was drawn, without the first.
 * @param {string} file @param {string} hash @param {string} shown true in the page once it is drawn
 */
async function open(file, hash, shown) {
  const times = [];
  for (let i = 1; ; i++) {
    const { page, ms } = await openOnce(file, hash, shown);
    if (i > 1) times.push(ms);
    if (i === N_OPENED) return { page, ms: quantile(times, 0.5) };
    await page.context().close();
  }
}

/** @param {string} file @param {string} hash @param {string} shown */
async function openOnce(file, hash, shown) {
  const { page } = await openPage(browser, file, { hash });
  const ms = await page.evaluate(async (text) => {
    const is_shown = new Function('v', `return ${text}`);
    for (;;) {
      const viewer = /** @type {any} */ (window).__viewer;
      if (viewer && is_shown(viewer)) return performance.now();
      await new Promise(requestAnimationFrame);
    }
  }, shown);
  return { page, ms };
}

async function flame() {
  const file = join(folder, 'flame.html');
  const { page, ms } = await open(file, '#view=flame', 'v.ready()');
  const found = await page.evaluate(async (n) => {
    const v = /** @type {any} */ (window).__viewer;
    const [{ find }, { matcher }] = await Promise.all([
      import('#viewer/logic/scene.js'), import('#viewer/logic/search.js')]);
    const time = (/** @type {() => void} */ run) => {
      const start = performance.now();
      run();
      return performance.now() - start;
    };
    const draw = () => {
      const { list_ms, paint_ms } = v.draw();
      return list_ms + paint_ms;
    };
    const view = v.stage().view;
    const sum = v.scene().layout.sum;
    const show = (/** @type {number} */ from, /** @type {number} */ to) => Object.assign(view, { from, to });
    const out = Array.from({ length: n }, draw);
    const sweep = Array.from({ length: n }, (_, i) => {
      const width = sum / 1.12 ** i;
      show(sum * 0.31, sum * 0.31 + width);
      return draw();
    });
    const pan = Array.from({ length: n }, (_, i) => {
      show((sum * i) / n / 1.1, (sum * i) / n / 1.1 + sum / 30);
      return draw();
    });
    show(0, sum);
    const search = ['flash', '/layer_1.*7$/', 'a'].map((text) => time(() => find(v.scene(), matcher(text))));
    await v.update({ weight: 'wall' });
    const switched = performance.now();
    while (v.scene().weight !== 'wall') await new Promise(requestAnimationFrame);
    const changed = performance.now() - switched;
    const arranged = [];
    for (const patch of [{ recursion: true }, { by: 'kind' }, { invert: true }, { order: 'heavy' }]) {
      const [from, before] = [performance.now(), v.scene()];
      await v.update({ recursion: false, by: '', invert: false, ...patch });
      while (v.scene() === before) await new Promise(requestAnimationFrame);
      arranged.push(performance.now() - from);
    }
    return { n: v.scene().tree.n, out, sweep, pan, search, switched: changed, arranged };
  }, N_DRAWS);
  await page.context().close();
  const name = `flame graph, ${found.n.toLocaleString('en')} nodes`;
  return [
    [name, 'size, MB', megabytes(file).toFixed(1), '12'],
    [name, 'opens from `file://`, first frame, ms', ms.toFixed(0), '1,000'],
    [name, 'draw, everything on show, ms p50 (p95)', tell(found.out), '8'],
    [name, 'draw, zooming, ms p50 (p95)', tell(found.sweep), '8'],
    [name, 'draw, panning, ms p50 (p95)', tell(found.pan), '8'],
    [name, 'search: word, pattern, one letter, ms', found.search.map((one) => one.toFixed(0)).join(', '), '100'],
    [name, 'another weight, ms', found.switched.toFixed(0), ''],
    [name, 'without recursion, divided by kind, inverted, heaviest first, ms', found.arranged.map((one) => one.toFixed(0)).join(', '), ''],
  ];
}

async function lanes() {
  const file = join(folder, 'lanes.html');
  const { page, ms } = await open(file, '#view=lanes', 'v.lanes.stage().lanes && v.lanes.stage().shelf.bands.length > 2');
  const found = await page.evaluate(async (n) => {
    const v = /** @type {any} */ (window).__viewer;
    while (!v.lanes.ready()) await new Promise(requestAnimationFrame);
    const decoded = performance.now();
    const draw = () => {
      const { list_ms, paint_ms } = v.lanes.draw();
      return list_ms + paint_ms;
    };
    const { view, lanes } = v.lanes.stage();
    const spans = lanes.rows.flat().reduce((/** @type {number} */ sum, /** @type {any} */ row) => sum + row.start.length, 0);
    const { to_ns } = lanes.chart.index;
    const show = (/** @type {number} */ from, /** @type {number} */ to) => Object.assign(view, { from, to });
    show(0, to_ns);
    const first = draw();
    const out = Array.from({ length: n }, draw);
    const sweep = Array.from({ length: n }, (_, i) => {
      show(to_ns * 0.31, to_ns * 0.31 + to_ns / 1.18 ** i);
      return draw();
    });
    const pan = Array.from({ length: n }, (_, i) => {
      show((to_ns * i) / n / 1.1, (to_ns * i) / n / 1.1 + to_ns / 300);
      return draw();
    });
    return { spans, decoded, first, out, sweep, pan };
  }, N_DRAWS);
  await page.context().close();
  const name = `lanes, ${found.spans.toLocaleString('en')} spans`;
  return [
    [name, 'size, bytes a span', ((megabytes(file) * 1e6) / found.spans).toFixed(1), '9'],
    [name, 'first rows on show, ms', ms.toFixed(0), '2,500'],
    [name, 'all rows on show, ms', found.decoded.toFixed(0), ''],
    [name, 'first draw of everything, ms', found.first.toFixed(0), ''],
    [name, 'draw, everything on show, ms p50 (p95)', tell(found.out), '8'],
    [name, 'draw, zooming, ms p50 (p95)', tell(found.sweep), '8'],
    [name, 'draw, panning, ms p50 (p95)', tell(found.pan), '8'],
  ];
}
