//! A replay and the capture of its graph: launch for launch the same. Where the file names no
//! captured kernels (CUDA), the n-th node of the graph is the n-th launch that was recorded.

use flamelane_model::{FrameKind, StackId};

use super::named::{Candidate, LEAST_KERNELS};
use super::recording::Recording;
use super::tokens::{NAMELESS, is_kernel};
use super::{Match, PartId, Way};

/// Frames without a module that two captures must share to be of one code.
const INNER_FRAMES: usize = 8;

/// The capture that launched what the replay ran, one by one, by name.
pub(super) fn by_name(
    tokens: &[u32],
    candidates: &[Candidate],
    recordings: &[&Recording],
) -> Option<Match> {
    let fits = |theirs: &[u32]| theirs == tokens && !theirs.contains(&NAMELESS);
    let any_kernel = tokens.iter().any(|&token| is_kernel(token));
    let part = only(&|theirs| any_kernel && fits(theirs), candidates, recordings)?;
    Some(Match::whole(part, tokens.len(), Way::Name))
}

/// The capture that has as many launches as the replay, of the same kinds at the same places.
pub(super) fn by_order(
    tokens: &[u32],
    candidates: &[Candidate],
    recordings: &[&Recording],
) -> Option<Match> {
    let is_same =
        |(&theirs, &own): (&u32, &u32)| theirs == own || (theirs == NAMELESS && is_kernel(own));
    let fits = |theirs: &[u32]| {
        theirs.len() == tokens.len()
            && theirs.contains(&NAMELESS)
            && theirs.iter().zip(tokens).all(is_same)
    };
    let n_kernels = tokens.iter().filter(|&&token| is_kernel(token)).count();
    let part = only(&|theirs| n_kernels >= LEAST_KERNELS && fits(theirs), candidates, recordings)?;
    Some(Match::whole(part, tokens.len(), Way::Order))
}

/// The first capture that fits; none where others that fit are of other code, because nothing tells
/// which it was.
fn only(
    fits: &dyn Fn(&[u32]) -> bool,
    candidates: &[Candidate],
    recordings: &[&Recording],
) -> Option<PartId> {
    let mut fitting =
        candidates.iter().filter(|candidate| candidate.is_captured && fits(&candidate.tokens));
    let first = fitting.next()?.part;
    let code = |(recording, part): PartId| {
        let recording: &Recording = recordings[recording];
        recording.parts[part].launches.iter().map(move |launch| (recording, launch.stack))
    };
    let is_same = |other: &Candidate| {
        let mut pairs = code(first).zip(code(other.part));
        pairs.all(|((a, one), (b, other))| {
            (std::ptr::eq(a, b) && one == other) || inner(a, one) == inner(b, other)
        })
    };
    fitting.all(is_same).then_some(first)
}

/// The frames of the model: from the outermost module on, else the innermost few; ranges say what
/// the capture was for (its batch size), not what code it was.
fn inner(recording: &Recording, stack: StackId) -> Vec<(&str, FrameKind)> {
    let frames = recording.stacks.path(stack).into_iter();
    let frames = frames.filter(|frame| frame.kind != FrameKind::Annotation);
    let frames: Vec<_> =
        frames.map(|frame| (recording.strings.text(frame.name), frame.kind)).collect();
    let module = frames.iter().position(|(_, kind)| *kind == FrameKind::Module);
    let from = module.unwrap_or(frames.len().saturating_sub(INNER_FRAMES));
    frames[from..].to_vec()
}
