/**
 * Lists of boxes as SVG text, for wikis and reports: the same boxes, colours and labels as on the canvas,
 * with the figures of each box as its tooltip.
 *
 * @import { Floats } from '#viewer/lib/floats.js'
 * @import { Palette } from '#viewer/draw/palette.js'
 * @import { Labels } from '#viewer/draw/flame.js'
 * @import { Ruler } from '#viewer/draw/text.js'
 *
 * @typedef {object} Picture
 * @property {number} width px
 * @property {number} height
 * @property {string} title
 * @property {string} subtitle
 * @property {readonly string[]} shapes
 */

import { ROW_HEIGHT } from '#viewer/draw/flame.js';

/** Room for title and subtitle. */
const HEAD = 46;
const SANS = 'system-ui, -apple-system, Segoe UI, Roboto, sans-serif';

/**
 * @param {Picture} picture
 * @param {Palette} palette
 */
export function svg({ width, height, title, subtitle, shapes }, palette) {
  const size = `width="${width}" height="${height + HEAD}" viewBox="0 0 ${width} ${height + HEAD}"`;
  return `<svg xmlns="http://www.w3.org/2000/svg" ${size} font-family="${SANS}" font-size="11.5">
<title>${escape(title)}</title>
<defs><pattern id="hatch" width="4" height="4" patternUnits="userSpaceOnUse" patternTransform="rotate(45)"><path d="M0 0v4" stroke="${palette.hatch}" stroke-width="1.8"/></pattern></defs>
<rect width="100%" height="100%" fill="${palette.ground}"/>
<text x="8" y="19" font-size="14" font-weight="600" fill="${palette.text}">${escape(title)}</text>
<text x="8" y="36" fill="${palette.text}" opacity=".75">${escape(subtitle)}</text>
<g transform="translate(0 ${HEAD})">
${shapes.join('\n')}
</g>
</svg>
`;
}

/**
 * @param {readonly Floats[]} boxes one list a colour
 * @param {Palette} palette
 * @param {(row: number, y: number) => string} told figures of a box
 */
export function boxShapes(boxes, palette, told) {
  return boxes.flatMap(({ data, length }, bucket) => each(data, length, (x, y, width, row) =>
    rect(x, y, width >= 3 ? width - 1 : width, palette.fill[bucket] ?? '', told(row, y))));
}

/**
 * Pieces that are told by their tooltip alone.
 * @param {Floats} pieces
 * @param {(i: number, row: number) => string} told
 */
export function hatchedShapes({ data, length }, told) {
  return each(data, length, (x, y, width, row, i) => rect(x, y, width, 'url(#hatch)', told(i, row)));
}

/**
 * Columns as opaque as they are covered.
 * @param {readonly Floats[]} columns one list a colour
 * @param {Palette} palette
 */
export function columnShapes(columns, palette) {
  return columns.flatMap(({ data, length }, bucket) => each(data, length, (x, y, width, share) =>
    `<rect x="${round(x)}" y="${round(y)}" width="${round(width)}" height="${ROW_HEIGHT - 1}" fill="${palette.fill[bucket] ?? ''}" opacity="${round(share)}"/>`));
}

/**
 * @param {Floats} list
 * @param {Palette} palette
 * @param {Labels} labels
 * @param {Ruler} ruler
 */
export function labelShapes({ data, length }, palette, labels, ruler) {
  return each(data, length, (x, y, width, row) => {
    const text = ruler.fit(labels.names(row), width - 9);
    const ink = palette.ink[labels.bucket(row, y)] ?? '';
    return text === '' ? '' : `<text x="${round(x + 4)}" y="${round(y + 14)}" fill="${ink}" pointer-events="none">${escape(text)}</text>`;
  }).filter((text) => text !== '');
}

/**
 * @param {Float64Array | Float32Array} data
 * @param {number} length
 * @param {(a: number, b: number, c: number, d: number, i: number) => string} shape
 */
function each(data, length, shape) {
  const shapes = [];
  for (let i = 0; i < length; i += 4) {
    const [a = 0, b = 0, c = 0, d = 0] = data.subarray(i, i + 4);
    shapes.push(shape(a, b, c, d, i / 4));
  }
  return shapes;
}

/**
 * @param {number} x
 * @param {number} y
 * @param {number} width
 * @param {string} fill
 * @param {string} told
 */
export function rect(x, y, width, fill, told) {
  return `<rect x="${round(x)}" y="${round(y)}" width="${round(width)}" height="${ROW_HEIGHT - 1}" fill="${fill}"><title>${escape(told)}</title></rect>`;
}

/**
 * The name of a lane beside it.
 * @param {string} name
 * @param {number} top
 * @param {number} room
 * @param {Palette} palette
 */
export function nameShape(name, top, room, palette) {
  const short = name.length > 28 ? `${name.slice(0, 27)}…` : name;
  return `<text x="8" y="${top + 14}" fill="${palette.text}"><title>${escape(name)}</title>${escape(short)}</text><path d="M0 ${top - 3}h${room}" stroke="${palette.hatch}" stroke-width=".5"/>`;
}

/** @param {number} value */
function round(value) {
  return Math.round(value * 100) / 100;
}

/** Text that XML takes: what it cannot hold becomes a replacement character. @param {string} text */
function escape(text) {
  const legal = text.replace(/\p{Surrogate}/gu, '\ufffd').replace(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g, '\ufffd');
  return legal.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');
}
