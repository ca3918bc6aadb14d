/**
 * The tree as a table: one row a function, or one a kind. A function that calls itself counts once
 * in its total.
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
 * @property {number} n_stacks distinct stacks that end in it
 * @property {number} heaviest the node with the largest total, 0 when none has any
 *
 * @typedef {'name' | 'self' | 'total' | 'calls' | 'mean'} SortKey
 */

/**
 * @param {Tree} tree
 * @param {Values} values
 * @param {Float64Array | undefined} calls self values of the calls, if there are any
 * @param {'function' | 'kind'} group
 * @param {readonly string[]} kindNames
 * @returns {Row[]} rows with weight or calls, unsorted
 */
export function tabulate(tree, values, calls, group, kindNames) {
  const groups = group === 'kind' ? tree.kinds : undefined;
  const n_groups = groups ? kindNames.length : tree.names.length;
  const rows = Array.from({ length: n_groups }, (_, i) => emptyRow(tree, groups ? kindNames[i] : undefined, i));
  // Where the outermost open frame of each group ends: inside it the total is counted already.
  const covered = new Uint32Array(n_groups);
  let best = new Float64Array(n_groups);
  for (let i = 1; i < tree.n; i++) {
    const frame = /** @type {number} */ (tree.frame[i]);
    const slot = groups ? /** @type {number} */ (groups[frame]) : frame;
    const row = /** @type {Row} */ (rows[slot]);
    const total = /** @type {number} */ (values.total[i]);
    row.self += /** @type {number} */ (values.self[i]);
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
 * @param {Tree} tree
 * @param {string | undefined} kindName
 * @param {number} slot
 * @returns {Row}
 */
function emptyRow(tree, kindName, slot) {
  const kind = kindName === undefined ? /** @type {number} */ (tree.kinds[slot]) : slot;
  const name = kindName ?? tree.names[slot] ?? '';
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
