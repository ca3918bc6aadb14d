/**
 * What a row of the table is made of: a function by the operator and the user's code that lead to it, anything
 * else by its functions.
 *
 * @import { Tree } from '#viewer/data/tree.js'
 * @import { Values } from '#viewer/data/profile.js'
 * @import { Part } from '#viewer/logic/divide.js'
 * @import { Row } from '#viewer/logic/table.js'
 */

import { KINDS } from '#viewer/lib/color.js';
import { nameOf, opOf, userFrame } from '#viewer/logic/stack.js';
import { emptyRow } from '#viewer/logic/table.js';

const OP = KINDS.indexOf('op');

/**
 * One row a way to the function; the nearest caller, where neither an operator nor the user's code leads to it. Of a function that calls itself, each frame has what the one below it has
 * not, so the ways add up to the row.
 * @param {Tree} tree
 * @param {Values} values
 * @param {Float64Array | undefined} calls
 * @param {Row} of a function's
 * @returns {Row[]} the heaviest first
 */
export function waysTo(tree, values, calls, of) {
  const frame = tree.names.findIndex((name, i) => name === of.name && tree.kinds[i] === of.kind);
  const totals = ownTotals(tree, values.total, frame);
  return collect(of, [...totals.keys()], (node) => {
    const above = /** @type {number} */ (tree.parent[node]);
    const [op, user] = [opOf(tree, above), userFrame(tree, above)];
    const nearest = user ?? above;
    const name = [op, user && nameOf(tree, user)].filter(Boolean).join(' · ');
    return { name: name || (above > 0 ? nameOf(tree, above) : 'no caller'), kind: op ? OP : tree.kinds[tree.frame[nearest] ?? 0] ?? 0 };
  }, (node) => ({ self: values.self[node] ?? 0, total: totals.get(node) ?? 0, calls: calls?.[node] ?? 0 }));
}

/**
 * The total of each frame of a function, without that of the next one below.
 * @param {Tree} tree
 * @param {Float64Array} total
 * @param {number} frame
 */
function ownTotals(tree, total, frame) {
  /** @type {Map<number, number>} */
  const totals = new Map();
  /** @type {number[]} */
  const open = [];
  for (let i = 1; i < tree.n; i++) {
    if (tree.frame[i] !== frame) continue;
    while (open.length > 0 && i >= /** @type {number} */ (tree.end[/** @type {number} */ (open[open.length - 1])])) open.pop();
    const own = /** @type {number} */ (total[i]);
    const above = open[open.length - 1];
    if (above !== undefined) totals.set(above, (totals.get(above) ?? 0) - own);
    totals.set(i, own);
    open.push(i);
  }
  return totals;
}

/**
 * The functions that have the weight of a part themselves.
 * @param {Tree} tree
 * @param {Part} part
 * @param {Row} of the part's
 * @returns {Row[]} the heaviest first
 */
export function functionsIn(tree, part, of) {
  const selves = new Map(part.nodes.map((node, i) => [node, part.selves[i] ?? 0]));
  return collect(of, part.nodes, (node) => ({ name: nameOf(tree, node), kind: tree.kinds[tree.frame[node] ?? 0] ?? 0 }),
    (node) => ({ self: selves.get(node) ?? 0, total: selves.get(node) ?? 0, calls: 0 }));
}

/**
 * @param {Row} of
 * @param {readonly number[]} nodes
 * @param {(node: number) => { name: string, kind: number }} label
 * @param {(node: number) => { self: number, total: number, calls: number }} figures
 */
function collect(of, nodes, label, figures) {
  /** @type {Map<string, Row & { best: number }>} */
  const rows = new Map();
  for (const node of nodes) {
    const { self, total, calls } = figures(node);
    if (self === 0 && total === 0) continue;
    const { name, kind } = label(node);
    const row = rows.get(`${kind} ${name}`) ?? { ...emptyRow(name, kind), of, best: 0 };
    rows.set(`${kind} ${name}`, row);
    row.self += self;
    row.total += total;
    row.calls += calls;
    row.n_stacks++;
    if (total > row.best) Object.assign(row, { best: total, heaviest: node });
  }
  return [...rows.values()].map(({ best: _, ...row }) => row).sort((a, b) => b.total - a.total || (a.name < b.name ? -1 : 1));
}

/**
 * A row for each part.
 * @param {readonly Part[]} parts
 * @returns {Row[]}
 */
export function rowsOfParts(parts) {
  return parts.map(({ name, kind, nodes, selves }) => {
    const self = selves.reduce((sum, own) => sum + own, 0);
    return { ...emptyRow(name, kind), self, total: self, n_stacks: nodes.length };
  });
}
