//! Names of processes and threads, from metadata events: kept until it is known which are needed.

use flamelane_model::{StrId, Strings};
use rustc_hash::FxHashMap;

use super::lanes::Lanes;
use crate::json::Id;

/// Names by id. Some files name a hundred thousand rows that hold nothing, hence the bound.
#[derive(Debug, Default)]
pub(super) struct Labels {
    processes: FxHashMap<Id, StrId>,
    threads: FxHashMap<(Id, Id), StrId>,
    max: usize,
    /// Names that came after the bound.
    pub(super) n_dropped: u64,
}

impl Labels {
    pub(super) fn new(max: usize) -> Self {
        Self { max, ..Self::default() }
    }

    /// Takes a name; the last one given counts.
    pub(super) fn take(
        &mut self,
        is_process: bool,
        (pid, tid): (Id, Id),
        name: &[u8],
        strings: &mut Strings,
    ) {
        if self.processes.len() + self.threads.len() >= self.max {
            self.n_dropped += 1;
            return;
        }
        let name = strings.intern_bytes(name.trim_ascii());
        if is_process {
            self.processes.insert(pid, name);
        } else {
            self.threads.insert((pid, tid), name);
        }
    }

    /// Names the lanes and processes that exist.
    pub(super) fn apply(&self, lanes: &mut Lanes) {
        for (lane, (pid, tid)) in lanes.rows.iter_mut().zip(&lanes.ids) {
            if let Some(name) = self.threads.get(&(*pid, *tid))
                && *name != Strings::EMPTY
            {
                lane.name = *name;
            }
            if let Some(name) = self.processes.get(pid)
                && let Some(process) = lanes.processes.get_mut(lane.process.index())
            {
                process.name = *name;
            }
        }
    }
}
