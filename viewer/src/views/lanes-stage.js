/**
 * The canvas of the lanes: which stretch of time and which rows are in sight. The canvas is as large
 * as the window it shows; a spacer gives the scroll bar its length and holds the names of the lanes.
 *
 * @import { Lanes, Shelf, Band } from '#viewer/logic/lanes.js'
 * @import { TimeView } from '#viewer/logic/span-list.js'
 * @import { Place } from '#viewer/logic/span-facts.js'
 * @import { Palette } from '#viewer/draw/palette.js'
 * @import { Step } from '#viewer/data/report.js'
 *
 * @typedef {{ place: Place | undefined, band: Band, gap: number }} Under a span, or a row of the idle
 *   pieces of the band's device; -1 for none
 *
 * @typedef {object} LanesEvents
 * @property {() => Palette} palette
 * @property {(under: Under | undefined, x: number, y: number) => void} hover
 * @property {(under: Under | undefined) => void} select
 * @property {(under: Under) => void} focus
 * @property {() => void} moved the stretch on show is another
 * @property {(range: { from: number, to: number } | undefined) => void} range
 */

import { h } from '#viewer/lib/dom.js';
import { shorter } from '#viewer/logic/names.js';
import { gapAt } from '#viewer/logic/gaps.js';
import { BAND_HEIGHT } from '#viewer/logic/lanes.js';
import { formatInstant, ticks } from '#viewer/logic/ruler.js';
import { launchedBy, launcherOf } from '#viewer/logic/span-facts.js';
import { emptySpanList, listSpans, spanAt } from '#viewer/logic/span-list.js';
import { fitCanvas, outline } from '#viewer/draw/flame.js';
import { paintEdges, paintLanes, paintLink, paintRuler, paintStretch } from '#viewer/draw/lanes.js';
import { N_BUCKETS } from '#viewer/draw/palette.js';
import { formatTime } from '#viewer/lib/units.js';
import { counterStrips, tellScales } from '#viewer/views/lanes-counters.js';

export const RULER_HEIGHT = 40;
/** Closest zoom: this many ns fill the width. */
const LEAST_NS = 50;
/** Work of one launch that lines are drawn to. */
const MOST_LINKS = 40;

/** @typedef {ReturnType<typeof createLanesStage>} LanesStage */

/** @param {LanesEvents} events */
export function createLanesStage(events) {
  const canvas = (/** @type {string} */ name) => h('canvas', { class: name, 'aria-hidden': 'true' });
  const [base, over, ruler] = [canvas('stage-base'), canvas('stage-over'), canvas('lanes-ruler')];
  const pane = h('div', { class: 'stage-pane lanes-pane' }, base, over);
  const heads = h('div', { class: 'lanes-heads' });
  const spacer = h('div', { class: 'stage-spacer' }, pane, heads);
  const scroll = h('div', { class: 'stage-scroll lanes-scroll' }, spacer);
  const element = h('div', { class: 'lanes-stage' }, h('div', { class: 'lanes-axis' }, ruler), scroll);
  /** @type {TimeView} */
  const view = { from: 0, to: 1, width: 0, height: 0, scroll: 0 };
  const self = {
    element, scroll, base, over, ruler, spacer, heads, view, events,
    list: emptySpanList(N_BUCKETS),
    /** @type {Shelf} */
    shelf: { bands: [], counters: [], heads: [], height: 0 },
    /** @type {Lanes | undefined} */
    lanes: undefined,
    /** @type {Uint8Array} */
    bucket: new Uint8Array(),
    /** @type {readonly Step[]} */
    steps: [],
    marks: {
      /** @type {Place | undefined} */ hover: undefined,
      /** @type {Place | undefined} */ select: undefined,
      /** @type {{ from: number, to: number } | undefined} */ range: undefined,
      /** What all views are narrowed to. @type {{ from: number, to: number } | undefined} */ narrowed: undefined,
    },
    /** @type {Map<number, string[]>} */
    names: new Map(),
    /** Beside each device's queue. @type {Map<number, HTMLElement>} */
    scales: new Map(),
    frame: 0,
  };
  new ResizeObserver(() => measure(self)).observe(scroll);
  scroll.addEventListener('scroll', () => {
    view.scroll = scroll.scrollTop;
    redraw(self);
  }, { passive: true });
  return self;
}

/** @param {LanesStage} stage */
export function measure(stage) {
  const { width } = stage.ruler.parentElement?.getBoundingClientRect() ?? { width: 0 };
  if (width === 0) return;
  stage.view.width = width - 1;
  stage.view.height = stage.scroll.clientHeight;
  redraw(stage);
}

/**
 * Paints in the next frame, however often it is asked for.
 * @param {LanesStage} stage
 */
export function redraw(stage) {
  if (stage.frame !== 0) return;
  stage.frame = requestAnimationFrame(() => {
    stage.frame = 0;
    draw(stage);
  });
}

/**
 * Paints now; answers how long the lists and the painting took, in milliseconds.
 * @param {LanesStage} stage
 */
export function draw(stage) {
  const { lanes, view, list, shelf } = stage;
  if (!lanes || view.width <= 0) return { list_ms: 0, paint_ms: 0 };
  const started = performance.now();
  listSpans(shelf.bands, view, stage.bucket, list);
  const counters = counterStrips(stage);
  const listed = performance.now();
  const palette = stage.events.palette();
  const context = fitCanvas(stage.base, view.width, view.height);
  paintLanes(context, view, list, palette, {
    labels: labelsOf(stage, lanes), busy: busyStrips(stage, lanes), outside: outside(stage, lanes),
    busy_fill: palette.fill[6 * 3] ?? '', counters,
  });
  tellScales(stage, counters);
  paintRuler(fitCanvas(stage.ruler, view.width, RULER_HEIGHT), { width: view.width, height: RULER_HEIGHT }, palette, marksOf(stage));
  drawMarks(stage);
  return { list_ms: listed - started, paint_ms: performance.now() - listed };
}

/**
 * @param {LanesStage} stage
 * @param {number} time
 */
export const xOf = ({ view }, time) => ((time - view.from) * view.width) / (view.to - view.from);
/**
 * @param {LanesStage} stage
 * @param {number} x
 */
export const timeOf = ({ view }, x) => view.from + (x * (view.to - view.from)) / view.width;

/**
 * @param {LanesStage} stage
 * @param {number} from
 * @param {number} to
 */
function stretch(stage, from, to) {
  const x = Math.max(-1, xOf(stage, from));
  return { x, width: Math.min(stage.view.width + 1, xOf(stage, to)) - x };
}

/**
 * The window behind the gaps of each device: what is not cut out of it was busy.
 * @param {LanesStage} stage
 * @param {Lanes} lanes
 */
export function busyStrips(stage, lanes) {
  const pieces = lanes.chart.index.window.map(([from, to]) => stretch(stage, from, to));
  const stretches = pieces.filter(({ width }) => width > 0);
  const bands = stage.shelf.bands.filter(({ kind }) => kind === 'idle');
  return bands.map(({ top }) => ({ y: top - stage.view.scroll, stretches }));
}

/**
 * What the report does not speak of.
 * @param {LanesStage} stage
 * @param {Lanes} lanes
 */
function outside(stage, lanes) {
  const edges = [-Infinity, ...lanes.chart.index.window.flat(), Infinity];
  const holes = [];
  for (let i = 0; i < edges.length; i += 2) {
    const { x, width } = stretch(stage, edges[i] ?? 0, edges[i + 1] ?? 0);
    if (width > 0) holes.push({ x, width });
  }
  return holes;
}

/**
 * @param {LanesStage} stage
 * @param {Lanes} lanes
 */
export function labelsOf(stage, lanes) {
  const { list, shelf } = stage;
  let label = -1;
  const bandOf = () => /** @type {Band} */ (shelf.bands[/** @type {number} */ (list.label_bands.data[label * 4])]);
  return {
    /** Asked once a label, in their order. @param {number} i */
    names(i) {
      label++;
      const band = bandOf();
      if (band.kind === 'idle') {
        const gap = gapAt(lanes, band.lane, i);
        const time = formatTime(gap.to - gap.from);
        const names = shorter(gap.owner);
        return [...names.map((name) => `${name} · ${time}`), ...names.slice(-1), time];
      }
      const frame = /** @type {number} */ (band.row.frame[i]);
      let names = stage.names.get(frame);
      if (!names) stage.names.set(frame, (names = shorter(lanes.frames.names[frame] ?? '')));
      return names;
    },
    /** @param {number} i */
    bucket(i) {
      const band = bandOf();
      return band.kind === 'idle' ? N_BUCKETS : /** @type {number} */ (stage.bucket[/** @type {number} */ (band.row.frame[i])]);
    },
  };
}

/** @param {LanesStage} stage */
function marksOf(stage) {
  const { view, steps } = stage;
  const { step, marks } = ticks(view.from, view.to, view.width / 110);
  const largest = Math.max(Math.abs(view.from), Math.abs(view.to));
  return {
    ticks: marks.map((ns) => ({ x: xOf(stage, ns), text: formatInstant(ns, step, largest) })),
    steps: steps.filter((one) => one.from_ns < view.to && one.from_ns + one.marker_ns > view.from)
      .slice(0, Math.ceil(view.width))
      .map(({ name, from_ns, marker_ns, kept }) => ({ ...stretch(stage, from_ns, from_ns + marker_ns), text: name, kept })),
  };
}

/**
 * Outlines, links and the chosen stretch, on their own canvas.
 * @param {LanesStage} stage
 */
export function drawMarks(stage) {
  const { view, marks, lanes } = stage;
  const context = fitCanvas(stage.over, view.width, view.height);
  context.clearRect(0, 0, view.width, view.height);
  if (!lanes) return;
  const palette = stage.events.palette();
  if (marks.narrowed) paintEdges(context, stretch(stage, marks.narrowed.from, marks.narrowed.to), view.height, palette.accent);
  if (marks.range) paintStretch(context, stretch(stage, marks.range.from, marks.range.to), view.height, palette.accent);
  for (const [place, color, line] of /** @type {const} */ ([[marks.hover, palette.text, 1], [marks.select, palette.accent, 2]])) {
    const box = place && boxOf(stage, place);
    if (box) outline(context, box, color, line);
  }
  if (marks.select) drawLinks(stage, lanes, marks.select, context, palette.accent);
}

/**
 * @param {LanesStage} stage
 * @param {Lanes} lanes
 * @param {Place} place
 * @param {CanvasRenderingContext2D} context
 * @param {string} color
 */
function drawLinks(stage, lanes, place, context, color) {
  const launcher = launcherOf(lanes, place);
  const pairs = launcher ? [[launcher, place]] : launchedBy(lanes, place, MOST_LINKS).first.map((work) => [place, work]);
  for (const [call, work] of pairs) {
    const from = call && anchor(stage, call, 'end');
    const to = work && anchor(stage, work, 'start');
    if (from && to) paintLink(context, from, to, color);
  }
}

/**
 * The middle of an edge of a span, even where it lies outside of what is in sight.
 * @param {LanesStage} stage
 * @param {Place} place
 * @param {'start' | 'end'} edge
 */
function anchor(stage, { lane, depth, row, i }, edge) {
  const bands = stage.shelf.bands.filter((band) => band.kind === 'spans' && band.lane === lane);
  const band = bands.find((one) => one.depth === depth) ?? bands[0];
  if (!band) return undefined;
  return { x: xOf(stage, /** @type {number} */ (row[edge][i])), y: band.top - stage.view.scroll + BAND_HEIGHT / 2 };
}

/**
 * Where a span is on screen.
 * @param {LanesStage} stage
 * @param {Place} place
 */
export function boxOf(stage, { lane, depth, row, i }) {
  const band = stage.shelf.bands.find((one) => one.kind === 'spans' && one.lane === lane && one.depth === depth);
  if (!band) return undefined;
  const x = Math.max(0, xOf(stage, /** @type {number} */ (row.start[i])));
  const right = Math.min(stage.view.width, xOf(stage, /** @type {number} */ (row.end[i])));
  if (right < 0 || x > stage.view.width) return undefined;
  return { x, y: band.top - stage.view.scroll, width: Math.max(2, right - x) };
}

/**
 * What lies under a point of the canvas.
 * @param {LanesStage} stage
 * @param {number} x
 * @param {number} y
 * @returns {Under | undefined}
 */
export function under(stage, x, y) {
  const top = y + stage.view.scroll;
  const band = stage.shelf.bands.find((one) => one.top <= top && top < one.top + BAND_HEIGHT);
  if (!band) return undefined;
  const reach = (2 * (stage.view.to - stage.view.from)) / stage.view.width;
  const i = spanAt(band.row, timeOf(stage, x), band.kind === 'idle' ? 0 : reach);
  if (band.kind === 'idle') return { place: undefined, band, gap: i };
  return { place: i < 0 ? undefined : { lane: band.lane, depth: band.depth, row: band.row, i }, band, gap: -1 };
}

/**
 * Shows a stretch of time, within what the chart has.
 * @param {LanesStage} stage
 * @param {number} from
 * @param {number} to
 */
export function show(stage, from, to) {
  const { lanes, view } = stage;
  if (!lanes) return;
  const { from_ns, to_ns } = lanes.chart.index;
  const whole = Math.max(LEAST_NS, to_ns - from_ns) * 1.02;
  const width = Math.min(whole, Math.max(LEAST_NS, to - from));
  const middle = (from + to) / 2;
  const edge = from_ns - whole * 0.01;
  view.from = Math.max(edge, Math.min(middle - width / 2, edge + whole - width));
  view.to = view.from + width;
  redraw(stage);
  stage.events.moved();
}

/**
 * Zooms by `factor` (below 1 is in) around a point of the canvas.
 * @param {LanesStage} stage
 * @param {number} x
 * @param {number} factor
 */
export function zoomAt(stage, x, factor) {
  const anchorTime = timeOf(stage, x);
  const { from, to } = stage.view;
  show(stage, anchorTime - (anchorTime - from) * factor, anchorTime + (to - anchorTime) * factor);
}

/**
 * @param {LanesStage} stage
 * @param {number} pixels to the right
 */
export function panBy(stage, pixels) {
  const { from, to, width } = stage.view;
  const by = (pixels * (to - from)) / width;
  show(stage, from + by, to + by);
}

/**
 * Scrolls so that a span's row is in sight.
 * @param {LanesStage} stage
 * @param {Place} place
 */
export function revealRow(stage, { lane, depth }) {
  const band = stage.shelf.bands.find((one) => one.kind === 'spans' && one.lane === lane && one.depth === depth);
  if (!band) return;
  const { scroll, height } = stage.view;
  if (band.top < scroll || band.top + BAND_HEIGHT > scroll + height) {
    stage.scroll.scrollTop = Math.max(0, band.top - height / 3);
  }
}
