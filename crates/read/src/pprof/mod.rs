//! pprof: protobuf profiles, and the two older formats that its tools still write.

mod legacy_cpu;
mod legacy_heap;
mod maps;
mod prune;
mod samples;
mod tables;
mod wire;

use std::io::{self, Read as _};

use flamelane_model::{Notes, Profile, Unit, Weight};

use self::{samples::Samples, tables::Tables};
use crate::{
    Content, Limits, Read, ReadError, Reader, Sniff, number::Decimal, tally::push_columns,
};

/// The reader of pprof files.
pub const PPROF: Reader = Reader { name: "pprof", sniff, read };

/// Names lie behind the samples, so the file is held whole; protobuf ends at 2 GiB anyway.
const MAX_HELD: u64 = 1 << 30;

fn sniff(head: &[u8]) -> Sniff {
    if wire::is_profile(head) || legacy_heap::is_heap(head) || legacy_cpu::is_cpu(head) {
        Sniff::Yes
    } else {
        Sniff::No
    }
}

fn read(input: &mut dyn io::Read, limits: &Limits) -> Result<Read, ReadError> {
    let limit = MAX_HELD.min(limits.max_unpacked);
    let mut bytes = Vec::new();
    if let Err(source) = input.take(limit + 1).read_to_end(&mut bytes) {
        return Err(ReadError::Input { at: bytes.len() as u64, source });
    }
    if bytes.len() as u64 > limit {
        return Err(ReadError::TooLargeToHold { format: "pprof", limit });
    }
    let mut notes = Notes::new();
    let profile = if legacy_heap::is_heap(&bytes) {
        legacy_heap::read(&bytes, &mut notes)
    } else if legacy_cpu::is_cpu(&bytes) {
        legacy_cpu::read(&bytes, &mut notes)
    } else {
        proto(&bytes, &mut notes)
    }?;
    Ok(Read { format: "pprof", content: Content::Profile(Box::new(profile)), notes })
}

fn proto(bytes: &[u8], notes: &mut Notes) -> Result<Profile, ReadError> {
    let mut profile = Profile::new();
    let tables = Tables::read(bytes, &mut profile.strings, notes)?;
    let mut samples = Samples::new(&tables, &mut profile, notes);
    samples.read(bytes);
    let tallies = samples.finish();
    let mut columns = Vec::new();
    for (tally, kind) in tallies.into_iter().zip(&tables.kinds) {
        let (weight, unit, _) = measure(&kind.name, &kind.unit);
        columns.push(tally.finish(weight, unit, notes));
    }
    // The viewer opens with the first column.
    if tables.preferred < columns.len() {
        columns[..=tables.preferred].rotate_right(1);
    }
    push_columns(&mut profile, columns, notes);
    Ok(profile)
}

/// The weight and unit of a sample type, and what its values are multiplied by.
fn measure(name: &str, unit: &str) -> (Weight, Unit, i128) {
    let weight = Weight::parse(name);
    let (unit, factor) = match unit {
        "nanoseconds" | "ns" => (Unit::Ns, 1),
        "microseconds" | "us" => (Unit::Ns, 1_000),
        "milliseconds" | "ms" => (Unit::Ns, 1_000_000),
        "seconds" | "s" => (Unit::Ns, 1_000_000_000),
        "bytes" => (Unit::Bytes, 1),
        "kilobytes" => (Unit::Bytes, 1 << 10),
        "megabytes" => (Unit::Bytes, 1 << 20),
        "count" if matches!(name, "samples" | "sample" | "events") => (Unit::Samples, 1),
        "samples" => (Unit::Samples, 1),
        "count" => (Unit::Count, 1),
        other => (Unit::Other(other.to_owned()), 1),
    };
    (weight, unit, factor)
}

/// A value of a sample in our unit.
fn scaled(value: i64, factor: i128) -> Decimal {
    Decimal::whole(value).times(factor)
}

#[cfg(test)]
mod tests;
