/** Marks of a time axis: round numbers, as many as have room. */

const STEPS = [1, 2, 5];

/**
 * The smallest round step of which no more than `most` fit.
 * @param {number} span ns
 * @param {number} most
 */
export function roundStep(span, most) {
  for (let power = 1; ; power *= 10) {
    const step = STEPS.find((factor) => span / (factor * power) <= most);
    if (step !== undefined) return step * power;
  }
}

/**
 * Instants to mark between `from` and `to`, ascending.
 * @param {number} from ns
 * @param {number} to
 * @param {number} most
 */
export function ticks(from, to, most) {
  const step = roundStep(to - from, Math.max(1, most));
  const marks = [];
  for (let at = Math.ceil(from / step) * step; at <= to; at += step) marks.push(at);
  return { step, marks };
}

/**
 * An instant with as many decimals as tell it from its neighbours, in one unit for all.
 * @param {number} ns
 * @param {number} step between neighbours
 * @param {number} largest instant of the axis
 */
export function formatInstant(ns, step, largest) {
  const [unit, name] = largest >= 1e9 ? [1e9, 's'] : largest >= 1e6 ? [1e6, 'ms'] : largest >= 1e3 ? [1e3, 'µs'] : [1, 'ns'];
  const decimals = Math.max(0, Math.ceil(Math.log10(unit / step)));
  return `${(ns / unit).toFixed(Math.min(9, decimals))}\u202f${name}`;
}
