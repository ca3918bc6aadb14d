/**
 * What the sandwich saves: a picture of both sides, and the stacks that the function is in, whole.
 *
 * @import { Export } from '#viewer/views/export-menu.js'
 * @import { Sandwich } from '#viewer/views/sandwich.js'
 * @import { Stacks } from '#viewer/logic/export-stacks.js'
 */

import { gzip } from '#viewer/lib/bytes.js';
import { formatShare, formatValue } from '#viewer/lib/units.js';
import { foldedText, pprof, selfThrough } from '#viewer/logic/export-stacks.js';
import { ROW_HEIGHT } from '#viewer/draw/flame.js';
import { nameShape, rect, svg } from '#viewer/draw/svg.js';
import { currentFile, currentProfile } from '#viewer/views/app.js';
import { stageShapes } from '#viewer/views/flame-export.js';
import { stageHeight } from '#viewer/views/stage.js';

/**
 * @param {() => Sandwich} view
 * @returns {Export[]}
 */
export function sandwichExports(view) {
  return [
    { title: 'Picture (SVG)', ending: '.svg', type: 'image/svg+xml', make: () => picture(view()) },
    { title: 'Folded stacks', ending: '.folded', type: 'text/plain', make: () => withStacks(view(), foldedText) },
    { title: 'pprof', ending: '.pb.gz', type: 'application/gzip', make: () => withStacks(view(), (stacks) => gzip(pprof(stacks))) },
  ];
}

/**
 * The function and the weight, as a part of the file's name.
 * @param {Sandwich} view
 */
export function exportName({ scene, pivot }) {
  return scene && pivot ? `${scene.weight}.${(scene.tree.names[pivot.frame] ?? '').slice(0, 60)}` : '';
}

/**
 * @template Made
 * @param {Sandwich} view
 * @param {(stacks: Stacks) => Made} make
 */
function withStacks({ app, scene, pivot, halves }, make) {
  if (!scene || !pivot || !halves) return undefined;
  const { tree, values, weight, unit } = scene;
  const { decimals = 0 } = currentProfile(app)?.index.columns.find((column) => column.weight === weight) ?? {};
  return make({ tree, self: selfThrough(tree, values.self, pivot.frame), top: 0, weight, unit, decimals });
}

/** @param {Sandwich} view */
function picture({ app, scene, pivot, halves, callers, callees }) {
  if (!scene || !pivot || !halves) return undefined;
  const palette = app.palette();
  const [above, below] = [stageShapes(callers, palette), stageShapes(callees, palette)];
  const name = scene.tree.names[pivot.frame] ?? '';
  const told = `${formatValue(pivot.total, scene.unit)}, self ${formatValue(pivot.self, scene.unit)}, ${formatShare(pivot.total / (scene.layout.sum || 1))} of ${scene.title}`;
  const bar = stageHeight(callers);
  const { width } = callees.view;
  return svg({
    width, height: bar + below.height + 2 * ROW_HEIGHT, title: `${name} · ${currentFile(app)}`, subtitle: `${told} · callers above, callees below`,
    shapes: [
      ...above.shapes,
      `<g transform="translate(0 ${bar})">`, rect(0, 0, width, palette.hatch, `${name}: ${told}`), nameShape(name, 0, 0, palette), '</g>',
      `<g transform="translate(0 ${bar + ROW_HEIGHT})">`, ...below.shapes, '</g>',
    ],
  }, palette);
}
