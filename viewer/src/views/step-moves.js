/**
 * Where a step leads, and in what order steps stand.
 *
 * @import { App } from '#viewer/views/app.js'
 * @import { StepRow } from '#viewer/logic/steps.js'
 */

import { stretchOfStep } from '#viewer/logic/steps.js';
import { currentChart } from '#viewer/views/app.js';

/**
 * Narrows all views to a step.
 * @param {App} app
 * @param {StepRow} row
 */
export function narrowToStep(app, { step }) {
  const { from, to } = stretchOfStep(step);
  if (currentChart(app)) app.narrow(from, to);
  else app.say('This page was written without lanes: its views cannot be narrowed');
}

/**
 * @param {App} app
 * @param {StepRow} row
 */
export function showInLanes(app, { step }) {
  const { from, to } = stretchOfStep(step);
  if (currentChart(app)) app.openTime({ from_ns: from, to_ns: to });
  else app.say('This page was written without lanes');
}

/** @param {App} app */
export function leaveStep(app) {
  app.store.update({ since: 0, until: 0 });
}

/**
 * The column that steps are sorted by.
 * @param {App} app
 */
export function sorting(app) {
  const { sort } = app.store.get();
  return { key: sort.replace(/^-/, ''), reverse: sort.startsWith('-') };
}

/**
 * The same column once more turns the order around.
 * @param {App} app
 * @param {string} key
 */
export function sortBy(app, key) {
  const now = sorting(app);
  app.store.update({ sort: now.key === key && !now.reverse ? `-${key}` : key });
}
