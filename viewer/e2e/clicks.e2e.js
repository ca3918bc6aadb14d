/**
 * From the first screen of real reports to the longest idle stretch and its owner: how many clicks. Needs the
 * corpus. Leaves a picture of each click in the folder that `FLAMELANE_PICTURES` names.
 */

import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { before, test } from 'node:test';
import { ask, makeTraceReport, onPage, until } from './harness.js';

const corpus = process.env['FLAMELANE_CORPUS'] ?? '';
const CAPTURES = {
  'H100 OWLv2': 'kineto/tracelens__h100_google_owlv2-large-patch14-ensemble__1016001.json.gz',
  'SGLang prefill': 'kineto/tracelens__inference_sglang_prefilldecode_sglang_Qwen3-8B_prefilldecode.json.gz',
  'B200 eager': 'kineto/tracelens__b200_eager_trace.json.gz',
};

/** @param {import('playwright-core').Page} page @param {string} name */
async function picture(page, name) {
  const folder = process.env['FLAMELANE_PICTURES'] ?? '';
  if (folder !== '') await page.screenshot({ path: join(folder, `${name.replaceAll(' ', '-')}.png`) });
}

for (const [title, path] of Object.entries(CAPTURES)) {
  const file = join(corpus, path);
  const report = `${title}.html`;
  const skip = (corpus === '' || !existsSync(file)) && 'no corpus';
  before(() => void (!skip && makeTraceReport(report, file)));

  test(`${title}: the longest idle stretch and its owner in two clicks`, { skip }, () => onPage({}, async (page) => {
    await page.locator('#view-summary h1').waitFor();
    await picture(page, `${title} 0`);
    await page.getByRole('tab', { name: 'Lanes' }).click();
    await until(page, 'v.lanes.ready()');
    await picture(page, `${title} 1`);
    await page.locator('.gap-list button').first().click();
    const gap = await ask(page, '({ ...v.lanes.gap() })');
    const longest = await ask(page, `Math.max(...v.lanes.stage().lanes.idle.flatMap(({ pieces }) =>
      [...pieces.start].map((from, i) => pieces.end[i] - from)))`);
    await picture(page, `${title} 2`);
    assert.equal(gap.to - gap.from, longest);
    const details = page.locator('#view-lanes .details');
    assert.equal(await details.locator('.details-name').innerText(), gap.owner);
    assert.equal(await details.locator('.figures td').first().getAttribute('title'), `${longest.toLocaleString('en')} ns`);
    const told = await ask(page, `JSON.parse(document.getElementById('report').textContent).captures[0].idle
      .filter((row) => row.class === ${JSON.stringify(gap.class)}).map((row) => [...row.stack, row.frame])`);
    assert.ok(told.some((/** @type {string[]} */ names) => names.includes(gap.owner)), `the report knows ${gap.owner}`);
  }, report));
}
