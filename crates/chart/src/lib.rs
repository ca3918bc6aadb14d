//! Charting: a linked trace becomes lanes with rows, for the lane view.
//!
//! Comes in: a [`Linked`](flamelane_link::Linked) trace. Goes out: a
//! [`Chart`](flamelane_model::Chart). Never does: analyses, printing, I/O.
//!
//! ```
//! use flamelane_link::{Rules, link};
//! use flamelane_model::Trace;
//!
//! let chart = flamelane_chart::chart(&link(Trace::new(), Rules::default()));
//! assert!(chart.lanes.is_empty());
//! ```

mod chart;
mod frames;
mod rows;

pub use chart::chart;
