/** Text that fits: widths are measured once a character, then only added up. */

/**
 * @typedef {object} Ruler
 * @property {(text: string) => number} width
 * @property {(names: readonly string[], room: number) => string} fit the longest of `names` that
 *   fits, else the last one cut short; empty when not even three letters fit
 */

/**
 * @param {CanvasRenderingContext2D} context with its font set
 * @returns {Ruler}
 */
export function ruler(context) {
  const ascii = new Float64Array(128);
  for (let code = 32; code < 127; code++) {
    ascii[code] = context.measureText(String.fromCharCode(code)).width;
  }
  const other = context.measureText('漢').width;
  const advance = (/** @type {string} */ text, /** @type {number} */ i) => {
    const code = text.charCodeAt(i);
    return code < 128 ? /** @type {number} */ (ascii[code]) : other;
  };
  /** How many characters fit into `room`. */
  const reach = (/** @type {string} */ text, /** @type {number} */ room) => {
    let used = 0;
    for (let i = 0; i < text.length; i++) {
      used += advance(text, i);
      if (used > room) return i;
    }
    return text.length;
  };
  const dots = context.measureText('…').width;
  return {
    width: (text) => context.measureText(text).width,
    fit(names, room) {
      const found = names.find((name) => reach(name, room) === name.length);
      if (found !== undefined) return found;
      const last = names[names.length - 1] ?? '';
      const n = reach(last, room - dots);
      return n < 3 ? '' : `${last.slice(0, n).trimEnd()}…`;
    },
  };
}
