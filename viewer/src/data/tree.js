/**
 * The tree of stacks as columns, one entry a node, parents before children, the root first.
 *
 * @typedef {object} Tree
 * @property {number} n nodes, the root included
 * @property {Uint32Array} frame row of `names` and `kinds`
 * @property {Int32Array} parent the caller; -1 for the root
 * @property {Uint32Array} depth 0 for the root
 * @property {Uint32Array} end first node after the subtree: `[i, end[i])` is the node and all below
 * @property {string[]} names one entry a frame
 * @property {Uint8Array} kinds one entry a frame, index into the kinds of `lib/color.js`
 * @property {Families} [families] not there where frames were added to those of the file
 *
 * @typedef {object} Families kernel families; copies and fills are families of their own
 * @property {Uint32Array} of one entry a frame: 1 + the row of `names`, 0 for what no device ran
 * @property {readonly string[]} names
 */

import { readVarints } from '#viewer/data/varint.js';

/**
 * @param {number} n
 * @param {readonly Uint8Array[]} columns frames and levels up
 * @param {{ names: string[], kinds: Uint8Array, families?: Families }} frames
 * @returns {Tree}
 */
export function readTree(n, columns, frames) {
  const frame = readVarints(columns[0] ?? new Uint8Array(), new Uint32Array(n));
  const up = readVarints(columns[1] ?? new Uint8Array(), new Uint32Array(n));
  const parent = new Int32Array(n);
  const depth = new Uint32Array(n);
  const end = new Uint32Array(n);
  /** @type {number[]} */
  const open = [];
  for (let i = 0; i < n; i++) {
    for (let level = /** @type {number} */ (up[i]); level > 0; level--) {
      end[/** @type {number} */ (open.pop())] = i;
    }
    parent[i] = open.length === 0 ? -1 : /** @type {number} */ (open[open.length - 1]);
    depth[i] = open.length;
    open.push(i);
  }
  for (const node of open) end[node] = n;
  return { n, frame, parent, depth, end, ...frames };
}

/**
 * @param {number} n
 * @param {readonly Uint8Array[]} columns kinds, name lengths in UTF-16 units, text
 */
export function readFrames(n, columns) {
  const lengths = readVarints(columns[1] ?? new Uint8Array(), new Uint32Array(n));
  const text = new TextDecoder('utf-8', { ignoreBOM: true }).decode(columns[2]);
  /** @type {string[]} */
  const names = [];
  let at = 0;
  for (const length of lengths) {
    names.push(text.slice(at, at + length));
    at += length;
  }
  return { names, kinds: columns[0] ?? new Uint8Array(n) };
}

/**
 * @param {number} n frames
 * @param {readonly Uint8Array[]} columns those of the frames; the fourth is 1 + the row of `names`
 * @param {readonly string[]} names
 * @returns {Families}
 */
export function readFamilies(n, columns, names) {
  return { of: readVarints(columns[3] ?? new Uint8Array(), new Uint32Array(n)), names };
}

/**
 * A tree from what each node is and where it hangs.
 * @param {{ frame: readonly number[], parent: readonly number[], depth: readonly number[] }} columns parents
 *   before children, subtrees together
 * @returns {Pick<Tree, 'n' | 'frame' | 'parent' | 'depth' | 'end'>}
 */
export function fromColumns({ frame, parent, depth }) {
  const n = frame.length;
  const end = Uint32Array.from(frame, (_, i) => i + 1);
  for (let i = n - 1; i > 0; i--) {
    const above = /** @type {number} */ (parent[i]);
    end[above] = Math.max(/** @type {number} */ (end[above]), /** @type {number} */ (end[i]));
  }
  return { n, frame: Uint32Array.from(frame), parent: Int32Array.from(parent), depth: Uint32Array.from(depth), end };
}

/**
 * The frames of a tree and some more, the first of them in row `names.length`.
 * @param {Pick<Tree, 'names' | 'kinds'>} frames
 * @param {readonly { name: string, kind: number }[]} more
 */
export function withFrames({ names, kinds }, more) {
  const all = new Uint8Array(names.length + more.length);
  all.set(kinds.subarray(0, names.length));
  more.forEach(({ kind }, row) => (all[names.length + row] = kind));
  return { names: [...names, ...more.map(({ name }) => name)], kinds: all };
}
