//! What is said on the standard error stream: notes, and why a run failed. A reader that has left is not missed.

use std::error::Error;
use std::io::{IsTerminal, Write};

use anstyle::{AnsiColor, Style};

use crate::error::Failure;

const ERROR: Style = AnsiColor::Red.on_default().bold();
const HINT: Style = AnsiColor::Cyan.on_default().bold();
const NOTE: Style = AnsiColor::Yellow.on_default().bold();

/// Says why the command failed: the error, its causes, and what to try.
pub(crate) fn report(failure: &Failure) {
    let mut lines = match failure {
        Failure::ReaderLeft => return,
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

/// Says something worth knowing about a run that goes on.
pub(crate) fn note(text: &str) {
    say(&format!("{NOTE}note:{NOTE:#} {text}"));
}

/// Takes a half-drawn line off the terminal.
pub(crate) fn wipe() {
    if std::io::stderr().is_terminal() {
        let _ = write!(std::io::stderr(), "\r\x1b[2K");
    }
}

/// Says a line as it is.
pub(crate) fn say(text: &str) {
    // There is nobody to tell when the standard error stream is closed.
    let _ = writeln!(anstream::stderr(), "{text}");
}
