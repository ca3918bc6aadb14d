//! The only door to standard output and standard error.

use std::io::{self, IsTerminal, Write};
use std::sync::OnceLock;

use clap::ValueEnum;
use flamelane_model::Notes;
use flamelane_write::Screen;

/// When to colour.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub(crate) enum Color {
    /// On a terminal, unless `NO_COLOR` is set.
    #[default]
    Auto,
    /// Always.
    Always,
    /// Never.
    Never,
}

struct Settings {
    color: Color,
    quiet: bool,
}

static SETTINGS: OnceLock<Settings> = OnceLock::new();

/// Remembers what the command line says about output.
pub(crate) fn set_up(color: Color, quiet: bool) {
    SETTINGS.get_or_init(|| Settings { color, quiet });
}

/// Whether remarks are unwanted.
pub(crate) fn quiet() -> bool {
    SETTINGS.get().is_some_and(|settings| settings.quiet)
}

fn colored(is_terminal: bool) -> bool {
    match SETTINGS.get().map_or(Color::Auto, |settings| settings.color) {
        Color::Always => true,
        Color::Never => false,
        Color::Auto => is_terminal && std::env::var_os("NO_COLOR").is_none_or(|v| v.is_empty()),
    }
}

/// Whether text on standard output is coloured.
fn stdout_colored() -> bool {
    colored(io::stdout().is_terminal())
}

/// Columns to write: `COLUMNS` where it is set, else those of the terminal behind standard output,
/// else 100.
fn width() -> usize {
    let columns = std::env::var("COLUMNS").ok().and_then(|text| text.parse().ok());
    let terminal = || {
        let size = terminal_size::terminal_size_of(io::stdout());
        size.map(|(terminal_size::Width(columns), _)| usize::from(columns))
    };
    columns.or_else(terminal).filter(|&columns| columns > 0).unwrap_or(100)
}

/// The terminal behind standard output, for tables.
pub(crate) fn screen() -> Screen {
    Screen { width: width(), color: stdout_colored(), ..Screen::default() }
}

/// Standard output, buffered.
pub(crate) fn stdout() -> impl Write {
    io::BufWriter::with_capacity(1 << 16, io::stdout().lock())
}

/// Writes to standard error. That it is full or closed changes no exit code.
fn say(text: &str) {
    let _ = writeln!(io::stderr().lock(), "{text}");
}

/// Overwrites the line of progress on standard error.
pub(crate) fn progress(text: &str) {
    let _ = write!(io::stderr().lock(), "\r{}\u{1b}[K", inert(text));
}

/// Text from a file or a command line, of which a terminal obeys nothing.
fn inert(text: &str) -> String {
    text.chars().map(|c| if c.is_control() && c != '\n' { '\u{fffd}' } else { c }).collect()
}

/// One line of remark on standard error.
pub(crate) fn note(text: &str) {
    if quiet() {
        return;
    }
    say(&format!("{} {}", paint("note:", "2"), inert(text)));
}

/// Why the process exits with 1, said however quiet it is.
pub(crate) fn found(text: &str) {
    say(&format!("{} {}", paint("check:", "1;31"), inert(text)));
}

/// What a reader skipped or repaired, one line each.
pub(crate) fn notes(file: &str, notes: &Notes) {
    for remark in notes.iter() {
        let first =
            if remark.first.is_empty() { String::new() } else { format!(" ({})", remark.first) };
        note(&format!("`{file}`: {} {}{first}", remark.count, remark.message));
    }
}

/// An error, its causes and its hint.
pub(crate) fn error(error: &anyhow::Error) {
    say(&format!("{} {}", paint("error:", "1;31"), inert(&error.to_string())));
    for cause in error.chain().skip(1) {
        say(&format!("  because {}", inert(&cause.to_string())));
    }
    if let Some(hint) = crate::open::hint(error) {
        say(&format!("\n{} {}", paint("hint:", "36"), inert(&hint)));
    }
}

fn paint(text: &str, code: &str) -> String {
    if colored(io::stderr().is_terminal()) {
        format!("\u{1b}[{code}m{text}\u{1b}[0m")
    } else {
        text.to_owned()
    }
}
