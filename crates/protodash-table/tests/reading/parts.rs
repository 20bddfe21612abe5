//! Tables in several files: folders and patterns of parts are read as one table.

use std::fs;
use std::path::PathBuf;
use std::sync::Arc;

use arrow_array::{ArrayRef, Float32Array, Float64Array, Int32Array, Int64Array, NullArray, RecordBatch, StringArray};
use parquet::arrow::ArrowWriter;
use proptest::prelude::*;
use protodash_table::{ColumnKind, Format, Input, Matrix, MissingRule, PartPlace, RowPlace, Scaling};
use tempfile::TempDir;

use crate::files::{cells, gzip, names, open, packed, sample, write};
use crate::tables::{encode_alone, hint, npy, roles, texts};

/// A folder of parts.
struct PartFolder(TempDir);

impl PartFolder {
    fn with(files: &[(&str, &str)]) -> PartFolder {
        let folder = PartFolder(tempfile::tempdir().unwrap());
        files.iter().for_each(|(name, content)| drop(write(folder.0.path(), name, content)));
        folder
    }

    fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    fn open(&self) -> Input {
        open(self.0.path()).unwrap()
    }

    /// Message and hint of the error, with files named without the folder, which is called `parts`.
    fn refused(&self, pattern: &str) -> [String; 2] {
        let path = if pattern.is_empty() { self.0.path().to_owned() } else { self.path(pattern) };
        let error = open(&path).unwrap_err();
        let root = self.0.path().display().to_string();
        [error.to_string(), hint(&error)].map(|text| text.replace(&format!("{root}/"), "").replace(&root, "parts"))
    }
}

fn parquet(batch: &RecordBatch) -> Vec<u8> {
    let mut bytes = Vec::new();
    let mut writer = ArrowWriter::try_new(&mut bytes, batch.schema(), None).unwrap();
    writer.write(batch).unwrap();
    writer.close().unwrap();
    bytes
}

fn batch(columns: &[(&str, ArrayRef)]) -> RecordBatch {
    RecordBatch::try_from_iter_with_nullable(columns.iter().map(|(name, array)| (*name, array.clone(), true))).unwrap()
}

#[test]
fn parts_are_read_in_the_order_of_their_names_and_rows_are_numbered_across_them() {
    let folder = PartFolder::with(&[
        ("b.csv", "x,y\n3,c\n"),
        ("a.csv", "x,y\n1,a\n2,\"b\nb\"\n"),
        ("c.csv", "y,x\n\"d\",4\n"),
        ("_SUCCESS", ""),
        (".a.csv.crc", "binary"),
    ]);
    let input = folder.open();
    assert_eq!((input.n_rows(), input.format(), names(&input)), (4, Format::Csv, vec!["x", "y"]));
    assert_eq!(cells(&input), [["1", "a"], ["2", "b\nb"], ["3", "c"], ["4", "d"]]);
    let place =
        |name: &str, line| RowPlace::Part(Box::new(PartPlace { path: folder.path(name), place: RowPlace::Line(line) }));
    let places: Vec<RowPlace> = (0..4).map(|row| input.place(row)).collect();
    assert_eq!(places, [place("a.csv", 2), place("a.csv", 3), place("b.csv", 2), place("c.csv", 2)]);
    assert_eq!(input.part_of(2), (folder.path("b.csv").as_path(), 0));
    let picked = input.rows(&[3, 0, 2]).unwrap();
    assert_eq!(picked.column(0).as_ref(), &Int64Array::from(vec![4, 1, 3]));
    // A pattern reads the files that it matches.
    assert_eq!(cells(&open(&folder.path("[ac].csv")).unwrap()).len(), 3);
}

#[test]
fn every_format_in_parts_in_every_compression() {
    for name in ["people.csv", "people.jsonl", "people.parquet", "people.feather", "people.arrows", "c_order.npy"] {
        let whole = open(&sample(name)).unwrap();
        let bytes = fs::read(sample(name)).unwrap();
        let folder = tempfile::tempdir().unwrap();
        for (at, (ending, bytes)) in packed(&bytes).into_iter().enumerate() {
            write(folder.path(), &format!("{at}-{name}{ending}"), bytes);
        }
        let input = open(folder.path()).unwrap();
        assert_eq!((input.format(), input.n_rows()), (whole.format(), 4 * whole.n_rows()), "{name}");
        assert_eq!((input.columns().len(), input.schema()), (whole.columns().len(), whole.schema()), "{name}");
        assert_eq!(cells(&input), [cells(&whole), cells(&whole), cells(&whole), cells(&whole)].concat(), "{name}");
        assert_eq!(input.is_array(), whole.is_array());
    }
}

#[test]
fn one_array_of_each_archive() {
    let folder = tempfile::tempdir().unwrap();
    let archive = fs::read(sample("two.npz")).unwrap();
    for name in ["a.npz", "b.npz"] {
        write(folder.path(), name, &archive);
    }
    let error = open(folder.path()).unwrap_err().to_string();
    assert!(error.contains("a.npz: contains 2 arrays; name one of them: "), "{error}");
    let array = error.rsplit(", ").next().unwrap();
    let one = open(&folder.path().join(format!("a.npz:{array}"))).unwrap();
    let both = open(&folder.path().join(format!("*.npz:{array}"))).unwrap();
    assert_eq!(both.n_rows(), 2 * one.n_rows());
}

#[test]
fn types_of_text_are_inferred_from_all_parts_together() {
    // Alone, "a" would be an integer, empty, mixed and boolean.
    let folder =
        PartFolder::with(&[("1.csv", "a,b\n1,\n"), ("2.csv", "a,b\n,\n2.5,\n"), ("3.csv", "a,b\nunknown,true\n")]);
    let input = folder.open();
    let mixed = ColumnKind::Mixed { row: 3, value: "unknown".into(), n_text: 1 };
    let kinds: Vec<_> = input.columns().iter().map(|column| column.kind.clone()).collect();
    assert_eq!(kinds, [mixed, ColumnKind::Boolean]);
    assert_eq!(cells(&input), [["1", "-"], ["-", "-"], ["2.5", "-"], ["unknown", "true"]]);
    let error = encode_alone(&input, &roles(|_| {})).unwrap_err();
    let message = error.to_string().replace(&folder.0.path().display().to_string(), "parts");
    assert_eq!(message, "parts: line 2 of parts/3.csv, column \"a\": found text \"unknown\" in a numeric column");
}

#[test]
fn a_key_that_a_part_of_json_lines_lacks_is_missing_there() {
    let lines = [
        ("1.jsonl", "{\"x\": 1, \"t\": \"a\"}\n"),
        ("2.jsonl", "{\"y\": true, \"x\": 2.5}\n{\"l\": [1], \"t\": null}\n"),
    ];
    let (folder, whole) =
        (PartFolder::with(&lines), PartFolder::with(&[("all.jsonl", &lines.map(|(_, text)| text).concat())]));
    let (input, whole) = (folder.open(), open(&whole.path("all.jsonl")).unwrap());
    assert_eq!((names(&input), cells(&input)), (names(&whole), cells(&whole)));
    assert_eq!((input.columns(), input.unread()), (whole.columns(), whole.unread()));
}

#[test]
fn declared_types_widen_and_null_columns_adopt_them() {
    let folder = tempfile::tempdir().unwrap();
    let first = batch(&[
        ("n", Arc::new(Int32Array::from(vec![1, 2]))),
        ("f", Arc::new(Float32Array::from(vec![0.5, 1.5]))),
        ("t", Arc::new(NullArray::new(2))),
    ]);
    let second = batch(&[
        ("t", Arc::new(StringArray::from(vec!["x"]))),
        ("f", Arc::new(Float64Array::from(vec![0.1]))),
        ("n", Arc::new(Int64Array::from(vec![1_i64 << 40]))),
    ]);
    write(folder.path(), "1.parquet", parquet(&first));
    write(folder.path(), "2.parquet", parquet(&second));
    let input = open(folder.path()).unwrap();
    let types: Vec<String> = input.schema().fields().iter().map(|field| field.data_type().to_string()).collect();
    assert_eq!(types, ["Int64", "Float64", "Utf8"]);
    assert_eq!(cells(&input), [["1", "0.5", "-"], ["2", "1.5", "-"], ["1099511627776", "0.1", "x"]]);
    assert_eq!(input.columns()[2].kind, ColumnKind::Text);
}

#[test]
fn parts_without_rows_are_skipped_unless_all_are() {
    let folder = PartFolder::with(&[("1.csv", "x\n"), ("2.csv", "x\n7\n"), ("3.csv", "")]);
    assert_eq!(cells(&folder.open()), [["7"]]);
    let none = PartFolder::with(&[("1.csv", "x\n"), ("2.csv", "")]);
    let [message, hint] = none.refused("");
    assert_eq!(message, "parts: none of its 2 files has a row; at least 1 row is needed");
    assert_eq!(hint, "the program that wrote them may have failed; write them again");
}

#[test]
fn parts_that_do_not_fit_are_named_with_what_to_do() {
    let columns = PartFolder::with(&[("1.csv", "x,y\n1,2\n"), ("2.csv", "x,z\n1,2\n")]);
    assert_eq!(
        columns.refused("*.csv"),
        [
            "2.csv: has \"z\" instead of \"y\", which 1.csv has; all parts must have the same columns",
            "if 2.csv is not part of the table, move it, or name the parts with a quoted pattern such as 'part-*'"
        ]
    );
    let lacking = PartFolder::with(&[("1.csv", "x,y\n1,2\n"), ("2.csv", "x\n1\n")]);
    assert_eq!(
        lacking.refused("*.csv")[0],
        "2.csv: lacks \"y\", which 1.csv has; all parts must have the same columns"
    );
    let extra = PartFolder::with(&[("1.csv", "x\n1\n"), ("2.csv", "x,y\n1,2\n")]);
    assert_eq!(extra.refused("*.csv")[0], "2.csv: has \"y\", which 1.csv lacks; all parts must have the same columns");
    let format = PartFolder::with(&[("1.csv", "x,y\n1,2\n"), ("2.jsonl", "{\"x\": 1, \"y\": 2}\n")]);
    assert_eq!(
        format.refused("*")[0],
        "2.jsonl: this is JSON lines but 1.csv is CSV; all parts must have the same format"
    );
    let ragged = PartFolder::with(&[("1.csv", "x,y\n1,2\n"), ("2.csv", "x,y\n1\n")]);
    assert_eq!(ragged.refused("*.csv")[0], "2.csv: line 2 has 1 field but line 1 has 2");

    let types = tempfile::tempdir().unwrap();
    write(types.path(), "1.parquet", parquet(&batch(&[("x", Arc::new(Int32Array::from(vec![1])))])));
    write(types.path(), "2.parquet", parquet(&batch(&[("x", Arc::new(StringArray::from(vec!["a"])))])));
    let error = open(types.path()).unwrap_err();
    let message = error.to_string().replace(&format!("{}/", types.path().display()), "");
    assert_eq!(message, "2.parquet: column \"x\" is of type Utf8 but of type Int32 in 1.parquet");
    assert_eq!(hint(&error), "write the column with one type in all parts");
}

#[test]
fn folders_and_patterns_without_files() {
    let empty = PartFolder::with(&[]);
    let [message, hint] = empty.refused("");
    assert_eq!(message, "parts: there are no files in this folder");
    assert_eq!(hint, "give a folder that holds the data, or a file");
    fs::create_dir(empty.path("2024")).unwrap();
    write(&empty.path("2024"), "a.csv", "x\n1\n");
    let [_, hint] = empty.refused("");
    assert_eq!(hint, "give one of the 1 folders in it, or use a quoted pattern such as '*/*'");
    assert_eq!(cells(&open(&empty.path("*/*")).unwrap()), [["1"]]);
    let [message, hint] = empty.refused("*.csv");
    assert_eq!(message, "*.csv: no file matches this pattern");
    assert_eq!(hint, "check the folder and the extension, as in 'parts/*.csv'; * does not stand for a /");
}

#[test]
fn a_part_that_changes_between_two_passes_is_detected() {
    let folder = PartFolder::with(&[("1.csv", "x\n1\n"), ("2.csv", "x\n2\n")]);
    let input = folder.open();
    write(folder.0.path(), "2.csv", "x\n2\n3\n");
    let error = input.batches().unwrap().find_map(Result::err).unwrap();
    assert!(error.to_string().ends_with("2.csv: cannot be read"), "{error}");
    let cause = std::error::Error::source(&error).unwrap().to_string();
    assert_eq!(cause, "the file has changed since it was opened");
}

#[test]
fn notes_on_parts_are_given_once() {
    let folder = PartFolder::with(&[("1.csv", "1,2\n3,4\n"), ("2.csv", "1,2\n5,6\n"), ("3.csv", "1,2\n7,\"1,5\"\n")]);
    let notes: Vec<String> = texts(folder.open().notes());
    let [header, comma] = notes.as_slice() else { panic!("{notes:?}") };
    assert!(header.contains("1.csv: line 1 was read as the header although it holds only numbers"), "{header}");
    assert!(comma.starts_with("column \"2\" was read as text because it holds 1,5"), "{comma}");
}

#[test]
fn more_parts_than_files_may_be_open() {
    // The usual limit of open files is 1,024 for a process.
    let folder = tempfile::tempdir().unwrap();
    for at in 0..1_500 {
        write(folder.path(), &format!("{at:05}.npy"), npy("<f4", 1, &[0, 0, 0, 0x40]));
    }
    let input = open(folder.path()).unwrap();
    assert_eq!((input.n_rows(), cells(&input).len()), (1_500, 1_500));
}

/// Numbers of very different sizes, so that rounded sums would depend on their order.
fn number() -> impl Strategy<Value = Option<f64>> {
    prop_oneof![
        4 => (-1e3..1e3_f64).prop_map(Some),
        1 => (-1e18..1e18_f64).prop_map(Some),
        1 => prop::sample::select(vec![Some(0.0), Some(-0.0), Some(1e-9), None]),
    ]
}

/// The rows of a table, and where to split it.
fn split_table() -> impl Strategy<Value = (Vec<Vec<Option<f64>>>, Vec<usize>)> {
    let rows = prop::collection::vec(prop::collection::vec(number(), 3), 2..60);
    (rows, prop::collection::vec(0_usize..60, 0..6)).prop_map(|(rows, cuts)| {
        let mut cuts: Vec<usize> = cuts.into_iter().map(|cut| cut.min(rows.len())).chain([0, rows.len()]).collect();
        cuts.sort_unstable();
        (rows, cuts)
    })
}

/// Every bit of a matrix; none if the table cannot be encoded.
fn bits(input: &Input, scale: Scaling) -> Option<Vec<u64>> {
    let roles = roles(|roles| (roles.scale, roles.missing) = (Some(scale), MissingRule::Mean));
    match encode_alone(input, &roles).ok()?.matrix {
        Matrix::F64(matrix) => Some(matrix.iter().map(|value| value.to_bits()).collect()),
        Matrix::F32(matrix) => Some(matrix.iter().map(|value| value.to_bits().into()).collect()),
        Matrix::Sparse(rows) => Some(rows.values.iter().map(|value| value.to_bits()).collect()),
    }
}

/// Cells of every kind, so that parts infer different types.
fn cell() -> impl Strategy<Value = String> {
    let cells = ["1", "-7", "2.5", "", "NA", "true", "x", "00123", "1e300", "9223372036854775808", "z,y"];
    prop::sample::select(cells.map(str::to_owned).to_vec())
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 64, rng_seed: prop::test_runner::RngSeed::Fixed(11), ..Default::default() })]

    #[test]
    fn the_matrix_is_bit_identical_for_any_parts_and_batches((rows, cuts) in split_table()) {
        let column = |rows: &[Vec<Option<f64>>], at: usize| -> ArrayRef {
            Arc::new(rows.iter().map(|row| row[at]).collect::<Float64Array>())
        };
        let table = |rows: &[Vec<Option<f64>>]| batch(&[("a", column(rows, 0)), ("b", column(rows, 1)), ("c", column(rows, 2))]);
        let whole = Input::from_batches("whole", table(&rows).schema(), vec![table(&rows)]).unwrap();
        let pieces: Vec<RecordBatch> = cuts.windows(2).map(|cut| table(&rows[cut[0]..cut[1]])).collect();
        let folder = tempfile::tempdir().unwrap();
        for (at, piece) in pieces.iter().enumerate() {
            write(folder.path(), &format!("{at}.parquet"), parquet(piece));
        }
        let batches = Input::from_batches("batches", whole.schema().clone(), pieces).unwrap();
        let parts = open(folder.path()).unwrap();
        for &(scale, name, _) in Scaling::ALL {
            let expected = bits(&whole, scale);
            prop_assert_eq!(&bits(&batches, scale), &expected, "batches, {}", name);
            prop_assert_eq!(&bits(&parts, scale), &expected, "parts, {}", name);
        }
        // The scale does not depend on the order of rows either.
        let reversed: Vec<_> = rows.iter().rev().cloned().collect();
        let reversed = Input::from_batches("reversed", whole.schema().clone(), vec![table(&reversed)]).unwrap();
        let expected = bits(&whole, Scaling::Standard).map(|bits| bits.chunks(3).rev().flatten().copied().collect());
        prop_assert_eq!(bits(&reversed, Scaling::Standard), expected);
    }

    #[test]
    fn a_csv_file_and_its_parts_are_read_alike(
        rows in (1_usize..4).prop_flat_map(|n| prop::collection::vec(prop::collection::vec(cell(), n), 1..30)),
        cuts in prop::collection::vec(0_usize..30, 0..4),
    ) {
        let line = |cells: &Vec<String>| cells.iter().map(|cell| format!("\"{cell}\"")).collect::<Vec<_>>().join(",") + "\n";
        let header = (0..rows[0].len()).map(|at| format!("c{at}")).collect::<Vec<_>>().join(",") + "\n";
        let (whole, parts) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
        let all: String = rows.iter().map(line).collect();
        let whole = open(&write(whole.path(), "a.csv", format!("{header}{all}"))).unwrap();
        let mut cuts: Vec<usize> = cuts.into_iter().map(|cut| cut.min(rows.len())).chain([0, rows.len()]).collect();
        cuts.sort_unstable();
        for (at, pair) in cuts.windows(2).enumerate() {
            let some: String = rows[pair[0]..pair[1]].iter().map(line).collect();
            write(parts.path(), &format!("{at}.csv.gz"), gzip(format!("{header}{some}").as_bytes()));
        }
        let input = open(parts.path()).unwrap();
        prop_assert_eq!(input.columns(), whole.columns());
        prop_assert_eq!(input.schema(), whole.schema());
        prop_assert_eq!(cells(&input), cells(&whole));
    }
}
