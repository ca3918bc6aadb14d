/**
 * What happened in a stretch of time: device work and idle time, cut at its edges.
 *
 * @import { Lanes } from '#viewer/logic/lanes.js'
 * @import { Stretch } from '#viewer/logic/cut-time.js'
 *
 * @typedef {{ name: string, kind: string, ns: number, count: number }} Sum
 */

import { KINDS } from '#viewer/lib/color.js';
import { gapAt } from '#viewer/logic/gaps.js';
import { classesOfWork, partitionIn } from '#viewer/logic/partition-in.js';
import { spansIn } from '#viewer/logic/window-in.js';

/**
 * @param {Lanes} lanes
 * @param {number} from ns
 * @param {number} to
 */
export function inStretch(lanes, from, to) {
  return {
    devices: devicesIn(lanes, { from, to }),
    work: workIn(lanes, from, to),
    owners: ownersIn(lanes, from, to),
  };
}

/**
 * @param {Lanes} lanes
 * @param {Stretch} stretch
 */
function devicesIn({ chart, frames, rows, idle }, stretch) {
  const { lanes, window } = chart.index;
  const classes = classesOfWork(frames);
  return idle.map(({ pieces }, at) => {
    const streams = rows.filter((_, lane) => lanes[lane]?.device === at).flat();
    return { device: chart.index.idle[at]?.device ?? '', ...partitionIn({ rows: streams, idle: pieces, classes }, window, stretch) };
  });
}

/**
 * @param {Lanes} lanes
 * @param {number} from
 * @param {number} to
 */
function workIn(lanes, from, to) {
  /** @type {Map<number, Sum>} */
  const sums = new Map();
  const streams = lanes.rows.filter((_, lane) => lanes.chart.index.lanes[lane]?.device !== null);
  for (const row of streams.flat()) {
    spansIn(row, from, to, (i, ns) => {
      const frame = /** @type {number} */ (row.frame[i]);
      const kind = KINDS[lanes.frames.kinds[frame] ?? 0] ?? '';
      add(sums, frame, { name: lanes.frames.names[frame] ?? '', kind, ns, count: 1 });
    });
  }
  return largestFirst(sums);
}

/**
 * @param {Lanes} lanes
 * @param {number} from
 * @param {number} to
 */
function ownersIn(lanes, from, to) {
  /** @type {Map<string, Sum>} */
  const sums = new Map();
  lanes.idle.forEach(({ pieces }, device) => spansIn(pieces, from, to, (i, ns) => {
    const { owner } = gapAt(lanes, device, i);
    add(sums, owner, { name: owner, kind: '', ns, count: 1 });
  }));
  return largestFirst(sums);
}

/**
 * @template Key
 * @param {Map<Key, Sum>} sums
 * @param {Key} key
 * @param {Sum} more
 */
function add(sums, key, more) {
  const known = sums.get(key);
  if (known) Object.assign(known, { ns: known.ns + more.ns, count: known.count + 1 });
  else sums.set(key, more);
}

/** @param {Map<unknown, Sum>} sums */
function largestFirst(sums) {
  return [...sums.values()].sort((a, b) => b.ns - a.ns || (a.name < b.name ? -1 : 1));
}
