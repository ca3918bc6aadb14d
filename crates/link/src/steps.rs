//! Steps: the iterations of a run, and which of them the report speaks of.

use flamelane_model::{Interval, LaneId, Ns, Trace};

use crate::launches::Origin;
use crate::markers::{Marker, Markers};
use crate::{Rules, compile, phases};

/// "In no step", in columns of step numbers.
pub const NO_STEP: u32 = u32::MAX;

/// One iteration.
#[derive(Clone, Debug)]
pub struct Step {
    /// The marker's own name.
    pub name: String,
    /// Its phase, where the name tells one.
    pub phase: Option<String>,
    /// Its batch size, where the name tells one.
    pub batch: Option<u64>,
    /// The thread of the marker.
    pub lane: LaneId,
    /// The marker: the step's host range.
    pub host: Interval,
    /// First start to last end of the device spans launched in it; empty when there are none.
    pub device: Interval,
    /// Calls whose name contains `Launch` in it.
    pub launch_calls: u64,
    /// Kernels launched in it.
    pub kernels: u64,
    /// Durations of the device spans launched in it, concurrent ones in full.
    pub gpu: Ns,
    /// Compile, autotune and module-load time in it.
    pub compile: Ns,
    /// Why it is left out, or none when it is kept.
    pub left_out: Option<&'static str>,
}

impl Step {
    /// Whether the window holds it.
    pub fn is_kept(&self) -> bool {
        self.left_out.is_none()
    }
}

/// All steps, by start.
#[derive(Clone, Debug, Default)]
pub struct Steps {
    /// What marks them: the markers' common name, or how they were found.
    pub marker: Option<String>,
    /// `annotation`, `optimizer`, `graph launch` or `none`.
    pub kind: &'static str,
    /// The steps.
    pub list: Vec<Step>,
    /// One a device span: its step, or [`NO_STEP`].
    pub of_span: Vec<u32>,
}

impl Steps {
    /// Number of kept steps.
    pub fn n_kept(&self) -> usize {
        self.list.iter().filter(|step| step.is_kept()).count()
    }

    /// Whether a device span was launched in a kept step.
    pub fn keeps(&self, span: usize) -> bool {
        self.list.get(self.of_span[span] as usize).is_some_and(Step::is_kept)
    }
}

/// Finds steps and decides which are kept.
pub(crate) fn find(trace: &Trace, origins: &[Origin], counts: &[bool], rules: &Rules) -> Steps {
    let markers = Markers::find(trace, origins, rules);
    let index = Index::new(trace, &markers.list);
    let mut steps = Steps {
        list: markers.list.iter().map(|marker| step(marker, rules)).collect(),
        of_span: vec![NO_STEP; trace.device.len()],
        marker: markers.name,
        kind: markers.kind,
    };
    for (span, origin) in origins.iter().enumerate() {
        let Some(call) = origin.call() else {
            // Work of unknown origin belongs to the step running then; earlier work to none.
            if *origin == Origin::Unattributed {
                steps.of_span[span] = index.step_running_at(trace.device.start[span]);
            }
            continue;
        };
        let host = trace.calls.span[call.index()].index();
        let number = index.step_at(trace.host.start[host], trace.host.lane[host]);
        steps.of_span[span] = number;
        if let Some(step) = steps.list.get_mut(number as usize).filter(|_| counts[span]) {
            add_span(trace, span, step);
        }
    }
    count_launch_calls(trace, &index, &mut steps.list);
    for (interval, lane) in compile::spans(trace) {
        if let Some(step) = steps.list.get_mut(index.step_at(interval.from, lane) as usize) {
            step.compile = step.compile.saturating_add(interval.clip(step.host).len());
        }
    }
    leave_out(trace, &mut steps.list);
    steps
}

fn step(marker: &Marker, rules: &Rules) -> Step {
    Step {
        phase: phases::phase(&marker.name, rules),
        batch: phases::batch(&marker.name),
        name: marker.name.clone(),
        lane: marker.lane,
        host: marker.span,
        device: Interval::default(),
        launch_calls: 0,
        kernels: 0,
        gpu: 0,
        compile: 0,
        left_out: None,
    }
}

fn add_span(trace: &Trace, span: usize, step: &mut Step) {
    let (start, end) = (trace.device.start[span], trace.device.end[span]);
    step.device = if step.device.is_empty() {
        Interval::new(start, end)
    } else {
        Interval::new(step.device.from.min(start), step.device.to.max(end))
    };
    step.kernels += u64::from(trace.device.kind[span] == flamelane_model::DeviceKind::Kernel);
    step.gpu = step.gpu.saturating_add(trace.device.duration(span));
}

fn count_launch_calls(trace: &Trace, index: &Index<'_>, list: &mut [Step]) {
    // Calls are many and their names few.
    let mut is_launch: Vec<Option<bool>> = vec![None; trace.strings.len()];
    for span in &trace.calls.span {
        let host = span.index();
        let name = trace.host.name[host];
        let known = &mut is_launch[name.index()];
        if *known.get_or_insert_with(|| trace.text(name).contains("Launch")) {
            let number = index.step_at(trace.host.start[host], trace.host.lane[host]);
            if let Some(step) = list.get_mut(number as usize) {
                step.launch_calls += 1;
            }
        }
    }
}

/// Most markers looked at for one launch: real files have a handful open at once, and hostile ones
/// must not cost the square.
const MOST_OPEN: usize = 1024;

/// Finds the step that holds an instant.
struct Index<'m> {
    trace: &'m Trace,
    markers: &'m [Marker],
    /// Latest end among this and all earlier markers.
    latest_end: Vec<Ns>,
    /// One a process: whether its threads hold markers.
    marked: Vec<bool>,
}

impl<'m> Index<'m> {
    fn new(trace: &'m Trace, markers: &'m [Marker]) -> Self {
        let mut marked = vec![false; trace.processes.len()];
        for marker in markers {
            marked[trace.lane(marker.lane).process.index()] = true;
        }
        let mut latest = Ns::MIN;
        let ends = markers.iter().map(|marker| {
            latest = latest.max(marker.span.to);
            latest
        });
        Self { trace, latest_end: ends.collect(), markers, marked }
    }

    /// The step open at `at`, on whatever lane: the latest begun.
    fn step_running_at(&self, at: Ns) -> u32 {
        self.step_where(at, |_| true, |_| true)
    }

    /// The step open at `at` for a thread: one of the same lane first, else the latest begun of the
    /// same process; of any where the thread's process has no markers at all.
    fn step_at(&self, at: Ns, lane: LaneId) -> u32 {
        let process = self.trace.lane(lane).process;
        let is_marked = self.marked[process.index()];
        let is_ours = |other: LaneId| !is_marked || self.trace.lane(other).process == process;
        self.step_where(at, is_ours, |other| other == lane)
    }

    /// The latest begun step open at `at` that is `best`, else `good`.
    fn step_where(
        &self,
        at: Ns,
        good: impl Fn(LaneId) -> bool,
        best: impl Fn(LaneId) -> bool,
    ) -> u32 {
        let after = self.markers.partition_point(|marker| marker.span.from <= at);
        let mut found = NO_STEP;
        for i in (0..after).rev().take(MOST_OPEN) {
            if self.latest_end[i] <= at {
                break;
            }
            let marker = &self.markers[i];
            if !marker.span.holds(at) {
                continue;
            }
            if best(marker.lane) {
                return i as u32;
            }
            if found == NO_STEP && good(marker.lane) {
                found = i as u32;
            }
        }
        found
    }
}

/// Leaves out cut, warm-up and one-off compile steps; never all of them.
fn leave_out(trace: &Trace, list: &mut [Step]) {
    if list.len() < 2 {
        return;
    }
    if let Some(recorded) = trace.metadata.recorded {
        for step in list.iter_mut() {
            if step.host.to >= recorded.to || step.host.from < recorded.from {
                step.left_out = Some("cut by the edge of the recording");
            }
        }
    }
    let (warm_up, why) = n_warm_up(list);
    for step in &mut list[..warm_up] {
        step.left_out = step.left_out.or(why);
    }
    leave_out_compiles(list);
    if list.iter().all(|step| !step.is_kept()) {
        for step in list.iter_mut() {
            step.left_out = None;
        }
    }
}

/// A compile shorter than this share of its step is no reason to leave the step out, in 1/100.
const COMPILE_SHARE: Ns = 5;

fn compiles(step: &Step) -> bool {
    step.compile.saturating_mul(100) >= step.host.len().max(1).saturating_mul(COMPILE_SHARE)
}

/// Number of leading steps that are warm-up, and why.
fn n_warm_up(list: &[Step]) -> (usize, Option<&'static str>) {
    let median = median(list.iter().map(|step| step.host.len()).collect());
    let slow = |i: usize| {
        let later = list[i + 1..].iter().map(|step| step.host.len()).max().unwrap_or(Ns::MAX);
        let len = list[i].host.len();
        len > median.saturating_mul(2) && len > later.saturating_add(later / 2)
    };
    let n_slow = (0..list.len() - 1).take_while(|&i| slow(i)).count();
    let n_compiling = list.iter().take_while(|step| compiles(step)).count();
    let compile_ends = n_compiling < list.len() && !list[n_compiling..].iter().any(compiles);
    if compile_ends && n_compiling > n_slow {
        (n_compiling, Some("warm-up: compiles or loads modules"))
    } else {
        (n_slow, Some("warm-up: longer than twice the median step"))
    }
}

/// Steps made long by a compile that few steps have.
fn leave_out_compiles(list: &mut [Step]) {
    let kept: Vec<usize> = (0..list.len()).filter(|&i| list[i].is_kept()).collect();
    let median = median(kept.iter().map(|&i| list[i].host.len()).collect());
    let is_long = |step: &Step| compiles(step) && step.host.len() > median.saturating_mul(2);
    let long: Vec<usize> = kept.iter().copied().filter(|&i| is_long(&list[i])).collect();
    if long.len() * 10 > kept.len() {
        return;
    }
    for i in long {
        list[i].left_out = Some("one-off compile or module load");
    }
}

/// The middle value, the lower one of two.
pub(crate) fn median(mut values: Vec<Ns>) -> Ns {
    if values.is_empty() {
        return 0;
    }
    let middle = (values.len() - 1) / 2;
    *values.select_nth_unstable(middle).1
}

#[cfg(test)]
mod tests {
    use flamelane_model::{Lane, LaneKind, Process, ProcessId, Strings};

    use super::*;

    #[test]
    fn a_launch_belongs_to_a_step_of_its_own_process() {
        let mut trace = Trace::new();
        let name = Strings::EMPTY;
        trace.processes = vec![Process { label: name, name }; 3];
        for process in [0, 0, 1, 2] {
            let (kind, process) = (LaneKind::Thread, ProcessId(process));
            trace.lanes.push(Lane { kind, process, device: None, id: 0, name });
        }
        let marker = |lane, from, to| Marker {
            name: String::new(),
            lane: LaneId(lane),
            span: Interval::new(from, to),
        };
        let markers = [marker(0, 0, 10), marker(2, 5, 15)];
        let index = Index::new(&trace, &markers);
        assert_eq!(index.step_at(6, LaneId(0)), 0, "its own lane");
        assert_eq!(index.step_at(6, LaneId(1)), 0, "another thread of the process");
        assert_eq!(index.step_at(12, LaneId(1)), NO_STEP, "only another process has one open");
        assert_eq!(index.step_at(6, LaneId(3)), 1, "its process has no markers at all");
        assert_eq!(index.step_running_at(6), 1);
    }
}
