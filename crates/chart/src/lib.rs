//! Charting: a linked trace becomes lanes with rows, for the lane view.
//!
//! Comes in: a [`Linked`](flamelane_link::Linked) trace, and where it was folded to. Goes out: a
//! [`Chart`](flamelane_model::Chart). Never does: analyses, printing, I/O.
//!
//! ```
//! use flamelane_link::{Rules, link};
//! use flamelane_model::{Nodes, Trace};
//!
//! let linked = link(Trace::new(), Rules::default());
//! let chart = flamelane_chart::chart(&linked, &Nodes::default());
//! assert!(chart.lanes.is_empty());
//! ```

mod chart;
mod frames;
mod rows;

pub use chart::chart;
