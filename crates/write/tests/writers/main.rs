//! The writers from outside: whole files, and laws over random profiles.
#![expect(clippy::unwrap_used, reason = "a test that fails may panic")]

mod golden;
mod profiles;
mod svg_laws;
