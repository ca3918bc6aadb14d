//! The JSON documents are what `docs/reference` says: every path is in the schema and on the page,
//! and neither holds a path that no document has.

use std::collections::BTreeSet;

use flamelane_write::{
    Inspection, write_inspection_json, write_json, write_steps_json, write_table_json,
};
use serde_json::Value;

use crate::sample;
use crate::schema::Schema;
use crate::screens::{notes, profile, table, trace, written};

const PAGE: &str = include_str!("../../../../docs/reference/report.md");

/// The paths that the page lists below the heading of a document.
fn on_the_page(document: &str) -> BTreeSet<String> {
    let heading = format!("## `{document}`\n");
    let (_, section) = PAGE.split_once(&heading).expect("the page has the heading");
    let section = section.split("\n## ").next().unwrap_or(section);
    let paths = section.lines().filter_map(|line| line.strip_prefix("| `")?.split_once('`'));
    paths.map(|(path, _)| path.to_owned()).collect()
}

/// Holds documents, which together have every path, against schema and page.
#[track_caller]
fn check(name: &str, schema: &str, documents: &[String]) {
    let mut schema = Schema::new(schema);
    for document in documents {
        assert!(document.ends_with("}\n"));
        let value: Value = serde_json::from_str(document).unwrap();
        assert_eq!(value["schema"], name);
        assert_eq!(schema.errors(&value), Vec::<String>::new());
    }
    let page = on_the_page(name);
    let missing: Vec<&String> = schema.paths.difference(&page).collect();
    assert_eq!(missing, Vec::<&String>::new(), "not on the page");
    let extra: Vec<&String> = page.difference(&schema.paths).collect();
    assert_eq!(extra, Vec::<&String>::new(), "on the page only");
}

#[test]
fn the_report_is_as_documented() {
    let document = written(|out| write_json(&sample::report(), out));
    check(
        "flamelane.report/1",
        include_str!("../../../../docs/reference/report.schema.json"),
        &[document],
    );
}

#[test]
fn a_report_of_nothing_keeps_the_schema() {
    let captures = vec![sample::host_only(), flamelane_report::Capture::default()];
    let report = flamelane_report::Report { schema: flamelane_report::SCHEMA, captures };
    let document = written(|out| write_json(&report, out));
    let text = include_str!("../../../../docs/reference/report.schema.json");
    let mut value: Value = serde_json::from_str(&document).unwrap();
    // A health check always has a status; the default has no checks at all.
    assert_eq!(value["captures"][1]["health"], Value::Array(Vec::new()));
    assert_eq!(Schema::new(text).errors(&value), Vec::<String>::new());
    value["captures"][0]["files"] = Value::Null;
    value["captures"][0]["rank"] = Value::from("0");
    assert_eq!(Schema::new(text).errors(&value).len(), 2);
}

#[test]
fn the_table_is_as_documented() {
    let document = written(|out| write_table_json(&table(), out));
    check(
        "flamelane.top/1",
        include_str!("../../../../docs/reference/top.schema.json"),
        &[document],
    );
}

#[test]
fn the_steps_are_as_documented() {
    let document = written(|out| write_steps_json(&sample::capture(), out));
    check(
        "flamelane.steps/1",
        include_str!("../../../../docs/reference/steps.schema.json"),
        &[document],
    );
}

#[test]
fn the_inspection_is_as_documented() {
    let timeline = Inspection::of_trace("rank0.json".to_owned(), "kineto", &trace());
    let timeline = timeline.with_notes(&notes());
    let stacks = Inspection::of_profile("a.folded".to_owned(), "folded", &profile());
    let documents = [timeline, stacks].map(|one| written(|out| write_inspection_json(&one, out)));
    check(
        "flamelane.inspect/1",
        include_str!("../../../../docs/reference/inspect.schema.json"),
        &documents,
    );
}
