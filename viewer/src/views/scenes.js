/**
 * Scenes made once and kept while they may be wanted again.
 *
 * @import { App } from '#viewer/views/app.js'
 * @import { Scene } from '#viewer/logic/scene.js'
 * @import { Order } from '#viewer/logic/order.js'
 * @import { Tree } from '#viewer/data/tree.js'
 */

import { hashName } from '#viewer/lib/color.js';
import { totals } from '#viewer/data/profile.js';
import { ALWAYS, firstsIn, valuesIn } from '#viewer/logic/by-time.js';
import { cutSelf, stacksLeft } from '#viewer/logic/cuts.js';
import { layOut } from '#viewer/logic/layout.js';
import { sequence } from '#viewer/logic/order.js';
import { shape } from '#viewer/logic/shape.js';
import { isPlain } from '#viewer/state/numbering.js';
import { bucketOf } from '#viewer/draw/palette.js';
import { currentChart, currentProfile } from '#viewer/views/app.js';
import { partsFor } from '#viewer/views/divisions.js';
import { stretchOf } from '#viewer/views/stretch.js';
import { titleIn, weightOnShow } from '#viewer/views/weights.js';

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
  return keep(keyOf(app), () => make(app, weightOnShow(app), app.store.get().order));
}

/**
 * The scene of the state as the flame graph arranges it.
 * @param {App} app
 * @returns {Promise<Scene | undefined>}
 */
export function arrangedSceneOf(app) {
  const state = app.store.get();
  if (isPlain(state)) return sceneOf(app);
  const { invert, recursion, by, order } = state;
  return keep([keyOf(app), invert, recursion, by].join(' '), async () => {
    const scene = await sceneOf(app);
    return scene && shape(scene, await partsFor(app, scene, by), { invert, recursion }, order);
  });
}

/** @param {App} app */
function keyOf(app) {
  const { capture, order, cuts, since, until } = app.store.get();
  return [capture, weightOnShow(app), order, since, until, JSON.stringify(cuts)].join(' ');
}

/**
 * @param {string} key
 * @param {() => Promise<Scene | undefined>} make
 */
function keep(key, make) {
  const known = kept.get(key);
  if (known) return known;
  const making = make();
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
  const [tree, values, calls, first] = await Promise.all([
    profile.tree(),
    chart && stretch ? valuesIn(profile, chart, weight, stretch) : profile.values(weight),
    // When a frame was entered is not known: of a stretch there are no calls.
    hasCalls && !stretch ? profile.values('calls') : undefined,
    chart && order === 'time' ? firstsIn(profile, chart, stretch ?? ALWAYS) : undefined,
  ]);
  const { cuts } = app.store.get();
  const left = cuts.length > 0 ? stacksLeft(tree, cuts) : undefined;
  const self = left ? cutSelf(values.self, left) : values.self;
  const total = left ? totals(tree, self) : values.total;
  const layout = layOut(tree, total, sequence(tree, total, order, first));
  return {
    ...(first && { first }), tree, values: { self, total }, layout, weight, title: titleIn(app, weight), unit: column?.unit ?? '', uncut: values.total[0] ?? 0,
    calls: calls && left ? cutSelf(calls.self, left) : calls?.self,
  };
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
