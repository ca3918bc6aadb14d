//! Busy: when each device worked, on what, and when it did not.

use flamelane_model::{DeviceId, Interval, Ns, Trace};

use crate::families::{Class, Families};
use crate::trust::Trust;
use crate::window::Window;

/// Where a device's window went. The four first sum to the window's length.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Partition {
    /// Compute ran.
    pub compute: Ns,
    /// Communication ran, and no compute.
    pub comm: Ns,
    /// A copy ran, and neither of the above.
    pub copy: Ns,
    /// Nothing ran.
    pub idle: Ns,
    /// Communication ran behind compute.
    pub comm_hidden: Ns,
    /// A copy ran behind compute or communication.
    pub copy_hidden: Ns,
}

impl Partition {
    /// Adds another device's, saturating.
    pub fn add(&mut self, other: Self) {
        for (sum, more) in [
            (&mut self.compute, other.compute),
            (&mut self.comm, other.comm),
            (&mut self.copy, other.copy),
            (&mut self.idle, other.idle),
            (&mut self.comm_hidden, other.comm_hidden),
            (&mut self.copy_hidden, other.copy_hidden),
        ] {
            *sum = sum.saturating_add(more);
        }
    }
}

/// A maximal idle interval of a device, cut at the window's edges.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Gap {
    /// When.
    pub span: Interval,
    /// The device span that ended last before, if there is one.
    pub previous: Option<u32>,
    /// The device span that ends the gap inside the window; none at the tail.
    pub next: Option<u32>,
}

/// One device over the window.
#[derive(Clone, Debug)]
pub struct DeviceTime {
    /// Which.
    pub device: DeviceId,
    /// Believed spans by (start, stream, file order).
    pub order: Vec<u32>,
    /// When it was busy, over the whole file.
    pub busy: Vec<Interval>,
    /// Length of the window.
    pub wall: Ns,
    /// Sum of durations inside the window, concurrent spans in full.
    pub sum: Ns,
    /// Where the window went.
    pub partition: Partition,
    /// Its gaps, in order.
    pub gaps: Vec<Gap>,
}

impl DeviceTime {
    /// Busy time inside the window.
    pub fn busy_ns(&self) -> Ns {
        self.wall.saturating_sub(self.partition.idle)
    }
}

/// A piece of busy time in which the same spans run.
pub(crate) struct Piece<'a> {
    pub(crate) span: Interval,
    /// The spans running, by (start, stream, file order).
    pub(crate) running: &'a [u32],
}

/// What the sweeps of all devices share.
pub(crate) struct Ground<'a> {
    pub(crate) trace: &'a Trace,
    pub(crate) trust: &'a Trust,
    pub(crate) window: &'a Window,
    pub(crate) families: &'a Families,
    /// One a device span: start of its launch, `Ns::MIN` when it has none in the file.
    pub(crate) launched: &'a [Ns],
}

/// Sweeps one device with its `order`; `each` sees every piece of its busy time inside the window.
pub(crate) fn sweep(
    ground: &Ground<'_>,
    device: DeviceId,
    order: Vec<u32>,
    mut each: impl FnMut(&Piece<'_>),
) -> DeviceTime {
    let (busy, holes) = runs(ground, &order);
    let gaps = clip_gaps(&holes, ground.window);
    let wall = ground.window.wall();
    let mut time = DeviceTime {
        device,
        busy,
        wall,
        sum: 0,
        partition: Partition {
            idle: gaps.iter().fold(0, |sum, gap| gap.span.len().saturating_add(sum)),
            ..Partition::default()
        },
        gaps,
        order: Vec::new(),
    };
    let mut running = Running {
        pieces: &ground.window.pieces,
        spans: Vec::new(),
        at: Ns::MIN,
        scratch: Vec::new(),
    };
    let mut credit = |piece: &Piece<'_>| {
        credit(ground.families, piece, &mut time.partition);
        let sum = piece.span.len().saturating_mul(piece.running.len() as Ns);
        time.sum = time.sum.saturating_add(sum);
        each(piece);
    };
    for &span in &order {
        let (start, end) =
            (ground.trace.device.start[span as usize], ground.trust.end[span as usize]);
        running.advance(start, &mut credit);
        if end > start {
            running.start(span, end);
        }
    }
    running.advance(Ns::MAX, &mut credit);
    time.order = order;
    time
}

/// The believed spans of each device that has any, by (start, stream, file order).
pub(crate) fn orders(ground: &Ground<'_>) -> Vec<(DeviceId, Vec<u32>)> {
    let trace = ground.trace;
    let mut orders: Vec<Vec<u32>> = vec![Vec::new(); trace.devices.len()];
    for span in (0..trace.device.len()).filter(|&span| ground.trust.counts[span]) {
        orders[trace.device_of(span).index()].push(span as u32);
    }
    for order in &mut orders {
        order.sort_by_key(|&s| (trace.device.start[s as usize], trace.device.lane[s as usize]));
    }
    let orders = orders.into_iter().enumerate().filter(|(_, order)| !order.is_empty());
    orders.map(|(device, order)| (DeviceId::new(device), order)).collect()
}

/// Busy runs of a device over the whole file, and the holes before, between and after them.
fn runs(ground: &Ground<'_>, order: &[u32]) -> (Vec<Interval>, Vec<Gap>) {
    let start = |span: u32| ground.trace.device.start[span as usize];
    let end = |span: u32| ground.trust.end[span as usize];
    // At most one of each a span, and pages never written cost nothing.
    let mut busy: Vec<Interval> = Vec::with_capacity(order.len());
    let mut holes = Vec::with_capacity(order.len() + 1);
    let mut until = Ns::MIN;
    let mut last = None;
    for (position, &span) in order.iter().enumerate() {
        if end(span) <= start(span) {
            continue;
        }
        if start(span) > until || busy.is_empty() {
            let together = order[position..].iter().copied();
            let together = together.take_while(|&other| start(other) == start(span));
            let together = together.filter(|&other| end(other) > start(other));
            let next = together.min_by_key(|&other| (ground.launched[other as usize], other));
            holes.push(Gap { span: Interval::new(until, start(span)), previous: last, next });
            busy.push(Interval::new(start(span), end(span)));
        }
        if end(span) > until || last.is_none() {
            (until, last) = (end(span), Some(span));
        }
        if let Some(run) = busy.last_mut() {
            run.to = run.to.max(until);
        }
    }
    holes.push(Gap { span: Interval::new(until, Ns::MAX), previous: last, next: None });
    (busy, holes)
}

/// The parts of the holes inside the window. A hole that the window cuts short has no next span.
fn clip_gaps(holes: &[Gap], window: &Window) -> Vec<Gap> {
    let mut gaps = Vec::with_capacity(holes.len());
    let mut hole = 0;
    for piece in &window.pieces {
        while hole > 0 && holes[hole].span.from > piece.from {
            hole -= 1;
        }
        while hole < holes.len() && holes[hole].span.from < piece.to {
            let span = holes[hole].span.clip(*piece);
            if !span.is_empty() {
                let next = holes[hole].next.filter(|_| holes[hole].span.to < piece.to);
                gaps.push(Gap { span, next, ..holes[hole] });
            }
            hole += 1;
        }
        hole = hole.saturating_sub(1);
    }
    gaps
}

/// Adds a piece to the partition: compute before communication before copies.
fn credit(families: &Families, piece: &Piece<'_>, partition: &mut Partition) {
    let len = piece.span.len();
    let runs = |class| piece.running.iter().any(|&span| families.class[span as usize] == class);
    let (compute, comm, copy) = (runs(Class::Compute), runs(Class::Comm), runs(Class::Copy));
    let mut credit = |slot: fn(&mut Partition) -> &mut Ns| {
        let slot = slot(partition);
        *slot = slot.saturating_add(len);
    };
    if compute {
        credit(|partition| &mut partition.compute);
    } else if comm {
        credit(|partition| &mut partition.comm);
    } else {
        credit(|partition| &mut partition.copy);
    }
    if comm && compute {
        credit(|partition| &mut partition.comm_hidden);
    }
    if copy && (compute || comm) {
        credit(|partition| &mut partition.copy_hidden);
    }
}

/// The spans running at one instant.
struct Running<'w> {
    pieces: &'w [Interval],
    /// (span, believed end), in order of start.
    spans: Vec<(u32, Ns)>,
    at: Ns,
    scratch: Vec<u32>,
}

/// Most spans followed at once. Real devices run a few dozen; in a hostile file further ones only
/// prolong the last one followed, so that busy time stays exact and the sweep linear.
const MOST_RUNNING: usize = 512;

impl Running<'_> {
    fn start(&mut self, span: u32, end: Ns) {
        let is_full = self.spans.len() >= MOST_RUNNING;
        match self.spans.last_mut().filter(|_| is_full) {
            Some(last) => last.1 = last.1.max(end),
            None => self.spans.push((span, end)),
        }
    }

    /// Moves on to `to`, handing out each piece in between.
    fn advance(&mut self, to: Ns, each: &mut impl FnMut(&Piece<'_>)) {
        while let Some(end) = self.spans.iter().map(|span| span.1).min() {
            let until = end.min(to);
            if until > self.at {
                self.hand_out(Interval::new(self.at, until), each);
            }
            self.at = self.at.max(until);
            if end > to {
                return;
            }
            self.spans.retain(|span| span.1 > end);
        }
        self.at = to;
    }

    fn hand_out(&mut self, span: Interval, each: &mut impl FnMut(&Piece<'_>)) {
        while self.pieces.first().is_some_and(|piece| piece.to <= span.from) {
            self.pieces = &self.pieces[1..];
        }
        self.scratch.clear();
        self.scratch.extend(self.spans.iter().map(|span| span.0));
        for piece in self.pieces.iter().take_while(|piece| piece.from < span.to) {
            let inside = piece.clip(span);
            if !inside.is_empty() {
                each(&Piece { span: inside, running: &self.scratch });
            }
        }
    }
}
