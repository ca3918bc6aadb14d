// @ts-check
// Zoom, search, pointer, keys; the state is kept in the address.

/** @param {Zoom} to */
function zoomTo(to) {
  if (to.below !== undefined && callees(tree, to.node, to.below).length === 0) to = { node: to.node };
  if (sameZoom(to, zoom)) return;
  zoom = to;
  current = key(to);
  hideTip();
  render();
  remember(true);
  rewind();
}

/** Scrolls to the root. */
function rewind() {
  if (alone) window.scrollTo(0, flame ? document.documentElement.scrollHeight : 0);
}

/** One step out. */
function back() {
  if (zoom.below !== undefined) zoomTo({ node: zoom.node });
  else zoomTo({ node: tree.parent[zoom.node] });
}

/** @param {string} text */
function searchFor(text) {
  query = text.trim();
  if (input.value.trim() !== query) input.value = query;
  const rows = query === "" ? null : matchNames(data, query);
  found = rows && search(tree, rows);
  render();
  remember(false);
}

/** Writes the state to the address, where it is ours. @param {boolean} push */
function remember(push) {
  if (!alone) return;
  const words = new URLSearchParams();
  if (!sameZoom(zoom, { node: 0 })) words.set("z", zoom.below === undefined ? `${zoom.node}` : `${zoom.node},${zoom.below}`);
  if (query) words.set("q", query);
  const address = `#${words}`;
  if (address === (location.hash || "#")) return;
  try {
    history[push ? "pushState" : "replaceState"](null, "", address);
  } catch {
    // A sandbox without history: the picture works all the same.
  }
}

function recall() {
  const words = new URLSearchParams(alone ? location.hash.slice(1) : "");
  const [node, below] = (words.get("z") ?? "0").split(",").map(Number);
  zoom = node > 0 && node < tree.n || below > 0 ? { node: node || 0, ...(below > 0 && { below }) } : { node: 0 };
  searchFor(words.get("q") ?? "");
}

/** The box under an event. @param {Event} event @returns {Shown | undefined} */
const boxOf = (event) => shown.find((box) => box.element.contains(/** @type {Node} */ (event.target)));

/** Makes a box the one that Tab reaches. @param {Shown | undefined} box @param {boolean} go */
function roam(box, go) {
  if (!box) return;
  for (const other of shown) other.element.removeAttribute("tabindex");
  current = key(box);
  box.element.setAttribute("tabindex", "0");
  if (!go) return;
  box.element.focus({ preventScroll: true });
  box.element.scrollIntoView({ block: "nearest" });
  const place = box.element.getBoundingClientRect();
  showTip(box, Math.max(place.left, 0), place.bottom - 16);
}

/** The box that an arrow leads to. @param {Shown} from @param {string} arrow */
function neighbour(from, arrow) {
  const inward = flame ? "ArrowUp" : "ArrowDown";
  const row = shown.filter((box) => box.row === from.row + (arrow === inward ? 1 : -1));
  const centre = (/** @type {Box} */ box) => !from.strip && box.start >= from.start && box.start < from.start + from.total;
  if (arrow === inward) return from.strip ? shown[shown.indexOf(from) + 1] : row.find(centre);
  if (arrow === "ArrowDown" || arrow === "ArrowUp") {
    return row.findLast((box) => box.strip || box.start <= from.start) ?? shown[shown.indexOf(from) - 1];
  }
  const same = shown.filter((box) => box.row === from.row);
  return same[same.indexOf(from) + (arrow === "ArrowRight" ? 1 : -1)];
}

/** The next or last drawn box that is a hit or holds hits too narrow to draw. @param {number} step */
function nextHit(step) {
  const hits = shown.filter((box) => !box.strip && matchedIn(box) > 0 &&
    (box.below !== undefined || found?.rows[data.name[box.node]]));
  const now = hits.findIndex((box) => key(box) === current);
  if (hits.length) roam(hits[now < 0 ? 0 : (now + step + hits.length) % hits.length], true);
}

/** @param {KeyboardEvent} event */
function onKey(event) {
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  if (event.target === input) {
    if (event.key === "Escape") {
      searchFor("");
      input.blur();
    } else if (event.key === "Enter") nextHit(1);
    return;
  }
  const here = boxOf(event);
  if (event.key === "/") input.focus();
  else if (event.key === "n" || event.key === "N") nextHit(event.key === "n" ? 1 : -1);
  else if (event.key === "0") zoomTo({ node: 0 });
  else if (event.key === "Escape" || event.key === "Backspace") query ? searchFor("") : back();
  else if (here && (event.key === "Enter" || event.key === " ")) zoomTo(target(here));
  else if (here && event.key.startsWith("Arrow")) roam(neighbour(here, event.key), true);
  else return;
  event.preventDefault();
}

const target = (/** @type {Box} */ box) => (box.below === undefined ? { node: box.node } : { node: box.node, below: box.below });

function listen() {
  group.setAttribute("role", "tree");
  group.setAttribute("aria-label", find(".title").textContent ?? "");
  group.addEventListener("click", (event) => {
    const box = boxOf(event);
    if (box) zoomTo(target(box));
  });
  group.addEventListener("pointermove", (event) => {
    const box = boxOf(event);
    if (box) showTip(box, event.clientX, event.clientY);
  });
  group.addEventListener("pointerleave", hideTip);
  // Not on the group: Chromium lets the keyboard reach what listens for focus.
  document.addEventListener("focusout", hideTip);
  for (const entry of legend) {
    if (entry.dataset.kind === "rest") continue;
    const toggle = () => searchFor(query === `kind:${entry.dataset.kind}` ? "" : `kind:${entry.dataset.kind}`);
    entry.setAttribute("role", "button");
    entry.setAttribute("tabindex", "0");
    entry.addEventListener("click", toggle);
    entry.addEventListener("keydown", (event) => event.key === "Enter" && toggle());
  }
  reset.addEventListener("click", () => zoomTo({ node: 0 }));
  input.addEventListener("input", () => searchFor(input.value));
  // Alone, the picture owns all keys; in a page only those pressed inside it.
  (alone ? document : svg).addEventListener("keydown", (event) => onKey(/** @type {KeyboardEvent} */ (event)));
  window.addEventListener("resize", () => requestAnimationFrame(render));
  if (alone) window.addEventListener("popstate", recall);
}

function begin() {
  const probe = make("text", { class: "probe" });
  probe.textContent = "M".repeat(50);
  svg.append(probe);
  advance = probe.getComputedTextLength() / 50 || advance;
  probe.remove();
  svg.classList.add("live");
  listen();
  recall();
  if (flame) rewind();
}

begin();
