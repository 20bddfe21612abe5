//! The quick studies of real data: they finish, have the shapes they promise, and go on where they were stopped.

#![allow(clippy::print_stderr)] // what is skipped is said on stderr
#![allow(clippy::unwrap_used)] // a test that meets an error should fail

mod mnist;
mod nhanes;
mod real_data;
mod retail;
mod stop_at;
