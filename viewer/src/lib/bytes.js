/** From base64 text to inflated bytes. */

const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';

/**
 * @param {string} text base64 without line breaks
 * @returns {Uint8Array<ArrayBuffer>}
 */
export function fromBase64(text) {
  const native = /** @type {{ fromBase64?: (text: string) => Uint8Array<ArrayBuffer> }} */ (
    /** @type {unknown} */ (Uint8Array)
  );
  return native.fromBase64 ? native.fromBase64(text) : decodeByHand(text);
}

/** @param {string} text */
function decodeByHand(text) {
  const digit = new Uint8Array(128);
  for (let i = 0; i < 64; i++) digit[ALPHABET.charCodeAt(i)] = i;
  const padding = text.endsWith('==') ? 2 : text.endsWith('=') ? 1 : 0;
  const bytes = new Uint8Array((text.length / 4) * 3 - padding);
  const at = (/** @type {number} */ i) => /** @type {number} */ (digit[text.charCodeAt(i)]);
  for (let i = 0, out = 0; i < text.length; i += 4) {
    const word = (at(i) << 18) | (at(i + 1) << 12) | (at(i + 2) << 6) | at(i + 3);
    bytes[out++] = word >> 16;
    bytes[out++] = word >> 8;
    bytes[out++] = word;
  }
  return bytes;
}

/**
 * @param {Uint8Array<ArrayBuffer>} bytes
 * @returns {Promise<Uint8Array<ArrayBuffer>>}
 */
export async function gzip(bytes) {
  const stream = new Blob([bytes]).stream().pipeThrough(new CompressionStream('gzip'));
  return new Uint8Array(await new Response(stream).arrayBuffer());
}

/**
 * @param {Uint8Array<ArrayBuffer>} bytes raw deflate
 * @returns {Promise<Uint8Array<ArrayBuffer>>}
 */
export async function inflate(bytes) {
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream('deflate-raw'));
  return new Uint8Array(await new Response(stream).arrayBuffer());
}
