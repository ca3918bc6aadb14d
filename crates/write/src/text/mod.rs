//! Text for a terminal: painted lines, wrapped sentences, aligned tables that fit a width.

mod csv;
mod grid;
mod line;
mod scale;

pub(crate) use csv::csv_row;
pub(crate) use grid::{Cell, Column, Grid};
pub(crate) use line::{Ink, Line, together, write_lines};
pub(crate) use scale::{Scale, share, shell_word, three_digits};
