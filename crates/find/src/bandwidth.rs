//! Bandwidth: how fast a decode step can be at most, by the bytes that it must read.
//!
//! A decode step reads all weights and the keys and values of its requests once. No step is shorter
//! than that reading takes at the peak bandwidth of the memory; whatever else it does comes on top.

use flamelane_link::Linked;
use flamelane_model::Ns;

use crate::devices::{self, Device};
use crate::health::on_busiest;

/// What is known of a model from outside its profile.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ModelBytes {
    /// Bytes of the weights that a step reads, over all devices that share them.
    pub weights: u64,
    /// Bytes of keys and values that a step reads, over all devices that share them.
    pub kv: u64,
    /// Peak bandwidth of one device's memory in bytes a second, where the table is not to be asked.
    pub bandwidth: Option<u64>,
}

/// The bound of a step, and the step beside it.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct StepBound {
    /// The device's name.
    pub device: String,
    /// Peak bandwidth of its memory in bytes a second; none where nobody knows it.
    pub bandwidth: Option<u64>,
    /// Where the bandwidth is from.
    pub source: String,
    /// Devices that share the bytes.
    pub n_devices: u64,
    /// Why so many.
    pub assumption: String,
    /// The shortest a step can be; none where the bandwidth is not known.
    pub bound: Option<Ns>,
    /// The phase of the steps measured; none where steps name no phase.
    pub phase: Option<String>,
    /// Median wall time of these steps on the busiest device; none where there are no steps.
    pub measured: Option<Ns>,
    /// How many.
    pub n_steps: u64,
    /// All of it, in one sentence.
    pub sentence: String,
}

/// Compares the decode steps with the time that reading their bytes takes.
pub fn step_bound(linked: &Linked, model: ModelBytes) -> StepBound {
    let name = device_name(linked);
    let known = devices::device(&name);
    let (n_devices, assumption) = sharing(linked);
    let bandwidth = model.bandwidth.or(known.map(|device| device.bytes_per_second));
    let bytes = u128::from(model.weights) + u128::from(model.kv);
    let (phase, walls) = decode_steps(linked);
    let n_steps = walls.len() as u64;
    let mut bound = StepBound {
        source: source(model.bandwidth, known),
        bound: bandwidth.and_then(|bandwidth| reading(bytes, bandwidth, n_devices)),
        device: name,
        bandwidth,
        n_devices,
        assumption,
        phase,
        measured: median(walls),
        n_steps,
        sentence: String::new(),
    };
    bound.sentence = sentence(&bound);
    bound
}

/// Time to read `bytes`, split over the devices, rounded up to the next nanosecond.
fn reading(bytes: u128, bandwidth: u64, n_devices: u64) -> Option<Ns> {
    let each = u128::from(bandwidth).checked_mul(u128::from(n_devices))?;
    let ns = bytes.checked_mul(1_000_000_000)?.checked_next_multiple_of(each)? / each;
    Ns::try_from(ns).ok()
}

fn source(given: Option<u64>, known: Option<&Device>) -> String {
    match (given, known) {
        (Some(_), _) => "given".to_owned(),
        (None, Some(device)) => device.source.to_owned(),
        (None, None) => String::new(),
    }
}

/// The name of the device that works most.
fn device_name(linked: &Linked) -> String {
    let rows = linked.devices.iter().rev().max_by_key(|device| device.busy_ns());
    let device = rows.map(|time| &linked.trace.devices[time.device.index()]);
    device.map_or_else(String::new, |device| linked.trace.text(device.name).to_owned())
}

/// How many devices share the bytes, and why.
fn sharing(linked: &Linked) -> (u64, String) {
    let busiest = linked.devices.iter().map(flamelane_link::DeviceTime::busy_ns).max().unwrap_or(0);
    let works = |time: &&flamelane_link::DeviceTime| time.busy_ns().saturating_mul(100) >= busiest;
    let n_here = linked.devices.iter().filter(works).count().max(1) as u64;
    match linked.trace.metadata.world_size {
        Some(n_ranks) if n_ranks > n_here => {
            (n_ranks, format!("the job's {n_ranks} ranks share the weights and the cache evenly"))
        }
        _ if n_here > 1 => {
            (n_here, format!("the file's {n_here} devices share the weights and the cache evenly"))
        }
        _ => (1, "one device reads all of it".to_owned()),
    }
}

/// The phase of the kept decode steps and their wall times; all kept steps where none has a phase.
fn decode_steps(linked: &Linked) -> (Option<String>, Vec<Ns>) {
    let (_, walls) = on_busiest(linked);
    let kept = || linked.steps.list.iter().zip(&walls).filter(|(step, _)| step.is_kept());
    let decode: Vec<Ns> = kept()
        .filter(|(step, _)| step.phase.as_deref() == Some("decode"))
        .map(|(_, &wall)| wall)
        .collect();
    if !decode.is_empty() {
        return (Some("decode".to_owned()), decode);
    }
    if kept().any(|(step, _)| step.phase.is_some()) {
        return (Some("decode".to_owned()), Vec::new());
    }
    (None, kept().map(|(_, &wall)| wall).collect())
}

/// The middle value, the lower one of two.
fn median(mut values: Vec<Ns>) -> Option<Ns> {
    values.sort_unstable();
    values.get(values.len().checked_sub(1)? / 2).copied()
}

fn sentence(of: &StepBound) -> String {
    let Some(bound) = of.bound else {
        let device = match of.device.as_str() {
            "" => "this device".to_owned(),
            name => format!("`{name}`"),
        };
        return format!(
            "the peak memory bandwidth of {device} is not known here: give it with `--device-bandwidth`"
        );
    };
    let time = crate::words::time;
    let sharing = match of.n_devices {
        1 => String::new(),
        n_devices => format!(" on {n_devices} devices that share them"),
    };
    let read = format!("{} that reading weights and cache takes at least{sharing}", time(bound));
    let Some(measured) = of.measured else {
        return format!("no decode step was found to compare with the {read}");
    };
    let what = if of.phase.is_some() { "decode step" } else { "step" };
    let ratio = measured as f64 / bound.max(1) as f64;
    let step = format!("{what} {} p50", time(measured));
    if measured < bound {
        return format!("{step}, less than the {read}: bytes or bandwidth given are wrong");
    }
    format!("{step}, {ratio:.2} × the {read}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reading_rounds_up_and_never_overflows() {
        assert_eq!(reading(14_200_000_000, 3_350_000_000_000, 1), Some(4_238_806));
        assert_eq!(reading(8, 8_000_000_000, 1), Some(1));
        assert_eq!(reading(9, 8_000_000_000, 1), Some(2));
        assert_eq!(reading(16, 8_000_000_000, 2), Some(1));
        assert_eq!(reading(u128::from(u64::MAX), 1, 1), None);
        assert_eq!(reading(1, 0, 1), None);
    }
}
