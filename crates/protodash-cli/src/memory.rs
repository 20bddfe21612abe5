//! How much memory a part of the run takes: a thread that looks at the process every few milliseconds.
//!
//! An allocator that counts would be exact, but would slow every allocation of every run for the sake of one column.

use std::sync::mpsc::{self, RecvTimeoutError, Sender};
use std::thread::JoinHandle;
use std::time::Duration;

use sysinfo::{Pid, ProcessRefreshKind, ProcessesToUpdate, System};

/// Time between two looks. What is taken and given back in less may go unseen.
const PAUSE: Duration = Duration::from_millis(5);

/// Watches how much memory the process has in use, from its making to [`PeakMemory::stop`].
pub(crate) struct PeakMemory {
    end: Sender<()>,
    thread: JoinHandle<u64>,
}

impl PeakMemory {
    /// Begins to watch.
    pub(crate) fn start() -> PeakMemory {
        let (end, ended) = mpsc::channel::<()>();
        let thread = std::thread::spawn(move || {
            let mut system = System::new();
            let mut peak = resident(&mut system);
            while ended.recv_timeout(PAUSE) == Err(RecvTimeoutError::Timeout) {
                peak = peak.max(resident(&mut system));
            }
            peak.max(resident(&mut system))
        });
        PeakMemory { end, thread }
    }

    /// The most bytes that were seen in use; 0 where the system does not say.
    pub(crate) fn stop(self) -> u64 {
        drop(self.end);
        self.thread.join().unwrap_or(0)
    }
}

/// Bytes of this process that are in memory now.
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
    fn a_large_vector_is_seen() {
        let before = PeakMemory::start().stop();
        let watch = PeakMemory::start();
        let bytes: Vec<u8> = (0..100_000_000_u32).map(|byte| byte as u8).collect();
        let sum: u64 = bytes.iter().map(|byte| u64::from(*byte)).sum();
        drop(bytes);
        assert!(sum > 0);
        assert!(watch.stop() >= before + 90_000_000);
    }
}
