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
 * @param {CanvasRenderingContext2D} context
 * @param {{ width: number, height: number }} size
 * @param {readonly Bar[]} bars
 * @param {Inks} inks
 * @param {number} current index of the step to point out; -1 is none
 */
export function paintSteps(context, size, bars, inks, current) {
  context.clearRect(0, 0, size.width, size.height);
  const most = bars.reduce((max, bar) => Math.max(max, bar.busy + bar.idle), 0) || 1;
  const scale = (size.height - 6) / most;
  bars.forEach((bar, i) => {
    const { x, width } = barAt(i, bars.length, size.width);
    const busy = bar.busy * scale;
    const idle = bar.idle * scale;
    context.fillStyle = bar.kept ? inks.busy : inks.left_out;
    context.fillRect(x, size.height - busy, width, busy);
    context.fillStyle = inks.idle;
    context.fillRect(x, size.height - busy - idle, width, Math.max(0, idle - 1));
    if (i !== current) return;
    context.fillStyle = inks.accent;
    context.fillRect(x, 0, width, 3);
  });
}
