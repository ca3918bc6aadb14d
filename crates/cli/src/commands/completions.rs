//! `flamelane completions`: shell completions on standard output.

use anyhow::Result;
use clap::CommandFactory;

use crate::args::Cli;
use crate::exit::Outcome;
use crate::terminal;

#[expect(clippy::unnecessary_wraps, reason = "commands have one shape")]
pub(crate) fn run(shell: clap_complete::Shell) -> Result<Outcome> {
    clap_complete::generate(shell, &mut Cli::command(), "flamelane", &mut terminal::stdout());
    Ok(Outcome::Fine)
}
