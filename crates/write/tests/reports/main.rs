//! Reports as people and programs read them: screens, tables, Markdown and JSON of a hand-made
//! report, whose every number is easy to check by eye.

#![expect(clippy::unwrap_used, reason = "a test may fail where it stands")]
#![expect(clippy::disallowed_methods, reason = "golden files are read and written here")]

mod documents;
mod sample;
mod schema;
mod screens;
