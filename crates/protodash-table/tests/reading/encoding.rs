//! Every role, scaling, rule for missing values and encoding of categories, on tables worked out by hand.

use std::ops::ControlFlow;

use ndarray::{Array2, array};
use protodash_table::{
    Categories, CategoryLevel, Condition, EncodeProblem, Encoded, Error, Matrix, MissingRule, Part, Roles, Scaling,
    encode,
};

use crate::tables::{Tables, encode_alone, encode_both, encode_where, feature_names, names, npy, roles, texts};

const PEOPLE: &str = "name,age,city,member,weight\nAda,20,Ulm,true,1\nEmmy,30,Bonn,false,0\nSofia,70,Ulm,true,2.5\n";

fn unscaled(change: impl FnOnce(&mut Roles)) -> Roles {
    let mut roles = roles(change);
    roles.scale = Some(Scaling::None);
    roles
}

fn doubles(encoded: &Encoded) -> &Array2<f64> {
    match &encoded.matrix {
        Matrix::F64(matrix) => matrix,
        _ => panic!("a table is double"),
    }
}

#[track_caller]
fn assert_close(found: &Array2<f64>, expected: &Array2<f64>) {
    assert_eq!(found.dim(), expected.dim());
    let largest = (found - expected).iter().fold(0.0_f64, |largest, difference| largest.max(difference.abs()));
    assert!(largest < 1e-12, "{found} instead of {expected}");
}

#[test]
fn every_column_without_another_role_is_a_feature() {
    let tables = Tables::new();
    let people = tables.write("people.csv", PEOPLE);
    let roles = unscaled(|roles| {
        roles.id = Some("name".into());
        roles.label = Some("member".into());
        roles.target_weight = Some("weight".into());
    });
    let encoded = encode_alone(&people, &roles).unwrap();
    assert_eq!(feature_names(&encoded), ["age", "city=Bonn", "city=Ulm"]);
    assert_eq!(doubles(&encoded), array![[20.0, 0.0, 1.0], [30.0, 1.0, 0.0], [70.0, 0.0, 1.0]]);
    assert_eq!(encoded.features[1].column, "city");
    assert_eq!(encoded.features[1].level, Some(CategoryLevel::Value("Bonn".into())));
    assert_eq!(encoded.rows.ids().unwrap(), ["Ada", "Emmy", "Sofia"]);
    assert_eq!(encoded.rows.labels().unwrap(), ["true", "false", "true"]);
    assert_eq!(encoded.target_weights.unwrap(), [1.0, 0.0, 2.5]);
    assert_eq!(encoded.rows.table_rows(), [0, 1, 2]);
    assert!(encoded.notes.is_empty());
}

#[test]
fn columns_and_drop_select_features_regardless_of_case() {
    let tables = Tables::new();
    let people = tables.write("people.csv", PEOPLE);
    // The order is that of the file, whatever the order of the names.
    let chosen = unscaled(|roles| roles.columns = Some(names(&["WEIGHT", "age"])));
    assert_eq!(feature_names(&encode_alone(&people, &chosen).unwrap()), ["age", "weight"]);
    let dropped = unscaled(|roles| roles.drop = names(&["Name", "city", "member"]));
    assert_eq!(encode_alone(&people, &dropped).unwrap(), encode_alone(&people, &chosen).unwrap());
}

#[test]
fn an_id_and_a_label_may_be_numbers_or_missing() {
    let tables = Tables::new();
    let input = tables.write("t.csv", "id,x,y\n9007199254740993,1,0.5\n,2,NA\n");
    let roles = unscaled(|roles| {
        roles.id = Some("id".into());
        roles.label = Some("y".into());
    });
    let encoded = encode_alone(&input, &roles).unwrap();
    assert_eq!(encoded.rows.ids().unwrap(), ["9007199254740993", ""]);
    assert_eq!(encoded.rows.labels().unwrap(), ["0.5", ""]);
}

#[test]
fn scaling_is_determined_by_the_source_and_applied_to_the_target() {
    let tables = Tables::new();
    let source = tables.write("source.csv", "x,y\n1,5\n3,5\n");
    let target = tables.write("target.csv", "y,x\n7,2\n5,5\n");
    let scaled = |scale| encode_both(&source, &target, &roles(|roles| roles.scale = Some(scale))).unwrap();

    let (a, b) = scaled(Scaling::None);
    assert_eq!((doubles(&a), doubles(&b)), (&array![[1.0, 5.0], [3.0, 5.0]], &array![[2.0, 7.0], [5.0, 5.0]]));

    // Mean 2 and deviation 1 in the source; y is constant there, and 5, 5, 7, 5 together deviate by √0.75.
    let (a, b) = scaled(Scaling::Standard);
    let y = 2.0 / 0.75_f64.sqrt();
    assert_eq!((doubles(&a), doubles(&b)), (&array![[-1.0, 0.0], [1.0, 0.0]], &array![[0.0, y], [3.0, 0.0]]));
    let note = "scaled constant column \"y\" by the spread of source and target, since only the target varies";
    assert_eq!(texts(&a.notes), [note]);
    let other = tables.write("other.csv", "x,y\n2,7\n5,7\n");
    let (a, _) = encode_both(&source, &other, &Roles::default()).unwrap();
    let note = "scaled constant column \"y\" by the spread of source and target, since source and target have one value each, but not \
                the same";
    assert_eq!(texts(&a.notes), [note]);

    let (a, b) = scaled(Scaling::MinMax);
    assert_eq!((doubles(&a), doubles(&b)), (&array![[0.0, 0.0], [1.0, 0.0]], &array![[0.5, 1.0], [2.0, 0.0]]));

    // Tables are standardised by default.
    let (c, _) = encode_both(&source, &target, &Roles::default()).unwrap();
    assert_close(doubles(&c), &array![[-1.0, 0.0], [1.0, 0.0]]);
}

#[test]
fn levels_are_not_scaled() {
    let tables = Tables::new();
    let input = tables.write("t.csv", "c,x\na,1\nb,3\n");
    let encoded = encode_alone(&input, &Roles::default()).unwrap();
    assert_eq!(doubles(&encoded), array![[1.0, 0.0, -1.0], [0.0, 1.0, 1.0]]);
}

#[test]
fn numbers_become_levels_if_set_to_be_categorical() {
    let tables = Tables::new();
    let input = tables.write("t.csv", "code,x\n10,1\n9,2\n10,3\n");
    let roles = unscaled(|roles| roles.categorical = names(&["code"]));
    let encoded = encode_alone(&input, &roles).unwrap();
    assert_eq!(feature_names(&encoded), ["code=9", "code=10", "x"]);
    assert_eq!(doubles(&encoded), array![[0.0, 1.0, 1.0], [1.0, 0.0, 2.0], [0.0, 1.0, 3.0]]);
}

#[test]
fn mixed_columns_become_levels_if_set_to_be_categorical() {
    let tables = Tables::new();
    let input = tables.write("t.csv", "size,x\n38,1\nXL,2\n38,3\n");
    let encoded = encode_alone(&input, &unscaled(|roles| roles.categorical = names(&["size"]))).unwrap();
    assert_eq!(feature_names(&encoded), ["size=38", "size=XL", "x"]);
}

#[test]
fn codes_are_positions_among_the_levels() {
    let tables = Tables::new();
    let source = tables.write("source.csv", "c,b\ny,true\nx,false\n");
    let target = tables.write("target.csv", "c,b\nz,true\nx,\n");
    let roles = unscaled(|roles| {
        roles.categories = Categories::Codes;
        roles.missing = MissingRule::Category;
    });
    let (a, b) = encode_both(&source, &target, &roles).unwrap();
    assert_eq!(feature_names(&a), ["c", "b"]);
    assert_eq!(doubles(&a), array![[1.0, 1.0], [0.0, 0.0]]);
    // z comes after x and y; missing comes last, after false and true.
    assert_eq!(doubles(&b), array![[2.0, 1.0], [0.0, 2.0]]);
}

#[test]
fn levels_are_the_union_and_one_sided_levels_give_a_note() {
    let tables = Tables::new();
    let source = tables.write("source.csv", "c,x\na,1\nb,2\n");
    let target = tables.write("target.csv", "c,x\nb,1\nd,2\n");
    let (a, b) = encode_both(&source, &target, &unscaled(|_| {})).unwrap();
    assert_eq!(feature_names(&a), ["c=a", "c=b", "c=d", "x"]);
    assert_eq!(a.features, b.features);
    assert_eq!(doubles(&a), array![[1.0, 0.0, 0.0, 1.0], [0.0, 1.0, 0.0, 2.0]]);
    assert_eq!(doubles(&b), array![[0.0, 1.0, 0.0, 1.0], [0.0, 0.0, 1.0, 2.0]]);
    assert_eq!(texts(&a.notes), ["column \"c\" has \"a\" only in the source and \"d\" only in the target"]);
    assert!(b.notes.is_empty());
}

const GAPS: &str = "c,x\na,1\n,3\na,\nb,5\n";

#[test]
fn missing_values_as_a_category() {
    let tables = Tables::new();
    let input = tables.write("t.csv", GAPS);
    let encoded = encode_alone(&input, &unscaled(|roles| roles.missing = MissingRule::Category)).unwrap();
    assert_eq!(feature_names(&encoded), ["c=a", "c=b", "c=(missing)", "x", "x=(missing)"]);
    assert_eq!(encoded.features[4].level, Some(CategoryLevel::Missing));
    // The mean of 1, 3 and 5 replaces missing values of x.
    let expected = array![
        [1.0, 0.0, 0.0, 1.0, 0.0],
        [0.0, 0.0, 1.0, 3.0, 0.0],
        [1.0, 0.0, 0.0, 3.0, 1.0],
        [0.0, 1.0, 0.0, 5.0, 0.0],
    ];
    assert_eq!(doubles(&encoded), expected);
    assert_eq!(texts(&encoded.notes), ["treated 2 missing values in 2 columns as a separate \"missing\" category"]);
}

#[test]
fn missing_values_as_the_mean_of_the_source() {
    let tables = Tables::new();
    let source = tables.write("source.csv", "x,y\n1,1\n,2\n5,3\n");
    let target = tables.write("target.csv", "x,y\n,1\n100,2\n");
    let filled = |scale| {
        let roles = roles(|roles| {
            roles.missing = MissingRule::Mean;
            roles.scale = Some(scale);
            roles.drop = names(&["y"]);
        });
        encode_both(&source, &target, &roles).unwrap()
    };
    let (a, b) = filled(Scaling::None);
    assert_eq!((doubles(&a), doubles(&b)), (&array![[1.0], [3.0], [5.0]], &array![[3.0], [100.0]]));
    assert_eq!(texts(&a.notes), ["replaced 2 missing values in column \"x\" by the mean of the source"]);
    // Mean 3 and deviation 2 of the two present values; replaced values do not reduce the deviation.
    let (a, b) = filled(Scaling::Standard);
    assert_eq!((doubles(&a), doubles(&b)), (&array![[-1.0], [0.0], [1.0]], &array![[0.0], [48.5]]));
    let (a, _) = filled(Scaling::MinMax);
    assert_eq!(doubles(&a), array![[0.0], [0.5], [1.0]]);
}

#[test]
fn missing_values_as_zero_count_as_zero() {
    let tables = Tables::new();
    let input = tables.write("t.csv", "x\n1\n\"\"\n5\n");
    let filled = |scale| {
        let roles = roles(|roles| {
            roles.missing = MissingRule::Zero;
            roles.scale = Some(scale);
        });
        encode_alone(&input, &roles).unwrap()
    };
    assert_eq!(doubles(&filled(Scaling::None)), array![[1.0], [0.0], [5.0]]);
    // 1, 0, 5 range from 0 to 5, with mean 2 and deviation √(14/3).
    assert_eq!(doubles(&filled(Scaling::MinMax)), array![[0.2], [0.0], [1.0]]);
    let deviation = (14.0_f64 / 3.0).sqrt();
    assert_close(doubles(&filled(Scaling::Standard)), &(array![[-1.0], [-2.0], [3.0]] / deviation));
    assert_eq!(texts(&filled(Scaling::None).notes), ["replaced 1 missing value in column \"x\" by 0"]);
}

#[test]
fn a_column_without_values_gets_a_missing_category() {
    let tables = Tables::new();
    let source = tables.write("source.csv", "x,y,c\n,1,a\n,2,b\n");
    let target = tables.write("target.csv", "x,y,c\n7,1,\n,2,\n");
    let roles = unscaled(|roles| roles.missing = MissingRule::Category);
    let (a, b) = encode_both(&source, &target, &roles).unwrap();
    // Column c of the target has no values and so is read as numeric, but matches the levels of the source.
    assert_eq!(feature_names(&a), ["x", "x=(missing)", "y", "c=a", "c=b", "c=(missing)"]);
    assert_eq!(doubles(&a), array![[0.0, 1.0, 1.0, 1.0, 0.0, 0.0], [0.0, 1.0, 2.0, 0.0, 1.0, 0.0]]);
    assert_eq!(doubles(&b), array![[7.0, 0.0, 1.0, 0.0, 0.0, 1.0], [0.0, 1.0, 2.0, 0.0, 0.0, 1.0]]);
}

#[test]
fn conditions_select_rows_and_row_numbers_refer_to_the_file() {
    let tables = Tables::new();
    let input = tables.write("t.csv", "k,x\na,1\nb,2\na,3\n,9\nb,4\n");
    let roles = unscaled(|roles| roles.drop = names(&["k"]));
    let (a, b) = encode_where(&input, "k = 'a'", "k = 'b'", &roles).unwrap();
    assert_eq!((doubles(&a), doubles(&b)), (&array![[1.0], [3.0]], &array![[2.0], [4.0]]));
    assert_eq!((a.rows.table_rows(), b.rows.table_rows()), (vec![0, 2], vec![1, 4]));
}

#[test]
fn equal_rows_are_read_once_and_weights_are_on_the_source() {
    let tables = Tables::new();
    let people = tables.write("people.csv", PEOPLE);
    let roles = unscaled(|roles| {
        roles.columns = Some(names(&["age"]));
        roles.target_weight = Some("weight".into());
    });
    let (one, other) = (Condition::parse("age < 50").unwrap(), Condition::parse("(age<50)").unwrap());
    let pairs = [(None, None), (Some(&one), Some(&other))];
    for (source, target) in pairs {
        let mut rows_in_all = 0;
        let (encoded, none) = encode(
            Part { condition: source, ..Part::from(&people) },
            Some(Part { condition: target, ..Part::from(&people) }),
            &roles,
            &mut |_, total| {
                rows_in_all = total;
                ControlFlow::Continue(())
            },
        )
        .unwrap();
        assert!(none.is_none());
        assert_eq!(rows_in_all, 6);
        assert_eq!(encoded.target_weights.unwrap(), [1.0, 0.0, 2.5][..encoded.rows.len()]);
    }
}

#[test]
fn weights_belong_to_the_target_and_need_not_be_in_the_source() {
    let tables = Tables::new();
    let source = tables.write("source.csv", "id,x\na,1\nb,2\n");
    let target = tables.write("target.csv", "x,w\n1,3\n2,4\n");
    let roles = unscaled(|roles| {
        roles.target_weight = Some("w".into());
        roles.id = Some("id".into());
    });
    let (a, b) = encode_both(&source, &target, &roles).unwrap();
    assert_eq!((a.target_weights, b.target_weights), (None, Some(vec![3.0, 4.0])));
    assert_eq!((a.rows.ids(), b.rows.ids()), (Some(&names(&["a", "b"])[..]), None));

    // Conversely, the source's weights are neither read nor a feature.
    let target = tables.write("plain.csv", "x,w\n1,5\n2,6\n");
    let source = tables.write("weighted.csv", "x,w\n1,text\n2,text\n");
    let (a, b) = encode_both(&source, &target, &unscaled(|roles| roles.target_weight = Some("w".into()))).unwrap();
    assert_eq!((feature_names(&a), b.target_weights), (vec!["x"], Some(vec![5.0, 6.0])));
}

#[test]
fn a_text_column_without_repetition_is_a_feature_when_it_is_short_or_listed() {
    let tables = Tables::new();
    let short: String = (0..20).map(|row| format!("n{row:02},{row}\n")).collect();
    let short = tables.write("short.csv", format!("name,x\n{short}"));
    assert_eq!(encode_alone(&short, &Roles::default()).unwrap().features.len(), 21);
    let long: String = (0..21).map(|row| format!("n{row:02},{row}\n")).collect();
    let long = tables.write("long.csv", format!("name,x\n{long}"));
    let listed = roles(|roles| roles.categorical = names(&["name"]));
    assert_eq!(encode_alone(&long, &listed).unwrap().features.len(), 22);
}

#[test]
fn long_tables_are_written_row_by_row_in_order() {
    // 20,000 rows are three batches of the reader and many tiles of the writer.
    let tables = Tables::new();
    let n = 20_000;
    let rows: String =
        (0..n).map(|row| format!("{row},{},{}\n", row % 3, if row % 2 == 0 { "a" } else { "b" })).collect();
    let input = tables.write("t.csv", format!("x,y,c\n{rows}"));
    let encoded = encode_alone(&input, &unscaled(|_| {})).unwrap();
    for (row, values) in doubles(&encoded).rows().into_iter().enumerate() {
        let even = f64::from(u8::from(row % 2 == 0));
        assert_eq!(values.to_vec(), [row as f64, (row % 3) as f64, even, 1.0 - even], "{row}");
    }
    let (a, b) = encode_where(&input, "y = 1", "y = 2 AND x >= 12000", &unscaled(|_| {})).unwrap();
    assert_eq!(a.rows.table_rows(), (0..n).filter(|row| row % 3 == 1).collect::<Vec<_>>());
    assert_eq!(b.rows.table_rows(), (12_000..n).filter(|row| row % 3 == 2).collect::<Vec<_>>());
    assert!(b.rows.table_rows().iter().zip(doubles(&b).column(0)).all(|(row, x)| *row as f64 == *x));
}

#[test]
fn arrays_are_not_scaled_and_stay_single_if_exact() {
    let tables = Tables::new();
    let array = |name: &str, descr, elements: &[u8]| tables.write(name, npy(descr, 2, elements));
    let singles = array("f4.npy", "<f4", &[1.5_f32, 2.0, -3.0, 0.1].map(f32::to_le_bytes).concat());
    let doubles = array("f8.npy", "<f8", &[1.5_f64, 2.0, -3.0, 0.1].map(f64::to_le_bytes).concat());
    let encoded = encode_alone(&singles, &Roles::default()).unwrap();
    assert_eq!(encoded.matrix, Matrix::F32(array![[1.5, 2.0], [-3.0, 0.1]]));
    assert_eq!(feature_names(&encoded), ["x0", "x1"]);
    let encoded = encode_alone(&doubles, &Roles::default()).unwrap();
    assert_eq!(encoded.matrix, Matrix::F64(array![[1.5, 2.0], [-3.0, 0.1]]));

    let bytes = array("u1.npy", "|u1", &[0, 255, 7, 8]);
    assert_eq!(encode_alone(&bytes, &Roles::default()).unwrap().matrix, Matrix::F32(array![[0.0, 255.0], [7.0, 8.0]]));
    let shorts = array("i2.npy", "<i2", &[-5_i16, 1, 300, 2].map(i16::to_le_bytes).concat());
    assert_eq!(
        encode_alone(&shorts, &Roles::default()).unwrap().matrix,
        Matrix::F32(array![[-5.0, 1.0], [300.0, 2.0]])
    );
    // 2²⁴ + 1 is not exact in f32.
    let longs = array("i4.npy", "<i4", &[16_777_217_i32, 0, 1, 2].map(i32::to_le_bytes).concat());
    let encoded = encode_alone(&longs, &Roles::default()).unwrap();
    assert_eq!(encoded.matrix, Matrix::F64(array![[16_777_217.0, 0.0], [1.0, 2.0]]));

    // Both sides have one precision; f32 numbers are exact in f64.
    let (a, b) = encode_both(&bytes, &doubles, &Roles::default()).unwrap();
    assert!(matches!((&a.matrix, &b.matrix), (Matrix::F64(_), Matrix::F64(_))));
    // Codes are double, levels single, scaled numbers single.
    let listed = |categories| {
        let roles = roles(|roles| {
            roles.categorical = names(&["x0"]);
            roles.categories = categories;
        });
        encode_alone(&bytes, &roles).unwrap().matrix
    };
    assert_eq!(listed(Categories::Codes), Matrix::F64(array![[0.0, 255.0], [1.0, 8.0]]));
    assert_eq!(listed(Categories::OneHot), Matrix::F32(array![[1.0, 0.0, 255.0], [0.0, 1.0, 8.0]]));
    let scaled = encode_alone(&bytes, &roles(|roles| roles.scale = Some(Scaling::MinMax))).unwrap();
    assert_eq!(scaled.matrix, Matrix::F32(array![[0.0, 1.0], [1.0, 0.0]]));
}

#[test]
fn nan_in_an_array_is_missing() {
    let tables = Tables::new();
    let elements = [1.0_f32, 2.0, f32::NAN, 4.0].map(f32::to_le_bytes).concat();
    let input = tables.write("a.npy", npy("<f4", 2, &elements));
    let encoded = encode_alone(&input, &roles(|roles| roles.missing = MissingRule::Category)).unwrap();
    assert_eq!(feature_names(&encoded), ["x0", "x0=(missing)", "x1"]);
    assert_eq!(encoded.matrix, Matrix::F32(array![[1.0, 0.0, 2.0], [1.0, 1.0, 4.0]]));
}

#[test]
fn progress_counts_both_passes_of_both_files_and_can_stop() {
    let tables = Tables::new();
    let source = tables.write("source.csv", "x\n1\n2\n3\n");
    let target = tables.write("target.csv", "x\n1\n5\n");
    let mut seen = Vec::new();
    let mut watch = |done, total| {
        seen.push((done, total));
        ControlFlow::Continue(())
    };
    encode(Part::from(&source), Some(Part::from(&target)), &Roles::default(), &mut watch).unwrap();
    assert_eq!(seen, [(3, 10), (5, 10), (8, 10), (10, 10)]);

    let stopped = encode(Part::from(&source), None, &Roles::default(), &mut |_, _| ControlFlow::Break(()));
    let error = stopped.unwrap_err();
    assert!(matches!(error, Error::Encode(EncodeProblem::Stopped)));
    assert_eq!(error.to_string(), "stopped while reading");
}

#[test]
fn rows_without_a_label_give_a_note() {
    let tables = Tables::new();
    let path = tables.write("a.csv", "x,l\n1,a\n2,\"\"\n3,a\n");
    let encoded = encode_alone(&path, &roles(|roles| roles.label = Some("l".into()))).unwrap();
    assert_eq!(encoded.rows.labels().unwrap(), ["a", "", "a"]);
    assert_eq!(texts(&encoded.notes), ["treated 1 row without a label in column \"l\" as a separate class"]);
}
