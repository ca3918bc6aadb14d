/**
 * Wires the page: the only module that knows all the others.
 *
 * @import { Report } from '#viewer/data/report.js'
 * @import { Profile, ProfileIndex } from '#viewer/data/profile.js'
 * @import { Chart, ChartIndex } from '#viewer/data/chart.js'
 * @import { App } from '#viewer/views/app.js'
 * @import { Flame } from '#viewer/views/flame.js'
 * @import { Sandwich } from '#viewer/views/sandwich.js'
 * @import { LanesView } from '#viewer/views/lanes.js'
 */

import { fromBase64, inflate } from '#viewer/lib/bytes.js';
import { h } from '#viewer/lib/dom.js';
import { openChart } from '#viewer/data/chart.js';
import { openProfile } from '#viewer/data/profile.js';
import { spotOf } from '#viewer/logic/finding-place.js';
import { weightOf } from '#viewer/logic/findings.js';
import { commonCaller, findAlike, findPath } from '#viewer/logic/stack.js';
import { PLAIN } from '#viewer/state/numbering.js';
import { openStore } from '#viewer/state/store.js';
import { readPalette } from '#viewer/draw/palette.js';
import { currentChart, currentProfile } from '#viewer/views/app.js';
import { createFlame } from '#viewer/views/flame.js';
import { createLanes } from '#viewer/views/lanes.js';
import { draw as drawLanes } from '#viewer/views/lanes-stage.js';
import { createNotes } from '#viewer/views/notes.js';
import { createIdle, createPaths } from '#viewer/views/owners.js';
import { createSandwich } from '#viewer/views/sandwich.js';
import { createShell } from '#viewer/views/shell.js';
import { createStepsView } from '#viewer/views/steps.js';
import { draw, nodeAt } from '#viewer/views/stage.js';
import { createSummary } from '#viewer/views/summary.js';
import { createTable } from '#viewer/views/table.js';
import { copyText, createToast } from '#viewer/views/toast.js';

/** The word of the data layout this viewer reads. */
const LAYOUT = 'flamelane.page/1';

/** Builds the page from the data beside it. */
export function start() {
  const page = /** @type {HTMLElement} */ (document.getElementById('page'));
  const contents = /** @type {{ layout: string, profiles: ProfileIndex[], charts: ChartIndex[] }} */ (readJson('contents'));
  if (contents.layout !== LAYOUT) {
    page.append(h('p', { class: 'broken' }, `This page holds data of the layout ${contents.layout}; its viewer reads ${LAYOUT}.`));
    return;
  }
  const report = /** @type {Report} */ (readJson('report'));
  const toast = createToast();
  const app = createApp(report, {
    profiles: contents.profiles.map((index) => openProfile(index, readBlock)),
    charts: contents.charts.map((index) => openChart(index, readBlock)),
  }, toast);
  const flame = createFlame(app);
  const lanes = createLanes(app);
  const sandwich = createSandwich(app);
  const shell = createShell(app, {
    summary: createSummary(app), flame, lanes, table: createTable(app), sandwich,
    idle: createIdle(app), paths: createPaths(app), steps: createStepsView(app), notes: createNotes(app),
  });
  page.append(shell.element, toast.element);
  document.title = `${filesOf(app).join(', ')} · flamelane`;
  app.store.listen(shell.show);
  shell.show(app.store.get(), undefined);
  exposeForTests(app, flame.flame, lanes.lanes, sandwich.sandwich);
}

/**
 * All that the page speaks of.
 * @param {App} app
 */
function filesOf({ report, profiles }) {
  return [...report.captures, ...profiles.flatMap(({ index }) => index.stacks ?? [])].map(({ file }) => file);
}

/**
 * @param {Report} report
 * @param {{ profiles: Profile[], charts: Chart[] }} data
 * @param {{ say: (text: string) => void }} toast
 * @returns {App}
 */
function createApp(report, data, toast) {
  const store = openStore();
  /** @type {App} */
  const app = {
    report, ...data, store,
    palette: paletteOfTheme(),
    async openStack(weight, stack) {
      const tree = await currentProfile(app)?.tree();
      const alike = tree ? findAlike(tree, stack) : [];
      const node = alike[0] ?? (tree ? findPath(tree, stack) : 0);
      const several = tree && alike.length > 1;
      // A stack that is not in the tree is looked for by its last name.
      const search = several || node === 0 ? stack[stack.length - 1] ?? '' : '';
      store.update({
        ...PLAIN, view: 'flame', weight, select: node > 0 ? node : -1, search,
        focus: several ? commonCaller(tree, alike) : node,
      });
    },
    async openFinding(finding, n_steps) {
      const weight = weightOf(finding.kind);
      const profile = currentProfile(app);
      if (!profile) return;
      const [tree, { total }] = await Promise.all([profile.tree(), profile.values(weight)]);
      store.update({ ...PLAIN, view: 'flame', weight, ...spotOf(tree, total, finding, n_steps) });
    },
    openTime({ from_ns, to_ns }) {
      const room = Math.max(100, Math.round((to_ns - from_ns) * 0.4));
      store.update({ view: 'lanes', from: from_ns - room, to: to_ns + room, span: -1 });
    },
    say: toast.say,
    narrow(from, to) {
      store.update({ since: Math.floor(from), until: Math.ceil(to) });
      toast.say('All views are narrowed to this stretch');
    },
    async copy(text, what) {
      toast.say((await copyText(text)) ? `${what} copied` : 'The browser did not allow copying');
    },
  };
  return app;
}

/** The palette is read from the page's style again only when the theme has changed. */
function paletteOfTheme() {
  let known = { scheme: '', palette: readPalette(() => '#000000') };
  return () => {
    const style = getComputedStyle(document.documentElement);
    const read = (/** @type {string} */ variable) => style.getPropertyValue(variable).trim();
    const scheme = read('--scheme');
    if (scheme !== known.scheme) known = { scheme, palette: readPalette(read) };
    return known.palette;
  };
}

/** @param {string} id */
function readJson(id) {
  return JSON.parse(document.getElementById(id)?.textContent ?? '{}');
}

/**
 * Unpacks a block once and drops its text, which is a third larger than the bytes. A block that is not
 * in the page is where the page came from.
 * @param {string} id
 */
async function readBlock(id) {
  const element = document.getElementById(id);
  if (!element) return inflate(await fetchBlock(id));
  const text = element.textContent ?? '';
  element.remove();
  return inflate(fromBase64(text));
}

/** @param {string} id */
async function fetchBlock(id) {
  try {
    const response = await fetch(`block/${id}`);
    if (response.ok) return new Uint8Array(await response.arrayBuffer());
    throw new Error(`block ${id}: ${response.status}`);
  } catch (error) {
    if (!document.querySelector('.broken')) {
      document.body.prepend(h('p', { class: 'broken', role: 'alert' }, 'The server behind this page does not answer: start `flamelane open` again and open the address that it prints.'));
    }
    throw error;
  }
}

/**
 * What the browser tests read instead of pixels.
 * @param {App} app
 * @param {Flame} flame
 * @param {LanesView} lanes
 * @param {Sandwich} sandwich
 */
function exposeForTests(app, flame, lanes, sandwich) {
  const viewer = {
    state: app.store.get,
    update: app.store.update,
    ready: () => flame.ready,
    scene: () => flame.stage.scene,
    chart: () => currentChart(app),
    view: () => ({ ...flame.stage.view }),
    stage: () => flame.stage,
    found: () => flame.found?.matches,
    nodeAt: (/** @type {number} */ x, /** @type {number} */ y) => nodeAt(flame.stage, x, y),
    draw: () => draw(flame.stage),
    lanes: {
      ready: () => lanes.ready,
      stage: () => lanes.stage,
      gap: () => lanes.gap,
      draw: () => drawLanes(lanes.stage),
    },
    sandwich,
  };
  Object.assign(window, { __viewer: viewer });
}
