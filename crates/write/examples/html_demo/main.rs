//! Writes a report page over an invented but realistic capture: `html_demo OUT.html [NODES]`.
//!
//! The capture is a decode loop of a language model on one device. With `NODES` the tree is grown
//! to that many nodes, to see how the page bears it; with `ranks` as third argument there are two.

mod capture;
mod findings;
mod grow;
mod stacks;

use std::collections::BTreeMap;
use std::fs::File;
use std::io::{self, BufWriter, Write as _};

use flamelane_report::{Report, SCHEMA};
use flamelane_write::{About, CaptureData, write_html};

fn main() -> io::Result<()> {
    let mut args = std::env::args().skip(1);
    let Some(path) = args.next() else {
        return Err(io::Error::other("usage: html_demo OUT.html [NODES] [ranks]"));
    };
    let n_nodes: usize = args.next().and_then(|text| text.parse().ok()).unwrap_or(0);
    let n_ranks = if args.next().is_some() { 2 } else { 1 };
    let mut profile = stacks::decode_loop();
    let captures: Vec<_> = (0..n_ranks).map(|rank| capture::of(&profile, rank, n_ranks)).collect();
    if n_nodes > 0 {
        grow::to(&mut profile, n_nodes);
    }
    let families = BTreeMap::new();
    let profiles: Vec<_> = (0..captures.len())
        .map(|capture| CaptureData {
            about: About::Report(capture),
            profile: &profile,
            chart: None,
            families: &families,
        })
        .collect();
    let report = Report { schema: SCHEMA, captures };
    let mut out = BufWriter::new(File::create(path)?);
    write_html(&report, &profiles, &mut out)?;
    out.flush()
}
