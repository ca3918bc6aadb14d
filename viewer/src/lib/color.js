/**
 * Kinds of frames and their colours. The values come with the page as CSS variables
 * (`--kind-python`, `--kind-python-ink`), from the table that the SVG export uses too: told apart
 * with normal sight and with the three common colour-vision deficiencies, on light and on dark.
 *
 * @typedef {readonly [number, number, number]} Rgb
 */

/** @typedef {'thread' | 'python' | 'module' | 'annotation' | 'op' | 'runtime' | 'kernel' | 'copy'
 *   | 'memset' | 'graph' | 'comm' | 'native' | 'os' | 'synthetic'} Kind */

/**
 * In the order of the model's kinds: a frame's kind is an index into this list.
 * @type {readonly Kind[]}
 */
export const KINDS = ['thread', 'python', 'module', 'annotation', 'op', 'runtime', 'kernel', 'copy',
  'memset', 'graph', 'comm', 'native', 'os', 'synthetic'];

/** Shades inside a kind: neighbours with different names can be told apart. */
export const N_SHADES = 3;

/**
 * The colour of a kind as CSS.
 * @param {Kind} kind
 */
export function kindColor(kind) {
  return `var(--kind-${kind})`;
}

/**
 * @param {string} hex `#rrggbb`
 * @returns {Rgb}
 */
export function parseHex(hex) {
  const value = Number.parseInt(hex.slice(1, 7), 16);
  return [(value >> 16) & 255, (value >> 8) & 255, value & 255];
}

/**
 * @param {Rgb} a
 * @param {Rgb} b
 * @param {number} share of `b`
 * @returns {Rgb}
 */
export function mix(a, b, share) {
  const blend = (/** @type {number} */ x, /** @type {number} */ y) =>
    Math.round(x + (y - x) * share);
  return [blend(a[0], b[0]), blend(a[1], b[1]), blend(a[2], b[2])];
}

/** @param {Rgb} color */
export function css(color) {
  return `rgb(${color[0]} ${color[1]} ${color[2]})`;
}

/**
 * A colour as image data holds it, without its opacity.
 * @param {Rgb} color
 */
export function pixelOf([red, green, blue]) {
  return (blue << 16) | (green << 8) | red;
}

/**
 * A small, stable number from a name.
 * @param {string} name
 */
export function hashName(name) {
  let hash = 2166136261;
  for (let i = 0; i < name.length; i++) {
    hash = Math.imul(hash ^ name.charCodeAt(i), 16777619);
  }
  return (hash ^ (hash >>> 15)) >>> 0;
}
