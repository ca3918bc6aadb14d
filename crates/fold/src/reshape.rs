//! Reshaping: the same weights over stacks of chosen frames.

use std::collections::BTreeMap;

use flamelane_link::{Rules, family, phase};
use flamelane_model::{Column, Frame, FrameKind, Profile, StackId, Strings};

/// What may be kept of a stack.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Part {
    /// Frames of one kind; `Kernel` stands for all device spans.
    Kind(FrameKind),
    /// Annotations that tell a phase, named by the phase.
    Phase,
    /// Device spans, named by their kernel family.
    Family,
}

impl Part {
    /// The part that `name` says: a frame kind, `phase` or `family`.
    pub fn parse(name: &str) -> Option<Self> {
        match name {
            "phase" => Some(Self::Phase),
            "family" => Some(Self::Family),
            _ => FrameKind::parse(name).map(Self::Kind),
        }
    }

    fn frame(self, frame: Frame, strings: &mut Strings, rules: &Rules) -> Option<Frame> {
        match self {
            Self::Kind(FrameKind::Kernel) if frame.kind.is_device() => Some(frame),
            Self::Kind(kind) => (frame.kind == kind).then_some(frame),
            Self::Phase if frame.kind == FrameKind::Annotation => {
                let phase = phase(strings.text(frame.name), rules)?;
                Some(Frame { name: strings.intern(&phase), kind: FrameKind::Annotation })
            }
            Self::Family if frame.kind.is_device() => {
                let family = match frame.kind {
                    FrameKind::Kernel | FrameKind::Comm => family(strings.text(frame.name), rules),
                    kind => kind.name().to_owned(),
                };
                Some(Frame { name: strings.intern(&family), kind: frame.kind })
            }
            _ => None,
        }
    }
}

/// Keeps the frames that `parts` name, buckets always; an empty list keeps all but threads.
///
/// Sums of all weights stay what they were.
pub fn reshape(profile: &Profile, parts: &[Part], rules: &Rules) -> Profile {
    // Stacks repeat their frames, and families are told by hundreds of words.
    let mut known: BTreeMap<Frame, Option<Frame>> = BTreeMap::new();
    map(profile, |frame, strings| {
        if frame.kind == FrameKind::Synthetic {
            return Some(frame);
        }
        if parts.is_empty() {
            return (frame.kind != FrameKind::Thread).then_some(frame);
        }
        let find = || parts.iter().find_map(|part| part.frame(frame, strings, rules));
        *known.entry(frame).or_insert_with(find)
    })
}

/// Rebuilds the stacks frame by frame: `keep` renames a frame or drops it.
fn map(profile: &Profile, mut keep: impl FnMut(Frame, &mut Strings) -> Option<Frame>) -> Profile {
    let mut out = Profile { strings: profile.strings.clone(), ..Profile::default() };
    let mut moved = vec![StackId(0); profile.stacks.len()];
    for node in profile.stacks.nodes() {
        let parent = moved[profile.stacks.parent(node).index()];
        moved[node.index()] = match keep(profile.stacks.frame(node), &mut out.strings) {
            Some(frame) => out.stacks.child(parent, frame),
            None => parent,
        };
    }
    for column in &profile.columns {
        let mut self_values = vec![0; out.stacks.len()];
        for (row, value) in column.self_values.iter().enumerate() {
            let sum: &mut i64 = &mut self_values[moved[row].index()];
            *sum = sum.saturating_add(*value);
        }
        out.columns.push(Column { self_values, ..column.clone() });
    }
    out
}

/// Divides every weight by the number of steps, rounded to a thousandth of its unit: its columns
/// have three more decimals.
pub fn per_step(mut profile: Profile, n_steps: usize) -> Profile {
    let n_steps = n_steps.max(1) as i128;
    for column in &mut profile.columns {
        column.decimals = column.decimals.saturating_add(3);
        for value in &mut column.self_values {
            let scaled = i128::from(*value) * 1000;
            *value = i64::try_from((scaled + n_steps / 2).div_euclid(n_steps)).unwrap_or(i64::MAX);
        }
    }
    profile
}

#[cfg(test)]
mod tests {
    use flamelane_model::Weight;

    use super::*;

    /// `thread > decode step > mm > gemm kernel`, and idle time in a bucket.
    fn sample() -> Profile {
        let mut profile = Profile::new();
        let mut path = |names: &[(&str, FrameKind)]| {
            let strings = &mut profile.strings;
            let frames: Vec<_> = names.iter().map(|(n, kind)| (strings.intern(n), *kind)).collect();
            profile.stacks.intern_path(&frames)
        };
        let main = ("main", FrameKind::Thread);
        let step = ("step[DECODE bs=8]", FrameKind::Annotation);
        let kernel = ("sm80_gemm", FrameKind::Kernel);
        let node = path(&[main, step, ("aten::mm", FrameKind::Op), kernel]);
        let bucket = path(&[("[dispatch]", FrameKind::Synthetic)]);
        profile.add(Weight::Gpu, node, 100);
        profile.add(Weight::Idle, bucket, 7);
        profile
    }

    fn stacks(profile: &Profile, weight: &Weight) -> Vec<(String, i64)> {
        let selves = profile.selves(weight);
        let nodes = profile.stacks.nodes().filter(|node| selves[node.index()] != 0);
        let name = |node| profile.stacks.names(node, &profile.strings).join(";");
        nodes.map(|node| (name(node), selves[node.index()])).collect()
    }

    #[test]
    fn chosen_parts_keep_their_frames_and_buckets_stay() {
        let parts = [Part::Phase, Part::Family];
        let found = reshape(&sample(), &parts, &Rules::default());
        assert_eq!(stacks(&found, &Weight::Gpu), [("decode;gemm".to_owned(), 100)]);
        assert_eq!(stacks(&found, &Weight::Idle), [("[dispatch]".to_owned(), 7)]);
    }

    #[test]
    fn no_parts_keep_all_but_threads() {
        let found = reshape(&sample(), &[], &Rules::default());
        let wanted = "step[DECODE bs=8];aten::mm;sm80_gemm";
        assert_eq!(stacks(&found, &Weight::Gpu), [(wanted.to_owned(), 100)]);
    }

    #[test]
    fn a_step_holds_its_part_to_a_thousandth() {
        let found = per_step(sample(), 3);
        let column = found.column(&Weight::Gpu).unwrap();
        assert_eq!((column.decimals, found.sum(&Weight::Gpu)), (3, 33_333));
        assert_eq!(found.sum(&Weight::Idle), 2_333);
    }

    #[test]
    fn parts_are_known_by_their_words() {
        assert_eq!(Part::parse("phase"), Some(Part::Phase));
        assert_eq!(Part::parse("op"), Some(Part::Kind(FrameKind::Op)));
        assert_eq!(Part::parse("nothing"), None);
    }
}
