//! Progress for the person who waits: one line on stderr, only where that is a terminal.

mod display;

use std::io::IsTerminal;

use crate::messages;
use display::Display;

/// A progress line on stderr, and notes above it.
///
/// The line appears by itself once a task takes longer than a second. It stays away where stderr is not a terminal.
pub struct ProgressLine {
    quiet: bool,
    display: Option<Display>,
}

impl ProgressLine {
    /// A line that shows nothing yet; with `quiet`, neither the line nor notes ever show.
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

    /// Shows how far the task `name` is; another name starts another task. Without a `total` no forecast is made.
    pub fn show(&self, name: &str, done: u64, total: Option<u64>) {
        if let Some(display) = &self.display {
            display.show(name, done, total);
        }
    }

    /// Shows which part of a counted task is under way; where nothing is counted, the part is shown as a task.
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
