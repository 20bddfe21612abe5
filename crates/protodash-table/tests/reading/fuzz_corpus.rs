//! All inputs found by fuzzing, and its seeds: none may panic.
//!
//! `fuzz/README.md` explains how to find more; findings go to `testdata/fuzz`, one folder per target.

use std::path::Path;
use std::sync::Arc;

use arrow_array::{ArrayRef, BooleanArray, Float64Array, Int64Array, RecordBatch, StringArray};
use protodash_table::{Condition, Input, ReadOptions};

use crate::files::write;

/// Calls `replay` with every file for `target`.
fn each(target: &str, replay: impl Fn(&[u8])) {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../testdata/fuzz").join(target);
    let mut paths: Vec<_> = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    paths.sort();
    assert!(!paths.is_empty());
    paths.iter().for_each(|path| replay(&std::fs::read(path).unwrap()));
}

/// Reads `bytes` as a file with the given extension and checks that its batches match its layout.
fn read(ending: &str, bytes: &[u8], options: &ReadOptions) {
    let directory = tempfile::tempdir().unwrap();
    let Ok(input) = Input::open(&write(directory.path(), &format!("a{ending}"), bytes), options) else { return };
    let batches: Result<Vec<RecordBatch>, _> = input.batches().unwrap().collect();
    let Ok(batches) = batches else { return };
    assert!(batches.iter().all(|batch| batch.num_columns() == input.columns().len()));
    assert_eq!(batches.iter().map(|batch| batch.num_rows() as u64).sum::<u64>(), input.n_rows());
    assert_eq!(input.rows(&[input.n_rows() - 1]).unwrap().num_rows(), 1);
}

#[test]
fn csv() {
    each("csv", |bytes| {
        let Some((choice, text)) = bytes.split_first() else { return };
        let mut options = ReadOptions::default();
        options.header = choice & 1 == 0;
        options.delimiter = (choice & 2 != 0).then_some(choice >> 2);
        read(".csv", text, &options);
    });
}

#[test]
fn other_formats() {
    let targets = [
        ("json_lines", ".jsonl"),
        ("svmlight", ".svm"),
        ("npy", ".npy"),
        ("npz", ".npz"),
        ("idx", ".idx"),
        ("xport", ".xpt"),
        ("arrow_ipc", ".arrow"),
    ];
    for (target, ending) in targets {
        each(target, |bytes| read(ending, bytes, &ReadOptions::default()));
    }
}

#[test]
fn conditions() {
    let columns: [(&str, ArrayRef); 4] = [
        ("a", Arc::new(Int64Array::from(vec![Some(i64::MIN), None, Some(0), Some(7)]))),
        ("b", Arc::new(Float64Array::from(vec![Some(-1.5), Some(f64::NAN), None, Some(f64::INFINITY)]))),
        ("c", Arc::new(StringArray::from(vec![Some("x%_"), Some(""), None, Some("7")]))),
        ("d", Arc::new(BooleanArray::from(vec![Some(true), Some(false), None, None]))),
    ];
    let table = RecordBatch::try_from_iter(columns).unwrap();
    each("condition", |bytes| {
        let Ok(condition) = Condition::parse(&String::from_utf8_lossy(bytes)) else { return };
        if let Ok(rows) = condition.evaluate(&table) {
            assert_eq!(rows.len(), 4);
        }
    });
}
