//! Lost time: the idle pieces that findings may own, each by one at most.

use flamelane_link::{IdleClass, IdlePiece, Linked};
use flamelane_model::{Interval, Ns, StackId};

/// A piece of idle time of a device in the verdict, in a step that counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Lost {
    pub(crate) time: Interval,
    pub(crate) stack: StackId,
    pub(crate) class: IdleClass,
    /// The gap it is a piece of.
    pub(crate) gap: u32,
    /// Its step, or `NO_STEP`.
    pub(crate) step: u32,
    /// The draft that owns it.
    pub(crate) owner: Option<u32>,
    /// Whether it follows the last synchronise call of the capture: nothing more was to be done.
    pub(crate) is_over: bool,
}

impl Lost {
    /// Whether the host caused it.
    pub(crate) fn is_host(&self) -> bool {
        is_host(self.class)
    }

    /// Whether a rule may still take it: the host caused it and nobody has it.
    pub(crate) fn is_free(&self) -> bool {
        self.owner.is_none() && self.is_host() && !self.is_over
    }

    pub(crate) fn ns(&self) -> Ns {
        self.time.len()
    }

    /// Its first `most` ns, and what is left.
    pub(crate) fn split(&self, most: Ns) -> (Self, Option<Self>) {
        let Interval { from, to } = self.time;
        let until = from.saturating_add(most).min(to);
        let part = |from, to| Self { time: Interval::new(from, to), ..*self };
        (part(from, until), (until < to).then(|| part(until, to)))
    }
}

/// Whether idle time of a class is the host's.
pub(crate) fn is_host(class: IdleClass) -> bool {
    matches!(
        class,
        IdleClass::LateHost
            | IdleClass::UnrecordedHost
            | IdleClass::LaunchLatency
            | IdleClass::CopyCall
            | IdleClass::Overhead
    )
}

/// The lost pieces of one device, by time.
#[derive(Debug)]
pub(crate) struct DeviceLoss {
    /// Row of [`Linked::devices`].
    pub(crate) device: usize,
    pub(crate) pieces: Vec<Lost>,
}

/// All pieces that count. Time with work that was not recorded is left out.
pub(crate) fn collect(
    linked: &Linked,
    judged: &[usize],
    counts: impl Fn(u32) -> bool,
) -> Vec<DeviceLoss> {
    let of_device = |&device: &usize| {
        let step_of_gap = &linked.idle.step_of_gap[device];
        let lost = |piece: &IdlePiece| Lost {
            time: piece.time,
            stack: piece.stack,
            class: piece.class,
            gap: piece.gap,
            step: step_of_gap[piece.gap as usize],
            owner: None,
            is_over: false,
        };
        let pieces = linked.idle.pieces[device].iter();
        let believed = pieces.filter(|piece| piece.class != IdleClass::NotRecorded);
        let pieces = believed.map(lost).filter(|piece| counts(piece.step)).collect();
        DeviceLoss { device, pieces }
    };
    judged.iter().map(of_device).collect()
}
