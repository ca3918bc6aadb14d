//! What stands beside the events: devices, the job, the clock, and switches of the profiler.

use std::collections::BTreeMap;

use flamelane_model::{Device, Metadata, Notes, Strings};
use serde_json::Value;

/// Keys whose values are told on. Everything else stays in the file: host names, users, paths,
/// job names.
const TOLD: &[&str] = &[
    "schemaVersion",
    "cupti_version",
    "cuda_runtime_version",
    "cuda_driver_version",
    "roctracer_version",
    "rocprofiler-sdk_version",
    "hip_runtime_version",
    "hip_driver_version",
    "record_shapes",
    "with_stack",
    "with_flops",
    "with_modules",
    "profile_memory",
    "displayTimeUnit",
    "cudaGraphInlineAnnotated",
];
const LONGEST_TOLD: usize = 64;

/// The top-level values as they came.
#[derive(Debug, Default)]
pub(super) struct Properties {
    told: BTreeMap<String, String>,
    devices: Vec<Known>,
    rank: Option<u64>,
    world_size: Option<u64>,
    backend: Option<String>,
    /// `baseTimeNanoseconds`, 0 when the file has none.
    pub(super) base_ns: i64,
}

/// A device as the file describes it.
#[derive(Debug)]
struct Known {
    id: Option<i64>,
    name: String,
    memory_bytes: u64,
}

/// Whether the value of a key is needed.
pub(super) fn is_wanted(key: &[u8]) -> bool {
    matches!(
        key,
        b"deviceProperties" | b"computeProperties" | b"distributedInfo" | b"baseTimeNanoseconds"
    ) || TOLD.iter().any(|told| told.as_bytes() == key)
}

impl Properties {
    /// Takes a value as raw JSON.
    pub(super) fn take(&mut self, key: &[u8], value: &[u8], notes: &mut Notes) {
        let key = String::from_utf8_lossy(key);
        let text = String::from_utf8_lossy(value);
        if key == "baseTimeNanoseconds" {
            match text.trim_matches('"').trim().parse() {
                Ok(base) => self.base_ns = base,
                Err(_) => unreadable(&key, &text, notes),
            }
            return;
        }
        let Ok(value) = serde_json::from_str::<Value>(&text) else {
            return unreadable(&key, &text, notes);
        };
        match &*key {
            "deviceProperties" | "computeProperties" => self.take_devices(&value),
            "distributedInfo" => self.take_job(&value),
            _ => self.tell(key.into_owned(), &value),
        }
    }

    fn tell(&mut self, key: String, value: &Value) {
        let text = match value {
            Value::String(text) => text.clone(),
            Value::Number(_) | Value::Bool(_) => value.to_string(),
            _ => return,
        };
        if text.len() <= LONGEST_TOLD {
            self.told.insert(key, text);
        }
    }

    fn take_devices(&mut self, value: &Value) {
        let Some(list) = value.as_array() else { return };
        for device in list {
            self.devices.push(Known {
                id: device.get("id").and_then(whole),
                name: device.get("name").and_then(Value::as_str).unwrap_or_default().to_owned(),
                memory_bytes: device.get("totalGlobalMem").and_then(Value::as_u64).unwrap_or(0),
            });
        }
    }

    /// The block may come twice, with less in it the second time.
    fn take_job(&mut self, value: &Value) {
        let number = |key| value.get(key).and_then(whole).and_then(|n| u64::try_from(n).ok());
        self.rank = number("rank").or(self.rank);
        self.world_size = number("world_size").or(self.world_size);
        if let Some(backend) = value.get("backend").and_then(Value::as_str) {
            self.backend = Some(backend.to_owned());
        }
    }

    /// Fills the description of the devices: by id, or all alike when the ids of spans are of
    /// another kind (ROCm counts nodes) and all devices are the same.
    pub(super) fn describe(&self, devices: &mut [Device], strings: &mut Strings) {
        let same = self.devices.first().filter(|first| {
            let alike = |other: &Known| {
                other.name == first.name && other.memory_bytes == first.memory_bytes
            };
            self.devices.iter().all(alike)
        });
        for device in devices {
            let by_id = self.devices.iter().find(|known| known.id == Some(device.id));
            if let Some(known) = by_id.or(same) {
                device.name = strings.intern(&known.name);
                device.memory_bytes = known.memory_bytes;
            }
        }
    }

    /// What goes into the trace.
    pub(super) fn into_metadata(self, whole_micros: bool) -> Metadata {
        Metadata {
            format: "kineto",
            rank: self.rank,
            world_size: self.world_size,
            backend: self.backend,
            properties: self.told,
            recorded: None,
            whole_micros,
        }
    }
}

fn whole(value: &Value) -> Option<i64> {
    value.as_i64().or_else(|| value.as_str()?.trim().parse().ok())
}

fn unreadable(key: &str, text: &str, notes: &mut Notes) {
    notes.add("damaged-property", "top-level values could not be read", || {
        let start: String = text.chars().take(40).collect();
        format!("{key}: {start}")
    });
}
