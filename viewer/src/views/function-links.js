/**
 * The ways to one function: all its places in the flame graph, and its sandwich.
 *
 * @import { App } from '#viewer/views/app.js'
 */

import { PLAIN } from '#viewer/state/numbering.js';

/**
 * One stack: focus on it. Several: search for the name, so that all of them stand out.
 * @param {App} app
 * @param {{ name: string, n_stacks: number, heaviest: number }} place
 */
export function showPlaces(app, { name, n_stacks, heaviest }) {
  const several = n_stacks > 1;
  app.store.update({ ...PLAIN, view: 'flame', focus: several ? 0 : heaviest, select: heaviest, search: several ? name : '' });
}

/**
 * @param {App} app
 * @param {string} pivot as `pivotKey` writes it; empty changes nothing
 */
export function showSandwich(app, pivot) {
  if (pivot !== '') app.store.update({ view: 'sandwich', pivot });
}
