//! Terminal output of `protodash select`.

use crate::harness::{Folder, golden, on_testdata};

#[test]
fn tables_are_as_reviewed() {
    let calls = [
        ("select_digits", "select testdata/digits.csv --label label"),
        ("select_adults", "select testdata/nhanes_adults.csv -m 5 --id id --missing category --n-criticisms 3"),
        (
            "select_men_for_women",
            "select testdata/nhanes_adults.csv -m 4 --id id --drop gender --missing category --source-where \
             gender='male' --target-where gender='female'",
        ),
        ("select_min_gain", "select testdata/wine.csv --label label --min-gain 0.001 --method protogreedy"),
        ("select_convex", "select testdata/wine.csv --label label -m 1 --weights convex --bandwidth 0.5"),
        (
            "select_sample",
            "select testdata/wine.csv --label label -m 4 --target-where label='class_0' --target-energy sample",
        ),
        (
            "select_skip",
            "select testdata/wine.csv --label label -m 4 --target-where label='class_0' --target-energy skip",
        ),
        ("select_hamming", "select testdata/income.csv --kernel hamming --missing category -m 3"),
        (
            "select_among_target",
            "select testdata/wine.csv --label label -m 2 --source-where label<>'class_2' --n-criticisms 2 --criticism \
             distance --criticize-among target",
        ),
    ];
    for (name, arguments) in calls {
        golden(name, arguments, &on_testdata(arguments));
    }
}

#[test]
fn every_kernel_runs() {
    let kernels = "gaussian laplacian matern32 matern52 inverse-multiquadric linear polynomial cosine hamming";
    for kernel in kernels.split(' ') {
        let ran = on_testdata(&format!("select testdata/wine.csv --label label -m 3 --kernel {kernel}"));
        assert_eq!(ran.code, Some(0), "{kernel}: {}", ran.stderr);
        assert!(ran.stdout.contains(&format!("\n{kernel} kernel, ")), "{}", ran.stdout);
    }
}

#[test]
fn a_kernel_matrix_gives_the_same_result_as_its_kernel() {
    // Points 0, 1, 3, 7 with a linear kernel, as data and as the matrix of their products.
    let folder = Folder::with("data.csv", "x\n1\n2\n4\n7\n");
    folder.write("matrix.csv", "1,2,4,7\n2,4,8,14\n4,8,16,28\n7,14,28,49\n");
    folder.write("target.csv", "x\n3\n5\n").write("across.csv", "3,6,12,21\n5,10,20,35\n");
    let chosen = |arguments: &str| {
        let name = "result.json";
        folder.stdout(&format!("{arguments} -m 1 -o {name}"));
        let result: serde_json::Value = serde_json::from_str(&folder.read(name)).unwrap();
        (result["prototypes"].clone(), result["objective"].clone(), result["explained"].clone())
    };
    let by_kernel = chosen("select data.csv --kernel linear --scale none");
    assert_eq!(by_kernel, chosen("select matrix.csv --kernel precomputed"));
    let by_kernel = chosen("select data.csv --target target.csv --kernel linear --scale none --target-energy skip");
    let by_matrix = chosen("select matrix.csv --target across.csv --kernel precomputed");
    assert_eq!(by_kernel.2, serde_json::Value::Null);
    assert_eq!(by_kernel, by_matrix);
}

#[test]
fn a_bandwidth_can_be_given() {
    let ran = on_testdata("select testdata/wine.csv --label label -m 2 --bandwidth 2.5");
    let settings = "\ninverse-multiquadric kernel, bandwidth 2.500, 13 features, protodash, nonnegative weights\n";
    assert!(ran.stdout.contains(settings), "{}", ran.stdout);
    let auto = on_testdata("select testdata/wine.csv --label label -m 2");
    assert_eq!(auto, on_testdata("select testdata/wine.csv --label label -m 2 --bandwidth auto"));
    let median = on_testdata("select testdata/wine.csv --label label -m 2 --bandwidth median");
    assert!(median.stdout.contains(" (the median distance), "), "{}", median.stdout);
}

#[test]
fn classes_without_a_prototype_are_named() {
    let ran = on_testdata("select testdata/digits.csv --label label -m 10 --kernel gaussian --bandwidth median");
    let lines: Vec<&str> = ran.stdout.lines().collect();
    assert!(
        lines[0].contains(" than to the nearest of 10 random rows; 10 of 1,797 rows explain 98.7 %"),
        "{}",
        lines[0]
    );
    assert_eq!(lines[1], "no prototype is in class 2, 6 or 9 (29.9 % of rows)");
    assert!(ran.stdout.contains("\nnote: the kernel is wide: 10 random rows explain "), "{}", ran.stdout);
    let narrow = on_testdata("select testdata/digits.csv --label label -m 10 --kernel gaussian --bandwidth 0.05");
    assert!(narrow.stdout.contains("\nnote: the kernel is narrow: "), "{}", narrow.stdout);
}

#[test]
fn fewer_prototypes_than_requested_come_first() {
    // Under the linear kernel of one positive column, every row represents the mean exactly.
    let folder = Folder::with("a.csv", "x\n1\n2\n4\n");
    let table = folder.stdout("select a.csv -m 3 --kernel linear --scale none");
    assert!(table.starts_with("1 prototype instead of 3: no further row improves the fit; "), "{table}");
}

#[test]
fn a_target_with_weights_is_not_the_target_without() {
    let folder = Folder::with("a.csv", "x,w\n0,1\n1,1\n8,0\n9,0\n");
    let heaviest = folder.stdout("select a.csv -m 1 --target-weight w --scale none --bandwidth 1");
    assert!(heaviest.contains("\n   1    0  "), "{heaviest}");
    let folder = Folder::with("a.csv", "x,w\n0,0\n1,0\n8,1\n9,1\n");
    let heaviest = folder.stdout("select a.csv -m 1 --target-weight w --scale none --bandwidth 1");
    assert!(heaviest.contains("\n   1    2  "), "{heaviest}");
}

#[test]
fn a_low_memory_limit_does_not_change_the_result() {
    let call = "select testdata/digits.csv --label label -m 6";
    let (ample, scarce) = (on_testdata(call), on_testdata(&format!("{call} --memory 950KB")));
    assert_eq!(ample.stdout, scarce.stdout);
    let said = scarce.stderr.strip_prefix(&ample.stderr).expect("the same notes, and one more");
    assert_eq!(
        said,
        "note: after 4 prototypes the kernel columns exceed --memory and are recomputed at every step; this is slower \
         but does not change the result\n"
    );
    let none = on_testdata(&format!("{call} --memory 950KB --quiet"));
    assert_eq!((none.stdout, none.stderr.as_str()), (ample.stdout, ""));
}

/// Wine has 178 rows, of which 5 % are 8.9; 5 % of a sample of 40 are 2.
#[test]
fn the_number_of_prototypes_may_be_a_percentage_of_the_source_rows() {
    let folder = Folder::new();
    let path = folder.path("r.json").display().to_string();
    let chosen = |flags: &str| {
        let ran = on_testdata(&format!("select testdata/wine.csv --label label {flags} -o {path}"));
        assert_eq!(ran.code, Some(0), "{}", ran.stderr);
        folder.read("r.json")
    };
    assert_eq!(chosen("-m 5%"), chosen("-m 9"));
    let sampled = chosen("--source-sample 40 --n-prototypes 5%");
    let result: serde_json::Value = serde_json::from_str(&sampled).unwrap();
    assert_eq!(result["prototypes"].as_array().map(Vec::len), Some(2));
    let shown = |number| on_testdata(&format!("select testdata/wine.csv --label label -m {number}")).stdout;
    assert_eq!(shown("5%"), shown("9"));
    let compare = "compare testdata/wine.csv --label label --method random -o";
    on_testdata(&format!("{compare} {path} -m 5%,2"));
    let compared: serde_json::Value = serde_json::from_str(&folder.read("r.json")).unwrap();
    let sizes: Vec<u64> =
        compared["results"].as_array().unwrap().iter().map(|one| one["n_prototypes"].as_u64().unwrap()).collect();
    assert_eq!(sizes, [2, 9]);
    let refused = |call: &str, message: &str| {
        let ran = folder.run(call);
        assert!(ran.code == Some(2) && ran.stderr.contains(message), "{}", ran.stderr);
    };
    refused("select a.csv -m 0%", "invalid value '0%' for '--n-prototypes <N>': must be above 0% and at most 100%");
    refused("compare a.csv -m all", "must be a positive integer or a percentage of the source rows such as 5%");
}
