//! `flamelane explain`: the page on a kind of finding.

use anyhow::Result;
use flamelane_find::Kind;

use crate::exit::Outcome;
use crate::hinted::Hinted;
use crate::open;

macro_rules! page {
    ($name:literal) => {
        include_str!(concat!("../../../../docs/findings/", $name, ".md"))
    };
}

pub(crate) fn run(kind: Option<&str>) -> Result<Outcome> {
    let text = match kind {
        None => list(),
        Some("thresholds") => page!("thresholds").to_owned(),
        Some("verdicts") => page!("verdicts").to_owned(),
        Some(name) => page(known(name)?).to_owned(),
    };
    open::write(open::DASH.as_ref(), |out| out.write_all(text.as_bytes()))?;
    Ok(Outcome::Fine)
}

/// The kinds with a sentence each.
fn list() -> String {
    let widest = Kind::ALL.iter().map(|kind| kind.name().len()).max().unwrap_or(0);
    let line = |kind: &Kind| format!("{:<widest$}  {}\n", kind.name(), sentence(page(*kind)));
    let mut text: String = Kind::ALL.iter().map(line).collect();
    text.push_str("\n`flamelane explain KIND` prints a page; so do `verdicts` and `thresholds`.\n");
    text
}

/// The first paragraph of a page.
fn sentence(page: &str) -> &str {
    page.split("\n\n").nth(1).unwrap_or_default()
}

fn known(name: &str) -> Result<Kind> {
    let found = Kind::ALL.into_iter().find(|kind| kind.name() == name);
    let names = || Kind::ALL.map(Kind::name).join(", ");
    Ok(found.ok_or_else(|| {
        Hinted::new(
            format!("no finding is called `{name}`"),
            format!("known are {}, verdicts, thresholds", names()),
        )
    })?)
}

fn page(kind: Kind) -> &'static str {
    match kind {
        Kind::GraphFallback => page!("graph-fallback"),
        Kind::AllocatorChurn => page!("allocator-churn"),
        Kind::Compile => page!("compile"),
        Kind::InputWait => page!("input-wait"),
        Kind::Pause => page!("pause"),
        Kind::SyncCliff => page!("sync-cliff"),
        Kind::PageableCopy => page!("pageable-copy"),
        Kind::PicketFence => page!("picket-fence"),
        Kind::HostIsland => page!("host-island"),
        Kind::DispatchBound => page!("dispatch-bound"),
        Kind::ExposedComm => page!("exposed-comm"),
        Kind::CopyOnCriticalPath => page!("copy-on-critical-path"),
        Kind::Loop => page!("loop"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_kind_has_a_page_with_all_its_parts() {
        for kind in Kind::ALL {
            let page = page(kind);
            assert!(page.starts_with(&format!("# {}\n", kind.name())), "{}", kind.name());
            for part in [
                "## What it looks like",
                "## How we decide",
                "## Bound",
                "## False alarms we avoid",
                "## Levers to try",
                "## Related",
            ] {
                assert!(page.contains(part), "{}: {part}", kind.name());
            }
            assert!(sentence(page).ends_with('.'), "{}", kind.name());
        }
    }
}
