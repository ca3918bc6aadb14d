//! The arrows inside the viewer, read from its import lines: lib ← data ← logic ← state ← views → draw → lib.

use anyhow::Result;

use super::{House, Remarks};

const SOURCES: &str = "viewer/src/";

/// Each folder of the viewer with the folders that it may import from.
const ARROWS: [(&str, &[&str]); 6] = [
    ("lib", &["lib"]),
    ("data", &["data", "lib"]),
    ("logic", &["logic", "data", "lib"]),
    ("state", &["state", "logic", "data", "lib"]),
    ("draw", &["draw", "lib"]),
    ("views", &["views", "draw", "state", "logic", "data", "lib"]),
];

/// Checks the imports of every module; `main.js` and its neighbours wire, so they may see everything.
pub(super) fn check(house: &House, remarks: &mut Remarks) -> Result<()> {
    if !house.has(SOURCES) {
        remarks.skip(format!("{SOURCES} is not there yet"));
    }
    for file in house.written_by_hand(&[".js"]) {
        let Some(folder) = file.strip_prefix(SOURCES).and_then(folder_of) else { continue };
        let text = house.text(file)?.unwrap_or_default();
        for what in wrong_imports(folder, &text) {
            remarks.add(file, what);
        }
    }
    Ok(())
}

fn wrong_imports(folder: &str, text: &str) -> Vec<String> {
    let Some((_, allowed)) = ARROWS.iter().find(|(name, _)| *name == folder) else {
        return vec![format!("folder `{folder}` has no row in the table of arrows")];
    };
    let mut wrong = Vec::new();
    for specifier in specifiers(text) {
        match target(folder, specifier) {
            Some(target) if allowed.contains(&target) => {}
            Some(target) => {
                wrong.push(format!("`{folder}` must not import `{specifier}` of `{target}`"));
            }
            None => {
                wrong.push(format!("import `{specifier}` is neither `#viewer/…` nor a sibling"));
            }
        }
    }
    wrong
}

/// What the static and dynamic imports of a module name; types named in comments are free.
fn specifiers(text: &str) -> Vec<&str> {
    let mut found = Vec::new();
    for line in text.lines().map(str::trim_start) {
        if line.starts_with('*') || line.starts_with("//") || line.starts_with("/*") {
            continue;
        }
        let after = [" from ", "import(", "import "].map(|word| line.split(word).nth(1));
        found.extend(after.into_iter().flatten().filter_map(quoted));
    }
    found.dedup();
    found
}

/// The text between the quotes that `rest` opens with.
fn quoted(rest: &str) -> Option<&str> {
    let rest = rest.trim_start();
    let quote = rest.chars().next().filter(|quote| matches!(quote, '"' | '\''))?;
    rest[1..].split(quote).next()
}

/// The folder that a module seen from `folder` is in; nothing for a specifier of another kind.
fn target<'a>(folder: &'a str, specifier: &'a str) -> Option<&'a str> {
    if let Some(path) = specifier.strip_prefix("#viewer/").or(specifier.strip_prefix("../")) {
        return folder_of(path).or(Some("main"));
    }
    specifier.strip_prefix("./").map(|_| folder)
}

fn folder_of(path: &str) -> Option<&str> {
    path.split_once('/').map(|(folder, _)| folder)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_view_sees_everything_below_it() {
        let text = "import { zoom } from \"#viewer/logic/zoom.js\";\nimport {\n  draw,\n} from '../draw/flame.js';\n\
                    const late = await import(\"#viewer/data/decode.js\");\nimport \"./table.js\";\n";
        assert_eq!(wrong_imports("views", text), Vec::<String>::new());
        assert_eq!(specifiers(text).len(), 4);
    }

    #[test]
    fn drawing_does_not_see_state() {
        let text = "import { url } from \"#viewer/state/url.js\";\n";
        let what = "`draw` must not import `#viewer/state/url.js` of `state`";
        assert_eq!(wrong_imports("draw", text), [what]);
    }

    #[test]
    fn nobody_imports_the_wiring_or_a_package() {
        assert_eq!(wrong_imports("lib", "import x from \"../main.js\"").len(), 1);
        assert_eq!(wrong_imports("lib", "import x from \"left-pad\"").len(), 1);
    }

    #[test]
    fn types_in_comments_are_free() {
        assert_eq!(
            specifiers(
                "/** @import { Row } from \"#viewer/logic/layout.js\" */\n * import \"x\"\n"
            ),
            [""; 0]
        );
    }
}
