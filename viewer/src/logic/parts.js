/**
 * The parts that stacks belong to: by what they end in (the module that ran it, the kind of the last frame, the
 * family of the kernel), or by what they have on each stream or in each phase.
 *
 * @import { Tree } from '#viewer/data/tree.js'
 * @import { Part } from '#viewer/logic/divide.js'
 *
 * @typedef {'module' | 'kind' | 'family'} EndGroup known of each stack
 * @typedef {'stream' | 'phase'} TimeGroup known by when the weight arises
 * @typedef {EndGroup | TimeGroup} Division
 */

import { KINDS } from '#viewer/lib/color.js';
import { withoutIndex } from '#viewer/logic/names.js';

/** @type {readonly Division[]} */
export const DIVISIONS = ['module', 'kind', 'family', 'stream', 'phase'];

const [MODULE, SYNTHETIC] = [KINDS.indexOf('module'), KINDS.indexOf('synthetic')];

/**
 * @param {Tree} tree
 * @param {Float64Array} self
 * @param {EndGroup} by
 * @returns {Part[]} the heaviest first
 */
export function partsByEnd(tree, self, by) {
  const labels = { module: modules, kind: kindsOfEnds, family: families }[by](tree);
  /** @type {Map<string, Part & { total: number }>} */
  const parts = new Map();
  for (let node = 0; node < tree.n; node++) {
    const own = /** @type {number} */ (self[node]);
    if (own === 0) continue;
    const { name, kind } = labels(node);
    let part = parts.get(name);
    if (!part) parts.set(name, (part = { name, kind, nodes: [], selves: [], total: 0 }));
    part.nodes.push(node);
    part.selves.push(own);
    part.total += own;
  }
  return [...parts.values()].sort((a, b) => b.total - a.total || (a.name < b.name ? -1 : 1));
}

/**
 * Collects what each part has; what none of them has is the last one.
 * @param {Float64Array} whole self weight of each node; one without any is in no part
 */
export function partsOf(whole) {
  const left = whole.slice();
  /** @type {(Part & { total: number })[]} */
  const parts = [];
  return {
    /**
     * @param {string} name
     * @param {Float64Array} self
     */
    add(name, self) {
      const part = partOf(name, self, whole);
      part.nodes.forEach((node, i) => (left[node] = /** @type {number} */ (left[node]) - /** @type {number} */ (part.selves[i])));
      if (part.nodes.length > 0) parts.push(part);
    },
    /** @param {string} rest what to call what is in no part */
    all(rest) {
      const others = partOf(rest, left, left);
      parts.sort((a, b) => b.total - a.total || (a.name < b.name ? -1 : 1));
      return others.nodes.length > 0 ? [...parts, others] : parts;
    },
  };
}

/**
 * @param {string} name
 * @param {Float64Array} self
 * @param {Float64Array} whole
 */
function partOf(name, self, whole) {
  const part = { name, kind: SYNTHETIC, nodes: /** @type {number[]} */ ([]), selves: /** @type {number[]} */ ([]), total: 0 };
  self.forEach((own, node) => {
    if (own === 0 || whole[node] === 0) return;
    part.nodes.push(node);
    part.selves.push(own);
    part.total += own;
  });
  return part;
}

/** @typedef {{ name: string, kind: number }} Label */

/**
 * The innermost module around each node, whatever its number: all layers of a kind are one.
 * @param {Tree} tree
 * @returns {(node: number) => Label}
 */
function modules(tree) {
  const names = tree.names.map((name, frame) => (tree.kinds[frame] === MODULE ? withoutIndex(name) : ''));
  const inside = new Uint32Array(tree.n);
  for (let i = 1; i < tree.n; i++) {
    const own = names[/** @type {number} */ (tree.frame[i])] !== '';
    inside[i] = own ? i : /** @type {number} */ (inside[/** @type {number} */ (tree.parent[i])]);
  }
  return (node) => {
    const module = /** @type {number} */ (inside[node]);
    return module === 0 ? { name: 'outside modules', kind: SYNTHETIC } : { name: names[tree.frame[module] ?? 0] ?? '', kind: MODULE };
  };
}

/**
 * @param {Tree} tree
 * @returns {(node: number) => Label}
 */
function kindsOfEnds(tree) {
  return (node) => {
    const kind = node === 0 ? SYNTHETIC : /** @type {number} */ (tree.kinds[/** @type {number} */ (tree.frame[node])]);
    return { name: KINDS[kind] ?? '', kind };
  };
}

/**
 * @param {Tree} tree
 * @returns {(node: number) => Label}
 */
function families(tree) {
  return (node) => {
    const frame = /** @type {number} */ (tree.frame[node]);
    const family = tree.families?.names[(tree.families.of[frame] ?? 0) - 1];
    return family === undefined ? { name: 'no kernel', kind: SYNTHETIC } : { name: family, kind: /** @type {number} */ (tree.kinds[frame]) };
  };
}
