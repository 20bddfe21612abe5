//! `protodash completions`: a script that completes commands and flags in a shell.

use clap::CommandFactory;
use clap_complete::Shell;

use crate::args::Cli;
use crate::error::Failure;
use crate::terminal;

/// Prints the script for a shell.
pub(super) fn run(shell: Shell) -> Result<(), Failure> {
    let mut script = Vec::new();
    clap_complete::generate(shell, &mut Cli::command(), "protodash", &mut script);
    terminal::print(&String::from_utf8_lossy(&script))
}
