//! `flamelane`: where did my GPU time go, and why was the GPU idle?

mod args;
mod captures;
mod commands;
mod config;
mod exit;
mod gather;
mod hinted;
mod known;
mod open;
mod progress;
mod server;
mod stacks;
mod terminal;

use std::process::ExitCode;

use args::Command;

fn main() -> ExitCode {
    let args = args::parse();
    terminal::set_up(args.color, args.quiet);
    let result = match args.command {
        Command::Report(args) => commands::report::run(&args),
        Command::Open(args) => commands::open::run(&args),
        Command::Fold(args) => commands::fold::run(&args),
        Command::Flame(args) => commands::flame::run(&args),
        Command::Top(args) => commands::top::run(&args),
        Command::Steps(args) => commands::steps::run(&args),
        Command::Whatif(args) => commands::whatif::run(&args),
        Command::Explain { word } => commands::explain::run(word.as_deref()),
        Command::Inspect(args) => commands::inspect::run(&args),
        Command::Completions { shell } => commands::completions::run(shell),
    };
    exit::code(result)
}
