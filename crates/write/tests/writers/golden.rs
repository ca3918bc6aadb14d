//! Whole files, byte by byte. Where one differs on purpose, copy the new one that the failure
//! names over the old one, after a look at it.

use std::io;
use std::path::Path;

use flamelane_model::{Profile, Weight};
use flamelane_write::{SvgOptions, write_folded, write_pprof, write_speedscope, write_svg};
use prost::Message as _;

use crate::profiles::profile;

const LINES: &str = "
    main/thread;app.py(3): run/python;aten::mm;cudaLaunchKernel/runtime;void gemm<float>(P)/kernel 600
    main/thread;app.py(3): run/python;aten::mm;cudaLaunchKernel/runtime;void gemm<float>(P)/kernel;x 0
    main/thread;app.py(3): run/python;aten::copy_;cudaMemcpyAsync/runtime;Memcpy HtoD (Pinned -> Device)/copy 390
    main/thread;app.py(3): run/python;aten::add;cudaLaunchKernel/runtime;add<4>(int)/kernel 6
    main/thread;app.py(3): run/python;a;b 4
    [launched before capture]/synthetic 1000
";

fn written(write: impl Fn(&Profile, &mut Vec<u8>) -> io::Result<()>) -> Vec<u8> {
    let mut bytes = Vec::new();
    write(&profile(LINES), &mut bytes).unwrap();
    bytes
}

#[track_caller]
fn check(name: &str, golden: &str, found: &str) {
    if found != golden {
        let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
        std::fs::write(&path, found).unwrap();
        panic!("tests/golden/{name} differs from {}", path.display());
    }
}

#[test]
fn folded() {
    let bytes = written(|profile, out| write_folded(profile, &Weight::Gpu, out));
    let found = String::from_utf8(bytes).unwrap();
    check("small.folded", include_str!("../golden/small.folded"), &found);
}

#[test]
fn speedscope() {
    let bytes = written(|profile, out| write_speedscope(profile, "small", out));
    let found = String::from_utf8(bytes).unwrap();
    check("small.speedscope.json", include_str!("../golden/small.speedscope.json"), &found);
}

#[test]
fn svg() {
    let options = SvgOptions {
        title: "Small".to_owned(),
        subtitle: "made for a test".to_owned(),
        width: 640,
        min_width: 4.0,
        ..SvgOptions::new(Weight::Gpu)
    };
    let bytes = written(|profile, out| write_svg(profile, &options, out));
    let found = String::from_utf8(bytes).unwrap();
    // The style and the script have files of their own.
    let bare = without(&without(&found, "<style>", "</style>"), "<![CDATA[", "]]>");
    check("small.svg", include_str!("../golden/small.svg"), &bare);
}

fn without(text: &str, open: &str, close: &str) -> String {
    let (head, rest) = text.split_once(open).unwrap();
    let (_, tail) = rest.split_once(close).unwrap();
    format!("{head}{open}{close}{tail}")
}

#[test]
fn pprof() {
    let bytes = written(|profile, out| write_pprof(profile, &Weight::Gpu, out));
    assert_eq!(bytes[4..8], [0; 4], "a time stamp in the gzip header");
    let mut message = Vec::new();
    io::Read::read_to_end(&mut flate2::read::GzDecoder::new(&bytes[..]), &mut message).unwrap();
    let decoded = Decoded::decode(&message[..]).unwrap();
    check("small.pprof.txt", include_str!("../golden/small.pprof.txt"), &decoded.to_text());
}

/// The messages again, by field number alone: what another reader sees.
#[derive(Clone, PartialEq, prost::Message)]
struct Decoded {
    #[prost(message, repeated, tag = "1")]
    types: Vec<Pair>,
    #[prost(message, repeated, tag = "2")]
    samples: Vec<Sample>,
    #[prost(message, repeated, tag = "4")]
    locations: Vec<Location>,
    #[prost(message, repeated, tag = "5")]
    functions: Vec<Function>,
    #[prost(string, repeated, tag = "6")]
    strings: Vec<String>,
    #[prost(int64, tag = "14")]
    default: i64,
}

#[derive(Clone, PartialEq, prost::Message)]
struct Pair {
    #[prost(int64, tag = "1")]
    first: i64,
    #[prost(int64, tag = "2")]
    second: i64,
}

#[derive(Clone, PartialEq, prost::Message)]
struct Sample {
    #[prost(uint64, repeated, tag = "1")]
    locations: Vec<u64>,
    #[prost(int64, repeated, tag = "2")]
    values: Vec<i64>,
}

#[derive(Clone, PartialEq, prost::Message)]
struct Location {
    #[prost(uint64, tag = "1")]
    id: u64,
    #[prost(message, repeated, tag = "4")]
    lines: Vec<Pair>,
}

#[derive(Clone, PartialEq, prost::Message)]
struct Function {
    #[prost(uint64, tag = "1")]
    id: u64,
    #[prost(int64, tag = "2")]
    name: i64,
    #[prost(int64, tag = "3")]
    system_name: i64,
    #[prost(int64, tag = "4")]
    file: i64,
    #[prost(int64, tag = "5")]
    line: i64,
}

impl Decoded {
    fn text(&self, row: i64) -> &str {
        &self.strings[row as usize]
    }

    fn to_text(&self) -> String {
        let mut lines = vec![format!("default {}", self.text(self.default))];
        for kind in &self.types {
            lines.push(format!("type {} in {}", self.text(kind.first), self.text(kind.second)));
        }
        for sample in &self.samples {
            let frames: Vec<String> = sample.locations.iter().map(|id| self.frame(*id)).collect();
            lines.push(format!("{:?}\n  {}", sample.values, frames.join("\n  ")));
        }
        lines.join("\n") + "\n"
    }

    fn frame(&self, id: u64) -> String {
        let location = self.locations.iter().find(|location| location.id == id).unwrap();
        let line = &location.lines[0];
        let function = self.functions.iter().find(|f| f.id == line.first as u64).unwrap();
        assert_eq!(function.line, line.second);
        let [name, kind, file] =
            [function.name, function.system_name, function.file].map(|row| self.text(row));
        format!("{name} [{kind}] {file}:{}", line.second)
    }
}
