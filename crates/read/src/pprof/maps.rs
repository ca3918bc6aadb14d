//! What the older formats say of addresses: the libraries they lie in, or the names they have.

use flamelane_model::{Frame, FrameKind, Strings};
use rustc_hash::FxHashMap;

/// Mappings in order of their start, and names of single addresses.
#[derive(Debug, Default)]
pub(super) struct Maps {
    /// Start, end, offset in the file, name.
    ranges: Vec<(u64, u64, u64, String)>,
    names: FxHashMap<u64, String>,
}

impl Maps {
    /// Reads `/proc/PID/maps` lines (`start-end perms offset dev inode path`), gperftools'
    /// `start-end: path` and Java's `0xADDRESS name`; other lines are no mappings.
    pub(super) fn read(text: &[u8]) -> Self {
        let text = String::from_utf8_lossy(text);
        let mut maps = Self::default();
        for line in text.lines() {
            maps.line(line.trim());
        }
        maps.ranges.sort();
        maps
    }

    /// The frame of an address: its name, else `library+0xoffset`, else the address.
    pub(super) fn frame(&self, address: u64, strings: &mut Strings) -> Frame {
        let name = match self.names.get(&address) {
            Some(name) => strings.intern(name),
            None => strings.intern(&self.place(address)),
        };
        Frame { name, kind: FrameKind::Native }
    }

    /// Whether addresses have names.
    pub(super) fn has_names(&self) -> bool {
        !self.names.is_empty()
    }

    fn place(&self, address: u64) -> String {
        let after = self.ranges.partition_point(|(start, ..)| *start <= address);
        match self.ranges[..after].last() {
            Some((start, end, offset, name)) if address < *end => {
                let offset = (address - start).wrapping_add(*offset);
                format!("{name}+{offset:#x}")
            }
            _ => format!("{address:#x}"),
        }
    }

    fn line(&mut self, line: &str) {
        if let Some((address, name)) = line.strip_prefix("0x").and_then(|l| l.split_once(' ')) {
            if let Ok(address) = u64::from_str_radix(address, 16) {
                self.names.insert(address, name.trim().to_owned());
            }
            return;
        }
        let Some((range, rest)) = line.split_once(' ') else { return };
        let Some((start, end)) = range.trim_end_matches(':').split_once('-') else { return };
        let hex = |text: &str| u64::from_str_radix(text, 16).ok();
        let (Some(start), Some(end)) = (hex(start), hex(end)) else { return };
        let (offset, path) = if range.ends_with(':') {
            (0, rest.trim())
        } else {
            let fields: Vec<&str> = rest.split_ascii_whitespace().collect();
            let path = fields.get(4).copied().unwrap_or_default();
            (fields.get(1).and_then(|text| hex(text)).unwrap_or(0), path)
        };
        if !path.is_empty() {
            let file = path.rsplit('/').next().unwrap_or(path);
            self.ranges.push((start, end, offset, file.to_owned()));
        }
    }
}
