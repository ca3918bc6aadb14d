//! What stands around the events: device properties, versions, names of lanes, the recording span.

use std::fmt::Write as _;
use std::io;

use crate::capture::Capture;
use crate::event_text::{EventText, Lane, micros};

const DEVICE: &str = "\"name\": \"NVIDIA H100 80GB HBM3\", \"totalGlobalMem\": 85018279936,
      \"computeMajor\": 9, \"computeMinor\": 0,
      \"maxThreadsPerBlock\": 1024, \"maxThreadsPerMultiprocessor\": 2048,
      \"regsPerBlock\": 65536, \"warpSize\": 32,
      \"sharedMemPerBlock\": 49152, \"numSms\": 132
    , \"regsPerMultiprocessor\": 65536, \"sharedMemPerBlockOptin\": 232448, \
    \"sharedMemPerMultiprocessor\": 233472\n    }";
const VERSIONS: &str = "
      \"cupti_version\": 26,
      \"cuda_runtime_version\": 12080,
      \"cuda_driver_version\": 12080,
      \"record_shapes\": 1,
      \"with_stack\": 1,
      \"profile_memory\": 1,
";
/// Kineto names this many devices, present or not.
const GPU_PLACEHOLDERS: i64 = 16;

impl Capture {
    pub(crate) fn write_header(&self, text: &mut EventText<'_>) {
        text.raw(" {\n    \"schemaVersion\": 1,\n    \"deviceProperties\": [");
        for ordinal in 0..=self.device_ordinals().last().copied().unwrap_or(0) {
            let comma = if ordinal == 0 { "" } else { "," };
            text.raw(&format!("{comma}\n    {{\n      \"id\": {ordinal}, {DEVICE}"));
        }
        text.raw("\n  ],");
        text.raw(VERSIONS);
        if let Some((rank, world)) = self.rank {
            let ranks: Vec<String> = (0..world).map(|r| r.to_string()).collect();
            text.raw(&format!(
                "      \"distributedInfo\": {{\"backend\": \"nccl\", \"rank\": {rank}, \
                 \"world_size\": {world}, \"pg_count\": 1, \"pg_config\": [{{\"pg_name\": \"0\", \
                 \"pg_desc\": \"default_pg\", \"backend_config\": \"cuda:nccl\", \"pg_size\": \
                 {world}, \"ranks\": [{}]}}], \"nccl_version\": \"2.27.5\"}},\n",
                ranks.join(", ")
            ));
        }
        text.raw(&format!(
            "      \"trace_id\": \"8DAB11E6838A4F0881AF82BBC8CF6A40\",\n    \"displayTimeUnit\": \
             \"ms\",\n    \"baseTimeNanoseconds\": {},\n    \"traceEvents\": [\n    ",
            self.base_ns
        ));
    }

    pub(crate) fn write_metadata(&self, text: &mut EventText<'_>) -> io::Result<()> {
        self.name_process(text, self.pid, ("CPU", self.pid));
        for gpu in 0..GPU_PLACEHOLDERS {
            self.name_process(text, gpu, (&format!("GPU {gpu}"), 5_000_000 + gpu));
        }
        for thread in &self.threads {
            let lane = Lane { pid: self.pid, tid: thread.tid };
            self.name_lane(text, lane, &format!("thread {} ({})", thread.tid, thread.name));
            text.spill()?;
        }
        let mut streams: Vec<(u16, u32)> =
            self.devices.iter().map(|span| (span.device, span.stream)).collect();
        streams.sort_unstable();
        streams.dedup();
        for (device, stream) in streams {
            let lane = Lane { pid: i64::from(device), tid: i64::from(stream) };
            self.name_lane(text, lane, &format!("stream {stream} "));
        }
        Ok(())
    }

    fn name_process(&self, text: &mut EventText<'_>, pid: i64, (label, sort): (&str, i64)) {
        let lane = Lane { pid, tid: 0 };
        text.metadata("process_name", lane, self.from, ("name", "\"python3\""));
        text.metadata("process_labels", lane, self.from, ("labels", &format!("\"{label}\"")));
        text.metadata("process_sort_index", lane, self.from, ("sort_index", &sort.to_string()));
    }

    fn name_lane(&self, text: &mut EventText<'_>, lane: Lane, name: &str) {
        text.metadata("thread_name", lane, self.from, ("name", &format!("\"{name}\"")));
        let sort = lane.tid.to_string();
        text.metadata("thread_sort_index", lane, self.from, ("sort_index", &sort));
    }

    pub(crate) fn write_footer(&self, text: &mut EventText<'_>) {
        let mut from = String::new();
        micros(&mut from, self.from);
        let mut to = String::new();
        micros(&mut to, self.to);
        let mut dur = String::new();
        micros(&mut dur, self.to - self.from);
        let mut foot = String::new();
        _ = write!(
            foot,
            "\n  {{\n    \"ph\": \"X\", \"cat\": \"Trace\", \"ts\": {from}, \"dur\": {dur},\n    \
             \"pid\": \"Spans\", \"tid\": \"PyTorch Profiler\",\n    \"name\": \"PyTorch Profiler \
             (0)\",\n    \"args\": {{\n      \"Op count\": 0\n    }}\n  }},\n  {{\n    \"name\": \
             \"process_sort_index\", \"ph\": \"M\", \"ts\": {from},\n    \"pid\": \"Spans\", \
             \"tid\": 0,\n    \"args\": {{\n      \"sort_index\": 536870912\n    }}\n  }},\n  {{\n    \
             \"name\": \"Iteration Start: PyTorch Profiler\", \"ph\": \"i\", \"s\": \"g\",\n    \
             \"pid\": \"Traces\", \"tid\": \"Trace PyTorch Profiler\", \"ts\": {from}\n  }},\n  \
             {{\n    \"name\": \"Record Window End\", \"ph\": \"i\", \"s\": \"g\",\n    \"pid\": \
             \"\", \"tid\": \"\", \"ts\": {to}\n  }}\n  ],\n  \"traceName\": \"trace.json\"\n}}\n"
        );
        text.raw(&foot);
    }
}
