/**
 * One capture's profile, unpacked piece by piece when a view first asks.
 *
 * @import { Note } from '#viewer/data/report.js'
 * @import { Tree } from '#viewer/data/tree.js'
 *
 * @typedef {object} ColumnIndex
 * @property {string} weight
 * @property {string} unit
 * @property {number} decimals values are in units of 10^-decimals
 * @property {number} sum
 * @property {string} block
 *
 * @typedef {object} StacksFile a file of finished stacks
 * @property {string} file
 * @property {string} format
 * @property {Note[]} notes
 *
 * @typedef {object} ProfileIndex
 * @property {number | null} capture row of the report's captures; null for what the report does not speak of
 * @property {StacksFile | null} stacks what that is
 * @property {number} nodes
 * @property {number} frames
 * @property {string} names block
 * @property {string[]} families kernel families, each in the row that frames name
 * @property {string} tree block
 * @property {ColumnIndex[]} columns in the order of the switch
 * @property {{ frames: number, below: number }} folded frames that have no row of their own
 *
 * @typedef {object} Values
 * @property {Float64Array} self one entry a node
 * @property {Float64Array} total self plus everything called from it
 *
 * @typedef {object} Profile
 * @property {ProfileIndex} index
 * @property {() => Promise<Tree>} tree
 * @property {(weight: string) => Promise<Values>} values all 0 for a weight that is not there
 *
 * @typedef {(id: string) => Promise<Uint8Array>} ReadBlock inflated bytes of a block
 */

import { readFamilies, readFrames, readTree } from '#viewer/data/tree.js';
import { readVarints, splitColumns, undoZigzag } from '#viewer/data/varint.js';

/**
 * @param {ProfileIndex} index
 * @param {ReadBlock} readBlock
 * @returns {Profile}
 */
export function openProfile(index, readBlock) {
  /** @type {Promise<Tree> | undefined} */
  let tree;
  /** @type {Map<string, Promise<Values>>} */
  const values = new Map();
  const openTree = () => (tree ??= loadTree(index, readBlock));
  return {
    index,
    tree: openTree,
    values(weight) {
      const known = values.get(weight);
      if (known) return known;
      const loading = openTree().then((opened) => loadValues(index, weight, opened, readBlock));
      values.set(weight, loading);
      return loading;
    },
  };
}

/**
 * @param {ProfileIndex} index
 * @param {ReadBlock} readBlock
 */
async function loadTree(index, readBlock) {
  const [names, tree] = await Promise.all([readBlock(index.names), readBlock(index.tree)]);
  const columns = splitColumns(names);
  const families = readFamilies(index.frames, columns, index.families);
  return readTree(index.nodes, splitColumns(tree), { ...readFrames(index.frames, columns), families });
}

/**
 * @param {ProfileIndex} index
 * @param {string} weight
 * @param {Tree} tree
 * @param {ReadBlock} readBlock
 * @returns {Promise<Values>}
 */
async function loadValues(index, weight, tree, readBlock) {
  const column = index.columns.find((entry) => entry.weight === weight);
  const self = new Float64Array(index.nodes);
  if (column) {
    const bytes = splitColumns(await readBlock(column.block))[0] ?? new Uint8Array();
    undoZigzag(readVarints(bytes, self));
  }
  const total = totals(tree, self);
  // Fractions are made last: sums of fractions would not be exact.
  const scale = 10 ** (column?.decimals ?? 0);
  if (scale !== 1) for (const values of [self, total]) values.forEach((value, i) => (values[i] = value / scale));
  return { self, total };
}

/**
 * @param {Tree} tree
 * @param {Float64Array} self
 */
export function totals(tree, self) {
  const total = self.slice();
  for (let i = tree.n - 1; i > 0; i--) {
    const parent = /** @type {number} */ (tree.parent[i]);
    total[parent] = /** @type {number} */ (total[parent]) + /** @type {number} */ (total[i]);
  }
  return total;
}
