//! Drawings of traces: one line is one lane, one character is 1 µs.
//!
//! ```
//! let capture = flamelane_testkit::draw::capture(
//!     "
//!     main | {ProfilerStep#0                    }
//!          | [forward        ] [item          ]
//!          |  (mm )   (mm )     (aten::item  )
//!          |   aa      bb        D<sync     >
//!     gpu  |     aaaaaa  bbbbbbbbbbbbDD
//!     ",
//! );
//! assert_eq!(capture.hosts.len(), 10);
//! assert_eq!(capture.devices.len(), 3);
//! let truth = flamelane_testkit::Truth::of(&capture);
//! assert_eq!(truth.totals.kernels_ns, 18_000);
//! assert_eq!(truth.gpu_ns_by_path["forward;mm;cudaLaunchKernel;a"], 6_000);
//! ```
//!
//! Before the bar stands the lane: any word is a host thread; `gpu` is stream 7 of device 0,
//! `gpu:20` another stream of it, `gpu1:7` a stream of device 1. A line without a name belongs to
//! the lane above. On the lane `overhead` every bracket is a stall that the profiler reports. After
//! the bar:
//!
//! | on a host lane | is |
//! |---|---|
//! | `[name ]` | a Python frame, from the bracket to the bracket |
//! | `(name )` | an operator |
//! | `{name }` | an annotation; the marker of a step when its name looks like one |
//! | `<name >` | a runtime call that launches nothing; `<sync >` is `cudaStreamSynchronize` |
//! | `aaa` | the launch of kernel `a`; of a graph, when several runs of `a` lie on one device lane |
//! | `DDD` | the launch of a copy: `H` to the device, `D` to the host, any other within the device |
//!
//! | on a device lane | is |
//! |---|---|
//! | `aaa` | kernel `a` or copy `D`, launched by the run of that letter |
//! | `###` | a kernel that was launched before the capture |
//!
//! Runs of one letter meet in order, first launch with first kernel; when there are more kernels
//! than launches, the last launch is a graph that launched the rest. Spaces and `.` are nothing.

use std::collections::BTreeMap;

use crate::capture::{
    CallFlow, Capture, DeviceKind, DeviceSpan, HostArgs, HostIdx, HostKind, HostSpan, Overhead,
    Thread,
};
use crate::layout::Layout;

/// The lane of stalls.
const OVERHEAD: &str = "overhead";
/// Length of a character.
const MICRO: i64 = 1000;

/// The JSON of a drawing.
pub fn json(drawing: &str) -> String {
    capture(drawing).to_json(Layout::Kineto)
}

/// The JSON of several processes in one file, one drawing each. Rows of devices have no name but
/// their number, as in real files: work on one number shares a row.
pub fn processes(drawings: &[&str]) -> String {
    let process = |(number, drawing): (usize, &&str)| {
        let mut capture = capture(drawing);
        capture.pid += 1000 * number as i64;
        capture
    };
    let captures: Vec<Capture> = drawings.iter().enumerate().map(process).collect();
    Capture::joined_json(&captures)
}

/// The capture of a drawing, one character a microsecond; panics where a line is no lane.
pub fn capture(drawing: &str) -> Capture {
    scaled(drawing, MICRO)
}

/// The capture of a drawing in which a character lasts `unit` ns.
pub fn scaled(drawing: &str, unit: i64) -> Capture {
    let capture = Capture {
        title: "drawing".to_owned(),
        base_ns: 1_759_300_074_000_000_000,
        pid: 4242,
        ..Capture::default()
    };
    let mut pen = Pen { capture, unit, launches: BTreeMap::new(), runs: Vec::new() };
    let mut lane = "";
    for line in drawing.lines().filter(|line| !line.trim().is_empty()) {
        let bar = line.split_once('|');
        let (name, row) = bar.unwrap_or_else(|| panic!("no `|` in the drawing's line `{line}`"));
        if !name.trim().is_empty() {
            lane = name.trim();
        }
        // Exactly one space after the bar is the margin.
        pen.row(lane, row.strip_prefix(' ').unwrap_or(row));
    }
    pen.finish()
}

struct Pen {
    capture: Capture,
    unit: i64,
    /// Launching calls by letter, in order.
    launches: BTreeMap<char, Vec<HostIdx>>,
    /// Runs on device lanes.
    runs: Vec<Run>,
}

#[derive(Clone, Copy)]
struct Run {
    letter: char,
    device: u16,
    stream: u32,
    start: i64,
    end: i64,
}

impl Pen {
    fn row(&mut self, lane: &str, row: &str) {
        let chars: Vec<char> = row.chars().collect();
        let device = device_lane(lane);
        let is_thread = device.is_none() && lane != OVERHEAD;
        let thread = if is_thread { self.thread(lane) } else { 0 };
        let mut at = 0;
        while at < chars.len() {
            let end = span_end(&chars, at);
            let interval = (at as i64 * self.unit, end as i64 * self.unit);
            match (chars[at], device) {
                (' ' | '.', _) => {}
                (letter, Some((device, stream))) => {
                    let (start, end) = interval;
                    self.runs.push(Run { letter, device, stream, start, end });
                }
                (_, None) if !is_thread => {
                    let name: String = chars[at + 1..end - 1].iter().collect();
                    let name = self.capture.names.intern(name.trim());
                    let (start, end) = interval;
                    self.capture.overheads.push(Overhead { name, start, end });
                }
                (first, None) => {
                    let name: String = chars[at..end].iter().collect();
                    self.host(thread, interval, (first, name.trim()));
                }
            }
            at = end;
        }
    }

    fn thread(&mut self, name: &str) -> u16 {
        let known = self.capture.threads.iter().position(|thread| thread.name == name);
        let idx = known.unwrap_or_else(|| {
            let tid = 4242 + self.capture.threads.len() as i64;
            self.capture.threads.push(Thread { tid, name: name.to_owned() });
            self.capture.threads.len() - 1
        });
        idx as u16
    }

    fn host(&mut self, thread: u16, (start, end): (i64, i64), (first, text): (char, &str)) {
        let number = self.capture.hosts.len() as u32 + 1;
        let inner = text.get(1..text.len() - 1).unwrap_or_default().trim();
        let call = HostArgs::Call { ext: None, correlation: number, flow: CallFlow::Starts };
        let op = HostArgs::Op { ext: number, sequence: None, backward: false };
        let python = HostArgs::Python { id: number, parent: None, module: None };
        let (kind, name, args) = match first {
            '[' => (HostKind::Python, inner, python),
            '(' => (HostKind::Op, inner, op),
            '{' => (HostKind::Annotation, inner, op),
            '<' if inner == "sync" => (HostKind::Runtime, "cudaStreamSynchronize", call),
            '<' => (HostKind::Runtime, inner, call),
            _ => {
                self.launches.entry(first).or_default().push(number - 1);
                (HostKind::Runtime, launch_name(first), call)
            }
        };
        let marker = kind == HostKind::Annotation && looks_like_step(name);
        let name = self.capture.names.intern(name);
        let span = HostSpan { kind, thread, name, start, end, args, marker, waits_for: None };
        self.capture.hosts.push(span);
    }

    fn finish(mut self) -> Capture {
        let runs = std::mem::take(&mut self.runs);
        let mut met: BTreeMap<char, usize> = BTreeMap::new();
        for run in &runs {
            let nr = met.entry(run.letter).or_default();
            let launch = self.launch_of(run.letter, *nr);
            *nr += 1;
            self.device(run, launch);
        }
        for (letter, calls) in &self.launches {
            let kernels = met.get(letter).copied().unwrap_or(0);
            if let Some(&last) = calls.last()
                && kernels > calls.len()
            {
                let name = self.capture.names.intern("cudaGraphLaunch");
                self.capture.hosts[last as usize].name = name;
            }
        }
        let hosts = self.capture.hosts.iter().map(|span| span.end);
        let devices = self.capture.devices.iter().map(|span| span.end);
        self.capture.to = hosts.chain(devices).max().unwrap_or(0);
        self.capture
    }

    fn launch_of(&self, letter: char, nr: usize) -> Option<HostIdx> {
        if letter == '#' {
            return None;
        }
        let calls = self.launches.get(&letter);
        let call = calls.and_then(|calls| calls.get(nr).or(calls.last())).copied();
        Some(call.unwrap_or_else(|| panic!("`{letter}` runs on a device and nothing launched it")))
    }

    fn device(&mut self, run: &Run, launch: Option<HostIdx>) {
        let (kind, name) = match run.letter {
            '#' => (DeviceKind::Kernel, "earlier".to_owned()),
            'H' => (DeviceKind::Copy, "Memcpy HtoD (Pinned -> Device)".to_owned()),
            'D' => (DeviceKind::Copy, "Memcpy DtoH (Device -> Pageable)".to_owned()),
            'A'..='Z' => (DeviceKind::Copy, "Memcpy DtoD (Device -> Device)".to_owned()),
            letter => (DeviceKind::Kernel, letter.to_string()),
        };
        let unlinked = 1_000_000 + self.capture.devices.len() as u32;
        let span = DeviceSpan {
            kind,
            device: run.device,
            stream: run.stream,
            name: self.capture.names.intern(&name),
            start: run.start,
            end: run.end,
            launch,
            correlation: launch.map_or(unlinked, |call| call + 1),
            ext: None,
            bytes: if kind == DeviceKind::Copy { 1024 } else { 0 },
            graph_node: None,
            waited: false,
            collective: false,
        };
        self.capture.devices.push(span);
    }
}

/// `gpu`, `gpu:20`, `gpu1:7` as device and stream; none for host lanes.
fn device_lane(lane: &str) -> Option<(u16, u32)> {
    let rest = lane.strip_prefix("gpu")?;
    let (device, stream) = rest.split_once(':').unwrap_or((rest, "7"));
    let device = if device.is_empty() { "0" } else { device };
    Some((device.parse().ok()?, stream.parse().ok()?))
}

/// Where the span that starts at `at` ends: at its closing bracket, or where its letter stops.
fn span_end(chars: &[char], at: usize) -> usize {
    let close = match chars[at] {
        '[' => ']',
        '(' => ')',
        '{' => '}',
        '<' => '>',
        letter => {
            let run = chars[at..].iter().take_while(|&&c| c == letter).count();
            return at + run;
        }
    };
    let inside = chars[at..].iter().position(|&c| c == close);
    at + 1 + inside.unwrap_or_else(|| panic!("a span opens with `{}` and never ends", chars[at]))
}

fn launch_name(letter: char) -> &'static str {
    if letter.is_ascii_uppercase() { "cudaMemcpyAsync" } else { "cudaLaunchKernel" }
}

fn looks_like_step(name: &str) -> bool {
    ["ProfilerStep#", "step[", "execute_"].iter().any(|prefix| name.starts_with(prefix))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::truth::Truth;

    /// Checks who owns each idle piece: `owner from..to` in µs, one a line.
    fn check(drawing: &str, expected: &[&str]) {
        let truth = Truth::of(&capture(drawing));
        crate::laws::check(&truth);
        let found: Vec<String> = truth
            .idle
            .iter()
            .map(|piece| {
                let (from, to) = (piece.from_ns / MICRO, piece.to_ns / MICRO);
                format!("{} {from}..{to}", piece.owner)
            })
            .collect();
        assert_eq!(found, expected);
    }

    #[test]
    fn the_host_owns_a_gap_until_it_launches() {
        check(
            "
            main | [work                   ]
                 |  aa           bb
            gpu  |   aaaaaaaa       bbbb
            ",
            &["launch latency 1..2", "work 10..14", "launch latency 14..17"],
        );
    }

    #[test]
    fn a_wait_owns_only_the_bubble_behind_it() {
        check(
            "
            main | [work                   ]
                 |  aa <sync     > bb
            gpu  |   aaaaaaaa       bbbb
            ",
            &[
                "launch latency 1..2",
                "cudaStreamSynchronize 10..15",
                "work 15..16",
                "launch latency 16..17",
            ],
        );
    }

    #[test]
    fn a_copy_call_owns_the_time_until_its_copy_starts() {
        check(
            "
            main |    [read  ]
                 | aa      DDDDD
            gpu  |  aaa      DD
            ",
            &["launch latency 0..1", "read 4..8", "copy call 8..10"],
        );
    }

    #[test]
    fn markers_explain_nothing() {
        check(
            "
            main | {ProfilerStep#0 } {ProfilerStep#1 }
                 |  aa               bb   [late    ]
            gpu  |  aaa              bbb
            ",
            &[
                "[unrecorded host time] 0..1",
                "[unrecorded host time] 4..18",
                "[unrecorded host time] 21..23",
                "late 23..33",
                "[unrecorded host time] 33..35",
            ],
        );
    }

    #[test]
    fn where_a_worker_has_nothing_open_the_thread_before_it_is_charged() {
        check(
            "
            main   | [backward                ]
                   |  aa
            worker |      (node)      bb
            gpu    |  aaa              bbb
            ",
            &["backward 4..5", "node 5..11", "backward 11..17", "launch latency 17..18"],
        );
    }

    #[test]
    fn work_that_starts_long_after_its_call_on_a_new_stream_hides_other_work() {
        let truth = Truth::of(&scaled(
            "
            main   | aa   bb
            gpu    |  aaaa
            gpu:20 |                bbbb
            ",
            20 * MICRO,
        ));
        let owners: Vec<&str> = truth.idle.iter().map(|piece| piece.owner.as_str()).collect();
        assert_eq!(owners, ["device other", "[device work not recorded]"]);
    }

    #[test]
    fn more_kernels_than_launches_make_a_graph() {
        let capture = capture(
            "
            main | gg
            gpu  |  ggg ggg      ggg
            ",
        );
        assert_eq!(capture.host_name(0), "cudaGraphLaunch");
        let truth = Truth::of(&capture);
        assert_eq!(truth.totals.graph_kernels, 3);
        assert_eq!(truth.idle_ns_by_owner["inside graph"], 6_000);
        assert_eq!(truth.idle_ns_by_owner["dispatch"], 2_000);
    }

    #[test]
    fn hashes_ran_before_the_capture_on_any_device() {
        let capture = capture(
            "
            main   |    aa
            gpu1:3 | ###  aa
            ",
        );
        assert_eq!(capture.devices[0].launch, None);
        assert_eq!((capture.devices[1].device, capture.devices[1].stream), (1, 3));
    }
}
