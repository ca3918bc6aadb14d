//! Pages as large as the viewer must bear, for `bench/viewer`: `large_pages FOLDER [NODES] [SPANS]`
//! writes `flame.html` with the same stacks as `flame.folded`, and `lanes.html`.
//!
//! Everything is made up from one seed: the same bytes each time.

#![expect(clippy::unwrap_used, reason = "an example may fail where it stands")]

use std::collections::BTreeMap;
use std::fs::File;
use std::io::BufWriter;
use std::path::Path;

use flamelane_model::{
    Chart, ChartFrame, ChartIdle, ChartLane, ChartOwner, ChartRow, Frame, FrameKind, Interval,
    Profile, StackId, StrId, Weight,
};
use flamelane_report::{Capture, Report, SCHEMA};
use flamelane_write::{About, CaptureData, write_folded, write_html};

fn main() {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let folder = Path::new(args.first().map_or(".", String::as_str));
    let number = |i: usize, usual: usize| args.get(i).map_or(usual, |text| text.parse().unwrap());
    let profile = profile(number(1, 1_000_000));
    page(&profile, None, &folder.join("flame.html"));
    let mut folded = BufWriter::new(File::create(folder.join("flame.folded")).unwrap());
    write_folded(&profile, &Weight::Gpu, &mut folded).unwrap();
    let chart = chart(number(2, 10_000_000));
    page(&Profile::new(), Some(&chart), &folder.join("lanes.html"));
}

fn page(profile: &Profile, chart: Option<&Chart>, file: &Path) {
    let captures = vec![Capture { file: "made-up".to_owned(), ..Capture::default() }];
    let report = Report { schema: SCHEMA, captures };
    let mut out = BufWriter::new(File::create(file).unwrap());
    write_html(
        &report,
        &[CaptureData { about: About::Report(0), profile, chart, families: &BTreeMap::new() }],
        &mut out,
    )
    .unwrap();
}

/// Draws by a seed.
struct Chance(u64);

impl Chance {
    /// A number below `n`.
    fn below(&mut self, n: usize) -> usize {
        self.0 =
            self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        ((u128::from(self.0 >> 11) * n as u128) >> 53) as usize
    }

    /// A number below `n`, small ones far more often.
    fn skewed(&mut self, n: usize) -> usize {
        let draws = [self.below(n), self.below(n), self.below(n)];
        draws.into_iter().min().unwrap_or(0)
    }

    /// A length between 2^`least` and 2^`most` ns, each power as often as the others.
    fn length(&mut self, least: u32, most: u32) -> i64 {
        let floor = 1_usize << (least + self.below((most - least) as usize) as u32);
        (floor + self.below(floor)) as i64
    }
}

const N_NAMES: usize = 50_000;
const DEEPEST: usize = 48;

/// A tree of `n_nodes` frames under three weights.
fn profile(n_nodes: usize) -> Profile {
    let mut profile = Profile::new();
    let mut chance = Chance(7);
    let names: Vec<StrId> = (0..N_NAMES).map(|i| profile.strings.intern(&name(i))).collect();
    let mut path = vec![profile.stacks.root()];
    let (mut gpu, mut wall, mut idle) = (vec![0], vec![0], vec![0]);
    while profile.stacks.len() < n_nodes {
        let kept = path.len() - chance.skewed(path.len());
        path.truncate(kept.max(1));
        for _ in 0..=chance.below(6) {
            let Some(&parent) = path.last().filter(|_| path.len() < DEEPEST) else { break };
            let i = chance.skewed(N_NAMES);
            let node = profile.stacks.child(parent, Frame { name: names[i], kind: kind(i) });
            path.push(node);
            if node.index() == gpu.len() {
                gpu.push(0);
                wall.push(chance.length(9, 18));
                idle.push(if chance.below(5) == 0 { chance.length(9, 16) } else { 0 });
            }
        }
        if let Some(leaf) = path.last() {
            gpu[leaf.index()] += chance.length(9, 22);
        }
    }
    for (weight, values) in [(Weight::Gpu, gpu), (Weight::Wall, wall), (Weight::Idle, idle)] {
        profile.column_mut(weight).self_values = values;
    }
    profile
}

fn name(i: usize) -> String {
    match i % 4 {
        0 => format!("vllm/model_executor/layers/linear_{}.py({}): forward_{i}", i % 97, i % 811),
        1 => format!("nn.Module: LlamaDecoderLayer_{i}"),
        2 => format!("aten::op_{i}"),
        _ => format!("void cutlass::device_kernel<flash::FlashAttn_{i}<{}, {}>>", i % 7, i % 11),
    }
}

fn kind(i: usize) -> FrameKind {
    [FrameKind::Python, FrameKind::Module, FrameKind::Op, FrameKind::Kernel][i % 4]
}

const N_FRAMES: usize = 5_000;
const N_STREAMS: usize = 8;
const N_THREADS: usize = 4;
const N_DEPTHS: usize = 4;

/// Lanes with `n_spans` spans: a fifth on 8 streams of two devices, each launched by a call; the rest on
/// four threads, four deep.
fn chart(n_spans: usize) -> Chart {
    let mut chance = Chance(11);
    let frames = (0..N_FRAMES).map(|i| ChartFrame { name: name(i), kind: kind(i) }).collect();
    let per_row = n_spans / (5 * N_STREAMS);
    let per_call_row = (n_spans - per_row * N_STREAMS) / (N_THREADS * N_DEPTHS);
    let first_call = |thread: usize| N_STREAMS * per_row + (thread * N_DEPTHS + 3) * per_call_row;
    let mut lanes = Vec::new();
    for stream in 0..N_STREAMS {
        let mut row = row(&mut chance, per_row);
        let scale = per_call_row as f64 / per_row as f64;
        let call =
            |i: usize| (first_call(stream % N_THREADS) + (i as f64 * scale) as usize + 1) as u32;
        row.launch = (0..per_row).map(call).collect();
        row.node = vec![StackId(0); per_row];
        lanes.push(lane(Some((stream / 4) as u32), format!("stream {stream}"), vec![row]));
    }
    for thread in 0..N_THREADS {
        let rows = (0..N_DEPTHS).map(|_| row(&mut chance, per_call_row)).collect();
        lanes.push(lane(None, format!("thread {thread}"), rows));
    }
    let to =
        lanes.iter().flat_map(|l| &l.rows).filter_map(|r| r.end.last().copied()).max().unwrap_or(0);
    let extent = Interval::new(0, to);
    let idle = (0..2).map(|device| idle(&mut chance, device, per_row / 8)).collect();
    Chart { frames, lanes, idle, extent, window: vec![extent] }
}

fn lane(device: Option<u32>, name: String, rows: Vec<ChartRow>) -> ChartLane {
    ChartLane { device, process: "1".to_owned(), name, rows, ..ChartLane::default() }
}

/// Sequences of kernels that come again and again, no two runs of the same length.
fn row(chance: &mut Chance, n: usize) -> ChartRow {
    let sequence: Vec<(u32, i64, i64)> = (0..400)
        .map(|_| (chance.skewed(N_FRAMES) as u32, chance.length(10, 17), chance.length(7, 14)))
        .collect();
    let mut row = ChartRow::default();
    let mut at = 0;
    for i in 0..n {
        let (frame, length, gap) = sequence[i % sequence.len()];
        let noise = |ns: i64, chance: &mut Chance| ns + chance.below(ns as usize / 10 + 1) as i64;
        let start = at + noise(gap, chance);
        at = start + noise(length, chance);
        row.start.push(start);
        row.end.push(at);
        row.frame.push(frame);
    }
    row
}

fn idle(chance: &mut Chance, device: usize, n: usize) -> ChartIdle {
    let owners =
        (0..64).map(|i| ChartOwner { class: "late host", stack: vec![i], node: StackId(0) });
    let mut at = 0;
    let piece = |_| {
        let from = at + chance.length(12, 19);
        at = from + chance.length(10, 16);
        (Interval::new(from, at), chance.skewed(64) as u32)
    };
    ChartIdle {
        device: format!("GPU {device}"),
        pieces: (0..n).map(piece).collect(),
        owners: owners.collect(),
    }
}
