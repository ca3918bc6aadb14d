//! `flamelane whatif`: a capture replayed with one thing changed.

use anyhow::Result;
use flamelane_find::{Answer, Kind, Status};
use flamelane_link::Linked;
use flamelane_model::StackId;
use flamelane_report::{WhatIfSource, what_if};
use flamelane_whatif::Change;

use crate::args::{AnswerFormat, WhatIf};
use crate::captures::Loaded;
use crate::exit::Outcome;
use crate::hinted::Hinted;
use crate::{captures, config, open, terminal};

pub(crate) fn run(args: &WhatIf) -> Result<Outcome> {
    let rules = config::rules(&args.input, &args.part)?;
    let limits = config::limits(&args.input)?;
    let capture = captures::load(&args.file, &args.input, &rules)?;
    let Loaded::Trace(linked) = &capture.loaded else {
        anyhow::bail!("`{}` holds stacks, no timeline: there is nothing to replay", capture.file);
    };
    let checks = flamelane_find::health(linked);
    for check in checks.iter().filter(|check| check.status == Status::Fail) {
        terminal::note(&format!("the capture supports no verdict: {}", check.message));
    }
    let answer = flamelane_find::find(linked, &checks, &limits);
    let changes = changes(args, linked, &answer)?;
    let document = what_if(&WhatIfSource { file: &capture.file, linked, changes: &changes });
    let screen = terminal::screen();
    open::write(open::DASH.as_ref(), |out| match args.format {
        AnswerFormat::Text => flamelane_write::write_whatif(&document, &screen, out),
        AnswerFormat::Json => flamelane_write::write_whatif_json(&document, out),
    })?;
    Ok(Outcome::Fine)
}

/// The changes asked for, with what each is in words; all of them where none was named.
fn changes(args: &WhatIf, linked: &Linked, answer: &Answer) -> Result<Vec<(Change, String)>> {
    let all = args.drop_sync.is_none() && !args.overlap_copies && args.graph.is_none();
    let mut changes = Vec::new();
    match args.drop_sync.as_deref().or(all.then_some("")) {
        Some("") => changes.extend(largest_sync(answer).or_else(|| (!all).then(no_sync))),
        Some(site) => changes.push(named_syncs(linked, site)?),
        None => {}
    }
    if args.overlap_copies || all {
        changes.push((Change::OverlapCopies, "copies one ahead on their own stream".to_owned()));
    }
    if let Some(region) = args.graph.as_deref().filter(|region| !region.is_empty()) {
        is_open(linked, region)?;
    }
    let proposed = (all && answer.graphs_help()).then_some("");
    if let Some(region) = args.graph.as_deref().or(proposed) {
        let name = (!region.is_empty()).then(|| region.to_owned());
        let what = name.as_ref().map_or_else(
            || "the launches as one graph".to_owned(),
            |name| format!("`{name}` as one graph"),
        );
        changes.push((Change::Graph(name), what));
    }
    Ok(changes)
}

/// Without the blocking calls of the finding that owns most.
fn largest_sync(answer: &Answer) -> Option<(Change, String)> {
    let waits = |kind| matches!(kind, Kind::SyncCliff | Kind::PageableCopy);
    let mut found = answer.findings.iter().filter(|found| waits(found.kind) && found.owned > 0);
    let first = found.next()?;
    Some((Change::DropSync(first.sites.clone()), format!("without {}", first.subject)))
}

/// The change that was asked for where no blocking call owns anything.
fn no_sync() -> (Change, String) {
    (Change::DropSync(Vec::new()), "without the largest blocking call".to_owned())
}

/// Whether launches lie below a frame whose name holds `region`.
fn is_open(linked: &Linked, region: &str) -> Result<()> {
    let stacks = &linked.nested.stacks;
    let named = |name| linked.trace.text(name).contains(region);
    if stacks.nodes().any(|node| named(stacks.frame(node).name)) {
        return Ok(());
    }
    let problem = format!("no frame's name holds `{region}`: there is nothing to make a graph of");
    let hint = "`flamelane fold FILE --weight launches` lists the frames that launch";
    Err(Hinted::new(problem, hint).into())
}

/// Without the blocking calls below frames of a name.
fn named_syncs(linked: &Linked, site: &str) -> Result<(Change, String)> {
    let stacks = &linked.nested.stacks;
    let holds = |stack: &StackId| {
        let mut names = stacks.climb(*stack).map(|node| stacks.frame(node).name);
        names.any(|name| linked.trace.text(name).contains(site))
    };
    let calls = linked.waits.iter().map(|wait| linked.nested.call_stack[wait.call.index()]);
    let mut found: Vec<StackId> = calls.filter(holds).collect();
    found.sort_unstable();
    found.dedup();
    if found.is_empty() {
        let problem = format!("no blocking call lies below a frame whose name holds `{site}`");
        let hint =
            "`flamelane FILE` names them; `flamelane fold FILE --weight sync-absorbed` lists all";
        return Err(Hinted::new(problem, hint).into());
    }
    Ok((Change::DropSync(found), format!("without the blocking calls below `{site}`")))
}
