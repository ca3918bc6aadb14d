/**
 * What the flame graph saves: a picture of what is on show, and the stacks of the focus under the weight.
 *
 * @import { Flame } from '#viewer/views/flame.js'
 * @import { Scene } from '#viewer/logic/scene.js'
 * @import { Export } from '#viewer/views/export-menu.js'
 * @import { Stacks } from '#viewer/logic/export-stacks.js'
 * @import { Palette } from '#viewer/draw/palette.js'
 * @import { Stage } from '#viewer/views/stage.js'
 */

import { gzip } from '#viewer/lib/bytes.js';
import { formatCount, formatNoun, formatShare, formatValue } from '#viewer/lib/units.js';
import { emptyDrawList, listBoxes } from '#viewer/logic/drawlist.js';
import { foldedText, pprof } from '#viewer/logic/export-stacks.js';
import { runWeight } from '#viewer/logic/hit.js';
import { figures } from '#viewer/logic/scene.js';
import { nameOf } from '#viewer/logic/stack.js';
import { ROW_HEIGHT, flameRuler } from '#viewer/draw/flame.js';
import { N_BUCKETS } from '#viewer/draw/palette.js';
import { boxShapes, hatchedShapes, labelShapes, svg } from '#viewer/draw/svg.js';
import { currentFile, currentProfile } from '#viewer/views/app.js';
import { labelsOf, stageHeight } from '#viewer/views/stage.js';

/**
 * @param {() => Flame} flame
 * @returns {Export[]}
 */
export function flameExports(flame) {
  return [
    { title: 'Picture (SVG)', ending: '.svg', type: 'image/svg+xml', make: () => picture(flame()) },
    { title: 'Folded stacks', ending: '.folded', type: 'text/plain', make: () => withStacks(flame(), foldedText) },
    { title: 'pprof', ending: '.pb.gz', type: 'application/gzip', make: () => withStacks(flame(), (stacks) => gzip(pprof(stacks))) },
  ];
}

/**
 * @template Made
 * @param {Flame} flame
 * @param {(stacks: Stacks) => Made} make
 */
function withStacks({ app, whole }, make) {
  if (!whole) return undefined;
  const { tree, values, weight, unit, turned } = whole;
  const { decimals = 0 } = currentProfile(app)?.index.columns.find((column) => column.weight === weight) ?? {};
  return make({ tree, self: values.self, top: app.store.get().focus, turned, weight, unit, decimals });
}

/** @param {Flame} flame */
function picture({ app, stage }) {
  const { scene } = stage;
  if (!scene) return undefined;
  const palette = app.palette();
  const { shapes, height } = stageShapes(stage, palette);
  const { focus, search } = app.store.get();
  const sum = `${formatValue(scene.values.total[focus] ?? 0, scene.unit)} ${scene.title}`;
  const subtitle = `${sum}${focus > 0 ? ` below ${nameOf(scene.tree, focus)}` : ''} · ${formatCount(scene.layout.node.length)} frames${search === '' ? '' : ` · search: ${search}`}`;
  return svg({ width: stage.view.width, height: height + ROW_HEIGHT, title: currentFile(app), subtitle, shapes }, palette);
}

/**
 * What a stage shows from left to right, at its full height.
 * @param {Stage} stage
 * @param {Palette} palette
 * @returns {{ shapes: string[], height: number }} the height up to the lowest box
 */
export function stageShapes(stage, palette) {
  const { scene, paint } = stage;
  if (!scene || !paint) return { shapes: [], height: 0 };
  const list = emptyDrawList(N_BUCKETS);
  listBoxes(scene.layout, { ...stage.view, scroll: 0, height: stageHeight(stage) }, paint, list);
  const shapes = [
    ...hatchedShapes(list.runs, (i) => aboutRun(scene, list.run_rows.data.subarray(i * 4, i * 4 + 2))),
    ...boxShapes(list.boxes, palette, (row) => aboutRow(scene, row)),
    ...labelShapes(list.labels, palette, labelsOf(stage, scene, paint), flameRuler(stage.base)),
  ];
  return { shapes, height: Math.max(0, ...[...list.boxes, list.runs].map(lowest)) };
}

/** The top of the lowest box. @param {import('#viewer/lib/floats.js').Floats} list */
function lowest({ data, length }) {
  let top = 0;
  for (let i = 0; i < length; i += 4) top = Math.max(top, data[i + 1] ?? 0);
  return top;
}

/**
 * @param {Scene} scene
 * @param {number} row
 */
function aboutRow(scene, row) {
  const node = scene.layout.node[row] ?? 0;
  const { total, self, share, calls } = figures(scene, node);
  const more = calls > 0 ? `, ${formatNoun(calls, 'call')}` : '';
  return `${nameOf(scene.tree, node)}: ${formatValue(total, scene.unit)}, ${formatShare(share)}, self ${formatValue(self, scene.unit)}${more}`;
}

/**
 * @param {Scene} scene
 * @param {Float64Array} rows
 */
function aboutRun({ layout, unit }, [from = 0, to = 0]) {
  return `${formatNoun(to - from, 'frame')} too narrow to draw: ${formatValue(runWeight(layout, { from, to }), unit)} together`;
}
