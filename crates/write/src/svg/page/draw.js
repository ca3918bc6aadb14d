// @ts-check
// Draws what is zoomed to.

/** Callers of what is zoomed to, outermost first; of many only some. @returns {(Zoom | number)[]} */
function strips() {
  /** @type {(Zoom | number)[]} */ const callers = [];
  const from = zoom.below === undefined ? tree.parent[zoom.node] : zoom.node;
  if (zoom.node === 0 && zoom.below === undefined) return callers;
  for (let node = from; node !== 0; node = tree.parent[node]) callers.unshift({ node });
  callers.unshift({ node: 0 });
  const hidden = callers.length - STRIPS;
  if (hidden > 1) callers.splice(1, hidden, hidden);
  return callers;
}

function render() {
  const held = group.contains(document.activeElement);
  svg.setAttribute("width", "100%");
  width = Math.max(svg.getBoundingClientRect().width, 320);
  const room = width - 2 * MARGIN;
  // Beside the title where there is room, else below the legend.
  const narrow = headWidth() + BAR + 3 * MARGIN > width;
  const legendTop = placeLegend(room);
  const top = Math.max(legendTop + 22, data.top) + (narrow ? 40 : 0);
  bar.setAttribute("x", narrow ? MARGIN : width - MARGIN - BAR);
  bar.setAttribute("y", narrow ? top - 50 : 8);
  bar.setAttribute("width", narrow ? room : BAR);

  const boxes = layout(tree, zoom, room), above = strips();
  const nRows = above.length + boxes.reduce((most, box) => Math.max(most, box.row + 1), 1);
  const at = (/** @type {number} */ row) => top + (flame ? nRows - 1 - row : row) * ROW;
  const scale = room / (boxes[0]?.total || 1);
  const fragment = document.createDocumentFragment();
  shown = [];
  above.forEach((caller, row) => {
    if (typeof caller === "number") return fragment.append(gapRow(caller, at(row), room));
    draw({ ...single(tree, caller.node), row }, MARGIN, at(row), room, true, fragment);
  });
  for (const box of boxes) {
    const row = box.row + above.length;
    draw({ ...box, row }, MARGIN + box.start * scale, at(row), box.total * scale, false, fragment);
  }
  group.replaceChildren(fragment);
  const height = top + nRows * ROW + 52;
  foot.setAttribute("y", String(height - 34));
  hints.setAttribute("y", String(height - (foot.textContent ? 16 : 34)));
  const full = alone ? Math.max(height, window.innerHeight) : height;
  svg.setAttribute("height", String(full));
  svg.setAttribute("viewBox", `0 0 ${width} ${full}`);
  reset.hidden = sameZoom(zoom, { node: 0 });
  report();
  roam(shown.find((box) => key(box) === current) ?? shown[above.length], held);
}

/** The longest line of the head, in px. */
function headWidth() {
  const lines = /** @type {NodeListOf<SVGTextElement>} */ (svg.querySelectorAll(".title,.head"));
  return Math.max(...[...lines].map((line) => line.getComputedTextLength()));
}

/** Lays the legend out in lines; returns the last baseline. @param {number} room */
function placeLegend(room) {
  let x = MARGIN, y = Number(legend[0]?.dataset.y ?? data.top - 22);
  for (const entry of legend) {
    const size = /** @type {SVGTextElement} */ (entry.lastElementChild).getComputedTextLength() + 29;
    if (x + size > room && x > MARGIN) {
      x = MARGIN;
      y += 18;
    }
    entry.setAttribute("transform", `translate(${x} ${y})`);
    x += size;
  }
  return y;
}

/** @param {number} n @param {number} y @param {number} room */
function gapRow(n, y, room) {
  const text = make("text", { class: "note", x: MARGIN + room / 2, y: y + 12.5, "text-anchor": "middle" });
  text.textContent = `… ${n} more callers …`;
  return text;
}

/** @param {Box} box @param {number} x @param {number} y @param {number} size @param {boolean} strip @param {DocumentFragment} into */
function draw(box, x, y, size, strip, into) {
  const rest = box.below !== undefined, [name, kind, shade, ...shorter] = nameOf(box.node);
  const hit = found !== null && !rest && found.rows[data.name[box.node]] === 1;
  const classes = `box ${rest ? "rest" : `${kind} s${shade}`}${strip ? " strip" : ""}${hit ? " hit" : ""}${size < 5 ? " thin" : ""}`;
  const element = make("g", { class: classes, role: "treeitem", "aria-level": box.row + 1, "aria-label": spoken(box) });
  const drawn = Math.max(size - 1, size * 0.75);
  element.append(make("rect", { x, y, width: drawn, height: BOX }));
  const share = found && !hit ? matchedIn(box) / box.total : 0;
  if (share > 0) element.append(make("rect", { class: "share", x, y: y + BOX - 2, width: drawn * share, height: 2 }));
  const letters = Math.floor((size - 8) / advance);
  const frames = plural(box.frames, "frame");
  const label = !rest ? fit([name, ...shorter], letters)
    : [`${frames}, ${percent(box.total, tree.total[0])}`, frames].find((text) => text.length <= letters);
  if (label) {
    const text = make("text", { x: x + 4, y: y + 12.5 });
    text.textContent = label;
    element.append(text);
  }
  into.append(element);
  shown.push({ ...box, element, strip });
}

/** Weight that the search matches in a box. @param {Box} box */
function matchedIn(box) {
  if (!found) return 0;
  const { matched } = found;
  if (box.below === undefined) return matched[box.node];
  return callees(tree, box.node, box.below).reduce((sum, i) => sum + matched[i], 0);
}
