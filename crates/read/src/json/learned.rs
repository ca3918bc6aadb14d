//! Tokens learned from the file itself, and which of them follows which.
//!
//! A token is the exact text from the end of one value to the start of the next: separators,
//! keys, opening quote, the end of an event and the start of another, and the values that rarely
//! change (`ph`, `cat`, `pid`, `tid`). After each token and category the two last successors are
//! remembered; when one of them is what stands there, a few wide comparisons replace the parsing
//! of half a dozen keys. Nothing is assumed about layout, key order or white space, and a wrong
//! guess costs one comparison: the general scanner takes over, and teaches.

use std::hash::{BuildHasher, BuildHasherDefault};

use rustc_hash::{FxHashMap, FxHasher};

use super::{
    EventSink,
    cursor::{Cursor, Inside, Literals},
    fields::Field,
    simd,
};

/// Longest token, in bytes.
pub(super) const MAX_TOKEN: usize = 128;
const MAX_TOKENS: usize = 2048;
/// Successors are kept apart by this many categories.
const WAYS: usize = 32;

/// One token.
#[derive(Clone, Copy)]
pub(super) struct Token {
    text: [u8; MAX_TOKEN],
    len: u8,
    /// What the value behind it is.
    field: Field,
    /// Whether its last byte opens a string.
    quoted: bool,
    /// What the value is inside of.
    inside: Inside,
    /// Where an event ends in it; 0 when none does.
    emit: u8,
    /// Literals of the event that ends in it, and of the one that goes on behind it.
    before: Literals,
    after: Literals,
}

/// What the general scanner found between two values.
pub(super) struct Lesson {
    pub(super) from: usize,
    pub(super) to: usize,
    pub(super) slot: usize,
    pub(super) was_inside: Inside,
    pub(super) field: Field,
    pub(super) quoted: bool,
    pub(super) emit: usize,
    pub(super) before: Literals,
    pub(super) after: Literals,
}

/// All tokens of a file.
pub(super) struct Learned {
    tokens: Vec<Token>,
    /// Two successors for each token and category, the last used first; 0 is none.
    next: Vec<[u16; 2]>,
    index: FxHashMap<u64, u16>,
    /// Whether to guess at all.
    pub(super) on: bool,
    /// Whether tokens hold literal values; given up when they are too varied.
    pub(super) literals: bool,
    pub(super) n_hits: u64,
    pub(super) n_misses: u64,
}

impl Learned {
    /// The states in which nothing is known of the token before.
    pub(super) const BETWEEN: u16 = 0;
    pub(super) const IN_EVENT: u16 = 1;
    pub(super) const IN_ARGS: u16 = 2;
    const N_STATES: usize = 3;

    /// Knows nothing yet; never guesses when not `on`.
    pub(super) fn new(on: bool) -> Self {
        let mut new = Self {
            tokens: Vec::new(),
            next: Vec::new(),
            index: FxHashMap::default(),
            on,
            literals: on,
            n_hits: 0,
            n_misses: 0,
        };
        new.forget();
        new
    }

    fn forget(&mut self) {
        let blank = Token {
            text: [0; MAX_TOKEN],
            len: 0,
            field: Field::Skip,
            quoted: false,
            inside: Inside::Array,
            emit: 0,
            before: Literals::default(),
            after: Literals::default(),
        };
        self.tokens = vec![blank; Self::N_STATES];
        self.next = vec![[0; 2]; Self::N_STATES * WAYS];
        self.index.clear();
    }

    /// Where the successors are kept for what the cursor has just read.
    #[inline(always)]
    pub(super) fn slot(cursor: &Cursor<'_>) -> usize {
        usize::from(cursor.state) * WAYS + (cursor.event.cat.index() & (WAYS - 1))
    }

    /// Moves over the token that was guessed, if it stands at `at`; gives what its value is and
    /// where that starts.
    #[inline(always)]
    pub(super) fn predict<S: EventSink>(
        &mut self,
        cursor: &mut Cursor<'_>,
        at: usize,
        sink: &mut S,
    ) -> Option<((Field, bool), usize)> {
        let slot = Self::slot(cursor);
        let [first, second] = *self.next.get(slot)?;
        let mut id = first;
        if !self.stands(first, cursor, at) {
            if second == 0 || !self.stands(second, cursor, at) {
                return None;
            }
            id = second;
            self.next[slot] = [second, first];
        }
        let token = self.tokens.get(usize::from(id))?;
        self.n_hits += 1;
        if token.emit != 0 {
            if token.before.has != 0 {
                cursor.apply(&token.before);
            }
            cursor.emit(at + usize::from(token.emit), sink);
        }
        if token.after.has != 0 {
            cursor.apply(&token.after);
        }
        cursor.inside = token.inside;
        cursor.state = id;
        Some(((token.field, token.quoted), at + usize::from(token.len)))
    }

    /// Whether token `id` stands at `at`; the blank ones never do.
    #[inline(always)]
    fn stands(&self, id: u16, cursor: &Cursor<'_>, at: usize) -> bool {
        let Some(token) = self.tokens.get(usize::from(id)) else { return false };
        let len = usize::from(token.len);
        let here = cursor.text.get(at..).and_then(|rest| rest.first_chunk::<MAX_TOKEN>());
        let Some(here) = here else { return false };
        if at + len > cursor.end || len == 0 {
            return false;
        }
        simd::same_start(&token.text, here, len)
    }

    /// The state behind a token that was not learned.
    pub(super) fn unknown(inside: Inside) -> u16 {
        if inside == Inside::Args { Self::IN_ARGS } else { Self::IN_EVENT }
    }

    /// Learns what the general scanner found; gives the state behind it.
    pub(super) fn learn(&mut self, text: &[u8], lesson: &Lesson, inside: Inside) -> u16 {
        let unknown = Self::unknown(inside);
        let bytes = text.get(lesson.from..lesson.to).unwrap_or_default();
        if bytes.len() > MAX_TOKEN {
            return unknown;
        }
        let hasher = BuildHasherDefault::<FxHasher>::default();
        let hash = hasher.hash_one((bytes, lesson.was_inside));
        let id = match self.index.get(&hash) {
            Some(id) if self.is_same(*id, bytes, lesson, inside) => *id,
            Some(_) => return unknown,
            None if self.tokens.len() >= MAX_TOKENS => {
                self.outgrown();
                return unknown;
            }
            None => self.add(hash, bytes, lesson, inside),
        };
        if let Some(next) = self.next.get_mut(lesson.slot) {
            *next = [id, next[0]];
        }
        id
    }

    fn is_same(&self, id: u16, bytes: &[u8], lesson: &Lesson, inside: Inside) -> bool {
        self.tokens.get(usize::from(id)).is_some_and(|token| {
            token.text.get(..usize::from(token.len)) == Some(bytes)
                && token.field == lesson.field
                && token.inside == inside
                && usize::from(token.emit) == lesson.emit
                && token.before == lesson.before
                && token.after == lesson.after
        })
    }

    fn add(&mut self, hash: u64, bytes: &[u8], lesson: &Lesson, inside: Inside) -> u16 {
        let id = self.tokens.len() as u16;
        let mut text = [0; MAX_TOKEN];
        text[..bytes.len()].copy_from_slice(bytes);
        self.tokens.push(Token {
            text,
            len: bytes.len() as u8,
            field: lesson.field,
            quoted: lesson.quoted,
            inside,
            emit: lesson.emit as u8,
            before: lesson.before,
            after: lesson.after,
        });
        self.next.resize(self.tokens.len() * WAYS, [0; 2]);
        self.index.insert(hash, id);
        id
    }

    /// Too many tokens: literal values vary too much to be part of them.
    fn outgrown(&mut self) {
        if self.literals {
            self.literals = false;
            self.forget();
        }
    }
}
