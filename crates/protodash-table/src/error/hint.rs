//! What to try next after each error.

use std::path::Path;

use super::Error;
use crate::advice::{Hint, Setting, hint};
use crate::input::Format;

impl Error {
    /// Returns what to try next, or `None` when there is nothing to add.
    ///
    /// # Examples
    ///
    /// ```
    /// use protodash_table::{Input, ReadOptions};
    ///
    /// let error = Input::open(std::env::temp_dir().as_path(), &ReadOptions::default()).unwrap_err();
    /// assert_eq!(error.hint().unwrap().render(|_| None).unwrap(), "give one of the files in it");
    /// ```
    #[must_use]
    pub fn hint(&self) -> Option<Hint> {
        Some(match self {
            Error::NotFound { path } if path.as_os_str() == "-" => {
                hint!(["data are read twice, so standard input cannot be used; write them to a file first"])
            }
            Error::NotFound { path } if is_url(path) => {
                hint!(["URLs are not supported; download the file first, for example with `curl -LO URL`"])
            }
            Error::NotFound { .. } => hint!(["check the spelling"], ["use the full path"]),
            Error::PipeTooLong { .. } => {
                hint!(["write the data to a file first"], ["allow more with ", Setting::Memory])
            }
            Error::IsDirectory { .. } => hint!(["give one of the files in it"]),
            Error::NoPermission { path } => hint!([format!("`ls -l {}` shows who may read it", path.display())]),
            Error::Spool { .. } => hint!(["set TMPDIR to a directory with room for the unpacked file"]),
            Error::NoRows { format: Format::Csv, .. } => hint!(["if its only line is data, use ", Setting::NoHeader]),
            Error::NoRows { format: Format::Memory, .. } => hint!(["check the code that creates the table"]),
            Error::NoRows { .. } | Error::Empty { .. } => {
                hint!(["the program that wrote it may have failed; write or copy it again"])
            }
            Error::Ragged { delimiter, n_lines, line, .. } => ragged_hint(*delimiter, *n_lines, *line),
            Error::RecordTooLong { line, .. } => {
                hint!([format!("look for an unclosed double quote in line {line}, or for missing line breaks")])
            }
            Error::UnclosedQuote { .. } => hint!(["close it"], ["double it if it is part of the text"]),
            Error::Delimiter { .. } => hint!(["use one character, as in ", Setting::Delimiter(Some(';'))]),
            Error::UnknownFormat { .. } => hint!(["convert it to one of these, for example to CSV or Parquet"]),
            Error::NpyHeader { .. } => hint!(["save the array again with numpy.save"]),
            Error::DuplicateColumn { format: Format::Csv, .. } => {
                hint!(["rename one of them"], ["use ", Setting::NoHeader, " if the first line is data"])
            }
            Error::DuplicateColumn { format: Format::Memory, .. } => hint!(["rename one of them"]),
            Error::DuplicateColumn { .. } => hint!(["rename one of them in the program that wrote the file"]),
            Error::TruncatedCompression { .. }
            | Error::DamagedCompression { .. }
            | Error::Damaged { .. }
            | Error::Truncated { .. } => hint!(["copy or download the file again"]),
            Error::ArrayShape { .. } => {
                hint!(["each row must be one observation; if the columns are observations, transpose the array"])
            }
            Error::NpyType { .. } => hint!(["save the array with a plain type, as in array.astype(\"float64\")"]),
            Error::ManyParts { path, names, .. } => part_hint(path, None, names),
            Error::NoSuchPart { path, wanted, names, .. } => part_hint(path, Some(wanted), names),
            Error::Json { .. } => {
                hint!(["each line must hold one object, as `jq -c . FILE` writes them, or `jq -c .[] FILE` for a list"])
            }
            Error::OutOfRange { .. } | Error::NoColumns { .. } => {
                hint!(["write the column as text or as floating-point numbers"])
            }
            Error::Changed { .. } => hint!(["wait until the file is complete, then run again"]),
            Error::Condition { problem, .. } => return problem.hint(),
            Error::Encode(problem) => return problem.hint(),
            _ => return None,
        })
    }
}

/// Returns whether `path` is a URL such as `https://…` or `s3://…`.
fn is_url(path: &Path) -> bool {
    let text = path.to_string_lossy();
    text.split_once("://").is_some_and(|(scheme, _)| {
        !scheme.is_empty() && scheme.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"+-.".contains(&byte))
    })
}

fn ragged_hint(delimiter: u8, n_lines: u64, line: u64) -> Hint {
    if n_lines > 1 {
        let last = line + n_lines - 1;
        return hint!([format!(
            "the record spans lines {line} to {last}; look for an unclosed double quote in line {line}"
        )]);
    }
    let name = match delimiter {
        b'\t' => "a tab".to_owned(),
        other => format!("\"{}\"", char::from(other)),
    };
    hint!(
        [format!("put cells that contain {name} in double quotes")],
        [format!("if {name} is not the separator, set "), Setting::Delimiter(None)],
    )
}

/// Returns how to select the first of `names`, the parts of the file `path`, which may already select the part
/// `wanted`.
fn part_hint(path: &Path, wanted: Option<&String>, names: &[String]) -> Hint {
    let path = path.to_string_lossy();
    let file = wanted.and_then(|wanted| path.strip_suffix(wanted.as_str())?.strip_suffix(':')).unwrap_or(&path);
    hint!([format!("write {file}:{}", names.first().map_or("NAME", String::as_str))])
}
