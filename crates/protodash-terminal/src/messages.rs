//! Text for the person at the terminal: results on stdout, everything else on stderr. Colours only where they show.

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

/// Prints a note about a run that continues on stderr.
///
/// # Examples
///
/// ```
/// protodash_terminal::note("line 1 was read as the header");
/// ```
pub fn note(text: &str) {
    say(&format!("{NOTE}note:{NOTE:#} {text}"));
}

/// Prints lines on stderr as they are.
///
/// # Examples
///
/// ```
/// protodash_terminal::say("written to result.json");
/// ```
pub fn say(text: &str) {
    // Where stderr is closed there is nobody left to tell.
    let _ = writeln!(anstream::stderr(), "{text}");
}

/// Prints text on stdout.
///
/// # Errors
///
/// Whatever the operating system reports, a broken pipe included.
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

/// Erases a progress line that is drawn on the terminal.
pub(crate) fn erase_line() {
    if io::stderr().is_terminal() {
        let _ = write!(io::stderr(), "\r\x1b[2K");
    }
}
