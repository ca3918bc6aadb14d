/**
 * What to change: the findings, largest first. Those that may be the first thing said are open, the
 * rest is one line each until asked.
 *
 * @import { App } from '#viewer/views/app.js'
 * @import { Capture, Finding } from '#viewer/data/report.js'
 */

import { h } from '#viewer/lib/dom.js';
import { formatBytes, formatCount, formatShare, formatTime } from '#viewer/lib/units.js';
import { prose } from '#viewer/views/prose.js';

/** Kinds whose time the device is busy: they show under the weight `gpu`. */
const BUSY = new Set(['exposed-comm', 'copy-on-critical-path', 'loop']);
/** Findings that are open at first. */
const N_OPEN = 3;

/**
 * @param {App} app
 * @param {Capture} capture
 */
export function findings(app, capture) {
  const all = capture.findings;
  if (all.length === 0) return withheld(capture);
  const most = Math.max(...all.map((finding) => finding.owned_share), 1e-9);
  let nOpen = 0;
  const items = all.map((finding) => {
    const open = finding.headline && nOpen < N_OPEN;
    nOpen += open ? 1 : 0;
    return item(app, finding, { open, most });
  });
  return h('section', { class: 'card' },
    h('div', { class: 'card-head' }, h('h2', {}, 'What to change'), h('span', { class: 'quiet' }, rest(capture))),
    h('ol', { class: 'findings' }, items));
}

/** @param {Capture} capture */
function withheld({ verdict }) {
  if (verdict.suppressed_by.length === 0) return null;
  return h('section', { class: 'card' }, h('h2', {}, 'What to change'),
    h('p', { class: 'quiet' }, `Findings are withheld: ${verdict.suppressed_by.join(', ')} failed, any would be unsound.`));
}

/** @param {Capture} capture */
function rest({ window, steps, unexplained_ns_per_step }) {
  const whole = (window.busy_ns + window.idle_ns) / Math.max(steps.count, 1);
  const share = unexplained_ns_per_step / (whole || 1);
  const per = steps.count > 0 ? 'Lost time by its cause, per step' : 'Lost time by its cause';
  return share < 0.01 ? per : `${per}; no finding owns ${formatShare(share)}`;
}

/**
 * @param {App} app
 * @param {Finding} finding
 * @param {{ open: boolean, most: number }} look
 */
function item(app, finding, { open, most }) {
  const place = finding.where.step === null ? '' : `longest in ${finding.where.step}`;
  const show = h('button', {
    type: 'button', class: 'link', 'data-finding': finding.kind,
    onclick: () => void app.openStack(BUSY.has(finding.kind) ? 'gpu' : 'idle', finding.stack),
  }, 'Show in the flame graph');
  return h('li', {}, h('details', { class: 'finding', open },
    h('summary', {},
      h('span', { class: 'finding-share' }, finding.owned_ns_per_step > 0 ? formatShare(finding.owned_share) : '–'),
      h('span', { class: 'chip' }, finding.kind),
      h('span', { class: 'finding-subject' }, prose(finding.subject)),
      h('span', { class: 'finding-time', title: `${finding.owned_ns_per_step} ns` },
        finding.owned_ns_per_step > 0 ? formatTime(finding.owned_ns_per_step) : '')),
    h('div', { class: 'finding-body' },
      h('div', { class: 'finding-bar', role: 'presentation' },
        h('div', { style: `width:${(100 * finding.owned_share) / most}%` })),
      h('p', {}, prose(finding.sentence)),
      h('p', {}, h('b', {}, 'Try '), prose(finding.experiment)),
      h('p', { class: 'quiet' }, [gain(finding), `confidence ${finding.confidence}`, place].filter((part) => part !== '').join(' · ')),
      h('p', {}, show),
      figures(finding))));
}

/** @param {Finding} finding */
function gain(finding) {
  const bound = `at most ${formatTime(finding.max_gain_ns_per_step)} to win`;
  const simulated = finding.simulated_gain_ns_per_step;
  return simulated === null ? bound : `${bound}, ${formatTime(simulated)} in a replay`;
}

/** @param {Finding} finding */
function figures({ evidence, stack, shares_with }) {
  const rows = Object.entries(evidence).map(([name, value]) =>
    h('tr', {}, h('th', { scope: 'row' }, words(name)), h('td', {}, figure(name, value))));
  return h('details', { class: 'finding-figures' }, h('summary', {}, 'Figures and stack'),
    h('table', { class: 'figures' }, h('tbody', {}, rows,
      shares_with.length > 0 && h('tr', {}, h('th', { scope: 'row' }, 'shares gaps with'), h('td', {}, shares_with.join(', '))))),
    h('ol', { class: 'finding-stack mono' }, stack.map((frame) => h('li', {}, frame))));
}

/** @param {string} name */
function words(name) {
  return name.replace(/_ns(_per_step)?$/, '').replace(/_bytes$/, '').replaceAll('_', ' ');
}

/**
 * @param {string} name
 * @param {unknown} value
 */
function figure(name, value) {
  if (Array.isArray(value)) {
    return value.map((row, i) => [i > 0 ? ', ' : '', h('code', {}, String(row.name)), ` ${formatTime(Number(row.ns))}`]).flat();
  }
  if (typeof value !== 'number') return prose(String(value));
  if (name.includes('_ns')) return h('span', { title: `${value} ns` }, formatTime(value));
  if (name.endsWith('_bytes')) return formatBytes(value);
  return Number.isInteger(value) ? formatCount(value) : value.toFixed(2);
}
