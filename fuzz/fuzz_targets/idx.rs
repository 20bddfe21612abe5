//! IDX arrays: the header and the elements.
#![no_main]

use libfuzzer_sys::fuzz_target;
use protodash_table::ReadOptions;

fuzz_target!(|bytes: &[u8]| protodash_fuzz::read(".idx", bytes, &ReadOptions::default()));
