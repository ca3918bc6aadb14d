//! `flamelane steps`: one row a step.

use anyhow::Result;
use flamelane_model::Notes;
use flamelane_report::{Found, Source, assemble, every_step};

use crate::args::{Part, Steps, TableFormat};
use crate::captures::Loaded;
use crate::exit::Outcome;
use crate::{captures, config, open, terminal};

pub(crate) fn run(args: &Steps) -> Result<Outcome> {
    let rules = config::rules(&args.input, &Part::default())?;
    let capture = captures::load(&args.file, &args.input, &rules)?;
    let Loaded::Trace(linked) = &capture.loaded else {
        anyhow::bail!("`{}` holds stacks, no timeline: it has no steps", capture.file);
    };
    let profile = flamelane_fold::fold(linked);
    let notes = Notes::new();
    let source = Source { file: &capture.file, format: capture.format, notes: &notes };
    let limits = config::limits(&args.input)?;
    let answer = flamelane_find::find(linked, &[], &limits);
    let found = Found { checks: &[], answer: &answer, limits: &limits, replay: None };
    let mut capture = assemble(source, linked, &profile, found);
    capture.steps = every_step(linked, &answer.patterns);
    let screen = terminal::screen();
    open::write(open::DASH.as_ref(), |out| match args.format {
        TableFormat::Text => flamelane_write::write_steps(&capture, &screen, out),
        TableFormat::Json => flamelane_write::write_steps_json(&capture, out),
        TableFormat::Csv => flamelane_write::write_steps_csv(&capture, out),
    })?;
    Ok(Outcome::Fine)
}
