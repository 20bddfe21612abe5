//! Exit codes.

use std::process::ExitCode;

/// The exit codes of the command.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Exit {
    /// Success, or a broken pipe.
    Success,
    /// The data, the files or the run failed: the same call may succeed on other files.
    Run,
    /// The call is wrong, whatever the files contain.
    Call,
    /// Ctrl-C, with the code that shells use for it.
    Interrupted,
}

impl Exit {
    /// The exit code.
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
