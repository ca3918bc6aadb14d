//! Reshaping: the same weights over stacks of chosen frames.

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
    map(profile, |frame, strings| {
        if frame.kind == FrameKind::Synthetic {
            return Some(frame);
        }
        if parts.is_empty() {
            return (frame.kind != FrameKind::Thread).then_some(frame);
        }
        parts.iter().find_map(|part| part.frame(frame, strings, rules))
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
            self_values[moved[row].index()] += value;
        }
        out.columns.push(Column { self_values, ..column.clone() });
    }
    out
}

/// Divides every weight by the number of steps, to a thousandth of its unit.
pub fn per_step(mut profile: Profile, n_steps: usize) -> Profile {
    let n_steps = n_steps.max(1) as i128;
    for column in &mut profile.columns {
        column.decimals += 3;
        for value in &mut column.self_values {
            let scaled = i128::from(*value) * 1000;
            *value = i64::try_from((scaled + n_steps / 2).div_euclid(n_steps)).unwrap_or(i64::MAX);
        }
    }
    profile
}
