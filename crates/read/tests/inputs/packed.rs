//! Layers around a file: what they hold is read, and what is wrong with them is said.

use std::io::Write;

use flamelane_read::{Limits, Read, ReadError, open};

use crate::drawn::{line, whole};

const STACKS: &str = "main;work 3\nmain;rest 1\n";

fn read(bytes: &[u8]) -> Result<Read, ReadError> {
    open(&mut &bytes[..], &Limits::default(), None)
}

fn gz(bytes: &[u8]) -> Vec<u8> {
    let mut out = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::default());
    out.write_all(bytes).unwrap();
    out.finish().unwrap()
}

fn zst(bytes: &[u8]) -> Vec<u8> {
    zstd::encode_all(bytes, 3).unwrap()
}

fn tar(members: &[(&str, &[u8])]) -> Vec<u8> {
    let mut out = Vec::new();
    for (name, bytes) in members {
        let mut header = [0_u8; 512];
        header[..name.len()].copy_from_slice(name.as_bytes());
        header[100..107].copy_from_slice(b"0000644");
        header[124..135].copy_from_slice(format!("{:011o}", bytes.len()).as_bytes());
        header[156] = if name.ends_with('/') { b'5' } else { b'0' };
        header[257..263].copy_from_slice(b"ustar\0");
        header[148..156].copy_from_slice(b"        ");
        let sum: u64 = header.iter().map(|byte| u64::from(*byte)).sum();
        header[148..155].copy_from_slice(format!("{sum:06o}\0").as_bytes());
        out.extend_from_slice(&header);
        out.extend_from_slice(bytes);
        out.resize(out.len().next_multiple_of(512), 0);
    }
    out.resize(out.len() + 1024, 0);
    out
}

/// The stacks are there, and these notes.
#[track_caller]
fn check(bytes: &[u8], codes: &[&str]) {
    let read = read(bytes).unwrap_or_else(|error| panic!("{error}: {:?}", error.hint()));
    let drawn = whole(&read);
    assert!(drawn.contains("main<native> ; work<native> 3"), "{drawn}");
    let found: Vec<_> = read.notes.iter().map(|note| note.code).collect();
    assert_eq!(found, codes, "{drawn}");
}

#[test]
fn layers_are_undone_in_any_order() {
    let stacks = STACKS.as_bytes();
    check(stacks, &[]);
    check(&gz(stacks), &[]);
    check(&zst(stacks), &[]);
    check(&gz(&gz(stacks)), &[]);
    check(&zst(&gz(stacks)), &[]);
    check(&tar(&[("a.txt", stacks)]), &[]);
    check(&gz(&tar(&[("dir/", b""), ("dir/a.txt.gz", &gz(stacks))])), &[]);
    check(&[b"\xef\xbb\xbf", stacks].concat(), &[]);
    let utf16 = STACKS.encode_utf16().flat_map(u16::to_le_bytes);
    check(&[0xff, 0xfe].into_iter().chain(utf16).collect::<Vec<u8>>(), &[]);
}

#[test]
fn members_and_frames_follow_each_other() {
    let (first, second) = STACKS.as_bytes().split_at(7);
    check(&[gz(first), gz(second)].concat(), &[]);
    check(&[zst(first), zst(second)].concat(), &[]);
    // Padding of tapes is no garbage.
    check(&[gz(STACKS.as_bytes()), vec![0; 700]].concat(), &[]);
}

#[test]
fn what_follows_the_packed_data_is_told() {
    check(&[&gz(STACKS.as_bytes())[..], b"junk"].concat(), &["trailing-bytes"]);
}

#[test]
fn a_truncated_file_gives_what_was_there() {
    // Many blocks: zstd gives nothing of a block that is cut.
    let many: String = (0..50_000).map(|i| format!("main;work;f{i} {i}\n")).collect();
    let many = format!("{STACKS}{many}");
    for packed in [gz(many.as_bytes()), zst(many.as_bytes())] {
        for end in [packed.len() / 2, packed.len() - 3] {
            let read = read(&packed[..end]).unwrap();
            assert_eq!(read.notes.count("truncated-input"), 1, "{}", line(&Ok(read)));
        }
    }
}

#[test]
fn a_damaged_file_gives_what_came_before() {
    // Text that does not pack well, so that the damage lies behind much of it.
    let mut seed = 1_u64;
    let mut next = || {
        seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
        seed >> 33
    };
    let many: String = (0..5000).map(|_| format!("main;f{} {}\n", next(), next())).collect();
    let many = format!("{STACKS}{many}");
    let mut packed = gz(many.as_bytes());
    let middle = packed.len() / 2;
    packed[middle..middle + 40].fill(0xff);
    check(&packed, &["line-without-weight", "damaged-input"]);
}

#[test]
fn a_wrong_checksum_is_told() {
    let mut packed = gz(STACKS.as_bytes());
    let at = packed.len() - 8;
    packed[at] ^= 1;
    check(&packed, &["damaged-input"]);
}

#[test]
fn a_bomb_stops_at_the_limit_and_says_which() {
    let line = "main;work 3\n".repeat(100_000);
    let limits = Limits { max_unpacked: 100_000, ..Limits::default() };
    for (layer, packed) in [("gzip", gz(line.as_bytes())), ("zstd", zst(line.as_bytes()))] {
        let error = open(&mut &packed[..], &limits, None).unwrap_err();
        assert_eq!(
            error.to_string(),
            format!(
                "the {layer} input unpacks to more than 100000 bytes, the limit of `--max-unpacked`"
            )
        );
        assert!(error.hint().unwrap().contains("--max-unpacked 400000"));
    }
    let exact = STACKS.len() as u64;
    let limits = Limits { max_unpacked: exact, ..Limits::default() };
    assert!(open(&mut &gz(STACKS.as_bytes())[..], &limits, None).is_ok());
}

#[test]
fn packing_without_end_stops() {
    let packed = (0..20).fold(STACKS.as_bytes().to_vec(), |bytes, _| gz(&bytes));
    assert!(matches!(read(&packed), Err(ReadError::TooManyLayers { .. })));
}

#[test]
fn the_first_profile_of_an_archive_is_read_and_the_others_counted() {
    let archive = tar(&[
        ("README", b"hello\n"),
        ("a.folded", STACKS.as_bytes()),
        ("b.folded", STACKS.as_bytes()),
    ]);
    check(&gz(&archive), &["other-members"]);
    let read = read(&archive).unwrap();
    let note = read.notes.iter().next().unwrap();
    assert_eq!((note.count, note.first.as_str()), (2, "README"));
}

#[test]
fn an_archive_without_a_profile_says_what_it_holds() {
    let error = read(&tar(&[("m.pickle", b"\x80\x04}."), ("README", b"hi")])).unwrap_err();
    assert_eq!(error.to_string(), "the archive holds no profile: 2 files, the first is `m.pickle`");
    assert!(error.hint().unwrap().contains("pickles"));
}

#[test]
fn junk_behind_a_magic_number_is_damaged_from_the_start() {
    for junk in [&b"\x1f\x8b\x08\xffjunk"[..], b"\x28\xb5\x2f\xfdjunkjunk"] {
        assert!(matches!(read(junk), Err(ReadError::Unpack { .. })));
    }
}

/// Hands out one byte at a time.
struct Bytewise<'a>(&'a [u8]);

impl std::io::Read for Bytewise<'_> {
    fn read(&mut self, out: &mut [u8]) -> std::io::Result<usize> {
        let n = out.len().min(self.0.len()).min(1);
        out[..n].copy_from_slice(&self.0[..n]);
        self.0 = &self.0[n..];
        Ok(n)
    }
}

#[test]
fn damaged_gzip_says_the_same_however_its_bytes_arrive() {
    let stacks: Vec<String> =
        (0..400).map(|i| format!("main;work{};deep{} {i}", i % 7, i % 31)).collect();
    let packed = gz(stacks.join("\n").as_bytes());
    for at in (10..packed.len()).step_by(3) {
        let mut damaged = packed.clone();
        damaged[at] ^= 0x5a;
        let whole = format!("{:?}", read(&damaged));
        let limits = Limits::default();
        let pieces = format!("{:?}", open(&mut Bytewise(&damaged), &limits, None));
        assert_eq!(whole, pieces, "byte {at} of {}", packed.len());
    }
}
