//! A search divided between workers: the same bits as in one process, whatever happens to the workers.
#![allow(clippy::unwrap_used)] // a test that meets an error should fail

mod case;
mod damaged_messages;
mod lost_workers;
mod parts;
mod pipes;
mod refusals;
mod same_result;
