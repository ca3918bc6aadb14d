//! The older text heap profile of gperftools and Go: sums, then one line a stack.

use flamelane_model::{Notes, Profile, Unit, Weight};

use super::{maps::Maps, scaled};
use crate::{
    ReadError,
    tally::{Tally, child, push_columns},
};

const HEADER: &[u8] = b"heap profile:";
/// Deepest stack of a line.
const MAX_DEPTH: usize = 1 << 16;

/// Whether the bytes begin such a profile.
pub(super) fn is_heap(head: &[u8]) -> bool {
    head.starts_with(HEADER)
}

/// Reads such a profile.
pub(super) fn read(bytes: &[u8], notes: &mut Notes) -> Result<Profile, ReadError> {
    let text = String::from_utf8_lossy(bytes);
    let maps = Maps::read(bytes);
    let mut profile = Profile::new();
    let mut tallies = [Tally::new(), Tally::new(), Tally::new(), Tally::new()];
    let mut lines = text.lines();
    if lines.next().is_some_and(|header| header.contains("@ heap")) {
        let message = "profiles hold sampled sums, which are not scaled up to all allocations";
        notes.add("sampled-heap", message, String::new);
    }
    for line in lines {
        if line.trim_start().starts_with("MAPPED_LIBRARIES") {
            break;
        }
        let Some((values, stack)) = line.split_once(" @") else { continue };
        let Some(values) = values_of(values) else {
            notes.add("damaged-line", "lines were damaged and left out", || {
                line.chars().take(60).collect()
            });
            continue;
        };
        let addresses = stack.split_ascii_whitespace().take(MAX_DEPTH).filter_map(|address| {
            u64::from_str_radix(address.strip_prefix("0x").unwrap_or(address), 16).ok()
        });
        let addresses: Vec<u64> = addresses.collect();
        let mut node = profile.stacks.root();
        for address in addresses.into_iter().rev() {
            let frame = maps.frame(address, &mut profile.strings);
            node = child(&mut profile.stacks, node, frame, notes);
        }
        for (tally, value) in tallies.iter_mut().zip(values) {
            tally.add(node, scaled(value, 1), notes);
        }
    }
    if tallies[0].is_empty() {
        let what = "it has no stacks".to_owned();
        return Err(ReadError::Damaged { format: "pprof", what });
    }
    if !maps.has_names() {
        notes.add("no-symbols", "profiles hold addresses without names", String::new);
    }
    let [in_use_objects, in_use, objects, allocated] = tallies;
    // The memory in use first: it is what pprof shows.
    let columns = vec![
        in_use.finish(Weight::parse("inuse_space"), Unit::Bytes, notes),
        in_use_objects.finish(Weight::parse("inuse_objects"), Unit::Count, notes),
        allocated.finish(Weight::parse("alloc_space"), Unit::Bytes, notes),
        objects.finish(Weight::parse("alloc_objects"), Unit::Count, notes),
    ];
    push_columns(&mut profile, columns, notes);
    Ok(profile)
}

/// `  1:  9216 [  2:  18432]`: objects and bytes in use, then objects and bytes ever allocated.
fn values_of(text: &str) -> Option<[i64; 4]> {
    let clean = text.replace(['[', ']', ':'], " ");
    let mut numbers = clean.split_ascii_whitespace().map(str::parse::<i64>);
    let mut next = || numbers.next()?.ok();
    Some([next()?, next()?, next()?, next()?])
}
