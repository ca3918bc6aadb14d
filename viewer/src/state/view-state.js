/**
 * What the page shows; all of it is in the URL.
 *
 * @typedef {'summary' | 'flame' | 'lanes' | 'table' | 'sandwich' | 'idle' | 'paths' | 'steps'
 *   | 'notes'} ViewName
 * @import { Order } from '#viewer/logic/order.js'
 * @import { Division } from '#viewer/logic/parts.js'
 * @import { FigureKey } from '#viewer/logic/steps.js'
 *
 * @typedef {object} ViewState
 * @property {ViewName} view
 * @property {number} capture row of the page's profiles
 * @property {string} weight empty for the first there is
 * @property {number} focus the node that fills the width; 0 is everything
 * @property {number} select the node whose details are pinned; -1 is none
 * @property {string} pivot kind and name of the function of the sandwich; empty for that of the selected node
 * @property {string} search empty when nothing is looked for
 * @property {Order} order
 * @property {boolean} flip root at the bottom
 * @property {boolean} collapse frames that only pass their weight on are folded away
 * @property {boolean} invert leaves first, what called them below
 * @property {boolean} recursion functions that call themselves are folded into one frame
 * @property {'' | Division} by what the flame graph is divided by; empty for nothing
 * @property {readonly string[]} dim kinds that the legend dims; empty when all are shown
 * @property {'function' | Division} group what a row of the table is
 * @property {FigureKey} figure that the strip of steps shows
 * @property {string} sort column that the steps are sorted by, with a minus before it when turned around
 * @property {number} from first ns that the lanes show; the window when not before `to`
 * @property {number} to
 * @property {number} span number of the selected span of the lanes; -1 is none
 * @property {readonly string[]} cuts stacks kept or dropped in all views, in order
 * @property {number} since first ns that all views are narrowed to; the window when not before `until`
 * @property {number} until
 */

/** `of_stacks` are those that need no timeline. @type {readonly { name: ViewName, title: string, of_stacks?: true }[]} */
export const VIEWS = [
  { name: 'summary', title: 'Summary' },
  { name: 'flame', title: 'Flame graph', of_stacks: true },
  { name: 'lanes', title: 'Lanes' },
  { name: 'table', title: 'Functions', of_stacks: true },
  { name: 'sandwich', title: 'Sandwich', of_stacks: true },
  { name: 'idle', title: 'Idle' },
  { name: 'paths', title: 'GPU paths' },
  { name: 'steps', title: 'Steps' },
  { name: 'notes', title: 'Health & notes' },
];

/** @type {Readonly<ViewState>} */
export const INITIAL = {
  view: 'summary', capture: 0, weight: '', focus: 0, select: -1, pivot: '', search: '', order: 'steady',
  flip: false, collapse: false, invert: false, recursion: false, by: '', dim: [], group: 'function', figure: 'wall',
  sort: 'number', from: 0, to: 0, span: -1, cuts: [], since: 0, until: 0,
};
