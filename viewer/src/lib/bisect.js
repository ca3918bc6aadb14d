/** Binary search over sorted columns. */

/**
 * The first index in `[from, to)` whose value is not below `value`; `to` when all are.
 * @param {Float64Array} column ascending
 * @param {number} from
 * @param {number} to
 * @param {number} value
 */
export function lowerBound(column, from, to, value) {
  let low = from;
  let high = to;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (/** @type {number} */ (column[middle]) < value) low = middle + 1;
    else high = middle;
  }
  return low;
}

/**
 * The last index in `[from, to)` whose value is at most `value`; `from - 1` when none is.
 * @param {Float64Array} column ascending
 * @param {number} from
 * @param {number} to
 * @param {number} value
 */
export function lastAtMost(column, from, to, value) {
  let low = from;
  let high = to;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (/** @type {number} */ (column[middle]) <= value) low = middle + 1;
    else high = middle;
  }
  return low - 1;
}
