/**
 * Cuts: only the stacks through a function, or all but those. What a cut takes away is taken from the self
 * values, so that every total stays the sum of what is below it.
 *
 * @import { Tree } from '#viewer/data/tree.js'
 */

import { matcher } from '#viewer/logic/search.js';

/** A cut as the URL has it: `+` keeps or `-` drops, then what a search looks for. @typedef {string} Cut */

/** @param {Cut} cut */
export function readCut(cut) {
  return { keeps: cut.startsWith('+'), text: cut.slice(1) };
}

/**
 * Whatever is no list of cuts is none.
 * @param {string} text JSON
 * @returns {Cut[]}
 */
export function readCuts(text) {
  try {
    const list = JSON.parse(text);
    return Array.isArray(list) ? list.filter((cut) => typeof cut === 'string' && /^[+-]./s.test(cut)) : [];
  } catch {
    return [];
  }
}

/**
 * Which stacks are left: one entry a node, 1 where the stack that ends there is.
 * @param {Tree} tree
 * @param {readonly Cut[]} cuts
 */
export function stacksLeft(tree, cuts) {
  const left = new Uint8Array(tree.n).fill(1);
  for (const cut of cuts) {
    const { keeps, text } = readCut(cut);
    const test = matcher(text);
    // An expression that is none cuts nothing.
    if (typeof test !== 'function') continue;
    const hit = Uint8Array.from(tree.names, (name) => (name !== '' && test(name) ? 1 : 0));
    const through = new Uint8Array(tree.n);
    for (let i = 1; i < tree.n; i++) {
      const parent = /** @type {number} */ (tree.parent[i]);
      through[i] = /** @type {number} */ (through[parent]) | /** @type {number} */ (hit[/** @type {number} */ (tree.frame[i])]);
    }
    through.forEach((one, i) => {
      if ((one === 1) !== keeps) left[i] = 0;
    });
  }
  return left;
}

/**
 * The values of the stacks that are left.
 * @param {Float64Array} self
 * @param {Uint8Array} left
 */
export function cutSelf(self, left) {
  return self.map((value, i) => (left[i] === 1 ? value : 0));
}
