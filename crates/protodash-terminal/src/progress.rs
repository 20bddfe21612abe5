//! A progress line on stderr, if stderr is a terminal.

mod display;

use std::io::IsTerminal;

use crate::messages;
use display::Display;

/// A progress line on stderr, and notes above it.
///
/// The line appears once a task takes longer than a second, and only if stderr is a terminal.
pub struct ProgressLine {
    quiet: bool,
    display: Option<Display>,
}

impl ProgressLine {
    /// Creates a line that shows nothing yet; with `quiet`, it never shows anything, notes included.
    ///
    /// # Examples
    ///
    /// ```
    /// let line = protodash_terminal::ProgressLine::new(true);
    /// line.show("reading", 3, Some(10));
    /// line.note("not printed, since the line is quiet");
    /// ```
    #[must_use]
    pub fn new(quiet: bool) -> ProgressLine {
        let visible = !quiet && std::io::stderr().is_terminal();
        ProgressLine { quiet, display: visible.then(Display::new) }
    }

    /// Shows the progress of the task `name`; a new name starts a new task. Without a `total` there is no forecast.
    pub fn show(&self, name: &str, done: u64, total: Option<u64>) {
        if let Some(display) = &self.display {
            display.show(name, done, total);
        }
    }

    /// Shows the current part of a task with a total; otherwise shows the part as a task.
    pub fn detail(&self, part: &str) {
        if let Some(display) = &self.display {
            display.detail(part);
        }
    }

    /// Prints a note above the line.
    pub fn note(&self, text: &str) {
        match &self.display {
            _ if self.quiet => {}
            Some(display) => display.above(|| messages::note(text)),
            None => messages::note(text),
        }
    }

    /// Removes the line until the next task.
    pub fn clear(&self) {
        if let Some(display) = &self.display {
            display.clear();
        }
    }
}
