//! Flags for threads, memory and quiet mode.

use rayon::{ThreadPoolBuildError, ThreadPoolBuilder};

/// Upper limit of `--threads`. More threads than cores gain nothing, and starting very many takes long.
const MAX_THREADS: usize = 1024;

/// Threads, memory and output of a run, as flags.
#[derive(Debug, Clone, PartialEq, clap::Args)]
#[command(next_help_heading = "Running")]
pub struct Resources {
    /// Number of threads; does not affect the result [default: all cores]
    #[arg(long, alias = "n-threads", value_name = "N", value_parser = threads, allow_negative_numbers = true)]
    threads: Option<usize>,

    /// Memory limit, such as 8GiB [default: half the RAM]
    #[arg(long, value_name = "SIZE", value_parser = bytes, allow_hyphen_values = true)]
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

/// Half the RAM of the machine, or of the container's limit.
fn half_of_memory() -> u64 {
    let mut system = sysinfo::System::new();
    system.refresh_memory();
    let limit = system.cgroup_limits().map_or(u64::MAX, |limits| limits.total_memory);
    let total = system.total_memory().min(limit);
    // Fallback if the system does not report its memory.
    if total == 0 { 2 << 30 } else { total / 2 }
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

/// Parses a size in bytes: a number, alone or with a unit.
fn bytes(text: &str) -> Result<u64, String> {
    const UNITS: [(&str, u64); 9] = [
        ("", 1),
        ("b", 1),
        ("kb", 1_000),
        ("mb", 1_000_000),
        ("gb", 1_000_000_000),
        ("kib", 1 << 10),
        ("mib", 1 << 20),
        ("gib", 1 << 30),
        ("tib", 1 << 40),
    ];
    let allowed = "must be a number of bytes, or a number with KB, MB, GB, KiB, MiB, GiB or TiB, such as 8GiB";
    let trimmed = text.trim();
    let split = trimmed.find(|char: char| char.is_ascii_alphabetic()).unwrap_or(trimmed.len());
    let (number, unit) = trimmed.split_at(split);
    let factor = UNITS.iter().find(|(name, _)| name.eq_ignore_ascii_case(unit)).map(|(_, factor)| *factor);
    let size = number.trim().parse::<f64>().ok().zip(factor).map(|(number, factor)| number * factor as f64);
    match size {
        Some(size) if size >= 1.0 && size < u64::MAX as f64 => Ok(size as u64),
        _ => Err(allowed.to_owned()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_have_binary_and_decimal_units() {
        let sizes = [("17", 17), ("8GiB", 8 << 30), ("1.5 mib", 3 << 19), ("2GB", 2_000_000_000), ("3B", 3)];
        for (text, size) in sizes {
            assert_eq!(bytes(text), Ok(size), "{text}");
        }
        for text in ["", "GiB", "-1GiB", "8 giga", "nan", "inf", "0", "1e3", "99999999999TiB"] {
            assert!(bytes(text).is_err(), "{text}");
        }
    }
}
