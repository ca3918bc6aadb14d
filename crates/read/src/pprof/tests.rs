//! Profiles built field by field, drawn as folded lines.

use flamelane_model::StackId;
use prost::Message;

use super::{
    wire::{Function, Label, Line, Location, Sample, ValueType},
    *,
};

/// A field of the outermost message.
fn field(out: &mut Vec<u8>, number: u8, message: &[u8]) {
    out.push(number << 3 | 2);
    prost::encoding::encode_varint(message.len() as u64, out);
    out.extend_from_slice(message);
}

/// Two sample types, one inlined place, one place without a function, one Python function.
fn profile(more_names: &[&str], more: &[u8]) -> Vec<u8> {
    let mut out = Vec::new();
    let names = ["", "samples", "count", "cpu", "microseconds", "main", "work", "run", "x.py"];
    for (kind, unit) in [(1, 2), (3, 4)] {
        field(&mut out, 1, &ValueType { kind, unit }.encode_to_vec());
    }
    let stacks: [(&[u64], i64); 3] = [(&[3, 2, 1], 2), (&[2, 1], 1), (&[4, 1], 5)];
    for (location, n) in stacks {
        let location = location.to_vec();
        let label = if n == 5 { vec![Label {}] } else { Vec::new() };
        let sample = Sample { location, value: vec![n, n * 10], label };
        field(&mut out, 2, &sample.encode_to_vec());
    }
    let line = |function| Line { function };
    let places = [
        Location { id: 1, address: 1, line: vec![line(1)] },
        Location { id: 2, address: 2, line: vec![line(3), line(2)] },
        Location { id: 3, address: 0xbeef, line: vec![] },
    ];
    for place in places {
        field(&mut out, 4, &place.encode_to_vec());
    }
    for (id, name, filename) in [(1, 5, 0), (2, 6, 0), (3, 7, 8)] {
        field(&mut out, 5, &Function { id, name, filename, start_line: 0 }.encode_to_vec());
    }
    for name in names.iter().chain(more_names) {
        field(&mut out, 6, name.as_bytes());
    }
    out.extend_from_slice(more);
    out
}

#[track_caller]
fn drawn(bytes: &[u8]) -> (Vec<String>, Profile, Notes) {
    assert_eq!(sniff(bytes), Sniff::Yes);
    let read = read(&mut &bytes[..], &Limits::default()).unwrap();
    let Content::Profile(profile) = read.content else { panic!("stacks") };
    let mut lines = Vec::new();
    for (i, value) in profile.columns[0].self_values.iter().enumerate() {
        if *value != 0 {
            let names = profile.stacks.names(StackId::new(i), &profile.strings).join(";");
            lines.push(format!("{names} {value}"));
        }
    }
    (lines, *profile, read.notes)
}

#[test]
fn inlined_calls_are_frames_and_the_last_type_comes_first() {
    let (lines, profile, notes) = drawn(&profile(&[], &[]));
    assert_eq!(
        lines,
        [
            "main;work;run (x.py) 10000",
            "main;work;run (x.py);0xbeef 20000",
            "main;[missing place] 50000"
        ]
    );
    assert_eq!(profile.columns[0].weight, Weight::Cpu);
    assert_eq!(profile.columns[1].unit, Unit::Samples);
    let codes: Vec<_> = notes.iter().map(|note| note.code).collect();
    assert_eq!(codes, ["no-symbols", "labels-not-kept", "missing-place"]);
}

#[test]
fn the_named_type_comes_first() {
    let (_, profile, _) = drawn(&profile(&[], &[14 << 3, 1]));
    assert_eq!(profile.columns[0].weight.name(), "samples");
}

#[test]
fn dropped_frames_end_their_stack_but_kept_ones_do_not() {
    let drop = [7 << 3, 9];
    let (lines, _, notes) = drawn(&profile(&["wo.*"], &drop));
    assert_eq!(lines, ["main 30000", "main;[missing place] 50000"]);
    assert_eq!(notes.count("dropped-frames"), 2);
    let keep = [7 << 3, 9, 8 << 3, 10];
    let (_, _, notes) = drawn(&profile(&["wo.*", "work"], &keep));
    assert_eq!(notes.count("dropped-frames"), 0);
    // Nothing is shown above them, so a pattern that matches the root hides nothing there.
    let (lines, _, _) = drawn(&profile(&["wo.*|main"], &drop));
    assert_eq!(lines.first().unwrap(), "main;work;run (x.py) 10000");
}

#[test]
fn every_beginning_of_a_profile_is_read_or_refused() {
    let bytes = profile(&[], &[]);
    for n in 0..bytes.len() {
        let _ = sniff(&bytes[..n]);
        let _ = read(&mut &bytes[..n], &Limits::default());
    }
}

#[test]
fn the_older_binary_format_gives_samples_and_time() {
    for size in [4, 8] {
        let words = [0_u64, 3, 0, 10_000, 0, 2, 2, 0x1010, 0x1020, 0, 1, 0];
        let mut bytes: Vec<u8> =
            words.iter().flat_map(|word| word.to_le_bytes()[..size].to_vec()).collect();
        bytes.extend_from_slice(b"00001000-00002000 r-xp 00000100 00:00 1  /bin/server\n");
        let (lines, profile, _) = drawn(&bytes);
        assert_eq!(lines, ["server+0x120;server+0x110 20000000"]);
        assert_eq!(profile.sum(&Weight::parse("samples")), 2);
    }
}

#[test]
fn the_older_heap_format_gives_four_columns() {
    let text =
        "heap profile: 3: 30 [4: 40] @ heap/1\n 3: 30 [4: 40] @ 0x20 0x10\nMAPPED_LIBRARIES:\n";
    let (lines, profile, notes) = drawn(text.as_bytes());
    assert_eq!(lines, ["0x10;0x20 30"]);
    let sums: Vec<i64> = profile.columns.iter().map(|c| c.self_values.iter().sum()).collect();
    assert_eq!(sums, [30, 3, 40, 4]);
    assert_eq!(notes.count("sampled-heap"), 1);
}
