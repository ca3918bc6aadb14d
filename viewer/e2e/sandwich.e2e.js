/** The sandwich in a real browser: one function between its callers and its callees. */

import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { ask, makeReport, makeTraceReport, onPage, ready, until } from './harness.js';

/** @typedef {import('playwright-core').Page} Page */

const FILE = 'sandwich.html';
const MM = '&pivot=op:aten::mm';

before(() => makeTraceReport(FILE, 'fixtures/kineto/llm-decode.json.gz'));

/** @param {(page: Page) => Promise<void>} run @param {string} [hash] @param {object} [options] */
const onSandwich = (run, hash = MM, options = {}) => onPage({ hash: `#view=sandwich${hash}`, ...options }, async (page) => {
  await until(page, 'v.sandwich.ready && v.sandwich.callees.list');
  await run(page);
}, FILE);

/** The name of the function in the middle. @param {Page} page */
const middle = (page) => page.locator('#view-sandwich .sandwich-name').innerText();

/** The nearest functions of a side with their weights. @param {Page} page @param {'callers' | 'callees'} side */
const nearest = (page, side) => ask(page, `(() => {
  const { tree, values } = v.sandwich.halves.${side};
  return [...tree.depth.keys()].filter((i) => tree.depth[i] === 1).map((i) => [tree.names[tree.frame[i]], values.total[i]]);
})()`);

/** Clicks the widest frame next to the bar. @param {Page} page @param {'callers' | 'callees'} side */
async function clickNearest(page, side) {
  const box = await page.locator('#view-sandwich .sandwich-bar').boundingBox();
  assert.ok(box);
  await page.mouse.click(box.x + 20, side === 'callers' ? box.y - 12 : box.y + box.height + 12);
}

test('x on a frame of the flame graph leads there, Escape back', () => onPage({ hash: '#view=flame' }, async (page) => {
  await ready(page);
  const [node, name] = await ask(page, "(() => { const { tree } = v.scene(); const i = tree.frame.findIndex((frame) => tree.names[frame] === 'aten::mm'); return [i, tree.names[tree.frame[i]]]; })()");
  await ask(page, `v.update({ select: ${node} })`);
  await page.keyboard.press('x');
  await until(page, "v.state().view === 'sandwich' && v.sandwich.halves");
  assert.equal(await middle(page), name);
  assert.match(page.url(), /pivot=op%3Aaten%3A%3Amm/);
  await page.keyboard.press('Escape');
  await until(page, "v.state().view === 'flame'");
  await page.locator('#view-flame .details-actions button', { hasText: 'Sandwich' }).click();
  await until(page, "v.state().view === 'sandwich'");
  await page.goBack();
  await until(page, `v.state().view === 'flame' && v.state().select === ${node}`);
}, FILE));

test('both sides are shares of the total that the table tells', () => onSandwich(async (page) => {
  for (const side of /** @type {const} */ (['callers', 'callees'])) {
    const sum = (await nearest(page, side)).reduce((/** @type {number} */ all, /** @type {[string, number]} */ [, total]) => all + total, 0);
    const [total, own] = await ask(page, `[v.sandwich.pivot.total, v.sandwich.halves.${side}.values.self[0]]`);
    assert.equal(sum + own, total, side);
  }
  const told = await page.locator('#view-sandwich .sandwich-told').innerText();
  await page.keyboard.press('4');
  await page.locator('#view-table .search input').fill('aten::mm');
  const row = page.locator('#view-table .grid-row', { has: page.locator('[title="aten::mm"]') });
  await row.waitFor();
  const cells = await row.locator('[role=gridcell]').allInnerTexts();
  assert.ok(told.includes(`total ${cells[2]} ${cells[3]}`) && told.includes(`calls ${cells[4]}`), `${told} is not ${cells}`);
}));

test('a row of the table leads there by its button, and by x alone', () => onPage({ hash: '#view=table' }, async (page) => {
  const row = page.locator('#view-table .grid-row').first();
  await row.hover();
  const name = await row.locator('.name-cell').getAttribute('title');
  await row.locator('button', { hasText: 'Sandwich' }).click();
  await until(page, "v.state().view === 'sandwich' && v.sandwich.halves");
  assert.equal(await page.locator('#view-sandwich .details-name').innerText(), name);
  await page.goBack();
  await until(page, "v.state().view === 'table'");
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('ArrowDown');
  const second = await page.locator('#view-table .grid-row.current .name-cell').getAttribute('title');
  await page.keyboard.press('x');
  await until(page, "v.state().view === 'sandwich'");
  await page.locator('#view-sandwich .details-name', { hasText: second ?? '' }).waitFor();
  await page.locator('#view-sandwich .details-actions button', { hasText: 'All its places' }).click();
  await until(page, "v.state().view === 'flame' && v.state().select > 0");
}, FILE));

test('a click puts another function in the middle, back undoes it, a reload keeps it', () => onSandwich(async (page) => {
  const [[caller]] = await nearest(page, 'callers');
  await clickNearest(page, 'callers');
  await until(page, "v.state().pivot !== 'op:aten::mm'");
  assert.equal(await middle(page), caller);
  await clickNearest(page, 'callees');
  await until(page, "v.state().pivot === 'op:aten::mm'");
  await page.goBack();
  assert.equal(await middle(page), caller);
  await page.reload();
  await until(page, 'v.sandwich.ready');
  assert.equal(await middle(page), caller);
  await page.locator('#view-sandwich .details-stack .stack-row', { hasText: 'aten::mm' }).click();
  assert.equal(await middle(page), 'aten::mm');
}));

test('by keyboard alone: up to the callers, down to the callees, Enter, weights', () => onSandwich(async (page) => {
  const [[caller]] = await nearest(page, 'callers');
  const [[callee]] = await nearest(page, 'callees');
  const stage = page.locator('#view-sandwich .stage');
  const spoken = async () => page.locator(`[id="${await stage.getAttribute('aria-activedescendant')}"]`).innerText();
  assert.match(await spoken(), /^aten::mm, op, .*% of all/);
  await page.keyboard.press('ArrowUp');
  assert.ok((await spoken()).startsWith(`caller ${caller}, `), await spoken());
  assert.match(await page.locator('#view-sandwich .tooltip').innerText(), /comes this way/);
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('ArrowDown');
  assert.ok((await spoken()).startsWith(`callee ${callee}, `), await spoken());
  await page.keyboard.press('ArrowRight');
  assert.notEqual(await ask(page, 'v.sandwich.cursor.node'), 1);
  await page.keyboard.press('ArrowLeft');
  await page.keyboard.press('Enter');
  await until(page, "v.state().pivot !== 'op:aten::mm'");
  assert.equal(await middle(page), callee);
  await page.keyboard.press('w');
  await until(page, "v.state().weight !== 'gpu' && v.sandwich.scene.weight === v.state().weight");
  assert.equal(await middle(page), callee);
  await page.keyboard.press('c');
  await page.locator('.toast', { hasText: 'Name copied' }).waitFor();
  await page.keyboard.press('Escape');
  await until(page, "v.state().view === 'flame'");
}));

test('zoom: both halves show the same stretch, and grow what was too narrow', () => onSandwich(async (page) => {
  for (let i = 0; i < 8; i++) await page.keyboard.press('+');
  await until(page, 'v.sandwich.reach.least < v.sandwich.pivot.total / v.sandwich.holder.clientWidth / 10');
  const [above, below] = await ask(page, '[v.sandwich.callers.view, v.sandwich.callees.view]');
  assert.deepEqual([above.from, above.to], [below.from, below.to]);
  await page.keyboard.press('0');
  await until(page, 'v.sandwich.callers.view.to - v.sandwich.callers.view.from === v.sandwich.pivot.total');
}));

test('without a function it asks for one; an unknown one is told', () => onSandwich(async (page) => {
  const first = page.locator('.sandwich-ask .stack-row').first();
  const name = await first.getAttribute('title');
  await first.click();
  await until(page, "v.state().pivot !== ''");
  assert.equal(await page.locator('#view-sandwich .details-name').innerText(), name);
  await ask(page, "v.update({ pivot: 'op:no such thing' })");
  await page.locator('.sandwich-ask', { hasText: 'There is no op “no such thing” in this capture' }).waitFor();
}, ''));

for (const width of [800, 1440, 3840]) {
  for (const dark of [false, true]) {
    test(`nothing runs over at ${width} px, ${dark ? 'dark' : 'light'}`, () => onSandwich(async (page) => {
      assert.ok(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth) <= 0);
      await page.keyboard.press('2');
      await until(page, "v.state().view === 'flame' && v.ready()");
      await page.keyboard.press('5');
      await until(page, 'v.sandwich.holder.clientHeight > 0');
      const bar = await page.locator('#view-sandwich .sandwich-bar').boundingBox();
      const edge = await ask(page, '(() => { const { view, scene, element } = v.sandwich.callers; return element.getBoundingClientRect().top + (scene.layout.n_levels - 1) * view.row_height - view.scroll; })()');
      assert.ok(bar && Math.abs(bar.y - edge) <= 3, `the callers end at ${edge}, the bar begins at ${bar?.y}`);
    }, MM, { width, dark }));
  }
}

test('a million nodes: opens at once, whichever function', async (context) => {
  makeReport('big-sandwich.html', '1000000');
  await onPage({ hash: '#view=flame' }, async (page) => {
    await ready(page);
    const told = await ask(page, `(async () => {
      const { tree, values } = v.scene();
      const n = new Uint32Array(tree.names.length);
      for (let i = 1; i < tree.n; i++) if (values.total[i] > 0) n[tree.frame[i]]++;
      const frames = [...n.keys()].sort((a, b) => n[b] - n[a]).slice(0, 20);
      const kinds = ${JSON.stringify((await import('#viewer/lib/color.js')).KINDS)};
      let worst = { ms: 0 };
      for (const frame of frames) {
        const pivot = kinds[tree.kinds[frame]] + ':' + tree.names[frame];
        const started = performance.now();
        v.update({ view: 'sandwich', pivot });
        while (v.sandwich.pivot?.frame !== frame) await new Promise((done) => setTimeout(done));
        const ms = performance.now() - started;
        if (ms > worst.ms) worst = { ms: Math.round(ms), instances: n[frame], callers: v.sandwich.halves.callers.tree.n, callees: v.sandwich.halves.callees.tree.n };
      }
      return worst;
    })()`);
    await ask(page, "v.update({ pivot: 'runtime:cudaLaunchKernel' })");
    assert.equal(await middle(page), 'cudaLaunchKernel');
    const at = await ask(page, `(() => {
      const { tree, layout, n_folded } = v.sandwich.halves.callees;
      const node = tree.depth.findIndex((depth, i) => depth === 1 && n_folded[i] > 0);
      const box = v.sandwich.callees.over.getBoundingClientRect();
      const row = layout.place[node];
      return { x: box.left + (layout.left[row] + layout.width[row] / 2) * box.width / layout.sum, y: box.top + 10, n: n_folded[node] };
    })()`);
    await page.mouse.move(at.x, at.y);
    assert.match(await page.locator('#view-sandwich .tooltip').innerText(), new RegExp(`^${at.n}.*callees too narrow to draw`, 's'));
    await page.mouse.click(at.x, at.y);
    await until(page, 'v.sandwich.reach.to - v.sandwich.reach.from < v.sandwich.pivot.total * 1.9');
    await page.locator('#view-sandwich button', { hasText: 'All of it' }).click();
    await until(page, 'v.sandwich.whole.hidden && v.sandwich.callees.view.to === v.sandwich.pivot.total');
    context.diagnostic(`slowest of the 20 functions with the most places: ${JSON.stringify(told)}`);
    assert.ok(told.ms < 2000, `${told.ms} ms`);
  }, 'big-sandwich.html');
});
