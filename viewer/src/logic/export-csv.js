/**
 * Tables as comma-separated values: RFC 4180, with a line of titles.
 *
 * @template Row
 * @typedef {{ title: string, value: (row: Row) => string | number }} CsvColumn
 */

/**
 * @template Row
 * @param {readonly CsvColumn<Row>[]} columns
 * @param {readonly Row[]} rows
 */
export function csv(columns, rows) {
  const line = (/** @type {readonly (string | number)[]} */ cells) => `${cells.map(cell).join(',')}\n`;
  return line(columns.map(({ title }) => title)) + rows.map((row) => line(columns.map(({ value }) => value(row)))).join('');
}

/** @param {string | number} value */
function cell(value) {
  const text = String(value);
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
