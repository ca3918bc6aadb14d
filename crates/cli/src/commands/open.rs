//! `flamelane open`: the report as a page that this machine serves to itself.

use std::ffi::OsStr;
use std::path::Path;

use anyhow::Result;
use flamelane_report::Report;
use flamelane_write::{CaptureData, HtmlOptions, ServedPage};

use crate::args::Open as Args;
use crate::exit::Outcome;
use crate::gather::{Gathered, Page, Request, gather};
use crate::server::Server;
use crate::stacks::no_report;
use crate::{commands, config, open, terminal};

pub(crate) fn run(args: &Args) -> Result<Outcome> {
    let rules = config::rules(&args.input, &args.part)?;
    let limits = config::limits(&args.input)?;
    // A port that is taken is said before a long read.
    let server = Server::listen(args.port)?;
    let request = Request {
        files: &args.files,
        input: &args.input,
        known: &args.known,
        rules: &rules,
        limits: &limits,
        page: Page::Wanted,
    };
    match gather(&request)? {
        Gathered::Stacks(stacks) => {
            terminal::notes(&stacks.file, &stacks.notes);
            serve(args, &server, &no_report(), &[stacks.data()])
        }
        Gathered::Timelines(timelines) => {
            serve(args, &server, &timelines.report, &timelines.data())
        }
    }
}

fn serve(
    args: &Args,
    server: &Server,
    report: &Report,
    data: &[CaptureData<'_>],
) -> Result<Outcome> {
    let options = HtmlOptions { max_nodes: args.max_nodes, ..HtmlOptions::default() };
    let page = ServedPage::new(report, data, options)?;
    announce(args, server)?;
    server.serve(&page);
    Ok(Outcome::Fine)
}

/// Says where the page is, and how to reach it from elsewhere.
fn announce(args: &Args, server: &Server) -> Result<()> {
    let url = server.url();
    open::write(Path::new(open::DASH), |out| writeln!(out, "{url}"))?;
    if let Some(from) = tunnel(server.port()) {
        terminal::note(&format!("from your own machine: `{from}`, then the address above"));
    } else if !args.no_browser && commands::browse(OsStr::new(&url)).is_err() {
        let port = server.port();
        terminal::note(&format!(
            "no browser could be started: open the address above, from another machine after `ssh -L {port}:127.0.0.1:{port} HOST`"
        ));
    }
    terminal::note("serving until Ctrl-C");
    Ok(())
}

/// The command that brings the page to the machine that this one was reached from.
fn tunnel(port: u16) -> Option<String> {
    // Client's address and port, then this machine's.
    let connection = std::env::var("SSH_CONNECTION").ok()?;
    let here = connection.split(' ').nth(2)?;
    Some(format!("ssh -L {port}:127.0.0.1:{port} {here}"))
}
