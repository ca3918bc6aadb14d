//! House checks that rustc and clippy do not know: arrows between rooms, sizes, headers, licences, links.

mod arrows;
mod dependencies;
mod files;
mod fixtures;
mod licences;
mod links;
mod manifest;
mod viewer;

use std::fmt;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, bail};

type Check = fn(&House, &mut Remarks) -> Result<()>;

/// Every check with the word that the answer names it by, quickest first.
const CHECKS: [(&str, Check); 9] = [
    ("sizes", files::sizes),
    ("headers", files::headers),
    ("strings", files::forbidden_strings),
    ("arrows", arrows::check),
    ("viewer arrows", viewer::check),
    ("fixtures", fixtures::check),
    ("links", links::check),
    ("dependencies", dependencies::check),
    ("licences", licences::check),
];

/// Runs every check over the repository at `root`; fails when one of them has something to say.
#[expect(clippy::print_stdout, reason = "the problems are what this task prints")]
pub(crate) fn run(root: &Path) -> Result<()> {
    let house = House::open(root)?;
    let mut n_problems = 0;
    for (name, check) in CHECKS {
        let mut remarks = Remarks::default();
        check(&house, &mut remarks).with_context(|| format!("cannot check {name}"))?;
        n_problems += remarks.problems.len();
        for problem in &remarks.problems {
            println!("{name}: {problem}");
        }
        if let Some(why) = remarks.skipped {
            println!("{name}: skipped, {why}");
        }
    }
    if n_problems > 0 {
        bail!("{n_problems} problems in {} files", house.files.len());
    }
    println!("tidy: {} checks over {} files, no problems", CHECKS.len(), house.files.len());
    Ok(())
}

/// The repository as the checks see it: what git tracks or would track.
#[derive(Debug)]
pub(crate) struct House {
    /// The folder of the workspace manifest.
    root: PathBuf,
    /// Every file that git does not ignore, relative to `root`, with `/` between the parts; sorted.
    files: Vec<String>,
}

impl House {
    /// Lists the files of the repository at `root` by asking git.
    fn open(root: &Path) -> Result<Self> {
        let listing = Command::new("git")
            .args(["ls-files", "-z", "--cached", "--others", "--exclude-standard"])
            .current_dir(root)
            .output()
            .context("cannot run `git ls-files`")?;
        if !listing.status.success() {
            bail!("`git ls-files` failed: {}", String::from_utf8_lossy(&listing.stderr).trim());
        }
        let names = String::from_utf8(listing.stdout).context("a file name is not UTF-8")?;
        let mut files: Vec<String> = names.split_terminator('\0').map(str::to_owned).collect();
        files.retain(|file| root.join(file).is_file());
        files.sort();
        files.dedup();
        Ok(Self { root: root.to_owned(), files })
    }

    /// The text of a file; nothing when it is not UTF-8.
    fn text(&self, file: &str) -> Result<Option<String>> {
        let bytes =
            fs::read(self.root.join(file)).with_context(|| format!("cannot read {file}"))?;
        Ok(String::from_utf8(bytes).ok())
    }

    /// The files whose name ends with one of `endings`, generated ones left out.
    fn written_by_hand(&self, endings: &[&str]) -> impl Iterator<Item = &str> {
        self.files
            .iter()
            .map(String::as_str)
            .filter(|file| !file.split('/').any(|part| part == "generated"))
            .filter(|file| endings.iter().any(|ending| file.ends_with(ending)))
    }

    /// Whether git knows `path` as a file, or as a folder with a file in it.
    fn has(&self, path: &str) -> bool {
        let folder = format!("{}/", path.trim_end_matches('/'));
        self.files.iter().any(|file| file == path || file.starts_with(&folder))
    }
}

/// What one check has to say.
#[derive(Debug, Default)]
pub(crate) struct Remarks {
    problems: Vec<Problem>,
    /// Why the check did not look at all.
    skipped: Option<String>,
}

impl Remarks {
    /// Adds a problem at `place`.
    fn add(&mut self, place: impl Into<String>, what: impl Into<String>) {
        self.problems.push(Problem { place: place.into(), what: what.into() });
    }

    /// Says that the check had nothing to look at yet.
    fn skip(&mut self, why: impl Into<String>) {
        self.skipped = Some(why.into());
    }
}

/// One thing to mend: where, and what is wrong there.
#[derive(Debug)]
struct Problem {
    place: String,
    what: String,
}

impl fmt::Display for Problem {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "{}: {}", self.place, self.what)
    }
}
