//! `flamelane fold`: stacks out.

use std::path::Path;

use anyhow::Result;
use flamelane_fold::{Part, per_step, reshape};
use flamelane_link::Rules;
use flamelane_model::{Profile, Weight};
use flamelane_write::SvgOptions;

use crate::args::Fold;
use crate::captures::{Capture, Loaded};
use crate::exit::Outcome;
use crate::hinted::Hinted;
use crate::{captures, config, open};

pub(crate) fn run(args: &Fold) -> Result<Outcome> {
    open::spare(&args.file, &args.output)?;
    open::spare_helpers(&args.input, &args.output)?;
    let mut rules = config::rules(&args.input, &args.part)?;
    rules.naming = args.names.into();
    rules.backward_below_forward = args.backward_below_forward;
    let capture = captures::load(&args.file, &args.input, &rules)?;
    let title = capture.file.clone();
    let ask = Shape { weight: args.weight.as_deref(), stack: &args.stack, per_step: args.per_step };
    let (profile, weight) = shape(capture, &ask, &rules)?;
    write(&profile, &weight, &title, &args.output)?;
    Ok(Outcome::Fine)
}

/// Which stacks are wanted, as the command line says it.
pub(crate) struct Shape<'a> {
    pub(crate) weight: Option<&'a str>,
    pub(crate) stack: &'a [String],
    pub(crate) per_step: bool,
}

/// The stacks of a capture with the frames asked for, and the weight to show.
///
/// Host weights keep their threads, since those sum to the window one by one; device weights merge
/// them.
pub(crate) fn shape(capture: Capture, ask: &Shape<'_>, rules: &Rules) -> Result<(Profile, Weight)> {
    let part = |name: &String| {
        let hint = "kinds are thread, python, module, annotation, op, runtime, kernel, native, os, phase and family";
        Part::parse(name).ok_or_else(|| Hinted::new(format!("`{name}` is no kind of frame"), hint))
    };
    let n_steps = capture.n_steps();
    let is_trace = matches!(capture.loaded, Loaded::Trace(_));
    let mut profile = capture.profile();
    let weight = captures::weight(&profile, ask.weight)?;
    let parts = ask.stack.iter().map(part).collect::<Result<Vec<Part>, Hinted>>()?;
    let by_thread = matches!(weight, Weight::Wall | Weight::Cpu | Weight::Calls);
    if !parts.is_empty() || (is_trace && !by_thread) {
        profile = reshape(&profile, &parts, rules);
    }
    let profile = if ask.per_step { per_step(profile, n_steps) } else { profile };
    Ok((profile, weight))
}

fn write(profile: &Profile, weight: &Weight, title: &str, output: &Path) -> Result<()> {
    let name = output.to_string_lossy();
    if name.ends_with(".svg") {
        let options = SvgOptions { title: title.to_owned(), ..SvgOptions::new(weight.clone()) };
        open::write(output, |out| flamelane_write::write_svg(profile, &options, out))
    } else if name.ends_with(".pb.gz") || name.ends_with(".pprof") {
        open::write(output, |out| flamelane_write::write_pprof(profile, weight, out))
    } else if name.ends_with(".json") {
        open::write(output, |out| flamelane_write::write_speedscope(profile, title, out))
    } else {
        open::write(output, |out| flamelane_write::write_folded(profile, weight, out))
    }
}
