//! Words that are rows of a table on a page: verdicts and owners of idle time.

use flamelane_find::Kind;

/// A word as people type it: `late-host`, `[dispatch]`, `Launch latency`.
pub(super) fn bare(word: &str) -> String {
    let inside = word.trim().trim_start_matches('[').trim_end_matches(']');
    inside.to_lowercase().replace(['-', '_'], " ")
}

/// A verdict: when it holds, its findings, and the page.
pub(super) fn verdict(page: &str, word: &str) -> Option<String> {
    let (name, cells) = row(page, word)?;
    let holds = unlinked(cells.first()?);
    let mut text = format!("# {name}\n\nA verdict. It holds when: {holds}.\n");
    let linked = |kind: &&Kind| cells.iter().any(|c| c.contains(&format!("[{}]", kind.name())));
    let kinds: Vec<&Kind> = Kind::ALL.iter().filter(linked).collect();
    if !kinds.is_empty() {
        text.push_str("\nFindings of this class, each with its levers:\n\n");
    }
    text.extend(kinds.iter().map(|kind| format!("- `flamelane explain {}`\n", kind.name())));
    Some(format!("{text}\n#{page}"))
}

/// An owner of idle time: whose it is, what it means, what helps, and the sections that decide it.
pub(super) fn owner(page: &str, word: &str) -> Option<String> {
    let (name, cells) = row(all_classes(page), word)?;
    let [whose, means, helps] = cells.as_slice() else { return None };
    let whose = if whose == "nobody" { "nobody's".to_owned() } else { format!("the {whose}'s") };
    let mut text =
        format!("# {name}\n\nAn owner of idle time, {whose}: {means}.\n\nWhat helps: {helps}.\n");
    let drawing = sections(page).find(|section| section.starts_with(DRAWING));
    text.extend(drawing.map(shown));
    let names = format!("`{name}`");
    let bracketed = format!("`[{name}]`");
    let decides = |section: &&str| section.contains(&names) || section.contains(&bracketed);
    let mut n_shown = 0;
    let others = sections(page).filter(|section| !section.starts_with(CLASSES));
    for section in others.filter(decides) {
        text.push_str(&shown(section));
        n_shown += 1;
    }
    // What is the host's has a section of its own, by another word.
    if n_shown == 0 {
        text.extend(sections(page).find(|section| section.starts_with(LATE)).map(shown));
    }
    text.push_str("\n`flamelane explain idle-owners` has all of them.\n");
    Some(text)
}

const CLASSES: &str = "All classes";
/// What the letters of the others stand for.
const DRAWING: &str = "A gap and its launch";
const LATE: &str = "The host came late";

fn shown(section: &str) -> String {
    format!("\n## {}\n", section.trim_end())
}

/// The section with all owners.
pub(super) fn all_classes(page: &str) -> &str {
    sections(page).find(|section| section.starts_with(CLASSES)).unwrap_or_default()
}

/// The words in the first column of a page's tables.
pub(super) fn words(page: &str) -> Vec<&str> {
    page.lines().filter_map(|line| line.strip_prefix("| `")?.split('`').next()).collect()
}

/// Sections without the marks of their headings; what comes before the first heading is none.
fn sections(page: &str) -> impl Iterator<Item = &str> {
    page.split("\n## ").skip(1)
}

/// `[picket-fence](picket-fence.md)` → `picket-fence`.
fn unlinked(cell: &str) -> String {
    let mut parts = cell.split("](");
    let mut text = parts.next().unwrap_or_default().replace('[', "");
    for part in parts {
        text.push_str(&part.split_once(')').map_or(part, |(_, rest)| rest).replace('[', ""));
    }
    text
}

/// The row of a word: its name and the other cells.
fn row(page: &str, word: &str) -> Option<(String, Vec<String>)> {
    let is_it = |line: &&str| {
        let name = line.strip_prefix("| `").and_then(|rest| rest.split('`').next());
        name.is_some_and(|name| bare(name) == word)
    };
    let line = page.lines().find(is_it)?;
    let mut cells = line.trim_matches('|').split(" | ").map(|cell| cell.trim().to_owned());
    let name = cells.next()?.trim_matches('`').to_owned();
    Some((name, cells.collect()))
}
