//! Columns estimated from the prototypes: figures, roles, files and errors.

use serde_json::Value;

use crate::harness::Folder;

/// Items of two kinds, three easy ones and one hard one, with the answers of two models.
const ITEMS: &str = "x,good,bad\n0,1,true\n0.1,1,false\n0.2,1,false\n5,0.5,false\n";

fn estimated(folder: &Folder, call: &str) -> Value {
    folder.stdout(&format!("{call} -q -o r.json"));
    serde_json::from_str(&folder.read("r.json")).unwrap()
}

#[test]
fn means_are_estimated_and_their_columns_are_no_features() {
    let folder = Folder::with("items.csv", ITEMS);
    let flags = "select items.csv -m 2 --weights convex --scale none --kernel gaussian --bandwidth 1";
    let result = estimated(&folder, &format!("{flags} --estimate good,bad"));
    let plain = estimated(&folder, &format!("{flags} --drop good,bad"));
    assert_eq!((&result["prototypes"], &result["n_features"]), (&plain["prototypes"], &1.into()));
    assert!(plain.get("estimates").is_none());
    let weights: Vec<(u64, f64)> = result["prototypes"]
        .as_array()
        .unwrap()
        .iter()
        .map(|row| (row["source_index"].as_u64().unwrap(), row["weight"].as_f64().unwrap()))
        .collect();
    for (place, column, values) in [(0, "good", [1.0, 1.0, 1.0, 0.5]), (1, "bad", [1.0, 0.0, 0.0, 0.0])] {
        let found = &result["estimates"][place];
        let number = |name: &str| found[name].as_f64().unwrap();
        let estimate: f64 = weights.iter().map(|(row, weight)| weight * values[*row as usize]).sum();
        let mean: f64 = values.iter().sum::<f64>() / 4.0;
        let variance = values.iter().map(|value| (value - mean).powi(2)).sum::<f64>() / 3.0;
        assert_eq!(found["column"], column);
        assert!((number("estimate") - estimate).abs() < 1e-9 && (number("mean") - mean).abs() < 1e-12);
        assert!((number("error") - (estimate - mean)).abs() < 1e-9);
        assert!((number("random_standard_error") - (variance * 0.5 / 2.0).sqrt()).abs() < 1e-12);
    }
    let table = folder.stdout(&format!("{flags} --estimate good,bad"));
    let header = table.lines().find(|line| line.contains("of random rows ±")).unwrap();
    assert!(header.contains("column") && header.contains("estimate") && header.contains("all rows"), "{header}");
    // Naming a column twice, or dropping it too, changes nothing.
    let dropped = estimated(&folder, &format!("{flags} --estimate good,bad --drop bad"));
    assert_eq!((&dropped["estimates"], &dropped["n_features"]), (&result["estimates"], &1.into()));
}

#[test]
fn the_mean_is_unknown_without_all_values() {
    let folder = Folder::with("items.csv", "x,score\n0,1\n0.1,\n0.2,1\n5,0\n");
    let flags = "--scale none --kernel gaussian --bandwidth 1 --estimate score";
    let result = estimated(&folder, &format!("select items.csv -m 2 --exclude 1 {flags}"));
    let found = &result["estimates"][0];
    assert!(found["estimate"].is_number());
    for name in ["mean", "error", "random_standard_error"] {
        assert_eq!(found[name], Value::Null, "{name}");
    }
    let hint = "hint: values must be numbers, true or false; only rows that are not chosen may lack one";
    let message = format!("error: --estimate score: row 1 of items.csv has no value\n{hint}");
    folder.refuses(&format!("select items.csv -m 1 --fixed 1 {flags}"), 1, &message);
    // A target without the column has no mean to compare with; one with it has its own.
    folder.write("new.csv", "x\n0.2\n0.3\n");
    folder.write("old.csv", "x,score\n0.2,5\n0.3,7\n");
    let unknown = estimated(&folder, &format!("select items.csv --target new.csv -m 1 {flags}"));
    assert_eq!(unknown["estimates"][0]["mean"], Value::Null);
    folder.write("items.csv", "x,score\n0,1\n0.1,2\n0.2,1\n5,0\n");
    let known = estimated(&folder, &format!("select items.csv --target old.csv -m 1 {flags}"));
    assert_eq!(known["estimates"][0]["mean"], 6.0);
}

#[test]
fn what_cannot_be_estimated_is_rejected() {
    let folder = Folder::with("items.csv", "x,score\n0,1\n0.1,poor\n");
    folder.refuses(
        "select items.csv -m 1 --estimate score",
        1,
        "error: --estimate score: row 1 of items.csv has \"poor\"\n\
         hint: values must be numbers, true or false; only rows that are not chosen may lack one",
    );
    let ran = folder.run("select items.csv -m 1 --estimate scores");
    assert_eq!(ran.code, Some(1), "{}", ran.stderr);
    assert!(ran.stderr.contains("\"scores\""), "{}", ran.stderr);
    folder.refuses(
        "select items.csv -m 1 --estimate score -o r.csv",
        2,
        "error: --output r.csv can hold only prototypes, not --estimate\nhint: use a .json file",
    );
}
