/**
 * The wall time as one bar: compute, exposed communication, exposed copies, idle.
 *
 * @import { Capture } from '#viewer/data/report.js'
 */

import { h } from '#viewer/lib/dom.js';
import { formatShare, formatTime } from '#viewer/lib/units.js';

/** @param {Capture} capture */
export function partition({ partition: part }) {
  const parts = [
    { name: 'Compute', css: 'compute', ns: part.compute_ns, hidden: 0 },
    { name: 'Exposed communication', css: 'comm', ns: part.comm_exposed_ns, hidden: part.comm_hidden_ns },
    { name: 'Exposed copies', css: 'copy', ns: part.copy_exposed_ns, hidden: part.copy_hidden_ns },
    { name: 'Idle', css: 'idle', ns: part.idle_ns, hidden: 0 },
  ];
  const sum = parts.reduce((total, { ns }) => total + ns, 0) || 1;
  return h('section', { class: 'card' },
    h('h2', {}, 'Where the wall time went'),
    h('div', { class: 'bar', 'aria-hidden': 'true' },
      parts.map(({ css, ns }) => ns > 0 && h('div', { class: css, style: `flex-grow:${ns / sum}` }))),
    h('div', { class: 'bar-legend' }, parts.map(({ name, css, ns, hidden }) =>
      h('div', { class: ns > 0 ? 'part' : 'part none' },
        h('div', { class: 'part-name' }, h('span', { class: `swatch ${css}` }), name),
        h('div', { class: 'part-share' }, formatShare(ns / sum)),
        h('div', { class: 'part-time' }, formatTime(ns), hidden > 0 && ` · ${formatTime(hidden)} hidden`)))));
}
