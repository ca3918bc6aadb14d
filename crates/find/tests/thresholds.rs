//! The table of thresholds on the page is the one in the code.

#![expect(clippy::disallowed_methods, reason = "tests read the page")]

use std::fmt::Write as _;
use std::path::Path;

use flamelane_find::Thresholds;

fn shown(value: f64, unit: &str) -> String {
    match unit {
        "ns" => format!("{value:.0}"),
        _ => value.to_string(),
    }
}

#[test]
fn the_page_lists_every_threshold_with_its_default() {
    let page = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/findings/thresholds.md");
    let page = std::fs::read_to_string(page).unwrap();
    let mut wanted = String::from("| name | default | unit | meaning |\n|---|---|---|---|\n");
    for row in Thresholds::TABLE {
        let default = shown(row.default, row.unit);
        writeln!(wanted, "| `{}` | {default} | {} | {} |", row.name, row.unit, row.meaning)
            .unwrap();
    }
    assert!(page.contains(&wanted), "docs/findings/thresholds.md must hold:\n{wanted}");
}
