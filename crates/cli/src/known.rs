//! What is known of a run from outside its profile.

use clap::Args;
use flamelane_find::ModelBytes;
use flamelane_model::Ns;

use crate::args::exact;

/// Figures that no profile holds.
#[derive(Args, Clone, Copy, Debug, Default)]
pub(crate) struct Known {
    /// Milliseconds that a step takes without a profiler: a much longer one supports no verdict.
    #[arg(long, value_name = "MS", value_parser = milliseconds)]
    pub(crate) step_ms: Option<Ns>,
    /// Bytes of weights that a decode step reads, of all devices together: `14.2e9`, `15GB`, `14GiB`.
    #[arg(long, value_name = "BYTES", value_parser = bytes)]
    pub(crate) model_bytes: Option<u64>,
    /// Bytes of keys and values that a decode step reads, of all devices together.
    #[arg(long, value_name = "BYTES", value_parser = bytes, requires = "model_bytes")]
    pub(crate) kv_bytes: Option<u64>,
    /// Peak memory bandwidth of one device, where its name does not tell: `3.35TB/s`.
    #[arg(long, value_name = "BYTES/S", value_parser = bandwidth, requires = "model_bytes")]
    pub(crate) device_bandwidth: Option<u64>,
}

impl Known {
    /// What a decode step reads, where it is given.
    pub(crate) fn model(&self) -> Option<ModelBytes> {
        let weights = self.model_bytes?;
        let kv = self.kv_bytes.unwrap_or(0);
        Some(ModelBytes { weights, kv, bandwidth: self.device_bandwidth })
    }
}

/// Units of bytes: powers of a thousand, and of 1024.
const UNITS: [(&str, f64); 9] = [
    ("KIB", 1024.0),
    ("MIB", 1_048_576.0),
    ("GIB", 1_073_741_824.0),
    ("TIB", 1_099_511_627_776.0),
    ("KB", 1e3),
    ("MB", 1e6),
    ("GB", 1e9),
    ("TB", 1e12),
    // A bare B stands for billions of parameters as often: refused.
    ("", 1.0),
];

fn bytes(text: &str) -> Result<u64, String> {
    let upper = text.trim().to_ascii_uppercase();
    let (_, number, unit) = UNITS
        .iter()
        .find_map(|(name, unit)| Some((name, upper.strip_suffix(name)?, unit)))
        .ok_or("a size ends in a unit")?;
    let number = number.trim();
    let is_number = !number.is_empty() && !number.contains(['N', 'I', '+']);
    let value = number.parse::<f64>().ok().filter(|_| is_number).map(|value| value * unit);
    // Sizes are shown with a few digits: what a float cannot tell apart makes no difference.
    value
        .filter(|value| *value >= 1.0 && *value < 1e18)
        .map(|value| value.round() as u64)
        .ok_or_else(|| format!("`{text}` is no size: write `14.2e9`, `15GB` or `14GiB`"))
}

fn bandwidth(text: &str) -> Result<u64, String> {
    bytes(text.trim().trim_end_matches("/s").trim_end_matches("/S"))
        .map_err(|_| format!("`{text}` is no bandwidth: write `3.35TB/s`"))
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
    fn sizes_never_mix_powers_of_1000_and_1024() {
        assert_eq!(bytes("14.2e9"), Ok(14_200_000_000));
        assert_eq!(bytes("15GB"), Ok(15_000_000_000));
        assert_eq!(bytes("14GiB"), Ok(15_032_385_536));
        assert_eq!(bytes("1.5 TiB"), Ok(1_649_267_441_664));
        assert_eq!(bytes("7e9"), Ok(7_000_000_000));
        assert_eq!(bandwidth("3.35TB/s"), Ok(3_350_000_000_000));
        assert_eq!(bandwidth("3350e9"), Ok(3_350_000_000_000));
        for wrong in
            ["", "GB", "-1GB", "0", "nan", "infGB", "14 gigabytes", "1e30", "15GBB", "+3", "7B"]
        {
            assert!(bytes(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn milliseconds_are_exact() {
        assert_eq!(milliseconds("12.5"), Ok(12_500_000));
        assert_eq!(milliseconds("0.000001"), Ok(1));
        for wrong in ["", "0", "-1", "1e3", "12ms", "0.0000001"] {
            assert!(milliseconds(wrong).is_err(), "{wrong}");
        }
    }
}
