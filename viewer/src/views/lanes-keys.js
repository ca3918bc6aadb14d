/**
 * The keys of the lanes.
 *
 * @import { LanesView } from '#viewer/views/lanes.js'
 */

import { nextGap } from '#viewer/logic/gaps.js';
import { lastAtMost } from '#viewer/lib/bisect.js';
import { around, endOf, launchedBy, launcherOf, sameName, startOf } from '#viewer/logic/span-facts.js';
import { panBy, show, zoomAt } from '#viewer/views/lanes-stage.js';
import { chooseGap, fit, select, zoomTo } from '#viewer/views/lanes.js';

/** @type {Readonly<Record<string, (view: LanesView) => void>>} */
const KEYS = {
  '/': (view) => view.search.focus(),
  w: ({ stage }) => zoomAt(stage, stage.view.width / 2, 0.7),
  s: ({ stage }) => zoomAt(stage, stage.view.width / 2, 1 / 0.7),
  '+': ({ stage }) => zoomAt(stage, stage.view.width / 2, 0.7),
  '=': ({ stage }) => zoomAt(stage, stage.view.width / 2, 0.7),
  '-': ({ stage }) => zoomAt(stage, stage.view.width / 2, 1 / 0.7),
  a: ({ stage }) => panBy(stage, -stage.view.width / 6),
  d: ({ stage }) => panBy(stage, stage.view.width / 6),
  f: (view) => zoomSelection(view),
  0: (view) => fit(view),
  '[': (view) => walkGaps(view, -1),
  ']': (view) => walkGaps(view, 1),
  ',': (view) => along(view, (place) => sameName(place, -1)),
  '.': (view) => along(view, (place) => sameName(place, 1)),
  ArrowLeft: (view) => along(view, ({ i, ...rest }) => (i > 0 ? { ...rest, i: i - 1 } : undefined)),
  ArrowRight: (view) => along(view, ({ i, ...rest }) => (i + 1 < rest.row.start.length ? { ...rest, i: i + 1 } : undefined)),
  ArrowUp: (view) => along(view, (place) => view.stage.lanes && around(view.stage.lanes, place).at(-2)),
  ArrowDown: (view) => inwards(view),
  l: (view) => along(view, (place) => view.stage.lanes
    && (launcherOf(view.stage.lanes, place) ?? launchedBy(view.stage.lanes, place, 1).first[0])),
  v: (view) => narrow(view),
  e: (view) => view.menu.open(),
  Enter: (view) => zoomSelection(view),
  Escape: (view) => view.clear(),
};

/**
 * @param {LanesView} view
 * @param {KeyboardEvent} event
 */
export function lanesKey(view, event) {
  const run = KEYS[event.key];
  const onControl = event.target instanceof HTMLButtonElement;
  if (!run || !view.stage.lanes || (onControl && event.key === 'Enter')) return false;
  run(view);
  return true;
}

/**
 * From the selected span to another; without one, the first in the middle of what is on show.
 * @param {LanesView} view
 * @param {(place: import('#viewer/logic/span-facts.js').Place) => import('#viewer/logic/span-facts.js').Place | undefined} next
 */
function along(view, next) {
  const { marks, shelf, view: { from, to } } = view.stage;
  if (marks.select) {
    const found = next(marks.select);
    if (found) select(view, found);
    return;
  }
  const band = shelf.bands.find(({ kind }) => kind === 'spans');
  if (!band) return;
  const i = Math.max(0, lastAtMost(band.row.start, 0, band.row.start.length, (from + to) / 2));
  if (band.row.start.length > 0) select(view, { lane: band.lane, depth: band.depth, row: band.row, i });
}

/**
 * To the first span inside the selected one.
 * @param {LanesView} view
 */
function inwards(view) {
  along(view, (place) => {
    const row = view.stage.lanes?.rows[place.lane]?.[place.depth + 1];
    if (!row) return undefined;
    const i = lastAtMost(row.start, 0, row.start.length, startOf(place));
    const at = i >= 0 && row.start[i] === startOf(place) ? i : i + 1;
    const inside = at < row.start.length && /** @type {number} */ (row.start[at]) < /** @type {number} */ (place.row.end[place.i]);
    return inside ? { ...place, depth: place.depth + 1, row, i: at } : undefined;
  });
}

/** @param {LanesView} view */
function zoomSelection(view) {
  const { select: place, range } = view.stage.marks;
  if (place) zoomTo(view, startOf(place), /** @type {number} */ (place.row.end[place.i]));
  else if (view.gap) zoomTo(view, view.gap.from, view.gap.to);
  else if (range) show(view.stage, range.from, range.to);
  else fit(view);
}

/**
 * Narrows all views to the selected span, the chosen stretch, else to what is on show.
 * @param {LanesView} view
 */
function narrow({ app, stage }) {
  const { select: place, range } = stage.marks;
  if (place) app.narrow(startOf(place), endOf(place));
  else if (range) app.narrow(range.from, range.to);
  else app.narrow(stage.view.from, stage.view.to);
}

/**
 * To the next gap that is worth a look: at least a thousandth of what is on show.
 * @param {LanesView} view
 * @param {number} by
 */
function walkGaps(view, by) {
  const { lanes, view: { from, to } } = view.stage;
  if (!lanes) return;
  const at = view.gap ? (view.gap.from + view.gap.to) / 2 : (from + to) / 2;
  const gap = nextGap(lanes, at, by, (to - from) / 1000);
  if (gap) chooseGap(view, gap, false);
}
