//! Columns of lists of numbers become features, and numbers of single precision stay single.

use std::collections::HashMap;
use std::path::Path;
use std::sync::Arc;

use arrow_array::types::{Float32Type, Float64Type, Int32Type};
use arrow_array::{
    ArrayRef, FixedSizeListArray, Float32Array, Int16Array, LargeListArray, ListArray, RecordBatch, StringArray,
};
use arrow_ipc::writer::FileWriter;
use arrow_schema::{Field, Schema};
use ndarray::{Array2, array};
use parquet::arrow::ArrowWriter;
use protodash_table::{EncodeProblem, Error, Input, Matrix, MissingRule, ReadOptions, Roles, Scaling};

use crate::files::{cells, names, open, write};
use crate::tables::{encode_alone, feature_names, hint, names as named, roles, texts};

type Vector = Option<Vec<Option<f32>>>;

fn vector(numbers: &[f32]) -> Vector {
    Some(numbers.iter().copied().map(Some).collect())
}

fn batch(columns: &[(&str, ArrayRef)]) -> RecordBatch {
    RecordBatch::try_from_iter_with_nullable(columns.iter().map(|(name, array)| (*name, array.clone(), true))).unwrap()
}

fn list(vectors: Vec<Vector>) -> ArrayRef {
    Arc::new(ListArray::from_iter_primitive::<Float32Type, _, _>(vectors))
}

fn in_memory(columns: &[(&str, ArrayRef)]) -> Input {
    let batch = batch(columns);
    Input::from_batches("t", batch.schema(), vec![batch]).unwrap()
}

fn parquet(batch: &RecordBatch) -> Vec<u8> {
    let mut bytes = Vec::new();
    let mut writer = ArrowWriter::try_new(&mut bytes, batch.schema(), None).unwrap();
    writer.write(batch).unwrap();
    writer.close().unwrap();
    bytes
}

fn arrow(batch: &RecordBatch) -> Vec<u8> {
    let mut bytes = Vec::new();
    let mut writer = FileWriter::try_new(&mut bytes, &batch.schema()).unwrap();
    writer.write(batch).unwrap();
    writer.finish().unwrap();
    drop(writer);
    bytes
}

fn single(input: &Input, roles: &Roles) -> Array2<f32> {
    match encode_alone(input, roles).unwrap().matrix {
        Matrix::F32(matrix) => matrix,
        _ => panic!("all numbers are exact in single precision"),
    }
}

#[test]
fn lists_of_every_type_and_file_become_features_as_they_are() {
    let vectors = || vec![vector(&[0.5, 2.0]), vector(&[1.5, -3.0]), vector(&[0.1, 1e30])];
    let columns: [ArrayRef; 3] = [
        list(vectors()),
        Arc::new(LargeListArray::from_iter_primitive::<Float32Type, _, _>(vectors())),
        Arc::new(FixedSizeListArray::from_iter_primitive::<Float32Type, _, _>(vectors(), 2)),
    ];
    let folder = tempfile::tempdir().unwrap();
    for column in columns {
        let batch = batch(&[("e", column)]);
        for input in [
            open(&write(folder.path(), "a.parquet", parquet(&batch))).unwrap(),
            open(&write(folder.path(), "a.arrow", arrow(&batch))).unwrap(),
            Input::from_batches("t", batch.schema(), vec![batch.clone()]).unwrap(),
        ] {
            assert_eq!((names(&input), input.list_of(1)), (vec!["e[0]", "e[1]"], Some("e")));
            // Not standardised, and in the precision of the file.
            assert_eq!(single(&input, &Roles::default()), array![[0.5, 2.0], [1.5, -3.0], [0.1, 1e30]]);
        }
    }
}

/// Tensors of a fixed shape, such as the images of a data set, are lists of a fixed size with metadata.
#[test]
fn tensors_of_a_fixed_shape_become_features() {
    let images = vec![vector(&[0.0, 0.5, 1.0, 0.25, 2.0, 3.0]), vector(&[1.0, 0.0, 0.5, 4.0, 0.0, 1.5])];
    let array: ArrayRef = Arc::new(FixedSizeListArray::from_iter_primitive::<Float32Type, _, _>(images, 6));
    let metadata = [
        ("ARROW:extension:name", "arrow.fixed_shape_tensor"),
        ("ARROW:extension:metadata", r#"{"shape":[2,3],"dim_names":["y","x"]}"#),
    ];
    let metadata: HashMap<_, _> = metadata.map(|(key, value)| (key.to_owned(), value.to_owned())).into();
    let field = Field::new("image", array.data_type().clone(), false).with_metadata(metadata);
    let batch = RecordBatch::try_new(Arc::new(Schema::new(vec![field])), vec![array]).unwrap();
    let folder = tempfile::tempdir().unwrap();
    for input in [
        open(&write(folder.path(), "a.parquet", parquet(&batch))).unwrap(),
        open(&write(folder.path(), "a.arrow", arrow(&batch))).unwrap(),
        Input::from_batches("t", batch.schema(), vec![batch.clone()]).unwrap(),
    ] {
        assert_eq!((names(&input)[5], input.list_of(5)), ("image[5]", Some("image")));
        let expected = array![[0.0, 0.5, 1.0, 0.25, 2.0, 3.0], [1.0, 0.0, 0.5, 4.0, 0.0, 1.5]];
        assert_eq!(single(&input, &Roles::default()), expected);
    }
}

#[test]
fn lists_stay_as_they_are_beside_columns_that_are_scaled() {
    let x: ArrayRef = Arc::new(Int16Array::from(vec![1, 3]));
    let city: ArrayRef = Arc::new(StringArray::from(vec!["Ulm", "Bonn"]));
    let input = in_memory(&[("x", x), ("e", list(vec![vector(&[7.0, 9.0]), vector(&[8.0, 9.5])])), ("city", city)]);
    let encoded = encode_alone(&input, &Roles::default()).unwrap();
    assert_eq!(feature_names(&encoded), ["x", "e[0]", "e[1]", "city=Bonn", "city=Ulm"]);
    let expected = array![[-1.0, 7.0, 9.0, 0.0, 1.0], [1.0, 8.0, 9.5, 1.0, 0.0]];
    assert_eq!(encoded.matrix, Matrix::F32(expected));
    let scaled = single(&input, &roles(|roles| roles.scale = Some(Scaling::MinMax)));
    assert_eq!(scaled, array![[0.0, 0.0, 0.0, 0.0, 1.0], [1.0, 1.0, 1.0, 1.0, 0.0]]);
    // The name of the column stands for all of its elements.
    let dropped = encode_alone(&input, &roles(|roles| roles.drop = named(&["E"]))).unwrap();
    assert_eq!(feature_names(&dropped), ["x", "city=Bonn", "city=Ulm"]);
    let chosen = encode_alone(&input, &roles(|roles| roles.columns = Some(named(&["e"])))).unwrap();
    assert_eq!(feature_names(&chosen), ["e[0]", "e[1]"]);
}

#[test]
fn missing_lists_follow_the_rule_for_missing_values() {
    let input = in_memory(&[("e", list(vec![vector(&[1.0, 4.0]), None, vector(&[3.0, 0.0])]))]);
    let error = encode_alone(&input, &Roles::default()).unwrap_err();
    assert!(matches!(&error, Error::Encode(EncodeProblem::MissingValues { .. })), "{error}");
    let filled = |rule| single(&input, &roles(|roles| roles.missing = rule));
    assert_eq!(filled(MissingRule::Zero), array![[1.0, 4.0], [0.0, 0.0], [3.0, 0.0]]);
    assert_eq!(filled(MissingRule::Mean), array![[1.0, 4.0], [2.0, 2.0], [3.0, 0.0]]);
}

#[test]
fn ragged_lists_are_rejected_with_their_row_unless_they_are_excluded() {
    let folder = tempfile::tempdir().unwrap();
    let lists = |lengths: [usize; 2]| {
        let x: ArrayRef = Arc::new(Float32Array::from(vec![1.0, 2.0]));
        let tokens = lengths.map(|length| Some(vec![Some(1); length]));
        batch(&[("x", x), ("tokens", Arc::new(ListArray::from_iter_primitive::<Int32Type, _, _>(tokens)))])
    };
    write(folder.path(), "1.parquet", parquet(&lists([2, 2])));
    write(folder.path(), "2.parquet", parquet(&lists([2, 3])));
    let input = open(folder.path()).unwrap();
    let error = encode_alone(&input, &Roles::default()).unwrap_err();
    let message = error.to_string().replace(&format!("{}/", folder.path().display()), "");
    assert_eq!(
        message,
        "2.parquet: row 1 (counted from 0), column \"tokens\": the list has 3 elements; all lists must have 2"
    );
    assert_eq!(
        hint(&error),
        "make all lists the same length without missing elements, or leave the column out with Drop([\"tokens\"])"
    );
    let with = |change: fn(&mut ReadOptions)| {
        let mut options = ReadOptions::default();
        change(&mut options);
        cells(&Input::open(folder.path(), &options).unwrap()).concat()
    };
    assert_eq!(with(|options| options.drop = vec!["Tokens".into()]), ["1.0", "2.0", "1.0", "2.0"]);
    assert_eq!(with(|options| options.columns = Some(vec!["x".into()])), ["1.0", "2.0", "1.0", "2.0"]);
    // Parts whose lists have different lengths have different columns.
    write(folder.path(), "2.parquet", parquet(&lists([3, 3])));
    let error = open(Path::new(folder.path())).unwrap_err();
    assert!(error.to_string().contains("has \"tokens[2]\", which"), "{error}");
}

#[test]
fn a_column_that_dwarfs_the_lists_is_noted_and_vice_versa() {
    let many = |scale: f32| -> Vec<Vector> {
        (0..40).map(|row| vector(&[scale * (row % 7) as f32, scale * (row % 3) as f32])).collect()
    };
    let x: ArrayRef = Arc::new((0..40).map(|row| Some((row % 5) as f32)).collect::<Float32Array>());
    let notes = |input: &Input, roles: &Roles| texts(&encode_alone(input, roles).unwrap().notes);
    let large = in_memory(&[("x", x.clone()), ("e", list(many(100.0)))]);
    let note = "column \"e\" makes up over 99.99 % of the squared distances between rows; use Scale(Some(Standard)), use \
                Scale(Some(Rank)), or exclude it with Drop([\"e\"])";
    assert_eq!(notes(&large, &Roles::default()), [note]);
    let unscaled = roles(|roles| roles.scale = Some(Scaling::None));
    // Nine numbers outweigh one of the same size, and no scale would change that.
    let long = (0..40).map(|row| vector(&[(row % 7) as f32; 9])).collect();
    let long = in_memory(&[("x", x.clone()), ("e", list(long))]);
    assert_eq!(notes(&long, &unscaled), [] as [String; 0]);
    let small = in_memory(&[("x", x), ("e", list(many(0.01)))]);
    assert!(notes(&small, &unscaled)[0].starts_with("column \"x\" makes up "), "{:?}", notes(&small, &unscaled));
    // A list on its own is checked like an array: element by element.
    let lopsided = (0..40).map(|row| vector(&[1e3 * (row % 7) as f32, (row % 3) as f32])).collect();
    let alone = in_memory(&[("e", list(lopsided))]);
    assert!(notes(&alone, &Roles::default())[0].starts_with("column \"e[0]\" makes up over 99.99 %"));
}

#[test]
fn rows_of_length_1() {
    let input = in_memory(&[("e", list(vec![vector(&[3.0, 4.0]), vector(&[0.0, 0.0]), vector(&[-5.0, 12.0])]))]);
    let roles = roles(|roles| roles.normalize = true);
    assert_eq!(single(&input, &roles), array![[0.6, 0.8], [0.0, 0.0], [-5.0 / 13.0, 12.0 / 13.0]]);
    let notes = texts(&encode_alone(&input, &roles).unwrap().notes);
    assert_eq!(notes, ["1 row of zeros cannot be scaled to length 1; left unchanged"]);
}

#[test]
fn single_precision_takes_4_bytes_for_each_number() {
    let folder = tempfile::tempdir().unwrap();
    let column =
        |from: i32| -> ArrayRef { Arc::new((from..from + 100).map(|row| Some(row as f32)).collect::<Float32Array>()) };
    let numbers = batch(&[("a", column(0)), ("b", column(7))]);
    let input = open(&write(folder.path(), "a.parquet", parquet(&numbers))).unwrap();
    // Standardised by default, and rounded to the precision of the file.
    assert_eq!(single(&input, &roles(|roles| roles.memory = 4 * 200)).len(), 200);
    let error = encode_alone(&input, &roles(|roles| roles.memory = 4 * 200 - 1)).unwrap_err();
    assert!(matches!(error, Error::Encode(EncodeProblem::TooLarge { bytes: 800, .. })), "{error}");
    // One column of double precision makes all double.
    let mixed = in_memory(&[
        ("a", column(0)),
        ("b", Arc::new(arrow_array::PrimitiveArray::<Float64Type>::from_iter_values((0..100).map(f64::from)))),
    ]);
    assert!(matches!(encode_alone(&mixed, &Roles::default()).unwrap().matrix, Matrix::F64(_)));
    // So do dates, whose times of day need it.
    let day: ArrayRef =
        Arc::new(StringArray::from_iter_values((0..100).map(|row| format!("2024-01-{:02}", 1 + row % 28))));
    let dated = in_memory(&[("a", column(0)), ("day", day)]);
    assert!(matches!(encode_alone(&dated, &Roles::default()).unwrap().matrix, Matrix::F64(_)));
}
