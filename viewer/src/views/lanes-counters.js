/**
 * The counters among the lanes: where they are on screen, the scale beside each, and the number under
 * the pointer.
 *
 * @import { Strip } from '#viewer/logic/lanes.js'
 * @import { LanesStage } from '#viewer/views/lanes-stage.js'
 * @import { CounterStrip } from '#viewer/draw/counters.js'
 */

import { formatCount, formatPlural } from '#viewer/lib/units.js';
import { drawnOf, rangeIn } from '#viewer/logic/counter.js';
import { BAND_HEIGHT } from '#viewer/logic/lanes.js';
import { formatInstant } from '#viewer/logic/ruler.js';

/**
 * The counters as they are to be painted.
 * @param {Pick<LanesStage, 'shelf' | 'view'>} stage
 * @returns {(CounterStrip & { device: number })[]}
 */
export function counterStrips({ shelf, view }) {
  return shelf.counters.map(({ device, top, counter }) =>
    ({ device, y: top - view.scroll, ...drawnOf(counter, view) }));
}

/**
 * Says beside each counter how much its full height is.
 * @param {LanesStage} stage
 * @param {readonly { device: number, most: number }[]} strips
 */
export function tellScales({ scales, lanes }, strips) {
  for (const { device, most } of strips) {
    const element = scales.get(device);
    const text = scale(most);
    if (!element || element.textContent === text) continue;
    element.textContent = text;
    const name = lanes?.chart.index.idle[device]?.device ?? '';
    element.parentElement?.setAttribute('aria-label', `Queue of ${name}: at most ${launches(most)} not finished`);
  }
}

/** @param {number} n */
export const launches = (n) => formatPlural(n, 'launch', 'launches');

/** @param {import('#viewer/logic/counter.js').Range} range */
export function queueRange({ least, most }) {
  if (most === 0) return 'empty';
  return least === most ? launches(most) : `${formatCount(least)} to ${launches(most)}`;
}

/** @param {number} most */
export const scale = (most) => (most === 0 ? 'empty' : `max ${formatCount(most)}`);

/**
 * What the pointer is told of a counter: the number there, or from where to where it goes inside of the pixel.
 * @param {LanesStage} stage
 * @param {number} x
 * @param {number} y
 */
export function tellCounter(stage, x, y) {
  const { view, shelf } = stage;
  const strip = stripAt(shelf.counters, y + view.scroll);
  if (!strip || y < 0) return undefined;
  const per_pixel = (view.to - view.from) / view.width;
  const from = view.from + Math.floor(x) * per_pixel;
  const range = rangeIn(strip.counter, from, from + per_pixel);
  const time = formatInstant(Math.round(view.from + x * per_pixel), Math.max(1, per_pixel), Math.max(Math.abs(view.from), Math.abs(view.to)));
  const more = range.most === 0 ? `at ${time}: nothing launched is left to do` : `not finished at ${time}`;
  return { name: 'queue', figure: queueRange(range), more };
}

/**
 * @param {readonly Strip[]} strips
 * @param {number} top
 */
function stripAt(strips, top) {
  return strips.find((one) => one.top <= top && top < one.top + BAND_HEIGHT);
}
