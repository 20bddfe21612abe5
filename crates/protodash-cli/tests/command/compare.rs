//! `protodash compare`: table, JSON, CSV and errors.

use serde_json::Value;

use crate::harness::{Folder, on_testdata, project};

fn comparison(arguments: &str) -> Value {
    let folder = Folder::new();
    let output = folder.path("out.json");
    let ran = on_testdata(&format!("compare {arguments} -q -o {}", output.display()));
    assert_eq!((ran.code, ran.stderr.as_str()), (Some(0), ""), "{arguments}");
    serde_json::from_str(&folder.read("out.json")).unwrap()
}

/// Everything except times and memory, which differ between runs.
fn without_measurements(mut comparison: Value) -> Value {
    comparison["preparation_seconds"] = Value::Null;
    for outcome in comparison["results"].as_array_mut().unwrap() {
        (outcome["seconds"], outcome["peak_memory_bytes"]) = (Value::Null, Value::Null);
    }
    comparison
}

fn rows(outcome: &Value) -> Vec<u64> {
    outcome["prototypes"].as_array().unwrap().iter().map(|row| row["source_index"].as_u64().unwrap()).collect()
}

fn selected(method: &str, n_prototypes: usize) -> Value {
    let folder = Folder::new();
    let call = format!("select testdata/digits.csv --label label -m {n_prototypes} --method {method} --weights own");
    let ran = on_testdata(&format!("{call} -q -o {}", folder.path("out.json").display()));
    assert_eq!((ran.code, ran.stderr.as_str()), (Some(0), ""));
    serde_json::from_str(&folder.read("out.json")).unwrap()
}

#[test]
fn every_method_chooses_the_same_rows_as_on_its_own() {
    let comparison = comparison("testdata/digits.csv --label label -m 12,5");
    let results = comparison["results"].as_array().unwrap();
    let methods: Vec<&str> =
        results.iter().take(results.len() / 2).map(|one| one["method"].as_str().unwrap()).collect();
    let all = "protodash protogreedy swap l2c p-lasso k-medoids coverage k-means farthest-first random";
    assert_eq!(methods, all.split(' ').collect::<Vec<_>>());
    for outcome in results {
        let (method, size) = (outcome["method"].as_str().unwrap(), outcome["n_prototypes"].as_u64().unwrap());
        let alone = selected(method, size as usize);
        assert_eq!(rows(outcome), rows(&alone), "{method} {size}");
        for key in ["mmd2", "explained"] {
            assert_eq!(outcome[key], alone[key], "{method} {size} {key}");
        }
        assert_eq!(outcome["objective"], alone["objective_final"], "{method} {size}");
        // Refitted weights are no worse, and the same for methods that already solve for them.
        let (own, again) = (outcome["mmd2"].as_f64().unwrap(), outcome["mmd2_refitted"].as_f64().unwrap());
        assert!(again <= own * (1.0 + 1e-9), "{method} {size} {again} {own}");
        assert_eq!(again == own, !["l2c", "p-lasso", "k-medoids", "k-means"].contains(&method), "{method} {size}");
    }
}

#[test]
fn coverage_is_measured_on_request_and_a_method_is_offered() {
    let call = "testdata/digits.csv --label label -m 5,12 --method protodash,farthest-first,random";
    let plain = comparison(call);
    assert!(plain.get("random_coverage").is_none() && plain["results"][0].get("coverage").is_none());
    let covered = comparison(&format!("{call} --coverage"));
    let random = &covered["random_coverage"][1];
    assert_eq!(
        (&random["n_prototypes"], &random["n_draws"], &random["n_classes"]),
        (&12.into(), &5.into(), &10.into())
    );
    // Ten classes of nearly the same size: 10 (1 - 0.9^12) = 7.18 are touched.
    let touched = random["classes_touched"].as_f64().unwrap();
    assert!((touched - 7.18).abs() < 0.05, "{touched}");
    for outcome in covered["results"].as_array().unwrap() {
        let labels: std::collections::BTreeSet<&str> =
            outcome["prototypes"].as_array().unwrap().iter().map(|row| row["label"].as_str().unwrap()).collect();
        let coverage = &outcome["coverage"];
        assert_eq!(coverage["classes_touched"], labels.len() as f64);
        assert!(coverage["mean_distance"].as_f64() < coverage["largest_distance"].as_f64());
        assert!(coverage["typicality"].as_f64().unwrap() > 0.5);
    }
    let ran = on_testdata(&format!("compare {call} --coverage"));
    let lines: Vec<&str> = ran.stdout.lines().collect();
    let header = |line: &&&str| line.contains("largest distance") && line.contains("10-NN radius");
    assert_eq!(lines.iter().filter(header).count(), 2, "{}", ran.stdout);
    assert_eq!(lines.iter().filter(|line| line.starts_with("random rows, mean of 5")).count(), 2);
    let offer = lines.last().unwrap();
    assert!(offer.contains(" of 10 classes, random rows 7.") && offer.contains(": use --method "), "{offer}");
    let folder = Folder::new();
    let ran = on_testdata(&format!("compare {call} --coverage -q -o {}", folder.path("out.csv").display()));
    assert_eq!(ran.code, Some(0), "{}", ran.stderr);
    let csv = folder.read("out.csv");
    assert!(csv.lines().next().unwrap().ends_with(",random_largest_distance,random_typicality"));
    assert!(csv.lines().all(|line| line.split(',').count() == 22));
}

#[test]
fn coverage_is_on_the_page_and_without_labels_the_nearest_method_is_offered() {
    let folder = Folder::new();
    let (page, saved) = (folder.path("out.html"), folder.path("out.json"));
    let call = "compare testdata/wine.csv --drop label -m 6 --method k-medoids,k-means,random --coverage -q";
    let ran = on_testdata(&format!("{call} -o {} --report {}", saved.display(), page.display()));
    assert_eq!(ran.code, Some(0), "{}", ran.stderr);
    let html = folder.read("out.html");
    for words in [
        "id=\"coverage\"",
        "largest distance",
        "random rows, mean of 5",
        ": use --method k-me",
        "Rows are nearest to those of k-me",
    ] {
        assert!(html.contains(words), "{words}");
    }
    // The page of the saved comparison says the same.
    let again = folder.path("again.html");
    let ran = on_testdata(&format!("report {} -o {}", saved.display(), again.display()));
    assert_eq!(ran.code, Some(0), "{}", ran.stderr);
    assert!(folder.read("again.html").contains(": use --method k-me"));
}

#[test]
fn rows_in_common_are_counted() {
    let comparison = comparison("testdata/wine.csv --label label -m 20 --method random,protodash");
    let [a, b] = [0, 1].map(|place| rows(&comparison["results"][place]));
    let common = a.iter().filter(|row| b.contains(row)).count();
    let overlap = &comparison["overlap"][0];
    assert_eq!(overlap["methods"], serde_json::json!(["random", "protodash"]));
    assert_eq!(overlap["shared"], serde_json::json!([[20, common], [common, 20]]));
}

#[test]
fn held_out_rows_are_neither_chosen_nor_represented() {
    let held_out = comparison("testdata/wine.csv --label label -m 8 --holdout 0.25 --method protodash");
    assert_eq!(
        (&held_out["n_test"], &held_out["n_target"], &held_out["n_source"]),
        (&45.into(), &133.into(), &133.into())
    );
    // Counted from the rows of the file: the nearest prototype in standardised units is the nearest under the Gaussian
    // kernel, and another method gets the same held-out rows.
    let other = comparison("testdata/wine.csv --label label -m 133 --holdout 0.25 --method random");
    let kept = rows(&other["results"][0]);
    assert!(rows(&held_out["results"][0]).iter().all(|row| kept.contains(row)));
    let accuracy = held_out["results"][0]["accuracy"].as_f64().unwrap();
    assert!((accuracy * 45.0).fract().abs() < 1e-9 && accuracy > 0.8, "{accuracy}");
    let nearest = nearest_right(&rows(&held_out["results"][0]), &kept);
    assert_eq!((accuracy * 45.0).round() as usize, nearest);
    // The diagonal of the confusion matrix holds the correct ones; every tested row is counted once.
    assert_eq!(held_out["classes"], serde_json::json!(["class_0", "class_1", "class_2"]));
    let confusion: Vec<Vec<u64>> = serde_json::from_value(held_out["results"][0]["confusion"].clone()).unwrap();
    assert_eq!((0..3).map(|class| confusion[class][class]).sum::<u64>() as usize, nearest);
    assert_eq!(confusion.concat().iter().sum::<u64>(), 45);
}

/// How many held-out wines have the class of the nearest chosen one, computed independently.
fn nearest_right(chosen: &[u64], kept: &[u64]) -> usize {
    let text = std::fs::read_to_string(project().join("testdata/wine.csv")).unwrap();
    let mut lines = text.lines();
    let label = lines.next().unwrap().split(',').position(|name| name == "label").unwrap();
    let cells: Vec<Vec<&str>> = lines.map(|line| line.split(',').collect()).collect();
    let features: Vec<usize> = (0..cells[0].len()).filter(|place| *place != label).collect();
    let value = |row: usize, place: usize| cells[row][place].parse::<f64>().unwrap();
    let n = cells.len() as f64;
    let variance = |place: usize| {
        let mean = (0..cells.len()).map(|row| value(row, place)).sum::<f64>() / n;
        (0..cells.len()).map(|row| (value(row, place) - mean).powi(2)).sum::<f64>() / n
    };
    let variances: Vec<f64> = features.iter().map(|place| variance(*place)).collect();
    let distance = |a: usize, b: usize| -> f64 {
        let terms = features.iter().zip(&variances);
        terms.map(|(place, variance)| (value(a, *place) - value(b, *place)).powi(2) / variance).sum()
    };
    let judged = (0..cells.len()).filter(|row| !kept.contains(&(*row as u64)));
    let right = |row: &usize| {
        let near = |a: &&u64, b: &&u64| distance(*row, **a as usize).total_cmp(&distance(*row, **b as usize));
        let nearest = *chosen.iter().min_by(near).unwrap() as usize;
        cells[nearest][label] == cells[*row][label]
    };
    judged.filter(right).count()
}

#[test]
fn the_same_call_gives_the_same_comparison() {
    let call = "testdata/wine.csv --label label -m 3,9 --holdout 0.2 --seed 5";
    let [one, two] = ["--threads 1", "--threads 3"].map(|threads| comparison(&format!("{call} {threads}")));
    assert_eq!(without_measurements(one), without_measurements(two));
}

#[test]
fn a_line_for_each_method_and_number() {
    let folder = Folder::new();
    let output = folder.path("out.csv");
    let call = "compare testdata/wine.csv --drop label -m 2,3 --method protodash,random,protodash -q";
    let ran = on_testdata(&format!("{call} -o {}", output.display()));
    assert_eq!((ran.code, ran.stderr.as_str()), (Some(0), ""));
    let text = folder.read("out.csv");
    let lines: Vec<Vec<&str>> = text.lines().map(|line| line.split(',').collect()).collect();
    assert!(lines.iter().all(|line| line.len() == lines[0].len()));
    assert_eq!(lines[0][..4], ["method", "n_prototypes", "n_found", "stopped"]);
    let begins: Vec<[&str; 2]> = lines[1..].iter().map(|line| [line[0], line[1]]).collect();
    assert_eq!(begins, [["protodash", "2"], ["random", "2"], ["protodash", "3"], ["random", "3"]]);
    assert_eq!(lines[1][10], "", "without classes there is no accuracy");
}

#[test]
fn the_terminal_shows_a_table_for_each_number() {
    let ran = on_testdata("compare testdata/wine.csv --label label -m 1,4 --method protodash,random");
    assert_eq!((ran.code, ran.stderr.as_str()), (Some(0), ""));
    let lines: Vec<&str> = ran.stdout.lines().collect();
    assert_eq!(lines[0], "1 prototype");
    let header: Vec<&str> = lines[1].split_whitespace().collect();
    let expected = ["method", "objective", "explained", "MMD²", "refitted", "accuracy", "vote", "time", "memory"];
    assert_eq!(header, expected);
    assert_eq!(lines[5], "4 prototypes");
    assert!(lines[10].starts_with("shared rows"), "{}", ran.stdout);
    let last = lines.last().unwrap();
    assert!(last.starts_with("with 4 prototypes, protodash explains the most, "), "{last}");
    assert!(last.contains("of 178 target rows"), "{last}");
}

#[test]
fn methods_that_are_equally_good_are_all_named() {
    // If all rows have the same norm in feature space, both rules take the same first row, and swap cannot improve on
    // it.
    let ran = on_testdata("compare testdata/wine.csv --drop label -m 1 --method random,protodash,protogreedy,swap");
    let last = ran.stdout.lines().last().unwrap();
    assert!(last.starts_with("with 1 prototype, protodash, protogreedy and swap explain the most, "), "{last}");
    let ran = on_testdata("compare testdata/wine.csv --drop label -m 1 --method protodash");
    let last = ran.stdout.lines().last().unwrap();
    assert!(last.starts_with("with 1 prototype, protodash explains the most, "), "{last}");
}

#[test]
fn wrong_calls_are_rejected() {
    let cases = [
        (
            "testdata/wine.csv --holdout 0.2",
            "error: --holdout measures accuracy on held-out rows, which needs class labels\n\
             hint: add --label or --source-labels, or omit --holdout\n",
        ),
        (
            "testdata/wine.csv -o out.parquet",
            "error: --output out.parquet ends in .parquet; allowed are .json and .csv\n\
             hint: use .json for everything, .csv for one line per method and number of prototypes\n",
        ),
        (
            "testdata/wine.csv --target testdata/wine.csv --source-labels testdata/wine.csv",
            "error: --source-labels and --target-labels go together: source and target both need labels\n\
             hint: use both or neither\n",
        ),
    ];
    for (arguments, message) in cases {
        let ran = on_testdata(&format!("compare {arguments}"));
        assert_eq!((ran.code, ran.stderr.as_str(), ran.stdout.as_str()), (Some(2), message, ""), "{arguments}");
    }
    for (arguments, message) in [
        ("--holdout 1", "must be a number between 0 and 1, such as 0.2"),
        ("-m 5,0", "must be at least 1"),
        (
            "--method greedy",
            "[possible values: protodash, protogreedy, swap, l2c, p-lasso, k-medoids, coverage, k-means, farthest-first, random]",
        ),
    ] {
        let ran = on_testdata(&format!("compare testdata/wine.csv {arguments}"));
        assert_eq!(ran.code, Some(2), "{arguments}");
        assert!(ran.stderr.contains(message), "{arguments}: {}", ran.stderr);
    }
    let ran = on_testdata("compare testdata/wine.csv --label label -m 179");
    let message = "error: testdata/wine.csv: cannot choose 179 prototypes from 178 source rows\n\
                   hint: use -m 178 or fewer\n";
    assert_eq!((ran.code, ran.stderr.as_str()), (Some(1), message));
}

/// Under a kernel of products a vote may be negative, and the longest rows win.
#[test]
fn kernels_of_products_have_no_vote() {
    let call = "testdata/wine.csv --label label --scale minmax --method protodash -m 5"; // standardised, the mean is 0
    for (kernel, has_vote) in [("gaussian", true), ("linear", false), ("polynomial", false)] {
        let found = comparison(&format!("{call} --kernel {kernel}"));
        let outcome = &found["results"][0];
        assert!(outcome["accuracy"].is_number());
        assert_eq!(outcome["accuracy_weighted"].is_number(), has_vote, "{kernel}");
        let shown = on_testdata(&format!("compare {call} --kernel {kernel}")).stdout;
        assert_eq!(shown.contains("vote"), has_vote, "{shown}");
    }
}
