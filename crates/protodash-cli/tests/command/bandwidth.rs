//! Cross-validation of the bandwidth: terminal, files and errors.

use serde_json::Value;

use crate::harness::{Folder, golden, on_testdata};

#[test]
fn the_choice_is_explained_in_one_line() {
    let calls = [
        ("select_cv_labels", "select testdata/wine.csv --label label -m 6 --bandwidth cv"),
        ("select_cv_distance", "select testdata/wine.csv --drop label -m 6 --bandwidth cv --kernel laplacian --seed 3"),
    ];
    for (name, arguments) in calls {
        golden(name, arguments, &on_testdata(arguments));
    }
}

#[test]
fn the_curve_is_part_of_the_kernel() {
    let folder = Folder::new();
    let path = folder.path("cv.json").display().to_string();
    for (kernel, labels, criterion) in
        [("gaussian", "--label label", "error"), ("matern32", "--drop label", "distance")]
    {
        let call = format!("select testdata/wine.csv {labels} --kernel {kernel} -m 5 --bandwidth cv -o {path}");
        assert_eq!(on_testdata(&call).code, Some(0));
        let result: Value = serde_json::from_str(&folder.read("cv.json")).unwrap();
        let kernel = &result["kernel"];
        let tried = &kernel["cross_validation"];
        // Few rows have two folds and not all eleven bandwidths, so that the search costs no more than five selections.
        assert_eq!((tried["criterion"].as_str(), tried["n_folds"].as_u64()), (Some(criterion), Some(2)));
        assert!((100..178).contains(&tried["n_rows"].as_u64().unwrap()));
        let curve = tried["curve"].as_array().unwrap();
        assert!((7..=8).contains(&curve.len()));
        let score = |point: &Value| point["score"].as_f64().unwrap();
        let best = curve.iter().find(|point| point["bandwidth"] == kernel["bandwidth"]).unwrap();
        assert!(curve.iter().all(|point| score(point) >= score(best)));
        assert!(curve.iter().all(|point| point["standard_error"].as_f64().unwrap() >= 0.0));
    }
}

#[test]
fn criticisms_use_the_cross_validated_bandwidth() {
    let folder = Folder::new();
    let path = folder.path("cv.json").display().to_string();
    on_testdata(&format!("select testdata/wine.csv --label label -m 5 --bandwidth cv -o {path}"));
    let ran = on_testdata(&format!("criticize {path} testdata/wine.csv -n 2"));
    assert_eq!(ran.code, Some(0), "{}", ran.stderr);
}

#[test]
fn too_few_rows_to_hold_out_are_rejected() {
    let folder = Folder::with("a.csv", "x\n1\n2\n4\n");
    folder.refuses(
        "select a.csv --bandwidth cv -m 2",
        1,
        "error: a.csv: cross-validation divides the target rows into 5 folds, but there are 3 rows\n\
         hint: use --bandwidth auto or a number",
    );
    folder.refuses(
        "select a.csv --kernel linear --bandwidth cv",
        2,
        "error: --kernel linear has no --bandwidth\nhint: omit --bandwidth",
    );
}

#[test]
fn bandwidths_that_all_tie_are_noted() {
    let rows: String = (0..30).map(|row| format!("{},{}\n", row % 2 * 100 + row / 10, row % 2)).collect();
    let folder = Folder::with("a.csv", format!("x,class\n{rows}"));
    let shown = folder.stdout("select a.csv --label class -m 4 --bandwidth cv");
    let note = "all 8 bandwidths have the same 1-NN error on held-out rows (0.0 %); using the `auto` bandwidth, ";
    assert!(shown.contains(note), "{shown}");
    folder.stdout("select a.csv --label class -m 4 --bandwidth cv -o cv.json");
    let result: Value = serde_json::from_str(&folder.read("cv.json")).unwrap();
    assert!(result["notes"].as_array().unwrap().iter().any(|said| said.as_str().unwrap().starts_with(note)));
    let auto = folder.stdout("select a.csv --label class -m 4 -o auto.json");
    let auto: Value = serde_json::from_str(&(auto + &folder.read("auto.json"))).unwrap();
    assert_eq!(result["kernel"]["bandwidth"], auto["kernel"]["bandwidth"]);
}
