//! Several processes in one file.

use flamelane_link::{Rules, link};
use flamelane_read::{Content, Limits};

#[test]
fn a_process_waits_for_its_own_devices() {
    let call = |name: &str, pid: u32, at: u32, len: u32, id: u32| {
        format!(
            r#"{{"ph":"X","cat":"cuda_runtime","name":"{name}","pid":{pid},"tid":{pid},"ts":{at},"dur":{len},"args":{{"correlation":{id}}}}}"#
        )
    };
    let kernel = |device: u32, at: u32, len: u32, id: u32| {
        format!(
            r#"{{"ph":"X","cat":"kernel","name":"k","pid":{device},"tid":7,"ts":{at},"dur":{len},"args":{{"correlation":{id},"stream":7,"device":{device}}}}}"#
        )
    };
    let events = [
        call("cudaLaunchKernel", 1000, 0, 5, 1),
        kernel(0, 10, 40, 1),
        call("cudaDeviceSynchronize", 1000, 10, 100, 2),
        call("cudaLaunchKernel", 2000, 0, 5, 3),
        kernel(1, 10, 90, 3),
        call("cudaDeviceSynchronize", 2000, 10, 100, 4),
    ];
    let json = format!(r#"{{"traceEvents":[{}]}}"#, events.join(","));
    let read = flamelane_read::open(&mut json.as_bytes(), &Limits::default(), Some("kineto"));
    let Content::Trace(trace) = read.unwrap().content else { panic!("a trace") };
    let linked = link(*trace, Rules::default());
    let absorbed: Vec<i64> = linked.waits.iter().map(|wait| wait.absorbed).collect();
    assert_eq!(absorbed, [40_000, 90_000]);
}
