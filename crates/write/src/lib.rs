//! Profiles as bytes: stacks for other tools, pictures for people.
//!
//! Comes in: a finished `Profile`. Goes out: bytes on any `io::Write`, the same for the same
//! input. Never does: open files, compute analyses, order by hash.

pub mod labels;
pub mod palette;
pub mod units;

mod folded;
mod html;
mod pprof;
mod source;
mod speedscope;
mod svg;
mod walk;

pub use folded::{NO_STACK, write_folded};
pub use html::{CaptureProfile, HtmlOptions, write_html, write_html_with};
pub use pprof::write_pprof;
pub use speedscope::write_speedscope;
pub use svg::{Direction, Order, SvgOptions, write_svg};
