//! Names: what is shown, what is compared, and which frames are the user's own.

use std::borrow::Cow;

use flamelane_model::{StrId, Strings};
use memchr::memmem;

use crate::Rules;

/// The name to show and to merge stacks by: without addresses, step counters and NVTX counters.
pub fn display(name: &str) -> Cow<'_, str> {
    let name = without_address(name);
    let trimmed = without_counter(&name).len();
    let trimmed = name[..trimmed].find(", seq = ").unwrap_or(trimmed);
    if trimmed == name.len() {
        return name;
    }
    match name {
        Cow::Borrowed(text) => Cow::Borrowed(&text[..trimmed]),
        Cow::Owned(text) => Cow::Owned(text[..trimmed].to_owned()),
    }
}

/// The name to compare two captures by: [`display`] without module numbers.
pub fn comparison(name: &str) -> Cow<'_, str> {
    let shown = display(name);
    if !shown.starts_with("nn.Module: ") {
        return shown;
    }
    let bare =
        shown.trim_end_matches(|c: char| c.is_ascii_digit()).trim_end_matches('_').to_owned();
    Cow::Owned(bare)
}

/// The name with every run of digits as `N`: what names of one kind of step share.
pub fn pattern(name: &str) -> String {
    let mut out = String::with_capacity(name.len());
    let mut in_digits = false;
    for c in display(name).chars() {
        if c.is_ascii_digit() {
            if !in_digits {
                out.push('N');
            }
        } else {
            out.push(c);
        }
        in_digits = c.is_ascii_digit();
    }
    out
}

fn without_address(name: &str) -> Cow<'_, str> {
    let mark = " at 0x";
    let mut parts = memmem::find_iter(name.as_bytes(), mark).peekable();
    if parts.peek().is_none() {
        return Cow::Borrowed(name);
    }
    let (mut out, mut from) = (String::with_capacity(name.len()), 0);
    for at in parts {
        out.push_str(&name[from..at]);
        from = at + mark.len();
        from += name[from..].bytes().take_while(u8::is_ascii_hexdigit).count();
    }
    out.push_str(&name[from..]);
    Cow::Owned(out)
}

fn without_counter(name: &str) -> &str {
    let bare = name.trim_end_matches(|c: char| c.is_ascii_digit());
    match bare.strip_suffix('#') {
        Some(text) if bare.len() < name.len() && !text.is_empty() => text,
        _ => name,
    }
}

/// How stacks name their frames.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum Naming {
    /// As the file writes them.
    Raw,
    /// See [`display`].
    #[default]
    Display,
    /// See [`comparison`].
    Comparison,
}

impl Naming {
    /// For each string of a trace, the string its frames are named by.
    pub(crate) fn table(self, strings: &mut Strings) -> Vec<StrId> {
        let n_strings = strings.len();
        let mut table = Vec::with_capacity(n_strings);
        for row in 0..n_strings {
            let id = StrId::new(row);
            let renamed = {
                let text = strings.text(id);
                let name = match self {
                    Self::Raw => Cow::Borrowed(text),
                    Self::Display => display(text),
                    Self::Comparison => comparison(text),
                };
                (name != text).then(|| name.into_owned())
            };
            table.push(renamed.map_or(id, |name| strings.intern(&name)));
        }
        table
    }
}

/// How close a frame is to the user's own code.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Nearness {
    /// Frameworks, libraries, the interpreter.
    Library,
    /// A serving engine or model library: the user's code when nothing nearer is on the stack.
    Engine,
    /// The user's own.
    User,
}

/// Says how close the python frame `name` (`path.py(12): function`) is to the user's own code.
pub fn nearness(name: &str, rules: &Rules) -> Nearness {
    let Some(path) = python_path(name) else { return Nearness::Library };
    let within = |prefixes: &[String]| {
        prefixes
            .iter()
            .any(|prefix| path.starts_with(prefix.as_str()) || holds_folder(path, prefix))
    };
    if within(&rules.user_prefixes) {
        Nearness::User
    } else if within(&rules.engine_prefixes) {
        Nearness::Engine
    } else if within(&rules.library_prefixes) || path.starts_with('<') {
        Nearness::Library
    } else {
        Nearness::User
    }
}

fn holds_folder(path: &str, folder: &str) -> bool {
    let found = memmem::find_iter(path.as_bytes(), folder.as_bytes());
    found.into_iter().any(|at| at > 0 && path.as_bytes()[at - 1] == b'/')
}

/// The path of a python frame, or none for builtins and frames of another kind.
fn python_path(name: &str) -> Option<&str> {
    let at = memmem::find(name.as_bytes(), b".py(")?;
    name[at + 4..].contains("): ").then(|| &name[..at + 3])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_and_counters_are_not_shown() {
        assert_eq!(
            display("<built-in method x of T object at 0x7fa0>"),
            "<built-in method x of T object>"
        );
        assert_eq!(display("a at 0x1f b at 0x2 c"), "a b c");
        assert_eq!(display(&" at 0x".repeat(100_000)), "");
        assert_eq!(display("ProfilerStep#12"), "ProfilerStep");
        assert_eq!(display("aten::mm, seq = 3, op_id = 4"), "aten::mm");
        assert_eq!(display("#12"), "#12");
        assert_eq!(display("C#"), "C#");
        assert_eq!(comparison("nn.Module: Linear_3"), "nn.Module: Linear");
        assert_eq!(pattern("decode bs=32"), "decode bs=N");
    }

    #[test]
    fn a_users_frame_lies_outside_libraries_and_engines() {
        let rules = Rules::default();
        let near = |name| nearness(name, &rules);
        assert_eq!(near("torch/nn/modules/module.py(1): forward"), Nearness::Library);
        assert_eq!(near("/usr/lib/python3.12/site-packages/x/y.py(1): f"), Nearness::Library);
        let made = "/tmp/torchinductor_root/ov/cov463qhi2m2.py(2533): call";
        assert_eq!(near(made), Nearness::Library, "compiled code is nobody's own");
        assert_eq!(near("vllm/worker/model_runner.py(1): run"), Nearness::Engine);
        assert_eq!(near("serve/engine.py(88): step"), Nearness::User);
        assert_eq!(near("<built-in function len>"), Nearness::Library);
    }
}
