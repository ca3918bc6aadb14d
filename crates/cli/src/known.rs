//! What is known of a run from outside its profile.

use clap::Args;
use flamelane_model::Ns;

use crate::args::exact;

/// Figures that no profile holds.
#[derive(Args, Clone, Copy, Debug, Default)]
pub(crate) struct Known {
    /// Milliseconds that a step takes without a profiler: a much longer one supports no verdict.
    #[arg(long, value_name = "MS", value_parser = milliseconds)]
    pub(crate) step_ms: Option<Ns>,
}

fn milliseconds(text: &str) -> Result<Ns, String> {
    let ns = exact(text, 6).filter(|&ns| ns > 0);
    ns.ok_or_else(|| {
        format!("`{text}` is no time in milliseconds, above 0 and in whole nanoseconds")
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn milliseconds_are_exact() {
        assert_eq!(milliseconds("12.5"), Ok(12_500_000));
        assert_eq!(milliseconds("0.000001"), Ok(1));
        for wrong in ["", "0", "-1", "1e3", "12ms", "0.0000001"] {
            assert!(milliseconds(wrong).is_err(), "{wrong}");
        }
    }
}
