/**
 * The strip of steps: one bar a step, busy below, idle above. More steps than pixels share a bar,
 * which then shows their mean.
 *
 * @typedef {{ busy: number, idle: number, kept: boolean }} Bar
 * @typedef {{ busy: string, idle: string, left_out: string, accent: string }} Inks
 */

/**
 * Where the bar of a step is.
 * @param {number} index
 * @param {number} n
 * @param {number} width
 */
export function barAt(index, n, width) {
  const pitch = Math.min(28, width / n);
  return { x: index * pitch, width: Math.max(1, pitch >= 4 ? pitch - Math.min(3, pitch * 0.25) : pitch), pitch };
}

/**
 * The value at the top of the strip. Steps that were left out (a warm-up many times as long) do not
 * flatten the others: they are cut off.
 * @param {readonly Bar[]} bars
 */
function heightOf(bars) {
  const most = (/** @type {readonly Bar[]} */ some) =>
    some.reduce((max, bar) => Math.max(max, bar.busy + bar.idle), 0);
  const kept = most(bars.filter((bar) => bar.kept));
  return Math.min(most(bars), kept > 0 ? kept * 1.25 : Infinity) || 1;
}

/**
 * @param {CanvasRenderingContext2D} context
 * @param {{ width: number, height: number }} size
 * @param {readonly Bar[]} bars
 * @param {Inks} inks
 * @param {number} current index of the step to point out; -1 is none
 */
export function paintSteps(context, size, bars, inks, current) {
  context.clearRect(0, 0, size.width, size.height);
  const scale = (size.height - 6) / heightOf(bars);
  const top = 5;
  bars.forEach((bar, i) => {
    const { x, width } = barAt(i, bars.length, size.width);
    const busy = bar.busy * scale;
    const idle = bar.idle * scale;
    context.fillStyle = bar.kept ? inks.busy : inks.left_out;
    context.fillRect(x, Math.max(top, size.height - busy), width, Math.min(busy, size.height - top));
    context.fillStyle = inks.idle;
    const upper = Math.max(top, size.height - busy - idle);
    context.fillRect(x, upper, width, Math.max(0, size.height - busy - 1 - upper));
    // A notch: the bar goes on beyond the strip.
    if (upper > size.height - busy - idle) context.clearRect(x, top + 5, width, 2);
    if (i !== current) return;
    context.fillStyle = inks.accent;
    context.fillRect(x, 0, width, 3);
  });
}
