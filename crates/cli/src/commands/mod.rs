//! One file a command.

pub(crate) mod completions;
pub(crate) mod explain;
pub(crate) mod flame;
pub(crate) mod fold;
pub(crate) mod inspect;
pub(crate) mod report;
pub(crate) mod steps;
pub(crate) mod top;
pub(crate) mod whatif;

use std::path::Path;
use std::process::{Command, Stdio};

/// Opens a file with the desktop's browser.
pub(crate) fn browse(file: &Path) -> anyhow::Result<()> {
    let opener = if cfg!(target_os = "macos") { "open" } else { "xdg-open" };
    let mut command = Command::new(opener);
    command.arg(file).stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    command
        .spawn()
        .map_err(|source| anyhow::anyhow!(source).context(format!("`{opener}` did not start")))?;
    Ok(())
}
