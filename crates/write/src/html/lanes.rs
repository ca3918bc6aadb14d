//! A chart as blocks: one a lane, one a device's idle time, one for all names.

use flamelane_model::{Chart, ChartIdle, ChartLane, ChartRow, Interval, StackId};
use serde::Serialize;

use super::blocks::{Effort, block, varint, varints, zigzag};

/// The table of contents of one chart.
#[derive(Debug, Serialize)]
pub(super) struct ChartIndex {
    /// Row of the report's captures.
    capture: usize,
    /// Distinct names.
    frames: usize,
    /// Block with the frames' kinds, name lengths and names.
    names: String,
    from_ns: i64,
    to_ns: i64,
    /// Start and end of each stretch of time that the report speaks of.
    window: Vec<[i64; 2]>,
    /// Whether threads say at each moment where in the profile they are.
    has_courses: bool,
    lanes: Vec<LaneIndex>,
    idle: Vec<IdleIndex>,
}

/// One thread or stream.
#[derive(Debug, Serialize)]
struct LaneIndex {
    /// Row of `idle` for a stream.
    device: Option<u32>,
    process: String,
    name: String,
    /// Number of spans of each row.
    rows: Vec<usize>,
    hidden: u64,
    /// Block: start behind the end before it, length and name of each span, row by row; then, of a
    /// stream, what launched it and its row of the profile, each as the difference to the span before.
    block: String,
    /// Number of stretches of a thread's course through the profile.
    stretches: usize,
    /// Block: start behind the end before it, length, and row of the profile as the difference to the
    /// stretch before.
    course: Option<String>,
}

/// The idle time of one device.
#[derive(Debug, Serialize)]
struct IdleIndex {
    device: String,
    pieces: usize,
    /// Class and number of frames of each owner.
    owners: Vec<(&'static str, usize)>,
    /// Row of the profile of each owner.
    nodes: Vec<u32>,
    /// Block: start behind the end before it, length and owner of each piece; then the owners'
    /// frames one after the other.
    block: String,
}

/// What a block of a chart holds.
#[derive(Clone, Copy, Debug)]
pub(super) enum Part {
    /// The names of all lanes.
    Names,
    /// The spans of a lane.
    Lane(usize),
    /// The course of a lane through the profile.
    Course(usize),
    /// The idle time of a device.
    Idle(usize),
}

/// A chart of the page.
#[derive(Clone, Copy, Debug)]
pub(super) struct ChartPage<'c> {
    /// Its number among the charts of the page.
    pub(super) number: usize,
    /// Row of the report's captures.
    pub(super) capture: usize,
    pub(super) chart: &'c Chart,
    /// The page's row of each node of the profile.
    pub(super) rows: &'c [u32],
    /// Whether the courses of threads are among its blocks.
    pub(super) has_courses: bool,
}

impl<'c> ChartPage<'c> {
    /// What the viewer must know before it unpacks anything.
    pub(super) fn index(&self) -> ChartIndex {
        let chart = self.chart;
        ChartIndex {
            capture: self.capture,
            frames: chart.frames.len(),
            names: self.name(Part::Names),
            from_ns: chart.extent.from,
            to_ns: chart.extent.to,
            window: chart.window.iter().map(|piece| [piece.from, piece.to]).collect(),
            has_courses: self.has_courses,
            lanes: (0..chart.lanes.len()).map(|row| self.lane_index(row)).collect(),
            idle: (0..chart.idle.len()).map(|row| self.idle_index(row)).collect(),
        }
    }

    fn lane_index(&self, row: usize) -> LaneIndex {
        let lane = &self.chart.lanes[row];
        LaneIndex {
            device: lane.device,
            process: lane.process.clone(),
            name: lane.name.clone(),
            rows: lane.rows.iter().map(|row| row.start.len()).collect(),
            hidden: lane.n_hidden,
            block: self.name(Part::Lane(row)),
            stretches: lane.course.len(),
            course: self.has_course(lane).then(|| self.name(Part::Course(row))),
        }
    }

    fn has_course(&self, lane: &ChartLane) -> bool {
        self.has_courses && !lane.course.is_empty()
    }

    fn idle_index(&self, row: usize) -> IdleIndex {
        let idle = &self.chart.idle[row];
        IdleIndex {
            device: idle.device.clone(),
            pieces: idle.pieces.len(),
            owners: idle.owners.iter().map(|owner| (owner.class, owner.stack.len())).collect(),
            nodes: idle.owners.iter().map(|owner| row_of(self.rows, owner.node)).collect(),
            block: self.name(Part::Idle(row)),
        }
    }

    /// The blocks of the chart, in the order of the page: names first, then lane by lane.
    pub(super) fn parts(&self) -> impl Iterator<Item = Part> + use<'c> {
        let page = *self;
        let lanes = page.chart.lanes.iter().enumerate().flat_map(move |(row, lane)| {
            let course = page.has_course(lane).then_some(Part::Course(row));
            [Some(Part::Lane(row)), course].into_iter().flatten()
        });
        let idle = (0..page.chart.idle.len()).map(Part::Idle);
        std::iter::once(Part::Names).chain(lanes).chain(idle)
    }

    /// What a block is called.
    pub(super) fn name(&self, part: Part) -> String {
        let number = self.number;
        match part {
            Part::Names => format!("c{number}-names"),
            Part::Lane(row) => format!("c{number}-l{row}"),
            Part::Course(row) => format!("c{number}-t{row}"),
            Part::Idle(row) => format!("c{number}-i{row}"),
        }
    }

    /// Packs a block.
    pub(super) fn block(&self, part: Part) -> Vec<u8> {
        let (chart, rows) = (self.chart, self.rows);
        match part {
            Part::Names => block(&names(chart), Effort::Best),
            Part::Lane(row) => {
                block(&lane_columns(&chart.lanes[row], chart.extent, rows), Effort::Fast)
            }
            Part::Course(row) => {
                block(&course_columns(&chart.lanes[row].course, chart.extent, rows), Effort::Fast)
            }
            Part::Idle(row) => block(&idle_columns(&chart.idle[row], chart.extent), Effort::Fast),
        }
    }
}

/// Kinds, name lengths in UTF-16 units (what the viewer cuts by), and the names.
fn names(chart: &Chart) -> [Vec<u8>; 3] {
    let (mut kinds, mut lengths, mut text) = (Vec::new(), Vec::new(), String::new());
    for frame in &chart.frames {
        kinds.push(frame.kind as u8);
        varint(&mut lengths, frame.name.encode_utf16().count() as u64);
        text.push_str(&frame.name);
    }
    [kinds, lengths, text.into_bytes()]
}

/// The page's row of a node; that of the root when there is no profile.
fn row_of(rows: &[u32], node: StackId) -> u32 {
    rows.get(node.index()).copied().unwrap_or(0)
}

/// Writes each number as the difference to the one before.
fn steps(numbers: impl Iterator<Item = u32>, column: &mut Vec<u8>) {
    let mut last = 0_i64;
    for number in numbers {
        varint(column, zigzag(i64::from(number) - last));
        last = i64::from(number);
    }
}

fn course_columns(course: &[(Interval, StackId)], extent: Interval, rows: &[u32]) -> Vec<Vec<u8>> {
    let mut columns = vec![Vec::new(); 3];
    times(course.iter().map(|(time, _)| *time), extent, &mut columns);
    steps(course.iter().map(|(_, node)| row_of(rows, *node)), &mut columns[2]);
    columns
}

fn lane_columns(lane: &ChartLane, extent: Interval, rows: &[u32]) -> Vec<Vec<u8>> {
    let mut columns = vec![Vec::new(); 3];
    let (mut launches, mut nodes) = (Vec::new(), Vec::new());
    for ChartRow { start, end, frame, launch, node } in &lane.rows {
        let spans = start.iter().zip(end).map(|(&from, &to)| Interval::new(from, to));
        times(spans, extent, &mut columns);
        columns[2].extend(varints(frame));
        steps(launch.iter().copied(), &mut launches);
        steps(node.iter().map(|node| row_of(rows, *node)), &mut nodes);
    }
    if lane.device.is_some() {
        columns.extend([launches, nodes]);
    }
    columns
}

fn idle_columns(idle: &ChartIdle, extent: Interval) -> Vec<Vec<u8>> {
    let mut columns = vec![Vec::new(); 2];
    times(idle.pieces.iter().map(|(time, _)| *time), extent, &mut columns);
    let owners: Vec<u32> = idle.pieces.iter().map(|(_, owner)| *owner).collect();
    let frames: Vec<u32> = idle.owners.iter().flat_map(|owner| owner.stack.clone()).collect();
    columns.extend([varints(&owners), varints(&frames)]);
    columns
}

/// Writes each span's distance to the one before into the first column, its length into the second.
/// Spans come by time and do not overlap.
fn times(spans: impl Iterator<Item = Interval>, extent: Interval, columns: &mut [Vec<u8>]) {
    let mut last = extent.from;
    for span in spans {
        varint(&mut columns[0], span.from.saturating_sub(last).max(0) as u64);
        varint(&mut columns[1], span.len() as u64);
        last = span.to;
    }
}
