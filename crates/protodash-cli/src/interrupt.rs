//! Ctrl-C: asks a run to stop, and makes sure that no file is left half-written.
//!
//! The first Ctrl-C asks. Whoever watches the run hears of it and unwinds; a run that is somewhere it cannot hear, such
//! as inside the reading of a huge file, is ended from here after a moment. A run that has begun to write its output is
//! left to finish, which takes no time. The second Ctrl-C ends the process at once.

use std::path::PathBuf;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicU8, Ordering};
use std::time::Duration;

use crate::error::Failure;
use crate::messages;

const RUNNING: u8 = 0;
const INTERRUPTED: u8 = 1;
const WRITING: u8 = 2;

/// How long a run has to unwind.
const GRACE: Duration = Duration::from_secs(2);

static STATE: AtomicU8 = AtomicU8::new(RUNNING);
/// Where a run keeps what it has finished, so that another can go on from there.
static KEPT_IN: OnceLock<PathBuf> = OnceLock::new();

/// Listens for Ctrl-C from now on.
pub(crate) fn listen() {
    let mut pressed = 0;
    let heard = move || {
        pressed += 1;
        if pressed > 1 {
            end();
        }
        if move_on(INTERRUPTED) {
            std::thread::spawn(|| {
                std::thread::sleep(GRACE);
                messages::wipe();
                messages::report(&stopped());
                end();
            });
        }
    };
    // Without a handler Ctrl-C ends the process, which is what it does anyway: the run is no worse for it.
    let _ = ctrlc::set_handler(heard);
}

/// From here on what is finished is kept in this folder.
pub(crate) fn keep_in(folder: PathBuf) {
    // A process runs one command.
    let _ = KEPT_IN.set(folder);
}

/// What is to be said of a run that was stopped.
pub(crate) fn stopped() -> Failure {
    match KEPT_IN.get().filter(|folder| folder.exists()) {
        Some(folder) => Failure::StudyStopped { folder: folder.clone() },
        None => Failure::Interrupted,
    }
}

/// Whether Ctrl-C was pressed.
pub(crate) fn requested() -> bool {
    STATE.load(Ordering::SeqCst) == INTERRUPTED
}

/// From here on the output is written; fails if Ctrl-C came first.
pub(crate) fn begin_writing() -> Result<(), Failure> {
    if move_on(WRITING) || STATE.load(Ordering::SeqCst) == WRITING { Ok(()) } else { Err(Failure::Interrupted) }
}

fn move_on(state: u8) -> bool {
    STATE.compare_exchange(RUNNING, state, Ordering::SeqCst, Ordering::SeqCst).is_ok()
}

fn end() -> ! {
    std::process::exit(i32::from(crate::exit::Exit::Interrupted.code()))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// One test, since a process has one folder.
    #[test]
    fn a_run_that_keeps_what_is_finished_says_where() {
        assert_eq!(stopped().to_string(), "interrupted: nothing was written");
        let folder = std::env::temp_dir().join(format!("protodash-kept-{}", std::process::id()));
        keep_in(folder.clone());
        assert_eq!(stopped().to_string(), "interrupted: nothing was written"); // the run has not come that far
        std::fs::create_dir(&folder).unwrap();
        let said = stopped().to_string();
        std::fs::remove_dir(&folder).unwrap();
        let kept = format!("finished trials are kept in {}, and the same command goes on from there", folder.display());
        assert_eq!(said, format!("interrupted: {kept}"));
    }
}
