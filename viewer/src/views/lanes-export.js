/**
 * What the lanes save: a picture of the stretch of time on show, all rows of the open lanes.
 *
 * @import { LanesView } from '#viewer/views/lanes.js'
 * @import { Lanes } from '#viewer/logic/lanes.js'
 * @import { LanesStage } from '#viewer/views/lanes-stage.js'
 */

import { KINDS } from '#viewer/lib/color.js';
import { formatTime } from '#viewer/lib/units.js';
import { gapAt } from '#viewer/logic/gaps.js';
import { emptySpanList, listSpans } from '#viewer/logic/span-list.js';
import { ROW_HEIGHT, flameRuler } from '#viewer/draw/flame.js';
import { N_BUCKETS } from '#viewer/draw/palette.js';
import { counterShapes } from '#viewer/draw/counters.js';
import { boxShapes, columnShapes, hatchedShapes, labelShapes, nameShape, rect, svg } from '#viewer/draw/svg.js';
import { currentCapture } from '#viewer/views/app.js';
import { counterStrips, scale } from '#viewer/views/lanes-counters.js';
import { busyStrips, labelsOf } from '#viewer/views/lanes-stage.js';

/** Room for the names of lanes. */
const GUTTER = 200;

/** @param {LanesView} lanes_view */
export function picture({ app, stage }) {
  const { lanes, shelf, bucket } = stage;
  if (!lanes) return undefined;
  const view = { ...stage.view, scroll: 0, height: shelf.height };
  const drawn = { ...stage, view, list: emptySpanList(N_BUCKETS) };
  listSpans(shelf.bands, view, bucket, drawn.list);
  const palette = app.palette();
  const counters = counterStrips(drawn);
  const shapes = [
    ...busyStrips(drawn, lanes).flatMap(({ y, stretches }) => stretches.map(({ x, width }) => rect(x, y, width, palette.fill[KINDS.indexOf('kernel') * 3] ?? '', 'busy'))),
    ...gapShapes(drawn, lanes, palette.ground),
    // What is idle in columns too narrow for a piece, cut out as far as it reaches.
    ...columnShapes([drawn.list.thin], { ...palette, fill: [palette.ground] }),
    ...counterShapes(counters, view.width, palette),
    ...columnShapes(drawn.list.columns, palette),
    ...boxShapes(drawn.list.boxes, palette, (i, y) => aboutSpan(drawn, lanes, i, y)),
    ...labelShapes(drawn.list.labels, palette, labelsOf(drawn, lanes), flameRuler(stage.base)),
  ];
  const most = new Map(counters.map((counter) => [counter.device, counter.most]));
  const names = shelf.heads.map(({ kind, lane, name, top }) =>
    nameShape(kind === 'queue' ? `${name} · ${scale(most.get(lane) ?? 0)}` : name, top, GUTTER, palette));
  const [from, to] = [formatTime(view.from), formatTime(view.to)];
  return svg({
    width: view.width + GUTTER, height: shelf.height + ROW_HEIGHT, title: currentCapture(app)?.file ?? '',
    subtitle: `${from} to ${to}, ${formatTime(view.to - view.from)} · hatched: the device was idle${counters.length > 0 ? ' · queue: launches not finished' : ''}`,
    shapes: [...names, `<svg x="${GUTTER}" width="${view.width}" height="${shelf.height}">`, ...shapes, '</svg>'],
  }, palette);
}

/**
 * Idle pieces cut out of the busy strips.
 * @param {LanesStage} stage
 * @param {Lanes} lanes
 * @param {string} ground
 */
function gapShapes({ list, shelf }, lanes, ground) {
  const { data } = list.gaps;
  const device = (/** @type {number} */ y) => shelf.bands.find(({ kind, top }) => kind === 'idle' && top === y)?.lane ?? 0;
  const behind = [];
  for (let i = 0; i < list.gaps.length; i += 4) behind.push(rect(data[i] ?? 0, data[i + 1] ?? 0, data[i + 2] ?? 0, ground, ''));
  return [...behind, ...hatchedShapes(list.gaps, (i, row) => {
    const { owner, from, to, class: of } = gapAt(lanes, device(data[i * 4 + 1] ?? 0), row);
    return `idle ${formatTime(to - from)}: ${owner} (${of})`;
  })];
}

/**
 * @param {LanesStage} stage
 * @param {Lanes} lanes
 * @param {number} i
 * @param {number} y
 */
function aboutSpan({ shelf }, { frames }, i, y) {
  const row = shelf.bands.find((band) => band.kind === 'spans' && band.top === y)?.row;
  if (!row) return '';
  const [start = 0, end = 0] = [row.start[i], row.end[i]];
  return `${frames.names[row.frame[i] ?? 0]}: ${formatTime(end - start)}, at ${formatTime(start)}`;
}
