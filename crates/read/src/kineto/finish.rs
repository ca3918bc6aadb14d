//! The last steps, when the whole file has passed: times from the first span, lanes with names.

use flamelane_model::{FrameKind, Interval, NONE, Notes, Ns, Trace};

use super::{builder::Builder, categories};
use crate::json::Outcome;

impl Builder {
    /// Makes the trace.
    pub(super) fn finish(mut self, outcome: &Outcome) -> (Trace, Notes) {
        if let Some(error) = &outcome.error {
            let first = std::error::Error::source(error).map(ToString::to_string);
            self.notes.add(
                "input-error",
                "times the input failed; all whole events were read",
                || first.unwrap_or_default(),
            );
        }
        self.name_kernels();
        self.tell_annotations();
        self.place_flows();
        self.labels.apply(&mut self.lanes);
        self.lanes.sort_devices();
        self.properties.describe(&mut self.lanes.devices, &mut self.names.strings);
        self.note_crowds();
        let census = self.census();
        let zero = if self.first > self.last { 0 } else { self.first };
        let mut trace = self.trace;
        self.launched_names.sort_unstable();
        trace.launched_names = self.launched_names;
        trace.census = census;
        trace.origin = self.properties.base_ns.saturating_add(zero);
        let recorded = trace.metadata.recorded;
        trace.metadata = self.properties.into_metadata(!outcome.any_fraction);
        trace.metadata.recorded = recorded;
        trace.strings = self.names.strings;
        trace.lanes = self.lanes.rows;
        trace.processes = self.lanes.processes;
        trace.devices = self.lanes.devices;
        if self.first <= self.last {
            trace.extent = Interval::new(self.first, self.last);
        }
        move_times(&mut trace, zero);
        (trace, self.notes)
    }

    /// Gives kernels whose name says nothing the one that their launch carries.
    fn name_kernels(&mut self) {
        if !self.any_generic || self.launched_names.is_empty() {
            return;
        }
        self.launched_names.sort_unstable();
        let device = &mut self.trace.device;
        for (name, correlation) in device.name.iter_mut().zip(&device.correlation) {
            if *correlation == NONE || !categories::is_generic(self.names.strings.text(*name)) {
                continue;
            }
            let found = self.launched_names.binary_search_by_key(correlation, |row| row.0);
            if let Ok(row) = found {
                *name = self.launched_names[row].1;
            }
        }
    }

    /// Before torch 1.10 the ranges of `record_function` carry the operators' category: the ones
    /// that torch itself makes are known by their names.
    fn tell_annotations(&mut self) {
        let strings = &self.names.strings;
        let is_range: Vec<bool> =
            strings.iter().map(|(_, name)| categories::is_old_range(name)).collect();
        if !is_range.contains(&true) {
            return;
        }
        let host = &mut self.trace.host;
        for (kind, name) in host.kind.iter_mut().zip(&host.name) {
            if *kind == FrameKind::Op && is_range[name.index()] {
                *kind = FrameKind::Annotation;
            }
        }
    }

    /// Puts flow ends on lanes. They say nothing when every device span has a correlation id.
    fn place_flows(&mut self) {
        let flows = std::mem::take(&mut self.flows);
        if self.any_unlinked {
            self.trace.flows = flows.placed(&self.lanes);
        }
    }

    fn note_crowds(&mut self) {
        let max = self.lanes.rows.len();
        self.notes.add_many(
            "too-many-lanes",
            "spans came on more lanes than are kept and share one",
            self.lanes.n_crowded,
            || format!("{max} lanes are kept"),
        );
        self.notes.add_many(
            "too-many-names",
            "names of threads and processes were more than are kept",
            self.labels.n_dropped,
            String::new,
        );
    }
}

/// Makes all times relative to `zero`.
fn move_times(trace: &mut Trace, zero: Ns) {
    let fits = trace.extent.to.checked_sub(zero).is_some();
    let columns = [
        &mut trace.host.start,
        &mut trace.host.end,
        &mut trace.device.start,
        &mut trace.device.end,
    ];
    for column in columns {
        for time in column {
            // Every span lies in the extent, so the short form is the same when that fits.
            *time = if fits { time.wrapping_sub(zero) } else { time.saturating_sub(zero) };
        }
    }
    let shift = |(from, to): &mut (Ns, Ns)| {
        *from = from.saturating_sub(zero);
        *to = to.saturating_sub(zero);
    };
    trace.overheads.span.iter_mut().for_each(shift);
    trace.syncs.iter_mut().for_each(|row| shift(&mut row.span));
    for flow in &mut trace.flows {
        flow.at = flow.at.saturating_sub(zero);
    }
    let relative = |whole: Interval| {
        Interval::new(whole.from.saturating_sub(zero), whole.to.saturating_sub(zero))
    };
    trace.metadata.recorded = trace.metadata.recorded.map(relative);
    trace.extent = relative(trace.extent);
}
