//! Devices: the peak bandwidth of their memory, as their vendors give it.
//!
//! One row a device as recordings name it. Sources are the vendors' data sheets; figures are decimal
//! (1 TB/s = 10¹² bytes a second), for one device as the driver lists it. A partition of a device
//! (MIG) has only a part of the bandwidth and is none of these.

/// A device and its memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Device {
    /// The words of its name that tell it.
    pub name: &'static str,
    /// Peak bandwidth of its memory, in bytes a second.
    pub bytes_per_second: u64,
    /// Where the figure is from.
    pub source: &'static str,
}

const GB: u64 = 1_000_000_000;

const fn row(name: &'static str, gb_per_second: u64, source: &'static str) -> Device {
    Device { name, bytes_per_second: gb_per_second * GB, source }
}

const HOPPER: &str = "NVIDIA H100 data sheet";
const H200: &str = "NVIDIA H200 data sheet";
const GRACE: &str = "NVIDIA GH200 data sheet";
const BLACKWELL: &str = "NVIDIA HGX B200 and GB200 NVL72 data sheets";
const ULTRA: &str = "NVIDIA HGX B300 and GB300 NVL72 data sheets";
const A100: &str = "NVIDIA A100 data sheet";
const VOLTA: &str = "NVIDIA V100 data sheet";
const BOARD: &str = "NVIDIA data sheet of the board";
const GEFORCE: &str = "NVIDIA GeForce specifications";
const CDNA: &str = "AMD Instinct data sheet";

/// All of them.
pub const DEVICES: &[Device] = &[
    row("H100 80GB HBM3", 3_350, HOPPER),
    row("H100 SXM", 3_350, HOPPER),
    row("H100 PCIe", 2_000, HOPPER),
    row("H100 NVL", 3_900, HOPPER),
    row("H800", 3_350, "as the H100: only NVLink and double precision differ"),
    row("H200", 4_800, H200),
    row("GH200 480GB", 4_000, GRACE),
    row("GH200 144G HBM3e", 4_900, GRACE),
    row("B200", 8_000, BLACKWELL),
    row("GB200", 8_000, BLACKWELL),
    row("B300", 8_000, ULTRA),
    row("GB300", 8_000, ULTRA),
    row("A100-SXM4-40GB", 1_555, A100),
    row("A100-SXM4-80GB", 2_039, A100),
    row("A100-PCIE-40GB", 1_555, A100),
    row("A100 80GB PCIe", 1_935, A100),
    row("A800-SXM4-80GB", 2_039, "as the A100: only NVLink differs"),
    row("A30", 933, BOARD),
    row("A40", 696, BOARD),
    row("A10", 600, BOARD),
    row("A10G", 600, BOARD),
    row("L40S", 864, BOARD),
    row("L40", 864, BOARD),
    row("L4", 300, BOARD),
    row("T4", 320, BOARD),
    row("V100-SXM2", 900, VOLTA),
    row("V100-PCIE", 900, VOLTA),
    row("V100-DGXS", 900, VOLTA),
    row("V100S-PCIE", 1_134, VOLTA),
    row("RTX A6000", 768, BOARD),
    row("RTX 6000 Ada", 960, BOARD),
    row("RTX PRO 6000 Blackwell", 1_792, BOARD),
    row("RTX PRO 6000 Blackwell Server Edition", 1_597, BOARD),
    row("RTX 5090", 1_792, GEFORCE),
    row("RTX 4090", 1_008, GEFORCE),
    row("RTX 3090", 936, GEFORCE),
    row("RTX 3090 Ti", 1_008, GEFORCE),
    row("RTX 2080 Ti", 616, GEFORCE),
    row("MI355X", 8_000, CDNA),
    row("MI350X", 8_000, CDNA),
    row("MI325X", 6_000, CDNA),
    row("MI300X", 5_300, CDNA),
    row("MI300A", 5_300, CDNA),
    // Half of the card: the driver lists each of its two dies as a device.
    row("MI250X", 1_638, CDNA),
    row("MI250", 1_638, CDNA),
    row("MI210", 1_638, CDNA),
    row("MI100", 1_228, CDNA),
];

/// The device of a name; the row with most words where several fit.
pub(crate) fn device(name: &str) -> Option<&'static Device> {
    let words = words(name);
    if words.iter().any(|word| word == "mig") {
        return None;
    }
    let fits = |device: &&Device| {
        let wanted = self::words(device.name);
        words.windows(wanted.len()).any(|found| found == wanted)
    };
    // The later of equal ones never matters: names of as many words exclude each other.
    DEVICES.iter().filter(fits).max_by_key(|device| self::words(device.name).len())
}

fn words(name: &str) -> Vec<String> {
    let words = name.split(|c: char| !c.is_ascii_alphanumeric());
    words.filter(|word| !word.is_empty()).map(str::to_ascii_lowercase).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn devices_are_told_by_whole_words() {
        let gb = |name| device(name).map(|device| device.bytes_per_second / GB);
        assert_eq!(gb("NVIDIA H100 80GB HBM3"), Some(3_350));
        assert_eq!(gb("NVIDIA H100 PCIe"), Some(2_000));
        assert_eq!(gb("NVIDIA L4"), Some(300));
        assert_eq!(gb("NVIDIA L40S"), Some(864));
        assert_eq!(gb("Tesla V100-SXM2-32GB"), Some(900));
        assert_eq!(gb("AMD Instinct MI300X VF"), Some(5_300));
        assert_eq!(gb("NVIDIA B300 SXM6 AC"), Some(8_000));
        assert_eq!(gb("NVIDIA GeForce RTX 3090 Ti"), Some(1_008));
        assert_eq!(gb("NVIDIA GeForce RTX 3090"), Some(936));
        assert_eq!(gb("NVIDIA A100-SXM4-80GB"), Some(2_039));
        for unknown in ["", "NVIDIA H100", "NVIDIA A100-PG509-200", "AMD Radeon Graphics"] {
            assert_eq!(gb(unknown), None, "{unknown}");
        }
        assert_eq!(gb("NVIDIA H100 80GB HBM3 MIG 1g.10gb"), None, "a part of it");
    }

    #[test]
    fn every_row_finds_itself() {
        for row in DEVICES {
            assert_eq!(device(row.name), Some(row), "{}", row.name);
        }
    }
}
