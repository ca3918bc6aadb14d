//! Links in the Markdown files lead to files of the repository.

use anyhow::Result;

use super::{House, Remarks};

/// Checks every relative link and picture of every Markdown file.
pub(super) fn check(house: &House, remarks: &mut Remarks) -> Result<()> {
    for file in house.written_by_hand(&[".md"]) {
        let text = house.text(file)?.unwrap_or_default();
        for (n_line, link) in links(&text) {
            let target = resolve(file, link);
            if target.as_ref().is_none_or(|target| !target.is_empty() && !house.has(target)) {
                remarks.add(format!("{file}:{n_line}"), format!("link `{link}` leads nowhere"));
            }
        }
    }
    Ok(())
}

/// The relative links of a text with their lines, counted from one; code blocks are left out.
fn links(text: &str) -> Vec<(usize, &str)> {
    let mut found = Vec::new();
    let mut in_code = false;
    for (line, n_line) in text.lines().zip(1..) {
        if line.trim_start().starts_with("```") {
            in_code = !in_code;
        }
        if !in_code {
            found.extend(links_of_line(line).map(|link| (n_line, link)));
        }
    }
    found
}

/// The targets of `](target)` and `src="target"` that are neither URLs nor places on the same page.
fn links_of_line(line: &str) -> impl Iterator<Item = &str> {
    let markdown = line.split("](").skip(1).filter_map(|rest| rest.split([')', ' ']).next());
    let html = line.split("src=\"").skip(1).filter_map(|rest| rest.split('"').next());
    markdown.chain(html).filter(|link| {
        !link.is_empty()
            && !link.starts_with('#')
            && !link.contains("://")
            && !link.starts_with("mailto:")
    })
}

/// The path that a link of `file` leads to, seen from the root; nothing when it leaves the repository.
fn resolve(file: &str, link: &str) -> Option<String> {
    let link = link.split('#').next().unwrap_or_default();
    let folder = file.rsplit_once('/').map_or("", |(folder, _)| folder);
    let start = if link.starts_with('/') { "" } else { folder };
    let mut parts: Vec<&str> = Vec::new();
    for part in start.split('/').chain(link.split('/')) {
        match part {
            "" | "." => {}
            ".." => {
                parts.pop()?;
            }
            _ => parts.push(part),
        }
    }
    Some(parts.join("/"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn relative_links_and_pictures_are_found() {
        let text = "see [a](a.md#part) and [b](https://example.org/x)\n\
                    ![shot](shots/first.png \"first\") <img src=\"logo.svg\">\n\
                    ```\n[not](code.md)\n```\n[here](#part)\n";
        assert_eq!(links(text), [(1, "a.md#part"), (2, "shots/first.png"), (2, "logo.svg")]);
    }

    #[test]
    fn links_resolve_from_the_folder_of_their_file() {
        assert_eq!(
            resolve("docs/guide/start.md", "../formats/kineto.md#ts"),
            Some("docs/formats/kineto.md".into())
        );
        assert_eq!(resolve("README.md", "docs/"), Some("docs".into()));
        assert_eq!(resolve("docs/a.md", "/README.md"), Some("README.md".into()));
        assert_eq!(resolve("README.md", ".."), None);
    }
}
