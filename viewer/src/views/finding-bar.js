/**
 * A finding on the scale of the step: what it owns, the bound of the gain, and the gain of a replay,
 * with the same marks in words below.
 *
 * @import { Finding } from '#viewer/data/report.js'
 */

import { h } from '#viewer/lib/dom.js';
import { formatTime } from '#viewer/lib/units.js';
import { partOf, scaleOf } from '#viewer/logic/findings.js';

/**
 * @param {Finding} finding
 * @param {number} whole the step, in ns
 */
export function findingBar(finding, whole) {
  const { owned, bound, simulated } = scaleOf(finding, whole);
  const at = (/** @type {number} */ share) => `${(100 * share).toFixed(3)}%`;
  // The part of what it owns that cannot be won is paler.
  return h('span', { class: `finding-bar ${partOf(finding.kind)}`, 'aria-hidden': 'true' },
    owned > 0 && h('span', { class: 'finding-owned', style: `width:${at(owned)}` }),
    owned > 0 && h('span', { class: 'finding-owned winnable', style: `width:${at(Math.min(owned, bound))}` }),
    bound > 0 && h('span', { class: 'finding-bound', style: `left:${at(bound)}` }),
    simulated !== null && h('span', { class: 'finding-simulated', style: `left:${at(simulated)}` }));
}

/**
 * @param {Finding} finding
 * @param {{ whole: number, per: string }} step
 */
export function findingKey(finding, { whole, per }) {
  const { owned_ns_per_step: owned, max_gain_ns_per_step: bound, simulated_gain_ns_per_step: simulated } = finding;
  const time = (/** @type {number} */ ns) => h('span', { title: exact(ns, per) }, formatTime(ns));
  const of = per === '' ? ` of ${formatTime(whole)}` : ` of a ${formatTime(whole)} step`;
  return h('p', { class: 'finding-key' },
    owned > 0 && h('span', {}, h('i', { class: `finding-mark owned ${partOf(finding.kind)}` }), 'owns ', time(owned), of),
    h('span', {}, h('i', { class: 'finding-mark bound' }), 'at most ', time(bound), ' to win'),
    simulated !== null && h('span', {}, h('i', { class: 'finding-mark simulated' }), 'replayed without: ',
      simulated < 0 ? '+' : '−', time(Math.abs(simulated))));
}

/**
 * @param {number} ns
 * @param {string} [per]
 */
export function exact(ns, per = '') {
  return `${ns.toLocaleString('en')} ns${per}`;
}
