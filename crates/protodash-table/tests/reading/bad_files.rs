//! Files that cannot be read: the exact message, its cause if there is one, and the hint.

use std::error::Error as _;
use std::path::{Path, PathBuf};

use protodash_table::{Error, Input, ReadOptions};

use crate::files::{gzip, open, packed, real_data, sample, write};
use crate::tables;

const ALLOWED: &str = "supported are CSV/TSV, Parquet, Arrow IPC, JSON lines, NumPy .npy and .npz, sparse .npz, svmlight, IDX and SAS transport";

/// A folder whose name is omitted from messages.
struct TestFolder(tempfile::TempDir);

impl TestFolder {
    fn new() -> TestFolder {
        TestFolder(tempfile::tempdir().unwrap())
    }

    fn write(&self, name: &str, bytes: impl AsRef<[u8]>) -> PathBuf {
        write(self.0.path(), name, bytes)
    }

    /// Returns the message and the hint of `error`.
    fn message_and_hint(&self, error: &Error) -> (String, String) {
        let folder = format!("{}/", self.0.path().display());
        let clean = |text: String| text.replace(&folder, "");
        (clean(error.to_string()), clean(tables::hint(error)))
    }

    /// Returns message and hint of the error of opening a file with this content.
    fn refused(&self, name: &str, bytes: impl AsRef<[u8]>) -> (String, String) {
        self.message_and_hint(&open(&self.write(name, bytes)).unwrap_err())
    }

    /// Returns message and hint of the error of reading a file that can be opened.
    fn unreadable(&self, name: &str, bytes: impl AsRef<[u8]>) -> (String, String) {
        self.message_and_hint(&read(&open(&self.write(name, bytes)).unwrap()).unwrap_err())
    }
}

/// Reads all of `input` or up to the first error, which must end the iteration.
fn read(input: &Input) -> protodash_table::Result<()> {
    let mut batches = input.batches()?;
    let result = batches.by_ref().try_for_each(|batch| batch.map(|_| ()));
    assert!(batches.next().is_none());
    result
}

fn bytes_of(name: &str) -> Vec<u8> {
    std::fs::read(sample(name)).unwrap()
}

fn pair(message: &str, hint: &str) -> (String, String) {
    (message.to_owned(), hint.to_owned())
}

const AGAIN: &str = "copy or download the file again";

#[test]
fn no_file() {
    let folder = TestFolder::new();
    let missing = |name: &str| folder.message_and_hint(&open(&folder.0.path().join(name)).unwrap_err());
    let spelling = "check the spelling, or use the full path";
    assert_eq!(missing("a.csv"), pair("a.csv: no such file", spelling));
    folder.write("a.csv", "x\n1\n");
    assert_eq!(missing("a.csv/b.csv"), pair("a.csv/b.csv: no such file", spelling));
    // Only archives have parts, so this colon belongs to a name.
    assert_eq!(missing("a.csv:x"), pair("a.csv:x: no such file", spelling));
}

#[cfg(unix)]
#[test]
fn no_permission() {
    use std::os::unix::fs::PermissionsExt;
    let folder = TestFolder::new();
    let path = folder.write("secret.csv", "x\n1\n");
    std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o000)).unwrap();
    match open(&path) {
        Err(error) => {
            let expected = pair("secret.csv: no permission to read it", "`ls -l secret.csv` shows who may read it");
            assert_eq!(folder.message_and_hint(&error), expected);
        }
        // Root may read everything; the message is also tested with the error type.
        Ok(input) => assert_eq!(input.n_rows(), 1),
    }
}

#[test]
fn empty_files() {
    let folder = TestFolder::new();
    let hint = "the program that wrote it may have failed; write or copy it again";
    for (ending, bytes) in packed(b"") {
        let name = format!("a.csv{ending}");
        assert_eq!(folder.refused(&name, bytes), pair(&format!("{name}: the file is empty"), hint));
    }
    assert_eq!(folder.refused("b.csv", "\n \r\n\n"), pair("b.csv: the file is empty", hint));
    assert_eq!(folder.refused("c.csv", "\u{feff}"), pair("c.csv: the file is empty", hint));
    assert_eq!(folder.refused("d.jsonl", "{").0, "d.jsonl: line 1, character 1: EOF while parsing an object");
}

#[test]
fn a_header_without_rows() {
    let folder = TestFolder::new();
    let message = |name: &str, n: usize| format!("{name}: has {n} columns but no data rows; at least 1 row is needed");
    let hint = "if its only line is data, use NoHeader";
    assert_eq!(folder.refused("a.csv", "x,y\n"), pair(&message("a.csv", 2), hint));
    let one = "e.csv: has 1 column but no data rows; at least 1 row is needed";
    assert_eq!(folder.refused("e.csv", "<html>404</html>"), pair(one, hint));
    assert_eq!(folder.refused("b.idx", [0, 0, 8, 2, 0, 0, 0, 0, 0, 0, 0, 3]).0, message("b.idx", 3));
    assert_eq!(folder.refused("c.npy", npy("'<f8'", "(0, 4)", &[])).0, message("c.npy", 4));
}

#[test]
fn ragged_lines() {
    let folder = TestFolder::new();
    let comma = "put cells that contain \",\" in double quotes, or if \",\" is not the separator, set Delimiter(None)";
    assert_eq!(
        folder.refused("a.csv", "x,y,z\n1,2,3\n4,5\n"),
        pair("a.csv: line 3 has 2 fields but line 1 has 3", comma)
    );
    assert_eq!(
        folder.refused("b.csv", "\n\nx,y\n1,\"a\nb\"\n2,3,4\n"),
        pair("b.csv: line 6 has 3 fields but line 3 has 2", comma)
    );
    assert_eq!(
        folder.refused("c.tsv", "x\ty\n1\n").1,
        "put cells that contain a tab in double quotes, or if a tab is not the separator, set Delimiter(None)"
    );
    assert_eq!(
        folder.refused("d.csv", "x,y\n1,2\n\"3,4\n5,6\n7,8\n"),
        pair(
            "d.csv: a double quote in the record that begins in line 3 is never closed",
            "close it, or double it if it is part of the text"
        )
    );
    assert_eq!(
        folder.refused("e.csv", "x,y\n1,2\n\"3,4\n5,6\n7\",8,9\n"),
        pair(
            "e.csv: line 3 has 3 fields but line 1 has 2",
            "the record spans lines 3 to 5; look for an unclosed double quote in line 3"
        )
    );
    // Also in the last column, where no line has a wrong number of fields.
    assert_eq!(
        folder.refused("f.csv", "x,y\n1,a\n2,\"b\n3,c\n").0,
        "f.csv: a double quote in the record that begins in line 3 is never closed"
    );
}

#[test]
fn invalid_separators() {
    let folder = TestFolder::new();
    let path = folder.write("a.csv", "x\n1\n");
    for (delimiter, shown) in [(b'"', "'\"'"), (b'\n', "'\\n'"), (0xe9, "'é'")] {
        let mut options = ReadOptions::default();
        options.delimiter = Some(delimiter);
        let found = folder.message_and_hint(&Input::open(&path, &options).unwrap_err());
        let allowed = "it must be an ASCII character other than a quote or a line break";
        let message = format!("cannot use {shown} as the delimiter; {allowed}");
        assert_eq!(found, pair(&message, "use one character, as in Delimiter(Some(';'))"));
    }
}

#[test]
fn duplicate_column_names() {
    let folder = TestFolder::new();
    assert_eq!(
        folder.refused("a.csv", "age,sex, age \n1,2,3\n"),
        pair(
            "a.csv: columns 1 and 3 are both called \"age\"; names must differ",
            "rename one of them, or use NoHeader if the first line is data"
        )
    );
    assert_eq!(
        folder.refused("b.jsonl", "{\"a\": 1, \"a\": 2}\n").0,
        "b.jsonl: line 1, character 16: key \"a\" is repeated"
    );
}

#[test]
fn truncated_compression() {
    let folder = TestFolder::new();
    // Text that compresses badly, so that half of the compressed file is longer than the head.
    let rows: u64 = 12_000;
    let text: String = (0..rows).map(|n| format!("{}\n", n.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 20)).collect();
    for ((ending, bytes), name) in
        packed(format!("x\n{text}").as_bytes()).into_iter().skip(1).zip(["gzip", "xz", "zstd"])
    {
        for keep in [bytes.len() / 2, bytes.len() - 1, 7] {
            let message = format!("a.csv{ending}: the {name} data end too early");
            assert_eq!(folder.refused(&format!("a.csv{ending}"), &bytes[..keep]), pair(&message, AGAIN), "{keep}");
        }
    }
}

#[test]
fn damaged_compression() {
    let folder = TestFolder::new();
    let mut bytes = gzip("x\n1\n2\n3\n".repeat(50).as_bytes());
    let checksum = bytes.len() - 8;
    bytes[checksum] ^= 1;
    let error = open(&folder.write("a.csv.gz", bytes)).unwrap_err();
    assert_eq!(folder.message_and_hint(&error), pair("a.csv.gz: the gzip data are damaged", AGAIN));
    assert_eq!(error.source().unwrap().to_string(), "corrupt gzip stream does not have a matching checksum");
}

#[test]
fn truncated_parquet() {
    let folder = TestFolder::new();
    let bytes = bytes_of("people.parquet");
    for keep in 4..bytes.len() {
        let error = open(&folder.write("a.parquet", &bytes[..keep])).unwrap_err();
        assert_eq!(folder.message_and_hint(&error), pair("a.parquet: the Parquet file is damaged", AGAIN), "{keep}");
        assert!(error.source().is_some());
    }
    for (ending, bytes) in packed(&bytes[..bytes.len() - 1]) {
        let name = format!("a.parquet{ending}");
        assert_eq!(folder.refused(&name, bytes).0, format!("{name}: the Parquet file is damaged"));
    }
    let found = "does not begin like a Parquet file";
    assert_eq!(folder.refused("b.parquet", &bytes[..3]).0, format!("b.parquet: {found}; {ALLOWED}"));
}

#[test]
fn truncated_arrow() {
    let folder = TestFolder::new();
    for name in ["people.feather", "people_polars.arrow"] {
        let bytes = bytes_of(name);
        for keep in 6..bytes.len() {
            let error = open(&folder.write("a.arrow", &bytes[..keep])).unwrap_err();
            assert_eq!(
                folder.message_and_hint(&error),
                pair("a.arrow: the Arrow IPC file is damaged", AGAIN),
                "{keep}"
            );
        }
    }
    // A stream may end after any of its messages; the first batch of this one, two rows, ends before the second begins.
    let bytes = bytes_of("people.arrows");
    for keep in 4..bytes.len() {
        match open(&folder.write("a.arrows", &bytes[..keep])) {
            Err(Error::NoRows { .. }) => {}
            Err(error) => {
                assert_eq!(folder.message_and_hint(&error).0, "a.arrows: the Arrow IPC file is damaged", "{keep}")
            }
            Ok(input) => assert!([2, 3].contains(&input.n_rows()), "{keep}"),
        }
    }
}

#[test]
fn truncated_arrays() {
    let folder = TestFolder::new();
    for name in ["c_order.npy", "fortran.npy"] {
        let bytes = bytes_of(name);
        assert_eq!(
            folder.refused("a.npy", &bytes[..200]),
            pair("a.npy: the NumPy .npy file is truncated: it has 200 bytes, but its header says 224", AGAIN)
        );
        assert_eq!(
            folder.refused("a.npy", &bytes[..100]).0,
            "a.npy: the NumPy .npy file is truncated: it has 100 bytes, but its header says 128"
        );
    }
    // In a compressed file the end is only found by reading or unpacking.
    let message = "a.npy.gz: the NumPy .npy file is truncated: it has 200 bytes, but its header says 224";
    assert_eq!(folder.unreadable("a.npy.gz", gzip(&bytes_of("c_order.npy")[..200])).0, message);
    assert_eq!(folder.refused("a.npy.gz", gzip(&bytes_of("fortran.npy")[..200])).0, message);
    assert_eq!(
        folder.refused("a.idx", [0, 0, 8, 1, 0, 0, 0, 5, 1, 2, 3]),
        pair("a.idx: the IDX file is truncated: it has 11 bytes, but its header says 13", AGAIN)
    );
    assert_eq!(
        folder.refused("a.idx", [0, 0, 8, 3, 0, 0, 0, 5]).0,
        "a.idx: the IDX file is truncated: it has 8 bytes, but its header says 16"
    );
    let idx = gzip(&[0, 0, 8, 1, 0, 0, 0, 5, 1, 2, 3]);
    assert_eq!(
        folder.unreadable("a.gz", idx).0,
        "a.gz: the IDX file is truncated: it has 11 bytes, but its header says 13"
    );
}

#[test]
fn truncated_and_damaged_archives() {
    let folder = TestFolder::new();
    let bytes = bytes_of("only.npz");
    for keep in 4..bytes.len() {
        let found = folder.refused("a.npz", &bytes[..keep]);
        assert_eq!(found, pair("a.npz: the NumPy .npz file is damaged", AGAIN), "{keep}");
    }
    let mut bytes = bytes_of("two.npz");
    // The last byte of the array called second, whose checksum is 8 bytes.
    let at = bytes.windows(8).position(|window| window == 9_i64.to_le_bytes()).unwrap();
    bytes[at] = 10;
    let path = folder.write("b.npz", bytes);
    let error = open(Path::new(&format!("{}:second", path.display()))).unwrap_err();
    assert_eq!(folder.message_and_hint(&error).0, "b.npz:second: the zip data are damaged");
    assert_eq!(error.source().unwrap().to_string(), "the checksum does not match");
}

#[test]
fn truncated_transport() {
    let folder = TestFolder::new();
    let header = "HEADER RECORD*******LIBRARY HEADER RECORD!!!!!!!000000000000000000000000000000  ";
    assert_eq!(folder.refused("a.xpt", header), pair("a.xpt: the SAS transport file is damaged", AGAIN));
    let Some(path) = real_data("nhanes/2013-2014/xpt/HSQ_H.XPT") else { return };
    let bytes = std::fs::read(path).unwrap();
    // The headers have 2,000 bytes, an observation has 9 numbers of 8: (100,000 - 2,000) / 72 = 1361.1.
    let error = open(&folder.write("b.xpt", &bytes[..100_000])).unwrap_err();
    assert_eq!(folder.message_and_hint(&error), pair("b.xpt: the SAS transport file is damaged", AGAIN));
    assert_eq!(error.source().unwrap().to_string(), "the file ends within observation 1362");
}

#[test]
fn archives_with_several_arrays_or_none() {
    let folder = TestFolder::new();
    let path = folder.write("two.npz", bytes_of("two.npz"));
    assert_eq!(
        folder.message_and_hint(&open(&path).unwrap_err()),
        pair("two.npz: contains 2 arrays; name one of them: first, second", "write two.npz:first")
    );
    assert_eq!(
        folder.message_and_hint(&open(Path::new(&format!("{}:third", path.display()))).unwrap_err()),
        pair("two.npz:third: \"third\" is not one of its arrays: first, second", "write two.npz:first")
    );
    let empty = [b"PK\x05\x06".as_slice(), &[0; 18]].concat();
    assert_eq!(folder.refused("a.npz", empty).0, format!("a.npz: a zip archive without .npy arrays; {ALLOWED}"));
}

#[test]
fn unsupported_arrays() {
    let folder = TestFolder::new();
    let kinds = "supported are booleans, integers, floats of 2, 4 or 8 bytes and text";
    let plain = "save the array with a plain type, as in array.astype(\"float64\")";
    let objects = format!("a.npy: the array has elements of type '|O'; {kinds}");
    assert_eq!(folder.refused("a.npy", bytes_of("objects.npy")), pair(&objects, plain));
    let records = format!("a.npy: the array has elements of type record; {kinds}");
    assert_eq!(folder.refused("a.npy", bytes_of("records.npy")), pair(&records, plain));
    let limits = "it must have at least 1 dimension and 1 to 1048576 values per row";
    let transpose = "each row must be one observation; if the columns are observations, transpose the array";
    for shape in ["()", "(3, 0)", "(1, 2000000)", "(1, 99999999999, 99999999999)"] {
        let message = format!("a.npy: the array has shape {shape}; {limits}");
        assert_eq!(folder.refused("a.npy", npy("'<f8'", shape, &[0; 8])), pair(&message, transpose));
    }
    assert_eq!(
        folder.refused("a.npy", npy("'<f8'", "(3 4)", &[])).0,
        "a.npy: the .npy header is invalid: expected ')', found '4'"
    );
    assert_eq!(
        folder.refused("a.npy", b"\x93NUMPY\x09\0..").0,
        "a.npy: the .npy header is invalid: version 9 is unknown; supported are 1, 2 and 3"
    );
    let long = [b"\x93NUMPY\x02\0\xff\xff\xff\x7f".as_slice(), &[b' '; 70_000]].concat();
    assert_eq!(
        folder.refused("a.npy", long).0,
        "a.npy: the .npy header is invalid: it is 2147483659 bytes long, at most 65536 are allowed"
    );
}

#[test]
fn lines_that_are_not_objects() {
    let folder = TestFolder::new();
    let hint = "each line must hold one object, as `jq -c . FILE` writes them, or `jq -c .[] FILE` for a list";
    let all = [
        ("{\"a\": 1}\n{\"a\": \n", "line 2, character 5: EOF while parsing a value"),
        ("{\"a\": 1}\n[1]\n", "line 2, character 1: invalid type: sequence, expected an object in braces"),
        ("{\"a\": NaN}\n", "line 1, character 7: expected value"),
        ("{\"a\": 1} {\"a\": 2}\n", "line 1, character 10: trailing characters"),
        ("[{\"a\": 1}]\n", "line 1, character 1: invalid type: sequence, expected an object in braces"),
        ("{\n  \"a\": 1\n}\n", "line 1, character 1: EOF while parsing an object"),
        ("{\"a\": \"\\ud800\"}\n", "line 1, character 15: a text has an invalid escape"),
    ];
    for (text, problem) in all {
        assert_eq!(folder.refused("a.jsonl", text), pair(&format!("a.jsonl: {problem}"), hint), "{text}");
    }
}

#[test]
fn unsupported_formats() {
    let folder = TestFolder::new();
    let all: [(&[u8], &str); 4] = [
        (b"\x89HDF\r\n\x1a\n\0\0", "an HDF5 file"),
        (b"SQLite format 3\0", "an SQLite database"),
        (b"BZh91AY&SY\x01\x02", "a bzip2 file (gzip, xz and zstd are unpacked)"),
        (b"abc\0\x01\x02", "the content is binary and of an unknown format"),
    ];
    for (bytes, found) in all {
        let hint = "convert it to one of these, for example to CSV or Parquet";
        assert_eq!(folder.refused("a", bytes), pair(&format!("a: {found}; {ALLOWED}"), hint));
    }
}

#[test]
fn only_columns_that_cannot_be_read() {
    let folder = TestFolder::new();
    assert_eq!(
        folder.refused("a.jsonl", "{\"tags\": [1], \"place\": {\"x\": 1}}\n"),
        pair(
            "a.jsonl: no column can be read: \"tags\" is list, \"place\" is object",
            "write the column as text or as floating-point numbers"
        )
    );
}

#[test]
fn rows_out_of_range() {
    let folder = TestFolder::new();
    let input = open(&folder.write("a.csv", "x\n1\n2\n")).unwrap();
    let found = folder.message_and_hint(&input.rows(&[0, 2]).unwrap_err());
    assert_eq!(found, pair("a.csv: there is no row 2 (counted from 0); the file has 2 rows", ""));
}

#[test]
fn files_that_change_while_they_are_read() {
    let folder = TestFolder::new();
    let hint = "wait until the file is complete, then run again";
    let all = [
        ("x\n1\n2\n", "x\n1\ntwo\n", "line 3"),
        ("x\n1\n2\n", "x\n1\n", "row 1 (counted from 0)"),
        ("x\n1\n2\n", "", "row 0 (counted from 0)"),
        ("x\n1\n2\n", "x\n1\n2,3\n", "line 3"),
    ];
    for (before, after, place) in all {
        let path = folder.write("a.csv", before);
        let input = open(&path).unwrap();
        std::fs::write(&path, after).unwrap();
        let message = format!("a.csv: changed while it was being read, at {place}");
        assert_eq!(folder.message_and_hint(&read(&input).unwrap_err()), pair(&message, hint));
    }
    // What is appended after opening is ignored.
    let path = folder.write("a.csv", "x\n1\n");
    let input = open(&path).unwrap();
    std::fs::write(&path, "x\n1\n2\n").unwrap();
    read(&input).unwrap();
}

#[test]
fn decimals_beyond_64_bits() {
    use arrow_array::{ArrayRef, Decimal128Array, RecordBatch};
    let values = Decimal128Array::from(vec![1, 1 << 100]).with_precision_and_scale(38, 0).unwrap();
    let batch = RecordBatch::try_from_iter([("id", std::sync::Arc::new(values) as ArrayRef)]).unwrap();
    let mut bytes = Vec::new();
    let mut writer = parquet::arrow::ArrowWriter::try_new(&mut bytes, batch.schema(), None).unwrap();
    writer.write(&batch).unwrap();
    writer.close().unwrap();
    let folder = TestFolder::new();
    assert_eq!(
        folder.unreadable("a.parquet", bytes),
        pair(
            "a.parquet: row 1 (counted from 0), column \"id\": found 1267650600228229401496703205376; expected \
             integers of 64 bits",
            "write the column as text or as floating-point numbers"
        )
    );
}

/// Returns a `.npy` file of version 1.
fn npy(descr: &str, shape: &str, elements: &[u8]) -> Vec<u8> {
    let header = format!("{{'descr': {descr}, 'fortran_order': False, 'shape': {shape}, }}\n");
    [b"\x93NUMPY\x01\x00", &(header.len() as u16).to_le_bytes()[..], header.as_bytes(), elements].concat()
}
