//! Answers in words, and the commands that go deeper.

use flamelane_model::labels::cells;

use super::view::View;
use crate::text::{Ink, Line};

/// The first questions to which the answer is not no.
pub(crate) fn questions(view: &View<'_>) -> Vec<Line> {
    let is_no = |asked: &&flamelane_report::Question| asked.answer.starts_with("no:");
    let questions = view.capture.questions.iter().filter(|asked| !is_no(asked));
    let line = |asked: &flamelane_report::Question| {
        let line = Line::of(Ink::Faint, format!("{} ", asked.question));
        line.with(Ink::Plain, &asked.answer).wrapped(view.width, 2)
    };
    questions.flat_map(line).collect()
}

/// The verdict, its reason, and the one thing to try.
pub(crate) fn verdict(view: &View<'_>) -> Vec<Line> {
    let verdict = &view.capture.verdict;
    let ink = if verdict.kind == "untrustworthy" { Ink::Bad } else { Ink::Strong };
    let mut line = Line::new();
    if !matches!(verdict.kind.as_str(), "unknown" | "") {
        line.push(ink, format!("{}: ", verdict.kind));
    }
    line.push(Ink::Plain, verdict.sentence.as_str());
    let mut lines = view.keyed("verdict", line);
    let experiment = &view.capture.protocol.experiment;
    // A fix that health has already named is not said twice.
    let is_fix = view.capture.health.iter().any(|check| check.fix.as_ref() == Some(experiment));
    // The first finding brings its own.
    let is_told = view.capture.findings.iter().any(|finding| finding.experiment == *experiment);
    if !experiment.is_empty() && !is_fix && !is_told {
        lines.extend(view.keyed("try", Line::of(Ink::Plain, experiment.as_str())));
    }
    lines
}

/// Commands to run next.
pub(crate) fn next(view: &View<'_>) -> Vec<Line> {
    let file = view.file();
    let mut commands = Vec::new();
    if view.report.is_none() {
        let report = format!("flamelane {file} -o report.html");
        commands.push((report, "interactive"));
    }
    if view.has_device_work() {
        // A finding names the callers that matter; without one the table does.
        match view.capture.findings.first().filter(|finding| finding.headline) {
            Some(finding) => commands
                .push((format!("flamelane explain {}", finding.kind), "how it is decided, levers")),
            None => commands.push((format!("flamelane top {file} --by op"), "by caller")),
        }
        if view.capture.window.idle_ns > 0 {
            let fold = format!("flamelane fold {file} --weight idle -o idle.svg");
            commands.push((fold, "off-GPU flame graph"));
        }
    } else {
        let top = format!("flamelane top {file} --weight wall --by python");
        commands.push((top, "the host's time"));
    }
    let wall = view.capture.steps.wall_ns;
    if wall.max > wall.p50 + wall.p50 / 2 {
        commands.push((format!("flamelane steps {file}"), "which steps are long"));
    }
    let mut lines = Vec::new();
    if let Some(report) = view.report {
        lines.extend(view.keyed("report", Line::of(Ink::Code, report)));
    }
    lines.extend(listed(view, &commands));
    lines
}

/// A list of commands; none is ever cut, since a cut one cannot be copied.
pub(crate) fn listed(view: &View<'_>, commands: &[(String, &str)]) -> Vec<Line> {
    let widest = commands.iter().map(|(command, _)| cells(command)).max().unwrap_or(0);
    let line = |(command, about): &(String, &str)| {
        let line = Line::of(Ink::Code, command.as_str());
        let pad = " ".repeat(widest - cells(command) + 2);
        if about.is_empty() {
            return line;
        }
        let said = line.clone().with(Ink::Plain, pad).with(Ink::Faint, format!("# {about}"));
        if said.width() <= view.width { said } else { line }
    };
    commands.iter().map(line).collect()
}
