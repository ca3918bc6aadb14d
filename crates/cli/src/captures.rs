//! Captures: from a path to a linked trace or a profile.

use std::collections::BTreeSet;
use std::path::Path;
use std::sync::atomic::{AtomicUsize, Ordering};

use anyhow::{Result, bail};
use flamelane_link::{Choice, Linked, Rules, has_replays, join, link, recording};
use flamelane_model::{Interval, Notes, Profile, Weight};
use flamelane_read::Content;

use crate::args::Reading;
use crate::{open, terminal};

/// What a file turned out to hold, ready for use.
pub(crate) enum Loaded {
    /// A timeline, linked.
    Trace(Box<Linked>),
    /// Finished stacks.
    Profile(Box<Profile>),
}

/// A file and what it holds.
pub(crate) struct Capture {
    pub(crate) file: String,
    pub(crate) format: &'static str,
    pub(crate) loaded: Loaded,
    pub(crate) notes: Notes,
}

/// Reads a file, links it if it is a timeline, and prints the reader's remarks.
pub(crate) fn load(path: &Path, input: &Reading, rules: &Rules) -> Result<Capture> {
    let capture = load_quietly(path, input, rules)?;
    terminal::notes(&capture.file, &capture.notes);
    Ok(capture)
}

/// The same without a word: for several files at once, whose remarks must not mix.
pub(crate) fn load_quietly(path: &Path, input: &Reading, rules: &Rules) -> Result<Capture> {
    let read = open::read(path, input)?;
    let file = open::name(path);
    let loaded = match read.content {
        Content::Trace(trace) => {
            let mut linked = link(*trace, rules.clone());
            is_met(&file, &linked)?;
            name_graphs(&file, &mut linked, input, rules)?;
            Loaded::Trace(Box::new(linked))
        }
        Content::Profile(profile) => Loaded::Profile(profile),
    };
    Ok(Capture { file, format: read.format, loaded, notes: read.notes })
}

/// Joins graph replays with the code that recorded them: in the file that was named, then in the
/// capture itself.
fn name_graphs(file: &str, linked: &mut Linked, input: &Reading, rules: &Rules) -> Result<()> {
    let Some(path) = &input.graph_names else {
        if has_replays(linked) {
            let own = recording(linked, "this capture");
            join(linked, &[&own]);
        }
        return Ok(());
    };
    let name = open::name(path);
    if path.is_dir() {
        bail!("`{}` is a directory: `--graph-names` takes one file", path.display());
    }
    let replays = has_replays(linked);
    let own = recording(linked, "this capture");
    // The format that was named is that of the capture.
    let other = Reading { input_format: None, ..input.clone() };
    let Content::Trace(trace) = open::read(path, &other)?.content else {
        bail!("`{name}` holds stacks, no timeline: it cannot name the kernels of a graph");
    };
    let whole = Rules { choice: Choice::Whole, ..rules.clone() };
    let other = recording(&link(*trace, whole), &format!("`{name}`"));
    if other.is_empty() {
        bail!(
            "`{name}` holds no launches and no stacks of graph nodes: it cannot name the kernels of a graph"
        );
    }
    if !replays {
        terminal::note(&format!("`{name}` names nothing: `{file}` has no graph replays"));
        return Ok(());
    }
    let found = join(linked, &[&other, &own]);
    if found.joined == 0 {
        let (kernels, nearest) = (found.kernels, 100.0 * found.nearest);
        let why = if found.too_different {
            "their order is too different to compare".to_owned()
        } else {
            format!("it agrees with at most {nearest:.1} % of one, and 80 % must")
        };
        terminal::note(&format!(
            "`{name}` names none of {kernels} kernels of graph replays: {why}"
        ));
    }
    Ok(())
}

/// A choice that nothing in the file meets is wrong usage, not an empty answer.
fn is_met(file: &str, linked: &Linked) -> Result<()> {
    let (steps, extent) = (&linked.steps, linked.trace.extent);
    match &linked.rules.choice {
        Choice::Steps(first, last) if steps.n_kept() == 0 => {
            let n_steps = steps.list.len();
            bail!("`{file}` has no steps {first}..{last}: it has {n_steps}, the first is 0");
        }
        Choice::Phase(phase) if steps.n_kept() == 0 => {
            let known: BTreeSet<&str> =
                steps.list.iter().filter_map(|step| step.phase.as_deref()).collect();
            let known: Vec<&str> = known.into_iter().collect();
            let known = if known.is_empty() { "none".to_owned() } else { known.join(", ") };
            bail!("`{file}` has no steps of phase `{phase}`; phases of its steps: {known}");
        }
        Choice::Range(name) if linked.window.pieces.is_empty() => {
            bail!("`{file}` has no annotation `{name}`: `flamelane inspect` lists them");
        }
        Choice::Time(from, to) if extent.clip(Interval::new(*from, *to)).is_empty() => {
            let ms = extent.len() as f64 / 1e6;
            bail!("`{file}` has nothing in that stretch of time: it lasts {ms:.1} ms");
        }
        _ => Ok(()),
    }
}

impl Capture {
    /// The stacks of the capture.
    pub(crate) fn profile(self) -> Profile {
        match self.loaded {
            Loaded::Trace(linked) => flamelane_fold::fold(&linked),
            Loaded::Profile(profile) => *profile,
        }
    }

    /// Number of kept steps, 1 for finished stacks.
    pub(crate) fn n_steps(&self) -> usize {
        match &self.loaded {
            Loaded::Trace(linked) => linked.n_steps(),
            Loaded::Profile(_) => 1,
        }
    }
}

/// The weight that is asked for, else the first that the profile holds and is not empty.
pub(crate) fn weight(profile: &Profile, asked: Option<&str>) -> Result<Weight> {
    let known = || {
        let names: Vec<&str> = profile.columns.iter().map(|column| column.weight.name()).collect();
        names.join(", ")
    };
    if let Some(name) = asked {
        let weight = Weight::parse(name);
        if profile.column(&weight).is_none() {
            anyhow::bail!("no weight `{name}` in this profile; it has {}", known());
        }
        return Ok(weight);
    }
    let filled = profile.columns.iter().find(|column| column.self_values.iter().any(|&v| v != 0));
    let first = filled.or(profile.columns.first()).map(|column| column.weight.clone());
    first.ok_or_else(|| anyhow::anyhow!("the profile holds no weights"))
}

/// Applies `job` to every item on as many threads as the machine has; results come in order.
///
/// Whole files are the unit: one file's work stays on one thread, and two ranks need two cores.
pub(crate) fn in_parallel<I: Sync, O: Send>(items: &[I], job: impl Fn(&I) -> O + Sync) -> Vec<O> {
    let n_threads = std::thread::available_parallelism().map_or(1, usize::from).min(items.len());
    if n_threads <= 1 {
        return items.iter().map(job).collect();
    }
    let next = AtomicUsize::new(0);
    let worker = || {
        let mut done = Vec::new();
        loop {
            let row = next.fetch_add(1, Ordering::Relaxed);
            let Some(item) = items.get(row) else { return done };
            done.push((row, job(item)));
        }
    };
    let mut done: Vec<(usize, O)> = std::thread::scope(|scope| {
        let workers: Vec<_> = (0..n_threads).map(|_| scope.spawn(worker)).collect();
        let join = |worker: std::thread::ScopedJoinHandle<'_, Vec<(usize, O)>>| {
            worker.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))
        };
        workers.into_iter().flat_map(join).collect()
    });
    done.sort_by_key(|(row, _)| *row);
    done.into_iter().map(|(_, output)| output).collect()
}
