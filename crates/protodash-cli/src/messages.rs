//! Messages on standard error: notes, and why a run failed.

use std::error::Error;
use std::io::{IsTerminal, Write};

use anstyle::{AnsiColor, Style};

use crate::error::Failure;

const ERROR: Style = AnsiColor::Red.on_default().bold();
const HINT: Style = AnsiColor::Cyan.on_default().bold();
const NOTE: Style = AnsiColor::Yellow.on_default().bold();

/// Prints why the command failed: the error, its causes, and what to try.
pub(crate) fn report(failure: &Failure) {
    let mut lines = match failure {
        Failure::BrokenPipe => return,
        Failure::Interrupted | Failure::StudyStopped { .. } => vec![failure.to_string()],
        _ => vec![format!("{ERROR}error:{ERROR:#} {failure}")],
    };
    let mut cause = failure.source();
    while let Some(error) = cause {
        lines.push(format!("Caused by: {error}"));
        cause = error.source();
    }
    if let Some(hint) = failure.hint() {
        lines.push(format!("{HINT}hint:{HINT:#} {hint}"));
    }
    say(&lines.join("\n"));
}

/// Prints a note about a run that continues.
pub(crate) fn note(text: &str) {
    say(&format!("{NOTE}note:{NOTE:#} {text}"));
}

/// Clears an unfinished line on the terminal.
pub(crate) fn wipe() {
    if std::io::stderr().is_terminal() {
        let _ = write!(std::io::stderr(), "\r\x1b[2K");
    }
}

/// Prints a line.
pub(crate) fn say(text: &str) {
    // If standard error is closed, there is nowhere to report it.
    let _ = writeln!(anstream::stderr(), "{text}");
}
