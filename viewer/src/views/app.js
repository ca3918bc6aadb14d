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

/**
 * The profile on show; nothing when the page holds a report alone.
 * @param {App} app
 * @returns {Profile | undefined}
 */
export function currentProfile(app) {
  return app.profiles[app.store.get().capture] ?? app.profiles[0];
}

/**
 * The lanes of the capture on show; nothing when the page was written without.
 * @param {App} app
 * @returns {Chart | undefined}
 */
export function currentChart(app) {
  const capture = currentProfile(app)?.index.capture ?? app.store.get().capture;
  return app.charts.find((chart) => chart.index.capture === capture);
}

/**
 * The capture on show.
 * @param {App} app
 * @returns {Capture | undefined}
 */
export function currentCapture(app) {
  const { captures } = app.report;
  const index = currentProfile(app)?.index.capture ?? app.store.get().capture;
  return captures[index] ?? captures[0];
}
