//! Turns panics of third-party decoders into errors.
//!
//! The readers of Parquet and Arrow IPC panic on some damaged files. A file is user input, so its problems must be errors.

use std::any::Any;
use std::cell::Cell;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Once;

thread_local! {
    /// Whether this thread runs a shielded decoder.
    static SHIELDED: Cell<bool> = const { Cell::new(false) };
}

static HOOK: Once = Once::new();

/// Returns the result of `decode`, or the message of its panic.
///
/// State that `decode` modifies must not be used after a panic.
pub(crate) fn shield<T>(decode: impl FnOnce() -> T) -> Result<T, String> {
    HOOK.call_once(silence_shielded_panics);
    let before = SHIELDED.replace(true);
    let result = catch_unwind(AssertUnwindSafe(decode));
    SHIELDED.set(before);
    result.map_err(|panic| message(panic.as_ref()))
}

/// Silences shielded panics; all other panics are reported as before.
fn silence_shielded_panics() {
    let report = std::panic::take_hook();
    std::panic::set_hook(Box::new(move |info| {
        if !SHIELDED.get() {
            report(info);
        }
    }));
}

fn message(panic: &(dyn Any + Send)) -> String {
    let text = panic.downcast_ref::<&str>().map(ToString::to_string);
    text.or_else(|| panic.downcast_ref::<String>().cloned()).unwrap_or_else(|| "the decoder panicked".into())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn panics_become_messages() {
        assert_eq!(shield(|| 7), Ok(7));
        assert_eq!(shield(|| panic!("out of bounds")), Err::<(), _>("out of bounds".into()));
        assert_eq!(shield(|| panic!("{} is too far", 9)), Err::<(), _>("9 is too far".into()));
        assert!(!SHIELDED.get());
    }
}
