//! What a run may use of the machine.

use super::values::{bytes, threads};
use crate::error::Failure;

/// Threads, memory, and how much is said about them.
#[derive(Debug, Clone, PartialEq, clap::Args)]
#[command(next_help_heading = "Running")]
pub(crate) struct Run {
    /// Threads to use; the result does not depend on it [default: all cores]
    #[arg(long, value_name = "N", value_parser = threads, allow_negative_numbers = true)]
    threads: Option<usize>,

    /// Memory for the data and the kernel columns, such as 8GiB or 500MB [default: half of the machine's]
    ///
    /// Data that do not fit are refused. Kernel columns that do not fit are computed again at every step: slower, with
    /// the same result.
    #[arg(long, value_name = "SIZE", value_parser = bytes, allow_hyphen_values = true)]
    memory: Option<u64>,

    /// Say nothing but errors on the standard error stream
    #[arg(short, long)]
    pub(crate) quiet: bool,
}

impl Run {
    /// Bytes that the run may use.
    pub(crate) fn memory(&self) -> u64 {
        self.memory.unwrap_or_else(half_of_memory)
    }

    /// What `job` returns, run on as many threads as were asked for.
    pub(crate) fn on_threads<T: Send>(&self, job: impl FnOnce() -> T + Send) -> Result<T, Failure> {
        let builder = rayon::ThreadPoolBuilder::new().num_threads(self.threads.unwrap_or(0));
        let pool = builder.build().map_err(|cause| Failure::Threads { cause })?;
        Ok(pool.install(job))
    }
}

/// Half of what the machine has, or of what the container may use.
fn half_of_memory() -> u64 {
    let mut system = sysinfo::System::new();
    system.refresh_memory();
    let limit = system.cgroup_limits().map_or(u64::MAX, |limits| limits.total_memory);
    let total = system.total_memory().min(limit);
    // A system that does not say gets what any machine of today has to spare.
    if total == 0 { 2 << 30 } else { total / 2 }
}
