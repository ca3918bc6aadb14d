/**
 * The evidence of a finding: figures, what ran in the lost time, and the stack.
 *
 * @import { Finding } from '#viewer/data/report.js'
 * @import { Figure, Part } from '#viewer/logic/findings.js'
 */

import { h } from '#viewer/lib/dom.js';
import { formatBytes, formatCount, formatShare, formatTime } from '#viewer/lib/units.js';
import { figuresOf } from '#viewer/logic/findings.js';
import { exact } from '#viewer/views/finding-bar.js';
import { phrase } from '#viewer/views/prose.js';

/**
 * @param {Finding} finding
 * @param {string} per `/step` where figures are per step
 */
export function findingFigures(finding, per) {
  const { figures, parts } = figuresOf(finding.evidence);
  return h('details', { class: 'finding-figures' }, h('summary', {}, 'Figures and stack'),
    h('div', { class: 'finding-evidence' },
      h('table', { class: 'figures' }, h('tbody', {}, about(finding, per), figures.map(figureRow))),
      parts.length > 0 && partList(parts, finding.owned_ns_per_step, per)),
    finding.stack.length > 0 && h('ol', { class: 'finding-stack mono' }, finding.stack.map((frame) => h('li', {}, frame))));
}

/**
 * @param {Finding} finding
 * @param {string} per
 */
function about(finding, per) {
  const often = per === '' || finding.per_step === finding.count ? '' : ` (${Number(finding.per_step.toPrecision(3))}${per})`;
  const { lane, step, from_ns, to_ns } = finding.where;
  const length = to_ns - from_ns;
  return [
    row('occurrences', `${formatCount(finding.count)}${often}`),
    length > 0 && row('longest', [h('span', { title: `from ${exact(from_ns)} to ${exact(to_ns)}` }, formatTime(length)),
      ` at ${formatTime(from_ns)}`, step !== null && ' in ', step !== null && h('code', {}, step)].filter((part) => part !== false)),
    lane !== '' && row('lane', lane),
    finding.user_frame !== null && row('own code', h('code', {}, finding.user_frame)),
    finding.shares_with.length > 0 && row('shares gaps with', finding.shares_with.join(', ')),
  ];
}

/**
 * @param {string} name
 * @param {Node | string | (Node | string)[]} value
 */
function row(name, value) {
  return h('tr', {}, h('th', { scope: 'row' }, name), h('td', {}, value));
}

/** @param {Figure} figure */
function figureRow({ label, value, unit, per }) {
  if (typeof value === 'string') return row(label, phrase(value));
  if (unit === 'ns') return row(label, h('span', { title: exact(value, per) }, `${formatTime(value)}${per}`));
  if (unit === 'bytes') return row(label, h('span', { title: `${value} B` }, formatBytes(value)));
  return row(label, `${formatCount(value)}${per}`);
}

/**
 * What ran in the lost time, as bars of the largest.
 * @param {readonly Part[]} parts
 * @param {number} owned
 * @param {string} per
 */
function partList(parts, owned, per) {
  const most = Math.max(parts[0]?.ns ?? 0, 1);
  return h('div', {},
    h('h3', {}, 'What ran meanwhile'),
    h('ol', { class: 'finding-parts' }, parts.map(({ name, ns }) => h('li', { title: `${name}: ${exact(ns, per)}` },
      h('span', { class: 'finding-part-name mono' }, name),
      h('span', { class: 'finding-part-share' }, owned > 0 ? formatShare(ns / owned) : ''),
      h('span', { class: 'finding-part-time' }, formatTime(ns), per !== '' && h('small', {}, per)),
      h('span', { class: 'finding-part-bar', style: `width:${((100 * Math.max(0, ns)) / most).toFixed(2)}%` })))));
}
