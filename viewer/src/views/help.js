/**
 * The keys, on `?`.
 *
 * @import { App } from '#viewer/views/app.js'
 */

import { h } from '#viewer/lib/dom.js';
import { viewsOf } from '#viewer/views/app.js';

/** @typedef {readonly [string, readonly (readonly [string, string])[]]} Group */

/** @type {readonly Group[]} */
const GROUPS = [
  ['Everywhere', [
    ['w  W', 'Next weight, previous weight'],
    ['/', 'Search; /…/ is a regular expression'],
    ['t', 'Light, dark, as the system'],
    ['?', 'This list'],
  ]],
  ['Flame graph', [
    ['↑ ↓ ← →', 'Walk to the caller, the heaviest callee, the neighbours'],
    ['Enter', 'Focus on the selected frame (or double-click)'],
    ['Esc', 'All the way out'],
    ['Backspace', 'Out by one caller'],
    ['n  N', 'Next match, previous match'],
    ['i', 'Turn upside down'],
    ['z', 'Fold frames that only pass their weight on, all of them at once'],
    ['I', 'Invert: leaves first, what called them below'],
    ['r', 'Fold functions that call themselves into one frame'],
    ['g  G', 'Divide by module, kind, kernel family, stream, phase: next, previous'],
    ['o', 'Next order of siblings'],
    ['+ − 0', 'Zoom in, zoom out, everything (or Ctrl and wheel)'],
    ['a  d', 'Pan left, right (or drag)'],
    ['x', 'Sandwich: all callers and callees of the selected function'],
    ['c  C', 'Copy name, copy stack as folded text'],
    ['k  K', 'Keep only the stacks that the search found, drop them'],
    ['e', 'Export: picture, folded stacks, pprof'],
  ]],
  ['Sandwich', [
    ['↑ ↓ ← →', 'Walk the callers above, the callees below, the neighbours'],
    ['Enter', 'That function becomes the one in the middle (or click)'],
    ['Esc', 'Back to the flame graph'],
    ['f', 'All places of the function in the flame graph'],
    ['+ − 0  a  d', 'Zoom and pan; what was too narrow appears'],
    ['/', 'Choose another function'],
    ['e', 'Export: picture, folded stacks, pprof'],
  ]],
  ['Lanes', [
    ['↑ ↓ ← →', 'Walk to the span around, inside, before, after'],
    ['l', 'From a launch to its work and back'],
    ['[  ]', 'Previous gap, next gap'],
    [',  .', 'Previous, next span of the same name'],
    ['w  s', 'Zoom in, zoom out (or Ctrl and wheel)'],
    ['a  d', 'Pan left, right (or drag)'],
    ['Enter', 'Zoom to the selection (or double-click)'],
    ['0', 'The window of the report'],
    ['e', 'Export a picture'],
    ['Shift', 'and drag, or drag on the axis: choose a stretch of time'],
    ['v', 'Narrow all views to the selected span or stretch, or to what is on show'],
  ]],
  ['Steps', [
    ['← → ↑ ↓', 'Walk the steps, in the strip and in the table'],
    ['Enter', 'Narrow all views to the step (or click)'],
    ['l', 'The step in the lanes (or double-click)'],
    ['w  W', 'Next figure for the height of the bars, previous one'],
    ['Esc', 'The whole window again'],
    ['e', 'Export the table as CSV'],
  ]],
  ['Tables', [
    ['↑ ↓', 'Walk the rows'],
    ['→  ←', 'What the row is made of: open, close'],
    ['Enter', 'Open the row in the flame graph'],
    ['x', 'Open the function of the row in the sandwich'],
    ['e', 'Export the table as CSV'],
  ]],
];

/**
 * The keys of the views that the page has.
 * @param {App} app
 * @returns {Group[]}
 */
function groupsOf(app) {
  const views = viewsOf(app);
  const numbers = /** @type {const} */ ([`1 … ${views.length}`, views.map(({ title }) => title).join(', ')]);
  const has_lanes = views.some(({ name }) => name === 'lanes');
  return GROUPS.filter(([title]) => title !== 'Lanes' || has_lanes)
    .map(([title, keys]) => [title, title === 'Everywhere' ? [numbers, ...keys] : keys]);
}

/** @param {App} app */
export function createHelp(app) {
  const dialog = h('dialog', { class: 'help', 'aria-label': 'Keys', onclick: (/** @type {MouseEvent} */ event) => event.target === dialog && dialog.close() },
    h('div', { class: 'help-body' },
      h('div', { class: 'help-head' }, h('h2', {}, 'Keys'),
        h('button', { type: 'button', class: 'close', 'aria-label': 'Close', onclick: () => dialog.close() }, '×')),
      groupsOf(app).map(([title, keys]) => h('section', {}, h('h3', {}, title), h('dl', {}, keys.map(([key, what]) => [
        h('dt', {}, key.split('  ').map((part) => h('kbd', {}, part))), h('dd', {}, what),
      ]).flat())))));
  return {
    element: dialog,
    toggle: () => (dialog.open ? dialog.close() : dialog.showModal()),
  };
}
