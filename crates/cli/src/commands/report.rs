//! `flamelane report`: the main job.

use std::path::Path;

use anyhow::{Context, Result};
use flamelane_link::Rules;
use flamelane_report::{Conditions, Report};
use flamelane_write::{CaptureData, HtmlOptions};

use crate::args::{Report as Args, ReportFormat};
use crate::exit::{self, Outcome};
use crate::gather::{Gathered, Page, Request, Timelines, gather};
use crate::hinted::Hinted;
use crate::stacks::{Stacks, no_report};
use crate::{commands, config, open, terminal};

/// Browsers take long to open a page of more bytes.
const LARGE_PAGE: u64 = 100_000_000;

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
    let page = if args.output.is_some() { Page::Wanted } else { Page::None };
    let request = Request {
        files: &args.files,
        input: &args.input,
        known: &args.known,
        rules: &rules,
        limits: &limits,
        page,
    };
    match gather(&request)? {
        Gathered::Stacks(stacks) if conditions.is_some() || args.format != ReportFormat::Text => {
            Err(stacks.have_no_timeline().into())
        }
        Gathered::Stacks(stacks) => finish_stacks(args, *stacks, &rules),
        Gathered::Timelines(timelines) => finish(args, conditions.as_ref(), &timelines),
    }
}

/// Stacks alone have no timeline to report on: their table is what there is to say, and a page.
fn finish_stacks(args: &Args, stacks: Stacks, rules: &Rules) -> Result<Outcome> {
    terminal::notes(&stacks.file, &stacks.notes);
    if let Some(output) = &args.output {
        open::spare(&args.files[0], output)?;
        html(args, &no_report(), &[stacks.data()], output)?;
    }
    commands::top::print_default(stacks.into_capture(), rules)
}

/// Prints, writes, and judges what could be read.
fn finish(args: &Args, conditions: Option<&Conditions>, timelines: &Timelines) -> Result<Outcome> {
    if let Some(output) = &args.output {
        // An older report among the files is no profile and may be written anew.
        timelines.read.iter().try_for_each(|file| open::spare(file, output))?;
    }
    let report = &timelines.report;
    let outcome = conditions.map_or(Outcome::Fine, |conditions| check(conditions, report));
    // Whoever read the report may have had enough: that is no trouble.
    let mut trouble = print(args, timelines).err().filter(|e| !exit::is_broken_pipe(e));
    if let Some(output) = &args.output {
        trouble = trouble.or(html(args, report, &timelines.data(), output).err());
    }
    match (trouble, timelines.unread.as_ref().filter(|_| conditions.is_some())) {
        (trouble, _) if outcome == Outcome::Found => {
            if let Some(error) = trouble {
                terminal::error(&error);
            }
            Ok(outcome)
        }
        (Some(error), _) => Err(error),
        (None, Some(file)) => {
            let file = file.display();
            anyhow::bail!(
                "`--check` cannot judge `{file}`: it holds no timeline that could be read"
            )
        }
        (None, None) => Ok(outcome),
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

fn print(args: &Args, timelines: &Timelines) -> Result<()> {
    let output = args.output.as_deref().map(|path| path.display().to_string());
    let paths = timelines.paths.iter().map(|path| path.display().to_string()).collect();
    let screen = flamelane_write::Screen { report: output, paths, ..terminal::screen() };
    let report = &timelines.report;
    open::write(Path::new(open::DASH), |out| match args.format {
        ReportFormat::Text => flamelane_write::write_terminal(report, &screen, out),
        ReportFormat::Json => flamelane_write::write_json(report, out),
        ReportFormat::Markdown => flamelane_write::write_markdown(report, out),
    })
}

fn html(args: &Args, report: &Report, data: &[CaptureData<'_>], output: &Path) -> Result<()> {
    let options = HtmlOptions { max_nodes: args.max_nodes, ..HtmlOptions::default() };
    open::write(output, |out| flamelane_write::write_html_with(report, data, options, out))?;
    let size = open::size(output);
    if size > LARGE_PAGE {
        let (file, mb) = (output.display(), size / 1_000_000);
        terminal::note(&format!(
            "`{file}` has {mb} MB, which browsers open slowly: `flamelane open` serves the same page piece by piece"
        ));
    }
    if args.open {
        commands::browse(output.as_os_str()).context("cannot open the browser")?;
    }
    Ok(())
}
