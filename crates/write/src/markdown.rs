//! The report for chats and pull requests.

mod findings;
mod more;

use std::io;

use flamelane_model::labels::{shorter, shortest};
use flamelane_model::{FrameKind, Ns, Unit};
use flamelane_report::{Capture, Report};

use crate::terminal::op_of;
use crate::text::{Scale, share};
use crate::units::{grouped, human, sum};

/// Rows of each table.
const ROWS: usize = 5;

/// Writes the report as Markdown: tables that GitHub and chats render.
pub fn write_markdown(report: &Report, out: &mut dyn io::Write) -> io::Result<()> {
    let mut out = io::BufWriter::with_capacity(1 << 14, out);
    if report.captures.len() > 1 {
        captures(report, &mut out)?;
    }
    for (at, capture) in report.captures.iter().enumerate() {
        if at > 0 || report.captures.len() > 1 {
            io::Write::write_all(&mut out, b"\n")?;
        }
        write_capture(capture, &mut out)?;
    }
    io::Write::flush(&mut out)
}

fn captures(report: &Report, out: &mut impl io::Write) -> io::Result<()> {
    writeln!(
        out,
        "| rank | capture | steps | step p50 | compute | comm | copy | idle | verdict |"
    )?;
    writeln!(out, "|---:|---|---:|---:|---:|---:|---:|---:|---|")?;
    for capture in &report.captures {
        let part = &capture.partition;
        let parts = [part.compute_ns, part.comm_exposed_ns, part.copy_exposed_ns, part.idle_ns];
        let whole = sum(parts.into_iter());
        writeln!(
            out,
            "| {} | {} | {} | {} | {} | {} | {} | {} | {} |",
            capture.rank.map_or_else(String::new, |rank| rank.to_string()),
            code(&capture.file),
            capture.steps.count,
            time(capture.steps.wall_ns.p50),
            share(part.compute_ns, whole),
            share(part.comm_exposed_ns, whole),
            share(part.copy_exposed_ns, whole),
            share(part.idle_ns, whole),
            capture.verdict.kind,
        )?;
    }
    Ok(())
}

fn write_capture(capture: &Capture, out: &mut impl io::Write) -> io::Result<()> {
    writeln!(out, "### {}\n", code(&capture.file))?;
    let verdict = &capture.verdict;
    match verdict.kind.as_str() {
        "" | "unknown" => writeln!(out, "{}.", capitalised(&text(&verdict.sentence)))?,
        kind => writeln!(out, "**{kind}**: {}.", text(&verdict.sentence))?,
    }
    if let Some(bound) = &capture.bound {
        writeln!(out, "\nBound: {}.", text(&bound.sentence))?;
    }
    if !capture.protocol.workload.is_empty() {
        writeln!(out, "\n{}", text(&capture.protocol.workload))?;
    }
    health(capture, out)?;
    if capture.totals.device_spans == 0 {
        return Ok(());
    }
    partition(capture, out)?;
    more::phases(capture, out)?;
    findings::write(capture, out)?;
    owners(capture, out)?;
    paths(capture, out)?;
    more::launches(capture, out)?;
    more::ranges(capture, out)?;
    if !capture.questions.is_empty() {
        writeln!(out)?;
    }
    for asked in &capture.questions {
        writeln!(out, "- {} {}", text(&asked.question), text(&asked.answer))?;
    }
    // Findings bring their own.
    let experiment = &capture.protocol.experiment;
    let is_said = capture.findings.iter().any(|finding| finding.experiment == *experiment);
    if !experiment.is_empty() && !is_said {
        writeln!(out, "\nTry: {}.", text(experiment))?;
    }
    Ok(())
}

fn health(capture: &Capture, out: &mut impl io::Write) -> io::Result<()> {
    let bad = || capture.health.iter().filter(|check| check.status != "ok");
    if bad().next().is_none() {
        return writeln!(out, "\nCapture health: ok ({} checks).", capture.health.len());
    }
    writeln!(out, "\nCapture health:\n")?;
    for check in bad() {
        let recipe = check.recipe.as_ref().map(|recipe| format!(" ({})", text(recipe)));
        let recipe = recipe.unwrap_or_default();
        let fix = check.fix.as_ref().map(|fix| format!(" Fix: {}{recipe}.", text(fix)));
        let (status, message) = (&check.status, text(&check.message));
        writeln!(out, "- **{status}**: {message}.{}", fix.unwrap_or_default())?;
    }
    Ok(())
}

fn partition(capture: &Capture, out: &mut impl io::Write) -> io::Result<()> {
    let (window, part) = (&capture.window, &capture.partition);
    let rows = [
        ("compute", part.compute_ns),
        ("exposed comm", part.comm_exposed_ns),
        ("exposed copy", part.copy_exposed_ns),
        ("idle", part.idle_ns),
    ];
    let whole = sum(rows.iter().map(|(_, ns)| *ns));
    let scale = Scale::of([whole]);
    writeln!(out, "\nWindow: {}, {}.", time(window.wall_ns), text(&window.rule))?;
    if capture.steps.count > 1 {
        let wall = capture.steps.wall_ns;
        let (p50, min, max) = (time(wall.p50), time(wall.min), time(wall.max));
        writeln!(out, "Steps: {p50} p50, {min} min, {max} max.")?;
    }
    for left_out in &window.left_out {
        writeln!(out, "Left out: {} ({}).", text(&left_out.what), text(&left_out.why))?;
    }
    writeln!(out, "\n| | in the window | share |\n|---|---:|---:|")?;
    for (name, ns) in rows.into_iter().filter(|(name, ns)| *ns > 0 || *name == "idle") {
        writeln!(out, "| {name} | {} | {} |", scale.show(ns), share(ns, whole))?;
    }
    writeln!(
        out,
        "\n{} of device work in {} of busy time: {} are gaps.",
        time(window.sum_ns),
        time(window.busy_ns),
        time(window.idle_ns)
    )
}

fn owners(capture: &Capture, out: &mut impl io::Write) -> io::Result<()> {
    if capture.idle.is_empty() {
        return Ok(());
    }
    let shown = capture.idle.iter().take(ROWS);
    let scale = Scale::of(shown.clone().map(|owner| owner.per_step_ns));
    let per = per(capture);
    writeln!(out, "\n| of idle | {per} | pieces | idle owner | user frame | class |")?;
    writeln!(out, "|---:|---:|---:|---|---|---|")?;
    for owner in shown {
        writeln!(
            out,
            "| {} | {} | {} | {} | {} | {} |",
            share(owner.ns, capture.window.idle_ns),
            scale.show(owner.per_step_ns),
            count(owner.count),
            frame(&owner.frame, &owner.kind),
            owner.user_frame.as_ref().map_or_else(String::new, |name| frame(name, "python")),
            owner.class,
        )?;
    }
    Ok(())
}

fn paths(capture: &Capture, out: &mut impl io::Write) -> io::Result<()> {
    if capture.gpu_paths.is_empty() {
        return Ok(());
    }
    let shown = capture.gpu_paths.iter().take(ROWS);
    let scale = Scale::of(shown.clone().map(|path| path.per_step_ns));
    let per = per(capture);
    writeln!(out, "\n| of work | {per} | count | kernel | op | user frame |")?;
    writeln!(out, "|---:|---:|---:|---|---|---|")?;
    for path in shown {
        writeln!(
            out,
            "| {} | {} | {} | {} | {} | {} |",
            share(path.ns, capture.window.sum_ns),
            scale.show(path.per_step_ns),
            count(path.count),
            frame(&path.name, &path.kind),
            if op_of(path).is_empty() { String::new() } else { code(op_of(path)) },
            path.user_frame.as_ref().map_or_else(String::new, |name| frame(name, "python")),
        )?;
    }
    if let Some(check) = capture.health.iter().find(|check| check.check == "graph-names") {
        writeln!(out, "\nGraphs: {}.", text(&check.message))?;
    }
    Ok(())
}

/// What figures are divided by.
fn per(capture: &Capture) -> &'static str {
    if capture.steps.count == 0 { "total" } else { "per step" }
}

fn time(ns: Ns) -> String {
    human(ns, 0, &Unit::Ns)
}

fn count(n: u64) -> String {
    grouped(i64::try_from(n).unwrap_or(i64::MAX))
}

fn frame(name: &str, kind: &str) -> String {
    let kind = FrameKind::parse(kind).unwrap_or(FrameKind::Native);
    // A function keeps its file: names like `step` and `forward` say little alone.
    let place =
        (kind == FrameKind::Python).then(|| shorter(name, kind).into_iter().next()).flatten();
    code(&place.unwrap_or_else(|| shortest(name, kind)))
}

/// Sentences of ours begin small, to stand behind a word; alone they begin large.
fn capitalised(sentence: &str) -> String {
    let mut chars = sentence.chars();
    let first = chars.next().map(|c| c.to_ascii_uppercase());
    first.into_iter().chain(chars).collect()
}

/// A name as code that cannot end its table cell or itself.
fn code(name: &str) -> String {
    let name: String = name.chars().map(|c| if c.is_control() { ' ' } else { c }).collect();
    let name = name.replace('|', "\\|");
    if name.contains('`') { format!("`` {name} ``") } else { format!("`{name}`") }
}

/// Text of ours, in which names stand in backticks; outside of them nothing may be markup.
fn text(sentence: &str) -> String {
    let mut out = String::with_capacity(sentence.len());
    for (at, part) in sentence.split('`').enumerate() {
        let is_name = at % 2 == 1;
        if at > 0 {
            out.push('`');
        }
        let mut chars = part.chars().peekable();
        let mut last = ' ';
        while let Some(c) = chars.next() {
            // Between two letters an underscore is one.
            let inside =
                last.is_alphanumeric() && chars.peek().is_some_and(|c| c.is_alphanumeric());
            last = c;
            match c {
                '|' => out.push_str("\\|"),
                '_' if inside => out.push(c),
                '<' | '>' | '*' | '_' if !is_name => out.extend(['\\', c]),
                c if c.is_control() => out.push(' '),
                c => out.push(c),
            }
        }
    }
    out
}
