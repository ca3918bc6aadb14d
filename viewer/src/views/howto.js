/** "How to read this": what widths and figures mean, until a person has read it. */

import { fill, h } from '#viewer/lib/dom.js';
import { recall, remember } from '#viewer/state/remembered.js';

const WIDTH = 'Width is a sum over all calls, not a duration; left and right are not before and after.';
const TOTAL = 'A frame’s total includes everything below it; self is what none of its callees account for.';
const SWITCH = 'Switch the weight: frames keep their places, so what grows or shrinks is what differs.';
const INVERT = 'Invert starts with the functions that have the weight themselves, what called them below.';
const DIVIDE = 'Divided, each module, kind, kernel family, stream (or thread) or phase is a graph of its own side by side. By time puts what is seen first to the left; widths stay sums.';
const COLLAPSE = 'Collapse folds frames that only pass their weight on; ⋯9 before a name stands for nine of them.';
const SELF = 'Self is the weight of the function alone; total adds everything it called. Recursion counts once.';

/** @type {Readonly<Record<string, readonly string[]>>} */
const HINTS = {
  summary: [
    'Wall is what a clock on the wall shows. Busy is the part of it in which at least one kernel or copy ran; the rest are gaps.',
    'The sum of kernel times may exceed busy, and even wall: kernels that run at once both count in full.',
    'Compute, exposed communication, exposed copies and idle add up to the wall time. Hidden work ran behind compute and costs nothing.',
    'Narrowed to a stretch of time (v in the lanes), the summary begins with the figures of the stretch; the verdict and the findings still speak of the whole window.',
  ],
  flame: [
    WIDTH, TOTAL,
    'Under GPU time, widths can add up to more than the wall time: concurrent kernels both count. GPU busy shares the clock between them.',
    'Many similar stacks side by side mean a loop. Hatched pieces are frames too narrow to draw: zoom in to see them.',
    SWITCH, INVERT, DIVIDE, COLLAPSE,
  ],
  lanes: [
    'Time runs from left to right. Each device first: coloured where it was busy, hatched where it was idle, with the host code that let it wait.',
    'The grey area below it is its queue, the launches that are not finished. Empty below a gap, the host was late; not empty, what was launched had to wait.',
    'Below it its streams, then the host threads; a span lies under what called it. Pale columns are many short spans: the paler, the less of the time they cover.',
    'Select a kernel to see the call that launched it, and how long it waited. What lies outside the window is dimmed.',
  ],
  table: [
    SELF,
    'Mean is total per call: one call of 30 ms and 30,000 of 1 µs are different problems.',
    'p50, p99 and Max are how long its spans last in the lanes, whatever the weight: a median far below the longest has a few slow ones behind it.',
    'A row opens (›) to what it is made of: a function to the operators and your own code that lead to it, a module, family, stream or phase to its functions. The parts add up to the row.',
  ],
  'stacks-flame': [
    WIDTH, TOTAL, 'Hatched pieces are frames too narrow to draw: zoom in to see them.', SWITCH, INVERT, COLLAPSE,
  ],
  'stacks-table': [SELF, 'A row leads to the places of its function in the flame graph, and opens (›) to what it is made of.'],
  sandwich: [
    'The bar is one function, all its instances together. Above it is what called it, the nearest caller first; below it is what it called. All widths are shares of its total.',
    'A caller is as wide as the time of this function that came through it, not as its own total.',
    'An instance inside another one counts once, and shows among the callees. Blank below the bar is self; blank above it is where stacks begin.',
    'Click any frame to put its function in the middle. Hatched pieces are many frames too narrow to draw: click to zoom in.',
  ],
  idle: [
    'Each row is GPU idle time, charged to the host stack that was running while the device had nothing to do. The rows add up to all idle time.',
    'A wait costs the gap it lets open, never its own length.',
  ],
  paths: [
    'Each row is device time by the host stack that launched it. Concurrent kernels both count in full.',
  ],
  steps: [
    'One bar is one step, in the order in which they ran; the dotted line is the median. A bar above it took longer than usual: click it, and all views show that step alone.',
    'Wall is busy plus idle of the GPU. A gap belongs to the step whose work ends it: a long idle part means that this step’s work came late, not that the step before was slow.',
    'A triangle marks what the report found unlike the rest: steps above twice the median, or those that launch far more often. Outlined steps are left out of all averages; Remark says why.',
    'Compare like with like: steps of one colour share phase and batch. A prefill among decodes is long and not slow; judge it by the p50 and p99 of its own line.',
  ],
  notes: [
    'Health says what this capture can and cannot show. Notes say what the reader skipped or repaired.',
  ],
};

/**
 * The hints of a view, or the small button that brings them back.
 * @param {string} view
 * @returns {HTMLElement}
 */
export function howto(view) {
  const element = h('div', { class: 'howto' });
  const draw = () => (recall(`read.${view}`) === 'yes' ? fill(element, again()) : fill(element, ...hints()));
  const again = () => h('button', { type: 'button', class: 'link howto-again', onclick: () => set('') }, 'How to read this');
  const hints = () => [
    h('div', { class: 'howto-head' }, h('span', { class: 'label' }, 'How to read this'),
      h('button', { type: 'button', class: 'link', onclick: () => set('yes') }, 'Got it')),
    h('ul', {}, (HINTS[view] ?? []).map((hint) => h('li', {}, hint))),
  ];
  const set = (/** @type {string} */ value) => {
    remember(`read.${view}`, value);
    draw();
  };
  draw();
  return element;
}
