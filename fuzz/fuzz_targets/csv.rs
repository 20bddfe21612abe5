//! CSV: separators, quotes, encodings and the kinds of columns. The first byte chooses the options.
#![no_main]

use libfuzzer_sys::fuzz_target;
use protodash_table::ReadOptions;

fuzz_target!(|bytes: &[u8]| {
    let Some((choice, text)) = bytes.split_first() else { return };
    let mut options = ReadOptions::default();
    options.header = choice & 1 == 0;
    options.delimiter = (choice & 2 != 0).then_some(choice >> 2);
    protodash_fuzz::read(".csv", text, &options);
});
