/**
 * A scene in another arrangement: recursion folded, divided into parts, turned over, in this order. Sums
 * stay what they are.
 *
 * @import { Scene } from '#viewer/logic/scene.js'
 * @import { Order } from '#viewer/logic/order.js'
 * @import { EndGroup } from '#viewer/logic/parts.js'
 *
 * @typedef {{ invert: boolean, recursion: boolean, by: '' | EndGroup }} Arrangement
 */

import { totals } from '#viewer/data/profile.js';
import { layOut } from '#viewer/logic/layout.js';
import { sequence } from '#viewer/logic/order.js';
import { divide } from '#viewer/logic/divide.js';
import { invert } from '#viewer/logic/invert.js';
import { partsByEnd } from '#viewer/logic/parts.js';
import { foldRecursion } from '#viewer/logic/recursion.js';

/**
 * @param {Scene} scene
 * @param {Arrangement} arrangement
 * @param {Order} order
 * @returns {Scene}
 */
export function shape(scene, arrangement, order) {
  const { recursion, by } = arrangement;
  /** @type {{ tree: Scene['tree'], self: Float64Array, calls?: Float64Array | undefined }} */
  let made = { tree: scene.tree, self: scene.values.self, calls: scene.calls };
  if (recursion) made = foldRecursion(made.tree, made.self, made.calls);
  // How often a function was entered for one part alone, or on the way to one leaf, is not known.
  if (by !== '') made = divide(made.tree, partsByEnd(made.tree, made.self, by));
  const values = { self: made.self, total: totals(made.tree, made.self) };
  if (!arrangement.invert) {
    const layout = layOut(made.tree, values.total, sequence(made.tree, values.total, order));
    return { ...scene, tree: made.tree, values, calls: made.calls, layout };
  }
  const divided = by !== '';
  const grown = invert(made.tree, values.self, values.total, divided);
  const layout = layOut(grown.tree, grown.values.total, sequence(grown.tree, grown.values.total, order));
  return { ...scene, tree: grown.tree, values: grown.values, calls: undefined, layout, rest: grown.rest, turned: divided ? 1 : 0 };
}
