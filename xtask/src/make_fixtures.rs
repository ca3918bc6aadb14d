//! `cargo xtask make-fixtures`: writes `fixtures/kineto` anew, the same bytes each time.

use std::fs;
use std::path::Path;

use anyhow::{Context, Result};
use flamelane_testkit::{Scenario, bundled};

/// Runs the task.
pub(crate) fn run(root: &Path) -> Result<()> {
    let folder = root.join("fixtures/kineto");
    fs::create_dir_all(&folder).with_context(|| format!("cannot make `{}`", folder.display()))?;
    for scenario in Scenario::ALL {
        let made = bundled::make(scenario);
        for (part, bytes) in [("json.gz", &made.trace_gz), ("truth.json.gz", &made.truth_gz)] {
            let path = folder.join(format!("{}.{part}", made.name));
            fs::write(&path, bytes)
                .with_context(|| format!("cannot write `{}`", path.display()))?;
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fixtures_are_what_the_generator_makes() {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap();
        for scenario in Scenario::ALL {
            let made = bundled::make(scenario);
            let path = root.join(format!("fixtures/kineto/{}.json.gz", made.name));
            let lies_there = fs::read(&path).unwrap();
            assert!(lies_there == made.trace_gz, "run `cargo xtask make-fixtures`: {path:?}");
        }
    }
}
