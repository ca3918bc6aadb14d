//! What a name says, looked at once: spans are many and their names few.

use flamelane_model::{StrId, Strings};

/// Answers to one question, by name.
#[derive(Debug, Default)]
pub(super) struct Memo(Vec<Option<bool>>);

impl Memo {
    /// The answer for a name, from `ask` when it was not asked before.
    #[inline]
    pub(super) fn of(
        &mut self,
        name: StrId,
        strings: &Strings,
        ask: impl FnOnce(&str) -> bool,
    ) -> bool {
        match self.0.get(name.index()) {
            Some(Some(answer)) => *answer,
            _ => self.learn(name, strings, ask),
        }
    }

    #[cold]
    fn learn(&mut self, name: StrId, strings: &Strings, ask: impl FnOnce(&str) -> bool) -> bool {
        let answer = ask(strings.text(name));
        if self.0.len() <= name.index() {
            self.0.resize(strings.len(), None);
        }
        self.0[name.index()] = Some(answer);
        answer
    }
}
