//! Every format but Kineto's, from the outside: through `open`, as the command line does.

#![expect(
    clippy::unwrap_used,
    clippy::print_stdout,
    clippy::format_collect,
    reason = "tests say when they skip, may fail where they stand, and need not be fast"
)]

mod corpus;
mod drawn;
mod fixtures;
mod hostile;
mod packed;
mod refused;
