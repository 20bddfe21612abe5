//! Shared by the fuzz targets of file formats: writes the bytes to a file, reads it, and checks the result.

use std::cell::RefCell;
use std::io::{Seek, SeekFrom, Write};

use protodash_table::{Input, ReadOptions};
use tempfile::NamedTempFile;

/// Reads `bytes` as a file with the given ending.
///
/// # Panics
///
/// If the reader panics, yields other numbers of rows and columns than announced, or cannot read the last row again.
pub fn read(ending: &str, bytes: &[u8], options: &ReadOptions) {
    thread_local! {
        static FILE: RefCell<Option<NamedTempFile>> = const { RefCell::new(None) };
    }
    FILE.with_borrow_mut(|file| {
        let file = file.get_or_insert_with(|| tempfile::Builder::new().suffix(ending).tempfile().expect("a file"));
        file.as_file().set_len(0).expect("an empty file");
        file.seek(SeekFrom::Start(0)).expect("the beginning");
        file.write_all(bytes).expect("room for the file");
        check(Input::open(file.path(), options));
    });
}

fn check(opened: protodash_table::Result<Input>) {
    let input = match opened {
        Ok(input) => input,
        // Every error must have a message, and formatting it must not panic.
        Err(error) => return drop((error.to_string(), error.hint().map(|hint| hint.render(|setting| Some(format!("{setting:?}")))))),
    };
    let mut n_rows = 0;
    for batch in input.batches().into_iter().flatten() {
        let Ok(batch) = batch else { return };
        assert_eq!(batch.num_columns(), input.columns().len());
        n_rows += batch.num_rows() as u64;
    }
    assert_eq!(n_rows, input.n_rows());
    let last = input.rows(&[n_rows - 1]).expect("a row that was read before");
    assert_eq!(last.num_rows(), 1);
    drop(input.place(n_rows - 1).to_string());
}
