//! Reading a file with any damaged byte gives rows or an error, never a panic.

use std::ops::ControlFlow;

use protodash_table::{Part, Roles, encode};

use crate::files::{open, real_data, sample, write};

/// Opens and reads a file with this content, ignoring the result.
fn try_to_read(directory: &std::path::Path, name: &str, bytes: &[u8]) {
    // Removing a file is faster than overwriting it, which some file systems flush to disk at once.
    let path = write(directory, name, bytes);
    if let Ok(input) = open(&path) {
        if input.is_sparse() {
            let encoded = encode(Part::from(&input), None, &Roles::default(), &mut |_, _| ControlFlow::Continue(()));
            drop(encoded);
        }
        input.batches().into_iter().flatten().for_each(drop);
    }
    std::fs::remove_file(path).unwrap();
}

fn damage(name: &str) {
    damage_bytes(name, &std::fs::read(sample(name)).unwrap());
}

fn damage_bytes(name: &str, whole: &[u8]) {
    let directory = tempfile::tempdir().unwrap();
    for at in 0..whole.len() {
        let mut bytes = whole.to_vec();
        bytes[at] = [whole[at] ^ 1, 0xff, whole[at] ^ 0x80, 0][at % 4];
        try_to_read(directory.path(), name, &bytes);
        if at % 8 == 0 {
            try_to_read(directory.path(), name, &whole[..at]);
        }
    }
}

#[test]
fn arrays() {
    ["c_order.npy", "fortran_pictures.npy", "text.npy", "two.npz", "only.npz"].into_iter().for_each(damage);
}

#[test]
fn sparse_rows() {
    ["sparse_rows.npz", "sparse_columns.npz"].into_iter().for_each(damage);
    damage_bytes("a.svm", b"+1 qid:3 7:0.5 3:2 # first\n-1\n\n-1 3:1e-3 9:0\n+1 12:-4\n");
}

#[test]
fn tables_of_text() {
    ["people.csv", "people.jsonl"].into_iter().for_each(damage);
}

#[test]
fn parquet() {
    ["people.parquet", "people_polars.parquet"].into_iter().for_each(damage);
}

#[test]
fn arrow() {
    ["people.feather", "people.arrows", "people_polars.arrow"].into_iter().for_each(damage);
}

#[test]
fn every_arrow_type() {
    ["types.parquet", "types.arrow"].into_iter().for_each(damage);
}

#[test]
fn transport() {
    let Some(path) = real_data("nhanes/2013-2014/xpt/HSQ_H.XPT") else { return };
    // Headers of 2,000 bytes and 20 observations of 72.
    damage_bytes("a.xpt", &std::fs::read(path).unwrap()[..2000 + 20 * 72]);
}
