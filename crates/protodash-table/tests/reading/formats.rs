//! Small files of every format, plain and compressed, with values worked out by hand.

use std::path::Path;

use arrow_schema::DataType;
use protodash_table::{ColumnKind, Format, Input, ReadOptions, RowPlace};

use crate::files::{batch_cells, cells, gzip, names, open, packed, sample, write, xz};
use crate::tables::texts;

/// The three people of `testdata/formats/people.*`; the last has neither membership nor city.
const PEOPLE: [[&str; 4]; 3] = [["10", "1.5", "true", "Ulm"], ["20", "-", "false", "Köln"], ["30", "-2.0", "-", "-"]];

/// Checks `name` plain and in every compression, with a neutral extension.
fn in_every_compression(name: &str, check: impl Fn(&Input)) {
    let directory = tempfile::tempdir().unwrap();
    for (ending, bytes) in packed(&std::fs::read(sample(name)).unwrap()) {
        for file_name in [format!("{name}{ending}"), format!("content-decides{ending}.bin")] {
            check(&open(&write(directory.path(), &file_name, &bytes)).unwrap());
        }
    }
}

fn counting(rows: usize, columns: usize) -> Vec<Vec<String>> {
    (0..rows).map(|row| (0..columns).map(|column| format!("{}", row * columns + column)).collect()).collect()
}

fn as_floats(cells: Vec<Vec<String>>) -> Vec<Vec<f64>> {
    cells.iter().map(|row| row.iter().map(|cell| cell.parse().unwrap()).collect()).collect()
}

#[test]
fn decimal_commas_give_a_note() {
    let directory = tempfile::tempdir().unwrap();
    let read = |text: &str| open(&write(directory.path(), "a.csv", text)).unwrap();
    let input = read("name;height\nAda;-1,75\nEmmy;1,6\n");
    let note = "column \"height\" was read as text because it holds -1,75; if that is a decimal comma, write -1.75";
    assert_eq!((texts(input.notes()), &input.columns()[1].kind), (vec![note.to_owned()], &ColumnKind::Text));
    assert!(read("name;tags\nAda;1,2,3\nEmmy;a,b\n").notes().is_empty());
    // Together with integers the column is mixed, which is rejected as a feature; the note says why.
    let note = "column \"height\" was read as text because it holds 1,6; if that is a decimal comma, write 1.6";
    assert_eq!(texts(read("name;height\nAda;2\nEmmy;1,6\n").notes()), [note]);
}

#[test]
fn ids_are_kept_as_written() {
    let directory = tempfile::tempdir().unwrap();
    let read = |text: &str, id: &str| {
        let mut options = ReadOptions::default();
        options.id = Some(id.to_owned());
        cells(&Input::open(&write(directory.path(), "a.csv", text), &options).unwrap())
    };
    // In other columns 1.10 and 1.1 are the same number, and NA is missing.
    let text = "version,country,x\n1.1,NA,0.50\n1.10,DE,NA\n,,3\n";
    assert_eq!(read(text, "VERSION"), [["1.1", "-", "0.5"], ["1.10", "DE", "-"], ["-", "-", "3.0"]]);
    assert_eq!(read(text, "country"), [["1.1", "NA", "0.5"], ["1.1", "DE", "-"], ["-", "-", "3.0"]]);
    // Integers are equal however they are written.
    assert_eq!(read("id\n17850.0\nNA\n3.00\n", "id"), [["17850.0"], ["-"], ["3.0"]]);
    assert_eq!(read("id\n17850\nNA\n+3\n", "id"), [["17850"], ["-"], ["3"]]);
    assert_eq!(read("id\n1.10\n2\n", "no such column"), [["1.1"], ["2.0"]]);
}

#[test]
fn every_table_format_gives_the_same_people() {
    let all = [
        ("people.csv", Format::Csv),
        ("people.jsonl", Format::JsonLines),
        ("people.parquet", Format::Parquet),
        ("people_polars.parquet", Format::Parquet),
        ("people.feather", Format::ArrowIpc),
        ("people.arrows", Format::ArrowIpc),
        ("people_polars.arrow", Format::ArrowIpc),
    ];
    for (name, format) in all {
        in_every_compression(name, |input| {
            assert_eq!(input.format(), format, "{input:?}");
            assert_eq!((input.n_rows(), input.is_array(), input.image_shape()), (3, false, None));
            assert_eq!(names(input), ["id", "score", "member", "city"]);
            let kinds: Vec<ColumnKind> = input.columns().iter().map(|column| column.kind.clone()).collect();
            assert_eq!(kinds, [ColumnKind::Number, ColumnKind::Number, ColumnKind::Boolean, ColumnKind::Text]);
            assert_eq!(cells(input), PEOPLE, "{input:?}");
            assert!(input.notes().is_empty() && input.unread().is_empty());
        });
    }
}

#[test]
fn files_can_be_read_repeatedly_and_concurrently() {
    for name in ["people.csv", "people.jsonl", "people.parquet", "people.feather", "people.arrows", "c_order.npy"] {
        let input = open(&sample(name)).unwrap();
        let (first, second) = (input.batches().unwrap(), input.batches().unwrap());
        for (one, other) in first.zip(second) {
            assert_eq!(one.unwrap(), other.unwrap(), "{name}");
        }
    }
}

#[test]
fn rows_are_returned_in_the_given_order() {
    for name in ["people.csv", "people.jsonl", "people.parquet", "people.feather", "people.arrows"] {
        let rows = open(&sample(name)).unwrap().rows(&[2, 0, 2]).unwrap();
        assert_eq!(batch_cells(&rows).unwrap(), [PEOPLE[2], PEOPLE[0], PEOPLE[2]], "{name}");
    }
    let none = open(&sample("people.csv")).unwrap().rows(&[]).unwrap();
    assert_eq!((none.num_rows(), none.num_columns()), (0, 4));
}

#[test]
fn rows_are_found_in_every_batch() {
    // 20,000 rows make three batches.
    let directory = tempfile::tempdir().unwrap();
    let text: String = (0..20_000).map(|row| format!("{row},{}\n", row % 7)).collect();
    let input = open(&write(directory.path(), "long.csv", format!("a,b\n{text}"))).unwrap();
    assert_eq!(input.batches().unwrap().map(|batch| batch.unwrap().num_rows()).collect::<Vec<_>>(), [8192, 8192, 3616]);
    let rows = input.rows(&[19_999, 8_192, 0, 8_191]).unwrap();
    assert_eq!(batch_cells(&rows).unwrap(), [["19999", "0"], ["8192", "2"], ["0", "0"], ["8191", "1"]]);
    assert_eq!(input.place(19_999), RowPlace::Line(20_001));
}

#[test]
fn arrays_in_either_order() {
    for name in ["c_order.npy", "fortran.npy"] {
        in_every_compression(name, |input| {
            assert_eq!((input.format(), input.n_rows(), input.is_array()), (Format::Npy, 3, true));
            assert_eq!(names(input), ["x0", "x1", "x2", "x3"]);
            assert_eq!(as_floats(cells(input)), as_floats(counting(3, 4)), "{name}");
            assert_eq!(input.image_shape(), None);
        });
    }
}

#[test]
fn images_in_either_order_are_flattened_row_by_row() {
    for (name, data_type) in [("pictures.npy", DataType::UInt8), ("fortran_pictures.npy", DataType::Int16)] {
        in_every_compression(name, |input| {
            assert_eq!((input.n_rows(), input.image_shape()), (2, Some([2, 3])));
            assert_eq!(input.schema().field(5).data_type(), &data_type);
            assert_eq!(cells(input), counting(2, 6), "{name}");
        });
    }
}

#[test]
fn arrays_of_every_element() {
    let read = |name: &str| {
        let input = open(&sample(name)).unwrap();
        (cells(&input), input.schema().field(0).data_type().clone())
    };
    let text = |rows: &[&[&str]]| rows.iter().map(|row| row.iter().map(ToString::to_string).collect()).collect();
    let rows = text(&[&["0.0", "1.0"], &["2.0", "3.0"], &["4.0", "5.0"]]);
    assert_eq!(read("big_endian.npy"), (rows, DataType::Float32));
    let rows = text(&[&["1", "-2"], &["1099511627776", "-1099511627776"]]);
    assert_eq!(read("big_endian_integers.npy"), (rows, DataType::Int64));
    // The largest and the smallest normal half float.
    let rows = text(&[&["0.5", "-2.0"], &["65504.0", "0.000061035156"]]);
    assert_eq!(read("half.npy"), (rows, DataType::Float32));
    assert_eq!(read("boolean.npy"), (text(&[&["1", "0"], &["0", "1"]]), DataType::UInt8));
    assert_eq!(read("text.npy"), (text(&[&["Ulm"], &["Köln"], &["-"]]), DataType::Utf8));
    assert_eq!(read("bytes.npy"), (text(&[&["ab"], &["c"], &["-"]]), DataType::Utf8));
    assert_eq!(read("one_dimension.npy"), (text(&[&["5"], &["0"], &["4"], &["1"], &["9"]]), DataType::Int64));
}

#[test]
fn one_array_of_an_archive_is_named_after_a_colon() {
    for name in ["two.npz", "two_deflated.npz"] {
        let directory = tempfile::tempdir().unwrap();
        for (ending, bytes) in packed(&std::fs::read(sample(name)).unwrap()) {
            let path = write(directory.path(), &format!("{name}{ending}"), &bytes);
            let named = |array: &str| open(Path::new(&format!("{}:{array}", path.display()))).unwrap();
            let first = named("first");
            assert_eq!((first.format(), first.n_rows(), first.is_array()), (Format::Npz, 3, true));
            assert_eq!(cells(&first), [["0.0", "1.0"], ["2.0", "3.0"], ["4.0", "5.0"]]);
            assert_eq!(cells(&named("second")), [["7"], ["8"], ["9"]]);
        }
    }
}

#[test]
fn the_only_array_of_an_archive_needs_no_name() {
    // Deflated and in Fortran order at once.
    in_every_compression("only.npz", |input| {
        assert_eq!(as_floats(cells(input)), as_floats(counting(3, 2)));
        assert_eq!(input.rows(&[1]).unwrap().num_rows(), 1);
    });
}

#[test]
fn idx_of_every_element() {
    let directory = tempfile::tempdir().unwrap();
    let idx = |kind: u8, elements: &[u8]| [&[0, 0, kind, 2, 0, 0, 0, 2, 0, 0, 0, 1], elements].concat();
    let all = [
        (0x08, vec![7, 255], DataType::UInt8, ["7", "255"]),
        (0x09, vec![7, 255], DataType::Int8, ["7", "-1"]),
        (0x0b, [[1, 0], [255, 255]].concat(), DataType::Int16, ["256", "-1"]),
        (0x0c, [[0, 1, 0, 0], [255; 4]].concat(), DataType::Int32, ["65536", "-1"]),
        (0x0d, [1.5_f32.to_be_bytes(), (-2.0_f32).to_be_bytes()].concat(), DataType::Float32, ["1.5", "-2.0"]),
        (0x0e, [1.5_f64.to_be_bytes(), (-2.0_f64).to_be_bytes()].concat(), DataType::Float64, ["1.5", "-2.0"]),
    ];
    for (kind, elements, data_type, expected) in all {
        for (ending, bytes) in packed(&idx(kind, &elements)) {
            let input = open(&write(directory.path(), &format!("{kind}{ending}"), bytes)).unwrap();
            assert_eq!((input.format(), input.n_rows(), names(&input)), (Format::Idx, 2, vec!["x0"]));
            assert_eq!(input.schema().field(0).data_type(), &data_type);
            assert_eq!(cells(&input).concat(), expected);
        }
    }
}

#[test]
fn idx_images_have_a_shape() {
    let directory = tempfile::tempdir().unwrap();
    let bytes = [&[0, 0, 8, 3, 0, 0, 0, 2, 0, 0, 0, 1, 0, 0, 0, 3][..], &[0, 1, 2, 3, 4, 5]].concat();
    let input = open(&write(directory.path(), "pictures-idx3-ubyte", bytes)).unwrap();
    assert_eq!((input.n_rows(), input.image_shape()), (2, Some([1, 3])));
    assert_eq!(cells(&input), counting(2, 3));
}

/// What the first row of `testdata/formats/types.*` becomes: name, type, value. The second row is missing throughout.
const TYPES: [(&str, DataType, &str); 25] = [
    ("int8", DataType::Int8, "-8"),
    ("int16", DataType::Int16, "-16"),
    ("int32", DataType::Int32, "-32"),
    ("int64", DataType::Int64, "-64"),
    ("uint8", DataType::UInt8, "8"),
    ("uint16", DataType::UInt16, "16"),
    ("uint32", DataType::UInt32, "32"),
    ("uint64", DataType::UInt64, "9223372036854775809"),
    ("float16", DataType::Float32, "0.5"),
    ("float32", DataType::Float32, "0.25"),
    ("float64", DataType::Float64, "0.125"),
    ("decimal", DataType::Float64, "12.34"),
    ("whole_decimal", DataType::Int64, "1234567890123456789"),
    ("date", DataType::Utf8, "2013-07-04"),
    ("timestamp", DataType::Utf8, "2013-07-04T12:30:15.250"),
    ("zoned", DataType::Utf8, "2013-07-04T12:30:15.250Z"),
    ("time", DataType::Utf8, "12:30:15.250"),
    ("duration", DataType::Int64, "90"),
    ("boolean", DataType::Boolean, "true"),
    ("string", DataType::Utf8, "a"),
    ("large_string", DataType::Utf8, "b"),
    ("string_view", DataType::Utf8, "c"),
    ("dictionary", DataType::Utf8, "d"),
    ("number_dictionary", DataType::Float64, "1.5"),
    ("nothing", DataType::Float64, "-"),
];

#[test]
fn every_arrow_type_is_a_number_a_boolean_text_or_named_as_unread() {
    for name in ["types.parquet", "types.arrow"] {
        let input = open(&sample(name)).unwrap();
        let rows = cells(&input);
        for (at, (column, data_type, value)) in TYPES.iter().enumerate() {
            let field = input.schema().field(at);
            assert_eq!((field.name().as_str(), field.data_type()), (*column, data_type), "{name}");
            assert_eq!(rows[0][at], *value, "{name}: {column}");
            let missing = if *column == "float16" { "NaN" } else { "-" };
            assert_eq!(rows[1][at], missing, "{name}: {column}");
        }
        let unread: Vec<&str> = input.unread().iter().map(|column| column.name.as_str()).collect();
        assert_eq!(unread, ["struct", "binary"]);
        let list: Vec<usize> =
            (0..2).filter_map(|at| names(&input).iter().position(|n| *n == format!("list[{at}]"))).collect();
        assert_eq!(list.iter().map(|at| rows[0][*at].as_str()).collect::<Vec<_>>(), ["1", "2"], "{name}");
        assert_eq!(list.iter().map(|at| rows[1][*at].as_str()).collect::<Vec<_>>(), ["-", "-"], "{name}");
    }
    // Parquet has no run-end encoding.
    let arrow = open(&sample("types.arrow")).unwrap();
    let runs = names(&arrow).iter().position(|name| *name == "runs").unwrap();
    assert_eq!(cells(&arrow)[1][runs], "7.5");
}

#[test]
fn bytes_are_read_where_they_are_shown() {
    let mut options = ReadOptions::default();
    options.show = vec!["BINARY".to_owned(), "struct".to_owned()];
    for name in ["types.parquet", "types.arrow"] {
        let input = Input::open(&sample(name), &options).unwrap();
        // A struct without bytes has nothing to show.
        let unread: Vec<&str> = input.unread().iter().map(|column| column.name.as_str()).collect();
        assert_eq!(unread, ["struct"], "{name}");
        let rows = input.rows(&[0, 1]).unwrap();
        let bytes = rows.column_by_name("binary").unwrap();
        assert_eq!((bytes.data_type(), bytes.is_null(1)), (&DataType::Binary, true), "{name}");
    }
}

#[test]
fn csv_with_every_quirk() {
    let directory = tempfile::tempdir().unwrap();
    // Byte order mark, semicolons, CRLF, quoted separators, quotes and line breaks, blanks, a blank line, no last break.
    let text = "\u{feff}name;\"a;b\" ; n\r\n\"Ann \"\"A\"\"\"; x ;1\r\n\r\n\"two\r\nlines\";;-2.50\r\nlast;y; NA ";
    let input = open(&write(directory.path(), "a.csv", text)).unwrap();
    assert_eq!(names(&input), ["name", "a;b", "n"]);
    let expected = [["Ann \"A\"", "x", "1.0"], ["two\r\nlines", "-", "-2.5"], ["last", "y", "-"]];
    assert_eq!(cells(&input), expected);
    let places: Vec<RowPlace> = (0..3).map(|row| input.place(row)).collect();
    assert_eq!(places, [2, 4, 6].map(RowPlace::Line));
}

#[test]
fn tabs_bars_and_a_custom_separator() {
    let directory = tempfile::tempdir().unwrap();
    for (name, text) in [("a.tsv", "a\tb\n1\tx y\n"), ("b.txt", "a|b\n1|x y\n")] {
        assert_eq!(cells(&open(&write(directory.path(), name, text)).unwrap()), [["1", "x y"]]);
    }
    let mut options = ReadOptions::default();
    options.delimiter = Some(b':');
    let path = write(directory.path(), "c.csv", "a:b\n1:x,y\n");
    assert_eq!(cells(&Input::open(&path, &options).unwrap()), [["1", "x,y"]]);
}

#[test]
fn csv_without_header() {
    let directory = tempfile::tempdir().unwrap();
    let path = write(directory.path(), "a.data", "T,2\nI,5\n");
    let mut options = ReadOptions::default();
    options.header = false;
    let input = Input::open(&path, &options).unwrap();
    assert_eq!((names(&input), input.n_rows(), input.place(0)), (vec!["column_1", "column_2"], 2, RowPlace::Line(1)));
    assert_eq!(cells(&input), [["T", "2"], ["I", "5"]]);
}

#[test]
fn csv_notes() {
    let directory = tempfile::tempdir().unwrap();
    let notes = |text: &[u8]| texts(open(&write(directory.path(), "a.csv", text)).unwrap().notes());
    assert!(notes(b"a,b\n1,2\n").is_empty());
    assert_eq!(
        notes(b"1.5,2\n3,4\n"),
        ["line 1 was read as the header although it holds only numbers; if it is data, use NoHeader"]
    );
    assert_eq!(notes(b",b\n1,2\n"), ["column 1 has no name in line 1; it is called \"column_1\""]);
    assert_eq!(notes(b"a\n1\ncaf\xe9\n"), ["line 3 is not UTF-8; the file was read as Windows-1252 (Latin-1)"]);
    assert_eq!(
        notes(b"a\n\n1\n  \r\n\n2\n\n"),
        ["skipped 3 blank lines; if they stand for missing values, write NA instead"]
    );
    assert!(notes(b"a,b\r\n\r\n1,2\r\n").is_empty() && notes(b"a\r\n1\r\n2\r\n").is_empty());
    assert_eq!(
        notes(b"id\n12345678901234567890\n"),
        ["column \"id\" holds integers of more than 64 bits and was read as text"]
    );
}

#[test]
fn encodings_other_than_utf_8() {
    let directory = tempfile::tempdir().unwrap();
    let latin = open(&write(directory.path(), "latin.csv", b"stra\xdfe,n\nM\xfcnch\x80,1\n")).unwrap();
    assert_eq!((names(&latin), cells(&latin)), (vec!["straße", "n"], vec![vec!["Münch€".to_owned(), "1".into()]]));
    let utf_16: Vec<u8> = "\u{feff}a\tb\nKöln\t2\n".encode_utf16().flat_map(u16::to_le_bytes).collect();
    let excel = open(&write(directory.path(), "excel.txt", utf_16)).unwrap();
    assert_eq!(cells(&excel), [["Köln", "2"]]);
}

#[test]
fn identifiers_keep_their_digits() {
    let directory = tempfile::tempdir().unwrap();
    let text = "zip,id,long\n00123,9007199254740993,123456789012345678901\n99501,1,2\n";
    let input = open(&write(directory.path(), "ids.csv", text)).unwrap();
    let types: Vec<&DataType> = input.schema().fields().iter().map(|field| field.data_type()).collect();
    assert_eq!(types, [&DataType::Utf8, &DataType::Int64, &DataType::Utf8]);
    let expected = [["00123", "9007199254740993", "123456789012345678901"], ["99501", "1", "2"]];
    assert_eq!(cells(&input), expected);
}

#[test]
fn infinities_are_yielded() {
    // They are an error only if the column is used.
    let directory = tempfile::tempdir().unwrap();
    let input = open(&write(directory.path(), "a.csv", "x\n1\n-inf\n1e999\n")).unwrap();
    assert_eq!(cells(&input).concat(), ["1.0", "-inf", "inf"]);
}

#[test]
fn json_columns_are_the_union_of_the_keys() {
    let directory = tempfile::tempdir().unwrap();
    let text = "{\"b\": 1, \"a\": \"x\"}\r\n\n{\"a\": \"NA\", \"c\": [1], \"b\": \"y\"}\n{}\n{\"b\": true, \"d\": 1e3, \"c\": 2}";
    let input = open(&write(directory.path(), "a.ndjson", text)).unwrap();
    assert_eq!(names(&input), ["b", "a", "d"]);
    assert_eq!(input.columns()[0].kind, ColumnKind::Mixed { row: 1, value: "y".into(), n_text: 2 });
    let expected = [["1", "x", "-"], ["y", "NA", "-"], ["-", "-", "-"], ["true", "-", "1000.0"]];
    assert_eq!(cells(&input), expected);
    assert_eq!((0..4).map(|row| input.place(row)).collect::<Vec<_>>(), [1, 3, 4, 5].map(RowPlace::Line));
    assert_eq!((input.unread()[0].name.as_str(), input.unread()[0].data_type.as_str()), ("c", "list"));
}

#[test]
fn json_numbers_keep_their_digits() {
    let directory = tempfile::tempdir().unwrap();
    let text = "{\"id\": 9007199254740993, \"long\": 123456789012345678901}\n{\"id\": -1, \"long\": 2}\n";
    let input = open(&write(directory.path(), "a.jsonl", text)).unwrap();
    assert_eq!(cells(&input), [["9007199254740993", "123456789012345678901"], ["-1", "2"]]);
    assert_eq!(texts(input.notes()), ["column \"long\" holds integers of more than 64 bits and was read as text"]);
}

#[test]
fn members_of_a_compressed_file_are_read_as_one() {
    let directory = tempfile::tempdir().unwrap();
    let (head, tail) = (b"a\n1\n", b"2\n3\n");
    let zst = |bytes: &[u8]| zstd::encode_all(bytes, 1).unwrap();
    let all = [[gzip(head), gzip(tail)], [xz(head), xz(tail)], [zst(head), zst(tail)]];
    for (at, members) in all.iter().enumerate() {
        let input = open(&write(directory.path(), &at.to_string(), members.concat())).unwrap();
        assert_eq!(cells(&input).concat(), ["1", "2", "3"]);
    }
}

#[cfg(unix)]
#[test]
fn a_pipe_is_read_twice() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("pipe");
    assert!(std::process::Command::new("mkfifo").arg(&path).status().unwrap().success());
    let writer = std::thread::spawn({
        let path = path.clone();
        move || std::fs::write(path, "a\n1\n2\n").unwrap()
    });
    let input = open(&path).unwrap();
    writer.join().unwrap();
    assert_eq!((cells(&input), cells(&input)), (vec![vec!["1".to_owned()], vec!["2".into()]], cells(&input)));
}

#[test]
fn bytes_after_an_array_give_a_note() {
    let directory = tempfile::tempdir().unwrap();
    let bytes = [std::fs::read(sample("one_dimension.npy")).unwrap(), vec![0; 7]].concat();
    let input = open(&write(directory.path(), "a.npy", bytes)).unwrap();
    let note = "ignored 7 bytes after the array; if they are more arrays, save each to its own file";
    assert_eq!((texts(input.notes()), input.n_rows()), (vec![note.to_owned()], 5));
}

#[test]
fn sas_transport_in_every_compression() {
    let directory = tempfile::tempdir().unwrap();
    for (ending, bytes) in packed(&xport(&["DEMO"])) {
        let input = open(&write(directory.path(), &format!("a.xpt{ending}"), bytes)).unwrap();
        assert_eq!((input.format(), input.n_rows(), names(&input)), (Format::Xpt, 4, vec!["SEX", "AGE"]));
        assert_eq!(cells(&input), [["F", "31.5"], ["-", "0.0"], ["M", "-"], ["-", "0.0"]]);
    }
}

/// The crate that reads the headers would take the zeros and blanks of the second observation for padding, give
/// 3.7e-40 for its age, and drop the last.
#[test]
fn zeros_in_short_observations_are_zeros() {
    let directory = tempfile::tempdir().unwrap();
    let input = open(&write(directory.path(), "a.xpt", xport(&["DEMO"]))).unwrap();
    assert_eq!((input.n_rows(), cells(&input)[3][1].as_str()), (4, "0.0"));
}

#[test]
fn one_data_set_of_a_transport_file_is_named_after_a_colon() {
    let directory = tempfile::tempdir().unwrap();
    let path = write(directory.path(), "a.xpt", xport(&["DEMO", "LAB"]));
    let lab = open(Path::new(&format!("{}:LAB", path.display()))).unwrap();
    assert_eq!((lab.n_rows(), cells(&lab)[0][0].as_str()), (4, "F"));
}

/// Returns a SAS transport file whose data sets all hold four people: F 31.5, blank 0, M missing, blank 0.
fn xport(names: &[&str]) -> Vec<u8> {
    use sas_xport::sas::SasVariableType;
    use sas_xport::sas::xport::{XportMetadata, XportSchema, XportValue, XportVariable, XportWriter};

    let schema = |name: &str| {
        let (mut sex, mut age) = (XportVariable::builder(), XportVariable::builder());
        sex.short_name("SEX").value_type(SasVariableType::Character).value_length(1);
        age.short_name("AGE").value_type(SasVariableType::Numeric).value_length(8);
        XportSchema::builder().dataset_name(name).add_variable(sex).add_variable(age).try_build().unwrap()
    };
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("a.xpt");
    let mut writer = XportWriter::from_file(std::fs::File::create(&path).unwrap(), XportMetadata::builder().build());
    for name in names {
        let mut records = writer.unwrap().write_schema(schema(name)).unwrap();
        for (sex, age) in [("F", 31.5), ("", 0.0), ("M", f64::NAN), ("", 0.0)] {
            records.write_record(&[XportValue::from(sex), XportValue::from(age)]).unwrap();
        }
        writer = records.next_dataset();
    }
    writer.unwrap().finish().unwrap();
    std::fs::read(path).unwrap()
}
