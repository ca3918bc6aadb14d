//! Every scenario: valid JSON in each layout, the laws, totals that a plain count confirms, changes
//! that change one thing.

use std::collections::BTreeMap;

use flamelane_testkit::capture::{Capture, DeviceKind};
use flamelane_testkit::{Change, Layout, Options, Scenario, Truth, laws};
use serde_json::Value;

fn small(scenario: Scenario) -> Options {
    Options { steps: 5, layers: 2, ..Options::new(scenario) }
}

fn parse(text: &str) -> Value {
    serde_json::from_str(text).expect("a made-up trace is JSON")
}

fn events(trace: &Value) -> &[Value] {
    trace["traceEvents"].as_array().expect("a trace has events")
}

#[test]
fn truths_obey_the_laws_with_and_without_quirks() {
    for scenario in Scenario::ALL {
        for quirks in [true, false] {
            let options = Options { quirks, ..small(scenario) };
            let truth = Truth::of(&options.simulate());
            laws::check(&truth);
            assert_eq!(truth.steps.len(), 5, "{}", scenario.name());
            assert!(truth.steps.iter().all(|step| step.kept), "{}", scenario.name());
            assert!(truth.steps.iter().all(|step| step.kernels > 0), "{}", scenario.name());
        }
    }
}

#[test]
fn the_same_options_give_the_same_bytes() {
    for scenario in Scenario::ALL {
        let make = || small(scenario).simulate().to_json(Layout::Kineto);
        assert_eq!(make(), make());
        let other = Options { seed: 2, ..small(scenario) }.simulate();
        assert_ne!(make(), other.to_json(Layout::Kineto));
    }
}

#[test]
fn layouts_hold_the_same_events() {
    for scenario in [Scenario::Nccl, Scenario::Backward] {
        let capture = small(scenario).simulate();
        let sorted = |layout| {
            let trace = parse(&capture.to_json(layout));
            let mut rows: Vec<String> = events(&trace).iter().map(Value::to_string).collect();
            rows.sort_unstable();
            rows
        };
        let expected = sorted(Layout::Kineto);
        for layout in Layout::ALL {
            assert_eq!(sorted(layout), expected, "{}", layout.name());
        }
        assert!(!capture.to_json(Layout::Minified).contains('\n'));
    }
}

#[test]
fn totals_agree_with_a_count_over_the_json() {
    for scenario in Scenario::ALL {
        let capture = small(scenario).simulate();
        let totals = Truth::of(&capture).totals;
        let trace = parse(&capture.to_json(Layout::Kineto));
        let (mut kernels, mut device_ns, mut launches) = (0, 0, 0);
        for event in events(&trace) {
            let name = event["name"].as_str().unwrap_or_default();
            match event["cat"].as_str() {
                Some("kernel" | "gpu_memcpy" | "gpu_memset") => {
                    kernels += u64::from(event["cat"] == "kernel");
                    device_ns +=
                        (event["dur"].as_f64().expect("a duration") * 1000.0).round() as i64;
                }
                Some("cuda_runtime" | "cuda_driver") => {
                    launches += u64::from(name.contains("Launch"));
                }
                _ => {}
            }
        }
        assert_eq!((totals.kernels, totals.device_ns), (kernels, device_ns));
        assert_eq!(totals.launch_calls, launches);
    }
}

#[test]
fn a_truth_is_read_back_as_it_was_written() {
    let truth = Truth::of(&small(Scenario::HiddenItem).simulate());
    let mut json = Vec::new();
    truth.write_json(&mut json).expect("memory takes every write");
    assert_eq!(Truth::from_json(&json).expect("a truth is JSON"), truth);
}

/// Kernels by name with their durations in order of launch.
fn kernels(capture: &Capture) -> BTreeMap<&str, Vec<i64>> {
    let mut by_name: BTreeMap<&str, Vec<i64>> = BTreeMap::new();
    for span in capture.devices.iter().filter(|span| span.kind == DeviceKind::Kernel) {
        by_name.entry(capture.names.text(span.name)).or_default().push(span.end - span.start);
    }
    by_name
}

#[test]
fn a_change_leaves_every_kernel_as_long_as_it_was() {
    for scenario in Scenario::ALL {
        let plain = small(scenario).simulate();
        for &change in scenario.changes() {
            let changed = Options { changes: vec![change], ..small(scenario) }.simulate();
            assert_eq!(kernels(&changed), kernels(&plain), "{}", change.flag());
        }
    }
}

#[test]
fn without_the_hidden_item_the_host_keeps_its_lead() {
    let options = Options { layers: 4, ..small(Scenario::LlmDecode) };
    let plain = Truth::of(&options.simulate());
    let changes = vec![Change::WithoutSync];
    let changed = Truth::of(&Options { changes, ..options }.simulate());
    assert!(changed.devices[0].window_idle_ns * 4 < plain.devices[0].window_idle_ns);
    assert!(changed.totals.sync_calls < plain.totals.sync_calls);
}

#[test]
fn copies_that_overlap_leave_less_device_time_on_the_path() {
    let options = Options { steps: 8, layers: 8, ..small(Scenario::Loader) };
    let wall = |options: &Options| {
        let window = Truth::of(&options.simulate()).window;
        window.to_ns - window.from_ns
    };
    let changes = vec![Change::OverlapCopies];
    assert!(wall(&Options { changes, ..options.clone() }) < wall(&options));
}

#[test]
fn a_graph_launch_launches_the_whole_model() {
    let totals = Truth::of(&small(Scenario::GraphDecode).simulate()).totals;
    assert_eq!(totals.graph_launches, 5);
    assert_eq!(totals.graph_kernels, 5 * (2 * 10 + 2));
}

#[test]
fn a_size_is_met_within_a_tenth() {
    let options = small(Scenario::EagerDecode).sized(3_000_000);
    let bytes = options.simulate().json_bytes(options.layout);
    assert!((2_700_000..3_300_000).contains(&bytes), "{bytes}");
}
