//! Profiles as bytes: stacks for other tools, pictures for people.
//!
//! Comes in: a finished `Profile`. Goes out: bytes on any `io::Write`, the same for the same
//! input. Never does: open files, compute analyses, order by hash.

pub mod palette;
pub mod units;

mod folded;
mod html;
mod inspection;
mod json;
mod markdown;
mod pprof;
mod speedscope;
mod steps;
mod svg;
mod table;
mod tells;
mod terminal;
mod text;
mod walk;
mod whatif;

pub use folded::{NO_STACK, write_folded};
pub use html::{
    About, CaptureData, HtmlOptions, ServedPage, StacksFile, write_html, write_html_with,
};
pub use inspection::{
    Annotation, Events, InspectedDevice, InspectedLane, InspectedProcess, InspectedWeight,
    Inspection, write_inspection, write_inspection_json,
};
pub use json::write_json;
pub use markdown::write_markdown;
pub use pprof::write_pprof;
pub use speedscope::write_speedscope;
pub use steps::{write_steps, write_steps_csv, write_steps_json};
pub use svg::{Direction, Order, SvgOptions, write_svg};
pub use table::{
    Durations, Table, TableCaller, TableRow, write_table, write_table_csv, write_table_json,
};
pub use terminal::{Screen, write_terminal};
pub use whatif::{write_whatif, write_whatif_json};
