//! Devices: an accelerator of one process.
//!
//! Two processes may share a device, or call different ones by one number. A row of the file that
//! holds work of several becomes one lane and one device a process.

use flamelane_model::{CallId, Device, DeviceId, Lane, LaneId, LaneKind, ProcessId, Trace};
use rustc_hash::FxHashMap;

/// Gives each device the process that launches on it; splits rows that several launch on.
///
/// `calls` has one entry a device span: its launch. Where the reader knows the processes of devices
/// nothing changes.
pub(crate) fn settle(trace: &mut Trace, calls: &[Option<CallId>]) {
    if trace.devices.iter().any(|device| device.process.is_some()) {
        return;
    }
    let of_call =
        |call: CallId| trace.lane(trace.host.lane[trace.calls.span[call.index()].index()]).process;
    let processes: Vec<Option<ProcessId>> = calls.iter().map(|call| call.map(of_call)).collect();
    let mut launching = processes.iter().flatten();
    let Some(&first) = launching.next() else { return };
    if launching.all(|process| *process == first) {
        trace.devices.iter_mut().for_each(|device| device.process = Some(first));
        return;
    }
    let tenants = Tenants::new(trace, &processes);
    split_lanes(trace, &processes, &tenants);
}

/// Which processes launch where, the one with most spans first.
struct Tenants {
    of_lane: Vec<Vec<ProcessId>>,
}

impl Tenants {
    fn new(trace: &Trace, processes: &[Option<ProcessId>]) -> Self {
        let mut by_lane: FxHashMap<(LaneId, ProcessId), u64> = FxHashMap::default();
        let mut by_row: FxHashMap<(ProcessId, Option<DeviceId>, ProcessId), u64> =
            FxHashMap::default();
        for (&lane, process) in trace.device.lane.iter().zip(processes) {
            let Some(process) = *process else { continue };
            let row = trace.lane(lane);
            *by_lane.entry((lane, process)).or_default() += 1;
            *by_row.entry((row.process, row.device, process)).or_default() += 1;
        }
        let mut most: FxHashMap<(ProcessId, Option<DeviceId>), (u64, ProcessId)> =
            FxHashMap::default();
        let mut rows: Vec<_> = by_row.into_iter().collect();
        rows.sort_unstable();
        for ((row, device, process), count) in rows {
            let slot = most.entry((row, device)).or_insert((count, process));
            if count > slot.0 {
                *slot = (count, process);
            }
        }
        let mut counts: Vec<_> = by_lane.into_iter().collect();
        counts.sort_unstable_by_key(|&((lane, process), n)| (lane, std::cmp::Reverse(n), process));
        let mut of_lane: Vec<Vec<ProcessId>> = vec![Vec::new(); trace.lanes.len()];
        for ((lane, process), _) in counts {
            of_lane[lane.index()].push(process);
        }
        // A stream of which no launch is known is its neighbours'.
        for (lane, tenants) in trace.lanes.iter().zip(&mut of_lane) {
            if lane.kind == LaneKind::Stream && tenants.is_empty() {
                tenants.extend(most.get(&(lane.process, lane.device)).map(|most| most.1));
            }
        }
        Self { of_lane }
    }
}

fn split_lanes(trace: &mut Trace, processes: &[Option<ProcessId>], tenants: &Tenants) {
    let mut keys: Vec<(i64, Option<ProcessId>, DeviceId)> = Vec::new();
    let mut lane_of: FxHashMap<(LaneId, ProcessId), LaneId> = FxHashMap::default();
    let mut owner: Vec<Option<ProcessId>> = vec![None; trace.lanes.len()];
    for row in 0..tenants.of_lane.len() {
        let Some(device) = trace.lanes[row].device else { continue };
        let id = trace.devices[device.index()].id;
        let Some((&first, others)) = tenants.of_lane[row].split_first() else {
            keys.push((id, None, device));
            continue;
        };
        owner[row] = Some(first);
        keys.push((id, Some(first), device));
        for &other in others {
            let lane: Lane = trace.lanes[row].clone();
            lane_of.insert((LaneId::new(row), other), LaneId::new(trace.lanes.len()));
            trace.lanes.push(lane);
            owner.push(Some(other));
            keys.push((id, Some(other), device));
        }
    }
    keys.sort_unstable();
    keys.dedup();
    let row_of: FxHashMap<(DeviceId, Option<ProcessId>), DeviceId> = keys
        .iter()
        .enumerate()
        .map(|(row, &(_, process, old))| ((old, process), DeviceId::new(row)))
        .collect();
    let device = |&(_, process, old): &(i64, Option<ProcessId>, DeviceId)| Device {
        process,
        ..trace.devices[old.index()].clone()
    };
    trace.devices = keys.iter().map(device).collect();
    for (lane, process) in trace.lanes.iter_mut().zip(owner) {
        lane.device = lane.device.and_then(|old| row_of.get(&(old, process)).copied());
    }
    for (lane, process) in trace.device.lane.iter_mut().zip(processes) {
        let moved = process.and_then(|process| lane_of.get(&(*lane, process)));
        *lane = moved.copied().unwrap_or(*lane);
    }
}
