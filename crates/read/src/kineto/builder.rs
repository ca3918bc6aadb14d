//! From events to columns, one by one as they pass.

use flamelane_model::{
    DeviceKind, DeviceSpan, FlowEnd, FrameKind, Interval, NONE, Notes, Ns, StrId, Strings,
    SyncKind, SyncRow, Trace, make_room, node_id,
};

use super::{
    categories::{self, Class, Task},
    flows::Flows,
    labels::Labels,
    lanes::Lanes,
    memo::Memo,
    properties::{self, Properties},
};
use crate::{
    Limits,
    json::{Event, EventSink, EventText, Id, Names},
};

/// A trace in the making. Times are those of the file until `finish` moves them.
pub(super) struct Builder {
    pub(super) names: Names,
    pub(super) notes: Notes,
    pub(super) lanes: Lanes,
    pub(super) labels: Labels,
    pub(super) properties: Properties,
    pub(super) trace: Trace,
    /// First start and last end of complete events so far.
    pub(super) first: Ns,
    pub(super) last: Ns,
    /// Events by category and phase.
    counts: Vec<[u64; 128]>,
    classes: Vec<Class>,
    /// Kernel names that HIP launches carry, by correlation.
    pub(super) launched_names: Vec<(i64, StrId)>,
    /// Of names of kernels: whether it is that of a graph.
    is_graph_row: Memo,
    /// Of names of python frames: whether it is that of a module.
    is_module: Memo,
    /// Whether some kernel has a name that says nothing.
    pub(super) any_generic: bool,
    /// Whether some device span has no correlation, so that flows are needed.
    pub(super) any_unlinked: bool,
    pub(super) flows: Flows,
}

impl Builder {
    pub(super) fn new(limits: &Limits) -> Self {
        Self {
            names: Names::default(),
            notes: Notes::new(),
            lanes: Lanes::new(limits.max_lanes),
            labels: Labels::new(limits.max_lanes.saturating_mul(2)),
            properties: Properties::default(),
            trace: Trace::new(),
            first: Ns::MAX,
            last: Ns::MIN,
            counts: Vec::new(),
            classes: Vec::new(),
            launched_names: Vec::new(),
            is_graph_row: Memo::default(),
            is_module: Memo::default(),
            any_generic: false,
            any_unlinked: false,
            flows: Flows::new(limits.max_lanes),
        }
    }

    /// How often each phase and category came.
    pub(super) fn census(&self) -> flamelane_model::Census {
        let mut census = flamelane_model::Census::new();
        for (row, counts) in self.counts.iter().enumerate() {
            let category = self.names.category(crate::json::CategoryId(row as u16));
            for (phase, count) in counts.iter().enumerate().filter(|(_, count)| **count > 0) {
                let phase = if phase == 0 { String::new() } else { char::from(phase as u8).into() };
                *census.entry((phase, category.to_owned())).or_default() += count;
            }
        }
        census
    }

    /// Counts the event; gives its class.
    #[inline]
    fn classify(&mut self, event: &Event) -> Class {
        let row = event.cat.index();
        if row >= self.classes.len() {
            self.learn_categories();
        }
        if let Some(counts) = self.counts.get_mut(row) {
            counts[usize::from(event.ph & 127)] += 1;
        }
        self.classes.get(row).copied().unwrap_or(Class::Unknown)
    }

    #[cold]
    fn learn_categories(&mut self) {
        for row in self.classes.len()..self.names.n_categories() {
            let name = self.names.category(crate::json::CategoryId(row as u16));
            self.classes.push(categories::class(name));
            self.counts.push([0; 128]);
        }
    }

    /// A complete event.
    #[inline]
    fn complete(&mut self, event: &Event, class: Class, text: EventText<'_>) {
        let Some((start, end)) = self.times(event, text) else { return };
        self.first = self.first.min(start);
        self.last = self.last.max(end);
        match class {
            Class::Python => {
                let strings = &self.names.strings;
                let is_module =
                    self.is_module.of(event.name, strings, |name| name.starts_with("nn.Module: "));
                let kind = if is_module { FrameKind::Module } else { FrameKind::Python };
                self.host(event, kind, (start, end));
            }
            Class::Host(kind) => self.op(event, kind, (start, end)),
            Class::Runtime => self.call(event, (start, end), text),
            Class::Device(kind) => {
                if event.label.1 > event.label.0 && event.graph_node != NONE {
                    self.region(event, text);
                }
                self.device(event, kind, (start, end));
            }
            _ => self.rare(event, class, (start, end), text),
        }
    }

    #[inline]
    fn times(&mut self, event: &Event, text: EventText<'_>) -> Option<(Ns, Ns)> {
        let usual = event.ts != NONE && event.dur >= 0 && event.ts < Ns::MAX - event.dur;
        if usual { Some((event.ts, event.ts + event.dur)) } else { self.odd_times(event, text) }
    }

    #[cold]
    fn odd_times(&mut self, event: &Event, text: EventText<'_>) -> Option<(Ns, Ns)> {
        if event.ts == NONE {
            self.notes
                .add("no-time", "complete events had no start and were left out", || place(text));
            return None;
        }
        if event.dur == NONE {
            self.notes
                .add("no-duration", "complete events had no duration, taken as 0", || place(text));
            return Some((event.ts, event.ts));
        }
        if event.dur < 0 {
            self.notes.add(
                "negative-duration",
                "events had a negative duration, taken as 0",
                || place(text),
            );
            return Some((event.ts, event.ts));
        }
        self.notes.add(
            "time-overflow",
            "events end past the last time that fits, cut there",
            || place(text),
        );
        Some((event.ts, event.ts.saturating_add(event.dur)))
    }

    #[inline]
    fn host(&mut self, event: &Event, kind: FrameKind, span: (Ns, Ns)) {
        let lane = self.lanes.thread(event.pid, event.tid, &mut self.names.strings);
        self.trace.host.push(lane, kind, event.name, span);
    }

    #[inline]
    fn op(&mut self, event: &Event, kind: FrameKind, span: (Ns, Ns)) {
        let lane = self.lanes.thread(event.pid, event.tid, &mut self.names.strings);
        let id = self.trace.host.push(lane, kind, event.name, span);
        if event.external != NONE {
            make_room(&mut self.trace.op_links.external);
            self.trace.op_links.external.push((id, event.external));
        }
        if event.sequence >= 0 {
            let thread = event.forward_thread.max(0);
            make_room(&mut self.trace.op_links.sequence);
            self.trace.op_links.sequence.push((id, event.sequence, thread));
        }
    }

    #[inline]
    fn call(&mut self, event: &Event, span: (Ns, Ns), text: EventText<'_>) {
        let lane = self.lanes.thread(event.pid, event.tid, &mut self.names.strings);
        let id = self.trace.host.push(lane, FrameKind::Runtime, event.name, span);
        let correlation = correlation(event.correlation);
        self.trace.calls.push(id, correlation, event.external, event.bytes);
        if event.kernel.1 > event.kernel.0 && correlation != NONE {
            let name = self.names.intern(&text.piece(event.kernel));
            self.launched_names.push((correlation, name));
        }
    }

    #[inline]
    fn device(&mut self, event: &Event, kind: DeviceKind, (start, end): (Ns, Ns)) {
        let strings = &mut self.names.strings;
        let ids = (event.pid, event.tid);
        let lane = self.lanes.stream(ids, event.device, event.stream, strings);
        let is_graph = kind == DeviceKind::Kernel && self.is_graph(event.name);
        let correlation = correlation(event.correlation);
        self.any_unlinked |= correlation == NONE;
        self.trace.device.push(DeviceSpan {
            lane,
            kind: if is_graph { DeviceKind::Graph } else { kind },
            name: event.name,
            start,
            end,
            correlation,
            external: event.external,
            bytes: event.bytes,
            graph_node: node_id(event.graph, event.graph_node),
        });
    }

    /// The region that was named while the node of the next device span was recorded.
    #[cold]
    fn region(&mut self, event: &Event, text: EventText<'_>) {
        let name = self.names.intern(&text.piece(event.label));
        let span = self.trace.device.len() as u32;
        self.trace.graph_nodes.regions.push((span, name));
    }

    /// Whether a kernel's name is that of a graph; notices names that say nothing, too.
    #[inline]
    fn is_graph(&mut self, name: StrId) -> bool {
        self.is_graph_row.of(name, &self.names.strings, |text| {
            self.any_generic |= categories::is_generic(text);
            categories::is_graph_row(text)
        })
    }

    #[inline(never)]
    fn rare(&mut self, event: &Event, class: Class, span: (Ns, Ns), text: EventText<'_>) {
        match class {
            Class::Overhead => {
                self.trace.overheads.span.push(span);
                self.trace.overheads.name.push(event.name);
            }
            Class::Sync => {
                let name = self.names.strings.text(event.name);
                let is_stream = name.to_ascii_lowercase().contains("wait");
                let kind = if is_stream { SyncKind::StreamWait } else { SyncKind::HostWait };
                self.sync(event, kind, span);
            }
            Class::Mtia => self.task(event, span),
            Class::Unnamed if event.task.1 > event.task.0 => self.task(event, span),
            Class::Recording => {
                let recorded =
                    self.trace.metadata.recorded.unwrap_or(Interval::new(span.0, span.1));
                let hull = (recorded.from.min(span.0), recorded.to.max(span.1));
                self.trace.metadata.recorded = Some(Interval::new(hull.0, hull.1));
            }
            Class::DeviceAnnotation | Class::CensusOnly | Class::LaunchFlow => {}
            _ => {
                let category = self.names.category(event.cat);
                let name = self.names.strings.text(event.name);
                self.notes.add(
                    "unknown-category",
                    "spans of unknown categories were left out",
                    || format!("byte {}: `{category}`, `{name}`", text.at()),
                );
            }
        }
    }

    /// A record of a device whose categories do not tell work from waiting.
    fn task(&mut self, event: &Event, span: (Ns, Ns)) {
        match categories::task(self.names.strings.text(event.name)) {
            Some(Task::Work(kind)) => self.device(event, kind, span),
            Some(Task::Wait) => self.sync(event, SyncKind::StreamWait, span),
            None => {}
        }
    }

    fn sync(&mut self, event: &Event, kind: SyncKind, span: (Ns, Ns)) {
        // All streams are -1, or -1 cut to 32 bits.
        let is_all = event.stream < 0 || event.stream == i64::from(u32::MAX);
        let device =
            if event.device == NONE { super::lanes::number(event.pid) } else { event.device };
        self.trace.syncs.push(SyncRow {
            kind,
            stream: if is_all { NONE } else { event.stream },
            device,
            span,
            correlation: correlation(event.correlation),
        });
    }

    #[inline]
    fn flow(&mut self, event: &Event, class: Class) {
        if class != Class::LaunchFlow || event.ts == NONE {
            return;
        }
        let Id::Number(id) = event.id else { return };
        let end = if event.ph == b's' { FlowEnd::Start } else { FlowEnd::Finish };
        self.flows.push(id, end, event.ts, (event.pid, event.tid));
    }

    #[inline(never)]
    fn label(&mut self, event: &Event, text: EventText<'_>) {
        let strings = &mut self.names.strings;
        if event.name == Strings::EMPTY || event.label.1 <= event.label.0 {
            return;
        }
        let is_process = strings.lookup("process_name") == Some(event.name);
        let is_thread = strings.lookup("thread_name") == Some(event.name);
        if is_process || is_thread {
            let name = text.piece(event.label);
            self.labels.take(is_process, (event.pid, event.tid), &name, strings);
        }
    }
}

impl EventSink for Builder {
    fn names(&mut self) -> &mut Names {
        &mut self.names
    }

    fn notes(&mut self) -> &mut Notes {
        &mut self.notes
    }

    #[inline]
    fn event(&mut self, event: &Event, text: EventText<'_>) {
        let class = self.classify(event);
        match event.ph {
            b'X' => self.complete(event, class, text),
            b's' | b'f' => self.flow(event, class),
            b'M' => self.label(event, text),
            _ => {}
        }
    }

    fn wants(&self, key: &[u8]) -> bool {
        properties::is_wanted(key)
    }

    fn property(&mut self, key: &[u8], value: &[u8]) {
        self.properties.take(key, value, &mut self.notes);
    }
}

/// A correlation id as we keep it: 0 and -1 mean none.
#[inline]
fn correlation(id: i64) -> i64 {
    if id == 0 || id == -1 { NONE } else { id }
}

fn place(text: EventText<'_>) -> String {
    let raw = String::from_utf8_lossy(text.raw());
    let start: String = raw.chars().take(80).collect();
    format!("byte {}: {start}", text.at())
}
