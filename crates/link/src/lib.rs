//! Linking: what belongs together in a trace, and where each device's time went.
//!
//! Comes in: a [`Trace`](flamelane_model::Trace). Goes out: [`Linked`]: host stacks, launches,
//! steps, the window, busy time and the owner of every idle nanosecond.
//! Never does: names of file formats, I/O, floats for time.

mod blame;
mod busy;
mod charge;
mod compile;
mod devices;
mod edges;
mod enqueued;
mod families;
mod graphs;
mod latency;
mod launchers;
mod launches;
mod lead;
mod linked;
mod markers;
mod names;
mod nesting;
mod order;
mod owners;
mod phases;
mod ranges;
mod rivals;
mod rules;
mod shared;
mod silences;
mod sites;
mod steps;
mod threads;
mod trust;
mod waiting;
mod waits;
mod wakes;
mod window;

pub use busy::{DeviceTime, Gap, Partition};
pub use compile::is_compile;
pub use edges::{StepTime, step_times};
pub use families::{COMM, Class, Families, UNKNOWN, family, within_device};
pub use graphs::{Joined, Part, Recorded, Recording, has_replays, join, recording};
pub use latency::{LaunchFrame, LaunchPath, Launches, Quantiles, full_queue, launches};
pub use launches::{CallKind, Origin, call_kind};
pub use lead::{BackPressure, LOW_LEAD, Lead, LeadOfSteps};
pub use linked::{Exposed, Idle, IdleOf, Linked, PerStep, link};
pub use names::{Naming, Nearness, comparison, display, nearness, pattern};
pub use nesting::{Nested, Timeline};
pub use order::by_lane;
pub use owners::{IdleClass, IdlePiece, Pace};
pub use phases::{batch, phase};
pub use ranges::{Range, ranges};
pub use rules::{Choice, Rules};
pub use shared::{Shared, shared};
pub use sites::Sites;
pub use steps::{NO_STEP, Step, Steps};
pub use trust::Trust;
pub use waits::{Busy, Wait};
pub use window::Window;
