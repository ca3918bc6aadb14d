//! The names of event categories, from torch 1.8 to today and of other accelerators: one table.

use flamelane_model::{DeviceKind, FrameKind};

/// What a category of events is to us.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Class {
    /// Work on a device.
    Device(DeviceKind),
    /// Records of Meta's accelerator: the name says what they are.
    Mtia,
    /// Something a host thread did.
    Host(FrameKind),
    /// A python function, or an `nn.Module` by its name.
    Python,
    /// A call into a runtime or driver.
    Runtime,
    /// A copy of an annotation on a stream: it is no work.
    DeviceAnnotation,
    /// A stall the profiler reports of itself or the driver.
    Overhead,
    /// A synchronisation record.
    Sync,
    /// When the profiler says it recorded.
    Recording,
    /// An arrow from a launch to what it launched.
    LaunchFlow,
    /// An event without a category.
    Unnamed,
    /// Known and left out: in the census alone.
    CensusOnly,
    /// Never seen before.
    Unknown,
}

/// Name in lower case, class. What differs in old files alone in case is listed once.
const TABLE: &[(&str, Class)] = &[
    ("kernel", Class::Device(DeviceKind::Kernel)),
    ("gpu_memcpy", Class::Device(DeviceKind::Copy)),
    ("memcpy", Class::Device(DeviceKind::Copy)),
    ("gpu_memset", Class::Device(DeviceKind::Memset)),
    ("memset", Class::Device(DeviceKind::Memset)),
    ("hpu_op", Class::Device(DeviceKind::Kernel)),
    ("mtia_ccp_events", Class::Mtia),
    ("python_function", Class::Python),
    ("cpu_op", Class::Host(FrameKind::Op)),
    ("operator", Class::Host(FrameKind::Op)),
    ("user_annotation", Class::Host(FrameKind::Annotation)),
    ("user", Class::Host(FrameKind::Annotation)),
    ("user_scope", Class::Host(FrameKind::Annotation)),
    ("collective_comm", Class::Host(FrameKind::Annotation)),
    // The two threads of Ascend's task queue.
    ("enqueue", Class::Host(FrameKind::Native)),
    ("dequeue", Class::Host(FrameKind::Native)),
    // What tools that sit beside the profiler add of the interpreter and the system.
    ("python_gc", Class::Host(FrameKind::Native)),
    ("gc", Class::Host(FrameKind::Native)),
    ("gil", Class::Host(FrameKind::Os)),
    ("osrt", Class::Host(FrameKind::Os)),
    ("sched", Class::Host(FrameKind::Os)),
    ("cuda_runtime", Class::Runtime),
    ("cuda_driver", Class::Runtime),
    ("runtime", Class::Runtime),
    ("mtia_runtime", Class::Runtime),
    ("glow_runtime", Class::Runtime),
    ("hpu_runtime", Class::Runtime),
    ("xpu_runtime", Class::Runtime),
    ("xpu_driver", Class::Runtime),
    ("privateuse1_runtime", Class::Runtime),
    ("privateuse1_driver", Class::Runtime),
    ("gpu_user_annotation", Class::DeviceAnnotation),
    ("overhead", Class::Overhead),
    ("cuda_sync", Class::Sync),
    ("xpu_sync", Class::Sync),
    ("trace", Class::Recording),
    ("ac2g", Class::LaunchFlow),
    ("async", Class::LaunchFlow),
    ("async_gpu", Class::LaunchFlow),
    ("async_cpu_to_gpu", Class::LaunchFlow),
    ("async_npu", Class::LaunchFlow),
    ("", Class::Unnamed),
    ("fwdbwd", Class::CensusOnly),
    ("fwd_bwd", Class::CensusOnly),
    ("forward_backward", Class::CensusOnly),
    ("async_task_queue", Class::CensusOnly),
    ("hosttodevice", Class::CensusOnly),
    ("cpu_instant_event", Class::CensusOnly),
    ("cuda_event", Class::CensusOnly),
    ("cuda_profiler_range", Class::CensusOnly),
    ("external_correlation", Class::CensusOnly),
    ("mtia_insight", Class::CensusOnly),
    ("mtia_counters", Class::CensusOnly),
    ("hardware_counters", Class::CensusOnly),
    ("xpu_scope_profiler", Class::CensusOnly),
    ("graph_event_node", Class::CensusOnly),
    ("graph_host_node", Class::CensusOnly),
];

/// The class of a category, whatever its case.
pub(super) fn class(category: &str) -> Class {
    let lower = category.to_ascii_lowercase();
    TABLE.iter().find(|(name, _)| *name == lower).map_or(Class::Unknown, |(_, class)| *class)
}

/// Whether a category is one that only these profilers write.
pub(super) fn is_telling(category: &[u8]) -> bool {
    let Ok(category) = std::str::from_utf8(category) else { return false };
    let common = [
        "", "kernel", "user", "operator", "runtime", "async", "memcpy", "memset", "trace", "gc",
        "gil", "osrt", "sched",
    ];
    let ours = !matches!(class(category), Class::Unknown | Class::Unnamed);
    ours && (!common.contains(&category) || category == "kernel")
}

/// Whether an operator of this name is a range that torch marks for itself.
pub(super) fn is_old_range(name: &str) -> bool {
    ["ProfilerStep#", "Optimizer.step#", "Optimizer.zero_grad#", "enumerate(DataLoader)#"]
        .iter()
        .any(|prefix| name.starts_with(prefix))
}

/// What a device record of an accelerator without categories of its own is; `None` when it is
/// no work.
pub(super) fn task(name: &str) -> Option<Task> {
    let lower = name.to_ascii_lowercase();
    if lower.ends_with("_record") {
        None
    } else if lower.ends_with("_wait") {
        Some(Task::Wait)
    } else if lower.starts_with("memcpy") || lower.starts_with("memcopy") || lower.contains("dma") {
        Some(Task::Work(DeviceKind::Copy))
    } else {
        Some(Task::Work(DeviceKind::Kernel))
    }
}

/// What a record on such a device is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Task {
    /// It does something.
    Work(DeviceKind),
    /// It waits for another stream.
    Wait,
}

/// Whether a device record of category `kernel` is a whole graph replay in one row.
pub(super) fn is_graph_row(name: &str) -> bool {
    name.contains("GraphLaunch")
}

/// Whether the name of a kernel says nothing, so that the one its launch carries is better.
pub(super) fn is_generic(name: &str) -> bool {
    let generic = ["", "kernel", "unknown", "dispatch kernel", "kernelexecution"];
    name.len() <= 16 && generic.contains(&name.trim().to_ascii_lowercase().as_str())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn old_and_new_spellings_mean_the_same() {
        for (old, new) in [
            ("Kernel", "kernel"),
            ("Memcpy", "gpu_memcpy"),
            ("Memset", "gpu_memset"),
            ("Operator", "cpu_op"),
            ("Runtime", "cuda_runtime"),
            ("gpu_user_Annotation", "gpu_user_annotation"),
            ("async", "ac2g"),
        ] {
            assert_eq!(class(old), class(new), "{old}");
        }
        assert_eq!(class("blink.user_timing"), Class::Unknown);
    }

    #[test]
    fn the_table_has_each_name_once() {
        for (i, (name, _)) in TABLE.iter().enumerate() {
            assert_eq!(TABLE.iter().position(|row| row.0 == *name), Some(i), "{name}");
        }
    }
}
