//! Edges of the replay as drawings: one line is one lane, one character is 10 µs.
//!
//! Each drawing is replayed as it is, then with a change that shows whether an edge is there.

#![expect(clippy::unwrap_used, reason = "a test may fail where it stands")]

mod copies;
mod graphs;
mod hostile;
mod threads;
mod waits;

use flamelane_link::{Choice, Linked, Rules, link};
use flamelane_model::{Ns, StackId};
use flamelane_read::{Content, Limits};
use flamelane_testkit::{Layout, draw};
use flamelane_whatif::{Change, Replay};

/// Length of a character.
const UNIT: Ns = 10_000;

fn linked(drawing: &str) -> Linked {
    linked_at(drawing, UNIT)
}

fn linked_at(drawing: &str, unit: Ns) -> Linked {
    read(&draw::scaled(drawing, unit).to_json(Layout::Kineto), Choice::KeptSteps)
}

fn read(json: &str, choice: Choice) -> Linked {
    let read = flamelane_read::open(&mut json.as_bytes(), &Limits::default(), Some("kineto"));
    match read.unwrap().content {
        Content::Trace(trace) => link(*trace, Rules { choice, ..Rules::default() }),
        Content::Profile(_) => panic!("a trace"),
    }
}

/// All stacks of blocking calls below a frame of that name.
fn syncs(linked: &Linked, below: &str) -> Change {
    let stacks = linked.waits.iter().map(|wait| linked.nested.call_stack[wait.call.index()]);
    let names = |stack: &StackId| linked.nested.stacks.names(*stack, &linked.trace.strings);
    Change::DropSync(stacks.filter(|stack| names(stack).contains(&below)).collect())
}

/// A replay that is as long as what was drawn, to the nanosecond.
fn exact(linked: &Linked) -> Replay<'_> {
    let replay = Replay::new(linked).unwrap();
    assert_eq!(replay.check().replayed, replay.check().measured, "{:?}", replay.constants());
    replay
}

/// Gain in ns of dropping the waits below `[item]`.
fn gain(drawing: &str) -> Ns {
    let linked = linked(drawing);
    let replay = exact(&linked);
    replay.predict(&syncs(&linked, "item")).unwrap().gain
}
