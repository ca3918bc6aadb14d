//! `reference.json`: counts and sums over the whole file.

use serde_json::Value;

use crate::{capture, corpus, json, linked, whole};

/// A figure in µs as ns; the references are exact to the ns, so their floats round back.
fn ns(value: &Value) -> i64 {
    (value.as_f64().unwrap() * 1000.0).round() as i64
}

fn count(value: &Value) -> i64 {
    value.as_i64().unwrap()
}

/// Files whose device work has no category `kernel`: the reference counts none, we count it.
fn has_other_names(file: &str) -> bool {
    file.contains("msinsight") || file.contains("mtia")
}

#[test]
fn whole_file_figures_agree_with_the_independent_count() {
    let Some(corpus) = corpus() else { return };
    let reference = json(&corpus.join("reference.json"));
    let mut n_checked = 0;
    for (file, wanted) in reference.as_object().unwrap() {
        if !file.starts_with("kineto/") {
            continue;
        }
        let linked = linked(&corpus.join(file), whole()).unwrap_or_else(|| panic!("{file}"));
        let totals = capture(&linked).totals;
        assert_eq!(totals.span_ns, ns(&wanted["span_us"]), "{file}: span");
        assert_eq!(totals.launch_calls as i64, count(&wanted["launch_calls"]), "{file}: launches");
        assert_eq!(totals.sync_calls as i64, count(&wanted["sync_calls"]), "{file}: syncs");
        assert_eq!(totals.sync_ns, ns(&wanted["sync_us"]), "{file}: sync time");
        assert_eq!(
            totals.graph_launches as i64,
            count(&wanted["graph_launches"]),
            "{file}: graphs"
        );
        n_checked += 1;
        if has_other_names(file) {
            continue;
        }
        assert_eq!(totals.kernels as i64, count(&wanted["kernels"]), "{file}: kernels");
        assert_eq!(totals.kernels_ns, ns(&wanted["kernel_sum_us"]), "{file}: kernel time");
        assert_eq!(totals.busy_ns, ns(&wanted["gpu_busy_union_us"]), "{file}: busy");
        assert_eq!(
            (totals.copies + totals.memsets) as i64,
            count(&wanted["copies"]),
            "{file}: copies"
        );
        assert_eq!(
            totals.graph_kernels as i64,
            count(&wanted["graph_kernels"]),
            "{file}: in graphs"
        );
        let matched = 100.0 * totals.kernels_attributed_ns as f64 / totals.kernels_ns.max(1) as f64;
        let wanted = wanted["matched_pct"].as_f64().unwrap_or(0.0);
        assert!((matched - wanted).abs() < 0.006, "{file}: matched {matched} against {wanted}");
    }
    assert!(n_checked >= 45, "only {n_checked} files checked");
}
