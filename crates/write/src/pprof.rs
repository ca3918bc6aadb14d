//! pprof: all weights of a profile in one gzipped protobuf, the format every tool opens.
//!
//! Format: <https://github.com/google/pprof/blob/main/proto/profile.proto>.

mod proto;
mod table;

use std::io;

use flamelane_model::{Column, Profile, StackId, Unit, Weight};
use flate2::{Compression, GzBuilder};
use prost::Message as _;

use self::table::{Table, Texts};

/// Writes all weights; `default` is the one that viewers show first.
///
/// A frame becomes a function: `name` as it is, `system_name` the word of its kind (what our
/// reader takes the kind from), `filename` the Python file where the name tells one, else the
/// kind again, so that `pprof -focus='^kernel$'` works. The line comes from the name too. Values
/// with decimals stay exact: the unit says `USD/100` for hundredths. The time stamp of the gzip
/// header is 0, so the same profile gives the same bytes.
pub fn write_pprof(profile: &Profile, default: &Weight, out: &mut dyn io::Write) -> io::Result<()> {
    let bytes = message(profile, default).encode_to_vec();
    let mut gz = GzBuilder::new().mtime(0).write(out, Compression::default());
    io::Write::write_all(&mut gz, &bytes)?;
    gz.finish()?;
    Ok(())
}

fn message(profile: &Profile, default: &Weight) -> proto::Profile {
    let mut texts = Texts::new();
    let mut sample_type = Vec::with_capacity(profile.columns.len());
    let mut default_sample_type = 0;
    for column in &profile.columns {
        let r#type = texts.intern(column.weight.name());
        if column.weight == *default {
            default_sample_type = r#type;
        }
        sample_type.push(proto::ValueType { r#type, unit: texts.intern(&unit(column)) });
    }
    let mut table = Table::new(profile, &mut texts);
    let sample = samples(profile, &mut table);
    let (location, function) = table.finish();
    // Viewers look for symbols of a profile without a mapping that says they are there.
    let made_by = texts.intern("flamelane");
    let mapping = proto::Mapping { id: 1, filename: made_by, has_functions: true };
    proto::Profile {
        sample_type,
        sample,
        mapping: vec![mapping],
        location,
        function,
        string_table: texts.finish(),
        comment: vec![made_by],
        default_sample_type,
        ..proto::Profile::default()
    }
}

/// One sample a node with any value, innermost frame first.
fn samples(profile: &Profile, table: &mut Table<'_, '_>) -> Vec<proto::Sample> {
    let mut samples = Vec::new();
    for node in std::iter::once(StackId(0)).chain(profile.stacks.nodes()) {
        let held = |column: &Column| column.self_values.get(node.index()).copied().unwrap_or(0);
        let value: Vec<i64> = profile.columns.iter().map(held).collect();
        if value.iter().all(|value| *value == 0) {
            continue;
        }
        let frames = profile.stacks.climb(node).map(|node| profile.stacks.frame(node));
        let location_id = frames.map(|frame| table.location(frame)).collect();
        samples.push(proto::Sample { location_id, value });
    }
    samples
}

/// The word pprof knows for a unit.
fn unit(column: &Column) -> String {
    let word = match &column.unit {
        Unit::Ns => "nanoseconds",
        other => other.name(),
    };
    match column.decimals {
        0 => word.to_owned(),
        decimals => format!("{word}/1{:0>1$}", "", usize::from(decimals)),
    }
}
