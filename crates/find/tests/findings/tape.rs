//! A tape: a capture written event by event, times in µs.

use std::fmt::Write as _;

use flamelane_find::{Answer, Check, Figure, Finding, Kind, Status, Thresholds, find, health};
use flamelane_link::{Linked, Rules, link};
use flamelane_read::{Content, Limits};

/// A Kineto trace in the making.
#[derive(Default)]
pub(crate) struct Tape {
    events: Vec<String>,
    correlation: u64,
    /// When stream 7 is free.
    free: f64,
}

impl Tape {
    fn event(
        &mut self,
        (cat, name): (&str, &str),
        (pid, tid): (u64, u64),
        (at, len): (f64, f64),
        args: &str,
    ) {
        let mut text = String::new();
        write!(
            text,
            r#"{{"ph":"X","cat":"{cat}","name":"{name}","pid":{pid},"tid":{tid},"ts":{at:.3},"dur":{len:.3},"args":{{{args}}}}}"#
        )
        .unwrap();
        self.events.push(text);
    }

    pub(crate) fn range(&mut self, name: &str, at: f64, len: f64) {
        self.event(("user_annotation", name), (1000, 1), (at, len), "");
    }

    pub(crate) fn python(&mut self, name: &str, at: f64, len: f64) {
        self.event(("python_function", name), (1000, 1), (at, len), "");
    }

    pub(crate) fn op(&mut self, name: &str, at: f64, len: f64) {
        self.event(("cpu_op", name), (1000, 1), (at, len), "");
    }

    /// A call that launches nothing.
    pub(crate) fn call(&mut self, name: &str, at: f64, len: f64) {
        self.correlation += 1;
        let args = format!(r#""correlation":{}"#, self.correlation);
        self.event(("cuda_runtime", name), (1000, 1), (at, len), &args);
    }

    /// A launch call; kernels given next are its own.
    pub(crate) fn launch(&mut self, name: &str, at: f64, len: f64) {
        self.call(name, at, len);
    }

    /// Work of the last call, exactly then.
    pub(crate) fn work(
        &mut self,
        what: (&str, &str),
        (at, len): (f64, f64),
        stream: u64,
        bytes: u64,
    ) {
        let args = format!(
            r#""correlation":{},"stream":{stream},"device":0,"bytes":{bytes}"#,
            self.correlation
        );
        self.event(what, (0, stream), (at, len), &args);
        if stream == 7 {
            self.free = self.free.max(at + len);
        }
    }

    /// Work of the last call on stream 7 of a device, exactly then.
    pub(crate) fn work_on(&mut self, device: u64, what: (&str, &str), time: (f64, f64)) {
        let args =
            format!(r#""correlation":{},"stream":7,"device":{device},"bytes":1"#, self.correlation);
        self.event(what, (device, 7), time, &args);
    }

    /// A launch and its kernel, which starts 6 µs later or when the stream is free.
    pub(crate) fn kernel(&mut self, name: &str, at: f64, len: f64) -> f64 {
        self.launch("cudaLaunchKernel", at, 5.0);
        let start = self.free.max(at + 6.0);
        self.work(("kernel", name), (start, len), 7, 0);
        start + len
    }

    /// Work of the last call, when the stream is free and not before `at`.
    pub(crate) fn queued(&mut self, name: &str, at: f64, len: f64) {
        let start = self.free.max(at);
        self.work(("kernel", name), (start, len), 7, 0);
    }

    /// A copy of one byte by the last call, when the stream is free and not before `at`.
    pub(crate) fn copied(&mut self, name: &str, at: f64, len: f64) {
        let start = self.free.max(at);
        self.work(("gpu_memcpy", name), (start, len), 7, 1);
    }

    /// A launch 7 µs after the one before, its kernel queued.
    pub(crate) fn queued_launch(&mut self, name: &str, len: f64) {
        let at = self.correlation as f64 * 7.0;
        self.launch("cudaLaunchKernel", at, 5.0);
        self.queued(name, at + 6.0, len);
    }

    /// Waits for the stream from `at` on; says when it returned.
    pub(crate) fn sync(&mut self, at: f64) -> f64 {
        let end = self.free.max(at) + 2.0;
        self.call("cudaStreamSynchronize", at, end - at);
        end
    }

    pub(crate) fn json(&self) -> String {
        format!(r#"{{"schemaVersion":1,"traceEvents":[{}]}}"#, self.events.join(","))
    }

    pub(crate) fn found(&self) -> Found {
        let linked = linked(&self.json());
        let checks = health(&linked);
        judged(&linked, checks, &Thresholds::default())
    }
}

/// What is found on a Kineto trace whose health is given.
pub(crate) fn found(json: &str, checks: &[Check]) -> Found {
    judged(&linked(json), checks.to_vec(), &Thresholds::default())
}

pub(crate) fn linked(json: &str) -> Linked {
    let read = flamelane_read::open(&mut json.as_bytes(), &Limits::default(), Some("kineto"));
    match read.unwrap().content {
        Content::Trace(trace) => link(*trace, Rules::default()),
        Content::Profile(_) => panic!("a trace"),
    }
}

fn judged(linked: &Linked, checks: Vec<Check>, limits: &Thresholds) -> Found {
    let answer = find(linked, &checks, limits);
    let verdict = answer.tally().judge(limits).name();
    Found { answer, checks, verdict }
}

/// What was found on a tape.
pub(crate) struct Found {
    pub(crate) answer: Answer,
    pub(crate) checks: Vec<Check>,
    pub(crate) verdict: &'static str,
}

impl Found {
    pub(crate) fn kinds(&self) -> Vec<Kind> {
        self.answer.findings.iter().map(|finding| finding.kind).collect()
    }

    pub(crate) fn first(&self) -> &Finding {
        &self.answer.findings[0]
    }

    pub(crate) fn of(&self, kind: Kind) -> Option<&Finding> {
        self.answer.findings.iter().find(|finding| finding.kind == kind)
    }

    /// Lost time that findings of a kind own, per step, in µs.
    pub(crate) fn owned(&self, kind: Kind) -> i64 {
        let owned = self.answer.findings.iter().filter(|f| f.kind == kind).map(|f| f.owned);
        owned.sum::<i64>() / self.answer.n_steps / 1_000
    }

    fn evidence(&self, kind: Kind, name: &str) -> Option<&Figure> {
        let rows = &self.of(kind)?.evidence;
        rows.iter().find(|(key, _)| *key == name).map(|(_, figure)| figure)
    }

    /// A time in the evidence of the first finding of a kind, in ns.
    pub(crate) fn figure(&self, kind: Kind, name: &str) -> i64 {
        match self.evidence(kind, name) {
            Some(Figure::Ns(ns)) => *ns,
            other => panic!("{name} is {other:?}"),
        }
    }

    /// A count in the evidence of the first finding of a kind.
    pub(crate) fn count_figure(&self, kind: Kind, name: &str) -> u64 {
        match self.evidence(kind, name) {
            Some(Figure::Count(count)) => *count,
            other => panic!("{name} is {other:?}"),
        }
    }

    /// Whether a check that is not well speaks of something.
    pub(crate) fn warned(&self, word: &str) -> bool {
        let speaks = |check: &&Check| {
            check.status != Status::Ok
                && (check.check.contains(word) || check.message.contains(word))
        };
        self.checks.iter().any(|check| speaks(&check))
    }

    pub(crate) fn headlines(&self) -> Vec<Kind> {
        let found = self.answer.findings.iter().filter(|finding| finding.headline);
        found.map(|finding| finding.kind).collect()
    }

    pub(crate) fn says(&self, word: &str) -> bool {
        let says = |finding: &Finding| {
            finding.sentence.contains(word) || format!("{:?}", finding.evidence).contains(word)
        };
        self.answer.findings.iter().any(says)
    }

    pub(crate) fn failed(&self) -> Vec<&'static str> {
        let fails = self.checks.iter().filter(|check| check.status == Status::Fail);
        fails.map(|check| check.check).collect()
    }
}
