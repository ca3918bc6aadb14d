//! The chart of a linked trace: streams of each device, then threads, then why devices were idle.

use std::cmp::Reverse;

use flamelane_link::{DeviceTime, IdlePiece, Linked};
use flamelane_model::{
    Chart, ChartIdle, ChartLane, ChartOwner, ChartRow, Frame, Interval, LaneId, LaneKind, Nodes,
    StackId,
};
use rustc_hash::FxHashMap;

use crate::frames::Frames;
use crate::rows::{Rows, lay, pack};

/// Charts a linked trace: every believed device span and every host span of the file, inside the
/// window and outside. `nodes` is where the same trace was folded to.
///
/// The pieces of [`ChartIdle`] of a device sum to its idle time in the report.
pub fn chart(linked: &Linked, nodes: &Nodes) -> Chart {
    let mut frames = Frames::default();
    let mut chart = Chart { window: linked.window.pieces.clone(), ..Chart::default() };
    let mut places = Places { of_host: vec![NOWHERE; linked.trace.host.len()], first: Vec::new() };
    let mut sources: Vec<Vec<Vec<u32>>> = Vec::new();
    for device in 0..linked.devices.len() {
        for (lane, spans) in streams(linked, device, &mut frames) {
            sources.push(spans);
            chart.lanes.push(lane);
        }
    }
    let n_streams = chart.lanes.len();
    let threads = threads(linked);
    for (lane, order) in threads {
        let row = chart.lanes.len();
        let mut charted = thread(linked, lane, &order, (row, &mut places), &mut frames);
        charted.course = course(linked, lane, nodes);
        chart.lanes.push(charted);
    }
    places.number(&chart);
    for (lane, spans) in chart.lanes[..n_streams].iter_mut().zip(sources) {
        for (row, spans) in lane.rows.iter_mut().zip(spans) {
            row.launch = spans.iter().map(|&span| places.launch(linked, span)).collect();
            row.node = spans.iter().map(|&span| nodes.of_device[span as usize]).collect();
        }
    }
    chart.idle = (0..linked.devices.len()).map(|row| idle(linked, row, &mut frames)).collect();
    chart.extent = extent(&chart);
    frames.settle(&linked.trace.strings, &mut chart);
    chart
}

/// Where host spans went: lane, row and position.
struct Places {
    of_host: Vec<(u32, u32, u32)>,
    /// One a lane, one a row of it: the number of its first span.
    first: Vec<Vec<u32>>,
}

const NOWHERE: (u32, u32, u32) = (u32::MAX, 0, 0);

impl Places {
    /// Numbers all spans through lanes and rows.
    fn number(&mut self, chart: &Chart) {
        let mut next = 0_u32;
        for lane in &chart.lanes {
            let first = |row: &ChartRow| {
                let first = next;
                next = next.saturating_add(row.start.len() as u32);
                first
            };
            self.first.push(lane.rows.iter().map(first).collect());
        }
    }

    /// The number of the call that launched a device span, plus one; 0 for none.
    fn launch(&self, linked: &Linked, span: u32) -> u32 {
        let Some(call) = linked.origins[span as usize].call() else { return 0 };
        let host = linked.trace.calls.span[call.index()].index();
        let (lane, row, position) = self.of_host[host];
        let lane = self.first.get(lane as usize);
        lane.map_or(0, |first| first[row as usize].saturating_add(position).saturating_add(1))
    }
}

/// The streams of a device that have spans, by id, each with the device spans of its rows.
fn streams(linked: &Linked, device: usize, frames: &mut Frames) -> Vec<(ChartLane, Vec<Vec<u32>>)> {
    let trace = &linked.trace;
    let mut of_stream: FxHashMap<LaneId, Vec<u32>> = FxHashMap::default();
    for &span in &linked.devices[device].order {
        of_stream.entry(trace.device.lane[span as usize]).or_default().push(span);
    }
    let mut of_stream: Vec<_> = of_stream.into_iter().collect();
    of_stream.sort_by_key(|(lane, _)| (trace.lane(*lane).id, *lane));
    let lane = |(id, mut spans): (LaneId, Vec<u32>)| {
        let time = |span: u32| {
            Interval::new(trace.device.start[span as usize], linked.trust.end[span as usize])
        };
        spans.sort_by_key(|&span| (time(span).from, Reverse(time(span).to)));
        let times: Vec<Interval> = spans.iter().map(|&span| time(span)).collect();
        let mut lane = named(linked, id);
        lane.device = Some(device as u32);
        let frame = |at: u32| frames.row(linked.device_frame(spans[at as usize] as usize));
        let laid = place(&mut lane, &times, pack, frame);
        let of_row = |row: Vec<u32>| row.into_iter().map(|at| spans[at as usize]).collect();
        (lane, laid.into_iter().map(of_row).collect())
    };
    of_stream.into_iter().map(lane).collect()
}

/// Fills the rows of a lane; answers the positions of the spans in each.
fn place(
    lane: &mut ChartLane,
    times: &[Interval],
    rows: fn(&[Interval]) -> Rows,
    mut frame: impl FnMut(u32) -> u32,
) -> Vec<Vec<u32>> {
    let rows = rows(times);
    lane.n_hidden = rows.n_hidden;
    for spans in &rows.spans {
        lane.rows.push(ChartRow {
            start: spans.iter().map(|&at| times[at as usize].from).collect(),
            end: spans.iter().map(|&at| times[at as usize].to).collect(),
            frame: spans.iter().map(|&at| frame(at)).collect(),
            launch: Vec::new(),
            node: Vec::new(),
        });
    }
    rows.spans
}

fn named(linked: &Linked, id: LaneId) -> ChartLane {
    let trace = &linked.trace;
    let lane = trace.lane(id);
    ChartLane {
        process: trace.text(trace.process(lane.process).label).to_owned(),
        name: titled(trace.text(lane.name), lane.kind),
        ..ChartLane::default()
    }
}

/// A lane that the file gives a number alone says what it is.
fn titled(name: &str, kind: LaneKind) -> String {
    if !name.bytes().all(|byte| byte.is_ascii_digit()) {
        return name.to_owned();
    }
    let what = if kind == LaneKind::Thread { "thread" } else { "stream" };
    format!("{what} {name}").trim_end().to_owned()
}

/// Threads that have spans, those that launch most first; each with its spans in nesting order.
fn threads(linked: &Linked) -> Vec<(LaneId, Vec<u32>)> {
    let trace = &linked.trace;
    let mut launches = vec![0_u64; trace.lanes.len()];
    for call in linked.origins.iter().filter_map(|origin| origin.call()) {
        launches[trace.host.lane[trace.calls.span[call.index()].index()].index()] += 1;
    }
    let lanes = flamelane_link::by_lane(trace).into_iter().enumerate();
    let lanes = lanes.map(|(lane, spans)| (LaneId::new(lane), spans));
    let is_thread = |id: LaneId| trace.lane(id).kind == LaneKind::Thread;
    let mut threads: Vec<_> =
        lanes.filter(|(lane, spans)| is_thread(*lane) && !spans.is_empty()).collect();
    threads.sort_by_key(|(lane, spans)| (Reverse(launches[lane.index()]), Reverse(spans.len())));
    threads
}

fn thread(
    linked: &Linked,
    id: LaneId,
    order: &[u32],
    (row, places): (usize, &mut Places),
    frames: &mut Frames,
) -> ChartLane {
    let host = &linked.trace.host;
    let time = |&span: &u32| Interval::new(host.start[span as usize], host.end[span as usize]);
    let times: Vec<Interval> = order.iter().map(time).collect();
    let mut lane = named(linked, id);
    let frame = |at: u32| {
        let span = order[at as usize] as usize;
        frames.row(Frame { name: linked.names[host.name[span].index()], kind: host.kind[span] })
    };
    let laid = place(&mut lane, &times, lay, frame);
    for (inner, spans) in laid.into_iter().enumerate() {
        for (position, at) in spans.into_iter().enumerate() {
            let span = order[at as usize] as usize;
            places.of_host[span] = (row as u32, inner as u32, position as u32);
        }
    }
    lane
}

/// Whose each nanosecond of the window is on a thread.
fn course(linked: &Linked, lane: LaneId, nodes: &Nodes) -> Vec<(Interval, StackId)> {
    let (thread, unrecorded) =
        (linked.nested.thread_node[lane.index()], nodes.unrecorded[lane.index()]);
    let mut course: Vec<(Interval, StackId)> = Vec::new();
    if unrecorded == linked.nested.stacks.root() {
        return course;
    }
    let timeline = &linked.nested.timelines[lane.index()];
    for piece in &linked.window.pieces {
        for (from, to, stack) in timeline.pieces(piece.from, piece.to) {
            let node = stack.filter(|stack| *stack != thread).unwrap_or(unrecorded);
            match course.last_mut() {
                Some((last, same)) if *same == node && last.to == from => last.to = to,
                _ => course.push((Interval::new(from, to), node)),
            }
        }
    }
    course
}

/// The idle time of the device in a row of [`Linked::devices`].
fn idle(linked: &Linked, row: usize, frames: &mut Frames) -> ChartIdle {
    let mut idle = ChartIdle { device: device_name(linked, row), ..ChartIdle::default() };
    let mut owner_of: FxHashMap<(StackId, usize), u32> = FxHashMap::default();
    for &IdlePiece { time, class, stack, gap: _ } in &linked.idle.pieces[row] {
        let next = idle.owners.len() as u32;
        let owner = *owner_of.entry((stack, class as usize)).or_insert(next);
        if owner == next {
            let path = linked.nested.stacks.path(stack).into_iter();
            let path = path.map(|frame| frames.row(frame)).collect();
            idle.owners.push(ChartOwner { class: class.name(), stack: path, node: stack });
        }
        match idle.pieces.last_mut() {
            Some((last, same)) if *same == owner && last.to == time.from => last.to = time.to,
            _ => idle.pieces.push((time, owner)),
        }
    }
    idle
}

/// A device's number, with its process where several processes have one of that number.
fn device_name(linked: &Linked, row: usize) -> String {
    let device = |time: &DeviceTime| &linked.trace.devices[time.device.index()];
    let this = device(&linked.devices[row]);
    let alike = linked.devices.iter().filter(|other| device(other).id == this.id).count();
    let process = this.process.filter(|_| alike > 1);
    let process = process.map(|process| linked.trace.text(linked.trace.process(process).label));
    let name = linked.trace.text(this.name);
    let name = if name.is_empty() { String::new() } else { format!(" · {name}") };
    match process {
        Some(process) => format!("GPU {}, process {process}{name}", this.id),
        None => format!("GPU {}{name}", this.id),
    }
}

/// First start to last end over everything in rows, and the window.
fn extent(chart: &Chart) -> Interval {
    let rows = || chart.lanes.iter().flat_map(|lane| &lane.rows);
    let window = || chart.window.iter();
    let starts = rows().filter_map(|row| row.start.first().copied());
    let ends = rows().filter_map(|row| row.end.last().copied());
    let from = starts.chain(window().map(|piece| piece.from)).min();
    let to = ends.chain(window().map(|piece| piece.to)).max();
    Interval::new(from.unwrap_or(0), to.unwrap_or(0))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_lane_without_a_name_of_its_own_says_what_it_is() {
        assert_eq!(titled("851", LaneKind::Thread), "thread 851");
        assert_eq!(titled("7", LaneKind::Stream), "stream 7");
        assert_eq!(titled("", LaneKind::Stream), "stream");
        assert_eq!(titled("pt_main_thread", LaneKind::Thread), "pt_main_thread");
    }
}
