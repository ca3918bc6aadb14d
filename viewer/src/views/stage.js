/**
 * The canvas of the flame graph: what of it is in sight, and the pointer over it. The canvas is as
 * large as the window it shows; a spacer gives the scroll bar its length.
 *
 * @import { Scene } from '#viewer/logic/scene.js'
 * @import { Paint, Viewport } from '#viewer/logic/drawlist.js'
 * @import { Hit } from '#viewer/logic/hit.js'
 * @import { Palette } from '#viewer/draw/palette.js'
 *
 * @typedef {object} StageEvents
 * @property {() => Palette} palette
 * @property {(hit: Hit | undefined, x: number, y: number) => void} hover
 * @property {(hit: Hit) => void} select
 * @property {(node: number) => void} focus
 * @property {() => void} [moved] another stretch is shown
 */

import { h } from '#viewer/lib/dom.js';
import { emptyDrawList, levelTop, listBoxes } from '#viewer/logic/drawlist.js';
import { hitTest } from '#viewer/logic/hit.js';
import { shorter } from '#viewer/logic/names.js';
import { nameOf } from '#viewer/logic/stack.js';
import { N_BUCKETS } from '#viewer/draw/palette.js';
import { ROW_HEIGHT, fitCanvas, outline, paintFlame } from '#viewer/draw/flame.js';
import { listenToPointer } from '#viewer/views/stage-pointer.js';

/** Ancestors that stay in sight above the focus. */
const ROWS_ABOVE_FOCUS = 3;
const GLIDE_MS = 160;

/** @typedef {ReturnType<typeof createStage>} Stage */

/**
 * @param {StageEvents} events
 * @param {number} first level drawn
 */
export function createStage(events, first = 0) {
  const base = h('canvas', { class: 'stage-base', 'aria-hidden': 'true' });
  const over = h('canvas', { class: 'stage-over', 'aria-hidden': 'true' });
  const pane = h('div', { class: 'stage-pane' }, base, over);
  const spacer = h('div', { class: 'stage-spacer' }, pane);
  const element = h('div', { class: 'stage-scroll' }, spacer);
  /** @type {Viewport} */
  const view = { from: 0, to: 1, width: 0, height: 0, scroll: 0, row_height: ROW_HEIGHT, flip: false, first };
  const self = {
    element, base, over, spacer, view, events,
    list: emptyDrawList(N_BUCKETS),
    marks: { hover: -1, select: -1 },
    /** @type {Scene | undefined} */
    scene: undefined,
    /** @type {Paint | undefined} */
    paint: undefined,
    /** @type {Map<number, string[]>} */
    names: new Map(),
    frame: 0, glide: 0,
  };
  new ResizeObserver(() => measure(self)).observe(element);
  element.addEventListener('scroll', () => {
    view.scroll = element.scrollTop;
    redraw(self);
  }, { passive: true });
  listenToPointer(self);
  return self;
}

/** @param {Stage} stage */
export function measure(stage) {
  const { clientWidth, clientHeight } = stage.element;
  if (clientWidth === 0) return;
  stage.view.width = clientWidth;
  stage.view.height = clientHeight;
  redraw(stage);
}

/**
 * @param {Stage} stage
 * @param {Scene} scene
 * @param {Paint} paint
 * @param {boolean} flip
 */
export function setScene(stage, scene, paint, flip) {
  const turned = stage.view.flip !== flip;
  if (stage.scene?.tree.names !== scene.tree.names) stage.names.clear();
  stage.scene = scene;
  stage.paint = paint;
  stage.view.flip = flip;
  const height = stageHeight(stage);
  stage.spacer.style.height = `max(100%, ${height}px)`;
  if (turned) stage.element.scrollTop = flip ? height : 0;
  measure(stage);
}

/**
 * The height that all levels take, with a row to spare below a root that is drawn.
 * @param {Stage} stage
 */
export function stageHeight({ scene, view }) {
  const levels = scene?.layout.n_levels ?? 0;
  return (view.first > 0 ? levels - view.first : levels + 1) * ROW_HEIGHT;
}

/**
 * Paints in the next frame, however often it is asked for.
 * @param {Stage} stage
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
 * @param {Stage} stage
 */
export function draw(stage) {
  const { scene, paint, view, list } = stage;
  if (!scene || !paint || view.width === 0) return { list_ms: 0, paint_ms: 0, n_boxes: 0, n_runs: 0 };
  const started = performance.now();
  listBoxes(scene.layout, view, paint, list);
  const listed = performance.now();
  const context = fitCanvas(stage.base, view.width, view.height);
  paintFlame(context, view, list, stage.events.palette(), labelsOf(stage, scene, paint));
  drawMarks(stage);
  const n_boxes = list.boxes.reduce((n, boxes) => n + boxes.length / 4, 0);
  const n_runs = list.runs.length / 4;
  return { list_ms: listed - started, paint_ms: performance.now() - listed, n_boxes, n_runs };
}

/**
 * @param {Stage} stage
 * @param {Scene} scene
 * @param {Paint} paint
 */
export function labelsOf(stage, scene, paint) {
  const { tree, layout } = scene;
  const node = (/** @type {number} */ row) => /** @type {number} */ (layout.node[row]);
  return {
    names(/** @type {number} */ row) {
      const frame = /** @type {number} */ (tree.frame[node(row)]);
      let names = stage.names.get(frame);
      if (!names) stage.names.set(frame, (names = shorter(nameOf(tree, node(row)))));
      const n_folded = scene.folded?.[node(row)] ?? 0;
      return n_folded > 0 ? names.map((name) => `⋯${n_folded} ${name}`) : names;
    },
    bucket(/** @type {number} */ row) {
      const bucket = /** @type {number} */ (paint.bucket[/** @type {number} */ (tree.frame[node(row)])]);
      const faded = /** @type {number} */ (tree.depth[node(row)]) < paint.faded;
      return faded && bucket < N_BUCKETS ? bucket + N_BUCKETS : bucket;
    },
  };
}

/**
 * Outlines of the selected node and the one under the pointer, on their own canvas.
 * @param {Stage} stage
 */
export function drawMarks(stage) {
  const { view, marks } = stage;
  const context = fitCanvas(stage.over, view.width, view.height);
  context.clearRect(0, 0, view.width, view.height);
  const palette = stage.events.palette();
  for (const [node, color, line] of /** @type {const} */ ([
    [marks.hover, palette.text, 1], [marks.select, palette.accent, 2],
  ])) {
    const box = boxOf(stage, node);
    if (box) outline(context, box, color, line);
  }
}

/**
 * Where a node is on screen.
 * @param {Stage} stage
 * @param {number} node
 */
export function boxOf(stage, node) {
  const { scene, view } = stage;
  if (scene && /** @type {number} */ (scene.tree.depth[node]) < view.first) return undefined;
  const place = scene && node >= 0 ? scene.layout.place[node] ?? -1 : -1;
  if (!scene || place < 0) return undefined;
  const scale = view.width / (view.to - view.from);
  const left = (/** @type {number} */ (scene.layout.left[place]) - view.from) * scale;
  const right = left + /** @type {number} */ (scene.layout.width[place]) * scale;
  if (right < 0 || left > view.width) return undefined;
  const x = Math.max(0, left);
  const y = levelTop(view, /** @type {number} */ (scene.tree.depth[node]), scene.layout.n_levels);
  return { x, y, width: Math.min(view.width, right) - x };
}

/**
 * The node under a point of the canvas.
 * @param {Stage} stage
 * @param {number} x
 * @param {number} y
 */
export function nodeAt(stage, x, y) {
  return stage.scene ? hitTest(stage.scene.layout, stage.view, stage.list, x, y) : undefined;
}

/**
 * Makes a node fill the width, gliding there unless motion is unwanted.
 * @param {Stage} stage
 * @param {number} node
 * @param {boolean} glide
 */
export function showNode(stage, node, glide) {
  const { scene } = stage;
  const place = scene?.layout.place[node] ?? -1;
  if (!scene || place < 0) return;
  const from = /** @type {number} */ (scene.layout.left[place]);
  const to = from + /** @type {number} */ (scene.layout.width[place]);
  moveTo(stage, from, to, glide);
  revealRow(stage, node, ROWS_ABOVE_FOCUS);
}

/**
 * Scrolls so that a node's row is in sight.
 * @param {Stage} stage
 * @param {number} node
 * @param {number} above rows to keep in sight on the root's side
 */
export function revealRow(stage, node, above) {
  const { scene, view, element } = stage;
  if (!scene) return;
  const y = levelTop(view, /** @type {number} */ (scene.tree.depth[node]), scene.layout.n_levels);
  const lowest = (above + 1) * ROW_HEIGHT;
  const inSight = view.flip ? y >= 0 && y <= view.height - lowest
    : y >= Math.min(lowest - ROW_HEIGHT, view.scroll + y) && y <= view.height - 2 * ROW_HEIGHT;
  if (inSight) return;
  const top = y + view.scroll;
  element.scrollTop = view.flip ? top - view.height + lowest : top - lowest + ROW_HEIGHT;
}

/**
 * Shows the stretch from `from` to `to`.
 * @param {Stage} stage
 * @param {number} from
 * @param {number} to
 * @param {boolean} glide
 */
export function moveTo(stage, from, to, glide) {
  const { view } = stage;
  cancelAnimationFrame(stage.glide);
  const still = matchMedia('(prefers-reduced-motion: reduce)').matches;
  const start = { from: view.from, to: view.to, time: performance.now() };
  const tick = (/** @type {number} */ now) => {
    const done = !glide || still ? 1 : Math.min(1, Math.max(0, now - start.time) / GLIDE_MS);
    const eased = 1 - (1 - done) ** 3;
    view.from = start.from + (from - start.from) * eased;
    view.to = start.to + (to - start.to) * eased;
    if (done < 1) stage.glide = requestAnimationFrame(tick);
    else [view.from, view.to, stage.glide] = [from, to, 0];
    draw(stage);
    stage.events.moved?.();
  };
  tick(start.time);
}

/**
 * Zooms by `factor` (below 1 is in) around a point of the canvas.
 * @param {Stage} stage
 * @param {number} x
 * @param {number} factor
 */
export function zoomAt(stage, x, factor) {
  const { scene, view } = stage;
  if (!scene || scene.layout.sum <= 0) return;
  const anchor = view.from + ((view.to - view.from) * x) / view.width;
  const width = Math.min(scene.layout.sum, Math.max(1e-6, (view.to - view.from) * factor));
  const from = anchor - (width * x) / view.width;
  place(stage, from, width);
}

/**
 * @param {Stage} stage
 * @param {number} pixels to the right
 */
export function panBy(stage, pixels) {
  const { view } = stage;
  const width = view.to - view.from;
  place(stage, view.from + (pixels * width) / view.width, width);
}

/**
 * @param {Stage} stage
 * @param {number} from
 * @param {number} width
 */
function place(stage, from, width) {
  const sum = stage.scene?.layout.sum ?? 1;
  stage.view.from = Math.max(0, Math.min(from, sum - width));
  stage.view.to = stage.view.from + width;
  redraw(stage);
  stage.events.moved?.();
}
