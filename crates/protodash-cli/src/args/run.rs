//! Flags that commands share: the HTML report, and what a run may use of the machine.

use std::path::PathBuf;

pub(crate) use protodash_result::ImageShape;

use super::values::{bytes, threads};
use crate::error::Failure;

/// The HTML report.
#[derive(Debug, Clone, Default, PartialEq, clap::Args)]
#[command(next_help_heading = "Report")]
pub(crate) struct Page {
    /// Also write an HTML report: one file, works offline
    #[arg(long, value_name = "FILE.html")]
    pub(crate) report: Option<PathBuf>,

    /// Show rows as images of this height, width and, if not 1, number of channels; IDX files say it themselves
    #[arg(long, value_name = "HxW[xC]", requires = "report", allow_hyphen_values = true)]
    pub(crate) image_shape: Option<ImageShape>,
}

/// Threads, memory, messages.
#[derive(Debug, Clone, PartialEq, clap::Args)]
#[command(next_help_heading = "Running")]
pub(crate) struct Run {
    /// Number of threads; the result does not depend on it [default: all cores]
    #[arg(long, alias = "n-threads", value_name = "N", value_parser = threads, allow_negative_numbers = true)]
    threads: Option<usize>,

    /// Memory limit, such as 8GiB [default: half of the machine's]; data that do not fit are an error
    #[arg(long, value_name = "SIZE", value_parser = bytes, allow_hyphen_values = true)]
    memory: Option<u64>,

    /// Print only errors
    #[arg(short, long)]
    pub(crate) quiet: bool,
}

impl Run {
    /// Bytes that the run may use.
    pub(crate) fn memory(&self) -> u64 {
        self.memory.unwrap_or_else(half_of_memory)
    }

    /// The result of `job`, run on the requested number of threads.
    pub(crate) fn on_threads<T: Send>(&self, job: impl FnOnce() -> T + Send) -> Result<T, Failure> {
        let builder = rayon::ThreadPoolBuilder::new().num_threads(self.threads.unwrap_or(0));
        let pool = builder.build().map_err(|cause| Failure::Threads { cause })?;
        Ok(pool.install(job))
    }
}

/// Half of the machine's memory, or of the container's limit.
fn half_of_memory() -> u64 {
    let mut system = sysinfo::System::new();
    system.refresh_memory();
    let limit = system.cgroup_limits().map_or(u64::MAX, |limits| limits.total_memory);
    let total = system.total_memory().min(limit);
    // Where the system does not say: any machine of today has this much to spare.
    if total == 0 { 2 << 30 } else { total / 2 }
}
