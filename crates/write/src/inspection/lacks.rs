//! What a timeline lacks, and what that costs.

use flamelane_model::{FrameKind, NONE, Trace};

/// One sentence for each thing that an analysis would miss.
pub(super) fn of_trace(trace: &Trace) -> Vec<String> {
    let mut lacks = Vec::new();
    let has = |kind| trace.host.kind.contains(&kind);
    let mut say = |is_missing: bool, what: &str| {
        if is_missing {
            lacks.push(what.to_owned());
        }
    };
    let has_device = !trace.device.is_empty();
    say(!has_device, "no device work: the host alone");
    say(trace.host.is_empty(), "no host spans: device work without a cause");
    if !trace.host.is_empty() {
        let (python, ops) = (has(FrameKind::Python), has(FrameKind::Op));
        say(!python, "no python stacks (`with_stack=True` records them)");
        say(!ops, "no operators");
        say(has_device && trace.calls.is_empty(), "no runtime calls: launches are unknown");
        let said = "no annotations: steps can only be told by repeating launches";
        say(!has(FrameKind::Annotation), said);
    }
    say(has_device && trace.syncs.is_empty(), "no synchronisation records (opt-in in Kineto)");
    lacks.extend(counted(trace));
    lacks
}

fn counted(trace: &Trace) -> Vec<String> {
    let device = &trace.device;
    let all = device.len();
    let unlinked = (0..all)
        .filter(|&span| device.correlation[span] == NONE && device.external[span] == NONE)
        .count();
    let is_copy = |span: &usize| device.kind[*span] == flamelane_model::DeviceKind::Copy;
    let copies = (0..all).filter(is_copy);
    let (n_copies, unsized_copies) = copies.fold((0, 0), |(n_copies, n_unsized), span| {
        (n_copies + 1, n_unsized + usize::from(device.bytes[span] == NONE))
    });
    let mut lacks = Vec::new();
    if unlinked > 0 && trace.flows.is_empty() {
        lacks.push(format!(
            "{unlinked} of {all} device spans carry no id that leads to their launch"
        ));
    }
    if unsized_copies > 0 {
        lacks.push(format!("{unsized_copies} of {n_copies} copies do not say their size"));
    }
    lacks
}
