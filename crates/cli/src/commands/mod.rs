//! One file a command.

pub(crate) mod completions;
pub(crate) mod explain;
pub(crate) mod flame;
pub(crate) mod fold;
pub(crate) mod inspect;
pub(crate) mod open;
pub(crate) mod report;
pub(crate) mod steps;
pub(crate) mod top;
pub(crate) mod whatif;

use std::ffi::OsStr;
use std::process::{Command, Stdio};

/// Opens a file or an address with the desktop's browser.
pub(crate) fn browse(what: &OsStr) -> anyhow::Result<()> {
    let opener = if cfg!(target_os = "macos") { "open" } else { "xdg-open" };
    let mut command = Command::new(opener);
    command.arg(what).stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    command
        .spawn()
        .map_err(|source| anyhow::anyhow!(source).context(format!("`{opener}` did not start")))?;
    Ok(())
}
