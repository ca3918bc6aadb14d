/** The report page in a real browser, opened from `file://` without a network. */

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ask, makeReport, onPage, ready, until } from './harness.js';

/** @typedef {import('playwright-core').Page} Page */

test('the summary comes first: health, verdict, partition, steps', () => onPage({}, async (page) => {
  assert.match(await page.locator('#view-summary h1').innerText(), /Host-bound/);
  assert.equal(await page.locator('.health-row.warn').count(), 1);
  assert.equal(await page.locator('.bar-legend .part').count(), 4);
  const shares = await page.locator('.part-share').allInnerTexts();
  const sum = shares.reduce((total, text) => total + Number.parseFloat(text), 0);
  assert.ok(Math.abs(sum - 100) < 0.3, `the parts are ${sum} %`);
  await page.locator('#view-summary .steps').focus();
  await page.keyboard.press('ArrowRight');
  assert.match(await page.locator('#view-summary .steps-told').innerText(), /wall .* busy .* idle/);
}));

test('an idle owner leads to its stack under the idle weight, and back', () => onPage({}, async (page) => {
  await page.locator('.toplist.idle .toplist-row').first().click();
  await ready(page);
  await until(page, "v.state().view === 'flame' && v.state().weight === 'idle' && v.state().focus > 0");
  assert.match(await page.locator('.details-name').innerText(), /decode_stream/);
  await page.goBack();
  await until(page, "v.state().view === 'summary'");
  assert.equal(await page.locator('#view-summary h1').isVisible(), true);
}));

test('a finding is open, its figures one click away, and leads to its stack', () => onPage({}, async (page) => {
  const first = page.locator('.finding').first();
  assert.equal(await first.evaluate((details) => /** @type {HTMLDetailsElement} */ (details).open), true);
  assert.equal(await page.locator('.finding[open]').count(), 1, 'small ones are one line');
  await first.locator('.finding-figures > summary').click();
  assert.match(await first.locator('.figures').innerText(), /mean gap/);
  assert.match(await first.locator('.finding-parts li').getAttribute('title') ?? '', /[1-9][\d,]* ns\/step$/);
  await first.locator('[data-finding=host-island]').click();
  await ready(page);
  await until(page, "v.state().view === 'flame' && v.state().weight === 'idle' && v.state().focus > 0 && v.state().search !== ''");
  assert.match(await page.locator('.details-name').innerText(), /decode_stream/);
  assert.match(page.url(), /weight=idle.*focus=\d+.*search=/);
  await page.goBack();
  await until(page, "v.state().view === 'summary'");
}));

test('findings by keyboard; one of busy time shows under the GPU weight', () => onPage({ hash: '#weight=idle' }, async (page) => {
  const copies = page.locator('.finding', { hasText: 'copy-on-critical-path' });
  await copies.locator('summary').first().focus();
  await page.keyboard.press('Enter');
  assert.match(await copies.locator('.finding-key').innerText(), /owns .*at most .*to win.*replayed without/s);
  const middle = async (/** @type {string} */ mark) => {
    const box = await copies.locator(`.finding-bar ${mark}`).boundingBox();
    return box ? box.x + box.width / 2 : NaN;
  };
  const [simulated, bound] = [await middle('.finding-simulated'), await middle('.finding-bound')];
  assert.ok(simulated < bound, `the replay is at ${simulated} px, the bound at ${bound}`);
  await page.keyboard.press('Tab');
  assert.equal(await page.evaluate(() => document.activeElement?.textContent), 'Show in the flame graph');
  await page.keyboard.press('Enter');
  await ready(page);
  await until(page, "v.state().view === 'flame' && v.state().weight === 'gpu' && v.scene().weight === 'gpu' && v.state().focus > 0");
}));

test('names of findings are text, never markup', () => onPage({}, async (page) => {
  await page.locator('.card-head button', { hasText: 'Open all' }).click();
  assert.equal(await page.locator('.finding[open]').count(), 3);
  assert.equal(await page.locator('.finding img, .finding script').count(), 0);
  assert.match(await page.locator('.findings').innerText(), /<img src=x onerror=alert\(1\)> & <b>others<\/b>/);
  await page.locator('.card-head button', { hasText: 'Close all' }).click();
  assert.equal(await page.locator('.finding[open]').count(), 0);
}));

test('what an average of the steps hides is said below them', () => onPage({}, async (page) => {
  assert.match(await page.locator('#view-summary .steps-patterns').innerText(), /period\s+Every 16th step/);
}));

test('weights switch by key and button, frames keep their places', () => onPage({ hash: '#view=flame' }, async (page) => {
  await ready(page);
  const order = () => ask(page, 'Array.from(v.scene().layout.node).filter((n) => v.scene().tree.depth[n] === 6)');
  const gpu = await order();
  await page.keyboard.press('w');
  await until(page, "v.scene().weight === 'gpu-busy'");
  await page.locator('[data-weight=idle]').click();
  await until(page, "v.scene().weight === 'idle'");
  const idle = await order();
  const both = gpu.filter((/** @type {number} */ node) => idle.includes(node));
  assert.ok(both.length > 0);
  assert.deepEqual(idle.filter((/** @type {number} */ node) => gpu.includes(node)), both);
}));

test('a search tells its exact share, walks its matches, and clears', () => onPage({ hash: '#view=flame' }, async (page) => {
  await ready(page);
  await page.keyboard.press('/');
  await page.keyboard.type('flash');
  await until(page, "v.state().search === 'flash' && !!v.found()");
  const [found, slow] = await ask(page, `[v.found().total, (() => {
    const { tree, values } = v.scene();
    let sum = 0;
    for (let i = 0; i < tree.n; i++) {
      for (let n = i; n >= 0; n = tree.parent[n]) {
        if (tree.names[tree.frame[n]].includes('flash')) { sum += values.self[i]; break; }
      }
    }
    return sum;
  })()]`);
  assert.equal(found, slow);
  const text = await page.locator('.flame .search-result').innerText();
  assert.match(text.replaceAll('\u202f', ' '), /^10\.9 % of GPU time · 96 frames · 3 functions/);
  await page.keyboard.press('Enter');
  await until(page, 'v.state().select > 0');
  const first = await ask(page, 'v.state().select');
  await page.locator('#view-flame .stage').focus();
  await page.keyboard.press('n');
  await until(page, `v.state().select !== ${first}`);
  await page.keyboard.press('N');
  await until(page, `v.state().select === ${first}`);
  await page.keyboard.press('/');
  await page.keyboard.press('Escape');
  await until(page, "v.state().search === '' && !v.found()");
}));

test('keys walk, focus and come back; the address holds it all', () => onPage({ hash: '#view=flame' }, async (page) => {
  await ready(page);
  for (let i = 0; i < 15; i++) await page.keyboard.press('ArrowDown');
  await page.keyboard.press('ArrowRight');
  const select = await ask(page, 'v.state().select');
  await page.keyboard.press('Enter');
  await until(page, `v.state().focus === ${select}`);
  await until(page, `Math.abs(v.view().to - v.view().from - v.scene().values.total[${select}]) < 1e-6`);
  const url = page.url();
  assert.match(url, new RegExp(`focus=${select}`));
  await page.keyboard.press('Escape');
  await until(page, 'v.state().focus === 0');
  await page.goBack();
  await until(page, `v.state().focus === ${select}`);
  const again = await page.context().newPage();
  await again.goto(url);
  await ready(again);
  assert.equal(await ask(again, 'v.state().focus'), select);
  assert.match(await again.locator('.crumb.current').innerText(), /LlamaDecoderLayer/);
}));

test('the pointer selects, double-clicks focus, the tooltip tells', () => onPage({ hash: '#view=flame' }, async (page) => {
  await ready(page);
  const stage = page.locator('#view-flame .stage-over');
  await stage.hover({ position: { x: 300, y: 30 } });
  assert.match(await page.locator('#view-flame .tooltip').innerText(), /thread 4242/);
  await stage.click({ position: { x: 300, y: 50 } });
  assert.match(await page.locator('.details-name').innerText(), /run_engine_core/);
  const node = await ask(page, 'v.nodeAt(300, 290).node');
  await stage.dblclick({ position: { x: 300, y: 290 } });
  await until(page, `v.state().focus === ${node}`);
}));

test('copying gives the folded stack', () => onPage({ hash: '#view=flame&select=3' }, async (page) => {
  await ready(page);
  await page.keyboard.press('C');
  await page.locator('.toast').waitFor();
  const text = await page.evaluate(() => navigator.clipboard.readText());
  assert.match(text, /^thread 4242 \(EngineCore\);vllm\/v1\/engine\/core\.py\(1021\): run_engine_core;/);
}));

test('the flame graph can be heard', () => onPage({ hash: '#view=flame' }, async (page) => {
  await ready(page);
  const stage = page.locator('#view-flame .stage');
  await stage.focus();
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('ArrowDown');
  await until(page, 'v.state().select === 1');
  const id = await stage.getAttribute('aria-activedescendant');
  const item = page.locator(`[id="${id}"]`);
  assert.match(await item.innerText(), /thread 4242.*100\.0.% total/);
  assert.equal(await item.getAttribute('aria-level'), '2');
  assert.equal(await page.locator('[role=tab][aria-selected=true]').innerText(), 'Flame graph');
}));

test('tables: numbers, sorting, a row leads to the graph', () => onPage({ hash: '#view=table' }, async (page) => {
  const first = page.locator('.view.table:not([hidden]) .grid-row').first();
  await first.waitFor();
  assert.match(await first.innerText(), /cutlass/);
  await page.locator('.view.table:not([hidden]) [role=columnheader] button', { hasText: 'Calls' }).click();
  await page.locator('.view.table:not([hidden]) [aria-sort=descending]', { hasText: 'Calls' }).waitFor();
  await page.keyboard.press('6');
  await page.locator('#view-idle .grid-row').first().waitFor();
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  await until(page, "v.state().view === 'flame' && v.state().weight === 'idle'");
}));

test('hints can be put away, themes and keys work', () => onPage({ hash: '#view=flame' }, async (page) => {
  await ready(page);
  await page.locator('.details .howto button').click();
  await page.reload();
  await ready(page);
  assert.equal(await page.locator('.details .howto li').count(), 0);
  await page.keyboard.press('t');
  await page.keyboard.press('t');
  assert.equal(await page.evaluate(() => getComputedStyle(document.documentElement).getPropertyValue('--scheme')), 'dark');
  await page.keyboard.press('?');
  assert.equal(await page.locator('dialog.help').isVisible(), true);
  await page.keyboard.press('Escape');
  assert.equal(await page.locator('dialog.help').isVisible(), false);
}));

for (const width of [800, 1440, 3840]) {
  for (const dark of [false, true]) {
    test(`nothing runs over at ${width} px, ${dark ? 'dark' : 'light'}`, async () => {
      for (const view of ['summary', 'flame', 'table', 'sandwich', 'idle', 'paths', 'steps', 'notes']) {
        await onPage({ width, dark, hash: `#view=${view}` }, async (page) => {
          const over = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
          assert.ok(over <= 0, `${view} is ${over} px too wide`);
        });
      }
    });
  }
}

test('two ranks: the capture is chosen above', async () => {
  makeReport('ranks.html', '0', 'ranks');
  await onPage({}, async (page) => {
    await page.locator('.capture select').selectOption({ index: 1 });
    await until(page, 'v.state().capture === 1');
    assert.match(page.url(), /capture=1/);
    const withheld = page.locator('section[aria-label="What to change"]');
    assert.match(await withheld.innerText(), /withheld: profiler-overhead failed, any would be unsound/);
    assert.match(await withheld.innerText(), /recorded Python stacks/, 'and why');
  }, 'ranks.html');
});

test('a million nodes', async (context) => {
  makeReport('big.html', '1000000');
  await onPage({ hash: '#view=flame' }, async (page) => {
    await ready(page);
    const first = await page.evaluate(() => Math.round(performance.now()));
    const median = await ask(page, `(() => {
      const times = Array.from({ length: 41 }, () => { const { list_ms, paint_ms } = v.draw(); return list_ms + paint_ms; });
      return times.sort((a, b) => a - b)[20];
    })()`);
    const n = await ask(page, 'v.scene().tree.n');
    assert.ok(n >= 1_000_000);
    context.diagnostic(`${n} nodes: first frame after ${first} ms, drawing takes ${median.toFixed(1)} ms (median)`);
  }, 'big.html');
});
