//! What ran, and whether the capture can be trusted.

use flamelane_report::{Capture, Health};

use super::view::View;
use crate::text::{Ink, Line, together};

/// The file, its workload and its health.
pub(crate) fn lines(view: &View<'_>) -> Vec<Line> {
    let mut lines = title(view.capture).wrapped(view.width, 2);
    let workload = &view.capture.protocol.workload;
    if !workload.is_empty() {
        let parts: Vec<String> = workload.split(" · ").map(together).collect();
        lines.extend(Line::of(Ink::Plain, parts.join(" · ")).wrapped(view.width, 2));
    }
    lines.extend(health(view));
    lines
}

fn title(capture: &Capture) -> Line {
    let mut line = Line::of(Ink::Strong, capture.file.as_str());
    let mut about = vec![capture.format.clone()];
    if let Some(rank) = capture.rank {
        about.push(match capture.world_size {
            Some(n_ranks) if n_ranks > 1 => format!("rank {rank} of {n_ranks}"),
            _ => format!("rank {rank}"),
        });
    }
    line.push(Ink::Faint, format!(" · {}", about.join(" · ")));
    line
}

/// Checks that found something, worst first, each with the recording that would fix it.
fn health(view: &View<'_>) -> Vec<Line> {
    let checks = &view.capture.health;
    let bad: Vec<&Health> = ["fail", "warn"]
        .iter()
        .flat_map(|status| checks.iter().filter(move |check| check.status == *status))
        .collect();
    if bad.is_empty() {
        let line = Line::of(Ink::Plain, "capture health: ").with(Ink::Good, "ok");
        return vec![line.with(Ink::Faint, format!(" ({} checks)", checks.len()))];
    }
    let verb = if bad.len() == 1 { "check wants" } else { "checks want" };
    let said = format!("capture health: {} {verb} attention", bad.len());
    let of = format!(" (of {})", checks.len());
    let mut lines = Line::of(Ink::Plain, said).with(Ink::Faint, of).wrapped(view.width, 2);
    for check in bad {
        let ink = if check.status == "fail" { Ink::Bad } else { Ink::Warn };
        let line = Line::of(ink, format!("  {}  ", check.status)).with(Ink::Plain, &check.message);
        lines.extend(line.wrapped(view.width, 8));
        if let Some(fix) = &check.fix {
            let recipe = check.recipe.as_ref().map(|recipe| format!(" ({recipe})"));
            let line = Line::of(Ink::Faint, "  fix:  ").with(Ink::Faint, fix);
            let line = line.with(Ink::Faint, recipe.unwrap_or_default());
            lines.extend(line.wrapped(view.width, 8));
        }
    }
    lines
}
