/**
 * The small tables of the first screen.
 *
 * @import { Capture } from '#viewer/data/report.js'
 */

import { h } from '#viewer/lib/dom.js';
import { formatCount, formatShare, formatTime } from '#viewer/lib/units.js';

const N_ROWS = 8;

/**
 * @param {string} title
 * @param {readonly string[]} heads the first is text, the rest are numbers
 * @param {readonly (readonly string[])[]} rows
 * @param {string} [about] a sentence below the title
 */
export function table(title, heads, rows, about = '') {
  if (rows.length === 0) return null;
  const shown = rows.slice(0, N_ROWS);
  const more = rows.length - shown.length;
  return h('section', { class: 'card' }, h('h2', {}, title),
    about !== '' && h('p', { class: 'quiet' }, about),
    smallTable(heads, shown),
    more > 0 && h('p', { class: 'quiet' }, `and ${more} more`));
}

/**
 * @param {readonly string[]} heads the first is text, the rest are numbers
 * @param {readonly (readonly string[])[]} rows
 */
export function smallTable(heads, rows) {
  return h('table', { class: 'small' },
    h('thead', {}, h('tr', {}, heads.map((head) => h('th', { scope: 'col' }, head)))),
    h('tbody', {}, rows.map((row) => h('tr', {}, row.map((cell, i) =>
      h(i === 0 ? 'th' : 'td', i === 0 ? { scope: 'row', title: cell } : {}, cell))))));
}

/** @param {Capture} capture */
export function families({ families: all }) {
  const sum = all.reduce((total, family) => total + family.ns, 0) || 1;
  return table('Kernel families', ['Family', 'Kernels', 'Time', 'Share'], all.map((family) =>
    [family.name, formatCount(family.kernels), formatTime(family.ns), formatShare(family.ns / sum)]));
}

/** @param {Capture} capture */
export function idleClasses({ idle_classes, window }) {
  return table('Kinds of idle time', ['Kind', 'Time', 'Share'], idle_classes.map((row) =>
    [row.class, formatTime(row.ns), formatShare(row.ns / (window.idle_ns || 1))]));
}

/** @param {Capture} capture */
export function ranges({ ranges: all }) {
  return table('Ranges', ['Range', 'Count', 'Host', 'Envelope', 'Device', 'Density', 'Onset'], all.map((range) =>
    [range.name, formatCount(range.count), formatTime(range.host_ns), formatTime(range.envelope_ns), formatTime(range.union_ns),
      formatShare(range.density), formatTime(range.onset_ns)]));
}

/** @param {Capture} capture */
export function devices({ devices: all }) {
  return table('Devices', ['Device', 'Streams', 'Busy', 'Sum', 'Idle'], all.map((device) =>
    [`${device.name || 'device'} #${device.device}${device.in_verdict ? '' : ' (aside)'}`, formatCount(device.streams),
      formatShare(device.busy_ns / (device.wall_ns || 1)), formatTime(device.sum_ns), formatTime(device.idle_ns)]));
}
