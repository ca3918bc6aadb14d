/**
 * How the work was launched, and what each phase is bound by.
 *
 * @import { Capture, Delay } from '#viewer/data/report.js'
 */

import { formatCount, formatNoun, formatShare, formatTime } from '#viewer/lib/units.js';
import { prose } from '#viewer/views/prose.js';
import { table } from '#viewer/views/summary-tables.js';

/**
 * Where a stream was idle at the launch the delay costs; elsewhere it is depth of the queue.
 * @param {Capture} capture
 */
export function launches({ launches: all }) {
  const heads = ['Call', 'Count', 'Call mean', 'Latency p50', 'p99', 'Queueing p50', 'p99'];
  const rows = all.paths.map((path) => [
    `${path.call} (${path.graph ? 'graph' : path.kind})`, formatCount(path.count), formatTime(path.mean_call_ns),
    delay(path.latency_ns, 'p50'), delay(path.latency_ns, 'p99'),
    delay(path.queueing_ns, 'p50'), delay(path.queueing_ns, 'p99'),
  ]);
  const { p10, p50, p90 } = all.lead_ns;
  const lead = `The host is ${formatTime(p10)} ahead at a tenth of the launches, ${formatTime(p50)} at half, `
    + `${formatTime(p90)} at nine tenths; ${formatShare(all.low_lead_share)} are less than 10 µs ahead.`;
  const full = all.back_pressure;
  const queue = full && `The launch queue was full for ${formatTime(full.ns)}: ${formatNoun(full.calls, 'long call')} `
    + `(${formatTime(full.call_ns)}) waited for a busy device and cost nothing.`;
  return table('Launches', heads, rows, queue ? `${lead} ${queue}` : lead);
}

/**
 * @param {Delay} of
 * @param {'p50' | 'p99'} which
 */
function delay(of, which) {
  return of.count === 0 ? '' : formatTime(of[which]);
}

/** @param {Capture} capture */
export function phases({ phases: all }) {
  return table('Phases', ['Phase', 'Steps', 'Step p50', 'Of window', 'Busy', 'Verdict'], all.map((phase) => [
    phase.phase ?? 'unnamed', formatCount(phase.count), formatTime(phase.wall_ns.p50), formatShare(phase.share),
    formatShare(phase.busy_ns / (phase.busy_ns + phase.idle_ns || 1)), phase.verdict.kind,
  ]));
}

/** @param {Capture} capture */
export function boundWords({ bound }) {
  if (!bound) return null;
  return prose(bound.bound_ns === null ? bound.sentence : `${bound.sentence} (${bound.assumption}; ${bound.source})`);
}
