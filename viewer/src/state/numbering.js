/**
 * What the numbers of frames in the state mean: those of the capture's tree, or of one made of it, which
 * another arrangement numbers anew.
 *
 * @import { ViewState } from '#viewer/state/view-state.js'
 */

/** The tree of the capture itself. */
export const PLAIN = /** @type {const} */ ({ invert: false, recursion: false, by: '' });

/** @param {ViewState} state */
export function isPlain({ invert, recursion, by }) {
  return !invert && !recursion && by === '';
}

/**
 * The same for states whose numbers mean the same frames.
 * @param {ViewState} state
 */
function numbering(state) {
  const { capture, invert, recursion, by, weight, since, until, cuts } = state;
  // Recursion is folded whatever the weight; parts and leaves are those with weight.
  const of_weight = invert || by !== '' ? [weight, since, until, ...cuts] : [];
  return JSON.stringify([capture, invert, recursion, by, of_weight]);
}

/**
 * A changed state, without frames that are no longer the same ones.
 * @param {ViewState} before
 * @param {Partial<ViewState>} patch
 * @returns {ViewState}
 */
export function changed(before, patch) {
  const next = { ...before, ...patch };
  if (numbering(next) === numbering(before)) return next;
  return { ...next, focus: patch.focus ?? 0, select: patch.select ?? -1 };
}
