//! speedscope files drawn as folded lines.

use super::*;

#[track_caller]
fn drawn(text: &str) -> (Vec<String>, Profile, Notes) {
    assert_eq!(sniff(text.as_bytes()), Sniff::Yes);
    let read = read(&mut text.as_bytes(), &Limits::default()).unwrap();
    let Content::Profile(profile) = read.content else { panic!("stacks") };
    let mut lines = Vec::new();
    for column in &profile.columns {
        for (i, value) in column.self_values.iter().enumerate().filter(|(_, value)| **value != 0) {
            let names = profile.stacks.names(StackId::new(i), &profile.strings).join(";");
            lines.push(format!("{names} {value}"));
        }
    }
    (lines, *profile, read.notes)
}

fn file(profiles: &str) -> String {
    let frames = r#"[{"name":"a"},{"name":"b","file":"x.py","line":3},{"name":"c"}]"#;
    format!(
        r#"{{"$schema":"https://www.speedscope.app/file-format-schema.json",
        "profiles":[{profiles}],"shared":{{"frames":{frames}}}}}"#
    )
}

#[test]
fn samples_are_summed_exactly() {
    let (lines, profile, notes) = drawn(&file(
        r#"{"type":"sampled","name":"t","unit":"seconds","startValue":0,"endValue":1,
        "samples":[[0,1],[0,1],[0],[2]],"weights":[0.01,0.0000000015,1e-3,2]}"#,
    ));
    assert_eq!(lines, ["a 10000000", "a;b (x.py:3) 100000015", "c 20000000000"]);
    assert_eq!((profile.columns[0].decimals, &profile.columns[0].unit), (1, &Unit::Ns));
    assert!(notes.is_empty());
}

#[test]
fn events_charge_the_innermost_open_frame() {
    let (lines, _, notes) = drawn(&file(
        r#"{"type":"evented","name":"t","unit":"none","startValue":0,"endValue":20,"events":[
        {"type":"O","frame":0,"at":0},{"type":"O","frame":1,"at":2},{"type":"C","frame":1,"at":5},
        {"type":"O","frame":2,"at":6},{"type":"C","frame":0,"at":9},{"type":"C","frame":2,"at":9},
        {"type":"O","frame":2,"at":4},{"type":"O","frame":0,"at":11}]}"#,
    ));
    assert_eq!(lines, ["a 3", "a;b (x.py:3) 3", "a;c 3", "c 2", "c;a 9"]);
    let codes: Vec<_> = notes.iter().map(|note| note.code).collect();
    assert_eq!(
        codes,
        ["crossing-event", "close-without-open", "unordered-event", "unclosed-event"]
    );
}

#[test]
fn several_profiles_stand_under_their_names() {
    let one = |name: &str, unit: &str| {
        format!(r#"{{"name":"{name}","unit":"{unit}","samples":[[0]],"weights":[1]}}"#)
    };
    let profiles = [one("t1", "bytes"), one("t2", "bytes"), one("t3", "nanoseconds")].join(",");
    let (lines, profile, _) = drawn(&file(&profiles));
    assert_eq!(lines, ["t1;a 1", "t2;a 1", "t3;a 1"]);
    assert_eq!(profile.columns.len(), 2);
}

#[test]
fn frames_that_are_not_listed_are_counted() {
    let (lines, _, notes) = drawn(&file(r#"{"samples":[[0,7]],"weights":[1]}"#));
    assert_eq!(lines, ["a;[missing frame] 1"]);
    assert_eq!(notes.count("missing-frame"), 1);
}

#[test]
fn every_beginning_of_a_file_is_read_or_refused() {
    let text = file(
        r#"{"type":"sampled","name":"t","unit":"seconds","samples":[[0,1],[2]],"weights":[1,2]}"#,
    );
    for n in 0..text.len() {
        let _ = read(&mut &text.as_bytes()[..n], &Limits::default());
    }
}
