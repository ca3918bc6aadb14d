//! The outermost shape of a JSON file: enough to tell the tools apart.

use crate::{
    Foreign,
    pull::{Pull, Token},
};

/// What the outermost value is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Outer {
    /// `{…}`.
    Object,
    /// `[{…}, …]`, also `[` alone.
    Objects,
    /// `[[…], …]`.
    Arrays,
    /// An array of plain values.
    Values,
}

/// The outermost shape.
#[derive(Debug)]
pub(crate) struct Json {
    /// What it is.
    pub(crate) outer: Outer,
    /// Keys of the object, or of the first object of the array, in file order; those the first
    /// bytes show.
    pub(crate) keys: Vec<String>,
    /// The strings among the values of `keys`, cut; empty for other values.
    pub(crate) values: Vec<String>,
    /// Whether the bytes end before the outermost value does.
    pub(crate) open: bool,
}

impl Json {
    /// The shape of what begins with `head`; `None` when that is no JSON.
    pub(crate) fn of(head: &[u8]) -> Option<Self> {
        if !matches!(head.trim_ascii_start().first(), Some(b'{' | b'[')) {
            return None;
        }
        let mut input = head;
        let mut pull = Pull::new(&mut input, 200);
        let outer = match pull.next().ok()? {
            Token::BeginObject => Outer::Object,
            _ => match pull.next().ok()? {
                Token::BeginObject | Token::End => Outer::Objects,
                Token::BeginArray => Outer::Arrays,
                Token::EndArray | Token::Number(_) | Token::String(_) | Token::Word(_) => {
                    Outer::Values
                }
                _ => return None,
            },
        };
        let mut json = Self { outer, keys: Vec::new(), values: Vec::new(), open: false };
        if matches!(outer, Outer::Object | Outer::Objects) {
            json.collect(&mut pull);
        }
        json.open = pull.depth() > 0;
        Some(json)
    }

    /// Whether there is a key `name`.
    pub(crate) fn has(&self, name: &str) -> bool {
        self.keys.iter().any(|key| key == name)
    }

    /// The string under `name`.
    pub(crate) fn value(&self, name: &str) -> &str {
        let found = self.keys.iter().position(|key| key == name);
        found.and_then(|at| self.values.get(at)).map_or("", String::as_str)
    }

    /// A known kind that is not read.
    pub(super) fn foreign(&self) -> Option<Foreign> {
        let all = |names: &[&str]| names.iter().all(|name| self.has(name));
        match self.outer {
            Outer::Arrays => Some(Foreign::MemoryTimeline),
            Outer::Objects if all(&["frame", "metrics"]) => Some(Foreign::Proton),
            Outer::Object
                if self.value("schema").contains("chakra") || all(&["schema", "nodes"]) =>
            {
                Some(Foreign::Chakra)
            }
            Outer::Object if self.has("rocprofiler-sdk-tool") => Some(Foreign::RocprofJson),
            Outer::Object if all(&["segments", "device_traces"]) => {
                Some(Foreign::MemorySnapshotJson)
            }
            Outer::Object if all(&["nodes", "startTime", "endTime"]) => Some(Foreign::CpuProfile),
            Outer::Object if all(&["meta", "libs"]) => Some(Foreign::FirefoxProfile),
            Outer::Object | Outer::Objects | Outer::Values => None,
        }
    }

    /// The shape in words, for an error.
    pub(super) fn shape(&self) -> String {
        let keys: Vec<String> =
            self.keys.iter().take(6).map(|key| format!("`{}`", cut(key))).collect();
        let more = if self.keys.len() > 6 { " and more" } else { "" };
        match (self.outer, keys.is_empty()) {
            (Outer::Object, true) => "an object without keys".to_owned(),
            (Outer::Object, false) => format!("its keys are {}{more}", keys.join(", ")),
            (Outer::Objects, true) => "an array of objects".to_owned(),
            (Outer::Objects, false) => {
                format!("an array of objects with the keys {}{more}", keys.join(", "))
            }
            (Outer::Arrays, _) => "an array of arrays".to_owned(),
            (Outer::Values, _) => "an array of plain values".to_owned(),
        }
    }

    /// Reads keys until the object ends or the bytes do.
    fn collect(&mut self, pull: &mut Pull<'_>) {
        while let Ok(Token::Key(key)) = pull.next() {
            self.keys.push(String::from_utf8_lossy(key).into_owned());
            // Events follow: nothing behind them is needed to tell the format.
            if self.keys.len() >= 1000 || (self.outer == Outer::Object && self.has("traceEvents")) {
                return;
            }
            let depth = pull.depth();
            let value = match pull.next() {
                Ok(Token::String(text)) => String::from_utf8_lossy(text).into_owned(),
                Ok(Token::End) | Err(_) => return,
                Ok(_) => String::new(),
            };
            self.values.push(value);
            while pull.depth() > depth {
                if matches!(pull.next(), Ok(Token::End) | Err(_)) {
                    return;
                }
            }
        }
    }
}

fn cut(text: &str) -> String {
    text.chars().take(40).filter(|c| !c.is_control()).collect()
}
