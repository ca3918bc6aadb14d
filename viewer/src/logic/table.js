/**
 * The tree as a table: one row a function, or one a kind, a module, a kernel family. A function that calls
 * itself counts once in its total.
 *
 * @import { Tree } from '#viewer/data/tree.js'
 * @import { Values } from '#viewer/data/profile.js'
 *
 * @typedef {object} Row
 * @property {string} name
 * @property {number} kind index of the kind
 * @property {number} self
 * @property {number} total
 * @property {number} calls how often it was entered; 0 when the profile does not say
 * @property {number} n_stacks distinct stacks that end in it, or lead to it
 * @property {number} heaviest the node with the largest total, 0 when none has any
 * @property {Row} [of] the row that this one is a part of
 *
 * @typedef {'name' | 'self' | 'total' | 'calls' | 'mean'} SortKey
 */

/** @typedef {'function' | import('#viewer/logic/parts.js').EndGroup} Group */

import { KINDS } from '#viewer/lib/color.js';
import { withoutIndex } from '#viewer/logic/names.js';

/**
 * @param {Tree} tree
 * @param {Values} values
 * @param {Float64Array | undefined} calls self values of the calls, if there are any
 * @param {Group} group
 * @returns {Row[]} rows with weight or calls, unsorted
 */
export function tabulate(tree, values, calls, group) {
  const { of, rows } = rowsOf(tree, group);
  // Where the outermost open frame of each row ends: inside it the total is counted already.
  const covered = new Uint32Array(rows.length);
  const best = new Float64Array(rows.length);
  // The module around each node; all others have what is their own alone.
  const inside = group === 'module' ? new Int32Array(tree.n).fill(-1) : undefined;
  for (let i = 1; i < tree.n; i++) {
    const slot = /** @type {number} */ (of[/** @type {number} */ (tree.frame[i])]);
    const nearest = inside && slot < 0 ? /** @type {number} */ (inside[/** @type {number} */ (tree.parent[i])]) : slot;
    if (inside) inside[i] = nearest;
    const owner = rows[nearest];
    if (owner) owner.self += /** @type {number} */ (values.self[i]);
    const row = rows[slot];
    if (!row) continue;
    const total = /** @type {number} */ (values.total[i]);
    row.n_stacks++;
    if (calls) row.calls += /** @type {number} */ (calls[i]);
    if (total > /** @type {number} */ (best[slot])) {
      best[slot] = total;
      row.heaviest = i;
    }
    if (i < /** @type {number} */ (covered[slot])) continue;
    covered[slot] = /** @type {number} */ (tree.end[i]);
    row.total += total;
  }
  return rows.filter((row) => row.total !== 0 || row.self !== 0);
}

/**
 * Empty rows, and the row of each frame; -1 for none.
 * @param {Tree} tree
 * @param {Group} group
 * @returns {{ of: Int32Array, rows: Row[] }}
 */
function rowsOf(tree, group) {
  if (group === 'kind') return { of: Int32Array.from(tree.kinds), rows: KINDS.map((name, kind) => emptyRow(name, kind)) };
  if (group === 'function') return { of: Int32Array.from(tree.names.keys()), rows: tree.names.map((name, i) => emptyRow(name, /** @type {number} */ (tree.kinds[i]))) };
  const named = group === 'module' ? moduleOf : familyOf;
  /** @type {Map<string, number>} */
  const slots = new Map();
  /** @type {Row[]} */
  const rows = [];
  const of = Int32Array.from(tree.names, (_, frame) => {
    const name = named(tree, frame);
    if (name === undefined) return -1;
    const slot = slots.get(name) ?? rows.push(emptyRow(name, /** @type {number} */ (tree.kinds[frame]))) - 1;
    slots.set(name, slot);
    return slot;
  });
  return { of, rows };
}

/**
 * All layers of a kind are one module.
 * @param {Tree} tree
 * @param {number} frame
 */
function moduleOf({ names, kinds }, frame) {
  return KINDS[kinds[frame] ?? 0] === 'module' ? withoutIndex(names[frame] ?? '') : undefined;
}

/**
 * @param {Tree} tree
 * @param {number} frame
 */
function familyOf({ families }, frame) {
  return families?.names[(families.of[frame] ?? 0) - 1];
}

/**
 * @param {string} name
 * @param {number} kind
 * @returns {Row}
 */
export function emptyRow(name, kind) {
  return { name, kind, self: 0, total: 0, calls: 0, n_stacks: 0, heaviest: 0 };
}

/** @param {Row} row */
export function mean(row) {
  return row.calls > 0 ? row.total / row.calls : 0;
}

/**
 * Sorts in place, largest first, names by the alphabet.
 * @param {Row[]} rows
 * @param {SortKey} key
 * @param {boolean} reverse
 */
export function sortRows(rows, key, reverse) {
  const value = (/** @type {Row} */ row) =>
    (key === 'self' ? row.self : key === 'calls' ? row.calls : key === 'mean' ? mean(row) : row.total);
  const byName = (/** @type {Row} */ a, /** @type {Row} */ b) =>
    (a.name < b.name ? -1 : a.name === b.name ? a.kind - b.kind : 1);
  const compare = key === 'name' ? byName
    : (/** @type {Row} */ a, /** @type {Row} */ b) => value(b) - value(a) || byName(a, b);
  rows.sort((a, b) => (reverse ? -compare(a, b) : compare(a, b)));
  return rows;
}
