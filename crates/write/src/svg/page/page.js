// @ts-check
// What the other parts share: the picture, its data, the controls, the state.

const SVG = "http://www.w3.org/2000/svg", HTML = "http://www.w3.org/1999/xhtml";
const MARGIN = 12, ROW = 18, BOX = 17, STRIPS = 6, BAR = 520;
const svg = /** @type {SVGSVGElement} */ (
  /** @type {SVGScriptElement} */ (/** @type {unknown} */ (document.currentScript)).ownerSVGElement
);
const find = (/** @type {string} */ selector) => /** @type {SVGElement} */ (svg.querySelector(selector));
// @ts-expect-error All parts run inside one async function; alone, this file is a script.
const tree = decode(JSON.parse(await unpacked(find(".data"))));
const { data } = tree;
const flame = data.direction === "flame";
const alone = document.documentElement === /** @type {Element} */ (svg);
const group = find(".boxes"), foot = find(".foot");
const legend = /** @type {SVGElement[]} */ ([...svg.querySelectorAll(".key")]);

/** @type {Zoom} */ let zoom = { node: 0 };
let query = "";
/** @type {Found | null} */ let found = null;
/** @typedef {Box & {element: SVGElement, strip: boolean}} Shown */
/** @type {Shown[]} */ let shown = [];
let current = "", width = 0, advance = 6.8;

/** @param {string} name @param {Record<string, string | number>} [attributes] @param {string} [space] @returns {any} */
function make(name, attributes = {}, space = SVG) {
  const element = document.createElementNS(space, name);
  for (const key in attributes) element.setAttribute(key, String(attributes[key]));
  return element;
}
const html = (/** @type {string} */ name, attributes = {}) => make(name, attributes, HTML);
const key = (/** @type {Zoom} */ box) => (box.below === undefined ? `${box.node}` : `${box.node}r`);
const nameOf = (/** @type {number} */ node) => data.names[data.name[node]];
const sameZoom = (/** @type {Zoom} */ a, /** @type {Zoom} */ b) => a.node === b.node && a.below === b.below;

const bar = make("foreignObject", { class: "bar", height: 52, y: 8 });
const panel = bar.appendChild(html("div"));
const reset = panel.appendChild(html("button", { type: "button", title: "Whole picture (0)" }));
reset.textContent = "Reset zoom";
const input = panel.appendChild(html("input", {
  type: "search", placeholder: "Search: name, /regex/, kind:kernel", "aria-label": "Search frames",
  spellcheck: "false", autocomplete: "off",
}));
const answer = panel.appendChild(html("output", { role: "status" }));
const tipBox = make("foreignObject", { class: "tip", width: 460, height: 1, "aria-hidden": "true" });
const tip = tipBox.appendChild(html("div"));
const hints = make("text", { class: "note", x: MARGIN });
hints.textContent = "Click or Enter zooms, Esc goes back, 0 resets, / searches, n and N go to hits, arrows walk.";
svg.append(bar, hints, tipBox);
