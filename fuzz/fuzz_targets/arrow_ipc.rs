//! Arrow IPC: the lengths that are checked before the data reach Arrow's reader.
#![no_main]

use libfuzzer_sys::fuzz_target;
use protodash_table::ReadOptions;

fuzz_target!(|bytes: &[u8]| protodash_fuzz::read(".arrow", bytes, &ReadOptions::default()));
