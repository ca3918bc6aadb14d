//! The report: what a linked trace, its profile and its checks say, as one plain document.
//!
//! Comes in: a linked trace, a profile, checks, notes. Goes out: [`Report`].
//! Never does: analyses of its own, rendering, I/O.

mod assemble;
mod bound;
mod check;
mod document;
mod findings;
mod job;
mod launches;
mod owners;
mod phases;
mod steps;
mod totals;
mod verdict;
mod whatif;

pub use assemble::{Found, Source, assemble};
pub use bound::add_bound;
pub use check::{BadCondition, Conditions, Violation};
pub use document::bound::StepBound;
pub use document::launches::{
    BackPressure, Delay, LaunchFrame, LaunchPath, Launches, LeadOfSteps, Tenths,
};
pub use document::phases::PhaseOf;
pub use document::{
    Capture, Change, Device, Family, Finding, GpuPath, Health, IdleClass, IdleOwner, Job, LeftOut,
    Note, Partition, Place, Protocol, Question, Range, Report, SCHEMA, SelfCheck, Spread, Step,
    StepPattern, Steps, Totals, Verdict, WhatIf, Window,
};
pub use steps::every_step;
pub use whatif::{WhatIfSource, what_if};
