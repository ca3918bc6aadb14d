//! Exit codes: 0 fine, 1 the answer is "worse", 2 cannot read or wrong usage.

use std::io;
use std::process::ExitCode;

use crate::terminal;

/// How a command ended when nothing went wrong.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Outcome {
    /// Nothing to object to.
    Fine,
    /// A condition of `--check` holds.
    Found,
}

/// Prints an error with its causes and hint, and says the process's exit code.
pub(crate) fn code(result: anyhow::Result<Outcome>) -> ExitCode {
    match result {
        Ok(Outcome::Fine) => ExitCode::SUCCESS,
        Ok(Outcome::Found) => ExitCode::from(1),
        Err(error) if is_broken_pipe(&error) => ExitCode::SUCCESS,
        Err(error) => {
            terminal::error(&error);
            ExitCode::from(2)
        }
    }
}

/// Whoever read our output had enough: that is no error.
pub(crate) fn is_broken_pipe(error: &anyhow::Error) -> bool {
    let broken = |cause: &(dyn std::error::Error + 'static)| {
        cause.downcast_ref::<io::Error>().is_some_and(|e| e.kind() == io::ErrorKind::BrokenPipe)
    };
    error.chain().any(broken)
}
