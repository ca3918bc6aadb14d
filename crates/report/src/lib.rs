//! The report: what a linked trace, its profile and its findings say, as one plain document.
//!
//! Comes in: a linked trace, a profile, findings. Goes out: [`Report`].
//! Never does: analyses of its own, rendering, I/O.

mod document;

pub use document::{
    Capture, Device, Family, Finding, GpuPath, Health, IdleClass, IdleOwner, Job, LeftOut, Note,
    Partition, Place, Protocol, Question, Range, Report, SCHEMA, Spread, Step, Steps, Totals,
    Verdict, Window,
};
