//! `flamelane open` from outside: what it serves, and to whom.

#![expect(clippy::unwrap_used, reason = "a test may fail where it stands")]

use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::path::Path;
use std::process::{Child, Command, Stdio};

/// A running server; it ends with the test.
struct Served {
    process: Child,
    /// `127.0.0.1:PORT`.
    host: String,
    /// `/WORD/`.
    path: String,
}

impl Drop for Served {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

fn command(args: &[&str]) -> Command {
    command_on("kineto/llm-decode.json.gz", args)
}

fn command_on(fixture: &str, args: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_flamelane"));
    let fixture = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fixtures").join(fixture);
    command.args(["open", "--no-browser"]).args(args).arg(fixture).stdin(Stdio::null());
    command.env("NO_COLOR", "1").env_remove("SSH_CONNECTION");
    command
}

/// Starts a server and reads the address that it prints.
fn serve(args: &[&str], environment: &[(&str, &str)]) -> (Served, BufReader<impl Read>) {
    let mut command = command(args);
    command.envs(environment.iter().copied());
    started(command)
}

fn started(mut command: Command) -> (Served, BufReader<impl Read>) {
    command.stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut process = command.spawn().unwrap();
    let mut line = String::new();
    BufReader::new(process.stdout.take().unwrap()).read_line(&mut line).unwrap();
    let said = BufReader::new(process.stderr.take().unwrap());
    let address = line.trim().strip_prefix("http://").unwrap();
    let (host, rest) = address.split_once('/').unwrap();
    (Served { process, host: host.to_owned(), path: format!("/{rest}") }, said)
}

/// Status and body of one request; of the older protocol, whose answers come in one piece.
fn ask(served: &Served, method: &str, path: &str, host: &str) -> (u16, Vec<u8>) {
    let mut stream = TcpStream::connect(&served.host).unwrap();
    let request = format!("{method} {path} HTTP/1.0\r\nHost: {host}\r\nConnection: close\r\n\r\n");
    stream.write_all(request.as_bytes()).unwrap();
    let mut answer = Vec::new();
    stream.read_to_end(&mut answer).unwrap();
    let end = answer.windows(4).position(|four| four == b"\r\n\r\n").unwrap();
    let head = String::from_utf8(answer[..end].to_vec()).unwrap();
    let status = head.split(' ').nth(1).unwrap().parse().unwrap();
    (status, answer[end + 4..].to_vec())
}

#[test]
fn the_page_and_its_blocks_are_served_to_those_who_know_the_address() {
    let (served, _) = serve(&[], &[]);
    let get = |path: &str| ask(&served, "GET", path, &served.host);
    let (status, page) = get(&served.path);
    let page = String::from_utf8(page).unwrap();
    assert_eq!(status, 200);
    assert!(page.starts_with("<!doctype html>"), "{}", &page[..100]);
    assert!(!page.contains("type=\"text/plain\""), "no block is in the page");
    let (_, contents) = page.split_once("id=\"contents\">").unwrap();
    let (contents, _) = contents.split_once("</script>").unwrap();
    let contents: serde_json::Value = serde_json::from_str(contents).unwrap();
    let tree = contents["profiles"][0]["tree"].as_str().unwrap();
    let lane = contents["charts"][0]["lanes"][0]["block"].as_str().unwrap();
    for block in [tree, lane] {
        let (status, bytes) = get(&format!("{}block/{block}", served.path));
        assert!(status == 200 && !bytes.is_empty(), "{block}: {status}");
    }
    for nothing in ["/", "/favicon.ico", "/0123456789abcdef0123456789abcdef/"] {
        assert_eq!(get(nothing).0, 404, "{nothing}");
    }
    for nothing in ["block/", "block/c9-l0", "block/../../etc/passwd", "x"] {
        assert_eq!(get(&format!("{}{nothing}", served.path)).0, 404, "{nothing}");
    }
}

#[test]
fn finished_stacks_are_served_too() {
    let (served, _) = started(command_on("pprof/cpu.pb.gz", &[]));
    let (status, page) = ask(&served, "GET", &served.path, &served.host);
    let page = String::from_utf8(page).unwrap();
    assert_eq!(status, 200);
    assert!(page.contains("\"stacks\":{\"file\":\"cpu.pb.gz\",\"format\":\"pprof\""));
    for block in ["p0-names", "p0-tree", "p0-w0", "p0-w1"] {
        let path = format!("{}block/{block}", served.path);
        let (status, bytes) = ask(&served, "GET", &path, &served.host);
        assert!(status == 200 && !bytes.is_empty(), "{block}: {status}");
    }
}

#[test]
fn a_page_of_another_origin_learns_nothing() {
    let (served, _) = serve(&[], &[]);
    for host in ["evil.example", "evil.example:80", "localhost.evil.example", ""] {
        assert_eq!(ask(&served, "GET", &served.path, host).0, 403, "{host}");
    }
    // The near end of a tunnel has another port.
    assert_eq!(ask(&served, "GET", &served.path, "localhost:9999").0, 200);
    assert_eq!(ask(&served, "POST", &served.path, &served.host).0, 405);
    let (status, body) = ask(&served, "HEAD", &served.path, &served.host);
    assert_eq!((status, body.len()), (200, 0));
}

#[test]
fn a_port_that_is_taken_is_said_with_a_way_out() {
    let taken = std::net::TcpListener::bind(("127.0.0.1", 0)).unwrap();
    let port = taken.local_addr().unwrap().port().to_string();
    let output = command(&["--port", &port]).output().unwrap();
    let said = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(2), "{said}");
    assert!(said.starts_with(&format!("error: cannot listen on 127.0.0.1:{port}")), "{said}");
    assert!(said.contains("hint: `--port`"), "{said}");
}

#[test]
fn whoever_came_by_ssh_is_told_how_to_get_there() {
    let (served, mut said) = serve(&[], &[("SSH_CONNECTION", "10.0.0.2 5000 10.0.0.9 22")]);
    let mut line = String::new();
    said.read_line(&mut line).unwrap();
    let port = served.host.rsplit_once(':').unwrap().1;
    assert!(line.contains(&format!("ssh -L {port}:127.0.0.1:{port} 10.0.0.9")), "{line}");
}
