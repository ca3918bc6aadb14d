//! From files to a report and what a page shows of it.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use anyhow::Result;
use flamelane_find::Thresholds;
use flamelane_link::Rules;
use flamelane_model::{Chart, Frame, Notes, Profile};
use flamelane_report::{Found, Report, SCHEMA, Source, add_bound, assemble};
use flamelane_whatif::Replay;
use flamelane_write::{About, CaptureData};

use crate::args::Reading;
use crate::captures::{self, Capture, Loaded};
use crate::known::Known;
use crate::stacks::Stacks;
use crate::{open, terminal};

/// Files, and how to read them.
#[derive(Clone, Copy)]
pub(crate) struct Request<'a> {
    pub(crate) files: &'a [PathBuf],
    pub(crate) input: &'a Reading,
    pub(crate) known: &'a Known,
    pub(crate) rules: &'a Rules,
    pub(crate) limits: &'a Thresholds,
    pub(crate) page: Page,
}

/// Whether a page will show the captures.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Page {
    /// Profiles and lanes are wanted too.
    Wanted,
    /// Figures and words alone.
    None,
}

/// What files turned out to hold.
pub(crate) enum Gathered {
    /// The only file has stacks, no timeline.
    Stacks(Box<Stacks>),
    /// What there is to report on.
    Timelines(Timelines),
}

/// Captures with a timeline, sorted out.
pub(crate) struct Timelines {
    pub(crate) report: Report,
    /// What a page shows of each capture; empty where no page is wanted.
    shown: Vec<Shown>,
    /// The paths of the captures.
    pub(crate) paths: Vec<PathBuf>,
    /// All files that could be read.
    pub(crate) read: Vec<PathBuf>,
    /// The first file that was named on the command line and has no timeline.
    pub(crate) unread: Option<PathBuf>,
}

/// What a page shows of a capture.
struct Shown {
    profile: Profile,
    chart: Chart,
    families: BTreeMap<Frame, String>,
}

impl Timelines {
    /// What a page shows of all captures.
    pub(crate) fn data(&self) -> Vec<CaptureData<'_>> {
        let mut data = Vec::with_capacity(self.shown.len());
        for (capture, Shown { profile, chart, families }) in self.shown.iter().enumerate() {
            let about = About::Report(capture);
            data.push(CaptureData { about, profile, chart: Some(chart), families });
        }
        data
    }

    /// One bad file of many must not hide the others.
    fn lacks(&mut self, file: &Path, error: &anyhow::Error, request: &Request<'_>) {
        terminal::note(&format!("{error:#}"));
        // What lies in a directory beside the captures may be anything.
        if request.files.iter().any(|named| named == file) {
            self.unread.get_or_insert_with(|| file.to_owned());
        }
    }
}

/// Reads the files, works out what the report says of each, and prints the readers' remarks.
pub(crate) fn gather(request: &Request<'_>) -> Result<Gathered> {
    let files = files(request.files)?;
    let loaded = captures::in_parallel(&files, |file| load(file, request));
    let report = Report { schema: SCHEMA, captures: Vec::new() };
    let mut all =
        Timelines { report, shown: Vec::new(), paths: Vec::new(), read: Vec::new(), unread: None };
    for (file, loaded) in files.iter().zip(loaded) {
        all.read.extend(loaded.is_ok().then(|| file.clone()));
        match loaded {
            Ok(Told::Stacks(stacks)) if files.len() == 1 => return Ok(Gathered::Stacks(stacks)),
            Err(error) if files.len() == 1 => return Err(error),
            Ok(Told::Timeline(capture, shown, notes)) => {
                terminal::notes(&capture.file, &notes);
                all.paths.push(file.clone());
                all.report.captures.push(*capture);
                all.shown.extend(shown.map(|shown| *shown));
            }
            Ok(Told::Stacks(stacks)) => all.lacks(file, &stacks.have_no_timeline().into(), request),
            Err(error) => all.lacks(file, &error, request),
        }
    }
    if all.report.captures.is_empty() {
        anyhow::bail!("no capture to report on among {} files", files.len());
    }
    Ok(Gathered::Timelines(all))
}

/// Directories become the files in them.
fn files(paths: &[PathBuf]) -> Result<Vec<PathBuf>> {
    let mut files = Vec::new();
    for path in paths {
        if path.is_dir() {
            let listed = open::list(path)?;
            if listed.is_empty() {
                anyhow::bail!("no files in `{}`", path.display());
            }
            files.extend(listed);
        } else {
            files.push(path.clone());
        }
    }
    Ok(files)
}

/// What a file has to say.
enum Told {
    /// A capture, what a page shows of it, and the reader's remarks.
    Timeline(Box<flamelane_report::Capture>, Option<Box<Shown>>, Notes),
    /// Finished stacks.
    Stacks(Box<Stacks>),
}

/// Reads one file and works out everything the report says of it.
fn load(file: &Path, request: &Request<'_>) -> Result<Told> {
    let Request { input, known, rules, limits, .. } = *request;
    let Capture { file, format, loaded, notes } = captures::load_quietly(file, input, rules)?;
    let linked = &*match loaded {
        Loaded::Trace(linked) => linked,
        Loaded::Profile(profile) => {
            let families = flamelane_fold::families(&profile, rules);
            let stacks = Stacks { file, format, notes, profile, families };
            return Ok(Told::Stacks(Box::new(stacks)));
        }
    };
    let (profile, nodes) = flamelane_fold::fold_placed(linked);
    let mut checks = flamelane_find::health(linked);
    let step = known.step_ms.filter(|_| !linked.trace.device.is_empty());
    checks.extend(step.map(|step| flamelane_find::unprofiled(linked, step, limits)));
    let source = Source { file: &file, format, notes: &notes };
    let answer = flamelane_find::find(linked, &checks, limits);
    let replay = answer.findings.iter().any(|found| found.headline).then(|| Replay::new(linked));
    let found = Found { checks: &checks, answer: &answer, limits, replay: replay.as_ref() };
    let mut told = assemble(source, linked, &profile, found);
    if let Some(model) = known.model() {
        add_bound(&mut told, model, flamelane_find::step_bound(linked, model));
    }
    let shown = || {
        let families = flamelane_fold::families(&profile, rules);
        Box::new(Shown { chart: flamelane_chart::chart(linked, &nodes), families, profile })
    };
    let shown = (request.page == Page::Wanted).then(shown);
    Ok(Told::Timeline(Box::new(told), shown, notes))
}
