//! Events: where threads record them, and which of them the host waits for.

use crate::events::{LATE, WAITED, back};
use crate::script::{On, Script, Wait};

/// A wait for an event lies at most this many records behind.
const MOST_BEHIND: usize = 8;

/// What each thread records and waits for, in order.
#[derive(Default)]
pub(crate) struct Records {
    threads: Vec<Thread>,
}

#[derive(Default)]
struct Thread {
    records: Vec<Record>,
    waits: Vec<Waiting>,
}

/// A recorded event: the last span of the stream that it was recorded on.
struct Record {
    span: usize,
    /// A stream waits for it, so the host does not.
    used: bool,
}

struct Waiting {
    event: usize,
    /// Records before it.
    before: usize,
}

impl Records {
    fn thread(&mut self, thread: usize) -> &mut Thread {
        if thread >= self.threads.len() {
            self.threads.resize_with(thread + 1, Thread::default);
        }
        &mut self.threads[thread]
    }

    pub(crate) fn record(&mut self, thread: usize, span: Option<usize>) {
        if let Some(span) = span {
            self.thread(thread).records.push(Record { span, used: false });
        }
    }

    pub(crate) fn wait(&mut self, thread: usize, event: usize) {
        let thread = self.thread(thread);
        let before = thread.records.len();
        thread.waits.push(Waiting { event, before });
    }

    /// The event that a thread recorded last; a stream waits for it.
    pub(crate) fn last(&mut self, thread: usize) -> Option<usize> {
        let record = self.thread(thread).records.last_mut()?;
        record.used = true;
        Some(record.span)
    }

    /// Gives each wait of the host its record.
    pub(crate) fn match_waits(&self, script: &mut Script) {
        for thread in self.threads.iter().filter(|thread| !thread.waits.is_empty()) {
            thread.match_waits(script);
        }
    }
}

impl Thread {
    fn match_waits(&self, script: &mut Script) {
        let records: Vec<usize> =
            self.records.iter().filter(|record| !record.used).map(|record| record.span).collect();
        let mut n_before = vec![0; self.records.len() + 1];
        for (row, record) in self.records.iter().enumerate() {
            n_before[row + 1] = n_before[row] + usize::from(!record.used);
        }
        let behind = self.behind(script, &records, &n_before);
        for wait in &self.waits {
            let time = script.events[wait.event].time;
            let span = n_before[wait.before].checked_sub(behind + 1).map(|row| records[row]);
            let ended = span.filter(|&span| script.spans[span].time.to <= time.to);
            let on = ended.map_or(On::Nothing, On::Span);
            let back = ended.and_then(|span| back(time, script.spans[span].time.to));
            script.events[wait.event].wait = Some(Wait { on, back });
        }
    }

    /// How many records lie between a wait and the one it waits for. Waits that really waited show
    /// it; else the first wait is for the first record.
    fn behind(&self, script: &Script, records: &[usize], n_before: &[usize]) -> usize {
        let mut votes = [0_usize; MOST_BEHIND];
        for wait in &self.waits {
            let time = script.events[wait.event].time;
            if time.len() < WAITED {
                continue;
            }
            let recent = records[..n_before[wait.before]].iter().rev().take(MOST_BEHIND);
            let ends = recent.map(|&span| script.spans[span].time.to);
            let woke =
                |end| end > time.from && end <= time.to && time.to.saturating_sub(end) <= LATE;
            if let Some(behind) = ends.into_iter().position(woke) {
                votes[behind] += 1;
            }
        }
        let most = (0..MOST_BEHIND).max_by_key(|&by| (votes[by], std::cmp::Reverse(by)));
        match most.filter(|&by| votes[by] > 0) {
            Some(by) => by,
            None => self.waits.first().map_or(0, |wait| n_before[wait.before].saturating_sub(1)),
        }
    }
}
