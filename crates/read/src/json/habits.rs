//! Which values repeat from event to event, so that they are worth being part of a token.
//!
//! Most arguments are read by nobody, and most of those say the same whenever an event of the same
//! name comes: shapes, types, grids, registers. Others never do: counters, ids. Only what the
//! general scanner meets is weighed, so this costs nothing where guesses are right.

use std::hash::{BuildHasher, BuildHasherDefault};

use flamelane_model::StrId;
use rustc_hash::FxHasher;

use super::CategoryId;

const VALUE_BITS: u32 = 12;
const KEY_BITS: u32 = 8;

/// What a key said last in an event of one name.
#[derive(Clone, Copy, Default)]
struct Last {
    /// Which key and name; another pair may have had the row before.
    pair: u32,
    /// A hash of it; 0 when it was not seen.
    value: u32,
    /// How much more often it stayed than changed, within bounds.
    trust: i8,
}

/// The memory of all keys.
pub(super) struct Habits {
    /// By key and name.
    last: Vec<Last>,
    /// By key: how much more often values stayed than changed, within bounds.
    keys: Vec<i8>,
}

impl Default for Habits {
    fn default() -> Self {
        Self { last: vec![Last::default(); 1 << VALUE_BITS], keys: vec![0; 1 << KEY_BITS] }
    }
}

impl Habits {
    /// Takes note of a value; tells whether it is likely to come again with the same name.
    pub(super) fn repeats(&mut self, key: &[u8], name: StrId, value: &[u8]) -> bool {
        let key_hash = hash(key);
        let Some(last) = self.last(mixed(key_hash ^ u64::from(name.0))) else { return false };
        let step = last.step(hash(value));
        let own = last.trust;
        let Some(trust) = self.keys.get_mut((key_hash >> (64 - KEY_BITS)) as usize) else {
            return false;
        };
        *trust = (*trust + step).clamp(-8, 8);
        // One name may be at odds with the key for long: its own word counts more.
        *trust + 4 * own >= 0
    }

    /// Takes note of a name; tells whether it is likely to be that of the category's next event.
    pub(super) fn is_the_name(&mut self, category: CategoryId, name: &[u8]) -> bool {
        let Some(last) = self.last(mixed(!u64::from(category.0))) else { return false };
        last.step(hash(name));
        last.trust >= 0
    }

    /// What is known of a pair, as new when another pair had its row.
    fn last(&mut self, pair: u64) -> Option<&mut Last> {
        let last = self.last.get_mut((pair >> (64 - VALUE_BITS)) as usize)?;
        if last.pair != pair as u32 {
            *last = Last { pair: pair as u32, value: 0, trust: 0 };
        }
        Some(last)
    }
}

impl Last {
    /// Takes note of a value; 1 when it stayed, -1 when it changed, 0 when it is the first.
    fn step(&mut self, hash: u64) -> i8 {
        let value = hash as u32 | 1;
        let step = match self.value {
            0 => 0,
            known if known == value => 1,
            _ => -1,
        };
        self.value = value;
        self.trust = (self.trust + step).clamp(-4, 4);
        step
    }
}

fn hash(bytes: &[u8]) -> u64 {
    mixed(BuildHasherDefault::<FxHasher>::default().hash_one(bytes))
}

/// The same, good in its high bits.
fn mixed(hash: u64) -> u64 {
    (hash ^ (hash >> 32)).wrapping_mul(0x9E37_79B9_7F4A_7C15)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shapes_repeat_with_their_names_and_counters_never() {
        let mut habits = Habits::default();
        let names = [StrId(1), StrId(2), StrId(3)];
        for round in 0..20 {
            for name in names {
                let shape = format!("[[{}, 4]]", name.0);
                assert!(habits.repeats(b"Input Dims", name, shape.as_bytes()));
                let counter = format!("{}", round * 3 + name.0);
                let is_trusted = habits.repeats(b"Ev Idx", name, counter.as_bytes());
                assert_eq!(is_trusted, round == 0, "the first of a name may be a habit");
            }
        }
        assert!(!habits.repeats(b"Ev Idx", StrId(4), b"999"), "the key is known by now");
    }

    #[test]
    fn one_name_that_changes_does_not_spoil_the_others() {
        let mut habits = Habits::default();
        for round in 0_u32..20 {
            assert!(habits.repeats(b"grid", StrId(1), b"[1]"));
            let changing = format!("[{round}]");
            let is_trusted = habits.repeats(b"grid", StrId(2), changing.as_bytes());
            assert!(!is_trusted || round < 4, "round {round}");
        }
    }
}
