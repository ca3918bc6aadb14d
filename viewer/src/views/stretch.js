/**
 * The chosen stretch of time: all views that know when things happened are narrowed to it.
 *
 * @import { App } from '#viewer/views/app.js'
 * @import { Stretch } from '#viewer/logic/cut-time.js'
 */

import { isByTime } from '#viewer/logic/by-time.js';
import { currentChart } from '#viewer/views/app.js';

/**
 * The stretch on show; nothing when that is the whole window, or the page has no lanes to cut from.
 * @param {App} app
 * @returns {Stretch | undefined}
 */
export function stretchOf(app) {
  const { since, until } = app.store.get();
  return until > since && currentChart(app) ? { from: since, to: until } : undefined;
}

/**
 * Whether the views can show a weight now.
 * @param {App} app
 * @param {string} weight
 */
export function isKnown(app, weight) {
  const chart = currentChart(app);
  return !stretchOf(app) || (chart !== undefined && isByTime(chart, weight));
}
