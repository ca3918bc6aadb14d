//! Names on their way into the interner, and the small table of categories.

use flamelane_model::{StrId, Strings};

/// A category of events, as a row of [`Names::category`]; 0 is "none".
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub(crate) struct CategoryId(pub(crate) u16);

impl CategoryId {
    /// The row.
    pub(crate) fn index(self) -> usize {
        usize::from(self.0)
    }
}

/// Most categories that are told apart; a hostile file does not get a table of its own size.
const MAX_CATEGORIES: usize = 1024;
const CACHE_BITS: u32 = 12;

/// What tells a name, as far as a few loads can.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Mark {
    /// Its first eight bytes.
    first: u64,
    /// Its last eight, which with the first are all of a name of up to 16.
    last: u64,
    len: u32,
}

/// The interner behind a direct-mapped cache: most names of a trace are among the last few
/// thousand, and loads of eight bytes tell them apart without hashing.
#[derive(Debug)]
pub(crate) struct Names {
    /// All names.
    pub(crate) strings: Strings,
    cache: Vec<(Mark, StrId)>,
    categories: Strings,
    last_category: CategoryId,
}

impl Default for Names {
    fn default() -> Self {
        Self {
            strings: Strings::new(),
            cache: vec![(Mark::default(), Strings::EMPTY); 1 << CACHE_BITS],
            categories: Strings::new(),
            last_category: CategoryId(0),
        }
    }
}

impl Names {
    /// The handle of a name given as bytes without escapes.
    #[inline]
    pub(crate) fn intern(&mut self, name: &[u8]) -> StrId {
        let mark = Mark::of(name);
        let slot = mark.slot(name);
        if let Some((known, id)) = self.cache.get(slot)
            && *known == mark
            && (name.len() <= 16 || self.strings.is(*id, name))
        {
            return *id;
        }
        self.add(slot, mark, name)
    }

    #[inline(never)]
    fn add(&mut self, slot: usize, mark: Mark, name: &[u8]) -> StrId {
        let id = self.strings.intern_bytes(name);
        if let Some(entry) = self.cache.get_mut(slot) {
            *entry = (mark, id);
        }
        id
    }

    /// The row of a category; those past a bound share one.
    pub(crate) fn category_id(&mut self, name: &[u8]) -> CategoryId {
        if self.category(self.last_category).as_bytes() != name {
            self.last_category = self.intern_category(name);
        }
        self.last_category
    }

    fn intern_category(&mut self, name: &[u8]) -> CategoryId {
        if self.categories.len() >= MAX_CATEGORIES {
            let text = String::from_utf8_lossy(name);
            let known = self.categories.lookup(&text);
            let id = known.unwrap_or_else(|| self.categories.intern("[other categories]"));
            return CategoryId(id.0 as u16);
        }
        CategoryId(self.categories.intern_bytes(name).0 as u16)
    }

    /// The text of a category.
    pub(crate) fn category(&self, id: CategoryId) -> &str {
        self.categories.text(StrId(u32::from(id.0)))
    }

    /// Number of categories, "none" included.
    pub(crate) fn n_categories(&self) -> usize {
        self.categories.len()
    }
}

impl Mark {
    #[inline(always)]
    fn of(name: &[u8]) -> Self {
        let len = name.len() as u32;
        match (name.first_chunk(), name.last_chunk()) {
            (Some(first), Some(last)) => {
                Self { first: u64::from_le_bytes(*first), last: u64::from_le_bytes(*last), len }
            }
            _ => Self { first: Self::short(name), last: 0, len },
        }
    }

    /// All of a name of up to seven bytes.
    #[inline(always)]
    fn short(name: &[u8]) -> u64 {
        match (name.first_chunk(), name.last_chunk()) {
            (Some(first), Some(last)) => {
                u64::from(u32::from_le_bytes(*first)) | u64::from(u32::from_le_bytes(*last)) << 32
            }
            _ => name.iter().fold(0, |word, byte| word << 8 | u64::from(*byte)),
        }
    }

    #[inline(always)]
    fn slot(self, name: &[u8]) -> usize {
        let half = name.get(name.len() / 2..).and_then(|half| half.first_chunk());
        let middle = half.map_or(0, |half| u64::from_le_bytes(*half));
        let mixed =
            self.first ^ self.last.rotate_left(23) ^ middle.rotate_left(41) ^ u64::from(self.len);
        (mixed.wrapping_mul(0x9E37_79B9_7F4A_7C15) >> (64 - CACHE_BITS)) as usize
    }
}
