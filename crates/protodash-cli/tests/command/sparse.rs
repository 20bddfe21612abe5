//! Files of sparse rows, which must give the results of the same rows with their zeros.

use std::fmt::Write as _;

use serde_json::Value;

use crate::harness::{Folder, project};

/// Documents of three classes with words of their own, as svmlight and with all zeros as CSV.
fn documents(folder: &Folder, name: &str, n_rows: usize, seed: usize) {
    let (mut sparse, mut dense) = (String::new(), String::from("label"));
    (1..=40).for_each(|word| write!(dense, ",x{word}").unwrap());
    for row in 0..n_rows {
        let class = row % 3;
        let mut counts = [0.0; 41];
        for draw in 0..6 {
            // Squares modulo a prime spread well.
            let place = (row * 31 + draw * draw * 7 + seed) * (row + draw + 3) % 101;
            let word = if draw < 4 { 1 + class * 10 + place % 10 } else { 31 + place % 10 };
            counts[word] += 1.0 + (place % 4) as f64 / 2.0;
        }
        write!(sparse, "{class}").unwrap();
        write!(dense, "\n{class}").unwrap();
        for (word, count) in counts.iter().enumerate().skip(1) {
            if *count > 0.0 {
                write!(sparse, " {word}:{count}").unwrap();
            }
            write!(dense, ",{count}").unwrap();
        }
        sparse.push('\n');
    }
    folder.write(&format!("{name}.svm"), sparse).write(&format!("{name}.csv"), dense + "\n");
}

fn json(folder: &Folder, name: &str) -> Value {
    serde_json::from_str(&folder.read(name)).unwrap()
}

fn numbers(values: &Value, key: &str) -> Vec<f64> {
    values.as_array().unwrap().iter().map(|one| one[key].as_f64().unwrap()).collect()
}

fn assert_near(found: &[f64], expected: &[f64], what: &str) {
    assert_eq!(found.len(), expected.len(), "{what}");
    for (found, expected) in found.iter().zip(expected) {
        assert!((found - expected).abs() <= 1e-9 * (1.0 + expected.abs()), "{what}: {found} {expected}");
    }
}

#[test]
fn selections_are_those_of_the_rows_with_their_zeros() {
    let folder = Folder::new();
    documents(&folder, "a", 150, 1);
    documents(&folder, "b", 60, 5);
    for flags in [
        "-m 5",
        "-m 5 --kernel gaussian --normalize",
        "-m 5 --kernel cosine --method protogreedy",
        "-m 4 --kernel linear --weights convex",
        "-m 4 --target b.EXT --shift --n-criticisms 3",
        "-m 4 --source-where label=1 --target-where label<2",
        "-m 6 --means racing",
        "-m 6 --per-label equal --label label",
        "-m 5 --source-sample 100 --estimate label --at-least label=2:2",
        "-m 4 --bandwidth cv",
    ] {
        let run = |ending: &str, more: &str| {
            let flags = flags.replace("EXT", ending);
            folder.stdout(&format!("select a.{ending} {flags}{more} -q -o {ending}.json"));
            json(&folder, &format!("{ending}.json"))
        };
        let label = if flags.contains("label") && flags.contains("--label label") { "" } else { " --label label" };
        let label = if flags.contains("--estimate") { " --drop label" } else { label };
        let (sparse, dense) = (run("svm", ""), run("csv", &format!(" --scale none{label}")));
        let key = |result: &Value, key: &str| numbers(&result["prototypes"], key);
        assert_eq!(key(&sparse, "source_index"), key(&dense, "source_index"), "{flags}");
        assert_near(&key(&sparse, "weight"), &key(&dense, "weight"), flags);
        assert_near(&[sparse["explained"].as_f64().unwrap()], &[dense["explained"].as_f64().unwrap()], flags);
        if flags.contains("--shift") {
            let first = |result: &Value| numbers(&result["covariate_shift"]["features"], "difference_before");
            assert_near(&first(&sparse), &first(&dense), flags);
            let rows = |result: &Value| numbers(&result["criticisms"], "source_index");
            assert_eq!(rows(&sparse), rows(&dense));
        }
    }
}

#[test]
fn everything_that_follows_from_a_selection_works() {
    let folder = Folder::new();
    documents(&folder, "a", 150, 1);
    documents(&folder, "b", 20, 5);
    let shown = folder.stdout("select a.svm -m 4 --n-criticisms 2 --report a.html");
    // Labels are those of the file, and what rows look like are their stored values.
    assert!(shown.contains("  label  ") && shown.contains(" x1") && !shown.contains(" 0,"), "{shown}");
    let page = folder.read("a.html");
    assert!(page.contains(" of 40 columns: shown are those in which the rows on this page have their largest values"));
    folder.stdout("select a.svm -m 4 -q -o a.json");
    assert_eq!(json(&folder, "a.json")["n_features"], 40);
    folder.stdout("select a.svm -m 6 --resume a.json -q -o more.json");
    folder.stdout("criticize a.json a.svm --n-criticisms 3");
    folder.stdout("report a.json a.svm -o again.html");
    folder.stdout("report a.json more.json --data a.svm -o both.html");
    folder.stdout("compare a.svm -m 3 --coverage -q -o compared.json --report compared.html");
    folder.stdout("select a.svm -m 3 -q -o a.csv");
    assert!(folder.read("a.csv").lines().nth(1).unwrap().contains(':'), "{}", folder.read("a.csv"));
    let excluded = folder.run("select a.svm --exclude a.svm --target b.svm -m 3");
    assert_eq!(excluded.code, Some(1), "{}", excluded.stderr);
    let explained =
        folder.stdout("explain a.svm --rows b.svm --label label --same --n-prototypes 2 --report explained.html");
    assert!(explained.contains("alike: x") && explained.contains("differs: x"), "{explained}");
    let explained = folder.stdout("explain a.svm --rows label=2 --n-prototypes 2");
    assert!(!explained.contains("alike: x1 0"), "{explained}");
}

#[test]
fn matrices_of_scipy_are_read() {
    let folder = Folder::new();
    for name in ["sparse_rows.npz", "sparse_columns.npz"] {
        let bytes = std::fs::read(project().join("testdata/formats").join(name)).unwrap();
        folder.write(name, bytes);
        let shown = folder.stdout(&format!("select {name} -m 2 --kernel linear"));
        assert!(shown.contains("x0 4") && shown.contains("3 features"), "{shown}");
    }
    folder.write("classes.csv", "class\na\na\nb\nb\n");
    let shown = folder.stdout("select sparse_rows.npz -m 2 --source-labels classes.csv --per-label equal");
    assert!(shown.contains("  b  "), "{shown}");
}

#[test]
fn what_sparse_rows_cannot_do_is_said_with_a_remedy() {
    let folder = Folder::new();
    documents(&folder, "a", 30, 1);
    folder.write("bad.svm", "1 3:0.5\n-1 7:x\n");
    folder.refuses(
        "select bad.svm -m 1",
        1,
        "error: bad.svm: line 2: the value of index 7 is \"x\"; it must be a finite number\nhint: each line must be a label \
         and index:value pairs, as in \"1 3:0.5 17:2\"",
    );
    folder.refuses(
        "select a.svm -m 1 --kernel laplacian",
        1,
        "error: a.svm: the laplacian kernel cannot be used with sparse rows; gaussian, matern32, matern52, \
         inverse-multiquadric, linear and cosine can\nhint: use --kernel inverse-multiquadric or --kernel cosine, or convert \
         the rows to a file with columns, such as .npy",
    );
    folder.refuses(
        "select a.svm -m 1 --scale standard",
        1,
        "error: a.svm: holds sparse rows, whose features cannot be chosen by name, scaled or made categorical\nhint: omit \
         --scale standard, or change the columns before saving the file",
    );
    folder.refuses(
        "select a.svm -m 1 --target a.csv --label label",
        1,
        "error: a.svm: the rows are sparse (svmlight), those of a.csv are not sparse (CSV); source and target must be files of \
         one kind\nhint: convert one of the files, for example with scipy.sparse.save_npz",
    );
    folder.refuses(
        "select a.svm -m 1 --memory 1KiB",
        1,
        "error: a.svm: the values of 15 sparse rows need at least 1.0 KiB, more than the 1.0 KiB allowed\nhint: use fewer rows \
         with --source-where, or allow more with --memory",
    );
    folder.refuses(
        "select a.svm -m 1 --method k-means",
        1,
        "error: a.svm: k-means averages rows, which keeping rows sparse does not allow; k-medoids works with any kernel\nhint: \
         use --method k-medoids",
    );
}
