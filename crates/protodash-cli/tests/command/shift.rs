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
fn weights_can_be_limited() {
    let source: String = (0..40).map(|x| format!("{}\n", f64::from(x) / 4.0)).collect();
    let folder = Folder::with("source.csv", format!("x\n{source}"));
    folder.write("target.csv", "x\n7.9\n8\n8\n8.1\n8.2\n");
    let call = "select source.csv --target target.csv -m all --shift --weights convex --scale none --bandwidth 0.5";
    let read = |flags: &str| -> (String, Value) {
        let shown = folder.stdout(&format!("{call} {flags}"));
        folder.stdout(&format!("{call} {flags} -o r.json"));
        (shown, serde_json::from_str(&folder.read("r.json")).unwrap())
    };
    let effective = |result: &Value| result["covariate_shift"]["effective_sample_size"].as_f64().unwrap();
    let (_, free) = read("");
    assert!(effective(&free) < 6.0 && free.get("max_weight").is_none() && free.get("min_effective").is_none());
    let (shown, limited) = read("--max-weight 0.12 --min-effective 12");
    assert_eq!((limited["max_weight"].as_f64(), limited["min_effective"].as_f64()), (Some(0.12), Some(12.0)));
    assert!((effective(&limited) - 12.0).abs() < 1e-9, "{}", effective(&limited));
    let shares = limited["prototypes"].as_array().unwrap().iter().map(|prototype| prototype["share"].as_f64().unwrap());
    assert!(shares.fold(0.0, f64::max) <= 0.12 + 1e-12);
    assert!(
        shown.contains("convex weights (each at most 12.00 % of the total, effective sample size at least 12.00)"),
        "{shown}"
    );
    folder.refuses(
        "select source.csv -m 4 --max-weight 0.2",
        1,
        "error: source.csv: max_weight is 0.2, which is too low for 4 prototypes, whose shares of \
         the total must add up to 1; it must be at least 0.25\nhint: raise --max-weight, or choose more prototypes with -m",
    );
    folder.refuses(
        "select source.csv -m 4 --min-effective 5",
        1,
        "error: source.csv: min_effective is 5, but 4 prototypes cannot have an effective sample size above 4\n\
         hint: lower --min-effective, or choose more prototypes with -m",
    );
    folder.refuses(
        "select source.csv --method l2c --max-weight 0.2",
        2,
        "error: --max-weight limits optimal weights, but --weights is equal\n\
         hint: use --weights nonnegative or convex",
    );
}

/// Three target clusters, one of them with most of the rows: nearly all the weight is on few rows.
#[test]
fn a_low_effective_sample_size_is_noted() {
    let source: String = (0..30).map(|x| format!("{}\n", 3 * x)).collect();
    let folder = Folder::with("source.csv", format!("x\n{source}"));
    let target: String =
        [0; 60].iter().map(|x| format!("{x}\n")).chain((1..12).map(|x| format!("{}\n", 3 * x))).collect();
    folder.write("target.csv", format!("x\n{target}"));
    let call = "select source.csv --target target.csv -m all --shift --scale none --kernel gaussian --bandwidth 0.5";
    let shown = folder.stdout(call);
    folder.stdout(&format!("{call} -o r.json"));
    let note = "12 rows have a weight, but an effective sample size of 1.4: a few of them dominate, and a model trained with \
                these weights can be worse than one without; use --max-weight, or use --min-effective";
    assert!(shown.split_whitespace().collect::<Vec<_>>().join(" ").contains(&format!("note: {note}")), "{shown}");
    let result: Value = serde_json::from_str(&folder.read("r.json")).unwrap();
    assert_eq!(result["notes"].as_array().unwrap().last().unwrap(), note);
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
        "error: invalid value 'some' for '--n-prototypes <N>': must be a positive integer, a percentage of the source rows such as 5%, or `all`\n\n\
         For more information, try '--help'.",
    );
}
