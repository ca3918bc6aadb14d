//! Anything may come in: no reader panics, hangs or keeps more than the file warrants.

use flamelane_read::{Limits, open, readers};
use proptest::prelude::*;

use crate::drawn::{file, fixtures};

/// Reads with sniffing and by each name; only that it ends matters.
fn try_all(bytes: &[u8]) {
    let limits = Limits { max_unpacked: 1 << 20, max_event: 4 << 10, max_lanes: 4 };
    let _ = open(&mut &bytes[..], &limits, None);
    for reader in readers() {
        let _ = (reader.sniff)(bytes);
        let _ = open(&mut &bytes[..], &limits, Some(reader.name));
    }
}

#[test]
fn every_beginning_of_every_fixture_is_read_or_refused() {
    for path in fixtures() {
        let bytes = file(&path);
        for n in 0..bytes.len() {
            let limits = Limits { max_event: 4 << 10, ..Limits::default() };
            let _ = open(&mut &bytes[..n], &limits, None);
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    #[test]
    fn random_bytes_end(bytes in prop::collection::vec(any::<u8>(), 0..2000)) {
        try_all(&bytes);
    }

    #[test]
    fn random_text_of_stacks_ends(text in "([a-c;( )#_.:\\[\\]k0-9\t\r\n]|\u{e9}){0,300}") {
        try_all(text.as_bytes());
    }

    #[test]
    fn random_json_ends(
        text in "(\\{|\\}|\\[|\\]|,|:|\"(ph|ts|name|profiles|shared|frames|events|samples|weights|at|type|frame|O|C|B|E|X|traceEvents)\"|-?[0-9]{1,19}|null|1e9|\"){0,120}"
    ) {
        try_all(text.as_bytes());
    }

    #[test]
    fn changed_fixtures_end(
        which in any::<prop::sample::Index>(),
        changes in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 1..12),
        cut in any::<prop::sample::Index>(),
    ) {
        let paths = fixtures();
        let mut bytes = file(&paths[which.index(paths.len())]);
        for (at, byte) in changes {
            let at = at.index(bytes.len());
            bytes[at] = byte;
        }
        try_all(&bytes);
        try_all(&bytes[..cut.index(bytes.len())]);
    }
}

/// One place with a thousand inlined calls, named by every sample in two bytes.
#[test]
fn a_profile_that_names_one_deep_place_over_and_over_stays_small() {
    fn field(number: u8, message: &[u8]) -> Vec<u8> {
        let mut out = vec![number << 3 | 2];
        let mut size = message.len();
        while size >= 0x80 {
            out.push(size as u8 | 0x80);
            size >>= 7;
        }
        out.push(size as u8);
        out.extend_from_slice(message);
        out
    }
    let mut bytes = field(1, &[8, 1, 16, 1]);
    let lines: Vec<u8> = (0..1000).flat_map(|_| field(4, &[8, 1])).collect();
    bytes.extend(field(4, &[&[8, 1][..], &lines].concat()));
    bytes.extend(field(5, &[8, 1, 16, 1]));
    bytes.extend([field(6, b""), field(6, b"f")].concat());
    let places = [&[10, 100][..], &[1; 100], &[18, 1, 1]].concat();
    for _ in 0..1000 {
        bytes.extend(field(2, &places));
    }
    let read = open(&mut &bytes[..], &Limits::default(), Some("pprof")).unwrap();
    assert!(read.notes.count("too-many-frames") > 0);
}

/// A unit of its own for every profile must not make a column for every profile.
#[test]
fn units_without_end_share_few_columns() {
    let profiles: Vec<String> =
        (0..3000).map(|i| format!(r#"{{"unit":"u{i}","samples":[[0]],"weights":[1]}}"#)).collect();
    let text = format!(
        r#"{{"profiles":[{}],"shared":{{"frames":[{{"name":"f"}}]}}}}"#,
        profiles.join(",")
    );
    let read = open(&mut text.as_bytes(), &Limits::default(), None).unwrap();
    assert_eq!(read.notes.count("too-many-columns"), 3000 - 16);
}
