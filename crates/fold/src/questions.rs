//! Questions: the three things to ask of any profile first, answered from the stacks.

use std::collections::{BTreeMap, BTreeSet};

use flamelane_link::comparison;
use flamelane_model::labels::shortest;
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

    /// A name fit for a sentence.
    fn short(&self, node: StackId) -> String {
        let frame = self.profile.stacks.frame(node);
        shortest(&comparison(self.name(node)), frame.kind)
    }

    /// The outermost stack that runs a model: a module, else a `forward` function or range.
    fn forward(&self) -> StackId {
        let is_module = |node: &StackId| self.profile.stacks.frame(*node).kind == FrameKind::Module;
        let is_forward = |node: &StackId| {
            let kind = self.profile.stacks.frame(*node).kind;
            let name = self.name(*node);
            (kind == FrameKind::Python && name.ends_with(": forward"))
                || (kind == FrameKind::Annotation && name.to_ascii_lowercase().contains("forward"))
        };
        let total = |node: Option<StackId>| node.map_or(0, |node| self.totals[node.index()]);
        let (module, forward) = (self.widest_of(is_module), self.widest_of(is_forward));
        // Modules say most, unless a graph replay hides all but a sampler's.
        let chosen =
            if total(module).saturating_mul(2) >= total(forward) { module } else { forward };
        // A model that holds less than half of the work is not the model: all stacks, then.
        chosen
            .filter(|node| total(Some(*node)).saturating_mul(2) >= self.totals[0])
            .unwrap_or(StackId(0))
    }

    fn widest_of(&self, wanted: impl Fn(&StackId) -> bool) -> Option<StackId> {
        let nodes = self.profile.stacks.nodes().filter(wanted);
        let widest = nodes.max_by_key(|node| (self.totals[node.index()], std::cmp::Reverse(*node)));
        widest.filter(|node| self.totals[node.index()] > 0)
    }

    /// The widest group of frames of one name below `from`, past frames that hand nearly everything
    /// to one name: the layers of a model count together.
    fn narrowing(&self, from: StackId) -> (StackId, i64, usize) {
        let stacks = &self.profile.stacks;
        let mut children: Vec<Vec<StackId>> = vec![Vec::new(); stacks.len()];
        for node in stacks.nodes().filter(|node| !self.is_thread(*node)) {
            let parent = stacks.parent(node);
            // Threads are no level of the answer.
            let parent = if self.is_thread(parent) { stacks.root() } else { parent };
            children[parent.index()].push(node);
        }
        let sum = |nodes: &[StackId]| {
            nodes.iter().fold(0, |sum: i64, node| sum.saturating_add(self.totals[node.index()]))
        };
        let mut at = vec![from];
        loop {
            let mut groups: BTreeMap<String, Vec<StackId>> = BTreeMap::new();
            for child in at.iter().flat_map(|node| &children[node.index()]) {
                groups.entry(comparison(self.name(*child)).into_owned()).or_default().push(*child);
            }
            let widest = groups.into_values().max_by_key(|nodes| (sum(nodes), nodes[0]));
            let Some(widest) = widest.filter(|nodes| sum(nodes) > 0) else { break };
            let passes = sum(&widest).saturating_mul(10) >= sum(&at).saturating_mul(9);
            at = widest;
            if !passes {
                break;
            }
        }
        let names: BTreeSet<&str> = at.iter().map(|node| self.name(*node)).collect();
        (at[0], sum(&at), names.len())
    }

    fn is_thread(&self, node: StackId) -> bool {
        self.profile.stacks.frame(node).kind == FrameKind::Thread
    }

    fn widest(&self) -> Answer {
        let forward = self.forward();
        let (node, total, n_names) = self.narrowing(forward);
        let times = if n_names > 1 { format!("{n_names} × ") } else { String::new() };
        let holds = format!(
            "{times}`{}` holds {:.1} % of device time",
            self.short(node),
            self.share(total)
        );
        let answer = if forward.index() == 0 {
            format!("no forward is named in the stacks; of all, {holds}")
        } else {
            format!("{holds}, the widest below `{}`", self.short(forward))
        };
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
        let total = copies().fold(0, |sum: i64, node| sum.saturating_add(selves[node.index()]));
        let share = self.share(total);
        let question = "Are there copies at significant width?";
        let widest = copies().max_by_key(|node| (selves[node.index()], std::cmp::Reverse(*node)));
        match widest.filter(|_| share >= COPY_SHARE) {
            Some(node) => {
                let caller = self.short(self.profile.stacks.parent(node));
                let inside = if flamelane_link::within_device(self.name(node)) {
                    ", within the device, which counts as compute"
                } else {
                    ""
                };
                let answer = format!(
                    "yes: copies take {share:.1} % of device time, most in `{}` from `{caller}`{inside}",
                    self.short(node),
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
                    self.short(node),
                    per_parent(node),
                    self.short(parent),
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
