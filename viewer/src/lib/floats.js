/** A growing column of numbers that is filled anew every frame without making garbage. */

/** @typedef {{ data: Float64Array, length: number }} Floats */

/** @returns {Floats} */
export function floats() {
  return { data: new Float64Array(256), length: 0 };
}

/**
 * Appends four numbers.
 * @param {Floats} column
 * @param {number} a
 * @param {number} b
 * @param {number} c
 * @param {number} d
 */
export function push4(column, a, b, c, d) {
  const at = column.length;
  if (at + 4 > column.data.length) {
    const grown = new Float64Array(column.data.length * 2);
    grown.set(column.data);
    column.data = grown;
  }
  column.data[at] = a;
  column.data[at + 1] = b;
  column.data[at + 2] = c;
  column.data[at + 3] = d;
  column.length = at + 4;
}
