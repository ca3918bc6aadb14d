/**
 * The lanes: what each device and each host thread did when, and why devices were idle.
 *
 * @import { App, View } from '#viewer/views/app.js'
 * @import { ViewState } from '#viewer/state/view-state.js'
 * @import { Chart } from '#viewer/data/chart.js'
 * @import { Lanes, Head } from '#viewer/logic/lanes.js'
 * @import { Place } from '#viewer/logic/span-facts.js'
 * @import { Gap } from '#viewer/logic/gaps.js'
 * @import { Under } from '#viewer/views/lanes-stage.js'
 */

import { KINDS, hashName } from '#viewer/lib/color.js';
import { fill, h } from '#viewer/lib/dom.js';
import { formatCount, formatTime } from '#viewer/lib/units.js';
import { gapAt } from '#viewer/logic/gaps.js';
import { openAtFirst, placeOf, shelve } from '#viewer/logic/lanes.js';
import { queueOf } from '#viewer/logic/queue.js';
import { matcher } from '#viewer/logic/search.js';
import { endOf, nameAt, numberOf, startOf } from '#viewer/logic/span-facts.js';
import { N_BUCKETS, bucketOf } from '#viewer/draw/palette.js';
import { currentCapture, currentChart } from '#viewer/views/app.js';
import { createExportMenu } from '#viewer/views/export-menu.js';
import { createLanesDetails } from '#viewer/views/lanes-details.js';
import { picture } from '#viewer/views/lanes-export.js';
import { tellCounter } from '#viewer/views/lanes-counters.js';
import { lanesKey } from '#viewer/views/lanes-keys.js';
import { listenToPointer } from '#viewer/views/lanes-pointer.js';
import { createLanesStage, drawMarks, redraw, revealRow, show } from '#viewer/views/lanes-stage.js';
import { stretchOf } from '#viewer/views/stretch.js';
import { createSearchBox } from '#viewer/views/search-box.js';
import { placeTooltip } from '#viewer/views/tooltip.js';

/** @typedef {ReturnType<typeof makeLanes>} LanesView */

/** A stretch is written to the URL when it has stood still so long. */
const SETTLED_MS = 250;

/**
 * @param {App} app
 * @returns {View & { lanes: LanesView }}
 */
export function createLanes(app) {
  const view = makeLanes(app);
  return {
    lanes: view,
    element: view.element,
    show: (state, before) => update(view, state, before),
    key: (event) => lanesKey(view, event),
    restyle: () => redraw(view.stage),
  };
}

/** @param {App} app */
function makeLanes(app) {
  const tooltip = h('div', { class: 'tooltip', hidden: true, 'aria-hidden': 'true' });
  const stage = createLanesStage({
    palette: app.palette,
    hover: (under, x, y) => hover(view, under, x, y),
    select: (under) => choose(view, under),
    focus: (under) => focusOn(view, under),
    moved: () => settle(view),
    range: (range) => chooseRange(view, range),
  });
  listenToPointer(stage);
  const holder = h('div', { class: 'stage lanes-holder', tabindex: 0, role: 'application', 'aria-label': 'Lanes: arrows walk spans, [ and ] walk gaps, ? lists all keys' }, stage.element, tooltip);
  const search = createSearchBox(app, { step: (by) => stepHit(view, by), leave: () => holder.focus() });
  const details = createLanesDetails(app, {
    select: (place) => select(view, place), gap: (gap) => chooseGap(view, gap, true),
    zoom: (from, to) => zoomTo(view, from, to), clear: () => clear(view),
  });
  const menu = createExportMenu(app, () => 'lanes', [{ title: 'Picture (SVG)', ending: '.svg', type: 'image/svg+xml', make: () => picture(view) }]);
  const readout = h('div', { class: 'lanes-readout', role: 'status' });
  const button = (/** @type {string} */ text, /** @type {string} */ title, /** @type {() => void} */ run) =>
    h('button', { type: 'button', class: 'button', title, onclick: run }, text);
  const element = h('section', { class: 'view lanes' },
    h('div', { class: 'toolbar' },
      h('div', { class: 'lanes-tools' }, button('Window', 'Show the window of the report (0)', () => fit(view)),
        button('Whole file', 'Show everything that was recorded', () => wholeFile(view)), readout),
      h('div', { class: 'toolbar-right' }, search.element, menu.element)),
    h('div', { class: 'flame-body' }, h('div', { class: 'flame-main' }, holder), details.element));
  const view = {
    app, element, stage, holder, tooltip, search, details, readout, menu,
    /** @type {Chart | undefined} */
    chart: undefined,
    /** @type {Set<number>} */
    open: new Set(),
    /** @type {Gap | undefined} */
    gap: undefined,
    /** @type {Uint8Array | undefined} */
    hit: undefined,
    ready: false, settling: 0, loading: Promise.resolve(),
    clear: () => clear(view),
  };
  return view;
}

/**
 * @param {LanesView} view
 * @param {ViewState} state
 * @param {ViewState | undefined} before
 */
async function update(view, state, before) {
  const { app, stage } = view;
  const chart = currentChart(app);
  if (!chart) {
    fill(view.holder, h('p', { class: 'lanes-none' }, 'This page was written without lanes.'));
    view.ready = true;
    return;
  }
  if (chart !== view.chart) view.loading = load(view, chart, state);
  await view.loading;
  if (!stage.lanes || state !== app.store.get()) return;
  if (!view.hit || state.search !== before?.search) searchFor(view, stage.lanes, state.search);
  if (state.to > state.from) {
    if (Math.round(stage.view.from) !== state.from || Math.round(stage.view.to) !== state.to) show(stage, state.from, state.to);
  } else if (view.ready && before?.view === 'lanes') fit(view);
  stage.marks.narrowed = stretchOf(app);
  const place = placeOf(stage.lanes, state.span);
  if (place) openLane(view, place);
  stage.marks.select = place;
  if (place) view.gap = undefined;
  redraw(stage);
  view.search.set(state.search);
  view.details.show(stage.lanes, { ...stage.marks, gap: view.gap });
  view.ready = true;
}

/**
 * Unpacks a chart: devices first, then the threads, each shown as soon as it is there.
 * @param {LanesView} view
 * @param {Chart} chart
 * @param {ViewState} state
 */
async function load(view, chart, state) {
  view.chart = chart;
  view.ready = false;
  const { stage } = view;
  const { index } = chart;
  const [frames, idle] = await Promise.all([chart.frames(), Promise.all(index.idle.map((_, device) => chart.idle(device)))]);
  const bucket = Uint8Array.from(frames.names, (name, i) => bucketOf(frames.kinds[i] ?? 0, hashName(name)));
  /** @type {Lanes} */
  const lanes = { chart, frames, rows: [], idle, queues: [] };
  stage.names.clear();
  Object.assign(stage, { lanes, bucket, steps: currentCapture(view.app)?.steps.list ?? [] });
  Object.assign(view, { gap: undefined, hit: undefined });
  if (state.to > state.from) show(stage, state.from, state.to);
  else fit(view);
  for (const [lane, { rows }] of index.lanes.entries()) {
    lanes.rows[lane] = await chart.lane(lane);
    if (view.chart !== chart) return;
    // Small lanes come all at once, a large one shows what there is before the next is unpacked.
    if (rows.reduce((sum, n) => sum + n, 0) > LARGE_LANE) await showRows(view, lanes);
  }
  lanes.queues = index.idle.map((_, device) => queueOf(lanes, device));
  await showRows(view, lanes);
}

/** Spans of a lane that take a while to unpack. */
const LARGE_LANE = 100_000;

/**
 * Shows the lanes that are unpacked, and lets the browser paint them.
 * @param {LanesView} view
 * @param {Lanes} lanes
 */
async function showRows(view, lanes) {
  view.open = openAtFirst(lanes);
  arrange(view);
  await new Promise(requestAnimationFrame);
}

/**
 * Puts the rows of open and closed lanes in their places.
 * @param {LanesView} view
 */
function arrange(view) {
  const { stage } = view;
  if (!stage.lanes) return;
  stage.shelf = shelve(stage.lanes, view.open);
  stage.spacer.style.height = `max(100%, ${stage.shelf.height + 24}px)`;
  stage.scales.clear();
  fill(stage.heads, stage.shelf.heads.map((head) => headOf(view, head)));
  redraw(stage);
}

/**
 * @param {LanesView} view
 * @param {Head} head
 */
function headOf(view, { kind, lane, name, more, top, n_rows, open }) {
  if (kind === 'queue') return queueHead(view, lane, name, top);
  const label = [h('span', { class: 'lane-name' }, name), more !== '' && h('span', { class: 'lane-more' }, more)];
  const style = `top:${top}px`;
  if (n_rows < 2) return h('div', { class: `lane-head ${kind}`, style, title: name }, label);
  return h('button', {
    type: 'button', class: `lane-head ${kind}`, style, title: name, 'aria-expanded': String(open),
    onclick: () => {
      if (open) view.open.delete(lane);
      else view.open.add(lane);
      arrange(view);
    },
  }, h('span', { class: 'lane-arrow', 'aria-hidden': 'true' }, open ? '▾' : '▸'), label);
}

/**
 * The name of a queue, and its scale, which each drawing tells.
 * @param {LanesView} view
 * @param {number} device
 * @param {string} name
 * @param {number} top
 */
function queueHead({ stage }, device, name, top) {
  const scale = h('span', { class: 'lane-scale' });
  stage.scales.set(device, scale);
  return h('div', {
    class: 'lane-head queue', role: 'img', style: `top:${top}px`, title: 'Launches that are not finished; the scale is that of what is on show',
  }, h('span', { class: 'lane-name' }, name), scale);
}

/**
 * @param {LanesView} view
 * @param {Place} place
 */
function openLane(view, { lane, depth }) {
  if (depth === 0 || view.open.has(lane)) return;
  view.open.add(lane);
  arrange(view);
}

/**
 * The window of the report, with a little around it.
 * @param {LanesView} view
 */
export function fit(view) {
  const { stage } = view;
  const window = stage.lanes?.chart.index.window ?? [];
  const [from, to] = [window[0]?.[0] ?? 0, window[window.length - 1]?.[1] ?? 0];
  if (to <= from) return wholeFile(view);
  show(stage, from - (to - from) * 0.02, to + (to - from) * 0.02);
}

/** @param {LanesView} view */
function wholeFile({ stage }) {
  const index = stage.lanes?.chart.index;
  if (index) show(stage, index.from_ns, index.to_ns);
}

/**
 * A stretch with room on both sides.
 * @param {LanesView} view
 * @param {number} from
 * @param {number} to
 */
export function zoomTo({ stage }, from, to) {
  const room = Math.max(100, (to - from) * 0.4);
  show(stage, from - room, to + room);
}

/**
 * Writes where the view came to rest into the URL, and how much is on show beside the buttons.
 * @param {LanesView} view
 */
function settle(view) {
  const { from, to } = view.stage.view;
  view.readout.textContent = `${formatTime(to - from)} on show`;
  clearTimeout(view.settling);
  view.settling = window.setTimeout(() => {
    if (view.app.store.get().view === 'lanes') view.app.store.update({ from: Math.round(from), to: Math.round(to) });
  }, SETTLED_MS);
}

/**
 * @param {LanesView} view
 * @param {Place} place
 */
export function select(view, place) {
  const { stage, app } = view;
  openLane(view, place);
  const [start, end] = [startOf(place), endOf(place)];
  if (end < stage.view.from || start > stage.view.to) {
    const half = Math.max((stage.view.to - stage.view.from) / 2, (end - start) * 0.7);
    show(stage, (start + end) / 2 - half, (start + end) / 2 + half);
  }
  revealRow(stage, place);
  view.gap = undefined;
  app.store.update({ span: numberOf(place) });
}

/**
 * @param {LanesView} view
 * @param {Under | undefined} under
 */
function choose(view, under) {
  const { lanes } = view.stage;
  if (under?.place) select(view, under.place);
  else if (lanes && under && under.gap >= 0) chooseGap(view, gapAt(lanes, under.band.lane, under.gap), false);
  else clear(view);
}

/**
 * @param {LanesView} view
 * @param {Gap} gap
 * @param {boolean} zoom
 */
export function chooseGap(view, gap, zoom) {
  const { stage, app } = view;
  view.gap = gap;
  stage.marks.range = { from: gap.from, to: gap.to };
  if (zoom || gap.to < stage.view.from || gap.from > stage.view.to) zoomTo(view, gap.from, gap.to);
  app.store.update({ span: -1 });
  refresh(view);
}

/**
 * @param {LanesView} view
 * @param {{ from: number, to: number } | undefined} range
 */
function chooseRange(view, range) {
  view.gap = undefined;
  view.stage.marks.range = range;
  view.app.store.update({ span: -1 });
  refresh(view);
}

/** @param {LanesView} view */
function clear(view) {
  view.gap = undefined;
  view.stage.marks.range = undefined;
  view.app.store.update({ span: -1 });
  refresh(view);
}

/** @param {LanesView} view */
function refresh(view) {
  const { stage } = view;
  if (view.app.store.get().span < 0) stage.marks.select = undefined;
  drawMarks(stage);
  if (stage.lanes) view.details.show(stage.lanes, { ...stage.marks, gap: view.gap });
}

/**
 * @param {LanesView} view
 * @param {Under} under
 */
function focusOn(view, under) {
  const { lanes } = view.stage;
  if (under.place) zoomTo(view, startOf(under.place), endOf(under.place));
  else if (lanes && under.gap >= 0) chooseGap(view, gapAt(lanes, under.band.lane, under.gap), true);
}

/**
 * Dims what does not match.
 * @param {LanesView} view
 * @param {Lanes} lanes
 * @param {string} text
 */
function searchFor(view, { frames, rows }, text) {
  const { stage } = view;
  const test = matcher(text);
  if (typeof test === 'string') return view.search.tell('', test, true);
  view.hit = Uint8Array.from(frames.names, (name) => (test && !test(name) ? 0 : 1));
  const hit = view.hit;
  stage.bucket = Uint8Array.from(frames.names, (name, i) =>
    bucketOf(frames.kinds[i] ?? 0, hashName(name)) + (hit[i] === 1 ? 0 : N_BUCKETS));
  if (!test) return view.search.tell('', '');
  let n = 0;
  for (const row of rows.flat()) for (const frame of row.frame) n += /** @type {number} */ (hit[frame]);
  const n_names = hit.reduce((sum, one) => sum + one, 0);
  view.search.tell(`${formatCount(n)} spans`, ` of ${formatCount(n_names)} names`);
}

/**
 * Selects the next or the previous match by time: in the selected row first in sight, else in any.
 * @param {LanesView} view
 * @param {number} by
 */
function stepHit(view, by) {
  const { stage, hit } = view;
  const { lanes, marks } = stage;
  if (!lanes || !hit || view.app.store.get().search === '') return;
  const after = marks.select ? startOf(marks.select) : by > 0 ? stage.view.from : stage.view.to;
  /** @type {Place | undefined} */
  let best;
  lanes.rows.forEach((rows, lane) => rows.forEach((row, depth) => {
    const found = nextHit(row, hit, after, by);
    if (found >= 0 && (!best || (/** @type {number} */ (row.start[found]) - startOf(best)) * by < 0)) best = { lane, depth, row, i: found };
  }));
  if (best) select(view, best);
}

/**
 * The nearest span of a row that matches and starts after `time`, or before it.
 * @param {import('#viewer/data/chart.js').Row} row
 * @param {Uint8Array} hit
 * @param {number} time
 * @param {number} by
 */
function nextHit({ start, frame }, hit, time, by) {
  for (let i = by > 0 ? 0 : start.length - 1; i >= 0 && i < start.length; i += by) {
    if ((/** @type {number} */ (start[i]) - time) * by > 0 && hit[/** @type {number} */ (frame[i])] === 1) return i;
  }
  return -1;
}

/**
 * @param {LanesView} view
 * @param {Under | undefined} under
 * @param {number} x
 * @param {number} y
 */
function hover(view, under, x, y) {
  const { tooltip, stage } = view;
  const { lanes } = stage;
  const told = lanes && (under ? tell(lanes, under) : tellCounter(stage, x, y));
  tooltip.hidden = !told;
  if (!told) return;
  fill(tooltip, h('div', { class: 'tooltip-name' }, told.name), h('div', { class: 'tooltip-figures' }, h('b', {}, told.figure), ` · ${told.more}`));
  placeTooltip(tooltip, { x: x + view.stage.over.offsetLeft, y: y + stage.ruler.offsetHeight, width: view.holder.clientWidth, height: view.holder.clientHeight });
}

/**
 * @param {Lanes} lanes
 * @param {Under} under
 */
function tell(lanes, { place, band, gap }) {
  if (place) return { name: nameAt(lanes, place), figure: formatTime(endOf(place) - startOf(place)), more: KINDS[lanes.frames.kinds[place.row.frame[place.i] ?? 0] ?? 0] ?? '' };
  if (gap < 0) return undefined;
  const { owner, from, to, class: of } = gapAt(lanes, band.lane, gap);
  return { name: owner, figure: formatTime(to - from), more: `idle · ${of}` };
}
