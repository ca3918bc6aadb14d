//! `flamelane report`: the main job.

use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
use flamelane_find::Thresholds;
use flamelane_link::Rules;
use flamelane_model::{Chart, Notes, Profile};
use flamelane_report::{Conditions, Found, Report, SCHEMA, Source, add_bound, assemble};
use flamelane_whatif::Replay;
use flamelane_write::{CaptureData, HtmlOptions};

use crate::args::{Report as Args, ReportFormat};
use crate::captures::Loaded;
use crate::exit::{self, Outcome};
use crate::hinted::Hinted;
use crate::{captures, commands, config, open, terminal};

pub(crate) fn run(args: &Args) -> Result<Outcome> {
    let rules = config::rules(&args.input, &args.part)?;
    let limits = config::limits(&args.input)?;
    if args.open && args.output.is_none() {
        anyhow::bail!("`--open` needs a report to open: add `-o report.html`");
    }
    let conditions = args.check.as_deref().map(conditions).transpose()?;
    if let Some(output) = &args.output {
        open::spare_helpers(&args.input, output)?;
    }
    let files = files(&args.files)?;
    let loaded = captures::in_parallel(&files, |file| load(file, args, (&rules, &limits)));
    let mut sorted = Sorted { n_files: files.len(), ..Sorted::default() };
    for (file, loaded) in files.iter().zip(loaded) {
        // An older report among the files is no profile and may be written anew.
        if let (Ok(_), Some(output)) = (&loaded, &args.output) {
            open::spare(file, output)?;
        }
        match loaded {
            // Stacks alone have no timeline to report on: their table is what there is to say.
            Ok(Told::Stacks(capture))
                if files.len() == 1 && args.output.is_none() && conditions.is_none() =>
            {
                terminal::notes(&capture.file, &capture.notes);
                return commands::top::print_default(*capture, &rules, args.format);
            }
            Ok(Told::Timeline(capture, data, notes)) => {
                terminal::notes(&capture.file, &notes);
                sorted.paths.push(file.display().to_string());
                sorted.captures.push(*capture);
                sorted.shown.extend(data.map(|data| *data));
            }
            Ok(Told::Stacks(capture)) => sorted.lacks(file, stacks(&capture), args)?,
            Err(error) => sorted.lacks(file, error, args)?,
        }
    }
    finish(args, conditions.as_ref(), sorted)
}

/// Prints, writes, and judges what could be read.
fn finish(args: &Args, conditions: Option<&Conditions>, sorted: Sorted) -> Result<Outcome> {
    let Sorted { captures, shown, paths, unread, n_files } = sorted;
    let report = Report { schema: SCHEMA, captures };
    if report.captures.is_empty() {
        anyhow::bail!("no capture to report on among {n_files} files");
    }
    let outcome = conditions.map_or(Outcome::Fine, |conditions| check(conditions, &report));
    // Whoever read the report may have had enough: that is no trouble.
    let mut trouble = print(args, &report, paths).err().filter(|e| !exit::is_broken_pipe(e));
    if let Some(output) = &args.output {
        trouble = trouble.or(html(args, &report, &shown, output).err());
    }
    match (trouble, unread.filter(|_| conditions.is_some())) {
        (trouble, _) if outcome == Outcome::Found => {
            if let Some(error) = trouble {
                terminal::error(&error);
            }
            Ok(outcome)
        }
        (Some(error), _) => Err(error),
        (None, Some(file)) => {
            anyhow::bail!(
                "`--check` cannot judge `{file}`: it holds no timeline that could be read"
            )
        }
        (None, None) => Ok(outcome),
    }
}

/// The files' contents, sorted out.
#[derive(Default)]
struct Sorted {
    captures: Vec<flamelane_report::Capture>,
    shown: Vec<Shown>,
    paths: Vec<String>,
    /// The first file that was named on the command line and has no timeline.
    unread: Option<String>,
    n_files: usize,
}

impl Sorted {
    /// One bad file of many must not hide the others; the only one is an error.
    fn lacks(&mut self, file: &Path, error: anyhow::Error, args: &Args) -> Result<()> {
        if self.n_files == 1 {
            return Err(error);
        }
        terminal::note(&format!("{error:#}"));
        // What lies in a directory beside the captures may be anything.
        if args.files.iter().any(|named| named == file) {
            self.unread.get_or_insert_with(|| file.display().to_string());
        }
        Ok(())
    }
}

fn conditions(text: &str) -> Result<Conditions> {
    Ok(Conditions::parse(text).map_err(|bad| Hinted::new(&bad, bad.hint.as_str()))?)
}

/// Says on standard error which conditions hold.
fn check(conditions: &Conditions, report: &Report) -> Outcome {
    let mut outcome = Outcome::Fine;
    for capture in &report.captures {
        for violation in conditions.broken(capture) {
            let said =
                format!("{}: {} holds: {}", capture.file, violation.condition, violation.found);
            terminal::found(&said);
            outcome = Outcome::Found;
        }
    }
    outcome
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

/// What the page shows of a capture.
struct Shown {
    profile: Profile,
    chart: Chart,
}

/// What a file has to say.
enum Told {
    /// A capture, what an HTML report wants to show of it, and the reader's remarks.
    Timeline(Box<flamelane_report::Capture>, Option<Box<Shown>>, Notes),
    /// Finished stacks.
    Stacks(Box<captures::Capture>),
}

/// Reads one file and works out everything the report says of it.
fn load(file: &Path, args: &Args, (rules, limits): (&Rules, &Thresholds)) -> Result<Told> {
    let capture = captures::load_quietly(file, &args.input, rules)?;
    let Loaded::Trace(linked) = &capture.loaded else {
        return Ok(Told::Stacks(Box::new(capture)));
    };
    let (profile, nodes) = flamelane_fold::fold_placed(linked);
    let mut checks = flamelane_find::health(linked);
    let step = args.known.step_ms.filter(|_| !linked.trace.device.is_empty());
    checks.extend(step.map(|step| flamelane_find::unprofiled(linked, step, limits)));
    let source = Source { file: &capture.file, format: capture.format, notes: &capture.notes };
    let answer = flamelane_find::find(linked, &checks, limits);
    let replay = answer.findings.iter().any(|found| found.headline).then(|| Replay::new(linked));
    let found = Found { checks: &checks, answer: &answer, limits, replay: replay.as_ref() };
    let mut told = assemble(source, linked, &profile, found);
    if let Some(model) = args.known.model() {
        add_bound(&mut told, model, flamelane_find::step_bound(linked, model));
    }
    let shown = || Box::new(Shown { profile, chart: flamelane_chart::chart(linked, &nodes) });
    let shown = args.output.is_some().then(shown);
    Ok(Told::Timeline(Box::new(told), shown, capture.notes))
}

/// A file of stacks has no timeline to report on.
fn stacks(capture: &captures::Capture) -> anyhow::Error {
    anyhow::anyhow!(
        "`{}` holds {} stacks, no timeline: `flamelane top` and `flamelane flame` show them",
        capture.file,
        capture.format
    )
}

fn print(args: &Args, report: &Report, paths: Vec<String>) -> Result<()> {
    let output = args.output.as_deref().map(|path| path.display().to_string());
    let screen = flamelane_write::Screen { report: output, paths, ..terminal::screen() };
    open::write(Path::new(open::DASH), |out| match args.format {
        ReportFormat::Text => flamelane_write::write_terminal(report, &screen, out),
        ReportFormat::Json => flamelane_write::write_json(report, out),
        ReportFormat::Markdown => flamelane_write::write_markdown(report, out),
    })
}

fn html(args: &Args, report: &Report, shown: &[Shown], output: &Path) -> Result<()> {
    let options = HtmlOptions { max_nodes: args.max_nodes };
    let data = shown.iter().enumerate().map(|(capture, Shown { profile, chart })| CaptureData {
        capture,
        profile,
        chart: Some(chart),
    });
    let data: Vec<CaptureData<'_>> = data.collect();
    open::write(output, |out| flamelane_write::write_html_with(report, &data, options, out))?;
    if args.open {
        commands::browse(output).context("cannot open the browser")?;
    }
    Ok(())
}
