//! Ends of launch arrows, held as narrowly as can be: there are two for every launch, and they are
//! needed only when some device span does not say which call launched it.

use flamelane_model::{Flow, FlowEnd, LaneId, LaneKind, Ns, make_room};
use rustc_hash::FxHashMap;

use super::lanes::Lanes;
use crate::json::Id;

/// All flow ends of a file, in file order.
#[derive(Debug, Default)]
pub(super) struct Flows {
    id: Vec<i64>,
    at: Vec<Ns>,
    /// Twice the row in `places`, and one more for the launched side.
    place_and_end: Vec<u32>,
    /// pid and tid, by first sight.
    places: Vec<(Id, Id)>,
    place_of: FxHashMap<(Id, Id), u32>,
    last_place: u32,
    max_places: usize,
}

impl Flows {
    /// None yet; those beyond a number of places will be left out.
    pub(super) fn new(max_places: usize) -> Self {
        Self { max_places: max_places.min(u32::MAX as usize / 2), ..Self::default() }
    }

    /// Takes one.
    #[inline]
    pub(super) fn push(&mut self, id: i64, end: FlowEnd, at: Ns, place: (Id, Id)) {
        let Some(row) = self.place(place) else { return };
        if self.id.len() == self.id.capacity() {
            make_room(&mut self.id);
            make_room(&mut self.at);
            make_room(&mut self.place_and_end);
        }
        self.id.push(id);
        self.at.push(at);
        self.place_and_end.push(row * 2 + u32::from(end == FlowEnd::Finish));
    }

    #[inline]
    fn place(&mut self, place: (Id, Id)) -> Option<u32> {
        if self.places.get(self.last_place as usize) == Some(&place) {
            return Some(self.last_place);
        }
        let row = match self.place_of.get(&place) {
            Some(row) => *row,
            None if self.places.len() >= self.max_places => return None,
            None => self.places.len() as u32,
        };
        if row as usize == self.places.len() {
            self.places.push(place);
            self.place_of.insert(place, row);
        }
        self.last_place = row;
        Some(row)
    }

    /// All that lie on lanes: the launching side on a thread where there is one, the launched side
    /// on a stream. Ends on rows without spans say nothing.
    pub(super) fn placed(self, lanes: &Lanes) -> Vec<Flow> {
        let (mut threads, mut streams) = (FxHashMap::default(), FxHashMap::default());
        for (row, (lane, ids)) in lanes.rows.iter().zip(&lanes.ids).enumerate() {
            let map = if lane.kind == LaneKind::Thread { &mut threads } else { &mut streams };
            map.entry(*ids).or_insert(LaneId::new(row));
        }
        let mut flows = Vec::new();
        for ((id, at), place_and_end) in self.id.iter().zip(&self.at).zip(&self.place_and_end) {
            let Some(ids) = self.places.get(*place_and_end as usize / 2) else { continue };
            let is_start = place_and_end % 2 == 0;
            let end = if is_start { FlowEnd::Start } else { FlowEnd::Finish };
            let (wanted, other) =
                if is_start { (&threads, &streams) } else { (&streams, &threads) };
            if let Some(lane) = wanted.get(ids).or_else(|| other.get(ids)) {
                flows.push(Flow { id: *id, end, at: *at, lane: *lane });
            }
        }
        flows
    }
}
