/**
 * Rows of the report whose stacks differ only by the number of a module (`LlamaDecoderLayer_12`) are
 * one thing done many times: 32 layers are not 32 causes.
 *
 * @typedef {object} Owner
 * @property {string} name
 * @property {string} kind
 * @property {string} detail the operator of a kernel, the class of idle time
 * @property {string | null} user_frame
 * @property {string[]} stack down to the row itself
 * @property {number} ns
 * @property {number} per_step_ns
 * @property {number} count
 * @property {number} n_alike stacks that are alike
 */

import { withoutIndex } from '#viewer/logic/names.js';

/**
 * Merges rows that are alike, the largest first.
 * @param {readonly Owner[]} owners
 * @returns {Owner[]}
 */
export function mergeAlike(owners) {
  /** @type {Map<string, Owner>} */
  const merged = new Map();
  for (const owner of owners) {
    const key = JSON.stringify([owner.name, owner.detail, ...owner.stack.map(withoutIndex)]);
    const known = merged.get(key);
    if (!known) {
      merged.set(key, { ...owner });
      continue;
    }
    known.ns += owner.ns;
    known.per_step_ns += owner.per_step_ns;
    known.count += owner.count;
    known.n_alike += owner.n_alike;
  }
  return [...merged.values()].sort((a, b) => b.ns - a.ns);
}

/**
 * The idle owners of a report in this shape.
 * @param {import('#viewer/data/report.js').Capture} capture
 * @returns {Owner[]}
 */
export function idleRows(capture) {
  return capture.idle.map((row) => {
    const name = row.frame || row.owner;
    return { ...row, name, detail: row.class, stack: withLeaf(row.stack, name), n_alike: 1 };
  });
}

/**
 * The GPU paths of a report in this shape.
 * @param {import('#viewer/data/report.js').Capture} capture
 * @returns {Owner[]}
 */
export function pathRows(capture) {
  return capture.gpu_paths.map((row) =>
    ({ ...row, detail: row.op ?? '', stack: withLeaf(row.stack, row.name), n_alike: row.stacks }));
}

/**
 * @param {string[]} stack
 * @param {string} name
 */
function withLeaf(stack, name) {
  return stack[stack.length - 1] === name ? stack : [...stack, name];
}
