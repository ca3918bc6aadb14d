//! Where a Python frame's code is, read from its name.

/// File, line and function, as far as a name tells them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Source<'a> {
    /// Path as the profiler wrote it.
    pub file: &'a str,
    /// Line of the function or of the call.
    pub line: u32,
    /// The function alone.
    pub function: &'a str,
}

/// Reads `path.py(12): function` (torch) and `function (path.py:12)` (py-spy).
pub fn source(name: &str) -> Option<Source<'_>> {
    torch(name).or_else(|| py_spy(name))
}

fn torch(name: &str) -> Option<Source<'_>> {
    let (place, function) = name.split_once("): ")?;
    let (file, line) = place.rsplit_once('(')?;
    let line = line.parse().ok()?;
    (!file.is_empty()).then_some(Source { file, line, function })
}

fn py_spy(name: &str) -> Option<Source<'_>> {
    let (function, place) = name.strip_suffix(')')?.rsplit_once(" (")?;
    let (file, line) = place.rsplit_once(':')?;
    let line = line.parse().ok()?;
    (!file.is_empty()).then_some(Source { file, line, function })
}

/// The last part of a path of either kind of slash.
pub fn base_name(path: &str) -> &str {
    path.rsplit(['/', '\\']).next().unwrap_or(path)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_spellings_are_read() {
        let torch = source("torch/nn/module.py(1773): _call").unwrap();
        assert_eq!(torch, Source { file: "torch/nn/module.py", line: 1773, function: "_call" });
        let spied = source("run (a b/main.py:7)").unwrap();
        assert_eq!(spied, Source { file: "a b/main.py", line: 7, function: "run" });
        assert_eq!(base_name(r"C:\x\main.py"), "main.py");
    }

    #[test]
    fn other_names_have_no_source() {
        let names = ["aten::mm", "void f<int>(int)", "<built-in method mm>", "f (x)", "(3): f", ""];
        assert!(names.iter().all(|name| source(name).is_none()));
    }
}
