//! The commands, one file each.

mod compare;
mod criticize;
mod explain;
mod relate;
mod report;
mod select;
mod view;

use protodash_terminal::Resources;

use clap::CommandFactory;
use clap_complete::Shell;

pub(crate) use select::Chosen;

use crate::args::{Cli, Command};
use crate::error::Failure;
use crate::terminal;

/// Runs the command.
pub(crate) fn run(call: Cli) -> Result<(), Failure> {
    match call.command {
        Command::Select(mut call) => {
            (call.data.fixed_file, call.data.exclude_file) = (call.given.fixed_file(), call.given.exclude_file());
            call.data.estimate = call.estimate();
            on_threads(&call.run, || select::run(&call))
        }
        Command::Compare(call) => on_threads(&call.run, || compare::run(&call)),
        Command::Criticize(call) => on_threads(&call.run, || criticize::run(&call)),
        Command::Explain(call) => on_threads(&call.run, || explain::run(&call)),
        Command::Relate(call) => on_threads(&call.run, || relate::run(&call)),
        Command::Report(call) => on_threads(&call.run, || report::run(&call)),
        Command::Completions(call) => completions(call.shell),
    }
}

fn on_threads(run: &Resources, job: impl FnOnce() -> Result<(), Failure> + Send) -> Result<(), Failure> {
    run.on_threads(job).map_err(|cause| Failure::Threads { cause })?
}

/// Prints a completion script for a shell.
fn completions(shell: Shell) -> Result<(), Failure> {
    let mut script = Vec::new();
    clap_complete::generate(shell, &mut Cli::command(), "protodash", &mut script);
    terminal::print(&String::from_utf8_lossy(&script))
}
