/**
 * Stacks of a tree in the formats that other tools read: folded text and pprof.
 *
 * @import { Tree } from '#viewer/data/tree.js'
 *
 * @typedef {object} Stacks what is exported
 * @property {Tree} tree
 * @property {Float64Array} self one entry a node
 * @property {number} top the node whose subtree is meant; stacks keep their frames above it
 * @property {number | undefined} [turned] as a scene says it
 * @property {string} weight
 * @property {string} unit
 * @property {number} [decimals] values are multiples of 10^-decimals
 */

import { KINDS } from '#viewer/lib/color.js';
import { bytesField, message, numberField, numbersField, textField } from '#viewer/lib/protobuf.js';
import { folded, kindOf, nameOf, stackTo } from '#viewer/logic/stack.js';

/**
 * What each node has of its own, where a function is in its stack.
 * @param {Tree} tree
 * @param {Float64Array} self
 * @param {number} frame of the function
 */
export function selfThrough(tree, self, frame) {
  const through = new Float64Array(tree.n);
  for (let i = 1; i < tree.n; i++) {
    if (tree.frame[i] !== frame) continue;
    const end = /** @type {number} */ (tree.end[i]);
    through.set(self.subarray(i, end), i);
    i = end - 1;
  }
  return through;
}

/** What the format cannot say: the stack without frames. */
const NO_STACK = '[no stack]';

/**
 * Calls `each` with every node at or below `top` that has a value of its own.
 * @param {Stacks} stacks
 * @param {(node: number, value: number) => void} each
 */
function owners({ tree, self, top }, each) {
  const end = /** @type {number} */ (tree.end[top]);
  for (let node = top; node < end; node++) {
    const value = /** @type {number} */ (self[node]);
    if (value !== 0) each(node, value);
  }
}

/**
 * One line a stack, `a;b;c VALUE`, sorted; stacks that read the same are one line.
 * @param {Stacks} stacks
 */
export function foldedText(stacks) {
  /** @type {Map<string, number>} */
  const lines = new Map();
  owners(stacks, (node, value) => {
    const path = node === 0 ? NO_STACK : folded(stacks.tree, node, stacks.turned);
    lines.set(path, (lines.get(path) ?? 0) + value);
  });
  // Sums of fractions have digits that no value has.
  const text = (/** @type {number} */ value) => (stacks.decimals ? Number(value.toFixed(stacks.decimals)) : value);
  const sorted = [...lines].sort(([a], [b]) => (a < b ? -1 : 1));
  return sorted.map(([path, value]) => `${path} ${text(value)}\n`).join('');
}

/** Units by the words that pprof knows. @type {Readonly<Record<string, string>>} */
const UNITS = { ns: 'nanoseconds' };

/**
 * The format has whole numbers: the unit says what they are multiples of.
 * @param {string} unit
 * @param {number} decimals
 */
function unitWord(unit, decimals) {
  const word = UNITS[unit] ?? unit;
  return decimals === 0 ? word : `${word}/1${'0'.repeat(decimals)}`;
}

/**
 * A profile of one weight as a message of pprof's `profile.proto`, not yet compressed. Frames are
 * functions whose `system_name` is the word of their kind, as `flamelane fold -o x.pb.gz` writes them.
 * @param {Stacks} stacks
 */
export function pprof(stacks) {
  const { tree, weight, unit, decimals = 0 } = stacks;
  const texts = textTable();
  /** @type {{ functions: Uint8Array[], locations: Uint8Array[] }} */
  const { functions, locations } = { functions: [], locations: [] };
  const sampleType = message([numberField(1, texts.row(weight)), numberField(2, texts.row(unitWord(unit, decimals)))]);
  /** @type {Map<number, number>} */
  const ids = new Map();
  const location = (/** @type {number} */ node) => {
    const frame = /** @type {number} */ (tree.frame[node]);
    const known = ids.get(frame);
    if (known !== undefined) return known;
    const id = ids.size + 1;
    ids.set(frame, id);
    const kind = KINDS[kindOf(tree, node)] ?? '';
    functions.push(message([numberField(1, id), numberField(2, texts.row(nameOf(tree, node))),
      numberField(3, texts.row(kind)), numberField(4, texts.row(kind))]));
    locations.push(message([numberField(1, id), numberField(2, 1), bytesField(4, message([numberField(1, id)]))]));
    return id;
  };
  /** @type {Uint8Array[]} */
  const samples = [];
  owners(stacks, (node, value) => {
    const path = stackTo(tree, node, stacks.turned).reverse();
    samples.push(message([numbersField(1, path.map(location)), numbersField(2, [value * 10 ** decimals])]));
  });
  // Viewers look for symbols of a profile without a mapping that says they are there.
  const mapping = message([numberField(1, 1), numberField(5, texts.row('flamelane')), numberField(7, 1)]);
  const all = (/** @type {number} */ field, /** @type {Uint8Array[]} */ parts) => parts.map((part) => bytesField(field, part));
  return message([bytesField(1, sampleType), ...all(2, samples), bytesField(3, mapping), ...all(4, locations),
    ...all(5, functions), ...texts.list().map((text) => textField(6, text))]);
}

/** Texts, each once; row 0 is the empty one. */
function textTable() {
  /** @type {Map<string, number>} */
  const rows = new Map([['', 0]]);
  return {
    list: () => [...rows.keys()],
    /** @param {string} text */
    row(text) {
      const known = rows.get(text) ?? rows.size;
      rows.set(text, known);
      return known;
    },
  };
}
