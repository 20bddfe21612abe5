//! Covariate shift: terminal, files and errors.

use serde_json::Value;

use crate::harness::{Folder, golden, on_testdata};

#[test]
fn means_before_and_after_are_shown() {
    let calls = [(
        "select_shift",
        "select testdata/wine.csv --drop label -m all --shift --weights convex --source-where label<>'class_0' \
         --target-where label='class_0'",
    )];
    for (name, arguments) in calls {
        golden(name, arguments, &on_testdata(arguments));
    }
}

/// A source spread evenly over 0 to 9 and a target at 6 to 8: means are in the units of the file although columns were
/// standardised.
#[test]
fn the_report_is_in_the_units_of_the_file() {
    let source: String = (0..10).map(|x| format!("{x},5\n")).collect();
    let folder = Folder::with("source.csv", format!("x,constant\n{source}"));
    folder.write("target.csv", "x,constant\n6,5\n7,5\n8,5\n");
    folder.stdout("select source.csv --target target.csv -m all --shift --weights convex --bandwidth 0.4 -o r.json");
    let result: Value = serde_json::from_str(&folder.read("r.json")).unwrap();
    assert_eq!(result["stopped"], "optimal");
    let shift = &result["covariate_shift"];
    let features = shift["features"].as_array().unwrap();
    assert_eq!(features.len(), 1); // the constant column is omitted
    let mean = |key: &str| features[0][key].as_f64().unwrap();
    assert!((mean("source_mean") - 4.5).abs() < 1e-12 && (mean("target_mean") - 7.0).abs() < 1e-12);
    assert!((mean("weighted_mean") - 7.0).abs() < 0.3, "{}", mean("weighted_mean"));
    assert!(mean("difference_before") < -3.0 && mean("difference_after").abs() < 0.5);
    let weights: Vec<f64> =
        result["prototypes"].as_array().unwrap().iter().map(|p| p["weight"].as_f64().unwrap()).collect();
    let size = weights.iter().sum::<f64>().powi(2) / weights.iter().map(|weight| weight * weight).sum::<f64>();
    assert!((shift["effective_sample_size"].as_f64().unwrap() - size).abs() < 1e-12);
}

#[test]
fn shift_without_a_separate_target_is_rejected() {
    let folder = Folder::with("a.csv", "x\n1\n2\n4\n");
    folder.write("b.csv", "x\n2\n3\n").write("k.csv", "1,0\n0,1\n");
    folder.refuses(
        "select a.csv --shift",
        2,
        "error: --shift compares the source with a separate target, but there is none\n\
         hint: add --target, --target-where or --source-where",
    );
    folder.refuses(
        "select k.csv --kernel precomputed --shift",
        2,
        "error: --shift compares feature means, but kernel matrices have no features\n\
         hint: omit --shift, or use another kernel",
    );
    folder.refuses(
        "select a.csv --target b.csv --shift -o r.csv",
        2,
        "error: --output r.csv can hold only prototypes, not --shift\nhint: use a .json file",
    );
}

#[test]
fn all_means_all_that_help() {
    let folder = Folder::with("a.csv", "x\n0\n0\n5\n9\n");
    let shown = folder.stdout("select a.csv -m all --scale none --kernel gaussian --bandwidth 0.5");
    assert!(shown.starts_with("stopped at 3: no further row improves the fit; rows are 100 % nearer"), "{shown}");
    assert!(shown.contains("; 3 of 4 rows explain 100.0 % of the data ("), "{shown}");
    folder.refuses(
        "select a.csv -m some",
        2,
        "error: invalid value 'some' for '--n-prototypes <N>': must be a positive integer or `all`\n\n\
         For more information, try '--help'.",
    );
}
