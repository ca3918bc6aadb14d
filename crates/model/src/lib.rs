//! The nouns of flamelane: traces, lanes, spans, stacks, profiles and what they are measured in.
//!
//! Comes in: nothing. Goes out: plain data that every other room reads or fills.
//! Never does: I/O, clocks, names of file formats, floating-point time.
//!
//! ```
//! use flamelane_model::{Frame, FrameKind, Profile, Weight};
//!
//! let mut profile = Profile::new();
//! let forward = profile.strings.intern("forward");
//! let gemm = profile.strings.intern("gemm");
//! let root = profile.stacks.root();
//! let forward = profile.stacks.child(root, Frame { name: forward, kind: FrameKind::Python });
//! let gemm = profile.stacks.child(forward, Frame { name: gemm, kind: FrameKind::Kernel });
//! profile.add(Weight::Gpu, gemm, 1_500);
//! assert_eq!(profile.totals(&Weight::Gpu)[forward.index()], 1_500);
//! ```

mod chart;
mod frame;
mod graph;
mod ids;
pub mod labels;
mod lane;
mod note;
mod profile;
pub mod source;
mod span;
mod stacks;
mod strings;
mod time;
mod trace;
mod weight;

pub use chart::{Chart, ChartFrame, ChartIdle, ChartLane, ChartOwner, ChartRow, Nodes};
pub use frame::{Frame, FrameKind};
pub use graph::{GraphNodes, node_id};
pub use ids::{CallId, DeviceId, DeviceSpanId, HostSpanId, LaneId, ProcessId, StackId, StrId};
pub use lane::{Device, Lane, LaneKind, Process};
pub use note::{Note, Notes};
pub use profile::{Column, Profile};
pub use span::{
    Calls, DeviceKind, DeviceSpan, DeviceSpans, Flow, FlowEnd, HostSpans, NONE, OpLinks, Overheads,
    SyncKind, SyncRow, make_room,
};
pub use stacks::Stacks;
pub use strings::Strings;
pub use time::{Interval, Ns, intersect, total, union};
pub use trace::{Census, Metadata, Trace};
pub use weight::{Unit, Weight};
