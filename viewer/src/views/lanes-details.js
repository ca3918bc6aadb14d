/**
 * The pane beside the lanes: the selected span, the chosen stretch, or the longest gaps.
 *
 * @import { App } from '#viewer/views/app.js'
 * @import { Lanes } from '#viewer/logic/lanes.js'
 * @import { Place } from '#viewer/logic/span-facts.js'
 * @import { Gap } from '#viewer/logic/gaps.js'
 *
 * @typedef {object} LanesActions
 * @property {(place: Place) => void} select
 * @property {(gap: Gap) => void} gap
 * @property {(from: number, to: number) => void} zoom
 * @property {() => void} clear
 */

import { KINDS, kindColor } from '#viewer/lib/color.js';
import { fill, h } from '#viewer/lib/dom.js';
import { formatCount, formatShare, formatTime } from '#viewer/lib/units.js';
import { rangeIn } from '#viewer/logic/counter.js';
import { longestGaps, ownerStack } from '#viewer/logic/gaps.js';
import { foundBy } from '#viewer/logic/queue.js';
import { inStretch } from '#viewer/logic/stretch.js';
import { around, endOf, kindAt, launchedBy, launcherOf, nameAt, stackOf, startOf } from '#viewer/logic/span-facts.js';
import { howto } from '#viewer/views/howto.js';
import { launches, queueRange } from '#viewer/views/lanes-counters.js';

/** Longest gaps listed. */
const MOST_GAPS = 12;
/** Work of a launch that is listed. */
const MOST_WORK = 20;
const MOST_NAMES = 12;

/**
 * @param {App} app
 * @param {LanesActions} actions
 */
export function createLanesDetails(app, actions) {
  const element = h('aside', { class: 'details', 'aria-label': 'Details of the selection', 'aria-live': 'polite' });
  return {
    element,
    /**
     * @param {Lanes} lanes
     * @param {{ select: Place | undefined, gap: Gap | undefined, range: { from: number, to: number } | undefined }} marks
     */
    show(lanes, { select, gap, range }) {
      if (select) fill(element, ...aboutSpan(app, lanes, select, actions));
      else if (gap) fill(element, ...aboutGap(app, lanes, gap, actions));
      else if (range) fill(element, ...aboutRange(app, lanes, range, actions));
      else fill(element, howto('lanes'), gapList(lanes, actions));
    },
  };
}

/**
 * @param {string} name
 * @param {string} value
 * @param {string} [title]
 */
const figure = (name, value, title) =>
  h('tr', {}, h('th', { scope: 'row' }, name), h('td', title ? { title } : {}, value));

/** @param {number} ns */
const exact = (ns) => `${ns.toLocaleString('en')} ns`;

/**
 * @param {string} text
 * @param {() => void} run
 */
const button = (text, run) => h('button', { type: 'button', class: 'button', onclick: run }, text);

/**
 * @param {App} app
 * @param {number} from
 * @param {number} to
 */
const narrowing = (app, from, to) => h('button', {
  type: 'button', class: 'button', title: 'Flame graph, functions, sandwich and owners of this stretch of time alone (v)',
  onclick: () => app.narrow(from, to),
}, 'Narrow all views');

/**
 * @param {string} kind
 * @param {string} text
 * @param {LanesActions} actions
 */
function head(kind, text, actions) {
  const color = KINDS.find((known) => known === kind);
  return h('div', { class: 'details-kind' },
    color ? h('span', { class: 'swatch', style: `background:${kindColor(color)}` }) : h('span', { class: 'swatch hatched' }), text,
    h('button', { type: 'button', class: 'close', 'aria-label': 'Unpin', onclick: actions.clear }, '×'));
}

/**
 * @param {App} app
 * @param {Lanes} lanes
 * @param {Place} place
 * @param {LanesActions} actions
 */
function aboutSpan(app, lanes, place, actions) {
  const [start, end] = [startOf(place), endOf(place)];
  const kind = KINDS[kindAt(lanes, place)] ?? 'synthetic';
  const lane = lanes.chart.index.lanes[place.lane];
  const on_device = lane?.device !== null;
  return [
    head(kind, kind, actions),
    h('h2', { class: 'details-name' }, nameAt(lanes, place)),
    h('table', { class: 'figures' }, h('tbody', {},
      figure('Duration', formatTime(end - start), exact(end - start)),
      figure('Starts at', formatTime(start), exact(start)),
      figure('Lane', lane?.name ?? ''),
      foundQueue(lanes, place))),
    on_device ? launch(lanes, place, actions) : work(lanes, place, actions),
    h('div', { class: 'details-actions' },
      button('Zoom', () => actions.zoom(start, end)),
      narrowing(app, start, end),
      button('Flame graph', () => void app.openStack(on_device ? 'gpu' : 'wall', stackOf(lanes, place))),
      button('Copy name', () => void app.copy(nameAt(lanes, place), 'Name')),
      button('Copy stack', () => void app.copy(stackOf(lanes, place).join(';'), 'Stack'))),
    stackList(lanes, place, actions),
  ];
}

/**
 * How many launches the one of a device span found before it.
 * @param {Lanes} lanes
 * @param {Place} place
 */
function foundQueue(lanes, place) {
  const launcher = launcherOf(lanes, place);
  const queue = lanes.queues[lanes.chart.index.lanes[place.lane]?.device ?? -1];
  if (!launcher || !queue) return null;
  const found = foundBy(queue, startOf(launcher));
  return figure('Queue at its launch', found === 0 ? 'empty' : launches(found), 'Launches before it that were not finished');
}

/**
 * What launched a device span, and how long it waited.
 * @param {Lanes} lanes
 * @param {Place} place
 * @param {LanesActions} actions
 */
function launch(lanes, place, actions) {
  const launcher = launcherOf(lanes, place);
  if (!launcher) return h('p', { class: 'quiet' }, 'Its launch is not in this capture.');
  const delay = startOf(place) - startOf(launcher);
  return h('div', {},
    h('div', { class: 'label' }, 'Launched by'),
    row(lanes, launcher, `${formatTime(delay)} before`, actions));
}

/**
 * @param {Lanes} lanes
 * @param {Place} place
 * @param {LanesActions} actions
 */
function work(lanes, place, actions) {
  const { first, n } = launchedBy(lanes, place, MOST_WORK);
  if (n === 0) return null;
  return h('div', { class: 'details-stack' }, h('div', { class: 'label' }, n > first.length ? `Launched ${formatCount(n)}, the first ${first.length}` : `Launched ${formatCount(n)}`),
    h('ol', {}, first.map((one) => h('li', {}, row(lanes, one, formatTime(endOf(one) - startOf(one)), actions)))));
}

/**
 * @param {Lanes} lanes
 * @param {Place} place
 * @param {string} text
 * @param {LanesActions} actions
 */
function row(lanes, place, text, actions, current = false) {
  const kind = KINDS[kindAt(lanes, place)] ?? 'synthetic';
  const name = nameAt(lanes, place);
  return h('button', { type: 'button', class: current ? 'stack-row current' : 'stack-row', title: name, onclick: () => actions.select(place) },
    h('span', { class: 'swatch', style: `background:${kindColor(kind)}` }),
    h('span', { class: 'stack-name mono' }, name), h('span', { class: 'stack-share' }, text));
}

/**
 * The spans around it; of device work, those around its launch.
 * @param {Lanes} lanes
 * @param {Place} place
 * @param {LanesActions} actions
 */
function stackList(lanes, place, actions) {
  const launcher = launcherOf(lanes, place);
  const path = launcher ? [...around(lanes, launcher), place] : around(lanes, place);
  if (path.length < 2) return null;
  return h('div', { class: 'details-stack' }, h('div', { class: 'label' }, `Stack, ${path.length} deep`),
    h('ol', {}, path.map((one) => h('li', {}, row(lanes, one, formatTime(endOf(one) - startOf(one)), actions, one === place)))));
}

/**
 * @param {App} app
 * @param {Lanes} lanes
 * @param {Gap} gap
 * @param {LanesActions} actions
 */
function aboutGap(app, lanes, gap, actions) {
  const stack = ownerStack(lanes, gap);
  const queue = lanes.queues[gap.device];
  return [
    head('', `idle · ${gap.class}`, actions),
    h('h2', { class: 'details-name' }, gap.owner),
    h('table', { class: 'figures' }, h('tbody', {},
      figure('Idle for', formatTime(gap.to - gap.from), exact(gap.to - gap.from)),
      figure('Starts at', formatTime(gap.from), exact(gap.from)),
      figure('Device', lanes.chart.index.idle[gap.device]?.device ?? ''),
      queue && figure('Queue meanwhile', queueRange(rangeIn(queue, gap.from, gap.to)), 'Launches that were not finished'))),
    h('div', { class: 'details-actions' },
      button('Zoom', () => actions.zoom(gap.from, gap.to)),
      narrowing(app, gap.from, gap.to),
      button('Flame graph of idle time', () => void app.openStack('idle', stack))),
    h('div', { class: 'details-stack' }, h('div', { class: 'label' }, 'Charged to, innermost first'),
      h('ol', {}, stack.toReversed().map((name) => h('li', { class: 'stack-row' }, h('span', { class: 'stack-name mono', title: name }, name))))),
  ];
}

/**
 * @param {Lanes} lanes
 * @param {LanesActions} actions
 */
function gapList(lanes, actions) {
  const gaps = longestGaps(lanes, MOST_GAPS);
  if (gaps.length === 0) return h('p', { class: 'details-empty' }, 'Select a span to pin its figures here.');
  return h('div', { class: 'details-stack' }, h('div', { class: 'label' }, 'Longest idle stretches'),
    h('ol', { class: 'gap-list' }, gaps.map((gap) => h('li', {},
      h('button', { type: 'button', class: 'stack-row', title: gap.owner, onclick: () => actions.gap(gap) },
        h('span', { class: 'swatch hatched' }), h('span', { class: 'stack-name mono' }, gap.owner),
        h('span', { class: 'stack-share' }, formatTime(gap.to - gap.from)))))));
}

/**
 * How busy a device was, and on what beside compute.
 * @param {import('#viewer/logic/partition-in.js').Parts & { device: string }} parts
 */
function ofDevice({ device, wall, idle, comm, copy, comm_hidden, copy_hidden }) {
  const hidden = (/** @type {number} */ ns) => (ns > 0 ? ` · ${formatTime(ns)} hidden` : '');
  return [
    figure(`${device} busy`, `${formatTime(wall - idle)} · ${formatShare((wall - idle) / (wall || 1))}`),
    comm + comm_hidden > 0 && figure('Exposed communication', `${formatTime(comm)}${hidden(comm_hidden)}`),
    copy + copy_hidden > 0 && figure('Exposed copies', `${formatTime(copy)}${hidden(copy_hidden)}`),
  ];
}

/**
 * @param {App} app
 * @param {Lanes} lanes
 * @param {{ from: number, to: number }} range
 * @param {LanesActions} actions
 */
function aboutRange(app, lanes, { from, to }, actions) {
  const found = inStretch(lanes, from, to);
  const list = (/** @type {string} */ title, /** @type {{ name: string, kind: string, ns: number, count: number }[]} */ rows) =>
    rows.length > 0 && h('div', { class: 'details-stack' }, h('div', { class: 'label' }, title),
      h('ol', {}, rows.slice(0, MOST_NAMES).map(({ name, kind, ns, count }) => h('li', { class: 'stack-row', title: name },
        KINDS.find((known) => known === kind) ? h('span', { class: 'swatch', style: `background:${kindColor(KINDS.find((known) => known === kind) ?? 'synthetic')}` }) : h('span', { class: 'swatch hatched' }),
        h('span', { class: 'stack-name mono' }, name), h('span', { class: 'stack-share' }, `${formatTime(ns)} · ${formatCount(count)}`)))));
  return [
    head('', 'stretch of time', actions),
    h('h2', { class: 'details-name' }, formatTime(to - from)),
    h('table', { class: 'figures' }, h('tbody', {},
      figure('From', formatTime(from), exact(Math.round(from))), figure('To', formatTime(to), exact(Math.round(to))),
      found.devices.flatMap((parts) => ofDevice(parts)),
      queuesIn(lanes, from, to))),
    h('div', { class: 'details-actions' }, button('Zoom', () => actions.zoom(from, to)), narrowing(app, from, to)),
    list('Device work, sum of its parts inside', found.work),
    list('Idle, by owner', found.owners),
  ];
}

/**
 * The fewest and the most launches that each device had before it in a stretch of time.
 * @param {Lanes} lanes
 * @param {number} from
 * @param {number} to
 */
function queuesIn(lanes, from, to) {
  return lanes.queues.map((queue, device) => queue
    && figure(`${lanes.chart.index.idle[device]?.device ?? ''} queue`, queueRange(rangeIn(queue, from, to)), 'Launches that were not finished'));
}
