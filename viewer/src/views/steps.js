/**
 * The strip of steps, read with the pointer or the arrow keys; a step leads to its stretch of the lanes.
 *
 * @import { App } from '#viewer/views/app.js'
 * @import { Capture, Step } from '#viewer/data/report.js'
 */

import { fill, h } from '#viewer/lib/dom.js';
import { formatCount, formatMs, formatNoun, formatShare, formatTime } from '#viewer/lib/units.js';
import { fitCanvas } from '#viewer/draw/flame.js';
import { barAt, paintSteps } from '#viewer/draw/steps.js';
import { prose } from '#viewer/views/prose.js';

const HEIGHT = 84;

/** @param {App} app */
export function createSteps(app) {
  const canvas = h('canvas', { 'aria-hidden': 'true' });
  const told = h('div', { class: 'steps-told', 'aria-live': 'polite' });
  const holder = h('div', {
    class: 'steps', tabindex: 0, role: 'slider', 'aria-label': 'Steps; Enter shows one in the lanes', 'aria-valuemin': 1,
    onkeydown: (/** @type {KeyboardEvent} */ event) => key(event),
    onpointermove: (/** @type {PointerEvent} */ event) => point(event.offsetX),
    onpointerleave: () => pick(-1),
    onclick: (/** @type {PointerEvent} */ event) => {
      point(event.offsetX);
      open(list()[current]);
    },
  }, canvas);
  /** @type {Capture | undefined} */
  let capture;
  let current = -1;
  const list = () => capture?.steps.list ?? [];
  const draw = () => {
    if (holder.clientWidth === 0) return;
    const size = { width: holder.clientWidth, height: HEIGHT };
    const bars = list().map((step) => ({ busy: step.busy_ns, idle: step.idle_ns, kept: step.kept }));
    const style = getComputedStyle(holder);
    const ink = (/** @type {string} */ name) => style.getPropertyValue(name).trim();
    const inks = { busy: ink('--compute'), idle: ink('--idle'), left_out: ink('--ink-4'), accent: ink('--accent') };
    paintSteps(fitCanvas(canvas, size.width, size.height), size, bars, inks, current);
  };
  const pick = (/** @type {number} */ index) => {
    current = Math.max(-1, Math.min(list().length - 1, index));
    fill(told, ...(capture ? tell(capture, current) : []));
    holder.setAttribute('aria-valuenow', String(current + 1));
    holder.setAttribute('aria-valuetext', told.textContent ?? '');
    draw();
  };
  const point = (/** @type {number} */ x) => pick(Math.floor(x / barAt(0, list().length, holder.clientWidth).pitch));
  const open = (/** @type {Step | undefined} */ step) => {
    if (step) app.openTime({ from_ns: step.from_ns, to_ns: step.from_ns + step.wall_ns });
  };
  const key = (/** @type {KeyboardEvent} */ event) => {
    if (event.key === 'Enter') open(list()[current]);
    const by = { ArrowLeft: -1, ArrowRight: 1, Home: -Infinity, End: Infinity }[event.key];
    if (by === undefined) return;
    event.preventDefault();
    pick(Math.max(0, current + by));
  };
  new ResizeObserver(draw).observe(holder);
  return {
    restyle: draw,
    /** @param {Capture} next */
    show(next) {
      capture = next;
      if (next.steps.list.length === 0) return null;
      holder.setAttribute('aria-valuemax', String(next.steps.list.length));
      pick(-1);
      // One bar compares with nothing.
      const several = next.steps.list.length > 1;
      return h('section', { class: 'card' },
        h('div', { class: 'card-head' }, h('h2', {}, 'Steps'), several && h('div', { class: 'keys' },
          h('span', { class: 'swatch compute' }), 'busy', h('span', { class: 'swatch idle' }), 'idle',
          lanes(open, 'Slowest', extreme(next, 1)), lanes(open, 'Fastest', extreme(next, -1)))),
        several && holder, told, patterns(next));
    },
  };
}

/**
 * @param {(step: Step | undefined) => void} open
 * @param {string} text
 * @param {Step | undefined} step
 */
const lanes = (open, text, step) => step && h('button', {
  type: 'button', class: 'link', title: `Show ${step.name}, ${formatMs(step.wall_ns)}, in the lanes`, onclick: () => open(step),
}, text);

/**
 * The longest of the kept steps, or the shortest.
 * @param {Capture} capture
 * @param {number} by 1 or -1
 */
function extreme({ steps }, by) {
  const kept = steps.list.filter((step) => step.kept);
  return kept.toSorted((a, b) => (b.wall_ns - a.wall_ns) * by)[0];
}

/**
 * What an average over the steps would hide.
 * @param {Capture} capture
 */
function patterns({ steps }) {
  return steps.patterns.length > 0 && h('ul', { class: 'steps-patterns', 'aria-label': 'How steps differ' },
    steps.patterns.map(({ pattern, sentence }) =>
      h('li', {}, h('span', { class: 'chip' }, pattern), h('span', {}, prose(sentence)))));
}

/**
 * @param {Capture} capture
 * @param {number} index -1 tells of all steps
 */
function tell({ steps }, index) {
  const step = steps.list[index];
  if (!step) {
    const { p50, min, max } = steps.wall_ns;
    const spread = steps.count > 1 ? `median ${formatTime(p50)} · from ${formatTime(min)} to ${formatTime(max)}` : formatTime(p50);
    return [`${formatNoun(steps.count, 'step')} kept of ${formatCount(steps.list.length + steps.not_listed)} · ${spread}`,
      steps.marker !== null && h('span', { class: 'steps-marker' }, steps.marker)];
  }
  return [h('b', {}, step.name), ` · wall ${formatMs(step.wall_ns)} · busy ${formatMs(step.busy_ns)} · idle ${formatMs(step.idle_ns)} (${idleShare(step)})`,
    ` · ${formatCount(step.kernels)} kernels`, !step.kept && ' · left out',
    h('span', { class: 'steps-marker' }, 'Click, or Enter: lanes')];
}

/** @param {Step} step */
function idleShare(step) {
  return formatShare(step.wall_ns > 0 ? step.idle_ns / step.wall_ns : 0);
}
