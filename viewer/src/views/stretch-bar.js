/**
 * Says to what stretch of time and to which stacks the views are narrowed, and leads back.
 *
 * @import { App } from '#viewer/views/app.js'
 * @import { ViewName, ViewState } from '#viewer/state/view-state.js'
 */

import { fill, h } from '#viewer/lib/dom.js';
import { formatShare, formatTime, formatValue } from '#viewer/lib/units.js';
import { timeIn, windowIn } from '#viewer/logic/window-in.js';
import { currentChart, viewOnShow } from '#viewer/views/app.js';
import { cutChips } from '#viewer/views/cuts.js';
import { sceneOf } from '#viewer/views/scenes.js';
import { stretchOf } from '#viewer/views/stretch.js';

/** Views whose figures stay those of the whole window. The summary tells the two apart itself. @type {readonly ViewName[]} */
const OF_THE_WINDOW = ['notes'];
/** Views that know of cuts. @type {readonly ViewName[]} */
const CUT = ['flame', 'table', 'sandwich'];

/** @param {App} app */
export function createStretchBar(app) {
  const said = h('span', { class: 'stretch-said' });
  const cuts = h('span', { class: 'stretch-cuts' });
  const button = (/** @type {string} */ text, /** @type {string} */ title, /** @type {() => void} */ run) =>
    h('button', { type: 'button', class: 'button', title, onclick: run }, text);
  const back = [
    button('Lanes', 'Show the stretch in the lanes', () => {
      const stretch = stretchOf(app);
      if (stretch) app.openTime({ from_ns: stretch.from, to_ns: stretch.to });
    }),
    button('Whole window ×', 'Show the whole window in all views again', () => app.store.update({ since: 0, until: 0 })),
  ];
  const element = h('div', { class: 'stretch-bar', role: 'status', hidden: true },
    h('span', { class: 'stretch-mark', 'aria-hidden': 'true' }), said, cuts, back);
  return {
    element,
    /** @param {ViewState} state */
    async show(state) {
      const stretch = stretchOf(app);
      const is_cut = state.cuts.length > 0;
      element.hidden = !stretch && !is_cut;
      for (const one of back) one.hidden = !stretch;
      if (element.hidden) return;
      const [devices, left] = await Promise.all([stretch ? busyIn(app, stretch) : [], is_cut ? shareLeft(app) : '']);
      if (app.store.get() !== state) return;
      const view = viewOnShow(app);
      const whole = (stretch && OF_THE_WINDOW.includes(view)) || (is_cut && !CUT.includes(view));
      fill(said, stretch && h('b', {}, `Narrowed to ${formatTime(stretch.to - stretch.from)}`),
        stretch && `, from ${formatTime(stretch.from)} to ${formatTime(stretch.to)}`,
        devices.map((text) => ` · ${text}`).join(''),
        is_cut && `${stretch ? ' · ' : ''}${left}`,
        whole && h('span', { class: 'stretch-but' }, stretch && OF_THE_WINDOW.includes(view)
          ? 'The figures below are of the whole window.' : 'The figures below are of all stacks.'));
      fill(cuts, ...cutChips(app));
    },
  };
}

/**
 * How much of the weight the cuts leave.
 * @param {App} app
 */
async function shareLeft(app) {
  const scene = await sceneOf(app);
  if (!scene) return '';
  const { uncut = 0, layout, unit, title } = scene;
  return `${formatShare(layout.sum / (uncut || 1))} of ${formatValue(uncut, unit)} ${title} left`;
}

/**
 * How busy each device was in the stretch.
 * @param {App} app
 * @param {import('#viewer/logic/cut-time.js').Stretch} stretch
 */
async function busyIn(app, stretch) {
  const chart = currentChart(app);
  if (!chart) return [];
  const wall = windowIn(chart.index.window, stretch);
  if (wall === 0) return ['outside the window of the report'];
  const told = chart.index.idle.map(async ({ device }, row) => {
    const idle = timeIn((await chart.idle(row)).pieces, stretch);
    return `${device.split(' · ')[0]} ${formatShare((wall - idle) / wall)} busy`;
  });
  return Promise.all(told);
}
