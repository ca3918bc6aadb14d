// @ts-check
// What is said about boxes and searches.

/** Facts about a box, the name first. @param {Box} box @returns {string[]} */
function facts(box) {
  const rest = box.below !== undefined, whole = tree.total[0], own = data.self[box.node];
  const caller = rest ? box.node : tree.parent[box.node];
  const lines = [rest ? `${plural(box.frames, "frame")} merged` : nameOf(box.node)[0]];
  let total = `total ${human(data, box.total)}, ${percent(box.total, whole)}`;
  if (caller !== 0 && box.node !== 0) total += `, ${percent(box.total, tree.total[caller])} of its caller`;
  lines.push(total);
  if (!rest) lines.push(`self ${human(data, own)}, ${percent(own, whole)}`);
  if (box.count > 0) {
    lines.push(`${grouped(box.count)} ${data.count}, mean ${human(data, box.total / box.count, true)}`);
  }
  if (found) lines.push(`search matches ${percent(matchedIn(box), box.total)} of it`);
  return lines;
}

const spoken = (/** @type {Box} */ box) => facts(box).join("; ");

/** The heaviest merged frames. @param {Box} box */
function heaviest(box) {
  const list = callees(tree, box.node, box.below).sort((a, b) => tree.total[b] - tree.total[a]);
  const lines = list.slice(0, 5).map((i) => `${human(data, tree.total[i])}  ${nameOf(i)[0]}`);
  return lines.length ? lines : ["their names are not in this file"];
}

function report() {
  if (query === "") answer.textContent = "";
  else if (!found) answer.textContent = "not a regular expression";
  else {
    const whole = tree.total[0], all = found.matched[0];
    // What is cut may match: then the share is a lower bound.
    const least = found.unknown > 0 ? "≥ " : "";
    const parts = [`${least}${percent(all, whole)} of ${data.weight}, ${human(data, all)}`,
      `${least}self ${percent(found.own, whole)}`,
      `${least}${plural(found.frames, "frame")}, ${least}${plural(found.names, "name")}`];
    if (zoom.node !== 0) {
      parts.splice(1, 0, `${percent(found.matched[zoom.node], tree.total[zoom.node])} of this view`);
    }
    answer.textContent = parts.join(" · ");
    answer.title = found.unknown > 0 ? `at most ${percent(all + found.unknown, whole)}` : "";
  }
  svg.classList.toggle("searching", found !== null);
  for (const entry of legend) entry.setAttribute("aria-pressed", String(query === `kind:${entry.dataset.kind}`));
}

/** @param {Box & {element: SVGElement}} box @param {number} x @param {number} y */
function showTip(box, x, y) {
  const [name, ...lines] = facts(box);
  const head = html("b"), body = html("div");
  head.textContent = name;
  body.textContent = lines.join("\n");
  tip.replaceChildren(head, body);
  if (box.below !== undefined) {
    const list = html("code");
    list.textContent = heaviest(box).join("\n");
    tip.append(list);
  } else if (box.node !== 0) body.textContent += `\n${nameOf(box.node)[1]}`;
  const corner = svg.getBoundingClientRect(), size = tip.getBoundingClientRect();
  const left = Math.min(x + 14, corner.left + width - size.width - 8);
  const over = y + 20 + size.height > window.innerHeight && y - 12 - size.height > 0;
  tipBox.setAttribute("x", String(Math.max(left - corner.left, 4)));
  tipBox.setAttribute("y", String((over ? y - 12 - size.height : y + 20) - corner.top));
  tipBox.classList.add("on");
}

const hideTip = () => tipBox.classList.remove("on");
