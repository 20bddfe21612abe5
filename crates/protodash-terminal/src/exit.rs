//! Exit codes, and the errors that cause them.

use std::error::Error;
use std::process::ExitCode;

use crate::messages;

/// Exit codes of the programs.
///
/// # Examples
///
/// ```
/// assert_eq!(protodash_terminal::Exit::Interrupted.code(), 130);
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Exit {
    /// Success, or a broken pipe on stdout.
    Success,
    /// The data, the files or the run failed; the same call may succeed on other files.
    Run,
    /// The command line is wrong, whatever the files contain.
    Call,
    /// Ctrl-C; shells use the same code for a process ended by SIGINT.
    Interrupted,
}

impl Exit {
    /// The exit code as a number.
    ///
    /// # Examples
    ///
    /// ```
    /// assert_eq!(protodash_terminal::Exit::Call.code(), 2);
    /// ```
    #[must_use]
    pub const fn code(self) -> u8 {
        match self {
            Exit::Success => 0,
            Exit::Run => 1,
            Exit::Call => 2,
            Exit::Interrupted => 130,
        }
    }
}

/// An error that ends a program, with an exit code and a hint.
///
/// `Display` says what is wrong, the sources say why.
pub trait UserError: Error {
    /// The exit code. With [`Exit::Success`] the error is not reported.
    fn exit(&self) -> Exit;

    /// What to try: one clause without a full stop.
    fn hint(&self) -> Option<String>;
}

/// Exit code of a finished program; an error is first reported on stderr.
///
/// # Examples
///
/// ```
/// use std::process::ExitCode;
///
/// use protodash_terminal::{Exit, UserError, finish};
///
/// #[derive(Debug)]
/// struct BrokenPipe;
/// impl std::fmt::Display for BrokenPipe {
///     fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
///         formatter.write_str("broken pipe")
///     }
/// }
/// impl std::error::Error for BrokenPipe {}
/// impl UserError for BrokenPipe {
///     fn exit(&self) -> Exit {
///         Exit::Success
///     }
///     fn hint(&self) -> Option<String> {
///         None
///     }
/// }
/// assert_eq!(finish(Err(BrokenPipe)), ExitCode::SUCCESS);
/// ```
pub fn finish<E: UserError>(result: Result<(), E>) -> ExitCode {
    let exit = match result {
        Ok(()) => Exit::Success,
        Err(error) => {
            messages::report(&error);
            error.exit()
        }
    };
    ExitCode::from(exit.code())
}
