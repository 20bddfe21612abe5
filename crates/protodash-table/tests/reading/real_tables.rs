//! Real tables: the results are checked by independent counts and sums.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;

use ndarray::{Array2, Axis};
use protodash_table::{Encoded, Matrix, MissingRule, Roles, Scaling};

use crate::files::{open, real_data};
use crate::tables::{encode_alone, encode_where, feature_names, names, roles, texts};

fn doubles(encoded: &Encoded) -> &Array2<f64> {
    match &encoded.matrix {
        Matrix::F64(matrix) => matrix,
        _ => panic!("a table is double"),
    }
}

#[test]
fn nhanes_income_as_one_hot_with_missing_as_a_category() {
    let Some(path) = real_data("nhanes/2013-2014/INQ_H.csv.xz") else { return };
    let input = open(&path).unwrap();
    let columns: Vec<String> = input.columns().iter().map(|column| column.name.clone()).collect();
    let roles = roles(|roles| {
        roles.id = Some("SEQN".into());
        roles.categorical = columns[1..].to_vec();
        roles.missing = MissingRule::Category;
    });
    let encoded = encode_alone(&input, &roles).unwrap();

    // The same by splitting the unpacked text at commas: one level for each different cell, NA among them.
    let mut unpacked = String::new();
    let mut reader = lzma_rust2::XzReader::new(fs::File::open(&path).unwrap(), true);
    std::io::Read::read_to_string(&mut reader, &mut unpacked).unwrap();
    let rows: Vec<Vec<&str>> = unpacked.lines().skip(1).map(|line| line.split(',').collect()).collect();
    let levels = |column: usize| rows.iter().map(|row| row[column]).collect::<BTreeSet<_>>();
    let n_levels: usize = (1..columns.len()).map(|column| levels(column).len()).sum();

    assert_eq!(rows.len(), 10_175);
    assert_eq!(encoded.features.len(), n_levels);
    let matrix = doubles(&encoded);
    assert_eq!(matrix.dim(), (10_175, n_levels));
    // Each row has one level of each column, and each level as many rows as the text has cells.
    assert!(matrix.sum_axis(Axis(1)).iter().all(|sum| *sum == 14.0));
    let counts: BTreeMap<_, _> = feature_names(&encoded).into_iter().zip(matrix.sum_axis(Axis(0))).collect();
    for (position, column) in columns.iter().enumerate().skip(1) {
        let n_missing = rows.iter().filter(|row| row[position] == "NA").count();
        let found = counts.get(format!("{column}=(missing)").as_str()).copied().unwrap_or(0.0);
        assert_eq!(found, n_missing as f64, "{column}");
    }
    let n_twos = rows.iter().filter(|row| row[1] == "2").count();
    assert_eq!(counts["INQ020=2"], n_twos as f64);
    let ids: Vec<&str> = rows.iter().map(|row| row[0]).collect();
    assert_eq!(encoded.rows.ids().unwrap(), ids);
}

#[test]
fn returning_visitors_for_new_ones() {
    let Some(path) = real_data("retail/online_shoppers_intention.csv") else { return };
    let input = open(&path).unwrap();
    let roles = roles(|roles| roles.drop = names(&["VisitorType"]));
    let conditions = ["VisitorType = 'Returning_Visitor'", "VisitorType = 'New_Visitor'"];
    let (source, target) = encode_where(&input, conditions[0], conditions[1], &roles).unwrap();
    assert_eq!((source.matrix.n_rows(), target.matrix.n_rows()), (10_551, 1_694));

    // Month has 10 levels, Weekend and Revenue 2 each; the other 14 columns are numbers.
    let text = fs::read_to_string(&path).unwrap();
    let rows: Vec<Vec<&str>> = text.lines().skip(1).map(|line| line.trim().split(',').collect()).collect();
    let n_months = rows.iter().map(|row| row[10]).collect::<BTreeSet<_>>().len();
    assert_eq!((n_months, source.features.len()), (10, 14 + 10 + 2 + 2));
    assert_eq!(source.features, target.features);

    let kinds = |kind: &str| -> Vec<u64> {
        rows.iter().enumerate().filter(|(_, row)| row[15] == kind).map(|(at, _)| at as u64).collect()
    };
    assert_eq!(source.rows.table_rows(), kinds("Returning_Visitor"));
    assert_eq!(target.rows.table_rows(), kinds("New_Visitor"));

    // Standardised on the source: mean 0 and deviation 1 there, something else in the target.
    let numbers = doubles(&source).column(5);
    let mean = numbers.sum() / 10_551.0;
    let deviation = (numbers.iter().map(|x| x * x).sum::<f64>() / 10_551.0).sqrt();
    assert!(mean.abs() < 1e-12 && (deviation - 1.0).abs() < 1e-12, "{mean} {deviation}");
    assert!((doubles(&target).column(5).sum() / 1_694.0).abs() > 0.01);
}

#[test]
fn missing_incomes_under_each_rule() {
    let Some(path) = real_data("retail/marketing_campaign.csv") else { return };
    let input = open(&path).unwrap();
    let encode = |missing| {
        let roles = roles(|roles| {
            roles.columns = Some(names(&["Income", "Education", "Recency"]));
            roles.missing = missing;
            roles.scale = Some(Scaling::None);
        });
        encode_alone(&input, &roles)
    };

    let error = encode(MissingRule::Error).unwrap_err().to_string();
    assert!(
        error.ends_with("missing values in column \"Income\" (24 of 2,240 rows); the first is in line 12"),
        "{error}"
    );

    let text = fs::read_to_string(&path).unwrap();
    let cells = || text.lines().skip(1).map(|line| line.split(';').nth(4).unwrap().parse::<f64>().ok());
    let incomes: Vec<f64> = cells().flatten().collect();
    let mean = incomes.iter().sum::<f64>() / incomes.len() as f64;
    assert_eq!(incomes.len(), 2240 - 24);

    for (rule, fill) in [(MissingRule::Mean, mean), (MissingRule::Zero, 0.0), (MissingRule::Category, mean)] {
        let encoded = encode(rule).unwrap();
        let at = feature_names(&encoded).iter().position(|name| *name == "Income").unwrap();
        let column = doubles(&encoded).column(at);
        for (row, (found, cell)) in column.iter().zip(cells()).enumerate() {
            let expected = cell.unwrap_or(fill);
            assert!((found - expected).abs() <= 1e-9 * expected.abs(), "{rule:?}, row {row}: {found}, not {expected}");
        }
        let marks = feature_names(&encoded).iter().position(|name| *name == "Income=(missing)");
        assert_eq!(marks.is_some(), rule == MissingRule::Category);
        if let Some(marks) = marks {
            assert_eq!(doubles(&encoded).column(marks).sum(), 24.0);
        }
    }
}

#[test]
fn scales_of_a_real_column_agree_with_two_passes_over_its_cells() {
    let Some(path) = real_data("retail/marketing_campaign.csv") else { return };
    let input = open(&path).unwrap();
    let text = fs::read_to_string(&path).unwrap();
    let wines: Vec<f64> = text.lines().skip(1).map(|line| line.split(';').nth(9).unwrap().parse().unwrap()).collect();
    let n = wines.len() as f64;
    let mean = wines.iter().sum::<f64>() / n;
    let deviation = (wines.iter().map(|x| (x - mean).powi(2)).sum::<f64>() / n).sqrt();
    let (min, max) = wines.iter().fold((f64::MAX, f64::MIN), |(min, max), x| (min.min(*x), max.max(*x)));
    for (scale, shift, divisor) in [(Scaling::Standard, mean, deviation), (Scaling::MinMax, min, max - min)] {
        let roles = roles(|roles| {
            roles.columns = Some(names(&["MntWines"]));
            roles.scale = Some(scale);
        });
        let encoded = encode_alone(&input, &roles).unwrap();
        for (found, cell) in doubles(&encoded).iter().zip(&wines) {
            assert!((found - (cell - shift) / divisor).abs() < 1e-12, "{scale:?}");
        }
    }
}

#[test]
fn constant_and_suspicious_columns_of_a_real_table_give_notes() {
    let Some(path) = real_data("retail/marketing_campaign.csv") else { return };
    let input = open(&path).unwrap();
    let roles: Roles = roles(|roles| {
        roles.id = Some("ID".into());
        roles.drop = names(&["Dt_Customer"]);
        roles.missing = MissingRule::Mean;
    });
    let encoded = encode_alone(&input, &roles).unwrap();
    assert_eq!(
        texts(&encoded.notes),
        [
            "replaced 24 missing values in column \"Income\" by the mean of the source",
            "ignored 2 constant columns: \"Z_CostContact\" and \"Z_Revenue\"",
            // It is what the campaign's data set is for: who responded.
            "column \"Response\" looks like a label but is used as a feature; use Label(Some(\"Response\")) if it holds the \
             class of each row, or exclude it with Drop([\"Response\"])",
            // One income is 666,666, the next 162,397.
            "column \"Income\" has values more than 20 standard deviations from its mean; use Scale(Some(Rank)) to compare \
             ranks, or Scale(Some(Robust)) to scale by quartiles",
        ]
    );
}

#[test]
fn digits_stay_single_and_unscaled() {
    let Some(path) = real_data("mnist/t10k-images-idx3-ubyte.gz") else { return };
    let input = open(&path).unwrap();
    let encoded = encode_alone(&input, &Roles::default()).unwrap();
    let Matrix::F32(matrix) = &encoded.matrix else { panic!("pixels are exact in single precision") };
    assert_eq!(matrix.dim(), (10_000, 784));
    // The sum of all pixels of the test digits, counted from the unpacked bytes.
    let mut bytes = Vec::new();
    let mut reader = flate2::read::GzDecoder::new(fs::File::open(&path).unwrap());
    std::io::Read::read_to_end(&mut reader, &mut bytes).unwrap();
    for (found, byte) in matrix.iter().zip(&bytes[16..]) {
        assert_eq!(*found, f32::from(*byte));
    }
    assert!(encoded.notes.is_empty());
}
