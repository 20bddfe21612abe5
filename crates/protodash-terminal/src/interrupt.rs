//! Ctrl-C: stops a run without leaving a half-written file.
//!
//! After the first Ctrl-C, a run that polls [`requested`] unwinds by itself; one that cannot poll, for example because
//! it is blocked on a read, is ended after a grace period. A run that has started to write its output is left to
//! finish, which is quick. The second Ctrl-C ends the process at once.

use std::sync::Arc;
use std::sync::atomic::{AtomicU8, Ordering};
use std::time::Duration;

use crate::exit::Exit;
use crate::messages;

const RUNNING: u8 = 0;
const INTERRUPTED: u8 = 1;
const WRITING: u8 = 2;

/// Time a run has to unwind.
const GRACE: Duration = Duration::from_secs(2);

static STATE: AtomicU8 = AtomicU8::new(RUNNING);

/// Handles Ctrl-C from now on. `message` is printed when a run does not stop by itself.
///
/// # Examples
///
/// ```
/// protodash_terminal::interrupt::listen(|| "interrupted: nothing was written".to_owned());
/// assert!(!protodash_terminal::interrupt::requested());
/// ```
pub fn listen(message: impl Fn() -> String + Send + Sync + 'static) {
    let message = Arc::new(message);
    let mut n_pressed = 0;
    let on_ctrl_c = move || {
        n_pressed += 1;
        if n_pressed > 1 {
            end();
        }
        if advance(INTERRUPTED) {
            let message = Arc::clone(&message);
            std::thread::spawn(move || {
                std::thread::sleep(GRACE);
                messages::erase_line();
                messages::say(&message());
                end();
            });
        }
    };
    // Without a handler Ctrl-C ends the process, which is acceptable.
    let _ = ctrlc::set_handler(on_ctrl_c);
}

/// Whether Ctrl-C was pressed.
///
/// # Examples
///
/// ```
/// assert!(!protodash_terminal::interrupt::requested());
/// ```
pub fn requested() -> bool {
    STATE.load(Ordering::SeqCst) == INTERRUPTED
}

/// Whether the output may be written; if so, Ctrl-C waits from now on until it is.
///
/// # Examples
///
/// ```
/// assert!(protodash_terminal::interrupt::begin_writing());
/// ```
#[must_use]
pub fn begin_writing() -> bool {
    advance(WRITING) || STATE.load(Ordering::SeqCst) == WRITING
}

fn advance(state: u8) -> bool {
    STATE.compare_exchange(RUNNING, state, Ordering::SeqCst, Ordering::SeqCst).is_ok()
}

fn end() -> ! {
    std::process::exit(i32::from(Exit::Interrupted.code()))
}
