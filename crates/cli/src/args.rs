//! The command line.

use std::ffi::OsString;
use std::path::PathBuf;

use clap::{Args, Parser, Subcommand, ValueEnum};
use flamelane_link::{Choice, Naming};

use crate::known::Known;
use crate::terminal::Color;

/// Where did my GPU time go, and why was the GPU idle?
///
/// `flamelane FILE…` reads profiles (PyTorch/Kineto traces, Chrome traces, folded stacks,
/// speedscope, pprof; plain, gzip, zstd or tar) and answers on the terminal. `-o report.html` writes
/// the same answer as one interactive file.
#[derive(Debug, Parser)]
#[command(name = "flamelane", version, propagate_version = true, max_term_width = 100)]
pub(crate) struct Cli {
    #[command(subcommand)]
    pub(crate) command: Command,
    /// When to colour.
    #[arg(long, global = true, value_enum, default_value_t)]
    pub(crate) color: Color,
    /// No remarks on standard error.
    #[arg(long, global = true)]
    pub(crate) quiet: bool,
}

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// The main job: health, where the time went, who owns the idle time (the default command).
    Report(Report),
    /// Serves the interactive report to the browser of this machine, piece by piece: for captures
    /// too large for one file.
    Open(Open),
    /// Stacks out: folded, pprof, speedscope or SVG.
    Fold(Fold),
    /// Draws stacks of any kind as an interactive SVG.
    Flame(Flame),
    /// The table of what costs most, split by caller.
    Top(Top),
    /// One row a step.
    Steps(Steps),
    /// Replays a capture with one thing changed, and says how long a step would take.
    Whatif(WhatIf),
    /// What a finding, a verdict or an owner of idle time means, how it is decided, and what to try; without WORD, all kinds of findings in a line each.
    Explain {
        /// The word, as the report has it: `sync-cliff`, `launch-bound`, `late-host`, …
        word: Option<String>,
    },
    /// What a file is, holds and lacks.
    Inspect(Inspect),
    /// Shell completions.
    Completions {
        /// Which shell.
        shell: clap_complete::Shell,
    },
}

/// How inputs are read.
#[derive(Args, Clone, Debug, Default)]
pub(crate) struct Reading {
    /// The input's format, instead of telling it by content (kineto, chrome, node-stacks, folded,
    /// speedscope, pprof).
    #[arg(long, value_name = "FORMAT")]
    pub(crate) input_format: Option<String>,
    /// Most gigabytes that a compressed input may unpack to.
    #[arg(long, value_name = "GB", default_value_t = 64)]
    pub(crate) max_unpacked: u64,
    /// A capture or eager trace of the same model, or PyTorch's dump of node stacks: gives kernels
    /// of graph replays the stacks of the code that recorded them.
    #[arg(long, value_name = "FILE")]
    pub(crate) graph_names: Option<PathBuf>,
    /// Patterns and thresholds [default: ./flamelane.toml if present].
    #[arg(long, value_name = "FILE")]
    pub(crate) config: Option<PathBuf>,
}

impl Reading {
    pub(crate) fn max_unpacked_bytes(&self) -> u64 {
        self.max_unpacked.saturating_mul(1 << 30)
    }
}

/// Which part of a trace to speak of.
#[derive(Args, Clone, Debug, Default)]
#[group(id = "choice", multiple = false)]
pub(crate) struct Part {
    /// The whole file, nothing left out.
    #[arg(long)]
    pub(crate) whole: bool,
    /// Steps by position: `3` or `2..5` (both included).
    #[arg(long, value_name = "A..B", value_parser = steps_range)]
    pub(crate) steps: Option<(usize, usize)>,
    /// A stretch of time since the start: `1.2s..1.5s` (s, ms, us or ns).
    #[arg(long, value_name = "FROM..TO", value_parser = time_range)]
    pub(crate) time: Option<(i64, i64)>,
    /// Occurrences of one annotation.
    #[arg(long, value_name = "NAME")]
    pub(crate) range: Option<String>,
    /// Steps of one phase: prefill, decode, mixed, …
    #[arg(long, value_name = "PHASE")]
    pub(crate) phase: Option<String>,
}

impl Part {
    pub(crate) fn choice(&self) -> Choice {
        if self.whole {
            return Choice::Whole;
        }
        let steps = self.steps.map(|(first, last)| Choice::Steps(first, last));
        let time = self.time.map(|(from, to)| Choice::Time(from, to));
        let range = self.range.clone().map(Choice::Range);
        let phase = self.phase.clone().map(Choice::Phase);
        steps.or(time).or(range).or(phase).unwrap_or_default()
    }
}

/// How frames are named.
#[derive(Clone, Copy, Debug, Default, ValueEnum)]
pub(crate) enum Names {
    /// Without addresses and step counters.
    #[default]
    Display,
    /// As the file writes them.
    Raw,
    /// Also without module numbers, to compare two captures.
    Comparison,
}

impl From<Names> for Naming {
    fn from(names: Names) -> Self {
        match names {
            Names::Display => Self::Display,
            Names::Raw => Self::Raw,
            Names::Comparison => Self::Comparison,
        }
    }
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub(crate) enum ReportFormat {
    /// One screen.
    #[default]
    Text,
    /// The document `flamelane.report/1`.
    Json,
    /// For chats and pull requests.
    Markdown,
}

#[derive(Args, Debug)]
pub(crate) struct Report {
    /// Profiles, or a directory of them; `-` reads standard input.
    #[arg(required = true)]
    pub(crate) files: Vec<PathBuf>,
    /// Writes the interactive report.
    #[arg(short, long, value_name = "HTML")]
    pub(crate) output: Option<PathBuf>,
    /// Opens the report in the browser.
    #[arg(long)]
    pub(crate) open: bool,
    /// What to print.
    #[arg(long, value_enum, default_value_t)]
    pub(crate) format: ReportFormat,
    /// Exits with 1 when any of these holds: `sync-cliff>0.5ms,idle>20%`.
    #[arg(long, value_name = "CONDITIONS")]
    pub(crate) check: Option<String>,
    /// Most stacks in the HTML report; the rest becomes remainder boxes.
    #[arg(long, value_name = "N", default_value_t = 1_000_000)]
    pub(crate) max_nodes: usize,
    #[command(flatten)]
    pub(crate) known: Known,
    #[command(flatten)]
    pub(crate) part: Part,
    #[command(flatten)]
    pub(crate) input: Reading,
}

#[derive(Args, Debug)]
pub(crate) struct Open {
    /// Profiles, or a directory of them; `-` reads standard input.
    #[arg(required = true)]
    pub(crate) files: Vec<PathBuf>,
    /// The port to listen on [default: any that is free].
    #[arg(long, value_name = "PORT")]
    pub(crate) port: Option<u16>,
    /// Does not start a browser: prints the address alone.
    #[arg(long)]
    pub(crate) no_browser: bool,
    /// Most stacks by name; the rest becomes remainder boxes.
    #[arg(long, value_name = "N", default_value_t = 10_000_000)]
    pub(crate) max_nodes: usize,
    #[command(flatten)]
    pub(crate) known: Known,
    #[command(flatten)]
    pub(crate) part: Part,
    #[command(flatten)]
    pub(crate) input: Reading,
}

#[derive(Args, Debug)]
pub(crate) struct Fold {
    /// The profile; `-` reads standard input.
    pub(crate) file: PathBuf,
    /// gpu, gpu-busy, idle, wall, cpu, sync-absorbed, sync-exposed, launches, copies, copy-bytes, calls.
    #[arg(short, long)]
    pub(crate) weight: Option<String>,
    /// Frame kinds to keep, in a list: python, module, annotation, op, runtime, kernel, native, os, phase, family, thread.
    #[arg(long, value_name = "KINDS", value_delimiter = ',')]
    pub(crate) stack: Vec<String>,
    /// Divides by the number of kept steps.
    #[arg(long)]
    pub(crate) per_step: bool,
    /// Hangs backward operators below the forward stack they belong to.
    #[arg(long)]
    pub(crate) backward_below_forward: bool,
    /// How frames are named.
    #[arg(long, value_enum, default_value_t)]
    pub(crate) names: Names,
    /// `.folded`, `.pb.gz` (pprof), `.speedscope.json`, `.svg`; `-` prints folded stacks.
    #[arg(short, long, value_name = "FILE", default_value = "-")]
    pub(crate) output: PathBuf,
    #[command(flatten)]
    pub(crate) part: Part,
    #[command(flatten)]
    pub(crate) input: Reading,
}

#[derive(Args, Debug)]
pub(crate) struct Flame {
    /// Stacks of any kind: folded, pprof, speedscope, py-spy, or a trace; `-` reads standard input.
    pub(crate) file: PathBuf,
    /// The SVG; `-` prints it.
    #[arg(short, long, value_name = "SVG", default_value = "-")]
    pub(crate) output: PathBuf,
    /// The weight to draw.
    #[arg(short, long)]
    pub(crate) weight: Option<String>,
    /// Frame kinds to keep, in a list.
    #[arg(long, value_name = "KINDS", value_delimiter = ',')]
    pub(crate) stack: Vec<String>,
    /// Title of the picture.
    #[arg(long)]
    pub(crate) title: Option<String>,
    /// Line below the title.
    #[arg(long)]
    pub(crate) subtitle: Option<String>,
    /// What a count counts: calls, samples, …
    #[arg(long, value_name = "WORD")]
    pub(crate) count_name: Option<String>,
    /// Width in pixels.
    #[arg(long, default_value_t = 1200)]
    pub(crate) width: u32,
    /// Frames narrower than this many pixels go into remainder boxes.
    #[arg(long, value_name = "PX", default_value_t = 0.5)]
    pub(crate) min_width: f64,
    /// Roots at the bottom, as flames.
    #[arg(long)]
    pub(crate) flames: bool,
    /// Siblings by name instead of by width.
    #[arg(long)]
    pub(crate) alphabetical: bool,
    /// Divides by the number of kept steps.
    #[arg(long)]
    pub(crate) per_step: bool,
    #[command(flatten)]
    pub(crate) part: Part,
    #[command(flatten)]
    pub(crate) input: Reading,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub(crate) enum TableFormat {
    /// Aligned columns.
    #[default]
    Text,
    /// A versioned document.
    Json,
    /// Comma-separated values.
    Csv,
}

#[derive(Args, Debug)]
pub(crate) struct Top {
    /// The profile; `-` reads standard input.
    pub(crate) file: PathBuf,
    /// What a row stands for: kernel, op, python, user, module, annotation, family, frame.
    #[arg(long)]
    pub(crate) by: Option<String>,
    /// The weight to rank by.
    #[arg(short, long)]
    pub(crate) weight: Option<String>,
    /// Rows to print.
    #[arg(short = 'n', long, default_value_t = 20)]
    pub(crate) rows: usize,
    /// Callers to print below each row.
    #[arg(long, value_name = "N", default_value_t = 2)]
    pub(crate) callers: usize,
    /// What to print.
    #[arg(long, value_enum, default_value_t)]
    pub(crate) format: TableFormat,
    #[command(flatten)]
    pub(crate) part: Part,
    #[command(flatten)]
    pub(crate) input: Reading,
}

#[derive(Args, Debug)]
pub(crate) struct Steps {
    /// The trace; `-` reads standard input.
    pub(crate) file: PathBuf,
    /// What to print.
    #[arg(long, value_enum, default_value_t)]
    pub(crate) format: TableFormat,
    #[command(flatten)]
    pub(crate) input: Reading,
}

#[derive(Args, Debug)]
pub(crate) struct WhatIf {
    /// The trace; `-` reads standard input.
    pub(crate) file: PathBuf,
    /// Blocking calls below frames whose name holds SITE do not block; without SITE, the call that
    /// destroys the largest lead.
    #[arg(long, value_name = "SITE", num_args = 0..=1, default_missing_value = "")]
    pub(crate) drop_sync: Option<String>,
    /// Copies run one ahead on a stream of their own.
    #[arg(long)]
    pub(crate) overlap_copies: bool,
    /// Launches below a frame whose name holds REGION become one graph launch; without REGION, below
    /// the frame that launches most and waits for nothing.
    #[arg(long, value_name = "REGION", num_args = 0..=1, default_missing_value = "")]
    pub(crate) graph: Option<String>,
    /// What to print.
    #[arg(long, value_enum, default_value_t)]
    pub(crate) format: AnswerFormat,
    #[command(flatten)]
    pub(crate) part: Part,
    #[command(flatten)]
    pub(crate) input: Reading,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub(crate) enum AnswerFormat {
    /// Sentences.
    #[default]
    Text,
    /// A versioned document.
    Json,
}

#[derive(Args, Debug)]
pub(crate) struct Inspect {
    /// The file; `-` reads standard input.
    pub(crate) file: PathBuf,
    /// What to print.
    #[arg(long, value_enum, default_value_t)]
    pub(crate) format: TableFormat,
    #[command(flatten)]
    pub(crate) input: Reading,
}

/// Parses the process's arguments; a first word that is no command means `report`.
pub(crate) fn parse() -> Cli {
    Cli::parse_from(with_default_command(std::env::args_os().collect()))
}

fn with_default_command(mut args: Vec<OsString>) -> Vec<OsString> {
    use clap::CommandFactory;
    let takes_value = |word: &str| matches!(word, "--color");
    let mut at = 1;
    while let Some(word) = args.get(at).and_then(|word| word.to_str()) {
        if word == "--quiet" || word.starts_with("--color=") {
            at += 1;
        } else if takes_value(word) {
            at += 2;
        } else {
            break;
        }
    }
    let command = Cli::command();
    let first = args.get(at).map(|word| word.to_string_lossy().into_owned());
    let known = first.as_deref().is_none_or(|word| {
        matches!(word, "help" | "-h" | "--help" | "-V" | "--version")
            || command.get_subcommands().any(|sub| sub.get_name() == word)
    });
    if !known {
        args.insert(at, "report".into());
    }
    args
}

fn steps_range(text: &str) -> Result<(usize, usize), String> {
    let (first, last) = text.split_once("..").unwrap_or((text, text));
    let number =
        |text: &str| text.parse::<usize>().map_err(|_| format!("`{text}` is no step number"));
    let (first, last) = (number(first)?, number(last.trim_start_matches('='))?);
    if last < first {
        Err(format!("step {last} comes before step {first}"))
    } else {
        Ok((first, last))
    }
}

fn time_range(text: &str) -> Result<(i64, i64), String> {
    let (from, to) = text.split_once("..").ok_or("a stretch of time is written `FROM..TO`")?;
    let (from, to) = (time(from)?, time(to)?);
    if to <= from { Err("the end comes before the start".to_owned()) } else { Ok((from, to)) }
}

fn time(text: &str) -> Result<i64, String> {
    let digits = text.trim_end_matches(|c: char| c.is_ascii_alphabetic());
    let decimals = match &text[digits.len()..] {
        "s" => 9,
        "ms" => 6,
        "us" => 3,
        "ns" => 0,
        _ => return Err(format!("`{text}` needs a unit: s, ms, us or ns")),
    };
    exact(digits, decimals).ok_or_else(|| format!("`{text}` is no time in whole nanoseconds"))
}

/// A decimal number times ten to the `decimals`, where that is a whole number.
pub(crate) fn exact(digits: &str, decimals: usize) -> Option<i64> {
    let (whole, part) = digits.split_once('.').unwrap_or((digits, ""));
    let part = part.trim_end_matches('0');
    let padded = format!("{whole}{part:0<decimals$}");
    let is_number = !whole.is_empty() && padded.bytes().all(|byte| byte.is_ascii_digit());
    (is_number && part.len() <= decimals).then(|| padded.parse().ok())?
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_alone_is_a_report() {
        let args = |words: &[&str]| {
            with_default_command(words.iter().map(|&word| OsString::from(word)).collect())
        };
        assert_eq!(args(&["flamelane", "x.json"])[1], "report");
        assert_eq!(args(&["flamelane", "--quiet", "x.json"])[2], "report");
        assert_eq!(args(&["flamelane", "fold", "x.json"])[1], "fold");
        assert_eq!(args(&["flamelane", "--help"]).len(), 2);
        assert_eq!(args(&["flamelane"]).len(), 1);
    }

    #[test]
    fn stretches_of_time_and_steps_are_parsed() {
        assert_eq!(time_range("1.5ms..2s"), Ok((1_500_000, 2_000_000_000)));
        assert_eq!(time("9007199254740993ns"), Ok(9_007_199_254_740_993));
        assert_eq!(time("1.20s"), Ok(1_200_000_000));
        for wrong in ["1", "s", "1e3s", "-1s", "0.5ns", "9999999999s", ".5s"] {
            assert!(time(wrong).is_err(), "{wrong}");
        }
        assert!(time_range("2s..1s").is_err());
        assert_eq!(steps_range("2..5"), Ok((2, 5)));
        assert_eq!(steps_range("3"), Ok((3, 3)));
        assert!(steps_range("5..2").is_err());
    }

    #[test]
    fn the_command_line_is_consistent() {
        use clap::CommandFactory;
        Cli::command().debug_assert();
    }
}
