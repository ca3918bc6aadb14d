//! Threads, and one lane for the asynchronous spans of each process and category.

use flamelane_model::{Lane, LaneId, LaneKind, Process, ProcessId, StrId, Strings};
use rustc_hash::FxHashMap;

use crate::json::{CategoryId, Id};

/// What a lane is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Row {
    /// A thread.
    Thread(Id),
    /// The asynchronous spans of a category.
    Async(CategoryId),
    /// Everything that came when there were too many lanes.
    Rest,
}

/// Lanes and processes, made when the first span needs them.
#[derive(Debug)]
pub(super) struct Lanes {
    pub(super) table: Vec<Lane>,
    pub(super) processes: Vec<Process>,
    /// What each lane and process stands for, in their order.
    rows: Vec<(Id, Row)>,
    pids: Vec<Id>,
    by_row: FxHashMap<(Id, Row), LaneId>,
    by_pid: FxHashMap<Id, ProcessId>,
    last: Option<(Id, Row, LaneId)>,
    max: usize,
    /// Spans that found no lane of their own.
    pub(super) n_crowded: u64,
    /// Names from metadata; few files name more rows than they use, hostile ones do.
    process_names: FxHashMap<Id, StrId>,
    thread_names: FxHashMap<(Id, Id), StrId>,
}

impl Lanes {
    pub(super) fn new(max: usize) -> Self {
        Self {
            table: Vec::new(),
            processes: Vec::new(),
            rows: Vec::new(),
            pids: Vec::new(),
            by_row: FxHashMap::default(),
            by_pid: FxHashMap::default(),
            last: None,
            max,
            n_crowded: 0,
            process_names: FxHashMap::default(),
            thread_names: FxHashMap::default(),
        }
    }

    /// The lane of a row.
    pub(super) fn lane(
        &mut self,
        pid: Id,
        row: Row,
        category: &str,
        strings: &mut Strings,
    ) -> LaneId {
        if let Some((last_pid, last_row, lane)) = self.last
            && (last_pid, last_row) == (pid, row)
        {
            return lane;
        }
        let lane = match self.by_row.get(&(pid, row)) {
            Some(lane) => *lane,
            None if self.table.len() >= self.max && row != Row::Rest => {
                self.n_crowded += 1;
                return self.lane(Id::Absent, Row::Rest, "", strings);
            }
            None => self.add(pid, row, category, strings),
        };
        self.last = Some((pid, row, lane));
        lane
    }

    /// Takes the name of a process.
    pub(super) fn name_process(&mut self, pid: Id, name: StrId) {
        if self.process_names.len() < self.max {
            self.process_names.insert(pid, name);
        }
    }

    /// Takes the name of a thread.
    pub(super) fn name_thread(&mut self, pid: Id, tid: Id, name: StrId) {
        if self.thread_names.len() < self.max {
            self.thread_names.insert((pid, tid), name);
        }
    }

    /// Gives names to the lanes and processes that exist: metadata may come last.
    pub(super) fn apply_names(&mut self) {
        for (process, pid) in self.processes.iter_mut().zip(&self.pids) {
            if let Some(name) = self.process_names.get(pid) {
                process.name = *name;
            }
        }
        for (lane, (pid, row)) in self.table.iter_mut().zip(&self.rows) {
            if let Row::Thread(tid) = row
                && let Some(name) = self.thread_names.get(&(*pid, *tid))
            {
                lane.name = *name;
            }
        }
    }

    fn add(&mut self, pid: Id, row: Row, category: &str, strings: &mut Strings) -> LaneId {
        let (id, name) = match row {
            Row::Thread(Id::Number(id)) => (id, strings.intern(&id.to_string())),
            Row::Thread(Id::Text(name)) => (0, name),
            Row::Thread(Id::Absent) => (0, strings.intern("0")),
            Row::Async(_) if category.is_empty() => (0, strings.intern("async")),
            Row::Async(_) => (0, strings.intern(&format!("async {category}"))),
            Row::Rest => (0, strings.intern("[other lanes]")),
        };
        let process = self.process(pid, strings);
        self.table.push(Lane { kind: LaneKind::Thread, process, device: None, id, name });
        self.rows.push((pid, row));
        let lane = LaneId::new(self.table.len() - 1);
        self.by_row.insert((pid, row), lane);
        lane
    }

    fn process(&mut self, pid: Id, strings: &mut Strings) -> ProcessId {
        if let Some(process) = self.by_pid.get(&pid) {
            return *process;
        }
        let label = match pid {
            Id::Number(number) => strings.intern(&number.to_string()),
            Id::Text(text) => text,
            Id::Absent => Strings::EMPTY,
        };
        self.processes.push(Process { label, name: Strings::EMPTY });
        self.pids.push(pid);
        let process = ProcessId::new(self.processes.len() - 1);
        self.by_pid.insert(pid, process);
        process
    }
}
