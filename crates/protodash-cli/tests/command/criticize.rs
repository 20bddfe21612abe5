//! Criticisms of saved results: the same as those found with the selection, or a clear error.

use crate::harness::{Folder, golden, project};

fn copy(name: &str) -> Folder {
    let folder = Folder::new();
    std::fs::copy(project().join("testdata").join(name), folder.path(name)).unwrap();
    folder
}

#[test]
fn criticisms_found_later_equal_those_found_with_the_selection() {
    let folder = copy("nhanes_adults.csv");
    let roles = "--id id --label gender --missing category --source-where age<60";
    for among in ["source", "target"] {
        for rule in ["--criticism witness", "--criticism witness --diversity 0.25", "--criticism distance"] {
            let wanted = format!("{rule} --criticize-among {among}");
            folder.stdout(&format!("select nhanes_adults.csv {roles} -m 6 -o plain.json"));
            folder.stdout(&format!("select nhanes_adults.csv {roles} -m 6 --n-criticisms 4 {wanted} -o at_once.json"));
            folder.stdout(&format!("criticize plain.json nhanes_adults.csv -n 4 {wanted} -o later.json"));
            assert_eq!(folder.read("at_once.json"), folder.read("later.json"), "{wanted}");
        }
    }
}

#[test]
fn two_files_are_found_again() {
    let folder = Folder::with("s.csv", "x,y\n0,0\n1,2\n5,5\n9,8\n");
    folder.write("t.csv", "x,y\n1,1\n5,4\n6,6\n");
    folder.stdout("select s.csv --target t.csv -m 2 -o r.json");
    let first = folder.stdout("criticize r.json s.csv -n 1");
    std::fs::rename(folder.path("t.csv"), folder.path("moved.csv")).unwrap();
    for call in ["criticize r.json s.csv -n 1", "report r.json s.csv -o r.html"] {
        let message = "error: r.json: its target t.csv does not exist\n\
                       hint: set its new path with --target";
        folder.refuses(call, 1, message);
    }
    assert_eq!(folder.stdout("criticize r.json s.csv --target moved.csv -n 1"), first);
}

#[test]
fn missing_columns_mean_different_data() {
    let folder = copy("wine.csv");
    folder.stdout("select wine.csv --label label -m 3 -o r.json");
    folder.write("other.csv", "a,b\n1,2\n3,5\n4,4\n");
    for call in ["criticize r.json other.csv", "report r.json other.csv -o r.html"] {
        let message = "error: r.json: was made from different data: other.csv: there is no column \"label\"; \
                       the closest is \"a\"\n\
                       hint: use the original files, or run the selection again";
        folder.refuses(call, 1, message);
    }
}

#[test]
fn the_table_is_as_reviewed() {
    let folder = copy("nhanes_adults.csv");
    folder.stdout("select nhanes_adults.csv --id id --missing category -m 5 -o r.json");
    for (name, rule) in [("criticize_witness", ""), ("criticize_distance", " --criticism distance")] {
        let arguments = format!("criticize r.json nhanes_adults.csv -n 5{rule}");
        golden(name, &arguments, &folder.run(&arguments));
    }
}

#[test]
fn rows_with_their_scores_are_written() {
    let folder = copy("wine.csv");
    folder.stdout("select wine.csv --label label -m 3 -o r.json");
    folder.stdout("criticize r.json wine.csv -n 2 -o worst.csv");
    let written = folder.read("worst.csv");
    let mut lines = written.lines();
    assert!(lines.next().unwrap().starts_with("criticism_rank,criticism_score,source_index,label,alcohol,"));
    let source = folder.read("wine.csv");
    let rows: Vec<&str> = source.lines().skip(1).collect();
    for rank in 1..=2 {
        let line = lines.next().unwrap();
        let mut cells = line.splitn(4, ',');
        assert_eq!(cells.next(), Some(rank.to_string().as_str()));
        let index: usize = cells.nth(1).unwrap().parse().unwrap();
        let rest = cells.next().unwrap();
        // A float column writes whole numbers with a decimal point.
        let numbers = |text: &str| text.split(',').skip(1).map(|cell| cell.parse::<f64>().unwrap()).collect::<Vec<_>>();
        assert_eq!(numbers(rest), numbers(rows[index]));
    }
    assert_eq!(lines.next(), None);
    folder.stdout("criticize r.json wine.csv -n 2 -o worst.parquet");
    assert!(std::fs::read(folder.path("worst.parquet")).unwrap().starts_with(b"PAR1"));
}

#[test]
fn a_kernel_matrix_can_be_criticized() {
    let matrix = "1,0.9,0.8,0\n0.9,1,0.9,0\n0.8,0.9,1,0.1\n0,0,0.1,1\n";
    let folder = Folder::with("k.csv", matrix);
    folder.stdout("select k.csv --kernel precomputed -m 1 -o plain.json");
    folder.stdout("criticize plain.json k.csv -n 2 -o later.json");
    folder.stdout("select k.csv --kernel precomputed -m 1 --n-criticisms 2 -o at_once.json");
    assert_eq!(folder.read("later.json"), folder.read("at_once.json"));
}

#[test]
fn different_data_are_rejected() {
    let folder = Folder::with("a.csv", "x,y\n0,0\n1,2\n5,5\n9,8\n");
    folder.stdout("select a.csv -m 2 -o r.json");
    let hint = "hint: use the original files, or run the selection again";
    folder.write("short.csv", "x,y\n0,0\n1,2\n5,5\n").refuses(
        "criticize r.json short.csv",
        1,
        &format!("error: r.json: was made from different data: it expects 4 source rows, short.csv has 3\n{hint}"),
    );
    folder.write("narrow.csv", "x\n0\n1\n5\n9\n").refuses(
        "criticize r.json narrow.csv",
        1,
        &format!("error: r.json: was made from different data: it expects 2 features, narrow.csv has 1\n{hint}"),
    );
    let changed = folder.write("changed.csv", "x,y\n0,0\n1,2\n5,6\n9,8\n").run("criticize r.json changed.csv");
    assert_eq!(changed.code, Some(1));
    let message = "error: r.json: was made from different data: its prototypes have objective ";
    assert!(changed.stderr.starts_with(message), "{}", changed.stderr);
    assert!(changed.stderr.ends_with(&format!(" on changed.csv\n{hint}\n")), "{}", changed.stderr);
}

#[test]
fn files_that_are_not_results_are_rejected() {
    let folder = Folder::with("a.csv", "x,y\n0,0\n1,2\n5,5\n9,8\n");
    let hint = "hint: RESULT.json must come from `protodash select SOURCE -o RESULT.json`";
    folder.refuses(
        "criticize a.csv a.csv",
        1,
        &format!("error: a.csv: is not a protodash result: it is not JSON (expected value at line 1 column 1)\n{hint}"),
    );
    folder.write("other.json", "{\"a\": 1}").refuses(
        "criticize other.json a.csv",
        1,
        &format!("error: other.json: is not a protodash result: it has no \"schema\"\n{hint}"),
    );
    folder.write("new.json", "{\"schema\": 2}").refuses(
        "criticize new.json a.csv",
        1,
        &format!("error: new.json: has schema 2; this version reads schema 1\n{hint}"),
    );
    folder.write("half.json", "{\"schema\": 1, \"method\": \"protodash\"}").refuses(
        "criticize half.json a.csv",
        1,
        &format!("error: half.json: is not a complete result: missing field `kernel`\n{hint}"),
    );
    folder.refuses(
        "criticize gone.json a.csv",
        1,
        "error: gone.json: no such file\nhint: check the spelling, or use the full path",
    );
}
