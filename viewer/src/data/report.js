/**
 * The report document `flamelane.report/1`, as far as the page reads it.
 *
 * @typedef {{ compute_ns: number, comm_exposed_ns: number, copy_exposed_ns: number, idle_ns: number,
 *   comm_hidden_ns: number, copy_hidden_ns: number }} Partition
 * @typedef {{ name: string, phase: string | null, batch: number | null, kept: boolean,
 *   left_out: string | null, from_ns: number, marker_ns: number, wall_ns: number, busy_ns: number, idle_ns: number,
 *   launch_calls: number, kernels: number, gpu_ns: number,
 *   stretch_ns: [number, number] }} Step
 * @typedef {{ pid: string, device: number, name: string, wall_ns: number, busy_ns: number,
 *   sum_ns: number, idle_ns: number, partition: Partition, streams: number,
 *   in_verdict: boolean }} Device
 * @typedef {{ name: string, count: number, phase: string | null, host_ns: number,
 *   envelope_ns: number, union_ns: number, sum_ns: number, density: number,
 *   onset_ns: number }} Range
 * @typedef {{ owner: string, frame: string, class: string, kind: string, stack: string[],
 *   user_frame: string | null, ns: number, per_step_ns: number, count: number }} IdleOwner
 * @typedef {{ name: string, kind: string, op: string | null, user_frame: string | null,
 *   stack: string[], stacks: number, ns: number, per_step_ns: number, count: number }} GpuPath
 * @typedef {{ count: number, p50: number, p99: number }} Delay
 * @typedef {{ name: string, count: number, latency_ns: Delay, queueing_ns: Delay }} LaunchFrame
 * @typedef {{ call: string, graph: boolean, kind: string, count: number, device_spans: number,
 *   mean_call_ns: number, latency_ns: Delay, queueing_ns: Delay, frames: LaunchFrame[] }} LaunchPath
 * @typedef {{ p10: number, p50: number, p90: number }} Tenths
 * @typedef {{ paths: LaunchPath[], lead_ns: Tenths, low_lead_share: number, queue_depth: Tenths,
 *   lead_series: { step: string, number: number, p50_ns: number, launches: number,
 *   low_share: number }[], back_pressure: { calls: number, call_ns: number, ns: number,
 *   from_ns: number, to_ns: number, queue_depth: number } | null }} Launches
 * @typedef {{ phase: string | null, count: number,
 *   wall_ns: { p50: number, mean: number, min: number, max: number }, busy_ns: number,
 *   idle_ns: number, share: number, verdict: Verdict, dense: string, blank: string,
 *   explanation: string, experiment: string }} PhaseOf
 * @typedef {{ sentence: string, assumption: string, source: string,
 *   bound_ns: number | null }} StepBound
 * @typedef {{ name: string, ns: number, kernels: number }} Family
 * @typedef {{ check: string, status: string, message: string, value: number,
 *   fix: string | null, recipe?: string | null }} Health
 * @typedef {{ question: string, answer: string, stack: string[] }} Question
 * @typedef {{ kind: string, sentence: string, suppressed_by: string[] }} Verdict
 * @typedef {{ workload: string, phases: string, dense: string, blank: string, explanation: string,
 *   experiment: string }} Protocol
 * @typedef {{ lane: string, step: string | null, from_ns: number, to_ns: number }} Place
 * @typedef {{ kind: string, where: Place, stack: string[], user_frame: string | null,
 *   count: number, per_step: number, evidence: Record<string, unknown>, owned_ns_per_step: number,
 *   max_gain_ns_per_step: number, simulated_gain_ns_per_step: number | null, confidence: string,
 *   owned_share: number, shares_with: string[], subject: string, headline: boolean,
 *   sentence: string, experiment: string }} Finding
 * @typedef {{ code: string, message: string, count: number, first: string }} Note
 * @typedef {{ from_ns: number, to_ns: number, wall_ns: number, rule: string,
 *   left_out: { what: string, why: string }[], busy_ns: number, idle_ns: number, sum_ns: number,
 *   not_recorded_ns: number }} Window
 * @typedef {{ kind: string | null, devices: string[], frameworks: string[], models: string[],
 *   batch: [number, number] | null, dtype: string | null,
 *   properties: Record<string, string> }} Job
 * @typedef {{ marker: string | null, kind: string, count: number,
 *   wall_ns: { p50: number, mean: number, min: number, max: number },
 *   patterns: { pattern: string, sentence: string, steps: number[] }[], list: Step[],
 *   not_listed: number }} Steps
 * @typedef {{ kernels: number, kernels_ns: number, attributed_ns: number, launch_calls: number,
 *   device_spans: number, host_spans: number, copies_ns: number, memsets_ns: number,
 *   graph_rows_ns: number }} Totals
 * @typedef {{ file: string, format: string, rank: number | null, world_size: number | null,
 *   job: Job, totals: Totals, window: Window, partition: Partition, steps: Steps,
 *   devices: Device[], ranges: Range[], launches: Launches, phases: PhaseOf[],
 *   bound: StepBound | null, idle: IdleOwner[], idle_classes: { class: string,
 *   ns: number }[], gpu_paths: GpuPath[], families: Family[], health: Health[],
 *   questions: Question[], verdict: Verdict, protocol: Protocol, findings: Finding[],
 *   unexplained_ns_per_step: number, notes: Note[] }} Capture
 * @typedef {{ schema: string, captures: Capture[] }} Report
 */

/**
 * What to call a capture among others: its rank, else its file.
 * @param {Capture} capture
 */
export function captureName(capture) {
  return capture.rank === null ? capture.file : `rank ${capture.rank} · ${capture.file}`;
}
