/**
 * The chosen stretch of time at the top of the summary: where its wall time went, what was heaviest in it, who
 * owns its idle time, and the steps that lie in it. The report speaks of the whole window only; these figures
 * are added up from the lanes.
 *
 * @import { Chart } from '#viewer/data/chart.js'
 * @import { Stretch } from '#viewer/logic/cut-time.js'
 * @import { Owner } from '#viewer/logic/alike.js'
 * @import { Parts } from '#viewer/logic/partition-in.js'
 * @import { App } from '#viewer/views/app.js'
 * @import { ViewState } from '#viewer/state/view-state.js'
 *
 * @typedef {object} Figures
 * @property {(Parts & { device: string })[]} devices
 * @property {Owner[]} work
 * @property {Owner[]} idle
 * @property {{ count: number, noun: string, plural: string }[]} counts
 */

import { fill, h } from '#viewer/lib/dom.js';
import { formatCount, formatNoun, formatShare, formatTime } from '#viewer/lib/units.js';
import { mergeAlike } from '#viewer/logic/alike.js';
import { valuesIn } from '#viewer/logic/by-time.js';
import { ownersIn } from '#viewer/logic/owner-rows.js';
import { addParts, partitionsIn } from '#viewer/logic/partition-in.js';
import { stepsIn } from '#viewer/logic/steps-in.js';
import { currentCapture, currentChart, currentProfile } from '#viewer/views/app.js';
import { partitionBar } from '#viewer/views/partition.js';
import { stretchOf } from '#viewer/views/stretch.js';
import { toplist } from '#viewer/views/summary-lists.js';
import { smallTable } from '#viewer/views/summary-tables.js';

const N_ROWS = 4;

/** @param {App} app */
export function createStretchCard(app) {
  const element = h('section', { class: 'card of-stretch', 'aria-label': 'In the stretch', hidden: true });
  let shown = '';
  return {
    element,
    /** @param {ViewState} state */
    async show(state) {
      const [chart, stretch] = [currentChart(app), stretchOf(app)];
      element.hidden = !chart || !stretch;
      if (!chart || !stretch) return;
      const key = [chart.index.capture, stretch.from, stretch.to].join(' ');
      if (key === shown) return;
      shown = '';
      fill(element, head(stretch));
      const figures = await figuresIn(app, chart, stretch);
      if (state !== app.store.get()) return;
      shown = key;
      fill(element, head(stretch), ...body(app, stretch, figures));
    },
  };
}

/** @param {Stretch} stretch */
function head({ from, to }) {
  return h('div', { class: 'card-head' }, h('h2', {}, `In the stretch of ${formatTime(to - from)}`),
    h('span', { class: 'quiet' }, `${formatTime(from)} to ${formatTime(to)}`));
}

/**
 * @param {App} app
 * @param {Chart} chart
 * @param {Stretch} stretch
 * @returns {Promise<Figures>}
 */
async function figuresIn(app, chart, stretch) {
  const profile = currentProfile(app);
  const owners = async (/** @type {'gpu' | 'idle'} */ weight) => (profile ? mergeAlike(await ownersIn(profile, chart, weight, stretch)) : []);
  const count = async (/** @type {string} */ weight, /** @type {string} */ noun, /** @type {string} */ plural) => {
    const values = profile?.index.columns.some((column) => column.weight === weight) && await valuesIn(profile, chart, weight, stretch);
    return values ? [{ count: values.total[0] ?? 0, noun, plural }] : [];
  };
  const [devices, work, idle, ...counts] = await Promise.all([
    partitionsIn(chart, stretch), owners('gpu'), owners('idle'),
    count('launches', 'kernel', 'kernels'), count('copies', 'copy or fill', 'copies or fills'),
  ]);
  return { devices, work, idle, counts: counts.flat() };
}

/**
 * @param {App} app
 * @param {Stretch} stretch
 * @param {Figures} figures
 */
function body(app, stretch, { devices, work, idle, counts }) {
  const all = addParts(devices);
  if (all.wall === 0) return [h('p', { class: 'sentence' }, 'It lies outside the window that the report speaks of: there is nothing to add up.')];
  return [
    h('p', { class: 'sentence' }, sentence(all, devices.length), ' ', begun(counts), inWindow(stretch, all.wall / devices.length)),
    ...partitionBar(all), unplaced(all), byDevice(devices),
    h('div', { class: 'columns' },
      list(app, { title: 'Where the GPU time goes', weight: 'gpu', view: 'paths' }, work),
      list(app, { title: 'Who owns the idle time', weight: 'idle', view: 'idle' }, idle)),
    steps(app, stretch),
  ];
}

/**
 * @param {Parts} all
 * @param {number} n_devices
 */
function sentence({ wall, idle, sum }, n_devices) {
  const busy = wall - idle;
  const gaps = idle === 0 ? 'no gaps' : `${formatTime(idle)} are gaps`;
  const overlap = sum > busy * 1.01 ? ` Work that runs at once counts in full: ${(sum / busy).toFixed(2)} × busy.` : '';
  return `${formatTime(sum)} of device work in ${formatTime(wall)}${n_devices > 1 ? ` on ${n_devices} devices` : ''}: ${gaps}.${overlap}`;
}

/** @param {Figures['counts']} counts */
function begun(counts) {
  const told = counts.filter(({ count }) => count > 0).map(({ count, noun, plural }) => `${formatCount(count)} ${count === 1 ? noun : plural}`);
  const sum = counts.reduce((all, { count }) => all + count, 0);
  return told.length > 0 ? `${told.join(' and ')} ${sum === 1 ? 'starts' : 'start'} in it. ` : 'No device work starts in it. ';
}

/**
 * @param {Stretch} stretch
 * @param {number} inside
 */
function inWindow({ from, to }, inside) {
  return inside < to - from && `Only ${formatTime(inside)} of the stretch lie in the window of the report; the rest is not counted.`;
}

/** @param {Parts} all */
function unplaced({ unplaced: ns }) {
  return ns > 0 && h('p', { class: 'quiet' }, `${formatTime(ns)} more were busy with work that has no row in the lanes.`);
}

/** What devices are compared by; what none has is left out. @type {readonly { title: string, always?: true, of: (parts: Parts) => number }[]} */
const COLUMNS = [
  { title: 'Compute', always: true, of: ({ compute }) => compute },
  { title: 'Communication', of: ({ comm }) => comm },
  { title: 'Copies', of: ({ copy }) => copy },
  { title: 'Idle', always: true, of: ({ idle }) => idle },
  { title: 'Hidden', of: ({ comm_hidden, copy_hidden }) => comm_hidden + copy_hidden },
  { title: 'Work (sum)', always: true, of: ({ sum }) => sum },
];

/** @param {Figures['devices']} devices */
function byDevice(devices) {
  if (devices.length < 2) return null;
  const columns = COLUMNS.filter(({ always, of }) => always || devices.some((parts) => of(parts) > 0));
  return h('div', { class: 'wide-table' }, smallTable(['Device', 'Busy', ...columns.map(({ title }) => title)], devices.map((parts) =>
    [parts.device, formatShare((parts.wall - parts.idle) / (parts.wall || 1)), ...columns.map(({ of }) => formatTime(of(parts)))])));
}

/**
 * @param {App} app
 * @param {{ title: string, weight: string, view: 'idle' | 'paths' }} what
 * @param {readonly Owner[]} items
 */
function list(app, { title, weight, view }, items) {
  if (items.length === 0) return null;
  const sum = items.reduce((total, { ns }) => total + ns, 0);
  return h('div', {}, h('div', { class: 'card-head' }, h('h3', {}, title),
    items.length > N_ROWS && h('button', { type: 'button', class: 'link', onclick: () => app.store.update({ view }) }, `All ${items.length}`)),
  toplist(app, { weight, items: items.slice(0, N_ROWS), sum }));
}

/**
 * @param {App} app
 * @param {Stretch} stretch
 */
function steps(app, stretch) {
  const about = currentCapture(app)?.steps;
  if (!about || about.list.length === 0) return null;
  const { groups, cut } = stepsIn(about.list, about.marker ?? 'step', stretch);
  const across = cut > 0 ? `${formatNoun(cut, 'step')} across an edge ${cut === 1 ? 'is' : 'are'} not counted. ` : '';
  const missing = about.not_listed > 0 ? `${formatCount(about.not_listed)} steps of the report are not listed in this page. ` : '';
  const meaning = groups.length > 0 ? 'A step has the time of its own work, which may lie outside the stretch.' : 'No step lies in it from end to end.';
  return h('div', {}, h('h3', {}, 'Steps in it'),
    groups.length > 0 && smallTable(['Phase', 'Steps', 'Wall', 'Busy', 'Idle'], groups.map(({ phase, count, left_out, wall, busy, idle }) =>
      [phase, `${formatCount(count)}${left_out > 0 ? `, ${formatCount(left_out)} left out` : ''}`, formatTime(wall),
        `${formatTime(busy)} · ${formatShare(busy / (wall || 1))}`, `${formatTime(idle)} · ${formatShare(idle / (wall || 1))}`])),
    h('p', { class: 'quiet' }, meaning, ' ', across, missing));
}
