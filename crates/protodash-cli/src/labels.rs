//! Class labels from a separate file, with one label for each row of the data.

use std::path::Path;

use protodash_table::{Input, ReadOptions, column_texts};

use crate::error::Failure;
use crate::progress::Progress;

/// Returns the class of each row of `rows` from the file at `path`; `None` without a path.
pub(crate) fn read_labels(
    path: Option<&Path>,
    rows: &Input,
    no_header: bool,
    progress: &mut Progress,
) -> Result<Option<Vec<String>>, Failure> {
    let Some(path) = path else { return Ok(None) };
    let mut options = ReadOptions::default();
    options.header = !no_header;
    let input = progress.waiting(&format!("opening {}", path.display()), || Input::open(path, &options))?;
    let refused = |message, hint| Failure::Labels { path: path.to_owned(), message, hint };
    let n_columns = input.columns().len();
    if n_columns != 1 {
        let message = format!("has {n_columns} columns; a file of labels must have one, with the class of each row");
        return Err(refused(message, "remove the other columns, or add the labels to the data and give --label"));
    }
    if input.n_rows() != rows.n_rows() {
        let (found, wanted) = (input.n_rows(), rows.n_rows());
        let message =
            format!("has {found} rows, but {} has {wanted}; there must be a label for each row", rows.path().display());
        return Err(refused(message, "give the labels of that file"));
    }
    let labels = progress.waiting("reading labels", || column_texts(&input, 0))?;
    Ok(Some(labels.into_iter().map(Option::unwrap_or_default).collect()))
}
