//! The only door to sockets: a page on loopback, and its blocks by name, for whoever knows the address.
//!
//! Nobody else on the machine or the network is meant to read a capture: the server listens on the
//! loopback address alone, the address holds a secret word, and requests that a page of another
//! origin could have made a browser send (another name of this machine) are refused.

use std::collections::hash_map::RandomState;
use std::hash::{BuildHasher, Hasher};
use std::net::{Ipv4Addr, SocketAddr};

use anyhow::Result;
use flamelane_write::ServedPage;
use tiny_http::{Header, Method, Request, Response, StatusCode};

use crate::hinted::Hinted;

/// Requests answered at a time: a browser asks for six blocks at once.
const N_WORKERS: usize = 6;

/// A page's place on this machine.
pub(crate) struct Server {
    http: tiny_http::Server,
    address: SocketAddr,
    word: String,
}

impl Server {
    /// Listens on a port of the loopback address, or on any that is free.
    pub(crate) fn listen(port: Option<u16>) -> Result<Self> {
        let wanted = SocketAddr::from((Ipv4Addr::LOCALHOST, port.unwrap_or(0)));
        let cannot = |error: Box<dyn std::error::Error + Send + Sync>| {
            let said = anyhow::anyhow!("cannot listen on {wanted}: {error}");
            Hinted::new(&said, "`--port` takes another port; without it any free one is taken")
        };
        let http = tiny_http::Server::http(wanted).map_err(cannot)?;
        let address = http.server_addr().to_ip().unwrap_or(wanted);
        Ok(Self { http, address, word: word() })
    }

    /// Where a browser finds the page.
    pub(crate) fn url(&self) -> String {
        format!("http://{}/{}/", self.address, self.word)
    }

    pub(crate) fn port(&self) -> u16 {
        self.address.port()
    }

    /// Answers until the process ends.
    pub(crate) fn serve(&self, page: &ServedPage<'_>) {
        std::thread::scope(|scope| {
            for _ in 0..N_WORKERS {
                scope.spawn(|| {
                    while let Ok(request) = self.http.recv() {
                        let response = self.answer(page, &request);
                        // A browser that has gone away needs no answer.
                        let _ = request.respond(response);
                    }
                });
            }
        });
    }

    fn answer(
        &self,
        page: &ServedPage<'_>,
        request: &Request,
    ) -> Response<std::io::Cursor<Vec<u8>>> {
        if !matches!(request.method(), Method::Get | Method::Head) {
            return refuse(405, "only GET and HEAD");
        }
        if !host(request).is_some_and(is_loopback) {
            return refuse(403, "this address is served to the machine itself alone");
        }
        let path = request.url().strip_prefix('/').and_then(|path| path.strip_prefix(&self.word));
        match path {
            Some("/") => respond(page.page().to_vec(), "text/html; charset=utf-8"),
            Some(path) => match path.strip_prefix("/block/").and_then(|name| page.block(name)) {
                Some(block) => respond(block.into_owned(), "application/octet-stream"),
                None => refuse(404, "no such page"),
            },
            None => refuse(404, "no such page"),
        }
    }
}

/// 128 bits from the random keys that the standard library hashes with.
fn word() -> String {
    let part = || RandomState::new().build_hasher().finish();
    format!("{:016x}{:016x}", part(), part())
}

fn host(request: &Request) -> Option<&str> {
    let header = request.headers().iter().find(|header| header.field.equiv("Host"))?;
    Some(header.value.as_str())
}

/// Whether a host is a name of this machine for itself. The port may be another one: that of a tunnel.
fn is_loopback(host: &str) -> bool {
    let name = host.rsplit_once(':').map_or(host, |(name, port)| {
        if port.bytes().all(|byte| byte.is_ascii_digit()) { name } else { host }
    });
    matches!(name, "127.0.0.1" | "localhost" | "[::1]")
}

fn respond(bytes: Vec<u8>, kind: &str) -> Response<std::io::Cursor<Vec<u8>>> {
    let headers = [
        ("Content-Type", kind),
        ("Cache-Control", "no-store"),
        ("X-Content-Type-Options", "nosniff"),
        ("X-Frame-Options", "DENY"),
        ("Referrer-Policy", "no-referrer"),
        ("Cross-Origin-Resource-Policy", "same-origin"),
    ];
    headers.into_iter().fold(Response::from_data(bytes), |response, (name, value)| {
        match Header::from_bytes(name, value) {
            Ok(header) => response.with_header(header),
            Err(()) => response,
        }
    })
}

fn refuse(status: u16, why: &str) -> Response<std::io::Cursor<Vec<u8>>> {
    respond(format!("{why}\n").into_bytes(), "text/plain; charset=utf-8")
        .with_status_code(StatusCode(status))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_this_machine_s_own_names_are_served() {
        for own in ["127.0.0.1:8000", "localhost", "localhost:9", "[::1]:8000", "[::1]"] {
            assert!(is_loopback(own), "{own}");
        }
        for other in [
            "evil.example",
            "evil.example:8000",
            "localhost.evil.example",
            "127.0.0.1.evil:1",
            "",
            ":80",
            "192.168.0.7:80",
        ] {
            assert!(!is_loopback(other), "{other}");
        }
    }

    #[test]
    fn no_two_servers_share_a_word() {
        let (first, second) = (word(), word());
        assert_ne!(first, second);
        assert!(first.len() == 32 && first.bytes().all(|byte| byte.is_ascii_hexdigit()));
    }
}
