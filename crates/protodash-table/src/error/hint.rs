//! What to try next after each error.

use std::path::Path;

use super::Error;
use crate::advice::{Hint, Setting};
use crate::hint;
use crate::input::Format;

impl Error {
    /// Returns what to try next, or `None` when there is nothing to add.
    ///
    /// # Examples
    ///
    /// ```
    /// use protodash_table::{Input, ReadOptions};
    ///
    /// let error = Input::open("a.csv".as_ref(), &ReadOptions::default()).unwrap_err();
    /// assert_eq!(error.hint().unwrap().render(|_| None).unwrap(), "check the spelling, or use the full path");
    /// ```
    #[must_use]
    pub fn hint(&self) -> Option<Hint> {
        Some(match self {
            Error::NotFound { path } if is_url(path) => {
                hint!(["URLs are not supported; download the file first, for example with `curl -LO URL`"])
            }
            Error::NotFound { .. } => hint!(["check the spelling"], ["use the full path"]),
            Error::PipeTooLong { disk: None, .. } => {
                hint!(["write the data to a file first"], ["allow more with ", Setting::Memory])
            }
            Error::PipeTooLong { disk: Some(_), .. } => {
                hint!(["write the data to a file first"], ["set TMPDIR to a folder on a disk with more free space"])
            }
            Error::UnpackedTooLong { .. } => {
                hint!(["unpack it first"], ["set TMPDIR to a folder on a disk with more free space"])
            }
            Error::NoParts { path, n_folders } => match n_folders {
                0 => hint!(["give a folder that holds the data, or a file"]),
                _ => hint!([format!("give one of the {n_folders} folders in it")], [deeper_pattern(path)]),
            },
            Error::NoMatch { .. } => {
                hint!(["check the folder and the extension, as in 'parts/*.csv'; * does not stand for a /"])
            }
            Error::PartsWithoutRows { .. } => hint!(["the program that wrote them may have failed; write them again"]),
            Error::PartFormat { path, .. } | Error::PartColumns { path, .. } => hint!(
                [format!("if {} is not part of the table, move it", path.display())],
                [format!("name the parts with a quoted pattern such as {}", pattern_beside(path))],
            ),
            Error::PartType { .. } => hint!(["write the column with one type in all parts"]),
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
            Error::SparseLayout { .. } => hint!(["convert it with scipy.sparse.save_npz(path, matrix.tocsr())"]),
            Error::Svmlight { .. } => {
                hint!(["each line must be a label and index:value pairs, as in \"1 3:0.5 17:2\""])
            }
            Error::Json { .. } => {
                hint!(["each line must hold one object, as `jq -c . FILE` writes them, or `jq -c .[] FILE` for a list"])
            }
            Error::OutOfRange { .. } | Error::NoColumns { .. } => {
                hint!(["write the column as text or as floating-point numbers"])
            }
            Error::ListLength { column, .. } | Error::ListGap { column, .. } => hint!(
                ["make all lists the same length without missing elements"],
                ["leave the column out with ", Setting::Drop(vec![column.clone()])],
            ),
            Error::Changed { .. } => hint!(["wait until the file is complete, then run again"]),
            Error::Condition { problem, .. } => return problem.hint(),
            Error::Encode(problem) => return problem.hint(),
            _ => return None,
        })
    }
}

/// Returns a pattern of the files in the folders of `folder`.
fn deeper_pattern(folder: &Path) -> String {
    format!("use a quoted pattern such as '{}'", folder.join("*/*").display())
}

/// Returns a quoted pattern of the files beside `path` with another extension.
fn pattern_beside(path: &Path) -> String {
    let folder = path.parent().unwrap_or(Path::new(""));
    format!("'{}'", folder.join("part-*").display())
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
