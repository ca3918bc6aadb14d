//! Enqueued: every call that launched device work, with what it met.

use flamelane_model::{CallId, Interval, Ns};

use crate::linked::Linked;

/// A call that launched device work, and the first span that it launched.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Enqueued {
    pub(crate) call: CallId,
    /// The call, from its start to its return.
    pub(crate) time: Interval,
    /// The first of its device spans.
    pub(crate) span: u32,
    /// When the last of its device spans ends.
    pub(crate) until: Ns,
    /// Device spans that it launched.
    pub(crate) n_spans: u32,
    /// Whether its stream had nothing left to do when the call began.
    pub(crate) was_idle: bool,
    /// Whether its stream had done nothing before.
    pub(crate) is_first: bool,
}

impl Enqueued {
    /// From the start of the call to the start of the work; negative where clocks disagree.
    pub(crate) fn delay(&self, linked: &Linked) -> Ns {
        linked.trace.device.start[self.span as usize].saturating_sub(self.time.from)
    }
}

/// The launching calls of each device, by the start of the call.
pub(crate) fn enqueued(linked: &Linked) -> Vec<Vec<Enqueued>> {
    let mut row_of = vec![u32::MAX; linked.trace.calls.len()];
    // One for all devices: a lane is of one of them.
    let mut busy_until: Vec<Option<Ns>> = vec![None; linked.trace.lanes.len()];
    let mut of = |order: &[u32]| of_device(linked, order, &mut row_of, &mut busy_until);
    linked.devices.iter().map(|device| of(&device.order)).collect()
}

fn of_device(
    linked: &Linked,
    order: &[u32],
    row_of: &mut [u32],
    busy_until: &mut [Option<Ns>],
) -> Vec<Enqueued> {
    let trace = &linked.trace;
    let mut all: Vec<Enqueued> = Vec::new();
    let mut calls = Vec::new();
    for &span in order {
        let end = linked.trust.end[span as usize];
        let before = &mut busy_until[trace.device.lane[span as usize].index()];
        if let Some(call) = linked.origins[span as usize].call() {
            let row = &mut row_of[call.index()];
            if let Some(known) = all.get_mut(*row as usize).filter(|known| known.call == call) {
                known.until = known.until.max(end);
                known.n_spans += 1;
            } else {
                let host = trace.calls.span[call.index()].index();
                let time = Interval::new(trace.host.start[host], trace.host.end[host]);
                *row = all.len() as u32;
                calls.push(call);
                all.push(Enqueued {
                    call,
                    time,
                    span,
                    until: end,
                    n_spans: 1,
                    was_idle: before.is_none_or(|until| until <= time.from),
                    is_first: before.is_none(),
                });
            }
        }
        *before = Some(before.unwrap_or(Ns::MIN).max(end));
    }
    // Rows of one device mean nothing to the next.
    for call in calls {
        row_of[call.index()] = u32::MAX;
    }
    all.sort_by_key(|launch| (launch.time.from, launch.call.0));
    all
}
