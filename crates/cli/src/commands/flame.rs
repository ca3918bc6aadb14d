//! `flamelane flame`: any stacks as an interactive SVG.

use anyhow::Result;
use flamelane_fold::per_step;
use flamelane_write::{Direction, Order, SvgOptions};

use crate::args::Flame;
use crate::commands::fold::shape;
use crate::exit::Outcome;
use crate::{captures, config, open};

pub(crate) fn run(args: &Flame) -> Result<Outcome> {
    open::spare(&args.file, &args.output)?;
    let rules = config::rules(&args.input, &args.part)?;
    let capture = captures::load(&args.file, &args.input, &rules)?;
    let (file, n_steps) = (capture.file.clone(), capture.n_steps());
    let is_trace = matches!(capture.loaded, captures::Loaded::Trace(_));
    let profile = capture.profile();
    let weight = captures::weight(&profile, args.weight.as_deref())?;
    let mut profile = shape(profile, &args.stack, &weight, is_trace, &rules)?;
    if args.per_step {
        profile = per_step(profile, n_steps);
    }
    let defaults = SvgOptions::new(weight.clone());
    let options = SvgOptions {
        title: args.title.clone().unwrap_or(file),
        subtitle: args.subtitle.clone().unwrap_or_else(|| weight.name().to_owned()),
        count_name: args.count_name.clone().unwrap_or(defaults.count_name.clone()),
        width: args.width,
        min_width: args.min_width,
        direction: if args.flames { Direction::Flame } else { Direction::Icicle },
        order: if args.alphabetical { Order::Alphabetical } else { Order::LeftHeavy },
        ..defaults
    };
    open::write(&args.output, |out| flamelane_write::write_svg(&profile, &options, out))?;
    Ok(Outcome::Fine)
}
