//! Sites: which calls of a capture are "the same call in the code".

use std::borrow::Cow;

use flamelane_model::{FrameKind, StackId};
use rustc_hash::FxHashMap;

use crate::{Linked, comparison, pattern};

/// Numbers of call sites: stacks that differ only by numbers of modules, steps and batches are one.
#[derive(Debug, Default)]
pub struct Sites {
    names: FxHashMap<String, u32>,
    nodes: FxHashMap<(u32, u32), u32>,
    known: FxHashMap<StackId, u32>,
}

impl Sites {
    /// The number of a stack's site.
    pub fn of(&mut self, linked: &Linked, stack: StackId) -> u32 {
        let stacks = &linked.nested.stacks;
        let mut open = Vec::new();
        let mut site = 0;
        for node in stacks.climb(stack) {
            if let Some(&known) = self.known.get(&node) {
                site = known;
                break;
            }
            open.push(node);
        }
        for node in open.into_iter().rev() {
            let frame = stacks.frame(node);
            let text = linked.trace.text(frame.name);
            // Ranges carry numbers of steps, batches and requests.
            let name = match frame.kind {
                FrameKind::Annotation => Cow::Owned(pattern(text)),
                _ => comparison(text),
            };
            let n_names = self.names.len() as u32;
            let name = match self.names.get(name.as_ref()) {
                Some(&name) => name,
                None => *self.names.entry(name.into_owned()).or_insert(n_names),
            };
            let fresh = self.nodes.len() as u32 + 1;
            site = *self.nodes.entry((site, name)).or_insert(fresh);
            self.known.insert(node, site);
        }
        site
    }
}
