/**
 * What to change: the findings, largest first. The first of those that may be the first thing said
 * are open, the rest is one line each until asked.
 *
 * @import { App } from '#viewer/views/app.js'
 * @import { Capture, Finding } from '#viewer/data/report.js'
 *
 * @typedef {{ n: number, whole: number, per: string }} Step kept steps, the time of one in ns, and
 *   what to write behind a time of one; all of the window where there are none
 */

import { h } from '#viewer/lib/dom.js';
import { formatShare, formatTime } from '#viewer/lib/units.js';
import { openAtFirst, wholeOf } from '#viewer/logic/findings.js';
import { currentChart } from '#viewer/views/app.js';
import { exact, findingBar, findingKey } from '#viewer/views/finding-bar.js';
import { findingFigures } from '#viewer/views/finding-figures.js';
import { prose } from '#viewer/views/prose.js';

/**
 * @param {App} app
 * @param {Capture} capture
 */
export function findings(app, capture) {
  const all = capture.findings;
  if (all.length === 0) return withheld(capture);
  const n = capture.steps.count;
  const step = { n, whole: wholeOf(capture), per: n > 0 ? '/step' : '' };
  const open = openAtFirst(all);
  const items = all.map((finding, i) => item(app, finding, step, open[i] === true));
  return h('section', { class: 'card', 'aria-label': 'What to change' },
    h('div', { class: 'card-head' }, h('h2', {}, 'What to change'),
      h('span', { class: 'findings-about' }, rest(capture, step)),
      open.includes(false) && openAll(items)),
    h('ol', { class: 'findings' }, items.map((details) => h('li', {}, details))));
}

/** @param {readonly HTMLDetailsElement[]} items */
function openAll(items) {
  const button = h('button', { type: 'button', class: 'link', onclick: () => {
    const open = items.some((details) => !details.open);
    for (const details of items) details.open = open;
  } });
  const label = () => button.replaceChildren(items.every((details) => details.open) ? 'Close all' : `Open all ${items.length}`);
  for (const details of items) details.addEventListener('toggle', label);
  label();
  return button;
}

/**
 * Why there are none, with the checks that say so.
 * @param {Capture} capture
 */
function withheld({ verdict, health }) {
  if (verdict.suppressed_by.length === 0) return null;
  const checks = verdict.suppressed_by.flatMap((name, i) => [i > 0 ? ', ' : '', h('code', {}, name)]);
  return h('section', { class: 'card', 'aria-label': 'What to change' },
    h('h2', {}, 'What to change'),
    h('p', { class: 'sentence' }, 'Findings are withheld: ', checks, ' failed, any would be unsound.'),
    health.filter(({ check }) => verdict.suppressed_by.includes(check)).map(({ message }) => h('p', {}, prose(message))));
}

/**
 * @param {Capture} capture
 * @param {Step} step
 */
function rest({ unexplained_ns_per_step }, { whole, per }) {
  const about = per === '' ? 'lost time by its cause' : 'lost time by its cause, per step';
  const share = unexplained_ns_per_step / (whole || 1);
  return share < 0.01 ? about : `${about}; no finding owns ${formatShare(share)}`;
}

/**
 * @param {App} app
 * @param {Finding} finding
 * @param {Step} step
 * @param {boolean} open
 */
function item(app, finding, step, open) {
  const owned = finding.owned_ns_per_step;
  return h('details', { class: finding.headline ? 'finding headline-finding' : 'finding', open },
    h('summary', {},
      h('span', { class: 'finding-share' }, owned > 0 ? formatShare(finding.owned_share) : '–'),
      h('span', { class: 'chip', title: `flamelane explain ${finding.kind}` }, finding.kind),
      h('span', { class: 'finding-subject', title: finding.subject.replaceAll('`', '') }, prose(finding.subject)),
      h('span', { class: 'finding-time', title: exact(owned, step.per) },
        owned > 0 && formatTime(owned), owned > 0 && step.per !== '' && h('small', {}, step.per)),
      findingBar(finding, step.whole)),
    h('div', { class: 'finding-body' },
      findingKey(finding, step),
      h('p', {}, prose(finding.sentence)),
      h('p', {}, h('b', {}, 'Try '), prose(finding.experiment)),
      h('p', { class: 'quiet' }, `Confidence ${finding.confidence}`),
      h('p', { class: 'finding-links' },
        h('button', {
          type: 'button', class: 'link', 'data-finding': finding.kind,
          onclick: () => void app.openFinding(finding, step.n),
        }, 'Show in the flame graph'),
        currentChart(app) && h('button', { type: 'button', class: 'link', onclick: () => app.openTime(finding.where) }, 'Show in the lanes')),
      findingFigures(finding, step.per)));
}
