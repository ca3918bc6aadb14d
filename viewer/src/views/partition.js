/**
 * The wall time as one bar: compute, exposed communication, exposed copies, idle.
 *
 * @import { Capture } from '#viewer/data/report.js'
 * @import { Parts } from '#viewer/logic/partition-in.js'
 */

import { h } from '#viewer/lib/dom.js';
import { formatShare, formatTime } from '#viewer/lib/units.js';

/** @param {Capture} capture */
export function partition({ partition: part }) {
  return h('section', { class: 'card' },
    h('h2', {}, 'Where the wall time went'),
    partitionBar({
      compute: part.compute_ns, comm: part.comm_exposed_ns, copy: part.copy_exposed_ns, idle: part.idle_ns,
      comm_hidden: part.comm_hidden_ns, copy_hidden: part.copy_hidden_ns,
    }));
}

/**
 * The bar and its legend.
 * @param {Pick<Parts, 'compute' | 'comm' | 'copy' | 'idle' | 'comm_hidden' | 'copy_hidden'>} of
 */
export function partitionBar({ compute, comm, copy, idle, comm_hidden, copy_hidden }) {
  const parts = [
    { name: 'Compute', css: 'compute', ns: compute, hidden: 0 },
    { name: 'Exposed communication', css: 'comm', ns: comm, hidden: comm_hidden },
    { name: 'Exposed copies', css: 'copy', ns: copy, hidden: copy_hidden },
    { name: 'Idle', css: 'idle', ns: idle, hidden: 0 },
  ];
  const sum = parts.reduce((total, { ns }) => total + ns, 0) || 1;
  return [
    h('div', { class: 'bar', 'aria-hidden': 'true' },
      parts.map(({ css, ns }) => ns > 0 && h('div', { class: css, style: `flex-grow:${ns / sum}` }))),
    h('div', { class: 'bar-legend' }, parts.map(({ name, css, ns, hidden }) =>
      h('div', { class: ns > 0 ? 'part' : 'part none' },
        h('div', { class: 'part-name' }, h('span', { class: `swatch ${css}` }), name),
        h('div', { class: 'part-share' }, formatShare(ns / sum)),
        h('div', { class: 'part-time', title: `${ns.toLocaleString('en')} ns` }, formatTime(ns), hidden > 0 && ` · ${formatTime(hidden)} hidden`)))),
  ];
}
