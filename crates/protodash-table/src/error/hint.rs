//! What to try next after each error.

use std::path::Path;

use super::Error;
use crate::input::Format;

impl Error {
    /// Returns what to try next, one sentence without a full stop, or `None` when there is nothing to add.
    ///
    /// # Examples
    ///
    /// ```
    /// use protodash_table::{Input, ReadOptions};
    ///
    /// let error = Input::open(std::env::temp_dir().as_path(), &ReadOptions::default()).unwrap_err();
    /// assert_eq!(error.hint().unwrap(), "give one of the files in it");
    /// ```
    #[must_use]
    pub fn hint(&self) -> Option<String> {
        Some(match self {
            Error::NotFound { path } if path.as_os_str() == "-" => {
                "the standard input cannot be read, since data are read twice; write them to a file first".into()
            }
            Error::NotFound { .. } => "check the spelling, or give the whole path".into(),
            Error::IsDirectory { .. } => "give one of the files in it".into(),
            Error::NoPermission { path } => format!("`ls -l {}` shows who may read it", path.display()),
            Error::Spool { .. } => "set TMPDIR to a directory with room for the unpacked file".into(),
            Error::NoRows { format: Format::Csv, .. } => "if its only line is data, use --no-header".into(),
            Error::NoRows { .. } | Error::Empty { .. } => {
                "the program that wrote it may have failed; write or copy it again".into()
            }
            Error::Ragged { delimiter, n_lines, line, .. } => ragged_hint(*delimiter, *n_lines, *line),
            Error::RecordTooLong { line, .. } => {
                format!("look for a double quote opened in line {line} and never closed, or for missing line breaks")
            }
            Error::UnclosedQuote { .. } => {
                "close it, or write it twice if it belongs to the text; all that follows it was taken for text".into()
            }
            Error::Delimiter { .. } => "give one character, as in --delimiter ';'".into(),
            Error::UnknownFormat { .. } => "convert it to one of these, for example to CSV or Parquet".into(),
            Error::NpyHeader { .. } => "save the array again with numpy.save".into(),
            Error::DuplicateColumn { format: Format::Csv, .. } => {
                "rename one of them, or use --no-header if the first line is data".into()
            }
            Error::DuplicateColumn { .. } => "rename one of them in the program that wrote the file".into(),
            Error::TruncatedCompression { .. }
            | Error::DamagedCompression { .. }
            | Error::Damaged { .. }
            | Error::Truncated { .. } => "copy or download the file again".into(),
            Error::ArrayShape { .. } => {
                "each row must be one observation; transpose the array if it lies on its side".into()
            }
            Error::NpyType { .. } => "save the array with a plain type, as in array.astype(\"float64\")".into(),
            Error::ManyParts { path, names, .. } => part_hint(path, None, names),
            Error::NoSuchPart { path, wanted, names, .. } => part_hint(path, Some(wanted), names),
            Error::Json { .. } => {
                "each line must hold one object, as `jq -c . FILE` writes them, or `jq -c .[] FILE` for a list".into()
            }
            Error::OutOfRange { .. } | Error::NoColumns { .. } => {
                "write the column as text or as floating point numbers".into()
            }
            Error::Changed { .. } => "wait until the file is written, then run again".into(),
            Error::Condition { problem, .. } => return problem.hint(),
            Error::Encode(problem) => return problem.hint(),
            _ => return None,
        })
    }
}

fn ragged_hint(delimiter: u8, n_lines: u64, line: u64) -> String {
    if n_lines > 1 {
        let last = line + n_lines - 1;
        return format!(
            "the record goes from line {line} to line {last}; look for a double quote in line {line} that is not closed there"
        );
    }
    let name = match delimiter {
        b'\t' => "a tab".to_owned(),
        other => format!("\"{}\"", char::from(other)),
    };
    format!("a cell that holds {name} must stand in double quotes; if {name} is not the separator, give --delimiter")
}

/// Returns how to name the first of `names`, the parts of the file `path`, which may itself name the part `wanted`.
fn part_hint(path: &Path, wanted: Option<&String>, names: &[String]) -> String {
    let path = path.to_string_lossy();
    let file = wanted.and_then(|wanted| path.strip_suffix(wanted.as_str())?.strip_suffix(':')).unwrap_or(&path);
    format!("write {file}:{}", names.first().map_or("NAME", String::as_str))
}
