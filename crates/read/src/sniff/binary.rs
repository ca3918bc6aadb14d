//! Binary files that are known and not read.

use memchr::memmem::find;

use crate::Foreign;

const NSYS: &[u8] = b"NVIDIA Tegra Profiler Report ";

/// A known kind of binary file, by its first bytes.
pub(super) fn foreign(head: &[u8]) -> Option<Foreign> {
    Some(match head {
        [b'P', b'K', 3 | 5, 4 | 6, ..] => Foreign::Zip,
        [0x80, 2..=5, ..] => pickle(head),
        [0x7f, b'E', b'L', b'F', ..] => Foreign::Elf,
        [b'P', b'A', b'R', b'1', ..] => Foreign::Parquet,
        [b'B', b'Z', b'h', ..] | [0xfd, b'7', b'z', b'X', b'Z', ..] => {
            Foreign::UnsupportedCompression
        }
        // A marshalled dictionary, whose first key is a tuple of 3.
        [0xfb, 0xa9, 3, ..] | [b'{', 0xa9 | b'(', 3, ..] => Foreign::Marshal,
        _ if head.starts_with(b"PERFILE2") || head.starts_with(b"2ELIFREP") => Foreign::PerfData,
        _ if head.starts_with(NSYS) => Foreign::NsysReport,
        _ if find(&head[..head.len().min(256)], b"NVIDIA Nsight Systems Stream").is_some() => {
            Foreign::NsysStream
        }
        _ if head.starts_with(b"NVR\0") => Foreign::NcuReport,
        _ if head.starts_with(b"SQLite format 3\0") => sqlite(head),
        _ => return protobuf(head),
    })
}

/// The version in the header of an Nsight Systems report.
pub(super) fn nsys_version(head: &[u8]) -> Option<String> {
    let version = head.strip_prefix(NSYS)?;
    let is_part = |byte: &&u8| byte.is_ascii_alphanumeric() || matches!(byte, b'.' | b'@' | b'-');
    let version: Vec<u8> = version.iter().take_while(is_part).take(60).copied().collect();
    let version = String::from_utf8(version).ok()?.replace('@', ".");
    (!version.is_empty()).then_some(version)
}

/// Whether what tells the kind lies far behind the first bytes.
pub(super) fn is_spread(head: &[u8]) -> bool {
    head.starts_with(b"SQLite format 3\0")
}

fn pickle(head: &[u8]) -> Foreign {
    let start = &head[..head.len().min(4096)];
    let snapshot = find(start, b"segments").is_some() || find(start, b"device_traces").is_some();
    if snapshot { Foreign::MemorySnapshot } else { Foreign::Pickle }
}

/// The tables are named in the schema, which lies in the first pages.
fn sqlite(head: &[u8]) -> Foreign {
    let has = |name: &[u8]| find(head, name).is_some();
    if has(b"rocpd_") {
        Foreign::RocmSqlite
    } else if has(b"CUPTI_ACTIVITY_KIND") || has(b"NVTX_EVENTS") || has(b"TARGET_INFO_") {
        Foreign::NsysSqlite
    } else {
        Foreign::Sqlite
    }
}

/// XPlane and Perfetto are both one repeated field 1; what is inside tells them apart.
fn protobuf(head: &[u8]) -> Option<Foreign> {
    let message = head.strip_prefix(b"\x0a")?;
    let (size, body) = varint(message)?;
    if size < 2 {
        return None;
    }
    if is_plane(body) {
        return Some(Foreign::XPlane);
    }
    is_packet(size, body).then_some(Foreign::Perfetto)
}

/// An `XPlane`: perhaps an id, then a name such as `/host:CPU` or `/device:GPU:0`.
fn is_plane(body: &[u8]) -> bool {
    let name = match body.strip_prefix(b"\x08") {
        Some(rest) => varint(rest).map_or(&b""[..], |(_, rest)| rest),
        None => body,
    };
    let Some((_, name)) = name.strip_prefix(b"\x12").and_then(varint) else { return false };
    [&b"/host:"[..], b"/device:", b"Task Environment"].iter().any(|start| name.starts_with(start))
}

/// A `TracePacket`: a whole message of fields that packets have, and another packet behind it.
fn is_packet(size: u64, body: &[u8]) -> bool {
    let Ok(size) = usize::try_from(size) else { return false };
    let Some((packet, rest)) = body.split_at_checked(size) else { return false };
    let mut fields = packet;
    let mut known = false;
    while !fields.is_empty() {
        let Some((key, behind)) = varint(fields) else { return false };
        let Some(next) = skip_field(key & 7, behind) else { return false };
        // Clock snapshot, timestamp, sequence, track event, interned data, track descriptor.
        known |= matches!(key >> 3, 6 | 8 | 10 | 11 | 12 | 33 | 36 | 41 | 58 | 60);
        fields = next;
    }
    known && (rest.is_empty() || rest[0] == 0x0a)
}

fn skip_field(wire: u64, bytes: &[u8]) -> Option<&[u8]> {
    match wire {
        0 => varint(bytes).map(|(_, rest)| rest),
        1 => bytes.get(8..),
        2 => varint(bytes).and_then(|(size, rest)| rest.get(usize::try_from(size).ok()?..)),
        5 => bytes.get(4..),
        _ => None,
    }
}

/// A protobuf varint and what follows.
fn varint(bytes: &[u8]) -> Option<(u64, &[u8])> {
    let mut value = 0;
    for (i, byte) in bytes.iter().take(10).enumerate() {
        value |= u64::from(byte & 0x7f) << (7 * i).min(63);
        if byte & 0x80 == 0 {
            return Some((value, &bytes[i + 1..]));
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_report_of_nsight_systems_tells_its_version() {
        let head = b"NVIDIA Tegra Profiler Report 2025@5@1@121-255136380782v0\0\x01";
        assert_eq!(nsys_version(head).unwrap(), "2025.5.1.121-255136380782v0");
        assert_eq!(foreign(head), Some(Foreign::NsysReport));
    }

    #[test]
    fn protobufs_are_told_apart() {
        assert_eq!(foreign(b"\x0a\x0d\x08\x01\x12\x09/host:CPU"), Some(Foreign::XPlane));
        assert_eq!(foreign(b"\x0a\x04\x50\x01\x40\x05\x0a\x02"), Some(Foreign::Perfetto));
        assert_eq!(foreign(b"\x0a\x04\x08\x01\x10\x02\x0a\x04"), None);
    }
}
