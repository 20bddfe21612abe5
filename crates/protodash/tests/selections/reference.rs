//! Agreement with AIX360 0.3.0 and with an exact reference in NumPy, on real tables.
//!
//! The goldens and their format are described in `testdata/goldens/README.md`; who computed them and how, in
//! `testdata/PROVENANCE.md`. Each known difference from AIX360 has its own test, which explains it.

use std::collections::BTreeSet;

use crate::samples::{cells, chosen, testdata, weights};
use ndarray::Array2;
use protodash::{Gaussian, Kernel, Linear, Method, Params, Selection, Stopped, select};
use serde_json::Value;

fn cases(file: &str) -> Vec<Value> {
    serde_json::from_str(&testdata(&format!("goldens/{file}"))).unwrap()
}

#[test]
fn protodash_chooses_the_same_rows_as_aix360() {
    let cases = cases("protodash.json");
    assert_eq!(cases.len(), 53);
    for case in &cases {
        let selection = run(case, Method::ProtoDash);
        assert_same(case, "aix360", &selection, Stopped::NPrototypes);
        assert_same(case, "exact", &selection, Stopped::NPrototypes);
    }
}

#[test]
fn protogreedy_agrees_with_one_quadratic_programme_per_candidate() {
    let cases = cases("protogreedy.json");
    assert_eq!(cases.len(), 22);
    for case in &cases {
        let stopped = if case["exact"]["stopped"] == "optimal" { Stopped::Optimal } else { Stopped::NPrototypes };
        assert_same(case, "exact", &run(case, Method::ProtoGreedy), stopped);
    }
}

/// AIX360 starts its search for the largest gradient with a test that the first candidate never passes, so row 0 cannot
/// be chosen. We choose it if it is best, and reach a higher objective.
#[test]
fn difference_from_aix360_row_0_can_be_chosen() {
    let cases = different("row 0 is never chosen", 3);
    for case in &cases {
        let selection = run(case, Method::ProtoDash);
        assert_same(case, "exact", &selection, Stopped::NPrototypes);
        assert!(chosen(&selection).contains(&0), "{}", case["case"]);
        assert!(!numbers(&case["aix360"]["indices"]).contains(&0.0), "{}", case["case"]);
        assert!(selection.objective_final() > *numbers(&case["aix360"]["objective"]).last().unwrap());
    }
}

/// AIX360 pads the set with rows of weight 0 once no row can raise the objective. We stop there and say so.
#[test]
fn difference_from_aix360_the_run_stops_at_the_optimum() {
    let cases = different("rows of weight 0 after the optimum", 5);
    for case in &cases {
        let selection = run(case, Method::ProtoDash);
        assert_same(case, "exact", &selection, Stopped::Optimal);
        let padded = numbers(&case["aix360"]["indices"]);
        assert!(selection.prototypes.len() < padded.len());
        assert!(padded.iter().zip(chosen(&selection)).all(|(aix360, ours)| *aix360 == ours as f64));
    }
}

/// AIX360 squares the kernel mean at its first step, so with a linear kernel it can start with a row that points away
/// from the target and give it a negative weight. We never choose a row whose gradient is not positive.
#[test]
fn difference_from_aix360_no_weight_is_negative() {
    let negative = different("the first weight is negative", 2);
    let away = different("the first row points away", 1);
    for case in negative.iter().chain(&away) {
        let selection = run(case, Method::ProtoDash);
        assert_same(case, "exact", &selection, Stopped::NPrototypes);
        assert!(weights(&selection).iter().all(|weight| *weight > 0.0));
        assert_ne!(case["aix360"]["indices"][0], case["exact"]["indices"][0]);
    }
    assert!(negative.iter().all(|case| numbers(&case["aix360"]["weights"])[0] < 0.0));
}

fn different(difference: &str, expected: usize) -> Vec<Value> {
    let cases: Vec<Value> = cases("differences.json").into_iter().filter(|c| c["difference"] == difference).collect();
    assert_eq!(cases.len(), expected, "{difference}");
    cases
}

/// The same rows in the same order, weights to 1e-6 of the largest, objectives to 1e-6.
fn assert_same(case: &Value, whose: &str, selection: &Selection, stopped: Stopped) {
    let name = &case["case"];
    let expected = &case[whose];
    let indices: Vec<usize> = numbers(&expected["indices"]).into_iter().map(|index| index as usize).collect();
    assert_eq!(chosen(selection), indices, "{whose}: {name}");
    let (ours, theirs) = (weights(selection), numbers(&expected["weights"]));
    let largest = theirs.iter().copied().fold(0.0, f64::max);
    for (ours, theirs) in ours.iter().zip(&theirs) {
        assert!((ours - theirs).abs() <= 1e-6 * largest, "{whose}: {name}: weight {ours}, not {theirs}");
    }
    for (ours, theirs) in selection.objective.iter().zip(numbers(&expected["objective"])) {
        assert!((ours - theirs).abs() <= 1e-6 * theirs.abs(), "{whose}: {name}: objective {ours}, not {theirs}");
    }
    assert_eq!(selection.stopped, stopped, "{whose}: {name}");
}

fn run(case: &Value, method: Method) -> Selection {
    let (target, source) = data(case);
    assert_eq!(target.nrows() as u64, case["n_target"].as_u64().unwrap(), "{}", case["case"]);
    assert_eq!(source.dim(), (count(case, "n_source"), count(case, "n_features")), "{}", case["case"]);
    let kernel: Box<dyn Kernel<f64>> = match case["kernel"].as_str().unwrap() {
        "gaussian" => Box::new(Gaussian::new(case["bandwidth"].as_f64().unwrap()).unwrap()),
        "linear" => Box::new(Linear),
        other => panic!("kernel {other}"),
    };
    let mut params = Params::new(count(case, "n_prototypes"));
    params.method = method;
    select(&target, &source, &*kernel, &params).unwrap()
}

fn data(case: &Value) -> (Array2<f64>, Array2<f64>) {
    let description = &case["data"];
    let (header, rows) = cells(description["file"].as_str().unwrap());
    let first_feature = usize::from(header[0] == "label");
    let features: Vec<&[String]> = rows.iter().map(|row| &row[first_feature..]).collect();
    let encoded = match description["encoding"].as_str().unwrap() {
        "numeric" => crate::samples::from_rows(features.iter().map(|row| row.iter().map(number).collect()).collect()),
        "one_hot" => one_hot(&features, description["missing"] == "zero"),
        other => panic!("encoding {other}"),
    };
    let part = |role: &str| crate::samples::take(&encoded, rows_of(&description[role], &rows));
    let (mut target, mut source) = (part("target"), part("source"));
    scale(description["scale"].as_str().unwrap(), &mut target, &mut source);
    (target, source)
}

fn rows_of(part: &Value, rows: &[Vec<String>]) -> Vec<usize> {
    let kept = |row: &usize| {
        let label = rows[*row][0].as_str();
        part["label"].as_str().is_none_or(|wanted| wanted == label)
            && part["not_label"].as_str().is_none_or(|unwanted| unwanted != label)
    };
    (count(part, "from")..count(part, "to")).filter(kept).collect()
}

/// A 0/1 column for each distinct value of each column.
fn one_hot(rows: &[&[String]], missing_is_zero: bool) -> Array2<f64> {
    let value = |cell: &String| match (cell.as_str(), missing_is_zero) {
        ("", true) => "0".to_owned(),
        ("", false) => String::new(),
        (text, _) => text.parse::<f64>().unwrap().to_string(),
    };
    let columns: Vec<Vec<String>> =
        (0..rows[0].len()).map(|column| rows.iter().map(|row| value(&row[column])).collect()).collect();
    let levels = |column: &Vec<String>| column.iter().cloned().collect::<BTreeSet<_>>().into_iter().collect::<Vec<_>>();
    let mut encoded: Vec<Vec<f64>> = vec![Vec::new(); rows.len()];
    for column in &columns {
        for level in levels(column) {
            encoded.iter_mut().zip(column).for_each(|(row, value)| row.push(f64::from(u8::from(*value == level))));
        }
    }
    crate::samples::from_rows(encoded)
}

/// Scales by statistics of the source columns.
fn scale(rule: &str, target: &mut Array2<f64>, source: &mut Array2<f64>) {
    for column in 0..source.ncols() {
        let values = source.column(column).to_owned();
        let (shift, width) = match rule {
            "none" => (0.0, 1.0),
            "standard" => (values.mean().unwrap(), values.std(0.0)),
            "minmax" => {
                let low = values.fold(f64::INFINITY, |low, value| low.min(*value));
                (low, values.fold(f64::NEG_INFINITY, |high, value| high.max(*value)) - low)
            }
            other => panic!("scale {other}"),
        };
        source.column_mut(column).mapv_inplace(|value| (value - shift) / width);
        target.column_mut(column).mapv_inplace(|value| (value - shift) / width);
    }
}

fn number(cell: impl AsRef<str>) -> f64 {
    cell.as_ref().parse().unwrap()
}

fn numbers(list: &Value) -> Vec<f64> {
    list.as_array().unwrap().iter().map(|value| value.as_f64().unwrap()).collect()
}

fn count(object: &Value, key: &str) -> usize {
    object[key].as_u64().unwrap() as usize
}
