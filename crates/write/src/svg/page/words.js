// @ts-check
// Numbers and labels as text, by the rules of `units.rs` and `labels.rs`.

/** As `units.rs`. @param {Data} data @param {number} value @param {boolean} [mean] */
function human(data, value, mean = false) {
  const scaled = value / 10 ** data.decimals;
  const steps = data.unit === "ns"
    ? [[1e9, "s"], [1e6, "ms"], [1e3, "µs"], [1, "ns"]]
    : data.unit === "bytes"
      ? [[2 ** 40, "TiB"], [2 ** 30, "GiB"], [2 ** 20, "MiB"], [2 ** 10, "KiB"], [1, "B"]]
      : null;
  if (steps) {
    const [size, word] = steps.find((step) => scaled / Number(step[0]) >= 0.9995) ?? steps[steps.length - 1];
    return `${digits(scaled / Number(size))} ${word}`;
  }
  const word = data.unit && data.unit !== "count" ? ` ${data.unit}` : "";
  const whole = (data.decimals === 0 && !mean) || scaled >= 1e6;
  return (whole ? grouped(Math.round(scaled)) : digits(scaled)) + word;
}

/** @param {number} value */
function digits(value) {
  const text = value.toFixed(value >= 99.95 ? 0 : value >= 9.995 ? 1 : 2);
  return text.includes(".") ? text.replace(/\.?0+$/, "") : text;
}

/** @param {number} value */
function grouped(value) {
  return String(value).replace(/\B(?=(\d{3})+$)/g, ",");
}

/** @param {number} part @param {number} whole */
function percent(part, whole) {
  if (whole === 0 || part === 0) return "0 %";
  const share = (part / whole) * 100;
  if (part === whole) return "100 %";
  return share < 0.1 ? "< 0.1 %" : share >= 99.95 ? "> 99.9 %" : `${share.toFixed(1)} %`;
}

/** @param {number} n @param {string} one */
function plural(n, one) {
  return `${grouped(n)} ${one}${n === 1 ? "" : "s"}`;
}

/** Cells of a character in a fixed-width font. @param {string} c */
function cell(c) {
  if (c < "\u0300") return 1;
  if (/\p{M}|[\u200b-\u200f]/u.test(c)) return 0;
  return /[\u1100-\u115f\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\uff00-\uff60]|[\u{1f300}-\u{3fffd}]/u.test(c) ? 2 : 1;
}

/** @param {string} text */
function cells(text) {
  let width = 0;
  for (const c of text) width += cell(c);
  return width;
}

/** @param {string} text @param {number} room */
function cutTo(text, room) {
  let kept = "", left = room - 1;
  for (const c of text) {
    left -= cell(c);
    if (left < 0) break;
    kept += c;
  }
  return `${kept}…`;
}

/** The label for a box with room for some letters, as `labels.rs`. @param {string[]} names @param {number} room */
function fit(names, room) {
  let longer = "";
  for (const name of names) {
    const width = cells(name);
    if (width <= room) return width + 5 < room && longer && longer.startsWith(name) ? cutTo(longer, room) : name;
    longer = name;
  }
  return room < 3 ? "" : cutTo(longer, room);
}
