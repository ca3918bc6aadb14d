/**
 * Says to what stretch of time the views are narrowed, and leads back to the whole window.
 *
 * @import { App } from '#viewer/views/app.js'
 * @import { ViewName, ViewState } from '#viewer/state/view-state.js'
 */

import { fill, h } from '#viewer/lib/dom.js';
import { formatShare, formatTime } from '#viewer/lib/units.js';
import { timeIn, windowIn } from '#viewer/logic/stretch.js';
import { currentChart } from '#viewer/views/app.js';
import { stretchOf } from '#viewer/views/stretch.js';

/** Views whose figures stay those of the whole window. @type {readonly ViewName[]} */
const OF_THE_WINDOW = ['summary', 'notes'];

/** @param {App} app */
export function createStretchBar(app) {
  const said = h('span', { class: 'stretch-said' });
  const button = (/** @type {string} */ text, /** @type {string} */ title, /** @type {() => void} */ run) =>
    h('button', { type: 'button', class: 'button', title, onclick: run }, text);
  const element = h('div', { class: 'stretch-bar', role: 'status', hidden: true },
    h('span', { class: 'stretch-mark', 'aria-hidden': 'true' }), said,
    button('Lanes', 'Show the stretch in the lanes', () => {
      const stretch = stretchOf(app);
      if (stretch) app.openTime({ from_ns: stretch.from, to_ns: stretch.to });
    }),
    button('Whole window ×', 'Show the whole window in all views again', () => app.store.update({ since: 0, until: 0 })));
  return {
    element,
    /** @param {ViewState} state */
    async show(state) {
      const stretch = stretchOf(app);
      element.hidden = !stretch;
      if (!stretch) return;
      const devices = await busyIn(app, stretch);
      if (app.store.get() !== state) return;
      const { from, to } = stretch;
      fill(said, h('b', {}, `Narrowed to ${formatTime(to - from)}`), `, from ${formatTime(from)} to ${formatTime(to)}`,
        devices.map((text) => ` · ${text}`).join(''),
        OF_THE_WINDOW.includes(state.view) && h('span', { class: 'stretch-but' }, 'The figures below are of the whole window.'));
    },
  };
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
