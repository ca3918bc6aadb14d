//! Rules: one kind of finding each, in the order in which they take lost time.

pub(crate) mod churn;
pub(crate) mod comm;
pub(crate) mod compile;
pub(crate) mod copies;
pub(crate) mod fallback;
pub(crate) mod input;
pub(crate) mod lead;
pub(crate) mod loops;
pub(crate) mod pause;
pub(crate) mod shapes;
pub(crate) mod unseen;

use crate::draft::{Draft, Drafts};
use crate::finding::Words;
use crate::kind::Kind;
use crate::lost::DeviceLoss;
use crate::scene::Scene;

/// Lets every rule take what is its own.
pub(crate) fn claim(scene: &Scene<'_>, lost: &mut [DeviceLoss]) -> Drafts {
    let mut drafts = Drafts::default();
    fallback::claim(scene, lost, &mut drafts);
    churn::claim(scene, lost, &mut drafts);
    compile::claim(scene, lost, &mut drafts);
    input::claim(scene, lost, &mut drafts);
    pause::claim(scene, lost, &mut drafts);
    lead::claim(scene, lost, &mut drafts);
    unseen::claim(scene, &mut drafts);
    shapes::claim(scene, lost, &mut drafts);
    loops::claim(scene, lost, &mut drafts);
    comm::claim(scene, &mut drafts);
    copies::claim(scene, &mut drafts);
    drafts
}

/// What the rule of a draft's kind says of it.
pub(crate) fn tell(scene: &Scene<'_>, draft: &Draft) -> Words {
    match draft.kind {
        Kind::GraphFallback => fallback::tell(scene, draft),
        Kind::AllocatorChurn => churn::tell(scene, draft),
        Kind::Compile => compile::tell(scene, draft),
        Kind::InputWait => input::tell(scene, draft),
        Kind::Pause => pause::tell(scene, draft),
        Kind::SyncCliff | Kind::PageableCopy => lead::tell(scene, draft),
        Kind::ExposedComm => comm::tell(scene, draft),
        Kind::CopyOnCriticalPath => copies::tell(scene, draft),
        Kind::PicketFence | Kind::HostIsland | Kind::DispatchBound => shapes::tell(scene, draft),
        Kind::Loop => loops::tell(scene, draft),
    }
}
