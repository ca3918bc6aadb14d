//! Questions: the three things to ask of any profile first, answered from the stacks.

use flamelane_model::{FrameKind, Profile, StackId, Weight};

/// A question, its answer and the stack it points at.
#[derive(Clone, Debug)]
pub struct Answer {
    /// The question.
    pub question: &'static str,
    /// One sentence.
    pub answer: String,
    /// The stack; the root when the answer is "none".
    pub stack: StackId,
}

/// Copies below this share of device time are not worth a word, in percent.
const COPY_SHARE: f64 = 2.0;
/// A child entered this often per entry of its parent is a loop.
const LOOP: i64 = 16;

/// Answers them: the widest frame below the model's forward, copies, repeated stacks.
pub fn questions(profile: &Profile) -> Vec<Answer> {
    let totals = profile.totals(&Weight::Gpu);
    if totals[0] == 0 {
        return Vec::new();
    }
    let facts = Facts { profile, totals };
    vec![facts.widest(), facts.copies(), facts.repeats()]
}

struct Facts<'a> {
    profile: &'a Profile,
    totals: Vec<i64>,
}

impl Facts<'_> {
    fn share(&self, value: i64) -> f64 {
        100.0 * value as f64 / self.totals[0].max(1) as f64
    }

    fn name(&self, node: StackId) -> &str {
        self.profile.strings.text(self.profile.stacks.frame(node).name)
    }

    /// The outermost stack that runs a model: a module, else a `forward` function or range.
    fn forward(&self) -> StackId {
        let is_forward = |node: &StackId| {
            let kind = self.profile.stacks.frame(*node).kind;
            let name = self.name(*node);
            kind == FrameKind::Module
                || (kind == FrameKind::Python && name.ends_with(": forward"))
                || (kind == FrameKind::Annotation && name.to_ascii_lowercase().contains("forward"))
        };
        let models = self.profile.stacks.nodes().filter(is_forward);
        let widest =
            models.max_by_key(|node| (self.totals[node.index()], std::cmp::Reverse(*node)));
        widest.filter(|node| self.totals[node.index()] > 0).unwrap_or(StackId(0))
    }

    /// The widest frame below `from`, past frames that hand nearly everything to one child.
    fn narrowing(&self, from: StackId) -> StackId {
        let mut children: Vec<Vec<StackId>> = vec![Vec::new(); self.profile.stacks.len()];
        for node in self.profile.stacks.nodes() {
            children[self.profile.stacks.parent(node).index()].push(node);
        }
        let mut at = from;
        loop {
            let below = &children[at.index()];
            let Some(&widest) = below.iter().max_by_key(|node| self.totals[node.index()]) else {
                return at;
            };
            let passes = self.totals[widest.index()] * 10 >= self.totals[at.index()] * 9;
            at = widest;
            if !passes {
                return at;
            }
        }
    }

    fn widest(&self) -> Answer {
        let forward = self.forward();
        let node = self.narrowing(forward);
        let total = self.totals[node.index()];
        let below = if forward.index() == 0 { "all stacks" } else { self.name(forward) };
        let answer = format!(
            "`{}` holds {:.1} % of device time, the widest frame below `{below}`",
            self.name(node),
            self.share(total),
        );
        Answer {
            question: "What is the widest frame below the model's forward?",
            answer,
            stack: node,
        }
    }

    fn copies(&self) -> Answer {
        let selves = self.profile.selves(&Weight::Gpu);
        let copies = || {
            let kind = |node: StackId| self.profile.stacks.frame(node).kind;
            self.profile.stacks.nodes().filter(move |node| kind(*node) == FrameKind::Copy)
        };
        let total: i64 = copies().map(|node| selves[node.index()]).sum();
        let share = self.share(total);
        let question = "Are there copies at significant width?";
        let widest = copies().max_by_key(|node| (selves[node.index()], std::cmp::Reverse(*node)));
        match widest.filter(|_| share >= COPY_SHARE) {
            Some(node) => {
                let caller = self.name(self.profile.stacks.parent(node));
                let answer = format!(
                    "yes: copies take {share:.1} % of device time, most in `{}` from `{caller}`",
                    self.name(node),
                );
                Answer { question, answer, stack: node }
            }
            None => Answer {
                question,
                answer: format!("no: copies take {share:.1} % of device time"),
                stack: StackId(0),
            },
        }
    }

    fn repeats(&self) -> Answer {
        let question = "Do stacks repeat?";
        let calls = self.profile.selves(&Weight::Calls);
        let per_parent = |node: StackId| {
            let parent = self.profile.stacks.parent(node);
            calls[node.index()] / calls[parent.index()].max(1)
        };
        let is_loop = |node: &StackId| {
            let parent = self.profile.stacks.parent(*node);
            calls[parent.index()] > 0
                && per_parent(*node) >= LOOP
                && self.profile.stacks.frame(parent).kind != FrameKind::Annotation
        };
        let loops = self.profile.stacks.nodes().filter(is_loop);
        let widest = loops.max_by_key(|node| (self.totals[node.index()], std::cmp::Reverse(*node)));
        match widest.filter(|node| self.totals[node.index()] > 0) {
            Some(node) => {
                let parent = self.profile.stacks.parent(node);
                let answer = format!(
                    "yes: `{}` runs {} × per call of `{}`, {:.1} % of device time",
                    self.name(node),
                    per_parent(node),
                    self.name(parent),
                    self.share(self.totals[node.index()]),
                );
                Answer { question, answer, stack: node }
            }
            None => Answer {
                question,
                answer: format!("no: no frame runs {LOOP} × or more per call of its caller"),
                stack: StackId(0),
            },
        }
    }
}
