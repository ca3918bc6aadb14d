/**
 * The strip of steps, read with the pointer or the arrow keys.
 *
 * @import { FigureKey, StepRow } from '#viewer/logic/steps.js'
 * @import { Bar } from '#viewer/logic/step-bars.js'
 * @import { Child } from '#viewer/lib/dom.js'
 *
 * @typedef {object} StripOptions
 * @property {string} label
 * @property {number} height CSS pixels
 * @property {(row: StepRow | undefined) => Child[]} tell of a step, or of all of them
 * @property {(row: StepRow) => void} open by a click or Enter
 * @property {(row: StepRow) => void} lanes by a second click, or by `l`
 * @property {(row: StepRow) => void} [walk] to a step by the keys
 *
 * @typedef {object} Strip
 * @property {HTMLElement} element
 * @property {HTMLElement} told
 * @property {() => void} draw
 * @property {(rows: readonly StepRow[], figure: FigureKey, colors: readonly string[], usual: number) => void} show
 * @property {(row: number, selected: number) => void} point out a step, and the one that the views are narrowed to
 */

import { fill, h } from '#viewer/lib/dom.js';
import { barOfRow, barsOf } from '#viewer/logic/step-bars.js';
import { fitCanvas } from '#viewer/draw/flame.js';
import { paintSteps, pitchOf } from '#viewer/draw/steps.js';

/**
 * @param {StripOptions} options
 * @returns {Strip}
 */
export function createStrip({ label, height, tell, open, lanes, walk = () => {} }) {
  const canvas = h('canvas', { 'aria-hidden': 'true' });
  const told = h('div', { class: 'steps-told', 'aria-live': 'polite' });
  const element = h('div', {
    class: 'steps', tabindex: 0, role: 'slider', 'aria-label': label, 'aria-valuemin': 1, style: `height:${height}px`,
    onkeydown: (/** @type {KeyboardEvent} */ event) => key(event),
    onpointermove: (/** @type {PointerEvent} */ event) => hover(rowAt(event.offsetX)),
    onpointerleave: () => hover(-1),
    onclick: (/** @type {PointerEvent} */ event) => click(event),
  }, canvas);
  /** @type {readonly StepRow[]} */
  let rows = [];
  /** @type {Bar[]} */
  let bars = [];
  let look = { figure: /** @type {FigureKey} */ ('wall'), colors: /** @type {readonly string[]} */ ([]), usual: 0 };
  let [current, under, selected] = [-1, -1, -1];
  const spoken = () => (under >= 0 ? under : current);
  const draw = () => {
    const size = { width: element.clientWidth, height };
    if (size.width === 0 || rows.length === 0) return;
    if (bars.length !== Math.min(rows.length, size.width)) bars = barsOf(rows, look.figure, size.width);
    const at = (/** @type {number} */ row) => (row < 0 ? -1 : barOfRow(bars, row));
    paintSteps(fitCanvas(canvas, size.width, height), size, bars, inksOf(element, look.colors),
      { current: at(spoken()), selected: at(selected), usual: look.usual });
  };
  const say = () => {
    fill(told, ...tell(rows[spoken()]));
    element.setAttribute('aria-valuenow', String(spoken() + 1));
    element.setAttribute('aria-valuetext', told.textContent ?? '');
    draw();
  };
  const hover = (/** @type {number} */ row) => {
    if (row === under) return;
    under = row;
    say();
  };
  const rowAt = (/** @type {number} */ x) => bars[Math.floor(x / pitchOf(bars.length, element.clientWidth, height))]?.peak ?? -1;
  const click = (/** @type {PointerEvent} */ event) => {
    // What the first click opened may have moved the strip: the second one means the same step.
    const row = rows[event.detail > 1 ? current : rowAt(event.offsetX)];
    if (!row) return;
    current = row.number;
    if (event.detail > 1) lanes(row);
    else open(row);
    say();
  };
  const key = (/** @type {KeyboardEvent} */ event) => {
    const by = { ArrowLeft: -1, ArrowRight: 1, ArrowDown: -1, ArrowUp: 1, PageDown: -10, PageUp: 10, Home: -Infinity, End: Infinity }[event.key];
    const row = rows[current];
    if (event.key === 'Enter' && row) open(row);
    else if (event.key === 'l' && row) lanes(row);
    else if (by !== undefined) step(by);
    else return;
    event.preventDefault();
    event.stopPropagation();
  };
  const step = (/** @type {number} */ by) => {
    under = -1;
    current = Math.max(0, Math.min(rows.length - 1, current + by));
    say();
    const row = rows[current];
    if (row) walk(row);
  };
  new ResizeObserver(() => {
    bars = [];
    draw();
  }).observe(element);
  return {
    element, told, draw,
    show(next, figure, colors, usual) {
      if (next !== rows) current = under = -1;
      [rows, bars, look] = [next, [], { figure, colors, usual }];
      element.setAttribute('aria-valuemax', String(rows.length));
      say();
    },
    point(row, narrowed) {
      [current, selected] = [row, narrowed];
      say();
    },
  };
}

/**
 * @param {HTMLElement} element
 * @param {readonly string[]} colors of the groups, as variables of the style
 */
function inksOf(element, colors) {
  const style = getComputedStyle(element);
  const ink = (/** @type {string} */ name) => style.getPropertyValue(name).trim();
  return {
    groups: colors.map(ink), idle: ink('--idle'), left_out: ink('--ink-4'), accent: ink('--accent'),
    ground: ink('--accent-soft'), warn: ink('--warn'), quiet: ink('--ink-3'),
  };
}
