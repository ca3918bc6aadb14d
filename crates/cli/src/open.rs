//! The only door to files.

use std::fs::File;
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};
use flamelane_read::{Limits, Read, ReadError};

use crate::hinted::Hinted;

use crate::args::Reading;
use crate::progress::Progress;

/// The word that stands for standard input or output.
pub(crate) const DASH: &str = "-";

/// Opens and reads one input.
pub(crate) fn read(path: &Path, input: &Reading) -> Result<Read> {
    let limits = Limits { max_unpacked: input.max_unpacked_bytes(), ..Limits::default() };
    let cannot = || format!("cannot read `{}`", path.display());
    let wanted = input.input_format.as_deref();
    if path.as_os_str() == DASH {
        return flamelane_read::open(&mut io::stdin().lock(), &limits, wanted).with_context(cannot);
    }
    let file = File::open(path).with_context(cannot)?;
    let n_bytes = file.metadata().map_or(0, |metadata| metadata.len());
    let mut file = Progress::new(file, name(path), n_bytes);
    flamelane_read::open(&mut file, &limits, wanted).with_context(cannot)
}

/// Creates an output file, or standard output for `-`; `write` fills it.
pub(crate) fn write(
    path: &Path,
    write: impl FnOnce(&mut dyn Write) -> io::Result<()>,
) -> Result<()> {
    let cannot = || format!("cannot write `{}`", path.display());
    if path.as_os_str() == DASH {
        let mut out = crate::terminal::stdout();
        write(&mut out).with_context(cannot)?;
        return out.flush().with_context(cannot);
    }
    let mut out = BufWriter::new(File::create(path).with_context(cannot)?);
    write(&mut out).with_context(cannot)?;
    out.flush().with_context(cannot)
}

/// Bytes of a file that was just written; 0 for standard output.
pub(crate) fn size(path: &Path) -> u64 {
    std::fs::metadata(path).map_or(0, |metadata| metadata.len())
}

/// Refuses to write over an input: profiles are hard to record again.
pub(crate) fn spare(input: &Path, output: &Path) -> Result<()> {
    if input.as_os_str() != DASH && is_same_file(input, output) {
        bail!("cannot write `{}`: it is the input; give another name", output.display());
    }
    Ok(())
}

/// The same of the files that reading needs beside the input.
pub(crate) fn spare_helpers(input: &Reading, output: &Path) -> Result<()> {
    let beside = [("--config", &input.config), ("--graph-names", &input.graph_names)];
    for (option, file) in beside {
        if file.as_ref().is_some_and(|file| is_same_file(file, output)) {
            bail!("cannot write `{}`: `{option}` reads it; give another name", output.display());
        }
    }
    Ok(())
}

/// Whether both names lead to one existing file. Hard links count where the system tells them.
fn is_same_file(a: &Path, b: &Path) -> bool {
    #[cfg(unix)]
    let identity = |path: &Path| {
        use std::os::unix::fs::MetadataExt;
        let metadata = path.metadata().ok().filter(std::fs::Metadata::is_file);
        metadata.map(|metadata| (metadata.dev(), metadata.ino()))
    };
    #[cfg(not(unix))]
    let identity = |path: &Path| path.canonicalize().ok();
    identity(a).is_some_and(|a| identity(b) == Some(a))
}

/// Text of a small file, if it exists.
pub(crate) fn text(path: &Path) -> Result<Option<String>> {
    match std::fs::read_to_string(path) {
        Ok(text) => Ok(Some(text)),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
        Err(error) => Err(error).with_context(|| format!("cannot read `{}`", path.display())),
    }
}

/// The files of a directory that may be captures, by name; sub-directories are not entered.
pub(crate) fn list(directory: &Path) -> Result<Vec<PathBuf>> {
    let cannot = || format!("cannot list `{}`", directory.display());
    let mut files = Vec::new();
    for entry in std::fs::read_dir(directory).with_context(cannot)? {
        let path = entry.with_context(cannot)?.path();
        let hidden = path.file_name().is_some_and(|name| name.to_string_lossy().starts_with('.'));
        if path.is_file() && !hidden {
            files.push(path);
        }
    }
    files.sort();
    Ok(files)
}

/// The name of a file without its folder.
pub(crate) fn name(path: &Path) -> String {
    path.file_name()
        .map_or_else(|| path.display().to_string(), |name| name.to_string_lossy().into())
}

/// What to do about an error, where somebody knows.
pub(crate) fn hint(error: &anyhow::Error) -> Option<String> {
    error.chain().find_map(|cause| {
        let read = cause.downcast_ref::<ReadError>().and_then(ReadError::hint);
        let io = cause.downcast_ref::<io::Error>().and_then(|error| match error.kind() {
            io::ErrorKind::NotFound => Some("check the path; `-` reads standard input".to_owned()),
            io::ErrorKind::PermissionDenied => Some("check the file's permissions".to_owned()),
            _ => None,
        });
        let ours = cause.downcast_ref::<Hinted>().map(|error| error.hint.clone());
        ours.or(read).or(io)
    })
}
