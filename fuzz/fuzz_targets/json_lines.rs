//! JSON lines: keys, values and the kinds of columns.
#![no_main]

use libfuzzer_sys::fuzz_target;
use protodash_table::ReadOptions;

fuzz_target!(|bytes: &[u8]| protodash_fuzz::read(".jsonl", bytes, &ReadOptions::default()));
