//! Flags for threads, memory and quiet mode.

use protodash_meter::{MAX_THREADS, half_of_memory, parse_size};
use rayon::{ThreadPoolBuildError, ThreadPoolBuilder};

/// Threads, memory and output of a run, as flags.
#[derive(Debug, Clone, PartialEq, clap::Args)]
#[command(next_help_heading = "Running")]
pub struct Resources {
    /// Number of threads; does not affect the result [default: all cores]
    #[arg(long, alias = "n-threads", value_name = "N", value_parser = threads, allow_negative_numbers = true)]
    threads: Option<usize>,

    /// Memory limit, such as 8GiB [default: half the RAM]
    #[arg(long, value_name = "SIZE", value_parser = parse_size, allow_hyphen_values = true)]
    memory: Option<u64>,

    /// Print only errors
    #[arg(short, long)]
    pub quiet: bool,
}

impl Resources {
    /// Memory limit in bytes.
    #[must_use]
    pub fn memory(&self) -> u64 {
        self.memory.unwrap_or_else(half_of_memory)
    }

    /// Runs `job` on the requested number of threads.
    ///
    /// # Errors
    ///
    /// If the threads cannot be started.
    pub fn on_threads<T: Send>(&self, job: impl FnOnce() -> T + Send) -> Result<T, ThreadPoolBuildError> {
        let pool = ThreadPoolBuilder::new().num_threads(self.threads.unwrap_or(0)).build()?;
        Ok(pool.install(job))
    }
}

/// Parses a whole number of at least 1; the error says what is allowed.
///
/// # Errors
///
/// For anything else.
///
/// # Examples
///
/// ```
/// assert_eq!(protodash_terminal::at_least_one("3"), Ok(3));
/// assert!(protodash_terminal::at_least_one("0").is_err());
/// ```
pub fn at_least_one(text: &str) -> Result<usize, String> {
    match text.parse() {
        Ok(0) => Err("must be at least 1".to_owned()),
        Ok(number) => Ok(number),
        Err(_) => Err("must be a positive integer".to_owned()),
    }
}

fn threads(text: &str) -> Result<usize, String> {
    match at_least_one(text)? {
        number @ ..=MAX_THREADS => Ok(number),
        _ => Err(format!("at most {MAX_THREADS} are allowed")),
    }
}
