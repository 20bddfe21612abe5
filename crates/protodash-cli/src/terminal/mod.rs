//! What a person sees: tables that fit the terminal, and one line that says what they mean.

mod comparison;
mod grid;
mod looks;
mod pictures;
mod relations;
mod shift;
mod tables;

use std::io::{self, IsTerminal};

use unicode_width::UnicodeWidthStr;

use crate::error::Failure;

pub(crate) use comparison::{comparison_sentence, comparison_tables};
pub(crate) use looks::{Look, Looks};
pub(crate) use pictures::Pictures;
pub(crate) use protodash_result::{
    Asked, bandwidth_sentence, criticisms_sentence, selection_sentence, settings_sentence, shift_sentence,
};
pub(crate) use relations::{relation_sentence, relation_shown};
pub(crate) use shift::{SHOWN_FEATURES, shift_table};
pub(crate) use tables::{criticisms_table, prototypes_table};

/// The width of a terminal of which nothing is known.
const USUAL_WIDTH: usize = 80;

/// Names as a list of a sentence.
fn listed(names: &[&str]) -> String {
    match names {
        [others @ .., last] if !others.is_empty() => format!("{} and {last}", others.join(", ")),
        _ => names.concat(),
    }
}

/// How many characters fit on a line of the standard output.
pub(crate) fn width() -> usize {
    terminal_size::terminal_size_of(io::stdout()).map_or(USUAL_WIDTH, |(width, _)| usize::from(width.0))
}

/// A sentence on a line of its own, broken between words if it is to be read on a terminal narrower than that.
pub(crate) fn sentence_line(text: &str) -> String {
    let width = if io::stdout().is_terminal() { width() } else { usize::MAX };
    wrap(text, width) + "\n"
}

fn wrap(text: &str, width: usize) -> String {
    let mut lines = String::new();
    let mut used = 0;
    for word in text.split(' ') {
        if used > 0 && used + 1 + word.width() > width {
            lines.push('\n');
            used = 0;
        } else if used > 0 {
            lines.push(' ');
            used += 1;
        }
        lines += word;
        used += word.width();
    }
    lines
}

/// Prints text to the standard output, in colours only if it is a terminal that wants them.
pub(crate) fn print(text: &str) -> Result<(), Failure> {
    protodash_terminal::print(text).map_err(Failure::stdout)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sentences_break_between_words() {
        assert_eq!(wrap("10 of 1,797 rows", 11), "10 of 1,797\nrows");
        assert_eq!(wrap("10 of 1,797 rows", usize::MAX), "10 of 1,797 rows");
        assert_eq!(wrap("incomprehensibilities of", 5), "incomprehensibilities\nof");
    }
}
