/**
 * Least and most of any part of a column in a few dozen looks, however long the part is: each level
 * holds the extremes of sixteen neighbours of the level below.
 *
 * @typedef {{ least: Uint32Array, most: Uint32Array }} Level
 * @typedef {{ levels: Level[] }} Extremes
 */

const SHIFT = 4;
const WIDTH = 1 << SHIFT;

/**
 * @param {Uint32Array} column
 * @returns {Extremes}
 */
export function extremesOf(column) {
  const levels = [{ least: column, most: column }];
  for (let last = /** @type {Level} */ (levels[0]); last.most.length > WIDTH; levels.push(last)) last = above(last);
  return { levels };
}

/**
 * @param {Level} level
 * @returns {Level}
 */
function above({ least, most }) {
  const n = Math.ceil(most.length / WIDTH);
  const level = { least: new Uint32Array(n).fill(2 ** 32 - 1), most: new Uint32Array(n) };
  for (let i = 0; i < most.length; i++) {
    const slot = i >>> SHIFT;
    const [low, high] = [at(least, i), at(most, i)];
    if (low < at(level.least, slot)) level.least[slot] = low;
    if (high > at(level.most, slot)) level.most[slot] = high;
  }
  return level;
}

/**
 * @param {Uint32Array} column
 * @param {number} i
 */
const at = (column, i) => /** @type {number} */ (column[i]);

/**
 * The extremes of `[from, to)`, of which there is at least one, written over those in `out` that they exceed.
 * @param {Extremes} extremes
 * @param {number} from
 * @param {number} to
 * @param {{ least: number, most: number }} out
 */
export function widen({ levels }, from, to, out) {
  let [low, high] = [from, to];
  for (const [i, level] of levels.entries()) {
    const is_last = i === levels.length - 1;
    while (low < high && (is_last || low % WIDTH !== 0)) take(level, low++, out);
    while (low < high && high % WIDTH !== 0) take(level, --high, out);
    if (low >= high) return;
    low >>>= SHIFT;
    high >>>= SHIFT;
  }
}

/**
 * @param {Level} level
 * @param {number} i
 * @param {{ least: number, most: number }} out
 */
function take({ least, most }, i, out) {
  out.least = Math.min(out.least, at(least, i));
  out.most = Math.max(out.most, at(most, i));
}
