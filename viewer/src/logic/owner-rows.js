/**
 * The nodes of a tree that have a weight of their own, as rows of owners.
 *
 * @import { Chart } from '#viewer/data/chart.js'
 * @import { Profile } from '#viewer/data/profile.js'
 * @import { Tree } from '#viewer/data/tree.js'
 * @import { Stretch } from '#viewer/logic/cut-time.js'
 * @import { Owner } from '#viewer/logic/alike.js'
 */

import { KINDS } from '#viewer/lib/color.js';
import { classesOf, countIn, valuesIn } from '#viewer/logic/by-time.js';
import { kindOf, nameOf, opOf, pathTo, userFrame } from '#viewer/logic/stack.js';

/**
 * Those of a stretch of time.
 * @param {Profile} profile
 * @param {Chart} chart
 * @param {'idle' | 'gpu'} weight
 * @param {Stretch} stretch
 */
export async function ownersIn(profile, chart, weight, stretch) {
  const [tree, { self }, count, classes] = await Promise.all([
    profile.tree(), valuesIn(profile, chart, weight, stretch), countIn(profile, chart, weight, stretch), classesOf(chart),
  ]);
  return ownerRows(tree, self, count, (node) => (weight === 'idle' ? classes.get(node) ?? '' : opOf(tree, node)));
}

/**
 * @param {Tree} tree
 * @param {Float64Array} self ns, one entry a node
 * @param {Float64Array} count
 * @param {(node: number) => string} detail
 * @returns {Owner[]}
 */
export function ownerRows(tree, self, count, detail) {
  /** @type {Owner[]} */
  const rows = [];
  for (let node = 1; node < tree.n; node++) {
    const ns = /** @type {number} */ (self[node]);
    if (ns <= 0) continue;
    const user = userFrame(tree, node);
    rows.push({
      name: nameOf(tree, node), kind: KINDS[kindOf(tree, node)] ?? '', detail: detail(node),
      user_frame: user === undefined ? null : nameOf(tree, user),
      stack: pathTo(tree, node).slice(1).map((at) => nameOf(tree, at)),
      ns, per_step_ns: 0, count: count[node] ?? 0, n_alike: 1,
    });
  }
  return rows;
}
