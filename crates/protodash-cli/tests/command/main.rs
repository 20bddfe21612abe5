//! The command as users see it: its output, its files and its exit codes.

// A helper that fails should fail the test that called it.
#![allow(clippy::unwrap_used)]

mod bad_calls;
mod bad_files;
mod bad_kernels;
mod bandwidth;
mod compare;
mod constraints;
mod criticize;
mod estimates;
mod explain;
mod given_rows;
mod harness;
mod help;
#[cfg(unix)]
mod interrupt;
mod labels;
mod mistakes;
mod odd_results;
mod outputs;
mod parts;
mod per_label;
mod relate;
mod report;
#[cfg(unix)]
mod reproduce;
mod samples;
mod select;
mod shift;
mod side_by_side;
mod sparse;
mod unusual_data;
