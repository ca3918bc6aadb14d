//! Errors of the command line that know what to do about them.

use std::fmt;

/// A problem and its cure.
#[derive(Debug)]
pub(crate) struct Hinted {
    problem: String,
    pub(crate) hint: String,
}

impl Hinted {
    pub(crate) fn new(problem: impl fmt::Display, hint: impl Into<String>) -> Self {
        Self { problem: problem.to_string(), hint: hint.into() }
    }
}

impl fmt::Display for Hinted {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(&self.problem)
    }
}

impl std::error::Error for Hinted {}
