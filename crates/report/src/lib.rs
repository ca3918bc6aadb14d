//! The report: what a linked trace, its profile and its checks say, as one plain document.
//!
//! Comes in: a linked trace, a profile, checks, notes. Goes out: [`Report`].
//! Never does: analyses of its own, rendering, I/O.

mod assemble;
mod check;
mod document;
mod findings;
mod job;
mod owners;
mod steps;
mod totals;
mod verdict;

pub use assemble::{Found, Source, assemble};
pub use check::{BadCondition, Conditions, Violation};
pub use document::{
    Capture, Device, Family, Finding, GpuPath, Health, IdleClass, IdleOwner, Job, LeftOut, Note,
    Partition, Place, Protocol, Question, Range, Report, SCHEMA, Spread, Step, StepPattern, Steps,
    Totals, Verdict, Window,
};
