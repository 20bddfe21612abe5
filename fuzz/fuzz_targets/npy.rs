//! NumPy arrays: the header, and the elements in either order.
#![no_main]

use libfuzzer_sys::fuzz_target;
use protodash_table::ReadOptions;

fuzz_target!(|bytes: &[u8]| protodash_fuzz::read(".npy", bytes, &ReadOptions::default()));
