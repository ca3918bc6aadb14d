//! `flamelane top`: what costs most, split by caller.

use anyhow::Result;
use flamelane_fold::{Group, Row, rows};
use flamelane_link::{Linked, Rules};
use flamelane_model::{Profile, StrId};
use flamelane_write::{Durations, Table, TableCaller, TableRow};

use crate::args::{TableFormat, Top};
use crate::captures::{Capture, Loaded};
use crate::exit::Outcome;
use crate::{captures, config, open, terminal};

/// What table to print.
struct Ask<'a> {
    by: Option<&'a str>,
    weight: Option<&'a str>,
    n_rows: usize,
    n_callers: usize,
    format: TableFormat,
}

pub(crate) fn run(args: &Top) -> Result<Outcome> {
    let rules = config::rules(&args.input, &args.part)?;
    let capture = captures::load(&args.file, &args.input, &rules)?;
    let ask = Ask {
        by: args.by.as_deref(),
        weight: args.weight.as_deref(),
        n_rows: args.rows,
        n_callers: args.callers,
        format: args.format,
    };
    print(capture, &rules, &ask)
}

/// The table that a bare `flamelane FILE` prints for finished stacks.
pub(crate) fn print_default(capture: Capture, rules: &Rules) -> Result<Outcome> {
    let format = TableFormat::Text;
    print(capture, rules, &Ask { by: None, weight: None, n_rows: 20, n_callers: 2, format })
}

fn print(capture: Capture, rules: &Rules, ask: &Ask<'_>) -> Result<Outcome> {
    let file = capture.file.clone();
    let (profile, linked) = match capture.loaded {
        Loaded::Trace(linked) => (flamelane_fold::fold(&linked), Some(linked)),
        Loaded::Profile(profile) => (*profile, None),
    };
    let weight = captures::weight(&profile, ask.weight)?;
    let by = ask.by.unwrap_or(if linked.is_some() { "kernel" } else { "frame" });
    let group = Group::parse(by).ok_or_else(|| anyhow::anyhow!("cannot group by `{by}`"))?;
    let all = rows(&profile, &weight, group, rules);
    let column = profile.column(&weight);
    let row = |row| table_row(row, &profile, linked.as_deref(), group, ask.n_callers);
    let table = Table {
        file,
        by: by.to_owned(),
        weight: weight.name().to_owned(),
        unit: column.map_or_else(String::new, |column| column.unit.name().to_owned()),
        decimals: column.map_or(0, |column| column.decimals),
        total: profile.sum(&weight),
        n_rows: all.len() as u64,
        rows: all.iter().take(ask.n_rows).map(row).collect(),
    };
    let screen = terminal::screen();
    open::write(open::DASH.as_ref(), |out| match ask.format {
        TableFormat::Text => flamelane_write::write_table(&table, &screen, out),
        TableFormat::Json => flamelane_write::write_table_json(&table, out),
        TableFormat::Csv => flamelane_write::write_table_csv(&table, out),
    })?;
    Ok(Outcome::Fine)
}

fn table_row(
    row: &Row,
    profile: &Profile,
    linked: Option<&Linked>,
    group: Group,
    n_callers: usize,
) -> TableRow {
    let durations = linked.filter(|_| group == Group::Kernel).map(|linked| {
        let (p50, p99, max) = durations(linked, profile, &row.name);
        Durations { p50, p99, max }
    });
    TableRow {
        name: row.name.clone(),
        kind: row.kind.clone(),
        user_frame: row.user_frame.clone(),
        self_value: row.self_value,
        total: row.total,
        calls: row.calls,
        durations,
        n_callers: row.callers.len() as u64,
        callers: row
            .callers
            .iter()
            .take(n_callers)
            .map(|caller| TableCaller {
                op: caller.op.clone(),
                user_frame: caller.user_frame.clone(),
                total: caller.total,
                calls: caller.calls,
            })
            .collect(),
    }
}

/// Median, 99th percentile and largest duration of the selected device spans of one name.
fn durations(linked: &Linked, profile: &Profile, name: &str) -> (i64, i64, i64) {
    let wanted: Option<StrId> = profile.strings.lookup(name);
    let device = &linked.trace.device;
    let spans = (0..device.len()).filter(|&span| linked.window.selected[span]);
    let of_name = spans.filter(|&span| Some(linked.names[device.name[span].index()]) == wanted);
    flamelane_fold::spread(of_name.map(|span| device.duration(span)).collect())
}
