/**
 * The tree as a table: one row a function, one a kind, or one a kernel family. A function that calls
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
 * @property {number} n_stacks distinct stacks that end in it
 * @property {number} heaviest the node with the largest total, 0 when none has any
 *
 * @typedef {'name' | 'self' | 'total' | 'calls' | 'mean'} SortKey
 */

/** @typedef {'function' | 'kind' | 'family'} Group */

/**
 * @param {Tree} tree
 * @param {Values} values
 * @param {Float64Array | undefined} calls self values of the calls, if there are any
 * @param {Group} group
 * @param {readonly string[]} kindNames
 * @returns {Row[]} rows with weight or calls, unsorted
 */
export function tabulate(tree, values, calls, group, kindNames) {
  const slots = slotsOf(tree, group);
  const rows = emptyRows(tree, group, kindNames);
  // Where the outermost open frame of each group ends: inside it the total is counted already.
  const covered = new Uint32Array(rows.length);
  const best = new Float64Array(rows.length);
  for (let i = 1; i < tree.n; i++) {
    const frame = /** @type {number} */ (tree.frame[i]);
    const slot = slots ? /** @type {number} */ (slots[frame]) : frame;
    if (group === 'family' && slot === 0) continue;
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
 * The row of each frame; nothing when every frame has its own.
 * @param {Tree} tree
 * @param {Group} group
 */
function slotsOf(tree, group) {
  if (group === 'function') return undefined;
  return group === 'kind' ? tree.kinds : tree.families?.of ?? new Uint32Array(tree.names.length);
}

/**
 * Rows by slot. Slot 0 of the families is what no device ran, which has no row.
 * @param {Tree} tree
 * @param {Group} group
 * @param {readonly string[]} kindNames
 * @returns {Row[]}
 */
function emptyRows(tree, group, kindNames) {
  const row = (/** @type {string} */ name, /** @type {number} */ kind) =>
    ({ name, kind, self: 0, total: 0, calls: 0, n_stacks: 0, heaviest: 0 });
  if (group === 'kind') return kindNames.map(row);
  if (group === 'function') return tree.names.map((name, i) => row(name, /** @type {number} */ (tree.kinds[i])));
  const kindOf = (/** @type {number} */ slot) => tree.kinds[tree.families?.of.indexOf(slot) ?? 0] ?? 0;
  return ['', ...tree.families?.names ?? []].map((name, slot) => row(name, kindOf(slot)));
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
