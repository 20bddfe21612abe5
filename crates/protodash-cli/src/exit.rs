//! What the command tells the shell when it ends.

use std::process::ExitCode;

/// The exit codes of the command.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Exit {
    /// All is done, or nobody reads the output any more.
    Success,
    /// The data, the files or the run: the same call may succeed on other files.
    Run,
    /// The call: wrong whatever the files hold.
    Call,
    /// Ctrl-C, with the number that shells give to a process ended by it.
    Interrupted,
}

impl Exit {
    /// The number itself.
    pub(crate) const fn code(self) -> u8 {
        match self {
            Exit::Success => 0,
            Exit::Run => 1,
            Exit::Call => 2,
            Exit::Interrupted => 130,
        }
    }
}

impl From<Exit> for ExitCode {
    fn from(exit: Exit) -> ExitCode {
        ExitCode::from(exit.code())
    }
}
