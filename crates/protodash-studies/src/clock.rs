//! How long a thread has worked, so that times mean the same beside other work.

use std::time::Duration;

/// A moment of a thread's work.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Began(Duration);

impl Began {
    /// Now.
    pub(crate) fn now() -> Began {
        Began(worked())
    }

    /// The seconds that this thread has worked since.
    pub(crate) fn seconds(self) -> f64 {
        worked().saturating_sub(self.0).as_secs_f64()
    }
}

/// The processor's time that was given to this thread.
#[cfg(unix)]
fn worked() -> Duration {
    let time = rustix::time::clock_gettime(rustix::time::ClockId::ThreadCPUTime);
    Duration::new(time.tv_sec.try_into().unwrap_or(0), time.tv_nsec.try_into().unwrap_or(0))
}

/// Where the system does not say, the time that went by.
#[cfg(not(unix))]
fn worked() -> Duration {
    use std::sync::LazyLock;
    use std::time::Instant;

    static START: LazyLock<Instant> = LazyLock::new(Instant::now);
    START.elapsed()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn waiting_is_not_working() {
        let began = Began::now();
        std::thread::sleep(Duration::from_millis(200));
        let waited = began.seconds();
        let sum: u64 = (0..30_000_000_u64).fold(0, |sum, next| std::hint::black_box(sum ^ next));
        assert!(sum < u64::MAX && began.seconds() > waited);
        assert!(!cfg!(unix) || waited < 0.1, "{waited}");
    }
}
