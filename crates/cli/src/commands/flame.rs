//! `flamelane flame`: any stacks as an interactive SVG.

use anyhow::Result;
use flamelane_write::{Direction, Order, SvgOptions};

use crate::args::Flame;
use crate::commands::fold::{Shape, shape};
use crate::exit::Outcome;
use crate::{captures, config, open};

pub(crate) fn run(args: &Flame) -> Result<Outcome> {
    open::spare(&args.file, &args.output)?;
    open::spare_helpers(&args.input, &args.output)?;
    let rules = config::rules(&args.input, &args.part)?;
    let capture = captures::load(&args.file, &args.input, &rules)?;
    let file = capture.file.clone();
    let ask = Shape { weight: args.weight.as_deref(), stack: &args.stack, per_step: args.per_step };
    let (profile, weight) = shape(capture, &ask, &rules)?;
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
