/**
 * The strip of steps: one bar a step, busy below, idle above.
 *
 * @import { Bar } from '#viewer/logic/step-bars.js'
 *
 * @typedef {{ groups: readonly string[], idle: string, left_out: string, accent: string, ground: string,
 *   warn: string, quiet: string }} Inks
 * @typedef {object} Look
 * @property {number} current bar under the pointer or the keys; -1 is none
 * @property {number} selected bar of the step that the views are narrowed to; -1 is none
 * @property {number} usual a height to compare with; 0 is none
 */

/** Room for the marks above the bars, and for the selection below. */
const ABOVE = 11;
const BELOW = 5;
/** Bars from this width on are drawn as an outline when left out. */
const HOLLOW = 4;
/** Marks are at least this far apart. */
const APART = 5;

/**
 * @param {CanvasRenderingContext2D} context
 * @param {{ width: number, height: number }} size
 * @param {readonly Bar[]} bars
 * @param {Inks} inks
 * @param {Look} look
 */
export function paintSteps(context, size, bars, inks, look) {
  context.clearRect(0, 0, size.width, size.height);
  const pitch = pitchOf(bars.length, size.width, size.height);
  const width = Math.max(1, pitch >= 4 ? pitch - Math.min(3, pitch * 0.25) : pitch);
  const bottom = size.height - BELOW;
  const scale = (bottom - ABOVE) / topOf(bars);
  if (look.current >= 0) {
    context.fillStyle = inks.ground;
    context.fillRect(look.current * pitch - 1, 0, width + 2, bottom);
  }
  bars.forEach((bar, i) => paintBar(context, bar, { x: i * pitch, width, bottom, scale }, inks));
  paintMarks(context, bars, { pitch, width, bottom, scale }, inks.warn);
  if (look.usual > 0) paintUsual(context, bottom - look.usual * scale, Math.min(size.width, bars.length * pitch), inks.quiet);
  for (const [i, height] of [[look.selected, BELOW], [look.current, BELOW - 2]]) {
    if (i === undefined || i < 0) continue;
    context.fillStyle = inks.accent;
    const wide = Math.max(width, 5);
    context.fillRect(i * pitch - (wide - width) / 2, size.height - (height ?? 0) + 1, wide, (height ?? 0) - 1);
  }
}

/**
 * @param {CanvasRenderingContext2D} context
 * @param {Bar} bar
 * @param {{ x: number, width: number, bottom: number, scale: number }} place
 * @param {Inks} inks
 */
function paintBar(context, bar, { x, width, bottom, scale }, inks) {
  const [busy, idle] = [bar.busy * scale, bar.idle * scale];
  const foot = bottom - busy;
  const [head, tall] = [Math.max(ABOVE, foot), Math.min(busy, bottom - ABOVE)];
  if (bar.kept || width < HOLLOW) {
    context.fillStyle = bar.kept ? inks.groups[bar.group % inks.groups.length] ?? '' : inks.left_out;
    context.fillRect(x, head, width, tall);
  } else {
    context.strokeStyle = inks.quiet;
    context.strokeRect(x + 0.5, head + 0.5, width - 1, Math.max(0, tall - 1));
  }
  context.fillStyle = inks.idle;
  const upper = Math.max(ABOVE, foot - idle);
  const seam = busy > 0 ? 1 : 0;
  context.fillRect(x, upper, width, Math.max(0, foot - seam - upper));
  // A notch: the bar goes on beyond the strip.
  if (upper > foot - idle + 0.5 || foot < ABOVE - 0.5) context.clearRect(x, ABOVE + 5, width, 2);
}

/**
 * Triangles above what is unlike the others; where they would cover each other, above the tallest.
 * @param {CanvasRenderingContext2D} context
 * @param {readonly Bar[]} bars
 * @param {{ pitch: number, width: number, bottom: number, scale: number }} place
 * @param {string} ink
 */
function paintMarks(context, bars, { pitch, width, bottom, scale }, ink) {
  const height = (/** @type {number} */ i) => (bars[i]?.busy ?? 0) + (bars[i]?.idle ?? 0);
  const marked = [...bars.keys()].filter((i) => bars[i]?.marked).sort((a, b) => height(b) - height(a));
  /** @type {Set<number>} */
  const taken = new Set();
  for (const i of marked) {
    const x = i * pitch + width / 2;
    const slot = Math.round(x / APART);
    if (taken.has(slot)) continue;
    for (const near of [slot - 1, slot, slot + 1]) taken.add(near);
    paintMark(context, x, Math.max(ABOVE, bottom - height(i) * scale), ink);
  }
}

/**
 * A triangle that points at the bar.
 * @param {CanvasRenderingContext2D} context
 * @param {number} x
 * @param {number} y
 * @param {string} ink
 */
function paintMark(context, x, y, ink) {
  context.fillStyle = ink;
  context.beginPath();
  context.moveTo(x, y - 2);
  context.lineTo(x - 4, y - 9);
  context.lineTo(x + 4, y - 9);
  context.fill();
}

/**
 * @param {CanvasRenderingContext2D} context
 * @param {number} y
 * @param {number} width
 * @param {string} ink
 */
function paintUsual(context, y, width, ink) {
  context.strokeStyle = ink;
  context.setLineDash([2, 3]);
  context.beginPath();
  context.moveTo(0, Math.round(y) + 0.5);
  context.lineTo(width, Math.round(y) + 0.5);
  context.stroke();
  context.setLineDash([]);
}

/**
 * How far apart bars begin; few steps do not become slabs.
 * @param {number} n_bars
 * @param {number} width
 * @param {number} height of the strip
 */
export function pitchOf(n_bars, width, height) {
  return Math.min(height / 3, width / Math.max(1, n_bars));
}

/**
 * The value at the top of the strip. Steps that were left out (a warm-up many times as long) do not
 * flatten the others: they are cut off.
 * @param {readonly Bar[]} bars
 */
function topOf(bars) {
  const most = (/** @type {boolean} */ kept_alone) =>
    bars.reduce((max, bar) => (bar.kept || !kept_alone ? Math.max(max, bar.busy + bar.idle) : max), 0);
  const kept = most(true);
  return Math.min(most(false), kept > 0 ? kept * 1.25 : Infinity) || 1;
}
