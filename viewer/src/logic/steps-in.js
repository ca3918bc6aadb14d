/**
 * The steps that lie in a stretch of time, by where the report says to look at each, phase by phase, with the figures that the report assigns
 * to them.
 *
 * @import { Step } from '#viewer/data/report.js'
 * @import { Stretch } from '#viewer/logic/cut-time.js'
 *
 * @typedef {object} Group
 * @property {string} phase
 * @property {number} count
 * @property {number} left_out of the count: steps that the report keeps no figures of
 * @property {number} wall ns of the others
 * @property {number} busy
 * @property {number} idle
 */

/**
 * @param {readonly Step[]} list
 * @param {string} marker what to call steps that tell no phase
 * @param {Stretch} stretch
 * @returns {{ groups: Group[], cut: number }} in order of appearance; `cut` lie across an edge
 */
export function stepsIn(list, marker, { from, to }) {
  /** @type {Map<string, Group>} */
  const groups = new Map();
  let cut = 0;
  for (const step of list) {
    const [start, end] = step.stretch_ns;
    if (end <= from || start >= to) continue;
    if (start < from || end > to) cut++;
    else add(groups, step.phase ?? marker, step);
  }
  return { groups: [...groups.values()], cut };
}

/**
 * @param {Map<string, Group>} groups
 * @param {string} phase
 * @param {Step} step
 */
function add(groups, phase, { kept, wall_ns, busy_ns, idle_ns }) {
  const group = groups.get(phase) ?? { phase, count: 0, left_out: 0, wall: 0, busy: 0, idle: 0 };
  groups.set(phase, group);
  group.count++;
  if (!kept) {
    group.left_out++;
    return;
  }
  group.wall += wall_ns;
  group.busy += busy_ns;
  group.idle += idle_ns;
}
