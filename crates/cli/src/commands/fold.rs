//! `flamelane fold`: stacks out.

use std::path::Path;

use anyhow::Result;
use flamelane_fold::{Part, per_step, reshape};
use flamelane_link::Rules;
use flamelane_model::{Profile, Weight};
use flamelane_write::SvgOptions;

use crate::args::Fold;
use crate::exit::Outcome;
use crate::{captures, config, open};

pub(crate) fn run(args: &Fold) -> Result<Outcome> {
    open::spare(&args.file, &args.output)?;
    let mut rules = config::rules(&args.input, &args.part)?;
    rules.naming = args.names.into();
    rules.backward_below_forward = args.backward_below_forward;
    let capture = captures::load(&args.file, &args.input, &rules)?;
    let (title, n_steps) = (capture.file.clone(), capture.n_steps());
    let is_trace = matches!(capture.loaded, captures::Loaded::Trace(_));
    let profile = capture.profile();
    let weight = captures::weight(&profile, args.weight.as_deref())?;
    let mut profile = shape(profile, &args.stack, &weight, is_trace, &rules)?;
    if args.per_step {
        profile = per_step(profile, n_steps);
    }
    write(&profile, &weight, &title, &args.output)?;
    Ok(Outcome::Fine)
}

/// Keeps the frames asked for. Host weights keep their threads, since those sum to the window one
/// by one; device weights merge them.
pub(crate) fn shape(
    profile: Profile,
    stack: &[String],
    weight: &Weight,
    is_trace: bool,
    rules: &Rules,
) -> Result<Profile> {
    let part = |name: &String| {
        Part::parse(name).ok_or_else(|| anyhow::anyhow!("`{name}` is no kind of frame"))
    };
    let parts = stack.iter().map(part).collect::<Result<Vec<Part>>>()?;
    let by_thread = matches!(weight, Weight::Wall | Weight::Cpu | Weight::Calls);
    if parts.is_empty() && (by_thread || !is_trace) {
        return Ok(profile);
    }
    Ok(reshape(&profile, &parts, rules))
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
