//! `flamelane explain`: the page on a kind of finding, a verdict or an owner of idle time: every word
//! that the report prints.

mod rows;

use anyhow::Result;
use flamelane_find::Kind;

use crate::exit::Outcome;
use crate::hinted::Hinted;
use crate::open;

macro_rules! page {
    ($name:literal) => {
        include_str!(concat!("../../../../docs/", $name, ".md"))
    };
}

const VERDICTS: &str = page!("findings/verdicts");
const IDLE_OWNERS: &str = page!("concepts/idle-owners");

pub(crate) fn run(word: Option<&str>) -> Result<Outcome> {
    let text = match word {
        None => list(),
        Some(word) => {
            let bare = rows::bare(word);
            told(&bare).ok_or_else(|| unknown(word))?
        }
    };
    open::write(open::DASH.as_ref(), |out| out.write_all(text.as_bytes()))?;
    Ok(Outcome::Fine)
}

/// What there is to say of a word, bare.
fn told(word: &str) -> Option<String> {
    let named = |kind: &Kind| rows::bare(kind.name()) == word;
    if let Some(kind) = Kind::ALL.into_iter().find(named) {
        return Some(page(kind).to_owned());
    }
    match word {
        "thresholds" => Some(page!("findings/thresholds").to_owned()),
        "verdicts" => Some(VERDICTS.to_owned()),
        "idle owners" => Some(IDLE_OWNERS.to_owned()),
        _ => rows::verdict(VERDICTS, word).or_else(|| rows::owner(IDLE_OWNERS, word)),
    }
}

/// The kinds with a sentence each, and the other words.
fn list() -> String {
    let widest = Kind::ALL.iter().map(|kind| kind.name().len()).max().unwrap_or(0);
    let line = |kind: &Kind| format!("{:<widest$}  {}\n", kind.name(), sentence(page(*kind)));
    let mut text: String = Kind::ALL.iter().map(line).collect();
    text.push_str(
        "\n`flamelane explain WORD` prints a page: on a kind of finding above, on a verdict\n",
    );
    text.push_str("(`launch-bound`), on an owner of idle time (`late-host`); so do `verdicts`,\n");
    text.push_str("`idle-owners` and `thresholds`.\n");
    text
}

/// The first paragraph of a page.
fn sentence(page: &str) -> &str {
    page.split("\n\n").nth(1).unwrap_or_default()
}

fn unknown(word: &str) -> Hinted {
    let listed = |words: Vec<&str>| words.join(", ");
    let problem = format!("no finding, verdict or owner of idle time is called `{word}`");
    let hint = format!(
        "findings are {}; verdicts are {}; owners of idle time are {}; and there are verdicts, \
         idle-owners, thresholds",
        listed(Kind::ALL.map(Kind::name).to_vec()),
        listed(rows::words(VERDICTS)),
        listed(rows::words(rows::all_classes(IDLE_OWNERS))),
    );
    Hinted::new(problem, hint)
}

fn page(kind: Kind) -> &'static str {
    match kind {
        Kind::GraphFallback => page!("findings/graph-fallback"),
        Kind::AllocatorChurn => page!("findings/allocator-churn"),
        Kind::Compile => page!("findings/compile"),
        Kind::InputWait => page!("findings/input-wait"),
        Kind::Pause => page!("findings/pause"),
        Kind::SyncCliff => page!("findings/sync-cliff"),
        Kind::PageableCopy => page!("findings/pageable-copy"),
        Kind::PicketFence => page!("findings/picket-fence"),
        Kind::HostIsland => page!("findings/host-island"),
        Kind::DispatchBound => page!("findings/dispatch-bound"),
        Kind::ExposedComm => page!("findings/exposed-comm"),
        Kind::CopyOnCriticalPath => page!("findings/copy-on-critical-path"),
        Kind::Loop => page!("findings/loop"),
    }
}

#[cfg(test)]
mod tests {
    use flamelane_find::{Bound, Judgement};
    use flamelane_link::IdleClass;

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

    #[test]
    fn every_word_that_a_report_prints_is_explained() {
        let judgements = Bound::ALL.map(|bound| Judgement::Bound(bound).name());
        let others = [Judgement::Gpu.name(), Judgement::Unknown.name(), "untrustworthy"];
        let classes = IdleClass::ALL.map(IdleClass::name);
        let kinds = Kind::ALL.map(Kind::name);
        let words = judgements.into_iter().chain(others).chain(classes).chain(kinds);
        for word in words {
            let typed = [word.to_owned(), word.replace(' ', "-"), format!("[{word}]")];
            let told: Vec<Option<String>> =
                typed.iter().map(|word| told(&rows::bare(word))).collect();
            let Some(text) = &told[0] else { panic!("{word}") };
            assert!(text.starts_with(&format!("# {word}\n\n")), "{text}");
            assert!(text.lines().count() > 4, "{text}");
            assert_eq!(told[0], told[1], "{word}");
            assert_eq!(told[0], told[2], "{word}");
        }
        assert_eq!(told("no such word"), None);
    }

    #[test]
    fn a_word_is_told_first_and_then_what_decides_it() {
        let verdict = told("launch bound").unwrap_or_default();
        assert!(verdict.contains("idle time that waits for launches"), "{verdict}");
        assert!(verdict.contains("`flamelane explain picket-fence`"), "{verdict}");
        let owner = told("late host").unwrap_or_default();
        assert!(owner.contains("the work was not launched yet"), "{owner}");
        assert!(owner.contains("## The host came late"), "{owner}");
        assert!(!owner.contains("## All classes"), "{owner}");
        let dark = told("device work not recorded").unwrap_or_default();
        assert!(dark.contains("## When the file does not say"), "{dark}");
    }
}
