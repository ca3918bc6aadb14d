//! Changes: what is different in a replay.

use flamelane_link::{Linked, Sites};
use flamelane_model::{Ns, StackId};
use rustc_hash::FxHashSet;

use crate::constants::Constants;
use crate::region;
use crate::replay::{Edit, Edits, Moved};
use crate::script::{On, Script};

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
    let mut spans = vec![Moved::default(); script.spans.len()];
    // The copy whose consumer is not known yet, and the first work after the copy before it.
    let (mut pending, mut consumer): (Option<usize>, Option<usize>) = (None, None);
    let mut count = 0;
    for (event, edit) in script.events.iter().zip(&mut events) {
        let (first, last) = event.work;
        for (row, span) in (first..last).zip(&script.spans[first..last]) {
            if span.is_copy && span.time.len() >= SHORT_COPY {
                spans[row] = Moved { aside: true, with: consumer, after: None };
                edit.no_wait = true;
                edit.takes = Some(event.time.len().min(constants.copy_latency));
                pending = Some(row);
                count += 1;
            } else if let Some(copy) = pending.take_if(|_| !span.is_copy) {
                spans[row].after = Some(copy);
                consumer = Some(row);
            }
        }
        // A wait for nothing but the copy becomes an edge on the device.
        let for_copy = event.wait.as_ref().is_some_and(|wait| match &wait.on {
            On::Span(span) => spans[*span].aside,
            On::Streams(_) => pending.is_some(),
            On::Nothing => false,
        });
        if for_copy && first == last {
            edit.no_wait = true;
            edit.takes = Some(event.time.len().min(constants.idle_wait));
        }
    }
    let assumptions = vec![
        "the data of the next copy is ready when the work before it begins, in a second buffer"
            .to_owned(),
        "the link and the memory have room for copies beside the work".to_owned(),
    ];
    Planned { edits: Edits { events, spans }, count, assumptions }
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
