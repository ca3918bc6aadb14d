//! Tests of the page: what the viewer reads is what the profile holds, and no name breaks out.

use std::collections::BTreeMap;

use flamelane_model::{
    Chart, ChartFrame, ChartIdle, ChartLane, ChartOwner, ChartRow, Frame, FrameKind, Interval,
    Profile, StackId, Weight,
};
use flamelane_report::{Capture, GpuPath, Report, SCHEMA};
use serde_json::{Value, json};

use super::assets::MODULES;
use super::cut::{Row, cut};
use super::encode::pack;
use super::{
    About, CaptureData, HtmlOptions, ServedPage, blocks, lanes, write_html, write_html_with,
};

const GOLDEN: &str = include_str!("../../../../viewer/test/golden/profile.json");

/// What the kernels of the sample are.
/// The families of device frames, as the fold tells them.
fn families(profile: &Profile) -> BTreeMap<Frame, String> {
    let family = |frame: Frame| match (frame.kind, profile.strings.text(frame.name)) {
        (FrameKind::Kernel, "gemm_a") => Some("gemm".to_owned()),
        (FrameKind::Copy | FrameKind::Memset, _) => Some(frame.kind.name().to_owned()),
        _ => None,
    };
    let frames = profile.stacks.nodes().map(|node| profile.stacks.frame(node));
    frames.filter_map(|frame| Some((frame, family(frame)?))).collect()
}

/// Adds a stack given as `kind name;kind name`.
fn add(profile: &mut Profile, stack: &str, weights: &[(Weight, i64)]) {
    let mut node = profile.stacks.root();
    for part in stack.split(';') {
        let (kind, name) = part.split_once(' ').unwrap();
        let kind = FrameKind::parse(kind).unwrap();
        let name = profile.strings.intern(name);
        node = profile.stacks.child(node, Frame { name, kind });
    }
    for (weight, value) in weights {
        profile.add(weight.clone(), node, *value);
    }
}

/// Recursion, a name beyond the basic plane, values beyond 32 bits, weights in different places.
fn sample() -> Profile {
    use Weight::{Calls, Gpu, Idle};
    let mut profile = Profile::new();
    let p = &mut profile;
    add(
        p,
        "python main.py(1): main;python walk;op aten::mm;kernel gemm_a",
        &[(Gpu, 9_000_000_000_000), (Calls, 7)],
    );
    add(
        p,
        "python main.py(1): main;python walk;python walk;op aten::mm;kernel gemm_b",
        &[(Gpu, 41), (Calls, 1)],
    );
    add(
        p,
        "python main.py(1): main;python walk;python walk;python walk",
        &[(Idle, 500), (Calls, 3)],
    );
    add(p, "python main.py(1): main;op 🔥 größe;copy Memcpy HtoD", &[(Gpu, 300), (Calls, 2)]);
    add(p, "python main.py(1): main;runtime cudaStreamSynchronize", &[(Idle, 1_500), (Calls, 4)]);
    add(p, "synthetic [unattributed];kernel gemm_a", &[(Gpu, 77)]);
    profile
}

/// The stacks that carry a weight, as names, with their self values.
fn selves(profile: &Profile, weight: &Weight) -> Vec<(Vec<(String, FrameKind)>, i64)> {
    let values = profile.selves(weight);
    let path = |node: StackId| {
        let named = |f: Frame| (profile.strings.text(f.name).to_owned(), f.kind);
        profile.stacks.path(node).into_iter().map(named).collect()
    };
    let nodes = profile.stacks.nodes().filter(|node| values[node.index()] != 0);
    nodes.map(|node| (path(node), values[node.index()])).collect()
}

/// What a search finds, the slow and obvious way: a stack counts when any of its frames matches.
fn search(profile: &Profile, weight: &Weight, text: &str) -> Value {
    let rows = selves(profile, weight);
    let hit = |name: &str| name.to_lowercase().contains(text);
    let total: i64 =
        rows.iter().filter(|(path, _)| path.iter().any(|f| hit(&f.0))).map(|row| row.1).sum();
    let own: i64 = rows
        .iter()
        .filter(|(path, _)| path.last().is_some_and(|f| hit(&f.0)))
        .map(|row| row.1)
        .sum();
    json!({ "text": text, "total": total, "self": own })
}

/// Self and total by function, each stack counted once however often the function is in it.
fn table(profile: &Profile, weight: &Weight) -> Value {
    let mut rows: BTreeMap<(String, FrameKind), (i64, i64)> = BTreeMap::new();
    for (mut path, value) in selves(profile, weight) {
        if let Some(leaf) = path.last() {
            rows.entry(leaf.clone()).or_default().0 += value;
        }
        path.sort();
        path.dedup();
        for frame in path {
            rows.entry(frame).or_default().1 += value;
        }
    }
    let row = |((name, kind), (own, total)): ((String, FrameKind), (i64, i64))| json!({ "name": name, "kind": kind.name(), "self": own, "total": total });
    rows.into_iter().map(row).collect()
}

fn golden(profile: &Profile) -> Value {
    let packed = pack(
        0,
        CaptureData { about: About::Report(0), profile, chart: None, families: &families(profile) },
        HtmlOptions::default(),
    );
    let cut = cut(profile, usize::MAX);
    let nodes: Vec<StackId> = cut
        .rows
        .iter()
        .map(|row| match row {
            Row::Node(node) | Row::Rest(node) => *node,
        })
        .collect();
    let stacks: Vec<String> =
        nodes.iter().map(|node| profile.stacks.names(*node, &profile.strings).join(";")).collect();
    let totals = |weight: &Weight| -> Vec<i64> {
        let totals = profile.totals(weight);
        nodes.iter().map(|node| totals[node.index()]).collect()
    };
    json!({
        "index": packed.index,
        "blocks": packed.blocks.iter().map(|(name, block)| (name, blocks::text(block))).collect::<BTreeMap<_, _>>(),
        "stacks": stacks,
        "totals": { "gpu": totals(&Weight::Gpu), "idle": totals(&Weight::Idle) },
        "searches": [
            search(profile, &Weight::Gpu, "gemm"), search(profile, &Weight::Gpu, "walk"),
            search(profile, &Weight::Gpu, "größe"), search(profile, &Weight::Gpu, "nothing"),
        ],
        "table": table(profile, &Weight::Gpu),
    })
}

#[test]
fn the_viewer_is_tested_on_what_this_side_writes() {
    let fresh = serde_json::to_string_pretty(&golden(&sample())).unwrap() + "\n";
    if std::env::var_os("UPDATE_GOLDEN").is_some() {
        let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../viewer/test/golden/profile.json");
        std::fs::write(path, &fresh).unwrap();
        return;
    }
    assert_eq!(fresh, GOLDEN, "run with UPDATE_GOLDEN=1 and then the viewer's own tests");
}

const CHART_GOLDEN: &str = include_str!("../../../../viewer/test/golden/chart.json");

/// A stream with a copy and a kernel beyond 32 bits, work of an unknown launch, a thread of two
/// rows, two owners of idle time, a window that begins before everything else.
fn sample_chart() -> Chart {
    let frame = |name: &str, kind| ChartFrame { name: name.to_owned(), kind };
    let row = |spans: &[(i64, i64, u32)], launch: &[u32], node: &[u32]| ChartRow {
        start: spans.iter().map(|span| span.0).collect(),
        end: spans.iter().map(|span| span.1).collect(),
        frame: spans.iter().map(|span| span.2).collect(),
        launch: launch.to_vec(),
        node: node.iter().map(|&node| StackId(node)).collect(),
    };
    let lane = |device, name: &str, rows, course| ChartLane {
        device,
        process: "4242".to_owned(),
        name: name.to_owned(),
        rows,
        n_hidden: 0,
        course,
    };
    let late = 9_000_000_000_000;
    Chart {
        frames: vec![
            frame("cudaLaunchKernel", FrameKind::Runtime),
            frame("gemm 🔥", FrameKind::Kernel),
            frame("forward", FrameKind::Python),
            frame("main", FrameKind::Thread),
            frame("Memcpy HtoD", FrameKind::Copy),
        ],
        lanes: vec![
            lane(
                Some(0),
                "stream 7",
                vec![row(&[(20, 50, 1), (50, 50, 4), (late, late + 7, 1)], &[6, 0, 5], &[3, 0, 3])],
                vec![],
            ),
            lane(
                None,
                "main",
                vec![row(&[(0, 30, 2)], &[], &[]), row(&[(1, 5, 0), (7, 12, 0)], &[], &[])],
                vec![
                    (Interval::new(-10, 0), StackId(4)),
                    (Interval::new(0, 1), StackId(1)),
                    (Interval::new(1, 5), StackId(2)),
                    (Interval::new(5, 60), StackId(1)),
                ],
            ),
        ],
        idle: vec![ChartIdle {
            device: "GPU 0".to_owned(),
            pieces: vec![(Interval::new(-10, 7), 0), (Interval::new(7, 20), 1)],
            owners: vec![
                ChartOwner { class: "late host", stack: vec![3, 2], node: StackId(1) },
                ChartOwner { class: "launch latency", stack: vec![3, 2, 0], node: StackId(2) },
            ],
        }],
        extent: Interval::new(-10, late + 7),
        window: vec![Interval::new(-10, 60)],
    }
}

fn chart_golden(chart: &Chart) -> Value {
    // Nodes of the profile and rows of the page are different numbers.
    let row_of_node = [0, 7, 300, 5, 6];
    let page =
        lanes::ChartPage { number: 0, capture: 0, chart, rows: &row_of_node, has_courses: true };
    let blocks = page.parts().map(|part| (page.name(part), blocks::text(&page.block(part))));
    let row = |row: &ChartRow| {
        let nodes: Vec<u32> = row.node.iter().map(|node| node.0).collect();
        json!({ "start": row.start, "end": row.end, "frame": row.frame, "launch": row.launch, "node": nodes })
    };
    let course = |lane: &ChartLane| -> Vec<_> {
        lane.course.iter().map(|(time, node)| (time.from, time.to, node.0)).collect()
    };
    let rows: Vec<Vec<Value>> =
        chart.lanes.iter().map(|lane| lane.rows.iter().map(row).collect()).collect();
    let idle = |idle: &ChartIdle| {
        let pieces: Vec<_> = idle.pieces.iter().map(|(at, by)| (at.from, at.to, by)).collect();
        let owners: Vec<_> = idle.owners.iter().map(|of| (of.class, &of.stack)).collect();
        json!({ "pieces": pieces, "owners": owners })
    };
    let frames: Vec<_> = chart.frames.iter().map(|of| (&of.name, of.kind.name())).collect();
    json!({
        "index": page.index(),
        "blocks": blocks.collect::<BTreeMap<_, _>>(),
        "frames": frames,
        "rows": rows,
        "idle": chart.idle.iter().map(idle).collect::<Vec<_>>(),
        "row_of_node": row_of_node,
        "courses": chart.lanes.iter().map(course).collect::<Vec<_>>(),
    })
}

#[test]
fn the_lanes_are_tested_on_what_this_side_writes() {
    let fresh = serde_json::to_string_pretty(&chart_golden(&sample_chart())).unwrap() + "\n";
    if std::env::var_os("UPDATE_GOLDEN").is_some() {
        let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../viewer/test/golden/chart.json");
        std::fs::write(path, &fresh).unwrap();
        return;
    }
    assert_eq!(fresh, CHART_GOLDEN, "run with UPDATE_GOLDEN=1 and then the viewer's own tests");
}

#[test]
fn a_served_page_has_the_blocks_of_the_file_one_by_one() {
    let (profile, chart) = (sample(), sample_chart());
    let captures = [CaptureData {
        about: About::Report(0),
        profile: &profile,
        chart: Some(&chart),
        families: &families(&profile),
    }];
    let report = Report { schema: SCHEMA, captures: vec![Capture::default()] };
    let mut file = Vec::new();
    write_html(&report, &captures, &mut file).unwrap();
    let file = String::from_utf8(file).unwrap();
    let served = ServedPage::new(&report, &captures, HtmlOptions::default()).unwrap();
    let page = String::from_utf8(served.page().to_vec()).unwrap();
    let in_file = |line: &str| -> Option<(String, String)> {
        let rest = line.strip_prefix("<script type=\"text/plain\" id=\"")?;
        let (name, text) = rest.strip_suffix("</script>")?.split_once("\">")?;
        Some((name.to_owned(), text.to_owned()))
    };
    let blocks: Vec<(String, String)> = file.lines().filter_map(in_file).collect();
    assert!(blocks.len() > 8, "{} blocks", blocks.len());
    for (name, text) in &blocks {
        assert_eq!(blocks::text(&served.block(name).unwrap()), *text, "{name}");
    }
    assert!(page.lines().all(|line| in_file(line).is_none()));
    assert!(file.contains("connect-src 'none'") && page.contains("connect-src 'self'"));
    for nothing in ["", "c0-l99", "c1-names", "p0-w99", "../secret"] {
        assert!(served.block(nothing).is_none(), "{nothing}");
    }
}

#[test]
fn every_module_of_the_viewer_is_embedded() {
    let root = concat!(env!("CARGO_MANIFEST_DIR"), "/../../viewer/src");
    let mut found = Vec::new();
    for folder in ["", "lib", "data", "logic", "state", "draw", "views"] {
        for entry in std::fs::read_dir(format!("{root}/{folder}")).unwrap() {
            let path = entry.unwrap().path();
            if path.extension().is_some_and(|ending| ending == "js") {
                let name = path.file_name().unwrap().to_str().unwrap();
                found.push(format!("{folder}/{name}").trim_start_matches('/').to_owned());
            }
        }
    }
    let mut embedded: Vec<&str> = MODULES.iter().map(|(name, _)| *name).collect();
    found.sort();
    embedded.sort_unstable();
    assert_eq!(embedded, found);
}

fn page(report: &Report, profile: &Profile, max_nodes: usize) -> String {
    let mut out = Vec::new();
    let profiles = [CaptureData {
        about: About::Report(0),
        profile,
        chart: None,
        families: &families(profile),
    }];
    write_html_with(
        report,
        &profiles,
        HtmlOptions { max_nodes, ..HtmlOptions::default() },
        &mut out,
    )
    .unwrap();
    String::from_utf8(out).unwrap()
}

#[test]
fn no_name_breaks_out_of_its_element() {
    let evil = "</script><script>alert(1)</script><!--<script>\u{2028}";
    let mut profile = sample();
    add(&mut profile, &format!("kernel {evil}"), &[(Weight::Gpu, 5)]);
    let path = GpuPath { name: evil.to_owned(), ..GpuPath::default() };
    let mut report = Report { schema: SCHEMA, captures: vec![Capture::default()] };
    let harmless = page(&report, &sample(), 100);
    report.captures[0].gpu_paths.push(path);
    report.captures[0].file = evil.to_owned();
    let page = page(&report, &profile, 100);
    assert!(!page.contains("alert(1)</"));
    for mark in ["<script", "</script", "<!--"] {
        assert_eq!(page.matches(mark).count(), harmless.matches(mark).count(), "{mark}");
    }
}

#[test]
fn the_page_names_nothing_on_a_network() {
    let report = Report { schema: SCHEMA, captures: Vec::new() };
    let page = page(&report, &sample(), 100);
    let namespace = "http://www.w3.org/2000/svg";
    assert_eq!(page.matches("http").count(), page.matches(namespace).count() + 1, "http-equiv");
    assert!(page.contains("default-src 'none'"));
}

#[test]
fn the_same_input_gives_the_same_bytes() {
    let report = Report { schema: SCHEMA, captures: vec![Capture::default()] };
    let write = || {
        let mut out = Vec::new();
        let profile = sample();
        write_html(
            &report,
            &[CaptureData {
                about: About::Report(0),
                profile: &profile,
                chart: None,
                families: &families(&profile),
            }],
            &mut out,
        )
        .unwrap();
        out
    };
    assert_eq!(write(), write());
}

#[test]
fn what_is_folded_away_stays_in_the_sums() {
    let mut profile = Profile::new();
    for i in 0..50 {
        add(
            &mut profile,
            &format!("python f;op o{};kernel k{i}", i % 5),
            &[(Weight::Gpu, 100 + i), (Weight::Idle, 3)],
        );
    }
    for max_nodes in [1, 2, 7, 20, 56, 57, 1000] {
        let cut = cut(&profile, max_nodes);
        let named = cut.rows.iter().filter(|row| matches!(row, Row::Node(_))).count();
        assert!(named <= max_nodes, "{named} of {max_nodes}");
        assert_eq!(named + cut.n_folded, 57);
        for weight in [Weight::Gpu, Weight::Idle] {
            let (own, totals) = (profile.selves(&weight), profile.totals(&weight));
            let shown = super::cut::selves(&profile, &cut, &own, &totals);
            assert_eq!(shown.iter().sum::<i64>(), profile.sum(&weight));
        }
    }
}

#[test]
fn a_frame_without_any_weight_is_left_out() {
    let mut profile = sample();
    add(&mut profile, "python unused;python never", &[]);
    let cut = cut(&profile, usize::MAX);
    assert_eq!(cut.rows.len(), sample().stacks.len());
    assert_eq!(cut.n_folded, 0);
}

#[test]
fn siblings_stand_by_their_largest_share_of_any_weight() {
    let mut profile = Profile::new();
    add(&mut profile, "op small", &[(Weight::Gpu, 10), (Weight::Idle, 1)]);
    add(&mut profile, "op waits", &[(Weight::Idle, 99)]);
    add(&mut profile, "op heavy", &[(Weight::Gpu, 90)]);
    let cut = cut(&profile, usize::MAX);
    let names = cut.rows.iter().skip(1).map(|row| match row {
        Row::Node(node) => profile.strings.text(profile.stacks.frame(*node).name),
        Row::Rest(_) => "rest",
    });
    assert_eq!(names.collect::<Vec<_>>(), ["waits", "heavy", "small"]);
    assert_eq!(cut.up, [0, 0, 1, 1]);
}
