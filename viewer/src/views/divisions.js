/**
 * What stacks can be divided by, and the parts that a scene has then.
 *
 * @import { App } from '#viewer/views/app.js'
 * @import { Part } from '#viewer/logic/divide.js'
 * @import { Scene } from '#viewer/logic/scene.js'
 * @import { Division } from '#viewer/logic/parts.js'
 */

import { ALWAYS, adderOf, addUp, isByTime, isOfThreads, keepCpu, sourcesOf } from '#viewer/logic/by-time.js';
import { partsByEnd, partsOf } from '#viewer/logic/parts.js';
import { indexSteps, valuesByPhase } from '#viewer/logic/phases.js';
import { currentCapture, currentChart, currentProfile } from '#viewer/views/app.js';
import { stretchOf } from '#viewer/views/stretch.js';
import { weightOnShow } from '#viewer/views/weights.js';

/**
 * Whether there is anything to divide by: kernel families; a weight that is known by stream, or by phase.
 * @param {App} app
 * @param {Division | ''} by
 */
export function canDivide(app, by) {
  if (by === 'family') return (currentProfile(app)?.index.families.length ?? 0) > 0;
  if (by !== 'stream' && by !== 'phase') return true;
  const chart = currentChart(app);
  const by_time = chart !== undefined && isByTime(chart, weightOnShow(app));
  return by_time && (by === 'stream' || (currentCapture(app)?.steps.list.length ?? 0) > 0);
}

/**
 * @param {App} app
 * @param {Scene} scene
 * @param {Division | ''} by
 * @returns {Promise<Part[] | undefined>} nothing where it is not divided
 */
export async function partsFor(app, scene, by) {
  if (by === '') return undefined;
  if (by === 'stream') return partsByStream(app, scene);
  if (by === 'phase') return partsByPhase(app, scene);
  return partsByEnd(scene.tree, scene.values.self, by);
}

/**
 * @param {App} app
 * @param {Scene} scene
 */
async function partsByStream(app, scene) {
  const { weight, values } = scene;
  const parts = partsOf(values.self);
  const [profile, chart] = [currentProfile(app), currentChart(app)];
  if (!profile || !chart || !canDivide(app, 'stream')) return parts.all('not known by stream');
  const cpu = weight === 'cpu' ? (await profile.values('cpu')).self : undefined;
  // One stream after the other: a column of numbers for each at once could be more than there is room for.
  for (const source of sourcesOf(chart, weight)) {
    const self = new Float64Array(scene.tree.n);
    await addUp(self, [source], stretchOf(app) ?? ALWAYS, adderOf(weight));
    if (cpu) keepCpu(self, cpu);
    parts.add(source.name, self);
  }
  return parts.all(isOfThreads(weight) ? 'on no thread' : weight === 'idle' ? 'on no device' : 'on no stream');
}

/**
 * @param {App} app
 * @param {Scene} scene
 */
async function partsByPhase(app, scene) {
  const { weight, values } = scene;
  const parts = partsOf(values.self);
  const [profile, chart, steps] = [currentProfile(app), currentChart(app), currentCapture(app)?.steps];
  if (!profile || !chart || !steps || !canDivide(app, 'phase')) return parts.all('not known by phase');
  const index = indexSteps(steps.list, steps.marker ?? 'step');
  const cpu = weight === 'cpu' ? (await profile.values('cpu')).self : undefined;
  const selves = await valuesByPhase(profile, chart, weight, stretchOf(app) ?? ALWAYS, index);
  selves.forEach((self, phase) => {
    if (cpu) keepCpu(self, cpu);
    parts.add(index.phases[phase] ?? '', self);
  });
  return parts.all(steps.not_listed > 0 ? 'in no listed step' : 'in no step');
}
