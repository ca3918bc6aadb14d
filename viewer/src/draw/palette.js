/**
 * Fill and ink of every bucket: a kind's shades, then the same dimmed.
 *
 * @typedef {object} Palette
 * @property {string[]} fill
 * @property {number[]} pixels the fills as image data holds them; that of the ground is the last
 * @property {string[]} ink
 * @property {string} ground
 * @property {string} text
 * @property {string} accent
 * @property {string} hatch
 * @property {string} bar
 */

import { KINDS, N_SHADES, css, mix, parseHex, pixelOf } from '#viewer/lib/color.js';

export const N_BUCKETS = KINDS.length * N_SHADES;

/** How far each shade steps back towards the ground, and how far a dimmed box does. */
const SHADE = 0.06;
const DIMMED = 0.84;

/**
 * @param {(variable: string) => string} style reads a CSS variable of the page
 * @returns {Palette}
 */
export function readPalette(style) {
  const ground = parseHex(style('--surface'));
  const full = KINDS.flatMap((kind) => {
    const base = parseHex(style(`--kind-${kind}`));
    return Array.from({ length: N_SHADES }, (_, shade) => mix(base, ground, SHADE * shade));
  });
  const inks = KINDS.flatMap((kind) => Array(N_SHADES).fill(style(`--kind-${kind}-ink`)));
  const dimmed = full.map((color) => mix(color, ground, DIMMED));
  return {
    fill: [...full, ...dimmed].map(css),
    pixels: [...full, ...dimmed, ground].map(pixelOf),
    ink: [...inks, ...dimmed.map(() => style('--ink-3'))],
    ground: css(ground),
    text: style('--ink'),
    accent: style('--accent'),
    hatch: style('--hatch'),
    bar: style('--bar'),
  };
}

/**
 * @param {number} kind
 * @param {number} hash of the name
 */
export function bucketOf(kind, hash) {
  return kind * N_SHADES + (hash % N_SHADES);
}
