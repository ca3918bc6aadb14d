//! The lead rule: what a blocking call costs.
//!
//! Λ of a blocking call is the device time it absorbed that was launched before it, or by it where it
//! copies: the lead that it destroyed. The call owns the late-host idle time after it, up to Λ in
//! all. A later call that absorbs no more than what is left of Λ joins it; the chain ends when Λ is
//! spent, when the host is Λ ahead again, or at a call that absorbs more.

use std::collections::BTreeMap;

use flamelane_link::{Linked, Origin, Sites, Wait};
use flamelane_model::{DeviceKind, FrameKind, Interval, LaneId, Ns, StackId, StrId};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::draft::{Draft, Drafts};
use crate::finding::{Figure, Words};
use crate::kind::Kind;
use crate::lost::{DeviceLoss, Lost};
use crate::scene::Scene;
use crate::traits::Traits;
use crate::words::time;

/// A blocking call as one device sees it.
#[derive(Clone, Copy)]
struct Blocker {
    time: Interval,
    stack: StackId,
    kind: Kind,
    is_sync: bool,
    /// Λ.
    lead: Ns,
}

/// The device's launches by time, and how far ahead each leaves the host.
struct Lead {
    /// (time of the launch, latest end of all work launched until then), by time.
    launches: Vec<(Ns, Ns)>,
}

impl Lead {
    fn new(linked: &Linked, device: usize) -> Self {
        let order = &linked.devices[device].order;
        let known =
            order.iter().filter(|&&span| linked.origins[span as usize] != Origin::Unattributed);
        let mut launches: Vec<(Ns, Ns)> = known
            .map(|&span| (linked.launched[span as usize], linked.trust.end[span as usize]))
            .collect();
        launches.sort_unstable();
        let mut latest = Ns::MIN;
        for (_, end) in &mut launches {
            latest = latest.max(*end);
            *end = latest;
        }
        Self { launches }
    }

    /// Latest end of the work launched at or before `at`.
    fn horizon(&self, at: Ns) -> Ns {
        let after = self.launches.partition_point(|&(launched, _)| launched <= at);
        after.checked_sub(1).map_or(Ns::MIN, |last| self.launches[last].1)
    }
}

/// A call that destroyed a lead, and what is left of it.
struct Chain {
    draft: u32,
    site: StackId,
    full: Ns,
    unspent: Ns,
}

/// Gives the idle time behind blocking calls to them.
pub(crate) fn claim(scene: &Scene<'_>, lost: &mut [DeviceLoss], drafts: &mut Drafts) {
    let mut told = Told::default();
    let pageable = pageable(scene.linked);
    let with_host_time =
        |(_, loss): &(usize, &mut DeviceLoss)| loss.pieces.iter().any(Lost::is_free);
    for (row, loss) in lost.iter_mut().enumerate().filter(with_host_time) {
        let lead = Lead::new(scene.linked, loss.device);
        let mut blockers = blockers(scene, row, &lead, &pageable);
        let over = take_final(scene, &lead, &mut told.sites, &mut blockers);
        let gaps = &scene.linked.devices[loss.device].gaps;
        for piece in &mut loss.pieces {
            let is_tail = gaps[piece.gap as usize].next.is_none();
            piece.is_over = is_tail && over.is_some_and(|over| over <= piece.time.from);
        }
        let mut walk = Walk { scene, row, lead: &lead, chain: None, launch: 0, blocker: 0 };
        let mut pieces: Vec<Lost> = Vec::with_capacity(loss.pieces.len());
        for &piece in &loss.pieces {
            walk.until(piece.time.from, &blockers, drafts, &mut told);
            walk.spend(piece, loss.device, drafts, &mut pieces);
        }
        loss.pieces = pieces;
    }
    told.evidence(scene, drafts);
}

struct Walk<'s> {
    scene: &'s Scene<'s>,
    row: usize,
    lead: &'s Lead,
    chain: Option<Chain>,
    /// The next launch and blocking call to look at.
    launch: usize,
    blocker: usize,
}

impl Walk<'_> {
    /// Follows launches and blocking calls up to and including `at`.
    fn until(&mut self, at: Ns, blockers: &[Blocker], drafts: &mut Drafts, told: &mut Told) {
        while let Some(blocker) = blockers.get(self.blocker).filter(|b| b.time.from <= at) {
            self.launches_until(blocker.time.from);
            self.blocker += 1;
            match &mut self.chain {
                Some(chain) if blocker.lead <= chain.unspent => {
                    told.joined(self.scene, chain.draft, blocker);
                }
                _ if blocker.lead > 0 => {
                    let key = told.sites.of(self.scene.linked, blocker.stack);
                    let draft = drafts.of(blocker.kind, key, blocker.stack);
                    told.began(draft, blocker);
                    let (full, unspent) = (blocker.lead, blocker.lead);
                    self.chain = Some(Chain { draft, site: blocker.stack, full, unspent });
                }
                _ => self.chain = None,
            }
        }
        self.launches_until(at);
    }

    /// Ends the chain at a launch by which the host is as far ahead as it was.
    fn launches_until(&mut self, at: Ns) {
        let launches = &self.lead.launches;
        let Some(chain) = &self.chain else {
            let rest = launches[self.launch..].iter();
            self.launch += rest.take_while(|&&(launched, _)| launched <= at).count();
            return;
        };
        let busy = &self.scene.busy[self.row];
        while let Some(&(launched, horizon)) = launches.get(self.launch) {
            if launched > at {
                return;
            }
            self.launch += 1;
            // Nothing is busy for longer than it lasts, and most launches are a little ahead.
            let ahead = Interval::new(launched, horizon.max(launched));
            if ahead.len() >= chain.full && busy.within(ahead) >= chain.full {
                self.chain = None;
                return self.launches_until(at);
            }
        }
    }

    /// Gives as much of a piece as the chain has left to its call; the rest stays as it is.
    fn spend(&mut self, piece: Lost, device: usize, drafts: &mut Drafts, pieces: &mut Vec<Lost>) {
        let Some(chain) = self.chain.as_mut().filter(|_| piece.is_free()) else {
            return pieces.push(piece);
        };
        let (mut taken, rest) = piece.split(chain.unspent);
        drafts.give(chain.draft, &mut taken, device, self.scene.about(chain.site, piece.stack));
        pieces.push(taken);
        chain.unspent -= taken.ns();
        if chain.unspent == 0 {
            self.chain = None;
        }
        pieces.extend(rest);
    }
}

/// The blocking calls of the threads that launch on a device, by time.
fn blockers(
    scene: &Scene<'_>,
    row: usize,
    lead: &Lead,
    pageable: &FxHashMap<u32, bool>,
) -> Vec<Blocker> {
    let linked = scene.linked;
    let device = &linked.devices[scene.judged[row]];
    let mut n_spans: FxHashMap<LaneId, usize> = FxHashMap::default();
    for &span in &device.order {
        let Some(call) = linked.origins[span as usize].call() else { continue };
        let host = linked.trace.calls.span[call.index()].index();
        *n_spans.entry(linked.trace.host.lane[host]).or_insert(0) += 1;
    }
    let least = scene.limits.launching_share * device.order.len() as f64;
    let launches = |lane| n_spans.get(&lane).is_some_and(|&n| n as f64 >= least);
    let blocker = |wait: &Wait| {
        let lane = linked.trace.host.lane[wait.span.index()];
        let stack = linked.nested.call_stack[wait.call.index()];
        if !launches(lane) || scene.facts.of(stack).has(Traits::PROFILER) {
            return None;
        }
        let (from, to) = (wait.time.from, wait.time.to);
        let until = lead.horizon(from).clamp(from, to.max(from));
        let absorbed = scene.busy[row].within(Interval::new(from, until)).min(wait.absorbed);
        // A call that blocked though it need not is no proof: its copy has to say so.
        let is_pageable = pageable.get(&wait.call.0) == Some(&true);
        let kind = if wait.is_copy && is_pageable { Kind::PageableCopy } else { Kind::SyncCliff };
        let is_sync = !wait.is_copy;
        Some(Blocker { time: wait.time, stack, kind, is_sync, lead: absorbed })
    };
    let mut found: Vec<Blocker> = linked.waits.iter().filter_map(blocker).collect();
    found.sort_by_key(|blocker| (blocker.time.from, blocker.stack));
    found
}

/// Whether the copy of each call moves pageable memory, where a copy of the call says; on whatever
/// device it ran.
fn pageable(linked: &Linked) -> FxHashMap<u32, bool> {
    let device = &linked.trace.device;
    let copies = (0..device.len()).filter(|&span| device.kind[span] == DeviceKind::Copy);
    let told = |span: usize| {
        let call = linked.origins[span].call()?;
        Some((call.0, linked.trace.text(device.name[span]).contains("Pageable")))
    };
    copies.filter_map(told).collect()
}

/// Takes the last synchronise of a run out, whoever calls it: nothing is launched after it, and its
/// site is no other call's. Says when it began.
fn take_final(
    scene: &Scene<'_>,
    lead: &Lead,
    sites: &mut Sites,
    found: &mut Vec<Blocker>,
) -> Option<Ns> {
    let last_launch = lead.launches.last().map_or(Ns::MIN, |&(launched, _)| launched);
    let n_before = found.partition_point(|blocker| blocker.time.from < last_launch);
    let before: FxHashSet<u32> =
        found[..n_before].iter().map(|b| sites.of(scene.linked, b.stack)).collect();
    let stacks = &scene.linked.nested.stacks;
    // An operator reads a value, and work on that value follows.
    let reads = |b: &Blocker| stacks.frame(stacks.parent(b.stack)).kind == FrameKind::Op;
    let is_final =
        |b: &Blocker| b.is_sync && !reads(b) && !before.contains(&sites.of(scene.linked, b.stack));
    let first = n_before + found[n_before..].iter().position(is_final)?;
    let began = found[first].time.from;
    found.truncate(first);
    Some(began)
}

/// What the blocking calls of each draft did.
#[derive(Default)]
struct Told {
    sites: Sites,
    /// What a person calls the calls of a site.
    names: FxHashMap<u32, String>,
    of_draft: FxHashMap<u32, Calls>,
}

#[derive(Default)]
struct Calls {
    began: u64,
    blocked: Ns,
    absorbed: Ns,
    /// Calls that joined, by what a person calls them.
    joined: BTreeMap<String, Joined>,
}

/// Calls of one site that joined a chain.
struct Joined {
    site: StackId,
    by_name: BTreeMap<StrId, u64>,
}

impl Joined {
    fn calls(&self) -> u64 {
        self.by_name.values().sum()
    }

    /// How often it was done: a read that copies and then synchronises is one.
    fn times(&self) -> u64 {
        self.by_name.values().copied().max().unwrap_or(0)
    }
}

impl Told {
    fn began(&mut self, draft: u32, blocker: &Blocker) {
        let calls = self.of_draft.entry(draft).or_default();
        calls.began += 1;
        calls.blocked = calls.blocked.saturating_add(blocker.time.len());
        calls.absorbed = calls.absorbed.saturating_add(blocker.lead);
    }

    fn joined(&mut self, scene: &Scene<'_>, draft: u32, blocker: &Blocker) {
        let key = self.sites.of(scene.linked, blocker.stack);
        let name = self.names.entry(key).or_insert_with(|| site(scene, blocker.stack));
        let calls = self.of_draft.entry(draft).or_default();
        if !calls.joined.contains_key(name) {
            let fresh = Joined { site: blocker.stack, by_name: BTreeMap::new() };
            calls.joined.insert(name.clone(), fresh);
        }
        if let Some(joined) = calls.joined.get_mut(name) {
            *joined.by_name.entry(scene.name(blocker.stack)).or_insert(0) += 1;
        }
    }

    fn evidence(self, scene: &Scene<'_>, drafts: &mut Drafts) {
        let mut rows: Vec<(u32, Calls)> = self.of_draft.into_iter().collect();
        rows.sort_unstable_by_key(|(draft, _)| *draft);
        for (number, calls) in rows {
            let draft = drafts.get(number);
            draft.count = calls.began;
            let n_joined: u64 = calls.joined.values().map(Joined::calls).sum();
            draft.sites = vec![draft.site];
            draft.sites.extend(calls.joined.values().map(|joined| joined.site));
            let own = site(scene, draft.site);
            let others = calls.joined.into_iter().filter(|(name, _)| *name != own);
            let mut joined: Vec<(String, u64)> =
                others.map(|(name, joined)| (name, joined.times())).collect();
            joined.sort_by_key(|(_, n)| std::cmp::Reverse(*n));
            let name = |(name, n): &(String, u64)| format!("{name} × {n}");
            let names: Vec<String> = joined.iter().take(8).map(name).collect();
            draft.evidence.extend([
                ("calls", Figure::Count(calls.began + n_joined)),
                ("blocked_ns", Figure::Ns(calls.blocked)),
                ("absorbed_ns", Figure::Ns(calls.absorbed)),
                ("exposed_ns", Figure::Ns((calls.blocked - calls.absorbed).max(0))),
                ("call", Figure::Text(scene.short(draft.site))),
                ("operator", Figure::Text(own)),
            ]);
            if !names.is_empty() {
                draft.evidence.push(("also_blocks", Figure::Text(names.join(", "))));
            }
        }
    }
}

/// What a person calls a blocking call: its user frame and the outermost operator of the run of
/// operators around it.
pub(crate) fn site(scene: &Scene<'_>, call: StackId) -> String {
    let stacks = &scene.linked.nested.stacks;
    let above = stacks.climb(call).skip(1);
    let ops = above.take_while(|&node| stacks.frame(node).kind == FrameKind::Op);
    let what = ops.last().unwrap_or(call);
    let spot = scene.spot(stacks.parent(what));
    let frame = stacks.frame(spot).kind;
    if spot == what || matches!(frame, FrameKind::Thread | FrameKind::Synthetic) {
        return format!("`{}`", scene.short(what));
    }
    format!("`{}` in `{}`", scene.short(what), scene.short(spot))
}

/// The sentence of a draft.
pub(crate) fn tell(scene: &Scene<'_>, draft: &Draft) -> Words {
    if draft.always {
        return super::unseen::tell(scene, draft);
    }
    let absorbed = draft.ns("absorbed_ns");
    let what = site(scene, draft.site);
    let wait = if draft.kind == Kind::PageableCopy { "the pageable copy" } else { "the wait" };
    let sentence = format!(
        "{what} drains the queue {}; {wait} itself is harmless ({} a step absorbed by a busy \
         device), but the host then works without a lead: {} a step idle after it, under {}",
        scene.often(draft.count),
        time(scene.per_step(absorbed)),
        time(scene.per_step(draft.owned)),
        scene.shares(draft, 2),
    );
    let experiment = if draft.kind == Kind::PageableCopy {
        "copy to or from pinned memory with non_blocking=True and read it a step later, or move the \
         host work that follows before the copy"
    } else {
        "keep the value on the device or read it a step later (pinned, non_blocking), or move the \
         host work that follows before the wait"
    };
    Words { subject: what, sentence, experiment: experiment.to_owned() }
}
