//! Terminal output: tables that fit the width, and sentences that explain them.

mod comparison;
mod explanations;
mod grid;
mod pictures;
mod relations;
mod tables;

use std::io::{self, IsTerminal};

use unicode_width::UnicodeWidthStr;

use crate::error::Failure;

pub(crate) use comparison::comparison_tables;
pub(crate) use explanations::explanations;
pub(crate) use pictures::Pictures;
pub(crate) use protodash_report::{
    Request, bandwidth_sentence, comparison_sentence, coverage_sentence, criticisms_sentence, findings, means_sentence,
    relation_sentence, settings_sentence, shift_sentence, shift_warning,
};
pub(crate) use relations::relation_shown;
pub(crate) use tables::{SHOWN_FEATURES, criticisms_table, estimates_table, prototypes_table, shift_table};

/// Fallback when stdout is not a terminal.
const DEFAULT_WIDTH: usize = 80;

/// Width of stdout in chars.
pub(crate) fn width() -> usize {
    terminal_size::terminal_size_of(io::stdout()).map_or(DEFAULT_WIDTH, |(width, _)| usize::from(width.0))
}

/// A sentence on its own line, wrapped at the width of the terminal.
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

/// Prints to stdout, in colour only if it is a terminal that supports it.
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
