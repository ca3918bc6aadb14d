//! The window: the stretch of time the report speaks of, and the device spans that belong to it.

use flamelane_model::{FrameKind, Interval, Ns, Trace, union};

use crate::launches::Origin;
use crate::steps::{NO_STEP, Steps};
use crate::trust::Trust;
use crate::{Choice, Rules, names};

/// The window; `docs/concepts`, "Window and steps", has its definition.
#[derive(Clone, Debug, Default)]
pub struct Window {
    /// Its pieces, disjoint and in order.
    pub pieces: Vec<Interval>,
    /// How it was chosen, in words.
    pub rule: String,
    /// (what, why) was left out of it.
    pub left_out: Vec<(String, String)>,
    /// One a device span: whether its full duration counts in the `gpu` weight.
    pub selected: Vec<bool>,
}

impl Window {
    /// Length of all pieces, in ns.
    pub fn wall(&self) -> Ns {
        flamelane_model::total(&self.pieces)
    }

    /// First instant to last, holes included.
    pub fn hull(&self) -> Interval {
        let from = self.pieces.first().map_or(0, |piece| piece.from);
        Interval::new(from, self.pieces.last().map_or(from, |piece| piece.to))
    }

    /// Whether `at` lies inside one of the pieces.
    pub fn holds(&self, at: Ns) -> bool {
        let after = self.pieces.partition_point(|piece| piece.from <= at);
        after.checked_sub(1).is_some_and(|last| self.pieces[last].holds(at))
    }

    /// The parts of `time` inside the window, in order.
    pub fn clip(&self, time: Interval) -> impl Iterator<Item = Interval> + '_ {
        let first = self.pieces.partition_point(|piece| piece.to <= time.from);
        let pieces = self.pieces[first..].iter().take_while(move |piece| piece.from < time.to);
        pieces.map(move |piece| piece.clip(time)).filter(|part| !part.is_empty())
    }
}

/// Applies the rules' choice to the steps and frames the window.
pub(crate) fn frame(
    trace: &Trace,
    origins: &[Origin],
    trust: &Trust,
    steps: &mut Steps,
    rules: &Rules,
) -> Window {
    choose(steps, &rules.choice);
    let mut window = match &rules.choice {
        Choice::Whole => whole(trace),
        Choice::Time(from, to) => Window {
            pieces: vec![Interval::new(*from, *to)],
            rule: "the chosen stretch of time".to_owned(),
            ..Window::default()
        },
        Choice::Range(name) => occurrences(trace, name),
        Choice::KeptSteps | Choice::Steps(..) | Choice::Phase(_) if steps.n_kept() > 0 => {
            kept(trace, trust, steps, &rules.choice)
        }
        Choice::KeptSteps => whole_run(trace, trust),
        Choice::Steps(..) | Choice::Phase(_) => {
            Window { rule: "no step was chosen".to_owned(), ..Window::default() }
        }
    };
    window.pieces.retain(|piece| !piece.is_empty());
    join_pieces(&mut window.pieces, trace.lanes.len());
    if matches!(rules.choice, Choice::Time(..) | Choice::Range(_)) {
        leave_out_others(steps, &window);
    }
    let launched_inside = |span: usize| {
        let call = origins[span].call()?;
        let at = trace.host.start[trace.calls.span[call.index()].index()];
        Some(window.holds(at))
    };
    let runs_inside = |span: usize| window.holds(trace.device.start[span]);
    let by_steps = matches!(rules.choice, Choice::KeptSteps | Choice::Steps(..) | Choice::Phase(_));
    // Counted once: a look at all steps for every span would cost the square.
    let by_steps = by_steps && steps.n_kept() > 0;
    let select = |span: usize| match (&rules.choice, origins[span]) {
        (Choice::Whole, _) => true,
        _ if !trust.counts[span] => false,
        (_, Origin::Call(_)) if by_steps => steps.keeps(span),
        (_, Origin::Call(_)) => launched_inside(span).unwrap_or(false),
        _ => runs_inside(span),
    };
    window.selected = (0..trace.device.len()).map(select).collect();
    describe_left_out(trace, trust, steps, &mut window);
    window
}

/// Most pieces of a window times lanes of a trace: every lane is swept once a piece.
const MOST_SWEPT: usize = 1 << 26;

/// Joins the last pieces of a flood of them into one.
fn join_pieces(pieces: &mut Vec<Interval>, n_lanes: usize) {
    let most = (MOST_SWEPT / n_lanes.max(1)).max(1);
    if let Some(last) = pieces.last().copied().filter(|_| pieces.len() > most) {
        pieces.truncate(most);
        pieces[most - 1].to = last.to;
    }
}

/// Marks the steps that were not asked for as left out, and the asked ones as kept.
fn choose(steps: &mut Steps, choice: &Choice) {
    for (number, step) in steps.list.iter_mut().enumerate() {
        let wanted = match choice {
            Choice::Steps(first, last) => (*first..=*last).contains(&number),
            Choice::Phase(phase) => step.phase.as_deref() == Some(phase.as_str()),
            _ => continue,
        };
        step.left_out = (!wanted).then_some("not chosen");
    }
}

/// Steps of which the chosen time holds nothing are not spoken of.
fn leave_out_others(steps: &mut Steps, window: &Window) {
    for step in &mut steps.list {
        if window.clip(step.host).next().is_none() {
            step.left_out = Some("outside the chosen time");
        }
    }
}

fn whole(trace: &Trace) -> Window {
    Window { pieces: vec![trace.extent], rule: "the whole file".to_owned(), ..Window::default() }
}

/// Without steps: first launch or device start to last device end; without device work, all.
fn whole_run(trace: &Trace, trust: &Trust) -> Window {
    let believed = (0..trace.device.len()).filter(|&span| trust.counts[span]);
    let (mut from, mut to) = (Ns::MAX, Ns::MIN);
    for span in believed {
        from = from.min(trace.device.start[span]);
        to = to.max(trust.end[span]);
    }
    if from > to {
        return whole(trace);
    }
    let launches = trace.calls.span.iter().map(|span| span.index());
    let launches = launches.filter(|&host| trace.text(trace.host.name[host]).contains("Launch"));
    let from = launches.map(|host| trace.host.start[host]).min().unwrap_or(from).min(from);
    Window {
        pieces: vec![Interval::new(from, to)],
        rule: "no steps found: first launch to last device work".to_owned(),
        ..Window::default()
    }
}

/// One hull of host and device ranges for each run of consecutive kept steps.
fn kept(trace: &Trace, trust: &Trust, steps: &Steps, choice: &Choice) -> Window {
    let device = device_ranges(trace, trust, steps);
    let mut runs: Vec<Interval> = Vec::new();
    let mut previous_kept = false;
    for (step, device) in steps.list.iter().zip(device) {
        if step.is_kept() {
            let hull = if device.is_empty() {
                step.host
            } else {
                Interval::new(step.host.from.min(device.from), step.host.to.max(device.to))
            };
            match runs.last_mut().filter(|_| previous_kept) {
                Some(run) => *run = Interval::new(run.from.min(hull.from), run.to.max(hull.to)),
                None => runs.push(hull),
            }
        }
        previous_kept = step.is_kept();
    }
    let (n_kept, n_all) = (steps.n_kept(), steps.list.len());
    let chosen = if *choice == Choice::KeptSteps { "kept" } else { "chosen" };
    let marker = steps.marker.as_deref().unwrap_or("step");
    Window {
        pieces: union(runs),
        rule: match (n_kept, n_all) {
            (1, 1) => format!("the only step, marked by `{marker}`"),
            _ => {
                format!("{n_kept} of {n_all} step{} {chosen}, marked by `{marker}`", plural(n_all))
            }
        },
        ..Window::default()
    }
}

fn plural(count: usize) -> &'static str {
    if count == 1 { "" } else { "s" }
}

/// First start to last believed end of what each step launched.
fn device_ranges(trace: &Trace, trust: &Trust, steps: &Steps) -> Vec<Interval> {
    let mut ranges = vec![Interval::default(); steps.list.len()];
    for (span, &step) in steps.of_span.iter().enumerate() {
        if step == NO_STEP || !trust.counts[span] {
            continue;
        }
        let (start, end) = (trace.device.start[span], trust.end[span]);
        let range = &mut ranges[step as usize];
        *range = if range.is_empty() {
            Interval::new(start, end)
        } else {
            Interval::new(range.from.min(start), range.to.max(end))
        };
    }
    ranges
}

/// Every occurrence of one annotation, by its own or its shown name.
fn occurrences(trace: &Trace, name: &str) -> Window {
    let matches = |span: &usize| {
        let own = trace.text(trace.host.name[*span]);
        trace.host.kind[*span] == FrameKind::Annotation
            && (own == name || names::display(own) == name || names::pattern(own) == name)
    };
    let found = (0..trace.host.len()).filter(matches);
    let pieces = found.map(|span| Interval::new(trace.host.start[span], trace.host.end[span]));
    Window {
        pieces: union(pieces.collect()),
        rule: format!("occurrences of `{name}`"),
        ..Window::default()
    }
}

fn describe_left_out(trace: &Trace, trust: &Trust, steps: &Steps, window: &mut Window) {
    let mut whys: Vec<(&'static str, Vec<&str>)> = Vec::new();
    for step in &steps.list {
        let Some(why) = step.left_out else { continue };
        match whys.iter_mut().find(|(known, _)| *known == why) {
            Some((_, names)) => names.push(&step.name),
            None => whys.push((why, vec![&step.name])),
        }
    }
    for (why, names) in whys {
        let what = match names.as_slice() {
            [one] => format!("step `{one}`"),
            [first, .., last] => format!("{} steps (`{first}` … `{last}`)", names.len()),
            [] => continue,
        };
        window.left_out.push((what, why.to_owned()));
    }
    let mut device = |spans: &[u32], why: &str| {
        let Some(first) = spans.first() else { return };
        let name = trace.text(trace.device.name[*first as usize]);
        let n_spans = spans.len();
        let what = format!("{n_spans} device span{} (first `{name}`)", plural(n_spans));
        window.left_out.push((what, why.to_owned()));
    };
    device(&trust.impossible, "impossible timestamps: long before or after their own launch");
}
