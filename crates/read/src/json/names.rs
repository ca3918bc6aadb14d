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

/// The interner behind a direct-mapped cache: most names of a trace are among the last few
/// thousand, and three loads of eight bytes tell them apart without hashing.
#[derive(Debug)]
pub(crate) struct Names {
    /// All names.
    pub(crate) strings: Strings,
    cache: Vec<StrId>,
    categories: Strings,
    last_category: CategoryId,
}

impl Default for Names {
    fn default() -> Self {
        Self {
            strings: Strings::new(),
            cache: vec![Strings::EMPTY; 1 << CACHE_BITS],
            categories: Strings::new(),
            last_category: CategoryId(0),
        }
    }
}

impl Names {
    /// The handle of a name given as bytes without escapes.
    #[inline]
    pub(crate) fn intern(&mut self, name: &[u8]) -> StrId {
        let Some(slot) = cache_slot(name) else { return self.strings.intern_bytes(name) };
        let Some(cached) = self.cache.get(slot).copied() else { return Strings::EMPTY };
        if self.strings.text(cached).as_bytes() == name {
            return cached;
        }
        let id = self.strings.intern_bytes(name);
        self.cache[slot] = id;
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

#[inline(always)]
fn cache_slot(name: &[u8]) -> Option<usize> {
    let word = |bytes: &[u8; 8]| u64::from_le_bytes(*bytes);
    let first = word(name.first_chunk()?);
    let last = word(name.last_chunk()?);
    let middle = name.get(name.len() / 2..).and_then(|half| half.first_chunk()).map_or(0, word);
    let mixed = first ^ last.rotate_left(23) ^ middle.rotate_left(41) ^ name.len() as u64;
    Some((mixed.wrapping_mul(0x9E37_79B9_7F4A_7C15) >> (64 - CACHE_BITS)) as usize)
}
