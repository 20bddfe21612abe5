//! Output files: their content, and that it does not depend on the number of threads.

use std::fs;

use protodash_table::{Format, Input, ReadOptions};
use serde_json::Value;

use crate::harness::{Folder, golden, on_testdata, project};

fn digits() -> String {
    format!("{}", project().join("testdata/digits.csv").display())
}

fn json(folder: &Folder, name: &str) -> Value {
    serde_json::from_str(&folder.read(name)).unwrap()
}

#[test]
fn the_result_follows_the_specification() {
    let folder = Folder::new();
    fs::copy(project().join("testdata/wine.csv"), folder.path("wine.csv")).unwrap();
    let arguments = "select wine.csv -m 3 --label label --n-criticisms 2 -o wine.json";
    let mut ran = folder.run(arguments);
    assert_eq!(ran.stdout, "");
    ran.stdout = folder.read("wine.json");
    golden("result_json", arguments, &ran);
    // The specified keys in their specified order, then ours.
    let keys: Vec<String> = folder
        .read("wine.json")
        .lines()
        .filter_map(|line| line.strip_prefix("  \"")?.split_once('"').map(|(key, _)| key.to_owned()))
        .collect();
    let contract = [
        "schema",
        "method",
        "kernel",
        "weights",
        "n_target",
        "n_source",
        "n_features",
        "stopped",
        "prototypes",
        "objective",
        "objective_final",
        "mmd2",
        "explained",
        "criticisms",
    ];
    assert_eq!(keys[..contract.len()], contract);
    assert_eq!(
        keys[contract.len()..],
        [
            "explained_standard_error",
            "target_energy",
            "means",
            "baseline",
            "classes_without_prototype",
            "weights_path",
            "criticism",
            "data",
            "oversample",
            "seed",
            "data_hash",
            "notes"
        ]
    );
}

#[test]
fn threads_change_no_byte() {
    let folder = Folder::new();
    let alone = [
        "protodash",
        "protogreedy",
        "swap",
        "l2c",
        "p-lasso",
        "k-medoids",
        "coverage",
        "k-means",
        "farthest-first",
        "random",
    ];
    for method in alone.into_iter().chain(["l2c --oversample 1.7"]) {
        let call = format!("select {} --label label -m 12 --n-criticisms 4 --method {method}", digits());
        folder.stdout(&format!("{call} --threads 1 -o one.json"));
        folder.stdout(&format!("{call} --threads 4 -o four.json"));
        assert_eq!(folder.read("one.json"), folder.read("four.json"), "{method}");
        let table = folder.stdout(&format!("{call} --threads 1"));
        assert_eq!(table, folder.stdout(&format!("{call} --threads 4")), "{method}");
    }
}

#[test]
fn a_shorter_run_is_a_prefix_of_a_longer_one() {
    let folder = Folder::new();
    for method in ["protodash", "protogreedy", "l2c", "farthest-first", "random"] {
        let call = format!("select {} --drop label --method {method} --weights nonnegative", digits());
        folder.stdout(&format!("{call} -m 9 -o long.json"));
        folder.stdout(&format!("{call} -m 4 -o short.json"));
        let (long, short) = (json(&folder, "long.json"), json(&folder, "short.json"));
        let rows = |result: &Value, n: usize| -> Vec<u64> {
            let prototypes = result["prototypes"].as_array().unwrap();
            prototypes[..n].iter().map(|prototype| prototype["source_index"].as_u64().unwrap()).collect()
        };
        assert_eq!(rows(&long, 4), rows(&short, 4), "{method}");
        assert_eq!(long["weights_path"].as_array().unwrap().len(), 9);
        assert_eq!(long["weights_path"][3], short["weights_path"][3], "{method}");
        assert_eq!(long["objective"].as_array().unwrap()[..4], short["objective"].as_array().unwrap()[..]);
        let weights: Vec<Value> =
            short["prototypes"].as_array().unwrap().iter().map(|prototype| prototype["weight"].clone()).collect();
        assert_eq!(short["weights_path"][3], Value::from(weights), "{method}");
    }
}

#[test]
fn the_chosen_rows_are_written_with_all_their_columns() {
    let folder = Folder::new();
    let call = format!("select {} --label label -m 5", digits());
    for name in ["rows.csv", "rows.parquet", "result.json"] {
        folder.stdout(&format!("{call} -o {name}"));
    }
    let result = json(&folder, "result.json");
    let source = fs::read_to_string(digits()).unwrap();
    let lines: Vec<&str> = source.lines().collect();
    let written = folder.read("rows.csv");
    let mut rows = written.lines();
    let found = "prototype_rank,prototype_weight,prototype_share,prototype_gain,source_index";
    assert_eq!(rows.next(), Some(format!("{found},{}", lines[0]).as_str()));
    for (rank, prototype) in result["prototypes"].as_array().unwrap().iter().enumerate() {
        let index = prototype["source_index"].as_u64().unwrap() as usize;
        let (weight, share, gain) = (&prototype["weight"], &prototype["share"], &prototype["gain"]);
        let row = format!("{},{weight},{share},{gain},{index},{}", rank + 1, lines[index + 1]);
        assert_eq!(rows.next(), Some(row.as_str()));
    }
    assert_eq!(rows.next(), None);

    let options = ReadOptions::default();
    let csv = Input::open(&folder.path("rows.csv"), &options).unwrap();
    let parquet = Input::open(&folder.path("rows.parquet"), &options).unwrap();
    assert_eq!((parquet.format(), parquet.n_rows()), (Format::Parquet, 5));
    assert_eq!(csv.columns(), parquet.columns());
    let cells = |input: &Input| {
        let batch = input.rows(&[0, 1, 2, 3, 4]).unwrap();
        let columns = batch.columns().iter().map(|column| {
            let numbers = protodash_table::to_f64(column);
            format!("{numbers:?}")
        });
        columns.collect::<Vec<_>>()
    };
    assert_eq!(cells(&csv), cells(&parquet));
}

#[test]
fn an_output_can_be_an_input() {
    let folder = Folder::new();
    folder.stdout(&format!("select {} --label label -m 30 -o thirty.parquet", digits()));
    let again = "select thirty.parquet --label label -m 3 -o three.csv \
                 --drop prototype_rank,prototype_weight,prototype_share,prototype_gain,source_index";
    folder.stdout(again);
    let header = folder.read("three.csv").lines().next().unwrap().to_owned();
    assert!(header.starts_with("prototype_rank_2,prototype_weight_2,"), "{header}");
    assert!(header.contains(",source_index_2,prototype_rank,"), "{header}");
}

#[test]
fn an_existing_output_is_replaced_with_a_message() {
    let folder = Folder::with("old.json", "not what it was");
    let ran = folder.run(&format!("select {} --label label -m 2 -o old.json", digits()));
    assert_eq!((ran.code, ran.stdout.as_str()), (Some(0), ""));
    assert!(ran.stderr.ends_with("\nwritten to old.json\n"), "{}", ran.stderr);
    assert_eq!(json(&folder, "old.json")["schema"], 1);
    let quiet = folder.run(&format!("select {} --label label -m 2 -o old.json --quiet", digits()));
    assert_eq!((quiet.code, quiet.stdout.as_str(), quiet.stderr.as_str()), (Some(0), "", ""));
}

#[test]
fn row_numbers_are_those_of_the_file_even_with_conditions() {
    let arguments = "select testdata/nhanes_adults.csv --id id --missing category -m 4 --source-where age>=70";
    let ran = on_testdata(arguments);
    assert_eq!(ran.code, Some(0), "{}", ran.stderr);
    let source = fs::read_to_string(project().join("testdata/nhanes_adults.csv")).unwrap();
    let rows: Vec<Vec<&str>> = source.lines().skip(1).map(|line| line.split(',').collect()).collect();
    let mut n_rows = 0;
    let table =
        ran.stdout.lines().skip_while(|line| !line.starts_with("rank")).skip(1).take_while(|line| !line.is_empty());
    for line in table.filter(|line| !line.starts_with("      ")) {
        let cells: Vec<&str> = line.split_whitespace().collect();
        let row = &rows[cells[1].parse::<usize>().unwrap()];
        assert_eq!(row[0], cells[2], "the id of the row shown");
        assert!(row[1].parse::<f64>().unwrap() >= 70.0, "{row:?}");
        n_rows += 1;
    }
    assert_eq!(n_rows, 4);
}

#[test]
fn the_weights_rule_and_the_seed_are_in_the_result() {
    let folder = Folder::new();
    let result = |flags: &str| {
        folder.stdout(&format!("select {} --label label -m 4 {flags} -o out.json", digits()));
        json(&folder, "out.json")
    };
    let l2c = result("--method l2c");
    assert_eq!((&l2c["method"], &l2c["weights"]), (&Value::from("l2c"), &Value::from("equal")));
    assert!(l2c["prototypes"].as_array().unwrap().iter().all(|prototype| prototype["weight"] == 0.25));
    for method in ["p-lasso", "random", "swap"] {
        assert_eq!(result(&format!("--method {method}"))["weights"], "nonnegative", "{method}");
    }
    assert_eq!(result("--method l2c --weights nonnegative")["weights"], "nonnegative");
    assert_eq!(result("--method p-lasso --weights own")["weights"], "own");
    let drawn = result("--method random --seed 5 --oversample 2.5 --weights shares");
    assert_eq!((&drawn["seed"], &drawn["oversample"]), (&Value::from(5), &Value::from(2.5)));
    let total: f64 =
        drawn["prototypes"].as_array().unwrap().iter().map(|prototype| prototype["weight"].as_f64().unwrap()).sum();
    assert!((total - 1.0).abs() < 1e-12);
    let other = result("--method random --seed 6 --oversample 2.5 --weights shares");
    assert_ne!(drawn["prototypes"], other["prototypes"]);
    // No other setting affects the draw.
    assert_eq!(result("--seed 5")["prototypes"], result("--seed 6")["prototypes"]);
}

#[test]
fn racing_chooses_the_same_rows_and_is_recorded() {
    let folder = Folder::new();
    let call = format!("select {} --drop label -m 5 --kernel gaussian", digits());
    folder.stdout(&format!("{call} --means full -o full.json"));
    folder.stdout(&format!("{call} --means racing --seed 3 -o raced.json"));
    let (full, raced) = (json(&folder, "full.json"), json(&folder, "raced.json"));
    let rows = |result: &Value| -> Vec<u64> {
        let prototypes = result["prototypes"].as_array().unwrap().iter();
        prototypes.map(|prototype| prototype["source_index"].as_u64().unwrap()).collect()
    };
    assert_eq!(rows(&full), rows(&raced));
    assert_eq!((&full["means"]["kind"], &full["means"]["confidence"]), (&Value::from("full"), &Value::from(1.0)));
    assert_eq!(full["means"]["pairs"], Value::from(1797 * 1798 / 2));
    assert_eq!((&raced["means"]["kind"], &raced["means"]["tolerance"]), (&Value::from("racing"), &Value::from(0.0)));
    assert!(raced["explained_standard_error"].is_null(), "a target of 1,797 rows is no larger than the sample");
    let text = folder.stdout(&format!("{call} --means racing"));
    assert!(text.contains("\nracing was not worthwhile; all means were computed\n"), "{text}");
    let refused = folder.run(&format!("{call} --tolerance 1"));
    assert!(refused.stderr.contains("must be a number of at least 0 and below 1, such as 0.1"), "{}", refused.stderr);
}
