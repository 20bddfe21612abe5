//! What a person sees: tables that fit the terminal, and one line that says what they mean.

mod grid;
mod looks;
mod numbers;
mod pictures;
mod sentence;
mod tables;

use std::io::{self, Write};

use crate::error::Failure;

pub(crate) use looks::{Look, Looks};
pub(crate) use pictures::Pictures;
pub(crate) use sentence::{Asked, criticisms_sentence, selection_sentence, settings};
pub(crate) use tables::{criticisms_table, prototypes_table};

/// The width of a terminal of which nothing is known.
const USUAL_WIDTH: usize = 80;

/// How many characters fit on a line of the standard output.
pub(crate) fn width() -> usize {
    terminal_size::terminal_size_of(io::stdout()).map_or(USUAL_WIDTH, |(width, _)| usize::from(width.0))
}

/// Prints text to the standard output, in colours only if it is a terminal that wants them.
pub(crate) fn print(text: &str) -> Result<(), Failure> {
    let mut stdout = anstream::stdout().lock();
    stdout.write_all(text.as_bytes()).and_then(|()| stdout.flush()).map_err(Failure::stdout)
}
