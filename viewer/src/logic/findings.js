/**
 * What the page shows of a finding, as plain data.
 *
 * @import { Capture, Finding } from '#viewer/data/report.js'
 *
 * @typedef {{ owned: number, bound: number, simulated: number | null }} Scale shares of the step, 0…1
 * @typedef {'ns' | 'bytes' | 'number' | 'text'} Unit
 * @typedef {{ label: string, value: number | string, unit: Unit, per: string }} Figure
 * @typedef {{ name: string, ns: number }} Part
 */

/** Kinds during which the device is busy, and the part of the wall time that they belong to. */
const BUSY = new Map([['exposed-comm', 'comm'], ['copy-on-critical-path', 'copy'], ['loop', 'compute']]);
/** Findings that are open at first: as many as the terminal tells in full. */
const N_OPEN = 3;

/**
 * The weight under which a finding's stack is wide.
 * @param {string} kind
 */
export function weightOf(kind) {
  return BUSY.has(kind) ? 'gpu' : 'idle';
}

/**
 * The part of the wall time that a finding takes from.
 * @param {string} kind
 */
export function partOf(kind) {
  return BUSY.get(kind) ?? 'idle';
}

/**
 * Which findings are open at first: the first of those that may be the first thing said.
 * @param {readonly Finding[]} findings
 * @returns {boolean[]}
 */
export function openAtFirst(findings) {
  let n = 0;
  return findings.map(({ headline }) => headline && n++ < N_OPEN);
}

/**
 * The time that shares are shares of: the mean step, or all of the window where there are none.
 * @param {Capture} capture
 */
export function wholeOf({ window, steps }) {
  return (window.busy_ns + window.idle_ns) / Math.max(steps.count, 1);
}

/**
 * A finding on the scale of the step. A replay that would cost time wins nothing here; its figure
 * keeps the sign.
 * @param {Finding} finding
 * @param {number} whole
 * @returns {Scale}
 */
export function scaleOf(finding, whole) {
  const share = (/** @type {number} */ ns) => Math.min(1, Math.max(0, whole > 0 ? ns / whole : 0));
  const simulated = finding.simulated_gain_ns_per_step;
  return {
    owned: share(finding.owned_ns_per_step),
    bound: share(finding.max_gain_ns_per_step),
    simulated: simulated === null ? null : share(simulated),
  };
}

/**
 * The figures of a finding in the order of the document; the frames apart, largest first.
 * @param {Finding['evidence']} evidence
 * @returns {{ figures: Figure[], parts: Part[] }}
 */
export function figuresOf(evidence) {
  /** @type {Part[]} */
  const parts = [];
  /** @type {Figure[]} */
  const figures = [];
  for (const [name, value] of Object.entries(evidence)) {
    if (Array.isArray(value) && value.every(isPart)) parts.push(...value);
    else figures.push(figure(name, value));
  }
  return { figures, parts: parts.sort((a, b) => b.ns - a.ns) };
}

/**
 * @param {unknown} row
 * @returns {row is Part}
 */
function isPart(row) {
  return typeof row === 'object' && row !== null && 'name' in row && typeof row.name === 'string'
    && 'ns' in row && typeof row.ns === 'number';
}

/** Endings of names that are a unit, longest first. @type {readonly (readonly [RegExp, Unit, string])[]} */
const ENDINGS = [
  [/_ns_per_step$/, 'ns', '/step'], [/_ns_per_round$/, 'ns', '/round'], [/_ns$/, 'ns', ''],
  [/_bytes$/, 'bytes', ''],
];

/**
 * @param {string} name
 * @param {unknown} value
 * @returns {Figure}
 */
function figure(name, value) {
  const plain = (/** @type {string} */ text) => text.replaceAll('_', ' ');
  if (typeof value !== 'number') {
    return { label: plain(name), value: typeof value === 'string' ? value : JSON.stringify(value), unit: 'text', per: '' };
  }
  if (name === 'gb_per_s') return { label: 'speed', value, unit: 'number', per: ' GB/s' };
  const ending = ENDINGS.find(([pattern]) => pattern.test(name));
  if (!ending) return { label: plain(name), value, unit: 'number', per: '' };
  return { label: plain(name.replace(ending[0], '')), value, unit: ending[1], per: ending[2] };
}
