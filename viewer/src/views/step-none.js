/**
 * What stands in the place of steps where a capture has none: why, and how to record them.
 *
 * @import { Capture } from '#viewer/data/report.js'
 */

import { h } from '#viewer/lib/dom.js';
import { phrase } from '#viewer/views/prose.js';

/** @type {readonly (readonly [string, string])[]} */
const RECIPES = [
  ['PyTorch, training', 'with profile(…) as prof:\n    for batch in batches:\n        train(batch)\n        prof.step()  # ProfilerStep#N'],
  ['PyTorch, any loop', 'for request in requests:\n    with record_function("step"):\n        run(request)'],
  ['Beside NVTX ranges', '# PyTorch does not record NVTX ranges\nwith nvtx.range("step"), \\\n        record_function("step"):\n    run(request)'],
  ['Annotations that are there already: flamelane.toml', '[steps]\n# how their names begin\nmarkers = ["my_engine_step"]'],
];

/** @param {Capture} capture */
export function noSteps({ file, totals, window }) {
  const has_time = totals.device_spans > 0 || totals.host_spans > 0;
  const why = has_time
    ? 'Steps are told by annotations that repeat: `ProfilerStep#N`, `step[…]`, `execute_…_context_…_generation_…` of vLLM, your own. This capture has none that occurs twice and holds at least half of the launches, no optimizer step, and no graph that is replayed over and over.'
    : `\`${file}\` holds stacks without a timeline, so that nothing in it has a begin and an end. A trace of PyTorch, vLLM or SGLang has.`;
  return [
    h('h2', {}, 'No steps in this capture'),
    h('p', { class: 'sentence' }, phrase(why)),
    has_time && h('p', { class: 'sentence' }, `All figures are therefore of the whole window (${window.rule || 'everything recorded'}), not per step.`),
    h('h2', {}, 'Mark them when recording'),
    h('div', { class: 'steps-recipes' }, RECIPES.map(([title, code]) =>
      h('figure', {}, h('figcaption', {}, title), h('pre', { tabindex: 0, class: 'mono' }, code)))),
    h('p', { class: 'quiet' }, phrase('Engines have switches of their own: see `docs/recording.md`.')),
  ];
}
