//! Real files have the shape that their README states, and transport files equal their CSV versions.

use std::collections::BTreeMap;

use arrow_array::cast::AsArray;
use arrow_array::types::{Float64Type, UInt8Type};
use arrow_array::{Array, ArrayRef};
use arrow_cast::cast;
use arrow_schema::DataType;
use protodash_table::{ColumnKind, Format, Input, ReadOptions, RowPlace};

use crate::files::{names, open, real_data};
use crate::tables;

#[test]
fn transport_files_equal_their_csv_twins() {
    let Some(folder) = real_data("nhanes/2013-2014") else { return };
    for table in ["BPQ_H", "CDQ_H", "DEMO_H", "HIQ_H", "HSQ_H", "INQ_H", "OCQ_H", "SMQ_H"] {
        let xpt = open(&folder.join(format!("xpt/{table}.XPT"))).unwrap();
        let csv = open(&folder.join(format!("{table}.csv.xz"))).unwrap();
        assert_eq!((xpt.format(), csv.format()), (Format::Xpt, Format::Csv));
        assert_eq!((names(&xpt), xpt.n_rows()), (names(&csv), csv.n_rows()), "{table}");
        for column in 0..csv.columns().len() {
            let (from_xpt, from_csv) = (whole_column(&xpt, column), whole_column(&csv, column));
            compare(&format!("{table}.{}", csv.columns()[column].name), &from_xpt, &from_csv);
        }
    }
}

/// Returns all of one column.
fn whole_column(input: &Input, column: usize) -> ArrayRef {
    let pieces: Vec<ArrayRef> = input.batches().unwrap().map(|batch| batch.unwrap().column(column).clone()).collect();
    let pieces: Vec<&dyn Array> = pieces.iter().map(AsRef::as_ref).collect();
    arrow_select::concat::concat(&pieces).unwrap()
}

/// Checks that missing is missing, text is equal, 0 is 0 and numbers agree to 1e-6.
fn compare(name: &str, xpt: &ArrayRef, csv: &ArrayRef) {
    assert_eq!(xpt.len(), csv.len());
    for row in 0..xpt.len() {
        assert_eq!(xpt.is_null(row), csv.is_null(row), "{name}, row {row}");
    }
    if xpt.null_count() == xpt.len() {
        return;
    }
    if xpt.data_type() == &DataType::Utf8 {
        // Text of digits in the transport file is a number in the CSV file.
        let csv = cast(csv, &DataType::Utf8).unwrap();
        return assert_eq!(xpt.as_string::<i32>(), csv.as_string::<i32>(), "{name}");
    }
    let csv = cast(csv, &DataType::Float64).unwrap();
    let (xpt, csv) = (xpt.as_primitive::<Float64Type>(), csv.as_primitive::<Float64Type>());
    for (row, (found, expected)) in xpt.iter().zip(csv.iter()).enumerate() {
        let (Some(found), Some(expected)) = (found, expected) else { continue };
        assert!((found - expected).abs() <= 1e-6 * expected.abs(), "{name}, row {row}: {found} is not {expected}");
    }
}

#[test]
fn every_survey_table_has_the_stated_shape() {
    let Some(folder) = real_data("nhanes/2013-2014") else { return };
    let readme = std::fs::read_to_string(folder.join("README.md")).unwrap();
    let mut n_checked = 0;
    for line in readme.lines().filter(|line| line.starts_with("| `")) {
        let name = line.split('`').nth(1).unwrap();
        let shape = line.split('|').find_map(|cell| cell.trim().split_once(" x ")).unwrap();
        let input = open(&folder.join(name)).unwrap();
        let found = (input.n_rows().to_string(), input.columns().len().to_string());
        assert_eq!(found, (shape.0.to_owned(), shape.1.to_owned()), "{name}");
        let n_read: usize = input.batches().unwrap().map(|batch| batch.unwrap().num_rows()).sum();
        assert_eq!(n_read as u64, input.n_rows(), "{name}");
        n_checked += 1;
    }
    // 45 questionnaires, 8 transport files, 3 tables of the codebook.
    assert_eq!(n_checked, 45 + 8 + 3);
}

#[test]
fn the_drug_table_is_latin_1() {
    let Some(path) = real_data("nhanes/2013-2014/RXQ_RX_H.csv.xz") else { return };
    let input = open(&path).unwrap();
    assert_eq!(input.notes().len(), 1);
    assert!(tables::texts(input.notes())[0].ends_with("is not UTF-8; the file was read as Windows-1252 (Latin-1)"));
    let reasons = whole_column(&input, 9);
    assert!(reasons.as_string::<i32>().iter().flatten().any(|text| text.contains("Ménière") || text.contains('é')));
}

#[test]
fn retail_tables() {
    let Some(folder) = real_data("retail") else { return };
    let shape = |name: &str| {
        let input = open(&folder.join(name)).unwrap();
        ((input.n_rows(), input.columns().len()), input)
    };
    let (sessions_shape, sessions) = shape("online_shoppers_intention.csv");
    assert_eq!(sessions_shape, (12_330, 18));
    let kind =
        |input: &Input, name: &str| input.columns().iter().find(|column| column.name == name).unwrap().kind.clone();
    assert_eq!(kind(&sessions, "Revenue"), ColumnKind::Boolean);
    assert_eq!(whole_column(&sessions, 17).as_boolean().true_count(), 1908);
    let (customers_shape, customers) = shape("marketing_campaign.csv");
    assert_eq!(customers_shape, (2240, 29));
    assert_eq!(names(&customers)[0], "ID");
    assert_eq!(whole_column(&customers, 4).null_count(), 24);
    let invoices = [
        ("online_retail_2010-2011.csv.gz", 541_909, 135_080, 1454, 5_176_450),
        ("online_retail_2009-2010.csv.gz", 525_461, 107_927, 2928, 5_432_041),
    ];
    for (name, n_rows, without_customer, without_description, quantity) in invoices {
        let (found, input) = shape(name);
        assert_eq!(found, (n_rows, 8));
        assert_eq!(whole_column(&input, 6).null_count(), without_customer);
        assert_eq!(whole_column(&input, 2).null_count(), without_description);
        let quantities = whole_column(&input, 3);
        let quantities = quantities.as_primitive::<arrow_array::types::Int64Type>();
        assert_eq!(quantities.iter().flatten().sum::<i64>(), quantity);
        // Invoices are numbers except for the cancelled ones, which begin with a C.
        assert!(matches!(kind(&input, "Invoice"), ColumnKind::Mixed { value, .. } if value.starts_with('C')));
    }
}

#[test]
fn the_letters_file_has_no_header() {
    let Some(path) = real_data("letter/letter-recognition.data") else { return };
    let error = open(&path).unwrap_err();
    assert!(error.to_string().ends_with("columns 3 and 7 are both called \"8\"; names must differ"));
    assert_eq!(tables::hint(&error), "rename one of them, or use NoHeader if the first line is data");
    let mut options = ReadOptions::default();
    options.header = false;
    let input = Input::open(&path, &options).unwrap();
    assert_eq!((input.n_rows(), input.columns().len(), input.place(0)), (20_000, 17, RowPlace::Line(1)));
    let letters = whole_column(&input, 0);
    let mut counts = BTreeMap::new();
    letters.as_string::<i32>().iter().flatten().for_each(|letter| *counts.entry(letter.to_owned()).or_insert(0) += 1);
    assert_eq!((counts.len(), counts.values().min(), counts.values().max()), (26, Some(&734), Some(&813)));
}

#[test]
fn digits_of_mnist() {
    let Some(folder) = real_data("mnist") else { return };
    let counts = |name: &str| {
        let labels = whole_column(&open(&folder.join(name)).unwrap(), 0);
        let mut counts = [0; 10];
        labels.as_primitive::<UInt8Type>().values().iter().for_each(|label| counts[usize::from(*label)] += 1);
        (counts, labels.as_primitive::<UInt8Type>().values()[..5].to_vec())
    };
    let train = [5923, 6742, 5958, 6131, 5842, 5421, 5918, 6265, 5851, 5949];
    assert_eq!(counts("train-labels-idx1-ubyte.gz"), (train, vec![5, 0, 4, 1, 9]));
    let test = [980, 1135, 1032, 1010, 982, 892, 958, 1028, 974, 1009];
    assert_eq!(counts("t10k-labels-idx1-ubyte.gz"), (test, vec![7, 2, 1, 0, 4]));
    for (name, n_rows) in [("train-images-idx3-ubyte.gz", 60_000), ("t10k-images-idx3-ubyte.gz", 10_000)] {
        let input = open(&folder.join(name)).unwrap();
        assert_eq!((input.n_rows(), input.columns().len(), input.image_shape()), (n_rows, 784, Some([28, 28])));
        let n_read: usize = input.batches().unwrap().map(|batch| batch.unwrap().num_rows()).sum();
        assert_eq!(n_read as u64, n_rows);
    }
}

#[test]
fn hdf5_is_named_as_unsupported() {
    let Some(path) = real_data("usps/usps.h5") else { return };
    assert!(open(&path).unwrap_err().to_string().contains(": an HDF5 file; supported are CSV/TSV, Parquet"));
}
