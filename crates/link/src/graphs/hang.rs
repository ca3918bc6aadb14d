//! Where recorded frames go in the stacks of a capture: below the replay.

use flamelane_model::{Frame, FrameKind, StackId, StrId};
use rustc_hash::FxHashMap;

use super::recording::Recording;
use crate::Linked;

/// Stacks of recorded code, by replay and recorded stack: each is made once.
pub(super) struct Hanger {
    graph: Frame,
    made: FxHashMap<(StackId, usize, StackId), StackId>,
    regions: FxHashMap<(StackId, StrId), StackId>,
}

impl Hanger {
    pub(super) fn new(linked: &mut Linked) -> Self {
        let name = linked.trace.strings.intern("[graph]");
        let graph = Frame { name, kind: FrameKind::Synthetic };
        Self { graph, made: FxHashMap::default(), regions: FxHashMap::default() }
    }

    /// The stack of recorded code below a replay: from the outermost module on, else from where it
    /// leaves the replay's own frames.
    pub(super) fn recorded(
        &mut self,
        linked: &mut Linked,
        replay: StackId,
        (number, recording): (usize, &Recording),
        stack: StackId,
    ) -> StackId {
        if let Some(&made) = self.made.get(&(replay, number, stack)) {
            return made;
        }
        let frames = recording.stacks.path(stack);
        let from = below(linked, replay, recording, &frames);
        let stacks = &mut linked.nested.stacks;
        let mut node = stacks.child(replay, self.graph);
        for frame in &frames[from..] {
            let name = linked.trace.strings.intern(recording.strings.text(frame.name));
            node = stacks.child(node, Frame { name, kind: frame.kind });
        }
        self.made.insert((replay, number, stack), node);
        node
    }

    /// The stack of a named region below a replay.
    pub(super) fn region(
        &mut self,
        linked: &mut Linked,
        replay: StackId,
        region: StrId,
    ) -> StackId {
        let graph = self.graph;
        let stacks = &mut linked.nested.stacks;
        *self.regions.entry((replay, region)).or_insert_with(|| {
            let node = stacks.child(replay, graph);
            stacks.child(node, Frame { name: region, kind: FrameKind::Annotation })
        })
    }
}

fn below(linked: &Linked, replay: StackId, recording: &Recording, frames: &[Frame]) -> usize {
    if let Some(module) = frames.iter().position(|frame| frame.kind == FrameKind::Module) {
        return module;
    }
    let own = linked.nested.stacks.path(replay);
    let own = own.iter().filter(|frame| frame.kind != FrameKind::Thread);
    let same = own.zip(frames).take_while(|(own, recorded)| {
        own.kind == recorded.kind
            && linked.trace.text(own.name) == recording.strings.text(recorded.name)
    });
    same.count()
}
