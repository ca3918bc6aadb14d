//! Tokens learned from the file itself, and which of them follows which.
//!
//! A token is the exact text from the end of one value to the start of the next: separators,
//! keys, opening quote, the end of an event and the start of another, and the values that rarely
//! change (`ph`, `cat`, `pid`, `tid`, and what [`Habits`] finds to repeat). After each token and
//! category, or name, the last successors are remembered; when one of them is what stands there, a
//! few wide comparisons replace the parsing of half a dozen keys. Nothing is assumed about layout,
//! key order or white space, and a wrong guess costs a few comparisons: the general scanner takes
//! over, and teaches.

use std::hash::{BuildHasher, BuildHasherDefault};

use flamelane_model::StrId;
use rustc_hash::{FxHashMap, FxHasher};

use super::{
    EventSink,
    cursor::{Cursor, Inside, Literals},
    fields::Field,
    habits::Habits,
    simd::{self, BLOCK},
};

/// Longest token, in bytes.
pub(super) const MAX_TOKEN: usize = 512;
const MAX_TOKENS: usize = 2048;
/// Successors are kept apart by this many categories.
const CATEGORIES: usize = 32;
/// Successors that the name of the event tells share this many places.
const PLACES_BITS: u32 = 12;
const PLACES: usize = 1 << PLACES_BITS;

/// The tokens that may follow, the last used first; 0 is none.
type Successors = [u16; 4];

/// One token.
#[derive(Clone, Copy)]
pub(super) struct Token {
    /// How it starts.
    head: [u8; BLOCK],
    /// Where the rest starts in that of all.
    rest: u32,
    len: u16,
    /// Where an event ends in it; 0 when none does.
    emit: u16,
    /// What the value behind it is.
    field: Field,
    /// Whether its last byte opens a string.
    quoted: bool,
    /// What the value is inside of.
    inside: Inside,
    /// Whether what follows is told by the event's name, not by its category alone.
    by_name: bool,
    /// Literals of the event that ends in it, and of the one that goes on behind it.
    before: Literals,
    after: Literals,
}

impl Token {
    /// Stands nowhere.
    const BLANK: Self = Self {
        head: [0; BLOCK],
        rest: 0,
        len: 0,
        emit: 0,
        field: Field::Skip,
        quoted: false,
        inside: Inside::Array,
        by_name: false,
        before: Literals::NONE,
        after: Literals::NONE,
    };
}

/// What the general scanner found between two values.
pub(super) struct Lesson {
    pub(super) from: usize,
    pub(super) to: usize,
    /// What was known before it.
    pub(super) context: Context,
    pub(super) field: Field,
    pub(super) quoted: bool,
    pub(super) emit: usize,
    /// Whether it holds a value that only repeats with the event's name.
    pub(super) by_name: bool,
    pub(super) before: Literals,
    pub(super) after: Literals,
}

/// What the next token is guessed from.
#[derive(Clone, Copy)]
pub(super) struct Context {
    pub(super) state: u16,
    pub(super) inside: Inside,
    pub(super) category: usize,
    pub(super) name: StrId,
}

impl Context {
    #[inline(always)]
    pub(super) fn of(cursor: &Cursor<'_>) -> Self {
        let (category, name) = (cursor.event.cat.index(), cursor.event.name);
        Self { state: cursor.state, inside: cursor.inside, category, name }
    }

    /// Where the successors of this state and category are kept.
    #[inline(always)]
    fn by_category(self) -> usize {
        PLACES + usize::from(self.state) * CATEGORIES + (self.category & (CATEGORIES - 1))
    }

    /// Where the successors of this state and name are kept, with those of some others.
    #[inline(always)]
    fn by_name(self) -> usize {
        let key = u64::from(self.state) << 32 | u64::from(self.name.0);
        (key.wrapping_mul(0x9E37_79B9_7F4A_7C15) >> (64 - PLACES_BITS)) as usize
    }
}

/// All tokens of a file.
pub(super) struct Learned {
    tokens: Vec<Token>,
    /// What tokens have beyond their heads.
    rests: Vec<u8>,
    /// Successors, by name and then by category.
    next: Vec<Successors>,
    index: FxHashMap<u64, u16>,
    /// Whether to guess at all.
    pub(super) on: bool,
    /// Whether tokens hold literal values; given up when they are too varied.
    pub(super) literals: bool,
    /// Which other values tokens hold; given up first.
    pub(super) habits: Option<Habits>,
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
            rests: Vec::new(),
            next: Vec::new(),
            index: FxHashMap::default(),
            on,
            literals: on,
            habits: on.then(Habits::default),
            n_misses: 0,
        };
        new.forget();
        new
    }

    fn forget(&mut self) {
        self.tokens = vec![Token::BLANK; Self::N_STATES];
        self.rests.clear();
        self.next = vec![[0; 4]; PLACES + Self::N_STATES * CATEGORIES];
        self.index.clear();
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
        let context = Context::of(cursor);
        let by_name = self.tokens.get(usize::from(context.state))?.by_name;
        let slot = if by_name { context.by_name() } else { context.by_category() };
        let first = self.next.get(slot)?[0];
        let (id, token) = match self.tokens.get(usize::from(first)) {
            Some(token) if self.stands(token, cursor, at) => (first, token),
            _ => {
                let id = self.other(slot, cursor, at)?;
                (id, self.tokens.get(usize::from(id))?)
            }
        };
        if token.emit != 0 {
            let end = at + usize::from(token.emit);
            if end > cursor.deadline {
                return None;
            }
            if token.before.has != 0 {
                cursor.apply(&token.before);
            }
            cursor.emit(end, sink);
        }
        if token.after.has != 0 {
            cursor.apply(&token.after);
        }
        cursor.inside = token.inside;
        cursor.state = id;
        Some(((token.field, token.quoted), at + usize::from(token.len)))
    }

    /// Whether a token stands at `at`; the blank ones never do.
    #[inline(always)]
    fn stands(&self, token: &Token, cursor: &Cursor<'_>, at: usize) -> bool {
        let len = usize::from(token.len);
        if len == 0 || at + len > cursor.end {
            return false;
        }
        let here = cursor.text.get(at..).and_then(|rest| rest.first_chunk());
        here.is_some_and(|here| simd::same_start(&token.head, here, len))
            && (len <= BLOCK || self.rest(token) == cursor.text.get(at + BLOCK..at + len))
    }

    /// What a token has beyond its head.
    fn rest(&self, token: &Token) -> Option<&[u8]> {
        let from = token.rest as usize;
        self.rests.get(from..from + usize::from(token.len).saturating_sub(BLOCK))
    }

    /// The successor that stands at `at` when it is not the one last used, which it now is.
    #[inline(never)]
    fn other(&mut self, slot: usize, cursor: &Cursor<'_>, at: usize) -> Option<u16> {
        let known = *self.next.get(slot)?;
        let stands = |id: u16| {
            let token = self.tokens.get(usize::from(id));
            token.is_some_and(|token| self.stands(token, cursor, at))
        };
        let way = (1..known.len()).find(|way| stands(known[*way]))?;
        self.next[slot].swap(0, way);
        Some(known[way])
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
        let hash = hasher.hash_one((bytes, lesson.context.inside));
        let id = match self.index.get(&hash) {
            Some(id) if self.is_same(*id, bytes, lesson, inside) => *id,
            Some(_) => return unknown,
            None if self.tokens.len() >= MAX_TOKENS => {
                self.outgrown();
                return unknown;
            }
            None => self.add(hash, bytes, lesson, inside),
        };
        self.follow(lesson, id);
        id
    }

    /// Remembers `id` as what came last in the lesson's context.
    fn follow(&mut self, lesson: &Lesson, id: u16) {
        let Some(before) = self.tokens.get_mut(usize::from(lesson.context.state)) else { return };
        before.by_name |= lesson.by_name;
        let context = lesson.context;
        let slot = if before.by_name { context.by_name() } else { context.by_category() };
        if let Some(next) = self.next.get_mut(slot) {
            next.rotate_right(1);
            next[0] = id;
        }
    }

    fn is_same(&self, id: u16, bytes: &[u8], lesson: &Lesson, inside: Inside) -> bool {
        self.tokens.get(usize::from(id)).is_some_and(|token| {
            let (head, rest) = bytes.split_at(bytes.len().min(BLOCK));
            usize::from(token.len) == bytes.len()
                && token.head.starts_with(head)
                && self.rest(token) == Some(rest)
                && token.field == lesson.field
                && token.inside == inside
                && usize::from(token.emit) == lesson.emit
                && token.before == lesson.before
                && token.after == lesson.after
        })
    }

    fn add(&mut self, hash: u64, bytes: &[u8], lesson: &Lesson, inside: Inside) -> u16 {
        let id = self.tokens.len() as u16;
        let (start, rest) = bytes.split_at(bytes.len().min(BLOCK));
        let mut head = [0; BLOCK];
        head[..start.len()].copy_from_slice(start);
        self.tokens.push(Token {
            head,
            rest: self.rests.len() as u32,
            len: bytes.len() as u16,
            emit: lesson.emit as u16,
            field: lesson.field,
            quoted: lesson.quoted,
            inside,
            by_name: false,
            before: lesson.before,
            after: lesson.after,
        });
        self.rests.extend_from_slice(rest);
        self.next.resize(PLACES + self.tokens.len() * CATEGORIES, [0; 4]);
        self.index.insert(hash, id);
        id
    }

    /// Too many tokens: the values in them vary too much.
    fn outgrown(&mut self) {
        if !self.simplify() && self.literals {
            self.literals = false;
            self.forget();
        }
    }

    /// Starts anew with tokens that hold no values which only seemed to repeat; tells whether they
    /// did so far.
    pub(super) fn simplify(&mut self) -> bool {
        let had_habits = self.habits.take().is_some();
        if had_habits {
            self.forget();
        }
        had_habits
    }
}
