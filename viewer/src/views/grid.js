/**
 * A table of any length as real DOM: only the rows in sight exist.
 *
 * @template Row
 * @typedef {object} Column
 * @property {string} key
 * @property {string} title
 * @property {string} [spoken] what to call a column without a title
 * @property {string} width of the grid track
 * @property {boolean} [number] set in figures, to the right
 * @property {boolean} [fixed] cannot be sorted by
 * @property {boolean} [upwards] begins with the smallest, as names do
 * @property {boolean} [wide] shown where there is room alone
 * @property {() => boolean} [needed] shown where this holds
 * @property {(row: Row) => import('#viewer/lib/dom.js').Child} cell
 */

import { fill, h } from '#viewer/lib/dom.js';

const ROW_HEIGHT = 30;
const SPARE_ROWS = 8;
/** Narrower tables leave out what is nice to have. */
const WIDE = 1180;

/**
 * @template Row
 * @param {{ label: string, columns: readonly Column<Row>[], open: (row: Row) => void,
 *   sort: (key: string) => void, keys?: Readonly<Record<string, (row: Row) => void>>,
 *   again?: (row: Row) => void, walk?: (row: Row) => void,
 *   level?: (row: Row) => { level: number, expanded: boolean | undefined },
 *   none?: () => string }} options `again` after a second click; `walk` when the keys or a click made a row
 *   the current one; `level` where rows open to others; `none` what to say when there is no row
 */
export function createGrid({ label, columns, open, sort, keys = {}, again = () => {}, walk = () => {}, level, none = () => 'There is nothing to list.' }) {
  const id = `row-${label.toLowerCase().replace(/\W+/g, '-')}`;
  const head = h('div', { class: 'grid-head', role: 'row' });
  /** @type {readonly Column<Row>[]} */
  let shown = [];
  let tracks = '';
  let sorted = { key: '', reverse: false };
  const body = h('div', { class: 'grid-body', role: 'rowgroup' });
  const nothing = h('div', { role: 'gridcell' });
  const empty = h('div', { class: 'grid-none', role: 'row', hidden: true }, nothing);
  const element = h('div', {
    class: 'grid', role: level ? 'treegrid' : 'grid', tabindex: 0, 'aria-label': label,
    onkeydown: (/** @type {KeyboardEvent} */ event) => key(event),
  }, head, body, empty);
  /** @type {readonly Row[]} */
  let rows = [];
  let current = -1;
  let frame = 0;
  const drawHead = () => {
    const wide = element.clientWidth >= WIDE;
    shown = columns.filter((column) => (wide || !column.wide) && column.needed?.() !== false);
    tracks = shown.map((column) => column.width).join(' ');
    head.style.gridTemplateColumns = tracks;
    fill(head, shown.map((column) => headCell(column, column.key === sorted.key, sorted.reverse, sort)));
  };
  const draw = () => {
    frame = 0;
    const from = Math.max(0, Math.floor(element.scrollTop / ROW_HEIGHT) - SPARE_ROWS);
    const to = Math.min(rows.length, from + Math.ceil(element.clientHeight / ROW_HEIGHT) + 2 * SPARE_ROWS);
    body.style.height = `${rows.length * ROW_HEIGHT}px`;
    fill(body, rows.slice(from, to).map((row, i) => line(row, from + i)));
    if (current >= from && current < to) element.setAttribute('aria-activedescendant', `${id}-${current}`);
    else element.removeAttribute('aria-activedescendant');
  };
  const line = (/** @type {Row} */ row, /** @type {number} */ index) => h('div', {
    class: index === current ? 'grid-row current' : 'grid-row', role: 'row', id: `${id}-${index}`,
    'aria-rowindex': index + 2, 'aria-selected': String(index === current),
    ...levelOf(row), style: `grid-template-columns:${tracks};top:${index * ROW_HEIGHT}px`, onclick: (/** @type {MouseEvent} */ event) => click(event, index),
  }, shown.map((column) => h('div', { role: 'gridcell', class: column.number ? 'number' : '' }, column.cell(row))));
  const levelOf = (/** @type {Row} */ row) => {
    const told = level?.(row);
    return told && { 'aria-level': told.level, 'aria-expanded': told.expanded === undefined ? undefined : String(told.expanded) };
  };
  const click = (/** @type {MouseEvent} */ event, /** @type {number} */ index) => {
    // What the first click opened may have moved the rows: the second one means the same row.
    const row = rows[event.detail > 1 && current >= 0 ? current : index];
    if (!row) return;
    if (event.detail > 1) return again(row);
    point(index);
    walk(row);
    open(row);
  };
  const key = (/** @type {KeyboardEvent} */ event) => {
    const page = Math.max(1, Math.floor(element.clientHeight / ROW_HEIGHT) - 2);
    const by = { ArrowDown: 1, ArrowUp: -1, PageDown: page, PageUp: -page, Home: -Infinity, End: Infinity }[event.key];
    const row = rows[current];
    if (by !== undefined) move(by);
    else if (event.key === 'Enter' && row && event.target === element) open(row);
    else if (row && keys[event.key]) keys[event.key]?.(row);
    else return;
    event.preventDefault();
    event.stopPropagation();
  };
  const move = (/** @type {number} */ by) => {
    point(Math.max(0, Math.min(rows.length - 1, current + by)));
    const row = rows[current];
    if (row) walk(row);
  };
  /** Makes a row the current one and brings it into sight. */
  const point = (/** @type {number} */ index) => {
    current = index;
    const top = current * ROW_HEIGHT;
    const room = element.clientHeight - 2 * ROW_HEIGHT;
    if (current >= 0 && top < element.scrollTop) element.scrollTop = top;
    if (top > element.scrollTop + room) element.scrollTop = top - room;
    draw();
  };
  element.addEventListener('scroll', () => (frame ||= requestAnimationFrame(draw)), { passive: true });
  new ResizeObserver(() => {
    drawHead();
    draw();
  }).observe(element);
  return {
    element,
    point,
    /**
     * @param {readonly Row[]} next
     * @param {string} key sorted by
     * @param {boolean} reverse
     */
    show(next, key, reverse) {
      rows = next;
      current = -1;
      element.scrollTop = 0;
      element.setAttribute('aria-rowcount', String(rows.length + 1));
      sorted = { key, reverse };
      empty.hidden = rows.length > 0;
      nothing.textContent = rows.length > 0 ? '' : none();
      drawHead();
      draw();
    },
    /** Makes the row that is meant the current one. @param {(row: Row) => boolean} is_it */
    pick(is_it) {
      const at = rows.findIndex(is_it);
      if (at >= 0) point(at);
    },
  };
}

/**
 * @template Row
 * @param {Column<Row>} column
 * @param {boolean} sorted
 * @param {boolean} reverse
 * @param {(key: string) => void} sort
 */
function headCell(column, sorted, reverse, sort) {
  const down = (column.upwards ?? column.key === 'name') === reverse;
  const direction = sorted ? (down ? 'descending' : 'ascending') : undefined;
  return h('div', { role: 'columnheader', class: column.number ? 'number' : '', 'aria-sort': direction },
    column.fixed ? column.title || h('span', { class: 'out-of-sight' }, column.spoken ?? '')
      : h('button', { type: 'button', onclick: () => sort(column.key) }, column.title, sorted && h('span', { 'aria-hidden': 'true' }, down ? ' ↓' : ' ↑')));
}
