/**
 * What every view is given.
 *
 * @import { Report, Capture, Finding } from '#viewer/data/report.js'
 * @import { Profile } from '#viewer/data/profile.js'
 * @import { Chart } from '#viewer/data/chart.js'
 * @import { Store } from '#viewer/state/store.js'
 * @import { ViewState } from '#viewer/state/view-state.js'
 * @import { Palette } from '#viewer/draw/palette.js'
 *
 * @typedef {object} App
 * @property {Report} report
 * @property {Profile[]} profiles
 * @property {Chart[]} charts
 * @property {Store} store
 * @property {() => Palette} palette of the theme that is on
 * @property {(weight: string, stack: readonly string[]) => Promise<void>} openStack focuses on a
 *   stack under a weight; on what several share, with their last name searched for, when they differ
 *   only by the numbers of modules
 * @property {(finding: Finding, n_steps: number) => Promise<void>} openFinding focuses on what holds
 *   the time of a finding, under its weight, with the frame that most of it is in searched for
 * @property {(place: { from_ns: number, to_ns: number }) => void} openTime shows a stretch of time in the lanes,
 *   with some room around it
 * @property {(from: number, to: number) => void} narrow narrows all views to a stretch of time
 * @property {(text: string) => void} say shows a line for a moment
 * @property {(text: string, what: string) => Promise<void>} copy to the clipboard, and says so
 *
 * @typedef {object} View
 * @property {HTMLElement} element
 * @property {(state: ViewState, before: ViewState | undefined) => void | Promise<void>} show
 * @property {(event: KeyboardEvent) => boolean} [key] whether the key was for this view
 * @property {() => void} [restyle] the theme has changed
 */

import { VIEWS } from '#viewer/state/view-state.js';

/**
 * The profile on show; nothing when the page holds a report alone.
 * @param {App} app
 * @returns {Profile | undefined}
 */
export function currentProfile(app) {
  return app.profiles[app.store.get().capture] ?? app.profiles[0];
}

/**
 * Row of what the report says of the capture on show; -1 when it says nothing.
 * @param {App} app
 */
function currentRow(app) {
  const profile = currentProfile(app);
  return profile ? profile.index.capture ?? -1 : app.store.get().capture;
}

/**
 * The lanes of the capture on show; nothing when the page was written without.
 * @param {App} app
 * @returns {Chart | undefined}
 */
export function currentChart(app) {
  const row = currentRow(app);
  return app.charts.find((chart) => chart.index.capture === row);
}

/**
 * What the report says of the capture on show; nothing of finished stacks.
 * @param {App} app
 * @returns {Capture | undefined}
 */
export function currentCapture(app) {
  const { captures } = app.report;
  return captures[currentRow(app)] ?? (currentStacks(app) ? undefined : captures[0]);
}

/**
 * The file of finished stacks on show; nothing when that is a capture with a timeline.
 * @param {App} app
 */
export function currentStacks(app) {
  return currentProfile(app)?.index.stacks ?? undefined;
}

/**
 * The name of the file on show.
 * @param {App} app
 */
export function currentFile(app) {
  return (currentStacks(app) ?? currentCapture(app))?.file ?? '';
}

/**
 * The views that have something to show: what lies in time is not known of finished stacks.
 * @param {App} app
 */
export function viewsOf(app) {
  return currentStacks(app) ? VIEWS.filter(({ of_stacks }) => of_stacks) : VIEWS;
}

/**
 * The view asked for, or the first there is.
 * @param {App} app
 */
export function viewOnShow(app) {
  const { view } = app.store.get();
  const views = viewsOf(app);
  return (views.find(({ name }) => name === view) ?? views[0])?.name ?? view;
}
