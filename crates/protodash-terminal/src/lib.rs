//! What the workspace's programs share at a terminal: exit codes, messages on stderr, a progress line, Ctrl-C, output
//! files that appear complete or not at all, and the flags for threads and memory.
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
