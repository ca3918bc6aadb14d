//! What names say, looked up once a name.

use flamelane_link::{CallKind, Linked, call_kind};
use flamelane_model::{FrameKind, StackId, StrId};

use crate::script::Direction;

/// What a call does besides launching.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Role {
    /// Records an event.
    Records,
    /// Makes a stream wait for an event.
    StreamWaits,
    /// The host waits for an event.
    WaitsForEvent,
    /// The host waits for a stream.
    WaitsForStream,
    /// The host waits for a device.
    WaitsForDevice,
}

/// What the name of a call says.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Named {
    pub(crate) kind: CallKind,
    pub(crate) role: Option<Role>,
}

/// What the name of a copy says.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Copied {
    pub(crate) direction: Direction,
    pub(crate) to_pageable: bool,
}

/// What a thread does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Rest {
    /// It runs something.
    Runs,
    /// It waits for another thread.
    Waits,
    /// Nothing is recorded of it.
    Unseen,
}

/// Names seen so far; one row a string.
pub(crate) struct Names<'a> {
    linked: &'a Linked,
    calls: Vec<Option<Named>>,
    copies: Vec<Option<Copied>>,
    waits: Vec<Option<bool>>,
}

/// Builtins in which a thread waits for another.
const WAITS: [&str; 3] = ["acquire of _thread", "run_backward", "of _queue."];

impl<'a> Names<'a> {
    pub(crate) fn new(linked: &'a Linked) -> Self {
        let n_strings = linked.trace.strings.len();
        Self {
            linked,
            calls: vec![None; n_strings],
            copies: vec![None; n_strings],
            waits: vec![None; n_strings],
        }
    }

    pub(crate) fn call(&mut self, name: StrId) -> Named {
        *self.calls[name.index()].get_or_insert_with(|| named(self.linked.trace.text(name)))
    }

    pub(crate) fn copy(&mut self, name: StrId) -> Copied {
        *self.copies[name.index()].get_or_insert_with(|| copied(self.linked.trace.text(name)))
    }

    /// What a thread with that stack open does.
    pub(crate) fn rest(&mut self, stack: Option<StackId>) -> Rest {
        let Some(stack) = stack else { return Rest::Unseen };
        let frame = self.linked.nested.stacks.frame(stack);
        match frame.kind {
            // Below a range nothing is recorded.
            FrameKind::Thread | FrameKind::Annotation => Rest::Unseen,
            FrameKind::Python => {
                let waits = *self.waits[frame.name.index()].get_or_insert_with(|| {
                    let text = self.linked.trace.text(frame.name);
                    WAITS.iter().any(|word| text.contains(word))
                });
                if waits { Rest::Waits } else { Rest::Runs }
            }
            _ => Rest::Runs,
        }
    }
}

fn named(name: &str) -> Named {
    let kind = call_kind(name);
    let role = if kind.waits_event {
        Some(Role::StreamWaits)
    } else if name.contains("EventRecord") {
        Some(Role::Records)
    } else if !kind.syncs {
        None
    } else if name.contains("Event") {
        Some(Role::WaitsForEvent)
    } else if name.contains("Stream") {
        Some(Role::WaitsForStream)
    } else {
        Some(Role::WaitsForDevice)
    };
    Named { kind, role }
}

fn copied(name: &str) -> Copied {
    let direction = if name.contains("HtoD") || name.contains("HostToDevice") {
        Direction::ToDevice
    } else if name.contains("DtoH") || name.contains("DeviceToHost") {
        Direction::ToHost
    } else {
        Direction::Other
    };
    Copied { direction, to_pageable: name.contains("-> Pageable") }
}
