/**
 * Numbers as people read them: times, sizes, counts, shares. Always with the unit, never with more
 * than four figures that count.
 *
 * @typedef {number & { readonly brand?: 'ns' }} Nanoseconds
 * @typedef {number & { readonly brand?: 'css' }} CssPixels
 */

const THIN = '\u202f';

/** @type {ReadonlyArray<readonly [number, string]>} */
const TIMES = [[1e9, 's'], [1e6, 'ms'], [1e3, 'µs'], [1, 'ns']];

/** @type {ReadonlyArray<readonly [number, string]>} */
const SIZES = [[2 ** 40, 'TiB'], [2 ** 30, 'GiB'], [2 ** 20, 'MiB'], [2 ** 10, 'KiB'], [1, 'B']];

/**
 * @param {number} value
 * @param {number} figures
 */
function significant(value, figures) {
  const size = Math.abs(value);
  if (size === 0) return '0';
  const before = Math.floor(Math.log10(size)) + 1;
  return value.toFixed(Math.max(0, Math.min(figures - before, figures - 1)));
}

/**
 * @param {number} value
 * @param {ReadonlyArray<readonly [number, string]>} scale
 */
function scaled(value, scale) {
  const size = Math.abs(value);
  // 999.95 of a unit would round to 1000: the next unit reads better.
  const found = scale.find(([unit]) => size >= unit * 0.9995) ?? scale[scale.length - 1] ?? [1, ''];
  return `${significant(value / found[0], 3)}${THIN}${found[1]}`;
}

/**
 * A time with the unit that suits it: `3.02 s`, `418 µs`.
 * @param {Nanoseconds} ns
 */
export function formatTime(ns) {
  return ns === 0 ? `0${THIN}ns` : scaled(ns, TIMES);
}

/**
 * A time in milliseconds, for columns whose rows should compare at a glance.
 * @param {Nanoseconds} ns
 */
export function formatMs(ns) {
  const ms = ns / 1e6;
  const decimals = Math.abs(ms) >= 1000 ? 0 : Math.abs(ms) >= 100 ? 1 : Math.abs(ms) >= 1 ? 2 : 3;
  return `${group(ms.toFixed(decimals))}${THIN}ms`;
}

/** @param {number} bytes */
export function formatBytes(bytes) {
  return bytes === 0 ? `0${THIN}B` : scaled(bytes, SIZES);
}

/** @param {number} count */
export function formatCount(count) {
  return group(Number.isInteger(count) ? String(count) : significant(count, 4));
}

/**
 * A share of one as a percentage: `64.1 %`, `0.03 %`, `< 0.01 %`.
 * @param {number} share
 */
export function formatShare(share) {
  if (!Number.isFinite(share)) return '–';
  const percent = share * 100;
  if (percent === 0) return `0${THIN}%`;
  if (Math.abs(percent) < 0.01) return `<${THIN}0.01${THIN}%`;
  return `${percent.toFixed(Math.abs(percent) < 1 ? 2 : 1)}${THIN}%`;
}

/**
 * @param {number} value
 * @param {string} unit the word in the profile: `ns`, `bytes`, `count`, `samples`, or a file's own
 */
export function formatValue(value, unit) {
  if (unit === 'ns') return formatTime(value);
  if (unit === 'bytes') return formatBytes(value);
  if (unit === 'count' || unit === '') return formatCount(value);
  return `${formatCount(value)}${THIN}${unit}`;
}

/**
 * The word for `n` things: `1 kernel`, `2 kernels`.
 * @param {number} n
 * @param {string} noun
 */
export function formatNoun(n, noun) {
  return formatPlural(n, noun, `${noun}s`);
}

/**
 * @param {number} n
 * @param {string} one
 * @param {string} more
 */
export function formatPlural(n, one, more) {
  return `${formatCount(n)}${THIN}${n === 1 ? one : more}`;
}

/**
 * Narrow spaces between thousands, from five digits on.
 * @param {string} digits
 */
function group(digits) {
  const [whole = '', part] = digits.split('.');
  const bare = whole.replace('-', '');
  const grouped = bare.length > 4 ? whole.replace(/\B(?=(\d{3})+$)/g, THIN) : whole;
  return part === undefined ? grouped : `${grouped}.${part}`;
}

/**
 * Prose in which a number never parts from its unit at the end of a line.
 * @param {string} text
 */
export function tie(text) {
  return text.replace(/(\d) (?=(?:%|ns|µs|ms|s|B|[KMGT]i?B|×)(?![\p{L}\d]))/gu, '$1\u00a0');
}
