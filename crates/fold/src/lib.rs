//! Folding: a linked trace becomes one profile with all weights; profiles are reshaped and tabled.
//!
//! Comes in: a [`Linked`](flamelane_link::Linked) trace or a [`Profile`](flamelane_model::Profile).
//! Goes out: profiles and tables. Never does: printing, ordering by hash, I/O.

mod columns;
mod families;
mod questions;
mod reshape;
mod table;

pub use columns::{fold, fold_placed};
pub use families::families;
pub use questions::{Answer, questions};
pub use reshape::{Part, per_step, reshape};
pub use table::{Caller, Group, Row, rows, spread};
