//! Begin and end marks: kept as they pass, sorted by time, and paired to spans at the end.

use flamelane_model::{LaneId, Notes, Ns, StrId, Strings};
use rustc_hash::FxHashMap;

use crate::json::{CategoryId, Id};

/// Marks that can pair: those of one thread, or of one asynchronous operation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Track {
    /// `B` and `E` of a thread.
    Thread(LaneId),
    /// `b` and `e`, `S` and `F` with one id.
    Async(LaneId, CategoryId, Id),
}

/// One mark.
#[derive(Clone, Copy, Debug)]
struct Mark {
    track: u32,
    /// Name that begin and end share; an end may have none.
    name: StrId,
    /// Name to show.
    shown: StrId,
    at: Ns,
    begins: bool,
}

/// A paired span.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Pair {
    pub(super) lane: LaneId,
    pub(super) name: StrId,
    pub(super) start: Ns,
    pub(super) end: Ns,
}

/// All marks of a file.
#[derive(Debug, Default)]
pub(super) struct Marks {
    tracks: FxHashMap<Track, u32>,
    lanes: Vec<LaneId>,
    rows: Vec<Mark>,
}

impl Marks {
    /// Keeps a begin, which shows as `shown`.
    pub(super) fn begin(&mut self, track: Track, at: Ns, name: StrId, shown: StrId) {
        self.push(track, at, (name, shown), true);
    }

    /// Keeps an end; its name may be empty.
    pub(super) fn end(&mut self, track: Track, at: Ns, name: StrId) {
        self.push(track, at, (name, name), false);
    }

    fn push(&mut self, track: Track, at: Ns, (name, shown): (StrId, StrId), begins: bool) {
        let lane = match track {
            Track::Thread(lane) | Track::Async(lane, ..) => lane,
        };
        let n_tracks = self.lanes.len() as u32;
        let track = *self.tracks.entry(track).or_insert(n_tracks);
        if track == n_tracks {
            self.lanes.push(lane);
        }
        self.rows.push(Mark { track, name, shown, at, begins });
    }

    /// First and last time of all marks.
    pub(super) fn extent(&self) -> Option<(Ns, Ns)> {
        let times = self.rows.iter().map(|mark| mark.at);
        times.clone().min().zip(times.max())
    }

    /// Pairs the marks. What is never closed ends at `last`.
    pub(super) fn pair(mut self, last: Ns, notes: &mut Notes, mut take: impl FnMut(Pair)) {
        // Stable: marks of one time keep the order of the file, which is the order of nesting.
        self.rows.sort_by_key(|mark| (mark.track, mark.at));
        for marks in self.rows.chunk_by(|left, right| left.track == right.track) {
            let Some(first) = marks.first() else { continue };
            let Some(lane) = self.lanes.get(first.track as usize) else { continue };
            let mut open = Open { lane: *lane, ..Open::default() };
            for mark in marks {
                if mark.begins {
                    open.begin(*mark, &mut take);
                } else {
                    open.end(*mark, notes, &mut take);
                }
            }
            open.close(last, notes, &mut take);
        }
    }
}

/// The open begins of a track, innermost last. A begin that was closed out of turn stays as
/// `None` until those inside it are closed too.
struct Open {
    lane: LaneId,
    begins: Vec<Option<Mark>>,
    by_name: FxHashMap<StrId, Vec<usize>>,
    /// Ends that found no begin at this time: a begin of the same time may follow in the file.
    early: (Ns, FxHashMap<StrId, u32>),
    n_early: u64,
}

impl Default for Open {
    fn default() -> Self {
        Self {
            lane: LaneId(0),
            begins: Vec::new(),
            by_name: FxHashMap::default(),
            early: (Ns::MIN, FxHashMap::default()),
            n_early: 0,
        }
    }
}

impl Open {
    fn begin(&mut self, mark: Mark, take: &mut impl FnMut(Pair)) {
        if self.early.0 == mark.at
            && let Some(count @ 1..) = self.early.1.get_mut(&mark.name)
        {
            *count -= 1;
            self.n_early -= 1;
            return take(self.pair(mark, mark.at));
        }
        self.by_name.entry(mark.name).or_default().push(self.begins.len());
        self.begins.push(Some(mark));
    }

    fn end(&mut self, mark: Mark, notes: &mut Notes, take: &mut impl FnMut(Pair)) {
        let innermost = self.begins.len().checked_sub(1);
        let named = self.by_name.get_mut(&mark.name).and_then(Vec::pop);
        let at = match (named, innermost) {
            (Some(at), _) => at,
            // An end without a name closes the innermost.
            (None, Some(at)) if mark.name == Strings::EMPTY => at,
            _ => return self.note_early(mark),
        };
        if innermost != Some(at) {
            notes.add("crossing-event", "events ended before events inside them", String::new);
        }
        let Some(begin) = self.begins.get_mut(at).and_then(Option::take) else { return };
        if named.is_none()
            && let Some(places) = self.by_name.get_mut(&begin.name)
        {
            places.pop();
        }
        take(self.pair(begin, mark.at));
        while self.begins.last().is_some_and(Option::is_none) {
            self.begins.pop();
        }
    }

    fn note_early(&mut self, mark: Mark) {
        if self.early.0 != mark.at {
            self.early.0 = mark.at;
            self.early.1.clear();
        }
        *self.early.1.entry(mark.name).or_default() += 1;
        self.n_early += 1;
    }

    fn close(self, last: Ns, notes: &mut Notes, take: &mut impl FnMut(Pair)) {
        let message = "events ended what had not begun and were left out";
        notes.add_many("end-without-begin", message, self.n_early, String::new);
        for mark in self.begins.iter().flatten() {
            let message = "events were never ended and end with the trace";
            notes.add("unclosed-event", message, String::new);
            take(self.pair(*mark, last));
        }
    }

    fn pair(&self, begin: Mark, end: Ns) -> Pair {
        Pair { lane: self.lane, name: begin.shown, start: begin.at, end: end.max(begin.at) }
    }
}
