//! One column of a file as text.

use super::cells::Texts;
use crate::Result;
use crate::input::Input;

/// Returns the cells of one column as text, in the order of the rows; missing ones are `None`.
///
/// Equal values give equal text whatever their type, as for ids and labels.
///
/// # Errors
///
/// Every error of reading the file.
///
/// # Panics
///
/// If the file has no column at `position`.
///
/// # Examples
///
/// ```
/// use protodash_table::{Input, ReadOptions, column_texts};
///
/// let directory = tempfile::tempdir()?;
/// let path = directory.path().join("classes.csv");
/// std::fs::write(&path, "class\n7\nNA\n1\n")?;
/// let classes = Input::open(&path, &ReadOptions::default())?;
/// assert_eq!(column_texts(&classes, 0)?, [Some("7".to_owned()), None, Some("1".to_owned())]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn column_texts(input: &Input, position: usize) -> Result<Vec<Option<String>>> {
    let mut texts = Vec::new();
    for batch in input.batches()? {
        let cells = Texts::new(batch?.column(position));
        texts.extend(cells.iter().map(|cell| cell.map(str::to_owned)));
    }
    Ok(texts)
}
