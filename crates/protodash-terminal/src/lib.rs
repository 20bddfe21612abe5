//! Shared by the workspace's command-line programs: exit codes, messages, a progress line, Ctrl-C, atomic output files,
//! and flags for threads and memory.
//!
//! This crate knows nothing about data, kernels or results.

mod atomic_file;
mod exit;
pub mod interrupt;
mod messages;
mod progress;
mod resources;

pub use atomic_file::{check_writable, write_atomically};
pub use exit::{Exit, UserError, finish};
pub use messages::{note, print, say};
pub use progress::ProgressLine;
pub use resources::{Resources, at_least_one};
