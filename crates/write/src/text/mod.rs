//! Text for a terminal: painted lines, wrapped sentences, aligned tables that fit a width.

mod grid;
mod line;
mod scale;

pub(crate) use grid::{Cell, Column, Grid};
pub(crate) use line::{Ink, Line, together, write_lines};
pub(crate) use scale::{Scale, share, shell_word};
