//! The text of single events, as libkineto's printer lays them out.

use std::fmt::Write as _;
use std::io::{self, Write};

/// Process and thread of an event.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Lane {
    pub(crate) pid: i64,
    pub(crate) tid: i64,
}

/// Text of events on its way out; `args` of the next event are prepared first.
pub(crate) struct EventText<'a> {
    out: &'a mut dyn Write,
    text: String,
    args: String,
    one_key_a_line: bool,
}

impl<'a> EventText<'a> {
    /// Several keys a line.
    pub(crate) fn lines(out: &'a mut dyn Write) -> Self {
        Self { out, text: String::new(), args: String::new(), one_key_a_line: false }
    }

    /// One key a line.
    pub(crate) fn keys(out: &'a mut dyn Write) -> Self {
        Self { one_key_a_line: true, ..Self::lines(out) }
    }

    pub(crate) fn metadata_first(&self) -> bool {
        self.one_key_a_line
    }

    pub(crate) fn args(&mut self, fill: impl FnOnce(&mut String)) {
        self.args.clear();
        fill(&mut self.args);
    }

    pub(crate) fn more_args(&mut self, fill: impl FnOnce(&mut String)) {
        fill(&mut self.args);
    }

    /// Adds text that belongs to no event.
    pub(crate) fn raw(&mut self, text: &str) {
        self.text.push_str(text);
    }

    pub(crate) fn complete(&mut self, cat: &str, name: &str, lane: Lane, (from, to): (i64, i64)) {
        self.open();
        self.key("ph", "X", ", ");
        self.key("cat", cat, ", ");
        self.key("name", name, ", ");
        self.place(lane);
        self.time("ts", from);
        self.separator(", ");
        self.time("dur", to - from);
        if !self.args.is_empty() {
            self.text.push_str(if self.one_key_a_line { "\n    ,\n    " } else { ",\n    " });
            self.braced_args();
        }
        self.close();
    }

    pub(crate) fn flow(&mut self, (ph, cat): (&str, &str), id: u64, lane: Lane, at: i64) {
        self.open();
        self.key("ph", ph, ", ");
        _ = write!(self.text, "\"id\": {id}");
        self.separator(", ");
        self.numbers(lane);
        self.separator(", ");
        self.time("ts", at);
        self.separator(",\n    ");
        self.key("cat", cat, ", ");
        _ = write!(self.text, "\"name\": \"{cat}\"");
        if ph == "f" {
            self.separator(", ");
            self.text.push_str("\"bp\": \"e\"");
        }
        self.close();
    }

    pub(crate) fn memory(&mut self, lane: Lane, at: i64) {
        self.open();
        self.key("ph", "i", ", ");
        self.key("cat", "cpu_instant_event", ", ");
        self.key("s", "t", ", ");
        self.key("name", "[memory]", ",\n    ");
        self.place(lane);
        self.time("ts", at);
        self.text.push_str(",\n    ");
        self.braced_args();
        self.close();
    }

    /// A metadata event with one argument, given as JSON.
    pub(crate) fn metadata(&mut self, name: &str, lane: Lane, at: i64, (key, value): (&str, &str)) {
        self.open();
        if self.one_key_a_line {
            self.key("ph", "M", ", ");
            self.key("name", name, ", ");
        } else {
            self.key("name", name, ", ");
            self.key("ph", "M", ", ");
        }
        self.time("ts", at);
        self.separator(", ");
        self.numbers(lane);
        _ = write!(self.text, ",\n    \"args\": {{\n      \"{key}\": {value}\n    }}");
        self.close();
    }

    /// Hands the text on once there is much of it.
    pub(crate) fn spill(&mut self) -> io::Result<()> {
        if self.text.len() > (1 << 18) {
            self.out.write_all(self.text.as_bytes())?;
            self.text.clear();
        }
        Ok(())
    }

    pub(crate) fn finish(self) -> io::Result<()> {
        self.out.write_all(self.text.as_bytes())?;
        self.out.flush()
    }

    fn open(&mut self) {
        self.text.push_str("\n  {\n    ");
    }

    fn close(&mut self) {
        self.text.push_str("\n  },");
    }

    fn separator(&mut self, compact: &str) {
        self.text.push_str(if self.one_key_a_line { ",\n    " } else { compact });
    }

    fn key(&mut self, key: &str, value: &str, separator: &str) {
        _ = write!(self.text, "\"{key}\": \"");
        escape(&mut self.text, value);
        self.text.push('"');
        self.separator(separator);
    }

    fn place(&mut self, lane: Lane) {
        self.numbers(lane);
        self.separator(",\n    ");
    }

    fn numbers(&mut self, lane: Lane) {
        _ = write!(self.text, "\"pid\": {}", lane.pid);
        self.separator(", ");
        _ = write!(self.text, "\"tid\": {}", lane.tid);
    }

    fn time(&mut self, key: &str, ns: i64) {
        _ = write!(self.text, "\"{key}\": ");
        micros(&mut self.text, ns);
    }

    fn braced_args(&mut self) {
        self.text.push_str("\"args\": {\n      ");
        self.text.push_str(&self.args);
        self.text.push_str("\n    }");
    }
}

/// Writes ns as µs with three decimals.
pub(crate) fn micros(text: &mut String, ns: i64) {
    _ = write!(text, "{}.{:03}", ns / 1000, ns % 1000);
}

fn escape(text: &mut String, value: &str) {
    if !value.contains(['"', '\\', '\n']) {
        text.push_str(value);
        return;
    }
    for c in value.chars() {
        match c {
            '"' => text.push_str("\\\""),
            '\\' => text.push_str("\\\\"),
            '\n' => text.push_str("\\n"),
            c => text.push(c),
        }
    }
}
