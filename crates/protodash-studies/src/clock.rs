//! CPU time of a thread, which does not depend on other load.

use std::time::Duration;

/// The CPU time of a thread at some moment.
#[derive(Debug, Clone, Copy)]
pub(crate) struct CpuTimer(Duration);

impl CpuTimer {
    /// Starts a timer.
    pub(crate) fn start() -> CpuTimer {
        CpuTimer(cpu_time())
    }

    /// CPU seconds of this thread since then.
    pub(crate) fn seconds(self) -> f64 {
        cpu_time().saturating_sub(self.0).as_secs_f64()
    }
}

/// CPU time of this thread so far.
#[cfg(unix)]
fn cpu_time() -> Duration {
    let time = rustix::time::clock_gettime(rustix::time::ClockId::ThreadCPUTime);
    Duration::new(time.tv_sec.try_into().unwrap_or(0), time.tv_nsec.try_into().unwrap_or(0))
}

/// Wall time if CPU time is not available.
#[cfg(not(unix))]
fn cpu_time() -> Duration {
    use std::sync::LazyLock;
    use std::time::Instant;

    static START: LazyLock<Instant> = LazyLock::new(Instant::now);
    START.elapsed()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sleeping_takes_no_cpu_time() {
        let began = CpuTimer::start();
        std::thread::sleep(Duration::from_millis(200));
        let waited = began.seconds();
        let sum: u64 = (0..30_000_000_u64).fold(0, |sum, next| std::hint::black_box(sum ^ next));
        assert!(sum < u64::MAX && began.seconds() > waited);
        assert!(!cfg!(unix) || waited < 0.1, "{waited}");
    }
}
