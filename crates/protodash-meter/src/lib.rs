//! Time and memory of the machine: wall-clock time and peak memory of a run, and the limits on its memory and threads.
//!
//! The core reads neither clock nor memory; the CLI and the Python package pass it this meter.

mod limits;

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::{self, RecvTimeoutError, Sender};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use protodash::compare::{Meter, RunCost};
use sysinfo::{Pid, ProcessRefreshKind, ProcessesToUpdate, System};

pub use limits::{MAX_THREADS, half_of_memory, parse_size};

/// Time between memory samples; shorter allocations may be missed.
const INTERVAL: Duration = Duration::from_millis(5);

/// A clock, and a thread that samples the memory of the process.
///
/// A counting allocator would be exact, but would slow down every allocation.
#[derive(Debug)]
pub struct RunMeter {
    began: Instant,
    peak: Arc<AtomicU64>,
    stop: Option<Sender<()>>,
    sampler: Option<JoinHandle<()>>,
}

impl RunMeter {
    /// A running meter.
    ///
    /// # Examples
    ///
    /// ```
    /// use protodash::compare::Meter;
    ///
    /// let mut meter = protodash_meter::RunMeter::new();
    /// meter.start();
    /// assert!(meter.read().seconds < 60.0);
    /// drop(meter); // ends the sampling thread
    /// ```
    pub fn new() -> RunMeter {
        let peak = Arc::new(AtomicU64::new(0));
        let (stop, stopped) = mpsc::channel::<()>();
        let shared = Arc::clone(&peak);
        let sampler = std::thread::spawn(move || {
            let mut system = System::new();
            while stopped.recv_timeout(INTERVAL) == Err(RecvTimeoutError::Timeout) {
                shared.fetch_max(resident(&mut system), Ordering::Relaxed);
            }
        });
        RunMeter { began: Instant::now(), peak, stop: Some(stop), sampler: Some(sampler) }
    }
}

impl Default for RunMeter {
    fn default() -> Self {
        RunMeter::new()
    }
}

impl Meter for RunMeter {
    fn start(&mut self) {
        self.peak.store(resident(&mut System::new()), Ordering::Relaxed);
        self.began = Instant::now();
    }

    fn read(&mut self) -> RunCost {
        let seconds = self.began.elapsed().as_secs_f64();
        RunCost { seconds, peak_memory_bytes: self.peak.load(Ordering::Relaxed) }
    }
}

impl Drop for RunMeter {
    fn drop(&mut self) {
        drop(self.stop.take());
        if let Some(sampler) = self.sampler.take() {
            // If the sampler panicked, the last peak remains.
            let _ = sampler.join();
        }
    }
}

/// Resident memory of this process in bytes.
fn resident(system: &mut System) -> u64 {
    let own = Pid::from_u32(std::process::id());
    let memory = ProcessRefreshKind::nothing().with_memory();
    system.refresh_processes_specifics(ProcessesToUpdate::Some(&[own]), false, memory);
    system.process(own).map_or(0, |process| process.memory())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_large_vector_shows_in_the_peak() {
        let mut meter = RunMeter::new();
        meter.start();
        let before = meter.read().peak_memory_bytes;
        let bytes: Vec<u8> = (0..100_000_000_u32).map(|byte| byte as u8).collect();
        // Leave time for several samples.
        std::thread::sleep(20 * INTERVAL);
        assert!(bytes.iter().any(|byte| *byte > 0));
        drop(bytes);
        assert!(meter.read().peak_memory_bytes >= before + 90_000_000);
    }

    #[test]
    fn a_new_run_starts_at_zero_seconds() {
        let mut meter = RunMeter::new();
        std::thread::sleep(Duration::from_millis(50));
        meter.start();
        assert!(meter.read().seconds < 0.05);
    }
}
