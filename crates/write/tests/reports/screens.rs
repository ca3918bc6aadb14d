//! What people see, byte by byte. Where a screen differs on purpose, copy the new one that the
//! failure names over the old one, after a look at it.

use std::io;
use std::path::Path;

use flamelane_model::{
    DeviceKind, DeviceSpan, FrameKind, Interval, Lane, LaneId, LaneKind, NONE, Notes, Process,
    ProcessId, Profile, Trace, Weight,
};
use flamelane_report::{Capture, Finding, Report, SCHEMA, Spread};
use flamelane_write::{
    Durations, Inspection, Screen, Table, TableCaller, TableRow, write_inspection, write_markdown,
    write_steps, write_steps_csv, write_table, write_table_csv, write_terminal,
};

use crate::sample;

pub(crate) fn written(write: impl Fn(&mut Vec<u8>) -> io::Result<()>) -> String {
    let mut bytes = Vec::new();
    write(&mut bytes).unwrap();
    let mut again = Vec::new();
    write(&mut again).unwrap();
    assert_eq!(bytes, again, "the same input gave other bytes");
    String::from_utf8(bytes).unwrap()
}

#[track_caller]
fn check(name: &str, found: &str) {
    let golden = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/golden/reports").join(name);
    let known = std::fs::read_to_string(&golden).unwrap_or_default();
    if found != known {
        let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
        std::fs::write(&path, found).unwrap();
        panic!("tests/golden/reports/{name} differs from {}", path.display());
    }
}

fn screen(width: usize) -> Screen {
    Screen { width, paths: vec!["runs/rank0.pt.trace.json.gz".to_owned()], ..Screen::default() }
}

fn shown(captures: Vec<Capture>, screen: &Screen) -> String {
    let report = Report { schema: SCHEMA, captures };
    written(|out| write_terminal(&report, screen, out))
}

#[test]
fn one_capture_fills_a_screen() {
    let found = shown(vec![sample::plain()], &screen(100));
    check("screen-100.txt", &found);
    assert!(found.lines().count() <= 45, "{}", found.lines().count());
    check("screen-60.txt", &shown(vec![sample::plain()], &screen(60)));
}

#[test]
fn what_owns_no_time_is_noticed_after_what_does() {
    let mut capture = sample::plain();
    let bound = |kind: &str, most: i64| Finding {
        kind: kind.to_owned(),
        owned_ns_per_step: 0,
        owned_share: 0.0,
        max_gain_ns_per_step: most,
        simulated_gain_ns_per_step: None,
        headline: false,
        subject: format!("the {kind}"),
        sentence: format!("the {kind} cannot be told"),
        ..capture.findings[0].clone()
    };
    let more = [bound("sync-cliff", 0), bound("loop", 160_000_000)];
    capture.findings.extend(more);
    let found = shown(vec![capture.clone()], &screen(100));
    let block = found.split("what to change").nth(1).unwrap().split("\n\n").next().unwrap();
    let noticed: Vec<&str> = block.lines().filter(|line| line.contains("also noticed")).collect();
    let loops = "  also noticed: loop: the loop, at most 160 ms to win";
    assert_eq!(noticed, [loops, "  also noticed: sync-cliff: the sync-cliff cannot be told"]);
    assert!(!block.contains(" 0 ns") && !block.contains(" 0.0 %"), "{block}");
    let report = Report { schema: SCHEMA, captures: vec![capture] };
    let markdown = written(|out| write_markdown(&report, out));
    assert!(markdown.contains("| loop | the loop | – | – | 160 ms |"), "{markdown}");
    assert!(markdown.contains("| sync-cliff | the sync-cliff | – | – | – |"), "{markdown}");
}

#[test]
fn phases_launches_and_a_bound_have_a_line_each() {
    let found = shown(vec![sample::capture()], &screen(100));
    check("screen-full-100.txt", &found);
    let plain = shown(vec![sample::plain()], &screen(100));
    let more = found.lines().count() - plain.lines().count();
    assert_eq!(more, 5, "two phases, the lead, the queue, the bound");
}

#[test]
fn tables_of_launches_and_ranges_are_shown_where_there_is_room() {
    let mut capture = sample::capture();
    capture.findings.clear();
    capture.questions.clear();
    capture.gpu_paths.clear();
    let found = shown(vec![capture], &screen(100));
    check("screen-tables-100.txt", &found);
    assert!(found.lines().count() <= 45, "{}", found.lines().count());
}

#[test]
fn no_table_is_wider_than_the_terminal() {
    let captures = || vec![sample::on_two_devices(), sample::capture(), sample::host_only()];
    for width in 56..150 {
        for captures in [captures(), vec![sample::on_two_devices()]] {
            let found = shown(captures, &screen(width));
            // Commands are for copying: they are never cut.
            let lines = found.lines().filter(|line| !line.starts_with("flamelane "));
            for line in lines {
                assert!(line.chars().count() <= width, "{width}: {line}");
            }
        }
    }
}

#[test]
fn colour_changes_no_character() {
    let plain = shown(vec![sample::on_two_devices()], &screen(100));
    let painted = shown(vec![sample::on_two_devices()], &Screen { color: true, ..screen(100) });
    let mut bare = String::new();
    for piece in painted.split('\u{1b}') {
        let text = piece.split_once('m').filter(|_| piece.starts_with('['));
        bare.push_str(text.map_or(piece, |(_, text)| text));
    }
    assert!(painted.contains("\u{1b}[32m██"));
    assert_eq!(bare, plain);
}

#[test]
fn several_captures_stand_side_by_side() {
    let mut second = sample::capture();
    second.file = "rank1.pt.trace.json.gz".to_owned();
    second.rank = Some(1);
    second.window.busy_ns += 1;
    let captures = vec![sample::host_only(), second, sample::capture()];
    let found = shown(captures, &Screen { width: 100, ..Screen::default() });
    check("ranks-100.txt", &found);
}

#[test]
fn several_devices_are_listed() {
    check("devices-80.txt", &shown(vec![sample::on_two_devices()], &screen(80)));
}

#[test]
fn the_host_alone_has_a_screen() {
    check("host-only-80.txt", &shown(vec![sample::host_only()], &screen(80)));
}

#[test]
fn without_steps_figures_are_totals() {
    let mut capture = sample::capture();
    capture.steps.count = 0;
    capture.steps.list.clear();
    capture.steps.wall_ns = Spread::default();
    let found = shown(vec![capture], &screen(100));
    assert!(found.contains("none found: the figures below are totals"));
    assert!(found.contains("where the time goes  total"));
    assert!(!found.contains("per step"), "{found}");
}

#[test]
fn a_written_report_is_named_instead_of_its_command() {
    let report = Some("out/report.html".to_owned());
    let found = shown(vec![sample::capture()], &Screen { report, ..screen(80) });
    assert!(found.contains("report    out/report.html\n"));
    assert!(!found.contains("-o report.html"));
}

#[test]
fn nothing_at_all_is_still_a_screen() {
    assert_eq!(shown(Vec::new(), &screen(80)), "no captures\n");
    let found = shown(vec![Capture::default()], &screen(80));
    assert!(!found.contains("NaN") && !found.contains("inf"), "{found}");
}

#[test]
fn markdown() {
    let found = written(|out| write_markdown(&sample::report(), out));
    check("report.md", &found);
}

#[test]
fn names_cannot_break_markdown_tables() {
    let mut capture = sample::capture();
    capture.idle[0].frame = "a | b ` c\nd".to_owned();
    let report = Report { schema: SCHEMA, captures: vec![capture] };
    let found = written(|out| write_markdown(&report, out));
    assert!(found.contains("| `` a \\| b ` c d `` |"), "{found}");
}

#[test]
fn steps() {
    let capture = sample::capture();
    check("steps-100.txt", &written(|out| write_steps(&capture, &screen(100), out)));
    check("steps.csv", &written(|out| write_steps_csv(&capture, out)));
}

#[test]
fn no_steps_are_said() {
    let mut capture = sample::capture();
    capture.steps.list.clear();
    let found = written(|out| write_steps(&capture, &screen(80), out));
    assert!(found.contains("no steps found"));
}

pub(crate) fn table() -> Table {
    let caller = |op: &str, user: &str, total: i64| TableCaller {
        op: op.to_owned(),
        user_frame: user.to_owned(),
        total,
        calls: 100,
    };
    let row = |name: &str, total: i64, callers: Vec<TableCaller>| TableRow {
        name: name.to_owned(),
        kind: "kernel".to_owned(),
        user_frame: Some("serve/engine.py(88): step".to_owned()),
        self_value: total,
        total,
        calls: 200,
        durations: Some(Durations { p50: total / 250, p99: total / 100, max: total / 50 }),
        n_callers: callers.len() as u64,
        callers,
    };
    let user = "serve/engine.py(88): step";
    let two = vec![caller("aten::mm", user, 9_000_000), caller("", "", 3_000_000)];
    Table {
        file: "rank0.pt.trace.json.gz".to_owned(),
        by: "kernel".to_owned(),
        weight: "gpu".to_owned(),
        unit: "ns".to_owned(),
        decimals: 0,
        total: 20_000_000,
        n_rows: 7,
        rows: vec![
            row("nvjet_tst_128x64_64x10_1x2_h_bz_coopA_TNT", 12_000_000, two),
            row(
                "void ns::softmax<float, 4>(float*)",
                42_000,
                vec![caller("aten::softmax", user, 42_000)],
            ),
        ],
    }
}

#[test]
fn tables() {
    check("top-100.txt", &written(|out| write_table(&table(), &screen(100), out)));
    check("top.csv", &written(|out| write_table_csv(&table(), out)));
}

#[test]
fn samples_and_fractions_have_a_table_too() {
    let mut table = Table { weight: "samples".to_owned(), unit: "samples".to_owned(), ..table() };
    table.rows[0].durations = None;
    table.rows[1].durations = None;
    let found = written(|out| write_table(&table, &screen(100), out));
    assert!(found.contains("12,000,000 samples"), "{found}");
    let table = Table { unit: "USD".to_owned(), decimals: 2, ..table };
    let found = written(|out| write_table(&table, &screen(100), out));
    assert!(found.contains("120000 USD"), "{found}");
    let found = written(|out| write_table_csv(&table, out));
    assert!(found.contains(",120000,"), "{found}");
}

#[test]
fn an_empty_table_says_so() {
    let table = Table { rows: Vec::new(), n_rows: 0, ..table() };
    let found = written(|out| write_table(&table, &screen(80), out));
    assert!(found.contains("no kernel holds any gpu"), "{found}");
}

/// A thread that launches two kernels on one stream.
pub(crate) fn trace() -> Trace {
    let mut trace = Trace::new();
    let mut name = |text: &str| trace.strings.intern(text);
    let (pid, process, device) = (name("4242"), name("python3"), name("NVIDIA H100"));
    let (thread, stream, kernel) = (name("thread 4242"), name("stream 7"), name("gemm"));
    let (step, run, call) = (name("step 1"), name("app.py(3): run"), name("cudaLaunchKernel"));
    trace.processes.push(Process { label: pid, name: process });
    trace.devices.push(flamelane_model::Device {
        id: 0,
        process: None,
        name: device,
        memory_bytes: 80 << 30,
    });
    let lane = |kind, id, name, device| Lane { kind, process: ProcessId(0), device, id, name };
    trace.lanes.push(lane(LaneKind::Thread, 4242, thread, None));
    trace.lanes.push(lane(LaneKind::Stream, 7, stream, Some(flamelane_model::DeviceId(0))));
    trace.host.push(LaneId(0), FrameKind::Annotation, step, (0, 9_000));
    trace.host.push(LaneId(0), FrameKind::Python, run, (0, 9_000));
    for start in [1_000, 2_000] {
        let span = trace.host.push(LaneId(0), FrameKind::Runtime, call, (start, start + 500));
        trace.calls.span.push(span);
        trace.calls.correlation.push(start);
        trace.calls.external.push(NONE);
        trace.calls.bytes.push(NONE);
        trace.device.push(DeviceSpan {
            lane: LaneId(1),
            kind: DeviceKind::Kernel,
            name: kernel,
            start: start + 700,
            end: start + 1_400,
            correlation: start,
            external: NONE,
            bytes: NONE,
            graph_node: NONE,
        });
    }
    trace.metadata.rank = Some(0);
    trace.metadata.world_size = Some(2);
    trace.metadata.properties.insert("with_stack".to_owned(), "1".to_owned());
    trace.metadata.recorded = Some(Interval::new(0, 10_000));
    trace.extent = Interval::new(0, 9_000);
    trace.census.insert(("X".to_owned(), "kernel".to_owned()), 2);
    trace.census.insert(("M".to_owned(), String::new()), 4);
    trace
}

pub(crate) fn notes() -> Notes {
    let mut notes = Notes::new();
    let first = || "byte 12: \"dur\": -3".to_owned();
    notes.add("negative-duration", "events had a negative duration, taken as 0", first);
    notes
}

#[test]
fn a_timeline_is_inspected() {
    let inspection = Inspection::of_trace("rank0.json".to_owned(), "kineto", &trace());
    let inspection = inspection.with_notes(&notes());
    check("inspect-80.txt", &written(|out| write_inspection(&inspection, &screen(80), out)));
}

/// A profile of one stack.
pub(crate) fn profile() -> Profile {
    let mut profile = Profile::new();
    let run = (profile.strings.intern("run"), FrameKind::Native);
    let stack = profile.stacks.intern_path(&[run]);
    profile.add(Weight::Other("samples".to_owned()), stack, 12);
    profile
}

#[test]
fn stacks_are_inspected() {
    let inspection = Inspection::of_profile("a.folded".to_owned(), "folded", &profile());
    let found = written(|out| write_inspection(&inspection, &screen(80), out));
    check("inspect-stacks-80.txt", &found);
}

#[test]
fn time_outside_the_steps_is_said_and_a_verdict_without_its_finding_has_its_own_try() {
    let mut capture = sample::plain();
    capture.window.idle_ns += 10 * sample::MS;
    capture.protocol.experiment = "look at the widest device path".to_owned();
    let found = shown(vec![capture], &screen(100));
    let said = |line: &str| found.lines().any(|known| known.starts_with(line));
    assert!(said("no step   10 ms of the window: launched before the steps or between"), "{found}");
    assert!(said("try       look at the widest device path"), "{found}");
    let whole = shown(vec![sample::plain()], &screen(100));
    assert!(!whole.contains("no step"), "{whole}");
}
