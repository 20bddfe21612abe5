//! Random samples of rows, reproducible by seed.

use serde_json::Value;

use crate::harness::{Folder, on_testdata};

fn selection(arguments: &str) -> Value {
    let folder = Folder::new();
    let output = folder.path("out.json");
    let ran = on_testdata(&format!("select testdata/digits.csv --label label {arguments} -q -o {}", output.display()));
    assert_eq!((ran.code, ran.stderr.as_str()), (Some(0), ""), "{arguments}");
    serde_json::from_str(&folder.read("out.json")).unwrap()
}

fn sizes(selection: &Value) -> (u64, u64) {
    (selection["n_target"].as_u64().unwrap(), selection["n_source"].as_u64().unwrap())
}

fn rows(selection: &Value) -> Vec<u64> {
    let mut rows: Vec<u64> =
        selection["prototypes"].as_array().unwrap().iter().map(|row| row["source_index"].as_u64().unwrap()).collect();
    rows.sort_unstable();
    rows
}

#[test]
fn either_side_can_be_a_sample() {
    assert_eq!(sizes(&selection("--source-sample 50")), (1797, 50));
    assert_eq!(sizes(&selection("--target-sample 60")), (60, 1797));
    assert_eq!(sizes(&selection("--target-sample 60 --source-sample 50")), (60, 50));
    // A sample larger than the file is the whole file.
    assert_eq!(selection("--source-sample 5000")["prototypes"], selection("")["prototypes"]);
}

#[test]
fn the_same_number_on_both_sides_draws_the_same_rows() {
    let both = selection("--source-sample 40 --target-sample 40 --method random -m 40");
    assert_eq!(sizes(&both), (40, 40));
    // All 40 rows represent themselves.
    assert!((both["explained"].as_f64().unwrap() - 1.0).abs() < 1e-9);
    assert_eq!(rows(&both), rows(&selection("--source-sample 40 --method random -m 40")));
    let other = selection("--source-sample 40 --target-sample 40 --method random -m 40 --seed 1");
    assert_ne!(rows(&both), rows(&other));
}

#[test]
fn a_sample_is_drawn_from_the_rows_that_satisfy_a_condition() {
    let chosen = selection("--source-where p00=0 --source-sample 30 -m 30 --method random");
    assert_eq!(sizes(&chosen).1, 30);
    let unlabelled = selection("--source-where label=3 --source-sample 20 -m 20 --method random");
    assert!(unlabelled["prototypes"].as_array().unwrap().iter().all(|row| row["label"] == "3"));
}

#[test]
fn criticisms_come_from_the_same_sample() {
    let folder = Folder::new();
    let output = folder.path("out.json");
    let call = "select testdata/digits.csv --label label --source-sample 300 --target-sample 300 --seed 9 -m 5 -q";
    assert_eq!(on_testdata(&format!("{call} -o {}", output.display())).code, Some(0));
    let ran = on_testdata(&format!(
        "criticize {} testdata/digits.csv -n 3 -q -o {}",
        output.display(),
        folder.path("found.json").display()
    ));
    assert_eq!((ran.code, ran.stderr.as_str()), (Some(0), ""));
    let criticised: Value = serde_json::from_str(&folder.read("found.json")).unwrap();
    assert_eq!(criticised["criticisms"].as_array().unwrap().len(), 3);
}

#[test]
fn a_kernel_matrix_has_no_sample() {
    let folder = Folder::with("kernel.csv", "1,0\n0,1\n");
    let ran: crate::harness::Ran =
        folder.command("select kernel.csv --kernel precomputed --source-sample 1").output().unwrap().into();
    let message = "error: --kernel precomputed reads kernel matrices, so --source-sample does not apply\n\
                   hint: omit --source-sample, or use another kernel\n";
    assert_eq!((ran.code, ran.stderr.as_str()), (Some(2), message));
}
