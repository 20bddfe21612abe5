//! Archives of NumPy arrays.
#![no_main]

use libfuzzer_sys::fuzz_target;
use protodash_table::ReadOptions;

fuzz_target!(|bytes: &[u8]| protodash_fuzz::read(".npz", bytes, &ReadOptions::default()));
