//! Changes: what is different in a replay.

use flamelane_link::{Linked, Sites};
use flamelane_model::{Ns, StackId};
use rustc_hash::FxHashSet;

use crate::constants::Constants;
use crate::region;
use crate::replay::{Aside, Edit, Edits, Moved};
use crate::script::{Direction, Script, Span};

/// One experiment.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Change {
    /// The blocking calls of these sites (stacks of calls, in the host stacks) do not block. Calls of
    /// the same operator count as one site: a copy and the wait for it.
    DropSync(Vec<StackId>),
    /// Copies between host and device run on a stream of their own, one ahead: each starts when the
    /// first work after the one before it has started.
    OverlapCopies,
    /// The launches below a frame become one graph launch; without a name, below the frame that
    /// launches most and waits for nothing.
    Graph(Option<String>),
}

/// What a change does, and what it takes for granted.
pub(crate) struct Planned {
    pub(crate) edits: Edits,
    /// Calls, copies or regions that it changes.
    pub(crate) count: usize,
    pub(crate) assumptions: Vec<String>,
}

impl Change {
    /// Plans it; none where there is nothing to change.
    pub(crate) fn plan(
        &self,
        linked: &Linked,
        script: &Script,
        constants: &Constants,
    ) -> Option<Planned> {
        let planned = match self {
            Self::DropSync(stacks) => drop_sync(linked, script, constants, stacks),
            Self::OverlapCopies => overlap_copies(script, constants),
            Self::Graph(name) => graph(linked, script, constants, name.as_deref())?,
        };
        (planned.count > 0).then_some(planned)
    }
}

fn drop_sync(
    linked: &Linked,
    script: &Script,
    constants: &Constants,
    stacks: &[StackId],
) -> Planned {
    let mut sites = Sites::default();
    let parent = |stack: StackId| linked.nested.stacks.parent(stack);
    let wanted: FxHashSet<u32> =
        stacks.iter().map(|&stack| sites.of(linked, parent(stack))).collect();
    let mut events = vec![Edit::default(); script.events.len()];
    let mut count = 0;
    for (event, edit) in script.events.iter().zip(&mut events) {
        if event.wait.is_some() && wanted.contains(&sites.of(linked, parent(event.stack))) {
            edit.no_wait = true;
            let least = if event.work.0 < event.work.1 {
                constants.copy_latency
            } else {
                constants.idle_wait
            };
            edit.takes = Some(event.time.len().min(least));
            count += 1;
        }
    }
    let assumptions =
        vec!["what the call waited for is not needed by the host before the next wait".to_owned()];
    Planned { edits: Edits { events, spans: Vec::new() }, count, assumptions }
}

fn overlap_copies(script: &Script, constants: &Constants) -> Planned {
    let mut events = vec![Edit::default(); script.events.len()];
    let mut overlap = Overlap {
        spans: vec![Moved::default(); script.spans.len()],
        pending: None,
        consumer: None,
        produced: vec![None; script.streams.len()],
        count: 0,
    };
    for (event, edit) in script.events.iter().zip(&mut events) {
        let (first, last) = event.work;
        let mut goes_ahead = false;
        for (row, span) in (first..last).zip(&script.spans[first..last]) {
            goes_ahead |= overlap.span(row, span);
        }
        if goes_ahead {
            edit.no_wait = true;
            edit.takes = Some(event.time.len().min(constants.copy_latency));
        }
    }
    let assumptions = vec![
        "the data of the next copy is ready when the work before it begins, in a second buffer"
            .to_owned(),
        "the link and the memory have room for copies beside the work".to_owned(),
    ];
    let edits = Edits { events, spans: overlap.spans };
    Planned { edits, count: overlap.count, assumptions }
}

/// Copies on their way to streams of their own.
struct Overlap {
    spans: Vec<Moved>,
    /// The copy to the device whose consumer is not known yet.
    pending: Option<usize>,
    /// The first work after the copy before it.
    consumer: Option<usize>,
    /// One a stream: its last work, which a copy to the host may carry away.
    produced: Vec<Option<usize>>,
    count: usize,
}

impl Overlap {
    /// Takes the next span; whether it goes ahead.
    fn span(&mut self, row: usize, span: &Span) -> bool {
        match span.copies.filter(|_| span.time.len() >= SHORT_COPY) {
            Some(Direction::ToDevice) => {
                self.spans[row] = Moved { aside: Aside::Ahead, with: self.consumer, after: None };
                self.pending = Some(row);
                self.count += 1;
                true
            }
            Some(Direction::ToHost) => {
                let after = self.produced[span.stream];
                self.spans[row] = Moved { aside: Aside::Behind, with: None, after };
                self.count += 1;
                false
            }
            _ => {
                if let Some(copy) = self.pending.take_if(|_| span.copies.is_none()) {
                    self.spans[row].after = Some(copy);
                    self.consumer = Some(row);
                }
                self.produced[span.stream] = Some(row);
                false
            }
        }
    }
}

/// Copies shorter than this are not worth a stream.
const SHORT_COPY: Ns = 20_000;

fn graph(
    linked: &Linked,
    script: &Script,
    constants: &Constants,
    name: Option<&str>,
) -> Option<Planned> {
    let frame = region::frame(linked, script, name)?;
    let regions = region::regions(linked, script, frame);
    let mut events = vec![Edit::default(); script.events.len()];
    for region in &regions {
        let (&first, rest) = region.events.split_first()?;
        let mut n_kernels = script.events[first].work.1 - script.events[first].work.0;
        for &row in rest {
            let work = script.events[row].work;
            n_kernels += work.1 - work.0;
            events[row].gone = true;
            events[first].also.push(work);
        }
        events[first].begins = Some(region.from);
        events[first].until = Some(region.to);
        events[first].takes = Some(constants.one_graph(n_kernels));
        events[first].graph = Some(constants.graph_start(n_kernels));
    }
    let text = linked.trace.text(linked.nested.stacks.frame(frame).name);
    let assumptions = vec![
        format!(
            "everything below `{text}` can be recorded: fixed shapes and addresses, no host decisions"
        ),
        "kernels keep their order and length".to_owned(),
    ];
    Some(Planned { edits: Edits { events, spans: Vec::new() }, count: regions.len(), assumptions })
}
