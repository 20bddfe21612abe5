//! The `protodash` command: picks the few rows of a file that stand for all the others, and weighs them.
//!
//! This crate owns the command line, the terminal and the files that are written. It computes nothing itself: files
//! become matrices in `protodash-table`, matrices become selections in `protodash`, selections become
//! pages in `protodash-report`.

mod args;
mod bandwidth;
mod classes;
mod commands;
mod contest;
mod data;
mod error;
mod holdout;
mod json;
mod kernel;
mod kernel_matrix;
mod labels;
mod matrices;
mod memory;
mod origin;
mod output;
mod progress;
mod related;
mod relation_output;
mod report;
mod result;
mod rows_output;
mod settings;
mod terminal;
mod work;

use std::process::ExitCode;

use clap::{CommandFactory, FromArgMatches};

fn main() -> ExitCode {
    let matches = args::Cli::command().get_matches();
    let call = args::Cli::from_arg_matches(&matches).unwrap_or_else(|error| error.exit());
    settings::run_by(matches.subcommand_name().unwrap_or_default());
    protodash_terminal::interrupt::listen(|| error::Failure::Interrupted.to_string());
    protodash_terminal::finish(commands::run(call))
}
