// @ts-check
// The tree behind the picture: decoding, search, layout. Knows nothing of the page.
/**
 * What the file holds; `embed.rs` documents it.
 * @typedef {{
 *   version: number, weight: string, unit: string, decimals: number, count: string,
 *   direction: "icicle" | "flame", minWidth: number, maxRows: number, top: number,
 *   names: [string, string, number, ...string[]][], name: number[], up: number[],
 *   self: number[], counts?: number[], cut: [number, number, number, number][],
 * }} Data
 *
 * Columns with one entry a node, callers before callees; node 0 is the root.
 * @typedef {{
 *   data: Data, n: number, parent: Int32Array, end: Int32Array, total: Float64Array,
 *   count: Float64Array, frames: Float64Array,
 *   cut: Map<number, {frames: number, total: number, count: number}>,
 * }} Tree
 *
 * What fills the width: a node, or only those of its callees with less than `below`.
 * @typedef {{node: number, below?: number}} Zoom
 *
 * A box: a frame, or the merged callees of `node` with less than `below`.
 * @typedef {{
 *   node: number, below?: number, row: number, start: number, total: number, frames: number,
 *   count: number,
 * }} Box
 *
 * What a search found. `matched`: weight of the outermost hits in each subtree.
 * @typedef {{
 *   rows: Uint8Array, matched: Float64Array, own: number, frames: number, names: number,
 *   unknown: number,
 * }} Found
 */

/** The text of the data; a long one is deflated. @param {Element} element @returns {Promise<string>} */
async function unpacked(element) {
  const text = element.textContent ?? "";
  if (!element.classList.contains("packed")) return text;
  const bytes = Uint8Array.from(atob(text), (c) => c.charCodeAt(0));
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate-raw"));
  return new Response(stream).text();
}

/** @param {Data} data @returns {Tree} */
function decode(data) {
  const n = data.name.length;
  const parent = new Int32Array(n), end = new Int32Array(n), frames = new Float64Array(n).fill(1);
  const total = Float64Array.from(data.self);
  const count = data.counts ? Float64Array.from(data.counts) : new Float64Array(n);
  const cut = new Map();
  for (const [node, cutFrames, cutTotal, cutCount] of data.cut) {
    cut.set(node, { frames: cutFrames, total: cutTotal, count: cutCount });
    total[node] += cutTotal;
    frames[node] += cutFrames;
    count[node] += cutCount;
  }
  for (let i = 1; i < n; i++) {
    let caller = i - 1;
    for (let up = data.up[i]; up > 0; up--) caller = parent[caller];
    parent[i] = caller;
  }
  frames[0] -= 1;
  for (let i = n - 1; i > 0; i--) {
    end[i] = Math.max(end[i], i + 1);
    const p = parent[i];
    end[p] = Math.max(end[p], end[i]);
    total[p] += total[i];
    count[p] += count[i];
    frames[p] += frames[i];
  }
  end[0] = n;
  return { data, n, parent, end, total, count, frames, cut };
}

/**
 * Which rows of `names` a query means: `/regex/`, `kind:word`, or part of a name, where capital
 * letters in the query make case count.
 * @param {Data} data @param {string} query @returns {Uint8Array | null} null: no regular expression
 */
function matchNames(data, query) {
  const regex = /^\/(.+)\/$/s.exec(query);
  const kind = /^kind:(\S+)$/.exec(query);
  const cased = /\p{Lu}/u.test(query);
  /** @type {(name: string, kind: string) => boolean} */
  let test = (name) => (cased ? name : name.toLowerCase()).includes(query);
  if (kind) test = (_, word) => word === kind[1];
  if (regex) {
    try {
      const pattern = new RegExp(regex[1], cased ? "u" : "iu");
      test = (name) => pattern.test(name);
    } catch {
      return null;
    }
  }
  return Uint8Array.from(data.names, ([name, word]) => Number(word !== "root" && test(name, word)));
}

/** @param {Tree} tree @param {Uint8Array} rows @returns {Found} */
function search(tree, rows) {
  const { data, n, parent, total } = tree;
  const matched = new Float64Array(n), under = new Uint8Array(n);
  const names = new Set();
  let own = 0, frames = 0, unknown = 0;
  for (let i = 0; i < n; i++) {
    const hit = rows[data.name[i]];
    under[i] = hit | (i > 0 ? under[parent[i]] : 0);
    if (hit) {
      own += data.self[i];
      frames++;
      names.add(data.name[i]);
    }
  }
  // Backwards: a hit stands for its whole total, whatever was found below it.
  for (let i = n - 1; i >= 0; i--) {
    if (rows[data.name[i]]) matched[i] = total[i];
    if (i > 0) matched[parent[i]] += matched[i];
  }
  for (const [node, cut] of tree.cut) if (!under[node]) unknown += cut.total;
  return { rows, matched, own, frames, names: names.size, unknown };
}

/** The callees of a node in order, those with `below` or more left out. @param {Tree} tree @param {number} node @param {number} [below] */
function callees(tree, node, below = Infinity) {
  const found = [];
  for (let i = node + 1; i < tree.end[node]; i = tree.end[i]) {
    if (tree.total[i] < below) found.push(i);
  }
  return found;
}

/** The merged callees of a node as one box. @param {Tree} tree @param {number} node @param {number} below @returns {Box} */
function merged(tree, node, below) {
  const cut = tree.cut.get(node) ?? { frames: 0, total: 0, count: 0 };
  const box = { node, below, row: 0, start: 0, ...cut };
  for (const i of callees(tree, node, below)) {
    box.total += tree.total[i];
    box.frames += tree.frames[i];
    box.count += tree.count[i];
  }
  return box;
}

/** A frame as a box. @param {Tree} tree @param {number} node @returns {Box} */
function single(tree, node) {
  const total = tree.total[node];
  return { node, row: 0, start: 0, total, frames: tree.frames[node], count: tree.count[node] };
}

/**
 * Boxes of the subtree that fills `width` px, callers first; the same rules as `layout.rs`.
 * @param {Tree} tree @param {Zoom} zoom @param {number} width @returns {Box[]}
 */
function layout(tree, zoom, width) {
  const { minWidth, maxRows } = tree.data;
  const first = zoom.below === undefined
    ? single(tree, zoom.node)
    : merged(tree, zoom.node, zoom.below);
  if (!(first.total > 0)) return [];
  const floor = Math.ceil((minWidth / width) * first.total);
  const boxes = [first];
  for (let next = 0; next < boxes.length; next++) {
    const { node, below, row } = boxes[next];
    if (below !== undefined && next > 0) continue;
    let start = boxes[next].start;
    const deep = row + 1 >= maxRows;
    const limit = Math.min(deep ? Infinity : floor, below ?? Infinity);
    for (const i of callees(tree, node, below)) {
      if (tree.total[i] < floor || deep) continue;
      boxes.push({ ...single(tree, i), row: row + 1, start });
      start += tree.total[i];
    }
    const rest = merged(tree, node, limit);
    if (rest.total > 0) boxes.push({ ...rest, row: row + 1, start });
  }
  return boxes;
}
