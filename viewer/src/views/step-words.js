/**
 * Steps in words.
 *
 * @import { Capture } from '#viewer/data/report.js'
 * @import { StepRow } from '#viewer/logic/steps.js'
 * @import { Child } from '#viewer/lib/dom.js'
 */

import { h } from '#viewer/lib/dom.js';
import { formatCount, formatMs, formatNoun, formatShare, formatTime } from '#viewer/lib/units.js';
import { lengthFigure, remarkOf, spreadOf } from '#viewer/logic/steps.js';
import { prose } from '#viewer/views/prose.js';

/**
 * One step in a line.
 * @param {StepRow} row
 * @returns {Child[]}
 */
export function tellStep(row) {
  const { step } = row;
  const remark = remarkOf(row);
  const device = ` · wall ${formatMs(step.wall_ns)} · busy ${formatMs(step.busy_ns)} · idle ${formatMs(step.idle_ns)}`;
  return [h('b', {}, step.name), step.wall_ns > 0 ? `${device} (${formatShare(step.idle_ns / step.wall_ns)})` : ` · host ${formatMs(step.marker_ns)}, no device work`,
    ` · ${formatNoun(step.kernels, 'kernel')}`, remark !== '' && ` · ${remark}`];
}

/**
 * All steps in a line.
 * @param {Capture} capture
 * @returns {Child[]}
 */
export function tellSteps({ steps }) {
  const { p50, min, max } = steps.wall_ns.max > 0 ? steps.wall_ns : hostLengths(steps);
  const spread = steps.count > 1 ? `median ${formatTime(p50)} · from ${formatTime(min)} to ${formatTime(max)}` : formatTime(p50);
  return [`${formatNoun(steps.count, 'step')} kept of ${formatCount(steps.list.length + steps.not_listed)} · ${spread}`];
}

/** @param {Capture['steps']} steps */
const hostLengths = ({ list }) => spreadOf(list.filter((step) => step.kept).map(lengthFigure(list).of));

/**
 * What an average over the steps would hide.
 * @param {Capture} capture
 */
export function patterns({ steps }) {
  return steps.patterns.length > 0 && h('ul', { class: 'steps-patterns', 'aria-label': 'How steps differ' },
    steps.patterns.map(({ pattern, sentence }) =>
      h('li', {}, h('span', { class: 'chip' }, pattern), h('span', { title: sentence }, prose(sentence)))));
}

/** @param {Capture} capture */
export function notListed({ file, steps }) {
  return steps.not_listed > 0 && h('p', { class: 'left-out' }, 'The first ', formatNoun(steps.list.length, 'step'), '; ',
    formatCount(steps.not_listed), ' more are in the figures of the report: ', h('code', {}, `flamelane steps ${file}`), ' lists them all.');
}
