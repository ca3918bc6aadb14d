//! Reports as people and programs read them: screens, tables, Markdown and JSON of a hand-made
//! report, whose every number is easy to check by eye.

mod documents;
mod sample;
mod schema;
mod screens;
