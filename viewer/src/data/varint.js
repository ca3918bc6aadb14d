/** Columns of variable-length integers: seven bits a byte, the low ones first. */

/**
 * @template {Float64Array | Uint32Array} Column
 * @param {Uint8Array} bytes
 * @param {Column} out filled to its length
 * @returns {Column}
 */
export function readVarints(bytes, out) {
  let at = 0;
  const n = out.length;
  for (let i = 0; i < n; i++) {
    let value = /** @type {number} */ (bytes[at++]);
    if (value > 127) {
      value &= 127;
      let byte = 128;
      // Beyond 31 bits shifts would wrap: multiply instead.
      for (let scale = 128; byte > 127; scale *= 128) {
        byte = /** @type {number} */ (bytes[at++]);
        value += (byte & 127) * scale;
      }
    }
    out[i] = value;
  }
  return out;
}

/**
 * Undoes the folding of signed numbers onto natural ones, in place.
 * @param {Float64Array} column
 */
export function undoZigzag(column) {
  for (let i = 0; i < column.length; i++) {
    const value = /** @type {number} */ (column[i]);
    if (value < 0x7fffffff) column[i] = (value >>> 1) ^ -(value & 1);
    else column[i] = value % 2 === 0 ? value / 2 : -(value + 1) / 2;
  }
  return column;
}

/**
 * Splits a block into its columns, each behind its length as four bytes.
 * @param {Uint8Array} bytes
 * @returns {Uint8Array[]}
 */
export function splitColumns(bytes) {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const columns = [];
  for (let at = 0; at < bytes.length;) {
    const length = view.getUint32(at, true);
    columns.push(bytes.subarray(at + 4, at + 4 + length));
    at += 4 + length;
  }
  return columns;
}
