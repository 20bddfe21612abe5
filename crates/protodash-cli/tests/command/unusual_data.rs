//! Unusual but valid data: they work, with finite weights.

use std::fmt::Write as _;

use serde_json::Value;

use crate::harness::Folder;

fn result(folder: &Folder, arguments: &str) -> Value {
    folder.stdout(&format!("{arguments} -o result.json"));
    serde_json::from_str(&folder.read("result.json")).unwrap()
}

fn weights(result: &Value) -> Vec<f64> {
    let prototypes = result["prototypes"].as_array().unwrap();
    prototypes.iter().map(|prototype| prototype["weight"].as_f64().expect("a finite weight")).collect()
}

#[test]
fn one_row() {
    let folder = Folder::with("one.csv", "x,y\n3,4\n");
    let found = result(&folder, "select one.csv -m 1");
    assert_eq!((weights(&found), &found["explained"]), (vec![1.0], &Value::from(1.0)));
    // Ten is only the default, so one row is not an error.
    assert_eq!(weights(&result(&folder, "select one.csv")), [1.0]);
    let table = folder.stdout("select one.csv");
    assert!(
        table.starts_with("1 of 1 row explains 100.0 % of the data (1 random row, best weights: 100.0 %)\n"),
        "{table}"
    );
}

#[test]
fn duplicates_by_the_thousand() {
    let mut rows = String::from("x,y\n");
    for _ in 0..3000 {
        rows += "1,2\n5,5\n1,2\n";
    }
    let found = result(&Folder::with("many.csv", rows), "select many.csv -m 5");
    // There are only two distinct rows, and both make the set optimal.
    assert_eq!((weights(&found).len(), &found["stopped"]), (2, &Value::from("optimal")));
    assert_eq!(found["prototypes"][0]["source_index"], 0);
    assert_eq!(found["prototypes"][1]["source_index"], 1);
    let share = found["prototypes"][0]["share"].as_f64().unwrap();
    assert!((share - 2.0 / 3.0).abs() < 1e-9, "{share}");
}

#[test]
fn huge_and_tiny_values() {
    for size in ["1e30", "1e-30", "-1e30"] {
        let mut rows = String::from("x,y\n");
        for i in 0..40 {
            let value = |step: usize| (i * step % 17) as f64 + 1.0;
            writeln!(
                rows,
                "{}{},{}{}",
                value(3),
                &size[size.find('e').unwrap()..],
                value(5),
                &size[size.find('e').unwrap()..]
            )
            .unwrap();
        }
        let folder = Folder::with("a.csv", rows);
        for flags in
            ["", "--scale none", "--scale minmax", "--scale none --kernel linear", "--scale none --kernel cosine"]
        {
            let found = result(&folder, &format!("select a.csv -m 4 {flags}"));
            let weights = weights(&found);
            assert!(!weights.is_empty() && weights.iter().all(|weight| weight.is_finite()), "{size} {flags}: {found}");
            assert!(found["explained"].as_f64().unwrap() > 0.5, "{size} {flags}: {found}");
        }
    }
}

#[test]
fn values_too_large_for_a_kernel() {
    let folder = Folder::with("a.csv", "x,y\n3e200,1\n0,2\n");
    folder.refuses(
        "select a.csv -m 1 --scale none --kernel linear",
        1,
        "error: a.csv: the kernel value of source row 0 with itself or with the target is inf; kernel values must be \
         finite (rows are counted from 0)\nhint: the values are too large for this kernel; use --scale standard or --scale \
         rank, or another --kernel",
    );
    let hint = "hint: change the unit of the values, or use --scale standard or --scale rank";
    folder.refuses(
        "select a.csv -m 1 --scale none",
        1,
        &format!("error: a.csv: the distances between the rows give a bandwidth of 7.5e199; it must be above 0 and finite (1e-150 to \
             1e150)\n{hint}"),
    );
}

#[test]
fn a_constant_column_has_no_effect() {
    let folder = Folder::with("a.csv", "x,y\n0,7\n1,7\n9,7\n");
    folder.write("b.csv", "x\n0\n1\n9\n");
    let (with, without) = (result(&folder, "select a.csv -m 2"), result(&folder, "select b.csv -m 2"));
    assert_eq!(with["prototypes"], without["prototypes"]);
}

#[test]
fn a_mean_that_cancels_out_needs_no_prototypes() {
    let folder = Folder::with("a.csv", "x,y\n1,5\n2,3\n4,4\n9,8\n");
    let table = folder.stdout("select a.csv -m 2 --kernel linear");
    assert_eq!(
        table,
        "no prototypes: under this kernel the mean of the data is 0, so there is nothing to explain (the linear kernel \
         sees only the mean, which standard scaling makes 0; products of values below 1e-154 underflow to 0); try \
         another kernel or another scale\n\
         linear kernel, 2 features, protodash, nonnegative weights\n"
    );
    assert_eq!(result(&folder, "select a.csv -m 2 --kernel linear")["explained"], Value::Null);
    let found = result(&folder, "select a.csv -m 2 --kernel linear --scale minmax");
    assert!(found["explained"].as_f64().unwrap() > 0.9, "{found}");
}

/// Rows of 1e-300 under the linear kernel came with no prototypes and "explained": 1.
#[test]
fn every_kernel_says_something_sensible_about_values_at_the_ends_of_the_range() {
    let rows = |exponent: i32| {
        let row = |i: usize| format!("{}e{exponent},{}e{exponent}\n", i * 3 % 17 + 1, i * 5 % 17 + 1);
        String::from("x,y\n") + &(0..40).map(row).collect::<String>()
    };
    let folder = Folder::with("e-300.csv", rows(-300));
    for exponent in [-160, 160, 300] {
        folder.write(&format!("e{exponent}.csv"), rows(exponent));
    }
    let select = |exponent: i32, kernel: &str| format!("select e{exponent}.csv -m 2 --scale none --kernel {kernel}");
    let underflow = folder.stdout(&select(-300, "linear"));
    assert!(underflow.starts_with("no prototypes: ") && underflow.contains("underflow to 0"), "{underflow}");
    assert_eq!(result(&folder, &select(-300, "linear"))["explained"], Value::Null);
    let digits = folder.stdout(&select(-160, "linear"));
    assert!(digits.contains("note: the values are so small that their products lose digits"), "{digits}");
    for exponent in [-300, -160, 160, 300] {
        for kernel in ["gaussian", "laplacian", "matern32", "matern52", "inverse-multiquadric"] {
            let said = folder.run(&select(exponent, kernel)).stderr;
            assert!(said.contains("change the unit of the values, or use --scale standard"), "{said}");
        }
        // Only directions count.
        assert!(result(&folder, &select(exponent, "cosine"))["explained"].as_f64().unwrap() > 0.9);
        // Differences are all that counts after scaling.
        assert!(!weights(&result(&folder, &format!("select e{exponent}.csv -m 2"))).is_empty());
    }
    for exponent in [160, 300] {
        for kernel in ["linear", "polynomial"] {
            let said = folder.run(&select(exponent, kernel)).stderr;
            assert!(said.contains("the values are too large for this kernel"), "{said}");
        }
    }
}

#[test]
fn a_column_that_varies_only_in_the_target_matters() {
    let folder = Folder::with("s.csv", "income,kids\n1,0\n2,0\n3,0\n4,0\n");
    folder.write("t.csv", "income,kids\n1,3\n2,4\n3,3\n4,5\n");
    let found = result(&folder, "select s.csv --target t.csv -m all --shift");
    assert!(found["explained"].as_f64().unwrap() < 0.9, "{found}");
    let features = found["covariate_shift"]["features"].as_array().unwrap();
    assert!(features.iter().any(|feature| feature["feature"] == "kids"), "{found}");
}

#[test]
fn a_minimum_gain_that_no_row_reaches() {
    let folder = Folder::with("a.csv", "x\n1\n2\n4\n");
    let table = folder.stdout("select a.csv --min-gain 10");
    let sentence = "none of the 3 rows raises the objective by 10 or more; try a smaller minimum gain\n";
    assert!(table.starts_with(sentence), "{table}");
}

#[test]
fn a_target_similar_to_no_source_row() {
    let folder = Folder::with("s.csv", "x\n1\n2\n");
    folder.write("t.csv", "x\n-1\n-3\n");
    let table = folder.stdout("select s.csv --target t.csv --kernel linear --scale none");
    assert_eq!(
        table,
        "none of the 2 source rows is similar to the 2 target rows, so none can represent them\n\
         linear kernel, 1 feature, protodash, nonnegative weights\n"
    );
    let found = result(&folder, "select s.csv --target t.csv --kernel linear --scale none");
    assert_eq!((weights(&found), &found["stopped"]), (vec![], &Value::from("optimal")));
    folder.stdout("select s.csv --target t.csv --kernel linear --scale none -o rows.csv");
    assert_eq!(
        folder.read("rows.csv"),
        "prototype_rank,prototype_weight,prototype_share,prototype_gain,source_index,x\n"
    );
}

/// Rows that were chosen and lost their weight to later ones were written like the others.
#[test]
fn rows_without_weight_are_not_written_as_prototypes() {
    let source = "x,y,z\n-5,9,-7\n-1,-6,6\n5,6,3\n-3,-6,6\n-9,3,4\n-9,5,-1\n-2,9,-6\n1,-9,-9\n";
    let folder = Folder::with("source.csv", source);
    folder.write("target.csv", "x,y,z\n-4,6,4\n-4,2,6\n-1,2,7\n-4,4,-1\n");
    let call = "select source.csv --target target.csv --kernel gaussian --bandwidth 20 --scale none -m all";
    let found = result(&folder, call);
    let n_weighted = weights(&found).iter().filter(|weight| **weight > 0.0).count();
    folder.stdout(&format!("{call} -o rows.csv"));
    let rows = folder.read("rows.csv");
    assert_eq!(rows.lines().count(), 1 + n_weighted, "{rows}");
    let ranks: Vec<&str> = rows.lines().skip(1).filter_map(|line| line.split(',').next()).collect();
    assert_eq!(ranks, ["1", "2", "3", "5"]); // the order of choice, as in the JSON
    let without = weights(&found).len() - n_weighted;
    assert!(without > 0 && found["objective"].as_array().unwrap().len() == n_weighted + without, "{found}");
}

/// What is computed in f32 says how exact it is; what is not, does not.
#[test]
fn figures_of_f32_have_error_bounds() {
    let header = |kind: &str| format!("{{'descr': '<{kind}', 'fortran_order': False, 'shape': (4, 1), }}");
    let npy = |kind: &str, values: &[u8]| {
        let text = format!("{:<117}\n", header(kind));
        [b"\x93NUMPY\x01\x00".as_slice(), &(text.len() as u16).to_le_bytes(), text.as_bytes(), values].concat()
    };
    let numbers = [0.0_f32, 0.25, 3.0, 3.5];
    let single: Vec<u8> = numbers.iter().flat_map(|value| value.to_le_bytes()).collect();
    let double: Vec<u8> = numbers.iter().flat_map(|value| f64::from(*value).to_le_bytes()).collect();
    let folder = Folder::with("single.npy", npy("f4", &single));
    folder.write("double.npy", npy("f8", &double));
    let [rough, exact] = ["single", "double"].map(|name| result(&folder, &format!("select {name}.npy -m 2")));
    assert!(exact.get("error_bounds").is_none() && exact.get("mmd2_path").is_none());
    let number = |value: &Value| value.as_f64().unwrap();
    for figure in ["target_energy", "mmd2", "explained"] {
        let (apart, bound) = (number(&rough[figure]) - number(&exact[figure]), number(&rough["error_bounds"][figure]));
        assert!(apart.abs() <= bound && bound < 1e-4, "{figure}: {apart} {bound}");
    }
    assert_eq!(rough["error_bounds"]["objective"], 0.0);
}

#[test]
fn columns_that_cannot_be_read_are_named_where_no_feature_is_left() {
    let folder =
        Folder::with("a.jsonl", "{\"id\": \"a\", \"tags\": [\"u\", \"v\"]}\n{\"id\": \"b\", \"tags\": [\"w\"]}\n");
    folder.refuses(
        "select a.jsonl --id id -m 1",
        1,
        "error: a.jsonl: no features are left: the only column is dropped or has another role, and others cannot be read: \
         \"tags\" is list\nhint: name at least one feature with --columns, or drop fewer columns",
    );
}
