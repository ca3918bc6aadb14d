//! Lanes, processes and devices, made when the first span needs them.

use flamelane_model::{
    Device, DeviceId, Lane, LaneId, LaneKind, NONE, Process, ProcessId, Strings,
};
use rustc_hash::FxHashMap;

use crate::json::Id;

/// What makes a lane: a thread of a process, or a stream of a device.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
struct Key {
    pid: Id,
    tid: Id,
    /// Device and stream; [`NONE`] for threads.
    device: i64,
    stream: i64,
}

/// The tables of lanes, and the last lanes used.
#[derive(Debug)]
pub(super) struct Lanes {
    pub(super) rows: Vec<Lane>,
    pub(super) processes: Vec<Process>,
    pub(super) devices: Vec<Device>,
    /// The pid and tid that each lane's records carry.
    pub(super) ids: Vec<(Id, Id)>,
    by_key: FxHashMap<Key, LaneId>,
    by_pid: FxHashMap<Id, ProcessId>,
    by_device: FxHashMap<i64, DeviceId>,
    last_thread: Option<((Id, Id), LaneId)>,
    last_stream: Option<(Key, LaneId)>,
    max_rows: usize,
    /// Spans that found no lane of their own.
    pub(super) n_crowded: u64,
    other_threads: Option<LaneId>,
    other_streams: Option<LaneId>,
}

impl Lanes {
    pub(super) fn new(max_rows: usize) -> Self {
        Self {
            rows: Vec::new(),
            processes: Vec::new(),
            devices: Vec::new(),
            ids: Vec::new(),
            by_key: FxHashMap::default(),
            by_pid: FxHashMap::default(),
            by_device: FxHashMap::default(),
            last_thread: None,
            last_stream: None,
            max_rows,
            n_crowded: 0,
            other_threads: None,
            other_streams: None,
        }
    }

    /// The lane of a host thread.
    #[inline]
    pub(super) fn thread(&mut self, pid: Id, tid: Id, strings: &mut Strings) -> LaneId {
        if let Some((last, lane)) = self.last_thread
            && last == (pid, tid)
        {
            return lane;
        }
        let key = Key { pid, tid, device: NONE, stream: NONE };
        let lane = match self.by_key.get(&key) {
            Some(lane) => *lane,
            None if self.rows.len() >= self.max_rows => return self.other_thread(strings),
            None => self.add(key, number(tid), None, strings),
        };
        self.last_thread = Some(((pid, tid), lane));
        lane
    }

    /// The lane of a stream; `device` and `stream` are [`NONE`] when the record does not say.
    #[inline]
    pub(super) fn stream(
        &mut self,
        (pid, tid): (Id, Id),
        device: i64,
        stream: i64,
        strings: &mut Strings,
    ) -> LaneId {
        let device = if device == NONE { number(pid) } else { device };
        let stream = if stream == NONE { stream_number(tid, strings) } else { stream };
        // The tid may be that of a thread-like row; the stream is what counts.
        let key = Key { pid, tid: Id::Absent, device, stream };
        if let Some((last, lane)) = self.last_stream
            && last == key
        {
            return lane;
        }
        let lane = match self.by_key.get(&key) {
            Some(lane) => *lane,
            None if self.rows.len() >= self.max_rows => {
                return self.other_stream(device, strings);
            }
            None => {
                let on = self.device(device);
                let lane = self.add(key, stream, Some(on), strings);
                self.ids[lane.index()] = (pid, tid);
                if let Id::Text(text) = tid {
                    self.rows[lane.index()].name = text;
                }
                lane
            }
        };
        self.last_stream = Some((key, lane));
        lane
    }

    fn add(
        &mut self,
        key: Key,
        id: i64,
        device: Option<DeviceId>,
        strings: &mut Strings,
    ) -> LaneId {
        let lane = LaneId::new(self.rows.len());
        let kind = if device.is_some() { LaneKind::Stream } else { LaneKind::Thread };
        let process = self.process(key.pid, strings);
        let name = match key.tid {
            Id::Text(text) => text,
            _ => strings.intern(&id.to_string()),
        };
        self.rows.push(Lane { kind, process, device, id, name });
        self.ids.push((key.pid, key.tid));
        self.by_key.insert(key, lane);
        lane
    }

    /// The process that a pid names.
    pub(super) fn process(&mut self, pid: Id, strings: &mut Strings) -> ProcessId {
        if let Some(process) = self.by_pid.get(&pid) {
            return *process;
        }
        let label = match pid {
            Id::Text(text) => text,
            Id::Number(number) => strings.intern(&number.to_string()),
            Id::Absent => Strings::EMPTY,
        };
        let process = ProcessId::new(self.processes.len());
        self.processes.push(Process { label, name: Strings::EMPTY });
        self.by_pid.insert(pid, process);
        process
    }

    fn device(&mut self, id: i64) -> DeviceId {
        if let Some(device) = self.by_device.get(&id) {
            return *device;
        }
        let device = DeviceId::new(self.devices.len());
        self.devices.push(Device { id, process: None, name: Strings::EMPTY, memory_bytes: 0 });
        self.by_device.insert(id, device);
        device
    }

    fn other_thread(&mut self, strings: &mut Strings) -> LaneId {
        self.n_crowded += 1;
        if let Some(lane) = self.other_threads {
            return lane;
        }
        let lane = self.crowd(LaneKind::Thread, None, strings);
        self.other_threads = Some(lane);
        lane
    }

    fn other_stream(&mut self, device: i64, strings: &mut Strings) -> LaneId {
        self.n_crowded += 1;
        if let Some(lane) = self.other_streams {
            return lane;
        }
        let on = self.device(device);
        let lane = self.crowd(LaneKind::Stream, Some(on), strings);
        self.other_streams = Some(lane);
        lane
    }

    /// The lane that all share which come too late for their own.
    fn crowd(&mut self, kind: LaneKind, device: Option<DeviceId>, strings: &mut Strings) -> LaneId {
        let lane = LaneId::new(self.rows.len());
        let process = self.process(Id::Text(strings.intern("[other lanes]")), strings);
        let name = strings.intern("[other lanes]");
        self.rows.push(Lane { kind, process, device, id: 0, name });
        self.ids.push((Id::Absent, Id::Absent));
        lane
    }

    /// Puts devices in the order of their ids.
    pub(super) fn sort_devices(&mut self) {
        let mut order: Vec<usize> = (0..self.devices.len()).collect();
        order.sort_by_key(|old| self.devices[*old].id);
        let mut renamed = vec![DeviceId(0); order.len()];
        for (new, old) in order.iter().enumerate() {
            renamed[*old] = DeviceId::new(new);
        }
        self.devices = order.iter().map(|old| self.devices[*old].clone()).collect();
        for lane in &mut self.rows {
            lane.device = lane.device.map(|old| renamed[old.index()]);
        }
    }
}

/// An id as a number, 0 where it is none.
pub(super) fn number(id: Id) -> i64 {
    match id {
        Id::Number(number) => number,
        _ => 0,
    }
}

/// The stream that a tid names: a number, or `stream 7` in files of 2021.
fn stream_number(tid: Id, strings: &Strings) -> i64 {
    match tid {
        Id::Text(text) => {
            let text = strings.text(text);
            let digits = text.strip_prefix("stream ").unwrap_or_default().trim();
            digits.parse().unwrap_or(0)
        }
        _ => number(tid),
    }
}
