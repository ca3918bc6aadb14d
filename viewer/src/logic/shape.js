/**
 * A scene in another arrangement: divided into parts, recursion folded, turned over, in this order. Sums stay
 * what they are.
 *
 * @import { Scene } from '#viewer/logic/scene.js'
 * @import { Order } from '#viewer/logic/order.js'
 * @import { Part, Stacks } from '#viewer/logic/divide.js'
 */

import { totals } from '#viewer/data/profile.js';
import { layOut } from '#viewer/logic/layout.js';
import { sequence } from '#viewer/logic/order.js';
import { divide } from '#viewer/logic/divide.js';
import { invert } from '#viewer/logic/invert.js';
import { foldRecursion } from '#viewer/logic/recursion.js';

/**
 * @param {Scene} scene
 * @param {readonly Part[] | undefined} parts what it is divided into, if it is
 * @param {{ recursion: boolean, invert: boolean }} arrangement
 * @param {Order} order
 * @returns {Scene}
 */
export function shape(scene, parts, arrangement, order) {
  const { calls, first } = scene;
  /** @type {Stacks} */
  let made = { tree: scene.tree, self: scene.values.self, ...(calls && { calls }), ...(first && { first }) };
  if (parts) made = divide(made, parts);
  if (arrangement.recursion) made = foldRecursion(made);
  const values = { self: made.self, total: totals(made.tree, made.self) };
  const { first: _, ...timeless } = scene;
  if (!arrangement.invert) {
    const layout = layOut(made.tree, values.total, sequence(made.tree, values.total, order, made.first));
    return { ...timeless, tree: made.tree, values, calls: made.calls, layout, ...(made.first && { first: made.first }) };
  }
  const grown = invert(made.tree, values.self, values.total, parts !== undefined);
  const layout = layOut(grown.tree, grown.values.total, sequence(grown.tree, grown.values.total, order));
  // How often a function was entered on the way to one leaf is not known; when it was, neither.
  return { ...timeless, tree: grown.tree, values: grown.values, calls: undefined, layout, rest: grown.rest, turned: parts ? 1 : 0 };
}
