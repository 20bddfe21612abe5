//! Format detection, by the first bytes and, if these are ambiguous, by the file extension.

use std::fmt;
use std::path::Path;

use super::sparse::looks_like_svmlight;
use super::table::Head;
use crate::{Error, Result};

/// The formats that can be read.
///
/// # Examples
///
/// ```
/// use protodash_table::Format;
///
/// assert_eq!(Format::Csv.to_string(), "CSV");
/// assert_eq!(Format::ArrowIpc.to_string(), "Arrow IPC");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Format {
    /// Text with separated fields: comma, semicolon, tab or bar.
    Csv,
    /// One JSON object in each line.
    JsonLines,
    /// Apache Parquet.
    Parquet,
    /// Arrow IPC, as a file (also called Feather 2) or as a stream.
    ArrowIpc,
    /// One NumPy array.
    Npy,
    /// A zip archive of NumPy arrays, of which one is read.
    Npz,
    /// A sparse matrix of SciPy, by rows or by columns, in a zip archive of NumPy arrays.
    ScipyNpz,
    /// Text with a label and `index:value` pairs in each line, also called libsvm.
    Svmlight,
    /// The format of the MNIST files.
    Idx,
    /// SAS transport, versions 5 and 8.
    Xpt,
    /// A table in memory; see [`Input::from_batches`](crate::Input::from_batches).
    Memory,
}

impl Format {
    /// All formats, for messages.
    pub(crate) const LIST: &'static str =
        "CSV/TSV, Parquet, Arrow IPC, JSON lines, NumPy .npy and .npz, sparse .npz, svmlight, IDX and SAS transport";

    /// The number of unpacked bytes that [`Format::detect`] needs.
    pub(crate) const HEAD_LEN: usize = 1 << 16;

    /// Returns the format of the file `file`, which messages call `path` and whose content begins with `beginning`.
    pub(crate) fn detect(file: &Path, path: &Path, beginning: &Head) -> Result<Format> {
        let head = &beginning.bytes[..];
        let (ending, prose) = (ending(file), is_prose(head));
        let promised = promised_by(&ending);
        if let Some(found) = spreadsheet(&ending, head) {
            return Err(Error::UnknownFormat { path: path.to_owned(), found });
        }
        // "PAR1" may also be a column name, but not in a file with the extension of Parquet.
        if let Some(format) = by_magic(head, prose && promised.is_none()) {
            return Ok(format);
        }
        let unknown = |found| Error::UnknownFormat { path: path.to_owned(), found };
        if let Some(found) = known_but_unread(head).filter(|_| !prose) {
            return Err(unknown(found));
        }
        if let Some(promised) = promised {
            return Err(unknown(promised));
        }
        if !is_text(head) {
            return Err(unknown("the content is binary and of an unknown format"));
        }
        let separated = ["csv", "tsv", "tab", "psv", "dat", "data", "txt"].contains(&ending.as_str());
        let is_svmlight = ["svm", "svmlight", "libsvm"].contains(&ending.as_str());
        if is_svmlight || (!are_cells(&ending) && looks_like_svmlight(head, beginning.is_all)) {
            return Ok(Format::Svmlight);
        }
        Ok(if !separated && looks_like_json(head) { Format::JsonLines } else { Format::Csv })
    }
}

impl fmt::Display for Format {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Format::Csv => "CSV",
            Format::JsonLines => "JSON lines",
            Format::Parquet => "Parquet",
            Format::ArrowIpc => "Arrow IPC",
            Format::Npy => "NumPy .npy",
            Format::Npz => "NumPy .npz",
            Format::ScipyNpz => "sparse .npz",
            Format::Svmlight => "svmlight",
            Format::Idx => "IDX",
            Format::Xpt => "SAS transport",
            Format::Memory => "Arrow",
        })
    }
}

/// Returns the format whose magic number `head` begins with; one of letters only is ignored if all of it is `prose`.
fn by_magic(head: &[u8], prose: bool) -> Option<Format> {
    let starts = |magic: &[u8]| head.starts_with(magic);
    if starts(b"PAR1") && !prose {
        Some(Format::Parquet)
    } else if (starts(b"ARROW1") && !prose) || starts(&[0xff; 4]) {
        // An IPC stream begins with the continuation marker of its first message.
        Some(Format::ArrowIpc)
    } else if starts(b"\x93NUMPY") {
        Some(Format::Npy)
    } else if starts(b"PK\x03\x04") || starts(b"PK\x05\x06") {
        Some(Format::Npz)
    } else if starts(b"HEADER RECORD*******LIB") {
        Some(Format::Xpt)
    } else if matches!(head, [0, 0, 0x08 | 0x09 | 0x0b..=0x0e, (1..), ..]) {
        Some(Format::Idx)
    } else {
        None
    }
}

/// Returns the kind of spreadsheet that a zip archive is, by its first entries or by the extension.
fn spreadsheet(ending: &str, head: &[u8]) -> Option<&'static str> {
    let contains = |name: &[u8]| head.windows(name.len()).any(|bytes| bytes == name);
    if !head.starts_with(b"PK") {
        return None;
    }
    if ["xlsx", "xlsm", "xlsb"].contains(&ending) || contains(b"[Content_Types].xml") || contains(b"xl/workbook") {
        Some("an Excel workbook")
    } else if ending == "ods" || contains(b"application/vnd.oasis.opendocument") {
        Some("an OpenDocument spreadsheet")
    } else {
        None
    }
}

/// Returns the name of a known but unsupported format.
fn known_but_unread(head: &[u8]) -> Option<&'static str> {
    let known: [(&[u8], &str); 9] = [
        (b"\x89HDF\r\n\x1a\n", "an HDF5 file"),
        (b"FEA1", "a Feather file of version 1"),
        (b"PARE", "an encrypted Parquet file"),
        (b"BZh", "a bzip2 file (gzip, xz and zstd are unpacked)"),
        (b"SQLite format 3\0", "an SQLite database"),
        (b"\xd0\xcf\x11\xe0", "an old Excel or other Office file"),
        (b"ORC", "an ORC file"),
        (b"Obj\x01", "an Avro file"),
        (b"RDX", "an R data file"),
    ];
    known.iter().find(|(magic, _)| head.starts_with(magic)).map(|(_, name)| *name)
}

/// Returns the message for a binary format that the extension implies but the content lacks.
fn promised_by(ending: &str) -> Option<&'static str> {
    Some(match ending {
        "parquet" | "pq" => "does not begin like a Parquet file",
        "arrow" | "feather" | "ipc" | "arrows" => "does not begin like an Arrow IPC file",
        "npy" => "does not begin like a .npy file",
        "npz" => "does not begin like a .npz file",
        "xpt" => "does not begin like a SAS transport file",
        _ => return None,
    })
}

/// Returns whether the extension promises cells with separators between them.
fn are_cells(ending: &str) -> bool {
    ["csv", "tsv", "tab", "psv"].contains(&ending)
}

/// Returns the extension in lower case, without that of a compression such as `.gz`.
fn ending(path: &Path) -> String {
    let name = path.file_name().map(|name| name.to_string_lossy().to_lowercase()).unwrap_or_default();
    let mut parts: Vec<&str> = name.split('.').skip(1).collect();
    if parts.last().is_some_and(|last| ["gz", "xz", "zst", "zstd"].contains(last)) {
        parts.pop();
    }
    parts.pop().unwrap_or_default().to_owned()
}

/// Returns whether there are no control characters except whitespace, as in text but hardly ever in binary files.
fn is_prose(head: &[u8]) -> bool {
    head.iter().all(|byte| matches!(byte, b'\t' | b'\n' | b'\r' | 0x0b | 0x0c | 0x20..))
}

/// Returns whether this is text, which has no zero bytes unless it is UTF-16.
fn is_text(head: &[u8]) -> bool {
    head.starts_with(&[0xff, 0xfe]) || head.starts_with(&[0xfe, 0xff]) || !head.contains(&0)
}

/// Returns whether the first two characters other than whitespace open a JSON object, or a list of them.
fn looks_like_json(head: &[u8]) -> bool {
    let head = head.strip_prefix(b"\xef\xbb\xbf").unwrap_or(head);
    let mut visible = head.iter().filter(|byte| !byte.is_ascii_whitespace());
    match visible.next() {
        Some(b'{') => matches!(visible.next(), Some(b'"' | b'}') | None),
        Some(b'[') => matches!(visible.next(), Some(b'{')),
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn detect(name: &str, head: &[u8]) -> std::result::Result<Format, String> {
        let head = Head { bytes: head.to_vec(), is_all: true };
        Format::detect(Path::new(name), Path::new(name), &head).map_err(|error| error.to_string())
    }

    #[test]
    fn spreadsheets_are_named_even_if_they_are_cut_off() {
        let excel = |name, head: &[u8]| detect(name, head).unwrap_err();
        assert!(excel("a.xlsx", b"PK\x03\x04").contains("an Excel workbook"));
        assert!(excel("a.bin", b"PK\x03\x04......[Content_Types].xml").contains("an Excel workbook"));
        assert!(excel("a.ods", b"PK\x03\x04").contains("an OpenDocument spreadsheet"));
        assert_eq!(detect("a.npz", b"PK\x03\x04......x.npy"), Ok(Format::Npz));
    }

    #[test]
    fn content_decides_regardless_of_the_extension() {
        assert_eq!(detect("a.csv", b"PAR1\x15\x04\x15"), Ok(Format::Parquet));
        assert_eq!(detect("a", b"ARROW1\0\0"), Ok(Format::ArrowIpc));
        assert_eq!(detect("a", b"\xff\xff\xff\xff\x10\0\0\0"), Ok(Format::ArrowIpc));
        assert_eq!(detect("a.txt", b"\x93NUMPY\x01\0"), Ok(Format::Npy));
        assert_eq!(detect("a", b"PK\x03\x04"), Ok(Format::Npz));
        assert_eq!(detect("a", b"HEADER RECORD*******LIBRARY HEADER"), Ok(Format::Xpt));
        assert_eq!(detect("labels", b"\0\0\x08\x01\0\0\0\x05"), Ok(Format::Idx));
        assert_eq!(detect("a", b" {\"x\": 1}\n"), Ok(Format::JsonLines));
        assert_eq!(detect("a", b"x,y\n1,2\n"), Ok(Format::Csv));
    }

    #[test]
    fn sparse_text_is_recognised_by_its_lines_or_its_extension() {
        assert_eq!(detect("news20", b"+1 3:0.5 9:1\n-1 1:1\n"), Ok(Format::Svmlight));
        assert_eq!(detect("a.txt.gz", b"3 3:0.5\n"), Ok(Format::Svmlight));
        assert_eq!(detect("a.libsvm", b"spam 3:0.5\n"), Ok(Format::Svmlight));
        assert_eq!(detect("a.tsv", b"3 3:0.5\n"), Ok(Format::Csv));
        assert_eq!(detect("a.txt", b"start end\n9:30 10:30\n"), Ok(Format::Csv));
    }

    #[test]
    fn the_extension_decides_between_text_formats() {
        assert_eq!(detect("a.csv.gz", b"{\"odd\"},b\n1,2\n"), Ok(Format::Csv));
        assert_eq!(detect("a.jsonl.zst", b"{\"odd\"},b\n1,2\n"), Ok(Format::JsonLines));
    }

    #[test]
    fn a_column_name_may_equal_a_magic_number() {
        for header in ["PAR1,PAR2", "ARROW1,b", "ORCHARD,b", "BZh,b", "RDX,b", "FEA1,b"] {
            assert_eq!(detect("a.csv", format!("{header}\n1,2\n").as_bytes()), Ok(Format::Csv), "{header}");
        }
        assert_eq!(detect("cut off.parquet", b"PAR1"), Ok(Format::Parquet));
    }

    #[test]
    fn unsupported_formats_are_named() {
        let list = Format::LIST;
        assert_eq!(detect("u.h5", b"\x89HDF\r\n\x1a\n"), Err(format!("u.h5: an HDF5 file; supported are {list}")));
        assert_eq!(
            detect("t.parquet", b"<html>"),
            Err(format!("t.parquet: does not begin like a Parquet file; supported are {list}"))
        );
        assert_eq!(
            detect("x", b"ab\0\0cd"),
            Err(format!("x: the content is binary and of an unknown format; supported are {list}"))
        );
    }
}
