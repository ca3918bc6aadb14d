//! House tasks: `cargo xtask <task>`; each task is a module, this file only chooses among them.
#![expect(clippy::print_stderr, reason = "a task's failure is told there")]

mod make_fixtures;
mod make_trace;
mod tidy;

use std::path::Path;
use std::process::ExitCode;

use anyhow::{Context, Result, bail};

const TASKS: &str = "tasks: tidy, make-trace, make-fixtures";

fn main() -> ExitCode {
    match run() {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {error:#}");
            ExitCode::FAILURE
        }
    }
}

fn run() -> Result<()> {
    let mut args = std::env::args().skip(1);
    let here = std::env::var("CARGO_MANIFEST_DIR").context("start it as `cargo xtask`")?;
    let root = Path::new(&here).parent().context("xtask is not in a folder")?;
    match args.next().as_deref() {
        Some("tidy") => tidy::run(root),
        Some("make-trace") => make_trace::run(args),
        Some("make-fixtures") => make_fixtures::run(root),
        Some(task) => bail!("no task `{task}`; {TASKS}"),
        None => bail!("which task? {TASKS}"),
    }
}
