//! Documents no profiler writes in one piece: shuffled keys, odd space, escapes, numbers as
//! strings, text that looks like events.

use flamelane_model::Trace;

use super::{
    model::{self, Expected, Made, quoted},
    read_all_ways,
};

/// A small generator of numbers, so that each seed is a document.
pub(super) struct Chance(u64);

impl Chance {
    pub(super) fn below(&mut self, end: i64) -> i64 {
        self.0 =
            self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        ((self.0 >> 33) as i64) % end.max(1)
    }

    pub(super) fn pick<'t, T>(&mut self, from: &'t [T]) -> &'t T {
        &from[self.below(from.len() as i64) as usize]
    }

    fn is(&mut self, percent: i64) -> bool {
        self.below(100) < percent
    }

    fn shuffle<T>(&mut self, list: &mut [T]) {
        for i in (1..list.len()).rev() {
            list.swap(i, self.below(i as i64 + 1) as usize);
        }
    }
}

/// Changes an event without changing what it means, or changes both.
fn mutate(made: &mut Made, chance: &mut Chance) {
    let set = |made: &mut Made, key: &str, value: String| {
        for (name, old) in &mut made.keys {
            if name == key {
                old.clone_from(&value);
            }
        }
    };
    let odd = [
        NaN,
        "Infinity",
        "-Infinity",
        "1e5",
        "None",
        "[NaN, \"]\"]",
        "\"}, {\\\"ph\\\": \\\"X\\\"\"",
    ];
    match chance.below(12) {
        0 => {
            let tails = ["\"q\"", "\\", "\n", "{[,]}", "𝄞", "\"}, {\"ph\": \"X\"", "\\\\\""];
            made.expected.name.push_str(chance.pick::<&str>(&tails));
            set(made, "name", quoted(&made.expected.name.clone()));
        }
        1 => set(
            made,
            "ts",
            format!("\"{}.{:03}\"", made.expected.ts / 1000, made.expected.ts % 1000),
        ),
        2 => set(made, "ts", format!("{}e-3", made.expected.ts)),
        3 => set(
            made,
            "dur",
            format!("{}.{:03}4", made.expected.dur / 1000, made.expected.dur % 1000),
        ),
        4 => {
            let nested = r#"{"correlation": 7, "name": "}]", "l": [1, "\"", {"ts": 5}]}"#;
            made.args.get_or_insert_default().push(("nested".to_owned(), nested.to_owned()));
        }
        5 => {
            let value = (*chance.pick(&odd)).to_owned();
            made.args.get_or_insert_default().push(("odd".to_owned(), value));
        }
        6 => made.keys.insert(2, ("zz".to_owned(), r#"[[], {}, "a", "\\"]"#.to_owned())),
        7 => {
            made.args = None;
            let value = *chance.pick(&["null", "{}", "[]", "\"\""]);
            made.keys.push(("args".to_owned(), value.to_owned()));
            made.expected.correlation = flamelane_model::NONE;
            made.expected.external = flamelane_model::NONE;
            if made.expected.is_device {
                // The stream is the tid, which is the same.
            }
        }
        8 => {
            for (key, value) in made.args.iter_mut().flatten() {
                if matches!(key.as_str(), "correlation" | "External id" | "stream") {
                    *value = format!("\"{value}\"");
                }
            }
        }
        9 => made.keys.push(("tts".to_owned(), "18446744073709551616".to_owned())),
        _ => {}
    }
    if made.args.is_some() && !made.keys.iter().any(|(key, _)| key == "args") {
        let place = made.keys.len() - chance.below(3) as usize;
        made.keys.insert(place, ("args".to_owned(), String::new()));
    }
}

#[expect(non_upper_case_globals, reason = "as it is written")]
const NaN: &str = "NaN";

fn make(seed: u64) -> (String, Vec<Expected>) {
    let mut chance = Chance(seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) + 1);
    let n_events = 1 + chance.below(120);
    let space = *chance.pick(&["", " ", "\n  ", "\r\n\t", "  \n\n"]);
    let (shuffled, always) = (chance.is(40), chance.is(50));
    let mut expected = Vec::new();
    let mut texts = Vec::new();
    for _ in 0..n_events {
        let mut made = model::event(&mut chance);
        mutate(&mut made, &mut chance);
        if shuffled && (always || chance.is(30)) {
            chance.shuffle(&mut made.keys);
            made.args.iter_mut().for_each(|args| chance.shuffle(args));
        }
        texts.push(model::written(&made, space));
        expected.push(made.expected);
    }
    let list = format!("[{space}{}{space}]", texts.join(&format!("{space},{space}")));
    let document = match chance.below(4) {
        0 => list,
        1 => format!("{{\"traceEvents\":{space}{list},\"traceName\":\"a\\\"b\"}}"),
        _ => format!(
            "{{\"schemaVersion\":1,\"x\":[{{\"traceEvents\":[1]}}],{space}\"traceEvents\":{space}{list}}}"
        ),
    };
    (document, expected)
}

/// The events of a trace in the form of what is expected.
pub(super) fn found(trace: &Trace) -> (Vec<Expected>, Vec<Expected>) {
    let zero = trace.origin;
    let host = (0..trace.host.len()).map(|i| {
        let id = flamelane_model::HostSpanId::new(i);
        let call = trace.calls.of(id).map(flamelane_model::CallId::index);
        let op = trace.op_links.external.iter().find(|(op, _)| *op == id).map(|link| link.1);
        let none = flamelane_model::NONE;
        Expected {
            is_device: false,
            name: trace.text(trace.host.name[i]).to_owned(),
            ts: trace.host.start[i] + zero,
            dur: trace.host.end[i] - trace.host.start[i],
            lane: trace.lane(trace.host.lane[i]).id,
            correlation: call.map_or(none, |call| trace.calls.correlation[call]),
            external: call.map_or(op.unwrap_or(none), |call| trace.calls.external[call]),
        }
    });
    let device = (0..trace.device.len()).map(|i| Expected {
        is_device: true,
        name: trace.text(trace.device.name[i]).to_owned(),
        ts: trace.device.start[i] + zero,
        dur: trace.device.duration(i),
        lane: trace.lane(trace.device.lane[i]).id,
        correlation: trace.device.correlation[i],
        external: trace.device.external[i],
    });
    (host.collect(), device.collect())
}

#[test]
fn mutated_documents_are_read_as_they_were_made_in_every_way() {
    for seed in 0..250 {
        let (document, expected) = make(seed);
        let (trace, notes) = read_all_ways(document.as_bytes()).unwrap();
        assert!(notes.is_empty(), "seed {seed}: {notes:?} on {document}");
        let (device, host) = expected.into_iter().partition(|event| event.is_device);
        assert_eq!(found(&trace), (host, device), "seed {seed}: {document}");
    }
}
