//! The quick studies on real data: they finish, have the documented shape, and resume after a stop.

#![allow(clippy::print_stderr)] // skipped tests say so
#![allow(clippy::unwrap_used)] // a test that meets an error should fail

mod mnist;
mod nhanes;
mod real_data;
mod retail;
mod stop_at;
