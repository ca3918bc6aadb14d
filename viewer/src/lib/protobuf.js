/**
 * Messages of protocol buffers, as far as writing needs them.
 * Format: protobuf.dev, "Encoding".
 */

const encoder = new TextEncoder();

/**
 * @param {readonly Uint8Array[]} parts
 * @returns {Uint8Array<ArrayBuffer>}
 */
export function message(parts) {
  const out = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
  let at = 0;
  for (const part of parts) {
    out.set(part, at);
    at += part.length;
  }
  return out;
}

/**
 * A whole number as a varint; a negative one takes ten bytes, as the format has it.
 * @param {number} value
 */
function varint(value) {
  const bytes = [];
  let rest = BigInt.asUintN(64, BigInt(Math.round(value)));
  for (; rest > 127n; rest >>= 7n) bytes.push(Number(rest & 127n) | 128);
  bytes.push(Number(rest));
  return Uint8Array.from(bytes);
}

/** @param {number} field @param {number} value */
export function numberField(field, value) {
  return message([varint(field * 8), varint(value)]);
}

/** @param {number} field @param {Uint8Array} bytes */
export function bytesField(field, bytes) {
  return message([varint(field * 8 + 2), varint(bytes.length), bytes]);
}

/** @param {number} field @param {string} text */
export function textField(field, text) {
  return bytesField(field, encoder.encode(text));
}

/** Several numbers, packed. @param {number} field @param {readonly number[]} values */
export function numbersField(field, values) {
  return bytesField(field, message(values.map(varint)));
}
