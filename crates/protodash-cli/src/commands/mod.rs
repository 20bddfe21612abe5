//! The commands, one file each.

mod compare;
mod completions;
mod criticize;
mod relate;
mod report;
mod select;
mod study;
mod view;

use crate::args::{Cli, Command};
use crate::error::Failure;

/// Runs the command.
pub(crate) fn run(call: Cli) -> Result<(), Failure> {
    match call.command {
        Command::Select(call) => call.run.on_threads(|| select::run(&call))?,
        Command::Compare(call) => call.run.on_threads(|| compare::run(&call))?,
        Command::Criticize(call) => call.run.on_threads(|| criticize::run(&call))?,
        Command::Relate(call) => call.run.on_threads(|| relate::run(&call))?,
        Command::Report(call) => call.run.on_threads(|| report::run(&call))?,
        Command::Study(call) => call.run.on_threads(|| study::run(&call))?,
        Command::Completions(call) => completions::run(call.shell),
    }
}
