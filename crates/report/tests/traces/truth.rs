//! Made traces against the truth that their maker knows.

use std::collections::BTreeMap;

use flamelane_link::{Choice, IdleClass, Linked, Naming, Rules, link};
use flamelane_model::{FrameKind, Weight};
use flamelane_read::{Content, Limits};
use flamelane_report::Totals;
use flamelane_testkit::{Layout, Options, Scenario, Truth, random};

/// Reads and links a made trace.
pub(crate) fn made(json: &str, rules: Rules) -> Linked {
    let read = flamelane_read::open(&mut json.as_bytes(), &Limits::default(), Some("kineto"));
    match read.unwrap().content {
        Content::Trace(trace) => link(*trace, rules),
        Content::Profile(_) => panic!("a trace"),
    }
}

fn raw() -> Rules {
    Rules { naming: Naming::Raw, ..Rules::default() }
}

fn totals(linked: &Linked) -> Totals {
    crate::capture(linked).totals
}

fn check_totals(title: &str, linked: &Linked, truth: &Truth) {
    let (ours, wanted) = (totals(linked), &truth.totals);
    assert_eq!(ours.device_spans, wanted.device_spans, "{title}: device spans");
    assert_eq!((ours.kernels, ours.kernels_ns), (wanted.kernels, wanted.kernels_ns), "{title}");
    assert_eq!((ours.copies, ours.copies_ns), (wanted.copies, wanted.copies_ns), "{title}");
    assert_eq!((ours.memsets, ours.memsets_ns), (wanted.memsets, wanted.memsets_ns), "{title}");
    assert_eq!(ours.busy_ns, wanted.busy_ns, "{title}: busy");
    let unlinked = ours.launched_before_capture_ns + ours.unattributed_ns;
    assert_eq!(unlinked, wanted.unlinked_ns, "{title}: unlinked");
    assert_eq!(ours.launch_calls, wanted.launch_calls, "{title}: launch calls");
    assert_eq!(ours.enqueue_calls, wanted.enqueue_calls, "{title}: enqueue calls");
    assert_eq!(ours.graph_launches, wanted.graph_launches, "{title}: graph launches");
    assert_eq!(ours.graph_kernels, wanted.graph_kernels, "{title}: graph kernels");
    assert_eq!(ours.sync_calls, wanted.sync_calls, "{title}: syncs");
    assert_eq!(ours.sync_ns, wanted.sync_ns, "{title}: sync time");
    assert_eq!(ours.sync_absorbed_ns, wanted.sync_absorbed_ns, "{title}: absorbed");
}

/// Idle time by owner, in the truth's words.
fn idle_by_owner(linked: &Linked) -> BTreeMap<String, i64> {
    let mut sums = BTreeMap::new();
    for owner in &linked.idle.owners {
        let frame = linked.nested.stacks.frame(owner.stack);
        let name = match owner.class {
            IdleClass::LateHost | IdleClass::Overhead => linked.trace.text(frame.name).to_owned(),
            IdleClass::UnrecordedHost | IdleClass::NotRecorded | IdleClass::NoHostData => {
                format!("[{}]", owner.class.name())
            }
            class => class.name().to_owned(),
        };
        *sums.entry(name).or_default() += owner.ns;
    }
    sums
}

/// Device time of the whole file by launching path, in the truth's words.
fn gpu_by_path(linked: &Linked) -> BTreeMap<String, i64> {
    let profile = flamelane_fold::fold(linked);
    let selves = profile.selves(&Weight::Gpu);
    let mut sums: BTreeMap<String, i64> = BTreeMap::new();
    for node in profile.stacks.nodes().filter(|node| selves[node.index()] != 0) {
        let frames = profile.stacks.path(node).into_iter();
        let names: Vec<String> = frames
            .filter(|frame| frame.kind != FrameKind::Thread)
            .map(|frame| profile.strings.text(frame.name))
            .filter(|name| *name != "[graph]" && !is_marker(linked, name))
            .map(|name| name.replace(';', ":"))
            .collect();
        *sums.entry(names.join(";")).or_default() += selves[node.index()];
    }
    sums
}

fn is_marker(linked: &Linked, name: &str) -> bool {
    linked.steps.list.iter().any(|step| step.name == name)
}

#[test]
fn every_scenario_agrees_with_its_truth() {
    for scenario in Scenario::ALL {
        for quirks in [true, false] {
            let options = Options { steps: 6, layers: 2, quirks, ..Options::new(scenario) };
            let capture = options.simulate();
            let (truth, json) = (Truth::of(&capture), capture.to_json(Layout::Kineto));
            let title = format!("{} quirks {quirks}", scenario.name());
            let linked = made(&json, raw());
            check_totals(&title, &linked, &truth);
            check_steps(&title, &linked, &truth);
            let (ours, wanted) = (idle_by_owner(&linked), &truth.idle_ns_by_owner);
            for name in ours.keys().chain(wanted.keys()) {
                assert_eq!(ours.get(name), wanted.get(name), "{title}: idle of `{name}`");
            }
        }
    }
}

fn check_steps(title: &str, linked: &Linked, truth: &Truth) {
    assert_eq!(linked.steps.list.len(), truth.steps.len(), "{title}: steps");
    for (number, (ours, wanted)) in linked.steps.list.iter().zip(&truth.steps).enumerate() {
        let title = format!("{title}: {}", wanted.name);
        assert_eq!(ours.name, wanted.name, "{title}");
        assert_eq!(ours.is_kept(), wanted.kept, "{title}: kept");
        assert_eq!(ours.launch_calls, wanted.launch_calls, "{title}: launch calls");
        assert_eq!((ours.kernels, ours.gpu), (wanted.kernels, wanted.gpu_ns), "{title}: kernels");
        assert_eq!(linked.per_step.busy[number], wanted.busy_ns, "{title}: busy");
        assert_eq!(linked.per_step.idle[number], wanted.idle_ns, "{title}: idle");
    }
}

#[test]
fn random_traces_agree_on_totals_and_paths() {
    for seed in 0..400 {
        let (json, truth) = random::trace_json(seed);
        let whole = Rules { choice: Choice::Whole, ..raw() };
        let linked = made(&json, whole);
        check_totals(&format!("random {seed}"), &linked, &truth);
        let ours: i64 = gpu_by_path(&linked).values().sum();
        assert_eq!(ours, truth.totals.device_ns, "random {seed}");
    }
}
