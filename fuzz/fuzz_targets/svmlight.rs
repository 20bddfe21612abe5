//! svmlight: labels, queries, indices and values.
#![no_main]

use libfuzzer_sys::fuzz_target;
use protodash_table::ReadOptions;

fuzz_target!(|bytes: &[u8]| protodash_fuzz::read(".svm", bytes, &ReadOptions::default()));
