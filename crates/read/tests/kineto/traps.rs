//! The traps of the format, one test each: what real files do that a straight reading gets wrong.

use flamelane_model::{DeviceKind, FlowEnd, FrameKind, LaneKind, NONE, SyncKind, Trace};

use super::{event, read_all, trace_of};

fn host_names(trace: &Trace) -> Vec<&str> {
    trace.host.name.iter().map(|name| trace.text(*name)).collect()
}

#[test]
fn a_stream_argument_does_not_make_an_op_a_device_span() {
    let trace = trace_of(&[&event("cpu_op", "triton_poi", 5, r#""stream": 7, "device": 0"#)]);
    assert_eq!((trace.host.len(), trace.device.len()), (1, 0));
    assert_eq!(trace.host.kind[0], FrameKind::Op);
}

#[test]
fn stream_0_is_a_stream() {
    let trace = trace_of(&[&event("kernel", "k", 0, r#""device": 0, "stream": 0"#)]);
    let lane = trace.lane(trace.device.lane[0]);
    assert_eq!((lane.kind, lane.id), (LaneKind::Stream, 0));
}

#[test]
fn a_rocm_node_id_is_the_device_and_takes_the_one_description() {
    let text = format!(
        r#"{{"deviceProperties": [{{"id": 0, "name": "AMD Instinct MI300X", "totalGlobalMem": 206141652992}}, {{"id": 1, "name": "AMD Instinct MI300X", "totalGlobalMem": 206141652992}}], "traceEvents": [{}, {}]}}"#,
        event("kernel", "a", 3, r#""device": 9, "stream": 3"#),
        event("kernel", "b", 3, r#""device": 2, "stream": 3"#),
    );
    let (trace, _) = read_all(text.as_bytes());
    let ids: Vec<i64> = trace.devices.iter().map(|device| device.id).collect();
    assert_eq!(ids, [2, 9]);
    assert_eq!(trace.devices[trace.device_of(0).index()].id, 9);
    assert_eq!(trace.text(trace.devices[1].name), "AMD Instinct MI300X");
    assert_eq!(trace.devices[1].memory_bytes, 206_141_652_992);
}

#[test]
fn tids_and_pids_may_be_strings() {
    let op = r#"{"ph": "X", "cat": "Operator", "name": "op", "pid": "CPU functions", "tid": "24610", "ts": 1, "dur": 1}"#;
    let kernel = r#"{"ph": "X", "cat": "Kernel", "name": "k", "pid": 0, "tid": "stream 7", "ts": 2, "dur": 1, "args": {"correlation": 4}}"#;
    let trace = trace_of(&[op, kernel]);
    let thread = trace.lane(trace.host.lane[0]);
    assert_eq!((thread.id, trace.text(thread.name)), (24_610, "24610"));
    assert_eq!(trace.text(trace.process(thread.process).label), "CPU functions");
    let stream = trace.lane(trace.device.lane[0]);
    assert_eq!((stream.id, trace.text(stream.name)), (7, "stream 7"));
}

#[test]
fn tids_may_be_negative_large_or_0() {
    for tid in ["-549452224", "140234567890123", "0"] {
        let op = format!(
            r#"{{"ph": "X", "cat": "python_function", "name": "f", "pid": 0, "tid": {tid}, "ts": 1, "dur": 1}}"#
        );
        let trace = trace_of(&[&op]);
        assert_eq!(trace.lane(trace.host.lane[0]).id.to_string(), tid);
        assert_eq!(trace.lane(trace.host.lane[0]).kind, LaneKind::Thread);
    }
}

#[test]
fn a_kernel_may_be_named_kernel() {
    let trace = trace_of(&[&event("kernel", "Kernel", 7, r#""device": 0, "stream": 7"#)]);
    assert_eq!(trace.text(trace.device.name[0]), "Kernel");
}

#[test]
fn one_correlation_may_have_many_device_spans() {
    let launch = event("cuda_runtime", "cudaGraphLaunch", 1, r#""correlation": 9"#);
    let kernel = event("kernel", "k", 7, r#""stream": 7, "correlation": 9, "graph node id": 77"#);
    let trace = trace_of(&[&launch, &kernel, &kernel, &kernel]);
    assert_eq!(trace.device.correlation, [9, 9, 9]);
    assert_eq!(trace.device.graph_node, [77, 77, 77]);
    assert_eq!(trace.calls.correlation, [9]);
    assert_eq!(trace.device.kind, [DeviceKind::Kernel; 3]);
}

#[test]
fn correlation_0_and_minus_1_mean_none() {
    for id in ["0", "-1", "null", "\"\"", "18446744073709551615"] {
        let args = format!(r#""stream": 7, "correlation": {id}"#);
        let trace = trace_of(&[&event("kernel", "k", 7, &args)]);
        assert_eq!(trace.device.correlation, [NONE], "{id}");
    }
}

#[test]
fn external_ids_are_kept_as_they_are_and_aliases_are_left_to_the_linker() {
    let launch = event("cuda_runtime", "cudaMalloc", 1, r#""External id": 12, "correlation": 12"#);
    let op = event("cpu_op", "aten::mm", 1, r#""external id": 12"#);
    let trace = trace_of(&[&launch, &op]);
    assert_eq!((trace.calls.external[0], trace.op_links.external[0].1), (12, 12));
}

const FLOW_S: &str =
    r#"{"ph": "s", "id": 3, "pid": 4242, "tid": 1, "ts": 1.5, "cat": "ac2g", "name": "ac2g"}"#;
const FLOW_F: &str = r#"{"ph": "f", "id": 3, "pid": 0, "tid": 7, "ts": 4.0, "cat": "ac2g", "name": "ac2g", "bp": "e"}"#;

#[test]
fn flows_end_on_threads_too_and_need_no_partner() {
    let kernel = event("kernel", "k", 7, r#""device": 0, "stream": 7"#);
    let launch = event("cuda_runtime", "cudaLaunchKernel", 1, "");
    let on_thread = FLOW_F.replace("\"pid\": 0, \"tid\": 7", "\"pid\": 4242, \"tid\": 1");
    let trace = trace_of(&[&launch, &kernel, FLOW_S, FLOW_F, &on_thread, FLOW_S]);
    let kinds: Vec<_> =
        trace.flows.iter().map(|flow| (flow.end, trace.lane(flow.lane).kind)).collect();
    assert_eq!(
        kinds,
        [
            (FlowEnd::Start, LaneKind::Thread),
            (FlowEnd::Finish, LaneKind::Stream),
            (FlowEnd::Finish, LaneKind::Thread),
            (FlowEnd::Start, LaneKind::Thread),
        ]
    );
    assert_eq!(trace.flows[1].at + trace.origin, 4_000);
}

#[test]
fn flows_are_dropped_where_correlation_says_it_all() {
    let kernel = event("kernel", "k", 7, r#""stream": 7, "correlation": 3"#);
    let trace = trace_of(&[&kernel, FLOW_F]);
    assert!(trace.flows.is_empty());
    let phase = |ph: &str| trace.census[&(ph.to_owned(), "ac2g".to_owned())];
    assert_eq!(phase("f"), 1);
}

#[test]
fn forward_backward_flows_and_counters_are_only_counted() {
    let flow = FLOW_S.replace("ac2g", "fwdbwd");
    let memory = r#"{"ph": "i", "cat": "cpu_instant_event", "name": "[memory]", "s": "t", "pid": 1, "tid": 1, "ts": 1, "args": {"Bytes": -512}}"#;
    let counter = r#"{"ph": "C", "name": "c", "pid": "GPU 0 Counters", "ts": 1, "args": {"": 4}}"#;
    let trace = trace_of(&[&flow, memory, counter]);
    assert!(trace.lanes.is_empty() && trace.flows.is_empty() && trace.host.is_empty());
    assert_eq!(trace.census.values().sum::<u64>(), 3);
}

#[test]
fn sync_rows_make_no_lane_whatever_their_tid() {
    let rows: Vec<String> = ["-1", "1", "1000007", "7"]
        .iter()
        .map(|tid| {
            format!(
                r#"{{"ph": "X", "cat": "cuda_sync", "name": "Stream Sync", "pid": 0, "tid": {tid}, "ts": 1, "dur": 2, "args": {{"stream": 7, "device": 0, "correlation": 5}}}}"#
            )
        })
        .collect();
    let rows: Vec<&str> = rows.iter().map(String::as_str).collect();
    let trace = trace_of(&rows);
    assert!(trace.lanes.is_empty());
    assert!(trace.syncs.iter().all(|row| row.stream == 7 && row.kind == SyncKind::HostWait));
}

#[test]
fn a_sync_on_all_streams_is_4294967295_or_minus_1() {
    for stream in ["4294967295", "-1"] {
        let args = format!(r#""stream": {stream}, "device": 1"#);
        let trace = trace_of(&[&event("cuda_sync", "Context Sync", 1, &args)]);
        assert_eq!((trace.syncs[0].stream, trace.syncs[0].device), (NONE, 1));
    }
    let wait = event("cuda_sync", "Stream Wait Event", 20, r#""stream": 20, "device": 0"#);
    assert_eq!(trace_of(&[&wait]).syncs[0].kind, SyncKind::StreamWait);
}

#[test]
fn device_annotations_are_no_work() {
    for category in ["gpu_user_annotation", "gpu_user_Annotation"] {
        let trace = trace_of(&[&event(category, "step", 7, r#""External id": 3"#)]);
        assert!(trace.device.is_empty() && trace.host.is_empty() && trace.lanes.is_empty());
        assert_eq!(trace.extent.len(), 1_000);
    }
}

#[test]
fn overheads_are_on_process_minus_1_and_make_no_lane() {
    let row = r#"{"ph": "X", "cat": "overhead", "name": "Activity Buffer Request", "pid": -1, "tid": 0, "ts": 10, "dur": 1500}"#;
    let trace = trace_of(&[row]);
    assert_eq!(trace.overheads.span, [(0, 1_500_000)]);
    assert_eq!(trace.text(trace.overheads.name[0]), "Activity Buffer Request");
    assert!(trace.lanes.is_empty());
}

#[test]
fn metadata_names_rows_and_makes_none() {
    let name = |what: &str, pid: i64, tid: i64, name: &str| {
        format!(
            r#"{{"name": "{what}", "ph": "M", "ts": 0, "pid": {pid}, "tid": {tid}, "args": {{"name": "{name}"}}}}"#
        )
    };
    let op = event("cpu_op", "op", 1, "");
    let kernel = event("kernel", "k", 7, r#""stream": 7"#);
    let mut events = vec![
        name("process_name", 4242, 0, "python"),
        name("thread_name", 4242, 1, "thread 1 (main)"),
        op,
        kernel,
        name("thread_name", 0, 7, "stream 7 "),
    ];
    events.extend((1..2000).map(|pid| name("process_name", pid, 0, "GPU placeholder")));
    let events: Vec<&str> = events.iter().map(String::as_str).collect();
    let trace = trace_of(&events);
    let lanes: Vec<&str> = trace.lanes.iter().map(|lane| trace.text(lane.name)).collect();
    assert_eq!(lanes, ["thread 1 (main)", "stream 7"]);
    assert_eq!(trace.text(trace.process(trace.lanes[0].process).name), "python");
    assert_eq!(trace.processes.len(), 2);
}

#[test]
fn names_may_be_empty_or_invalid() {
    let empty = event("user_annotation", "", 1, "");
    let invalid = event("cuda_runtime", "INVALID", 1, r#""correlation": 3"#);
    let trace = trace_of(&[&empty, &invalid]);
    assert_eq!(host_names(&trace), ["", "INVALID"]);
    assert_eq!(trace.calls.len(), 1);
}

#[test]
fn modules_are_python_functions_by_name() {
    let function = event("python_function", "nn/linear.py(12): forward", 1, "");
    let module = event("python_function", "nn.Module: Linear_3", 1, "");
    let trace = trace_of(&[&function, &module]);
    assert_eq!(trace.host.kind, [FrameKind::Python, FrameKind::Module]);
}

#[test]
fn crossing_and_overlapping_spans_are_kept_as_they_are() {
    let crossing = [(0, 10), (5, 10), (7, 1)].map(|(ts, dur)| {
        format!(r#"{{"ph": "X", "cat": "cpu_op", "name": "op", "pid": 1, "tid": 1, "ts": {ts}, "dur": {dur}}}"#)
    });
    let crossing: Vec<&str> = crossing.iter().map(String::as_str).collect();
    let trace = trace_of(&crossing);
    assert_eq!(trace.host.start, [0, 5_000, 7_000]);
    assert_eq!(trace.host.end, [10_000, 15_000, 8_000]);
    let kernels: Vec<String> = crossing.iter().map(|row| row.replace("cpu_op", "kernel")).collect();
    let kernels: Vec<&str> = kernels.iter().map(String::as_str).collect();
    assert_eq!(trace_of(&kernels).device.len(), 3);
}

#[test]
fn zero_durations_and_times_of_0_are_spans() {
    let row = r#"{"ph": "X", "cat": "kernel", "name": "k", "pid": 0, "tid": 7, "ts": 0, "dur": 0, "args": {"stream": 7}}"#;
    let trace = trace_of(&[row, row]);
    assert_eq!((trace.device.len(), trace.origin), (2, 0));
    assert_eq!(trace.device.duration(0), 0);
}

#[test]
fn bytes_may_be_a_string_and_bandwidth_not_available() {
    let copy = event(
        "gpu_memcpy",
        "Memcpy HtoD (Pageable -> Device)",
        7,
        r#""stream": 7, "bytes": "4096", "memory bandwidth (GB/s)": "N/A""#,
    );
    let call = event("cuda_runtime", "hipMemcpyAsync", 1, r#""bytes": "512", "correlation": 2"#);
    let trace = trace_of(&[&copy, &call]);
    assert_eq!((trace.device.bytes[0], trace.calls.bytes[0]), (4_096, 512));
    assert_eq!(trace.device.kind, [DeviceKind::Copy]);
}

#[test]
fn cut_lists_of_ranks_and_nested_occupancy_are_skipped() {
    let args = r#""stream": 20, "Process Group Ranks": "[0, 1, ...]", "occupancy": {"correlation": 99, "x": ["]"]}, "correlation": 5"#;
    let trace = trace_of(&[&event("kernel", "ncclDevKernel", 20, args)]);
    assert_eq!(trace.device.correlation, [5]);
}

#[test]
fn a_generic_hip_kernel_takes_the_name_its_launch_carries() {
    let launch = event(
        "cuda_runtime",
        "hipLaunchKernel",
        1,
        r#""correlation": 5, "kernel": "void gemm<float>(int)""#,
    );
    let generic = event("kernel", "", 0, r#""stream": 0, "correlation": 5"#);
    let named = event("kernel", "Cijk_Alik", 0, r#""stream": 0, "correlation": 5"#);
    let trace = trace_of(&[&generic, &named, &launch]);
    let names: Vec<&str> = trace.device.name.iter().map(|name| trace.text(*name)).collect();
    assert_eq!(names, ["void gemm<float>(int)", "Cijk_Alik"]);
}

#[test]
fn ops_carry_sequence_numbers_and_forward_threads() {
    let forward = event("cpu_op", "aten::mm", 1, r#""Sequence number": 12, "Fwd thread id": 0"#);
    let backward =
        event("cpu_op", "MmBackward0", 2, r#""Sequence number": 12, "Fwd thread id": 3"#);
    let none = event("cpu_op", "aten::empty", 1, r#""Sequence number": -1, "Fwd thread id": 0"#);
    let trace = trace_of(&[&forward, &backward, &none]);
    let links: Vec<_> =
        trace.op_links.sequence.iter().map(|link| (link.0.0, link.1, link.2)).collect();
    assert_eq!(links, [(0, 12, 0), (1, 12, 3)]);
}

#[test]
fn an_unknown_category_is_counted_and_told() {
    let (trace, notes) = read_all(
        format!(
            r#"{{"deviceProperties": [], "traceEvents": [{}]}}"#,
            event("brand_new", "thing", 1, "")
        )
        .as_bytes(),
    );
    assert_eq!(notes.count("unknown-category"), 1);
    assert!(notes.iter().next().unwrap().first.contains("`brand_new`"));
    assert!(trace.host.is_empty());
    assert_eq!(trace.census[&("X".to_owned(), "brand_new".to_owned())], 1);
}

#[test]
fn an_opaque_graph_row_is_a_graph() {
    let row = event("kernel", "hipGraphLaunch", 0, r#""stream": 0, "correlation": 4"#);
    assert_eq!(trace_of(&[&row]).device.kind, [DeviceKind::Graph]);
}

#[test]
fn meta_and_ascend_accelerators_work_by_name() {
    let mtia = |name: &str| event("mtia_ccp_events", name, 3, r#""stream": 101, "correlation": 5"#);
    let rows = [mtia("merge"), mtia("dma_request"), mtia("event_record"), mtia("event_wait")];
    let rows: Vec<&str> = rows.iter().map(String::as_str).collect();
    let trace = trace_of(&rows);
    assert_eq!(trace.device.kind, [DeviceKind::Kernel, DeviceKind::Copy]);
    assert_eq!(trace.syncs.len(), 1);
    let ascend = r#"{"name": "MatMul1", "pid": 40508832, "tid": 12, "ts": "1727593954637694.602", "dur": 1542.2054443359375, "args": {"Task Type": "AI_CORE", "Stream Id": 12}, "ph": "X"}"#;
    let (trace, _) = read_all(format!("[{ascend}]").as_bytes());
    assert_eq!(trace.device.end, [1_542_205]);
    assert_eq!(trace.origin, 1_727_593_954_637_694_602);
}

#[test]
fn a_node_of_a_graph_has_one_number_however_it_is_written_and_may_carry_a_region() {
    let (whole, half) = (r#""graph node id": 21474836487"#, r#""graph node id": 7, "graph id": 5"#);
    let named = format!(r#""name": "layers.0.attention", "stream": 7, {half}"#);
    let trace = trace_of(&[
        &event("kernel", "a", 3, r#""stream": 7, "name": "no node""#),
        &event("kernel", "a", 3, &format!(r#""stream": 7, {whole}"#)),
        &event("kernel", "b", 3, &named),
    ]);
    assert_eq!(trace.device.graph_node, [NONE, (5 << 32) + 7, (5 << 32) + 7]);
    let regions = trace.graph_nodes.regions.iter().map(|&(span, name)| (span, trace.text(name)));
    assert_eq!(regions.collect::<Vec<_>>(), [(2, "layers.0.attention")]);
}
