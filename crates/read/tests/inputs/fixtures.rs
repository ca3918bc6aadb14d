//! Every fixture, drawn whole, and the same however it comes in.

use std::{fmt::Write, io};

use flamelane_read::{Limits, open, readers};

use crate::drawn::{file, fixtures, whole};

/// Gives a few bytes at a time, as a slow pipe does.
struct Drip<'b>(&'b [u8], usize);

impl io::Read for Drip<'_> {
    fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        let n = self.1.min(out.len());
        io::Read::read(&mut self.0, &mut out[..n])
    }
}

#[test]
fn fixtures_read_as_drawn() {
    let mut drawn = String::new();
    let mut last = String::new();
    for path in fixtures() {
        let folder = path.parent().unwrap().file_name().unwrap().to_string_lossy().into_owned();
        if folder != last && !last.is_empty() {
            insta::assert_snapshot!(last.as_str(), drawn);
            drawn.clear();
        }
        let read = open(&mut &file(&path)[..], &Limits::default(), None).unwrap();
        assert_eq!(read.format, folder, "{}", path.display());
        let name = path.file_name().unwrap().to_string_lossy();
        writeln!(drawn, "== {name}\n{}", whole(&read)).unwrap();
        last = folder;
    }
    insta::assert_snapshot!(last.as_str(), drawn);
}

#[test]
fn a_file_reads_the_same_in_drops_and_by_name() {
    for path in fixtures() {
        let bytes = file(&path);
        let limits = Limits::default();
        let read = open(&mut &bytes[..], &limits, None).unwrap();
        let expected = whole(&read);
        for size in [1, 7, 100] {
            let drip = open(&mut Drip(&bytes, size), &limits, None).unwrap();
            assert_eq!(whole(&drip), expected, "{} by {size}", path.display());
        }
        let named = open(&mut &bytes[..], &limits, Some(read.format)).unwrap();
        assert_eq!(whole(&named), expected);
    }
}

#[test]
fn readers_have_names_of_their_own() {
    let mut names: Vec<_> = readers().iter().map(|reader| reader.name).collect();
    names.sort_unstable();
    names.dedup();
    assert_eq!(names, ["chrome", "folded", "kineto", "node-stacks", "pprof", "speedscope"]);
}
