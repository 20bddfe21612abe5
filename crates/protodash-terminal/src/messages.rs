//! Terminal output: results on stdout, everything else on stderr, colours only on terminals.

use std::io::{self, IsTerminal, Write};

use anstyle::{AnsiColor, Style};

use crate::exit::{Exit, UserError};

const ERROR: Style = AnsiColor::Red.on_default().bold();
const HINT: Style = AnsiColor::Cyan.on_default().bold();
const NOTE: Style = AnsiColor::Yellow.on_default().bold();

/// Reports why a program failed: the error, its causes, and what to try. A broken pipe is not reported.
pub(crate) fn report(error: &impl UserError) {
    let mut lines = match error.exit() {
        Exit::Success => return,
        Exit::Interrupted => vec![error.to_string()],
        Exit::Run | Exit::Call => vec![format!("{ERROR}error:{ERROR:#} {error}")],
    };
    let mut cause = error.source();
    while let Some(error) = cause {
        lines.push(format!("Caused by: {error}"));
        cause = error.source();
    }
    if let Some(hint) = error.hint() {
        lines.push(format!("{HINT}hint:{HINT:#} {hint}"));
    }
    say(&lines.join("\n"));
}

/// Prints a note to stderr.
///
/// # Examples
///
/// ```
/// protodash_terminal::note("line 1 was read as the header");
/// ```
pub fn note(text: &str) {
    say(&format!("{NOTE}note:{NOTE:#} {text}"));
}

/// Prints text to stderr as is.
///
/// # Examples
///
/// ```
/// protodash_terminal::say("written to result.json");
/// ```
pub fn say(text: &str) {
    // If stderr is closed, there is nowhere to report it.
    let _ = writeln!(anstream::stderr(), "{text}");
}

/// Prints text to stdout.
///
/// # Errors
///
/// The error of the operating system, including a broken pipe.
///
/// # Examples
///
/// ```
/// protodash_terminal::print("5 of 1,200 rows\n")?;
/// # Ok::<(), std::io::Error>(())
/// ```
pub fn print(text: &str) -> io::Result<()> {
    let mut stdout = anstream::stdout().lock();
    stdout.write_all(text.as_bytes()).and_then(|()| stdout.flush())
}

/// Erases the progress line.
pub(crate) fn erase_line() {
    if io::stderr().is_terminal() {
        let _ = write!(io::stderr(), "\r\x1b[2K");
    }
}
