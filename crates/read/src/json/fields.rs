//! Which keys of an event and of its `args` are read, and what they are.

/// A key whose value is used.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Field {
    /// Any other key: its value is skipped.
    Skip,
    /// The keys of an event.
    Ph,
    Cat,
    Name,
    Pid,
    Tid,
    Ts,
    Dur,
    Id,
    Args,
    /// The keys of `args`.
    Correlation,
    External,
    Stream,
    Device,
    Bytes,
    Sequence,
    ForwardThread,
    Graph,
    GraphNode,
    Task,
    Kernel,
    Label,
}

/// The field that a key of an event names.
pub(super) fn of_event(key: &[u8]) -> Field {
    match key {
        b"ph" => Field::Ph,
        b"cat" => Field::Cat,
        b"name" => Field::Name,
        b"pid" => Field::Pid,
        b"tid" => Field::Tid,
        b"ts" => Field::Ts,
        b"dur" => Field::Dur,
        b"id" => Field::Id,
        b"args" => Field::Args,
        _ => Field::Skip,
    }
}

/// The field that a key of `args` names.
pub(super) fn of_args(key: &[u8]) -> Field {
    match key {
        b"correlation" => Field::Correlation,
        b"External id" | b"external id" => Field::External,
        b"stream" => Field::Stream,
        b"device" => Field::Device,
        b"bytes" => Field::Bytes,
        b"Sequence number" => Field::Sequence,
        b"Fwd thread id" => Field::ForwardThread,
        b"graph id" => Field::Graph,
        b"graph node id" => Field::GraphNode,
        b"Task Type" => Field::Task,
        b"kernel" => Field::Kernel,
        b"name" => Field::Label,
        _ => Field::Skip,
    }
}

/// Whether an event may start or go on with this key: what tells a real event from text that
/// looks like one.
pub(super) fn is_event_key(key: &[u8]) -> bool {
    of_event(key) != Field::Skip
        || matches!(key, b"bp" | b"s" | b"tts" | b"tdur" | b"sf" | b"cname")
}
