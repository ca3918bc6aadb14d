/** The profile that the Rust side wrote, and a small one by hand. */

import { readFileSync } from 'node:fs';
import { fromBase64, inflate } from '#viewer/lib/bytes.js';
import { openProfile, totals } from '#viewer/data/profile.js';
import { readTree } from '#viewer/data/tree.js';

const text = readFileSync(new URL('./golden/profile.json', import.meta.url), 'utf8');

/** @type {{ index: import('#viewer/data/profile.js').ProfileIndex, blocks: Record<string, string>,
 *   stacks: string[], totals: Record<string, number[]>,
 *   searches: { text: string, total: number, self: number }[],
 *   table: { name: string, kind: string, self: number, total: number }[] }} */
export const golden = JSON.parse(text);

export function goldenProfile() {
  return openProfile(golden.index, (id) => inflate(fromBase64(golden.blocks[id] ?? '')));
}

/**
 * A tree drawn as indented lines: `name self`, children below their parent.
 * @param {string} drawing
 */
export function drawTree(drawing) {
  const lines = drawing.split('\n').filter((line) => line.trim() !== '');
  const depths = lines.map((line) => (line.length - line.trimStart().length) / 2 + 1);
  const names = ['', ...lines.map((line) => line.trim().split(' ')[0] ?? '')];
  const distinct = [...new Set(names)];
  const frame = Uint8Array.from(names, (name) => distinct.indexOf(name));
  const all = [0, ...depths];
  const up = Uint8Array.from(all, (depth, i) => (i === 0 ? 0 : (all[i - 1] ?? 0) + 1 - depth));
  const tree = readTree(names.length, [frame, up], { names: distinct, kinds: new Uint8Array(distinct.length) });
  const self = Float64Array.from([0, ...lines.map((line) => Number(line.trim().split(' ')[1] ?? 0))]);
  return { tree, values: { self, total: totals(tree, self) } };
}
