/**
 * Scenes made once and kept while they may be wanted again.
 *
 * @import { App } from '#viewer/views/app.js'
 * @import { Scene } from '#viewer/logic/scene.js'
 * @import { Order } from '#viewer/logic/order.js'
 * @import { Tree } from '#viewer/data/tree.js'
 */

import { hashName } from '#viewer/lib/color.js';
import { layOut } from '#viewer/logic/layout.js';
import { sequence } from '#viewer/logic/order.js';
import { bucketOf } from '#viewer/draw/palette.js';
import { currentChart, currentProfile } from '#viewer/views/app.js';
import { stretchOf, valuesIn } from '#viewer/views/stretch.js';
import { weightOnShow } from '#viewer/views/weights.js';

/** Layouts of a million nodes take 30 MB each: keep few. */
const MAX_KEPT = 6;

/** @type {Map<string, Promise<Scene | undefined>>} */
const kept = new Map();

/**
 * The scene of the state; nothing when the page holds no profile.
 * @param {App} app
 * @returns {Promise<Scene | undefined>}
 */
export function sceneOf(app) {
  const { capture, order, since, until } = app.store.get();
  const weight = weightOnShow(app);
  const key = [capture, weight, order, since, until].join(' ');
  const known = kept.get(key);
  if (known) return known;
  const making = make(app, weight, order);
  kept.set(key, making);
  const oldest = kept.keys().next().value;
  if (kept.size > MAX_KEPT && oldest !== undefined) kept.delete(oldest);
  return making;
}

/**
 * @param {App} app
 * @param {string} weight
 * @param {Order} order
 * @returns {Promise<Scene | undefined>}
 */
async function make(app, weight, order) {
  const profile = currentProfile(app);
  if (!profile) return undefined;
  const column = profile.index.columns.find((entry) => entry.weight === weight);
  const hasCalls = profile.index.columns.some((entry) => entry.weight === 'calls');
  const [chart, stretch] = [currentChart(app), stretchOf(app)];
  const [tree, values, calls] = await Promise.all([
    profile.tree(),
    chart && stretch ? valuesIn(profile, chart, weight, stretch) : profile.values(weight),
    // When a frame was entered is not known: of a stretch there are no calls.
    hasCalls && !stretch ? profile.values('calls') : undefined,
  ]);
  const layout = layOut(tree, values.total, sequence(tree, values.total, order));
  return { tree, values, layout, weight, unit: column?.unit ?? '', calls: calls?.self };
}

/** By the names: trees grown from another one share them. @type {WeakMap<readonly string[], Uint8Array>} */
const colors = new WeakMap();

/**
 * The colour bucket of each frame.
 * @param {Tree} tree
 */
export function colorsOf(tree) {
  let known = colors.get(tree.names);
  if (!known) {
    known = Uint8Array.from(tree.names, (name, i) => bucketOf(tree.kinds[i] ?? 0, hashName(name)));
    colors.set(tree.names, known);
  }
  return known;
}
