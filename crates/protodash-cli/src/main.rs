//! The `protodash` command: finds a few weighted rows that represent a file.
//!
//! This crate owns the command line, the terminal and the files that are written. It computes nothing itself: files
//! become matrices in `protodash-table`, matrices become selections in `protodash`, selections become
//! pages in `protodash-report`.

mod args;
mod classes;
mod commands;
mod constraints;
mod data;
mod error;
mod estimates;
mod given;
mod json;
mod kernel_matrix;
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

use std::process::ExitCode;

fn main() -> ExitCode {
    protodash_terminal::finish(args::parse().and_then(|call| {
        protodash_terminal::interrupt::listen(|| error::Failure::Interrupted.to_string());
        commands::run(call)
    }))
}
