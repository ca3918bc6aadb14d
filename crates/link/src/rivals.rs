//! Rivals: calls of several processes that carry one correlation id.
//!
//! Ids count from the start of each process, so that files put together from several recordings
//! hold most ids more than once. A stream's records belong to one process as a rule; which one is
//! told by ids that only one has, else by who launches just before the work starts.

use flamelane_model::{CallId, DeviceId, NONE, Ns, ProcessId, Trace};
use rustc_hash::FxHashMap;

/// Work that starts before its launch, or longer after it, is not that launch's.
const LONGEST: Ns = 60_000_000_000;

/// Rows of a file whose records belong together: of one process row and device.
type Unit = (ProcessId, Option<DeviceId>);

/// The processes whose calls carry correlation ids, up to two.
pub(crate) fn are_several(trace: &Trace) -> bool {
    let calls = trace.calls.span.iter().zip(&trace.calls.correlation);
    let mut processes = calls
        .filter(|(_, id)| **id != NONE)
        .map(|(span, _)| trace.lane(trace.host.lane[span.index()]).process);
    let first = processes.next();
    processes.any(|process| Some(process) != first)
}

/// One a device span: the call of its correlation id.
pub(crate) fn calls(trace: &Trace) -> Vec<Option<CallId>> {
    let claims = Claims::new(trace);
    let mut units: FxHashMap<Unit, Votes> = FxHashMap::default();
    for span in 0..trace.device.len() {
        units.entry(unit(trace, span)).or_default().add(&claims, trace, span);
    }
    // Counted once a unit: a look at all its processes for every span would cost the square.
    let homes: FxHashMap<Unit, Option<ProcessId>> =
        units.into_iter().map(|(unit, votes)| (unit, votes.home())).collect();
    let winner = |span: usize| {
        let home = homes.get(&unit(trace, span)).copied().flatten();
        let claims = claims.of(trace.device.correlation[span]);
        let own = claims.iter().find(|claim| Some(claim.process) == home);
        let nearest = || claims.iter().min_by_key(|claim| (claim.cost(trace, span), claim.process));
        own.or_else(nearest).map(|claim| claim.call)
    };
    (0..trace.device.len()).map(winner).collect()
}

fn unit(trace: &Trace, span: usize) -> Unit {
    let lane = trace.lane(trace.device.lane[span]);
    (lane.process, lane.device)
}

/// A call that carries an id.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Claim {
    id: i64,
    process: ProcessId,
    call: CallId,
}

impl Claim {
    /// How long before a device span the call began; the longest time where it cannot be its launch.
    fn cost(&self, trace: &Trace, span: usize) -> Ns {
        let at = trace.host.start[trace.calls.span[self.call.index()].index()];
        let latency = trace.device.start[span].saturating_sub(at);
        if (0..LONGEST).contains(&latency) { latency } else { LONGEST }
    }
}

/// All calls by id, the first of each process.
struct Claims(Vec<Claim>);

impl Claims {
    fn new(trace: &Trace) -> Self {
        let ids = trace.calls.correlation.iter().enumerate().filter(|(_, id)| **id != NONE);
        let claim = |(call, &id): (usize, &i64)| Claim {
            id,
            process: trace.lane(trace.host.lane[trace.calls.span[call].index()]).process,
            call: CallId::new(call),
        };
        let mut claims: Vec<Claim> = ids.map(claim).collect();
        claims.sort_unstable();
        claims.dedup_by_key(|claim| (claim.id, claim.process));
        Self(claims)
    }

    fn of(&self, id: i64) -> &[Claim] {
        let from = self.0.partition_point(|claim| claim.id < id);
        let many = self.0[from..].partition_point(|claim| claim.id <= id);
        if id == NONE { &[] } else { &self.0[from..from + many] }
    }
}

/// What the spans of a unit say of its process.
#[derive(Default)]
struct Votes {
    /// By process: how many spans only it claims, how many it claims, and their cost.
    by_process: FxHashMap<ProcessId, (u64, u64, i128)>,
    /// Contested spans, and those among them whose id came before in the unit.
    n_contested: u64,
    n_repeated: u64,
    seen: rustc_hash::FxHashSet<i64>,
}

/// Most processes weighed for one span: files of more are cut at the cheapest to find.
const MOST_CLAIMS: usize = 64;

impl Votes {
    fn add(&mut self, claims: &Claims, trace: &Trace, span: usize) {
        let id = trace.device.correlation[span];
        let claims = claims.of(id);
        if let [only] = claims {
            self.by_process.entry(only.process).or_default().0 += 1;
        } else if !claims.is_empty() {
            self.n_contested += 1;
            self.n_repeated += u64::from(!self.seen.insert(id));
        }
        for claim in claims.iter().take(MOST_CLAIMS) {
            let votes = self.by_process.entry(claim.process).or_default();
            votes.1 += 1;
            votes.2 += i128::from(claim.cost(trace, span));
        }
    }

    /// The one process whose spans these are; none where they are of several.
    fn home(&self) -> Option<ProcessId> {
        let n_sure = self.by_process.values().filter(|votes| votes.0 > 0).count();
        // Two recordings on one row hold each id of both twice.
        let are_mixed = n_sure > 1 || self.n_repeated * 3 > self.n_contested;
        let all = self.by_process.values().map(|votes| votes.1).max().unwrap_or(0);
        let missing = |claimed: u64| i128::from(all - claimed) * i128::from(LONGEST);
        let cost = |votes: &(u64, u64, i128)| votes.2 + missing(votes.1);
        let best = self.by_process.iter().min_by_key(|(process, votes)| (cost(votes), **process));
        best.map(|(process, _)| *process).filter(|_| !are_mixed)
    }
}
