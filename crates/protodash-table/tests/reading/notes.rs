//! Columns that are probably not intended as the features that they became: a note names each, and what to set.

use std::fmt::Write as _;
use std::sync::Arc;

use arrow_array::builder::{ListBuilder, StringBuilder};
use arrow_array::{ArrayRef, Date32Array, Float64Array, RecordBatch, Time32SecondArray};
use protodash_table::{Input, Matrix, ReadOptions, Roles, Scaling, date_text};

use crate::tables::{Tables, encode_alone, encode_both, feature_names, names, npy, roles, texts};

/// Returns a CSV file of `n_rows` rows with cells from `cell`, which is given the row.
fn table(header: &str, n_rows: usize, cell: impl Fn(usize) -> String) -> String {
    let mut text = format!("{header}\n");
    (0..n_rows).for_each(|row| writeln!(text, "{}", cell(row)).unwrap());
    text
}

#[test]
fn a_column_of_unique_integers_looks_like_an_id() {
    let tables = Tables::new();
    let input = tables.write("t.csv", table("customer,x", 30, |row| format!("{},{}", 900 - 7 * row, row % 3)));
    let note = "integer column \"customer\" has only distinct values, so it looks like an id but is used as a \
                feature; use \
                Id(Some(\"customer\")) if it names the rows, or exclude it with Drop([\"customer\"])";
    assert_eq!(texts(&encode_alone(&input, &Roles::default()).unwrap().notes), [note]);
    for meant in [
        roles(|roles| roles.id = Some("customer".into())),
        roles(|roles| roles.columns = Some(names(&["customer", "x"]))),
        roles(|roles| roles.drop = names(&["customer"])),
    ] {
        assert!(encode_alone(&input, &meant).unwrap().notes.is_empty());
    }
    // Measurements may be all different, and so may a few integers.
    let input = tables.write("u.csv", table("a,x", 30, |row| format!("{}.5,{}", 900 - 7 * row, row % 3)));
    assert!(encode_alone(&input, &Roles::default()).unwrap().notes.is_empty());
    let input = tables.write("v.csv", table("a,x", 15, |row| format!("{},{}", 900 - 7 * row, row % 3)));
    assert!(encode_alone(&input, &Roles::default()).unwrap().notes.is_empty());
}

#[test]
fn dates_are_numbers() {
    let tables = Tables::new();
    let input = tables.write("t.csv", "day,x\n2024-01-01,1\n2024-01-11,2\n2024-01-21 12:00,3\n");
    let encoded = encode_alone(&input, &roles(|roles| roles.scale = Some(Scaling::None))).unwrap();
    assert_eq!(feature_names(&encoded), ["day", "x"]);
    let Matrix::F64(matrix) = &encoded.matrix else { panic!("a table is double") };
    assert_eq!(matrix.column(0).to_vec(), [19_723.0, 19_733.0, 19_743.5]);
    assert!(encoded.features[0].is_date && !encoded.features[1].is_date);

    // Scaling is undone to the date.
    for scale in [Scaling::Standard, Scaling::MinMax, Scaling::Robust, Scaling::Rank] {
        let encoded = encode_alone(&input, &roles(|roles| roles.scale = Some(scale))).unwrap();
        let Matrix::F64(matrix) = &encoded.matrix else { panic!("a table is double") };
        let unit = encoded.features[0].unit.as_ref().unwrap();
        let shown: Vec<String> = matrix.column(0).iter().map(|value| date_text(unit.in_file(*value))).collect();
        assert_eq!(shown, ["2024-01-01", "2024-01-11", "2024-01-21 12:00:00"], "{scale:?}");
    }

    // They are categories if the caller says so.
    let listed = encode_alone(&input, &roles(|roles| roles.categorical = names(&["day"]))).unwrap();
    assert_eq!(feature_names(&listed)[0], "day=2024-01-01");
}

#[test]
fn dates_of_arrow_and_of_json_are_numbers_too() {
    let day: ArrayRef = Arc::new(Date32Array::from(vec![0, 10, 30]));
    let time: ArrayRef = Arc::new(Time32SecondArray::from(vec![0, 21_600, 43_200]));
    let batch = RecordBatch::try_from_iter([("day", day), ("time", time)]).unwrap();
    let input = Input::from_batches("t", batch.schema(), vec![batch]).unwrap();
    let encoded = encode_alone(&input, &roles(|roles| roles.scale = Some(Scaling::None))).unwrap();
    assert_eq!(encoded.matrix, Matrix::F64(ndarray::array![[0.0, 0.0], [10.0, 0.25], [30.0, 0.5]]));

    let tables = Tables::new();
    let input = tables.write("t.jsonl", "{\"day\": \"1970-01-02\"}\n{\"day\": null}\n{\"day\": \"1970-01-05\"}\n");
    let encoded = encode_alone(
        &input,
        &roles(|roles| {
            roles.scale = Some(Scaling::None);
            roles.missing = protodash_table::MissingRule::Mean;
        }),
    );
    assert_eq!(encoded.unwrap().matrix, Matrix::F64(ndarray::array![[1.0], [2.5], [4.0]]));
}

#[test]
fn a_date_in_one_file_and_text_in_the_other_are_categories() {
    let tables = Tables::new();
    let source = tables.write("s.csv", "day\n2024-01-01\n2024-01-02\n");
    let target = tables.write("t.csv", "day\n2024-01-01\nsoon\n");
    let (source, _) = encode_both(&source, &target, &Roles::default()).unwrap();
    assert_eq!(feature_names(&source), ["day=2024-01-01", "day=2024-01-02", "day=soon"]);
}

#[test]
fn a_column_of_many_codes_is_noted() {
    let tables = Tables::new();
    let input = tables.write("t.csv", table("code,x", 2000, |row| format!("c{},{}", row % 1000, row % 7)));
    let note = "text column \"code\" has 1000 categories, each of which became a feature; use Id(Some(\"code\")) if it names \
                the rows, exclude it with Drop([\"code\"]), or write dates as 2024-01-31, which are numbers";
    assert_eq!(texts(&encode_alone(&input, &Roles::default()).unwrap().notes), [note]);
    let listed = roles(|roles| roles.categorical = names(&["code"]));
    assert!(encode_alone(&input, &listed).unwrap().notes.is_empty());
}

#[test]
fn skipped_columns_are_noted() {
    let tables = Tables::new();
    let lines = "{\"x\": 1, \"tags\": [1, 2], \"place\": {\"lat\": 1}}\n{\"x\": 2}\n";
    let input = tables.write("t.jsonl", lines);
    let note = "skipped 2 columns of lists, objects or other types: \"tags\" and \"place\"; only numbers, lists of \
                numbers of one length (Parquet, Arrow, data frames), text, true/false and dates can be features; write each of \
                their parts as a column, or exclude them with Drop([\"tags\", \"place\"])";
    assert_eq!(texts(&encode_alone(&input, &Roles::default()).unwrap().notes), [note]);
    let dropped = roles(|roles| roles.drop = names(&["tags", "place"]));
    assert!(encode_alone(&input, &dropped).unwrap().notes.is_empty());
    let chosen = roles(|roles| roles.columns = Some(names(&["x"])));
    assert!(encode_alone(&input, &chosen).unwrap().notes.is_empty());

    let mut lists = ListBuilder::new(StringBuilder::new());
    (0..2).for_each(|row| lists.append_value([Some(row.to_string())]));
    let x: ArrayRef = Arc::new(Float64Array::from(vec![1.0, 2.0]));
    let batch = RecordBatch::try_from_iter([("x", x), ("v", Arc::new(lists.finish()) as ArrayRef)]).unwrap();
    let input = Input::from_batches("t", batch.schema(), vec![batch]).unwrap();
    let notes = texts(&encode_alone(&input, &Roles::default()).unwrap().notes);
    assert!(notes[0].starts_with("skipped column \"v\", which is of type List"), "{notes:?}");
}

#[test]
fn a_column_that_looks_like_a_label_is_noted() {
    let tables = Tables::new();
    let note = |name: &str| {
        format!(
            "column \"{name}\" looks like a label but is used as a feature; use Label(Some(\"{name}\")) if it holds the class \
             of each row, or exclude it with Drop([\"{name}\"])"
        )
    };
    let found = |header: &str, cell: &dyn Fn(usize) -> String| {
        let input = tables.write("t.csv", table(header, 30, cell));
        texts(&encode_alone(&input, &Roles::default()).unwrap().notes)
    };
    // By its name: text, or integers.
    assert_eq!(found("class,x", &|row| format!("{},{}", ["a", "b"][row % 2], row % 9)), [note("class")]);
    assert_eq!(found("x,true_label", &|row| format!("{},{}", row % 9, row % 2)), [note("true_label")]);
    assert!(found("x,target", &|row| format!("{},{}.5", row % 9, row % 7)).is_empty());
    // By its position: the last column, and the only one of text.
    let iris = |row| format!("{},{},{},{}", row % 9, row % 7, row % 5, ["setosa", "virginica"][row % 2]);
    assert_eq!(found("a,b,c,kind", &iris), [note("kind")]);
    let first = |row| format!("{},{},{},{}", ["setosa", "virginica"][row % 2], row % 9, row % 7, row % 5);
    assert!(found("kind,a,b,c", &first).is_empty());
    // Not if there is a label.
    let input = tables.write("u.csv", table("a,b,c,kind", 30, iris));
    let labelled = roles(|roles| roles.label = Some("kind".into()));
    assert!(encode_alone(&input, &labelled).unwrap().notes.is_empty());
}

#[test]
fn a_column_that_dwarfs_the_rest_is_noted() {
    let tables = Tables::new();
    let mut numbers = Vec::new();
    for row in 0..40_u32 {
        // Variances: about 6.7, 20, and a million times as much.
        let values = [f64::from(row % 9), f64::from(row * 7 % 13), 1000.0 * f64::from(row * 5 % 11)];
        values.iter().for_each(|value| numbers.extend(value.to_le_bytes()));
    }
    std::fs::write(tables.path("a.npy"), npy("<f8", 40, &numbers)).unwrap();
    let input = Input::open(&tables.path("a.npy"), &ReadOptions::default()).unwrap();
    let note = "column \"x2\" makes up over 99.99 % of the squared distances between rows; use Scale(Some(Standard)), use \
                Scale(Some(Rank)), or exclude it with Drop([\"x2\"])";
    assert_eq!(texts(&encode_alone(&input, &Roles::default()).unwrap().notes), [note]);
    for scale in [Scaling::Standard, Scaling::MinMax, Scaling::Robust, Scaling::Rank] {
        let scaled = encode_alone(&input, &roles(|roles| roles.scale = Some(scale))).unwrap();
        assert!(scaled.notes.is_empty(), "{scale:?}: {:?}", texts(&scaled.notes));
    }
}

/// Two columns that dwarf the rest equally dominated without a note, since neither dwarfs the other.
#[test]
fn several_columns_that_dwarf_the_rest_are_noted() {
    let tables = Tables::new();
    let rows = |row: usize| {
        let large = |factor: usize| 1000 * (row * factor % 11);
        format!("{},{}.5,{},{}.5,{}", row % 9, large(5), row * 7 % 13, large(3), row % 5)
    };
    let input = tables.write("t.csv", table("age,income,children,wealth,rooms", 40, rows));
    let unscaled = |roles: &mut Roles| roles.scale = Some(Scaling::None);
    let note = "2 columns make up over 99.99 % of the squared distances between rows: \"income\" and \"wealth\"; use \
                Scale(Some(Standard)), use Scale(Some(Rank)), or exclude them with Drop([\"income\", \"wealth\"])";
    assert_eq!(texts(&encode_alone(&input, &roles(unscaled)).unwrap().notes), [note]);
    // The median column is one of them: nothing says which scale is the usual one.
    let three = tables.write(
        "u.csv",
        table("age,income,wealth", 40, |row| {
            format!("{},{}.5,{}.5", row % 9, 1000 * (row * 5 % 11), 1000 * (row * 3 % 11))
        }),
    );
    assert!(texts(&encode_alone(&three, &roles(unscaled)).unwrap().notes).is_empty());
}

/// Dates that are not in ISO form became categories without a note unless there were more than a hundred.
#[test]
fn dates_in_other_forms_are_noted_at_any_number() {
    let tables = Tables::new();
    let note = |form: &str, n_dates: usize| {
        format!(
            "column \"when\" has {n_dates} dates that are not written as in 2024-01-31 but as in {form:?}, each of which \
             became a category; write dates as 2024-01-31, which are numbers, exclude the column with Drop([\"when\"]), or \
             confirm categories with Categorical([\"when\"])"
        )
    };
    let found = |n_dates: usize, date: &dyn Fn(usize) -> String| {
        let input = tables.write("t.csv", table("when,x", 40, |row| format!("{},{}", date(row % n_dates), row % 9)));
        texts(&encode_alone(&input, &Roles::default()).unwrap().notes)
    };
    assert_eq!(found(3, &|at| format!("{:02}.01.2024", at + 1)), [note("01.01.2024", 3)]);
    assert_eq!(found(20, &|at| format!("01/{:02}/2024", at + 1)), [note("01/01/2024", 20)]);
    assert_eq!(found(5, &|at| format!("2024/3/{}", at + 1)), [note("2024/3/1", 5)]);
    assert!(found(3, &|at| format!("v1.2.{at}")).is_empty());
    // A different date in each row cannot be a category.
    let input = tables.write("u.csv", table("when,x", 28, |row| format!("{:02}.02.2024,{}", row + 1, row % 9)));
    let error = encode_alone(&input, &Roles::default()).unwrap_err().to_string();
    assert!(error.contains("dates are numbers if written as 2024-01-31, not as \"01.02.2024\""), "{error}");
    assert!(encode_alone(&input, &roles(|roles| roles.categorical = vec!["when".into()])).unwrap().notes.is_empty());
}

#[test]
fn heavy_tails_are_noted_and_ranks_remove_them() {
    let tables = Tables::new();
    let spent = |row: usize| if row == 77 { 1e6 } else { (row % 10) as f64 };
    let rows = |row: usize| format!("{},{},{}", spent(row), row % 7, u8::from(row == 5));
    let input = tables.write("t.csv", table("spent,x,flag", 1000, rows));
    let note = "column \"spent\" has values more than 20 standard deviations from its mean; use Scale(Some(Rank)) to compare \
                ranks, or Scale(Some(Robust)) to scale by quartiles";
    // A flag that one row in a thousand has is as far from its mean, but it has no tail.
    assert_eq!(texts(&encode_alone(&input, &Roles::default()).unwrap().notes), [note]);
    let scaled = |scale| encode_alone(&input, &roles(|roles| roles.scale = Some(scale))).unwrap();
    assert!(scaled(Scaling::Rank).notes.is_empty());
    // Quartiles do not stretch, so the outlier stays far away.
    assert!(texts(&scaled(Scaling::Robust).notes)[0].starts_with("column \"spent\" makes up over 99.99 %"));
}

#[test]
fn ranks_count_towards_the_memory_limit() {
    let tables = Tables::new();
    let input = tables.write("t.csv", table("a,b", 1000, |row| format!("{},{}", row % 10, row % 7)));
    let limited = |scale| encode_alone(&input, &roles(|roles| (roles.scale, roles.memory) = (Some(scale), 20_000)));
    assert!(limited(Scaling::Standard).is_ok());
    assert!(limited(Scaling::Rank).unwrap_err().to_string().contains("need at least 31.2 KiB"));
}
