//! Files, tables and conditions, in one test program, because each program links all of Arrow.

#![allow(clippy::unwrap_used)] // a test that meets an error should fail

mod bad_files;
mod bad_tables;
mod condition_interpreter;
mod conditions;
mod damaged_bytes;
mod encoding;
mod files;
mod formats;
mod fuzz_corpus;
mod lists;
mod notes;
mod parts;
mod real_data;
mod real_tables;
mod round_trips;
mod sparse;
mod tables;
