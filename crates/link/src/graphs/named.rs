//! A replay and a recording that name their kernels: aligned by name.

use std::ops::Range;

use rustc_hash::FxHashMap;

use super::align::align;
use super::place::places;
use super::tokens::is_kernel;
use super::{Match, PartId, Way};

/// A replay is joined when at least this share of its launches, and of its kernels, finds its name
/// in the recording.
pub(super) const LEAST_SHARE: f64 = 0.8;
/// Kernels of the shortest replay that is joined with what is not launch for launch the same: fewer
/// agree by chance.
pub(super) const LEAST_KERNELS: usize = 16;
/// Stretches of recordings that are aligned with a replay; of more, those nearest in length.
const MOST_TRIED: usize = 16;
/// Launches in a row that may have other names on both sides.
const MOST_RENAMED: usize = 8;

/// A part of a recording.
pub(super) struct Candidate {
    /// Where it is.
    pub(super) part: PartId,
    /// Whether it was recorded into a graph.
    pub(super) is_captured: bool,
    pub(super) tokens: Vec<u32>,
    /// How often each token is there.
    pub(super) counts: FxHashMap<u32, u32>,
}

/// What was tried for a replay.
pub(super) struct Tried {
    pub(super) found: Option<Match>,
    /// The largest share of the replay's launches that a part of a recording names, or at most could.
    pub(super) nearest: f64,
    /// Whether a part has most of the names, in an order too different to compare.
    pub(super) too_different: bool,
    /// Whether work ran out.
    pub(super) gave_up: bool,
}

impl Tried {
    /// Before names are aligned.
    pub(super) fn of(found: Option<Match>) -> Self {
        Self { found, nearest: 0.0, too_different: false, gave_up: false }
    }
}

/// The stretch of a recording that agrees best with the names of a replay.
pub(super) fn best(
    tokens: &[u32],
    candidates: &[Candidate],
    are_alike: &dyn Fn(u32, u32) -> bool,
    patience: &mut usize,
) -> Tried {
    let mut tried = Tried::of(None);
    let n_kernels = tokens.iter().filter(|&&token| is_kernel(token)).count();
    let needed = needed(tokens.len());
    let share = |n: usize| n as f64 / tokens.len().max(1) as f64;
    let own = counts(tokens);
    let mut stretches: Vec<(usize, Range<usize>)> = Vec::new();
    for (row, candidate) in candidates.iter().enumerate() {
        *patience = patience.saturating_sub(own.len());
        if *patience == 0 {
            tried.gave_up = true;
            break;
        }
        let shared = shared(&own, &candidate.counts);
        if shared < needed || n_kernels < LEAST_KERNELS {
            tried.nearest = tried.nearest.max(share(shared));
            continue;
        }
        if candidate.tokens.len() <= 2 * tokens.len() {
            stretches.push((row, 0..candidate.tokens.len()));
        } else {
            *patience = patience.saturating_sub(candidate.tokens.len());
            let found = places(tokens, &candidate.tokens).into_iter();
            stretches.extend(found.map(|range| (row, range)));
        }
    }
    let apart = |range: &Range<usize>| range.len().abs_diff(tokens.len());
    stretches.sort_by_key(|(row, range)| (apart(range), *row, range.start));
    for (row, range) in stretches.into_iter().take(MOST_TRIED) {
        if tried.found.as_ref().is_some_and(|best| best.ratio >= 1.0) {
            break;
        }
        let (candidate, theirs) = (&candidates[row], &candidates[row].tokens[range.clone()]);
        // What a part has beyond the replay is no reason against it: an eager step samples, too.
        let most = (tokens.len() - needed) + (theirs.len().saturating_sub(needed));
        let Some(partner) = align((tokens, theirs), most, patience) else {
            tried.gave_up |= *patience == 0;
            tried.too_different |= *patience > 0;
            continue;
        };
        let matched = partner.iter().flatten().count();
        let named = partner.iter().zip(tokens);
        let named = named.filter(|(row, token)| row.is_some() && is_kernel(**token)).count();
        tried.nearest = tried.nearest.max(share(matched));
        if matched < needed || (named as f64) < LEAST_SHARE * n_kernels as f64 {
            continue;
        }
        let ratio = 2.0 * matched as f64 / (tokens.len() + extent(&partner).len()) as f64;
        if tried.found.as_ref().is_none_or(|best| ratio > best.ratio) {
            let partner = partner.into_iter().map(|row| row.map(|row| row + range.start)).collect();
            tried.found =
                Some(Match { part: candidate.part, partner, ratio, way: Way::Name, renamed: 0 });
        }
    }
    if let Some(found) = &mut tried.found {
        let theirs = candidates.iter().find(|candidate| candidate.part == found.part);
        rename(tokens, theirs.map_or(&[], |theirs| &theirs.tokens), found, are_alike);
    }
    tried
}

/// How many launches of a replay of `n` must agree.
fn needed(n: usize) -> usize {
    (LEAST_SHARE * n as f64).ceil() as usize
}

/// How many launches both have, whatever their order: no alignment has more.
fn shared(own: &FxHashMap<u32, u32>, theirs: &FxHashMap<u32, u32>) -> usize {
    let both = |(token, n): (&u32, &u32)| theirs.get(token).map_or(0, |there| (*n).min(*there));
    own.iter().map(both).map(|n| n as usize).sum()
}

/// How often each token is there.
pub(super) fn counts(tokens: &[u32]) -> FxHashMap<u32, u32> {
    let mut counts = FxHashMap::default();
    for &token in tokens {
        *counts.entry(token).or_default() += 1;
    }
    counts
}

/// From the first partner to the last.
fn extent(partner: &[Option<usize>]) -> Range<usize> {
    let first = partner.iter().flatten().next();
    let last = partner.iter().flatten().next_back();
    first.map_or(0, |&first| first)..last.map_or(0, |&last| last + 1)
}

/// Launches between two partners have each other where both sides have as many, of the same
/// families: the same code launched another kernel.
fn rename(tokens: &[u32], theirs: &[u32], found: &mut Match, are_alike: &dyn Fn(u32, u32) -> bool) {
    let mut from = 0;
    while from < tokens.len() {
        if found.partner[from].is_some() {
            from += 1;
            continue;
        }
        let rest = found.partner[from..].iter();
        let n = rest.take_while(|partner| partner.is_none()).count();
        let before = from.checked_sub(1).and_then(|before| found.partner[before]);
        let after = found.partner.get(from + n).copied().flatten();
        if let (Some(before), Some(after)) = (before, after) {
            let between = before + 1..after;
            let mut pairs = between.clone().zip(from..);
            if n <= MOST_RENAMED
                && between.len() == n
                && pairs.all(|(row, own)| are_alike(tokens[own], theirs[row]))
            {
                for (row, own) in between.zip(from..) {
                    found.partner[own] = Some(row);
                    found.renamed += 1;
                }
            }
        }
        from += n;
    }
}
