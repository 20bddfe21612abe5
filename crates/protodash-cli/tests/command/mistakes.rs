//! Common mistakes, each answered with a suggestion, and notes on misleading data.

use std::process::Stdio;

use serde_json::Value;

use crate::harness::Folder;

const TABLE: &str = "x,y\n1,2\n3,5\n4,4\n";

fn table() -> Folder {
    Folder::with("a.csv", TABLE)
}

#[test]
fn a_file_instead_of_a_command() {
    table().refuses(
        "a.csv -m 2",
        2,
        "error: a.csv is not a command\nhint: to select rows of a file, write `protodash select a.csv -m 2`",
    );
}

#[test]
fn flags_of_other_programs() {
    for call in ["select a.csv -n 5", "select a.csv -n5", "select -n 5 a.csv"] {
        table().refuses(call, 2, "error: unknown flag -n\nhint: use -m 5 for the number of prototypes");
    }
    for (flag, hint) in [
        ("--sigma 2", "use --bandwidth for the σ of the kernel"),
        ("--random-state 1", "use --seed"),
        ("--n-jobs=4", "use --threads"),
    ] {
        let name = flag.split([' ', '=']).next().unwrap();
        let message = format!("error: unknown flag {name}\nhint: {hint}");
        table().refuses(&format!("select a.csv {flag}"), 2, &message);
    }
    table().refuses("select a.csv --k=5", 2, "error: unknown flag --k\nhint: use -m 5 for the number of prototypes");
    table().refuses(
        "select a.csv --kernel rbf",
        2,
        "error: unknown kernel \"rbf\"\nhint: use --kernel gaussian; its --bandwidth is σ in exp(-d²/2σ²), so γ = \
         1/(2σ²)",
    );
}

#[test]
fn names_without_commas() {
    for call in ["select a.csv --columns x y", "select --columns x y a.csv"] {
        table().refuses(
            call,
            2,
            "error: --columns takes one value but is followed by 2 words\nhint: separate names with commas, without \
             spaces: --columns x,y",
        );
    }
}

#[test]
fn a_url_instead_of_a_file() {
    table().refuses(
        "select https://example.org/a.csv",
        1,
        "error: https://example.org/a.csv: no such file\nhint: URLs are not supported; download the file first, for \
         example with `curl -LO URL`",
    );
}

#[test]
fn a_result_instead_of_data() {
    let folder = table();
    folder.stdout("select a.csv -m 2 --quiet -o r.json");
    folder.refuses(
        "select r.json",
        1,
        "error: r.json: this is a protodash result, not data\nhint: use the original data file; `protodash \
         report r.json -o report.html` shows the result, and `protodash criticize r.json SOURCE` finds the rows it \
         represents worst",
    );
}

#[test]
fn criticize_does_not_overwrite_its_result() {
    let folder = table();
    folder.stdout("select a.csv -m 2 --quiet -o r.json");
    let before = folder.read("r.json");
    folder.refuses(
        "criticize r.json a.csv -o r.json",
        2,
        "error: --output r.json would overwrite the input r.json\nhint: choose another name for the output",
    );
    assert_eq!(folder.read("r.json"), before);
}

#[cfg(unix)]
#[test]
fn a_device_is_not_replaced() {
    let folder = table();
    std::os::unix::fs::symlink("/dev/null", folder.path("link.json")).unwrap();
    folder.refuses(
        "select a.csv -m 2 -o link.json",
        1,
        "error: cannot write link.json\nCaused by: it exists and is not a regular file (a device or a named pipe cannot be \
         replaced)\nhint: specify a file name",
    );
}

#[cfg(unix)]
#[test]
fn an_endless_pipe_ends_at_the_memory_limit() {
    let folder = table();
    let mut endless = std::process::Command::new("yes").stdout(Stdio::piped()).spawn().unwrap();
    let pipe = endless.stdout.take().unwrap();
    let output = folder.command("select - --memory 1MiB").stdin(pipe).output().unwrap();
    endless.kill().unwrap();
    endless.wait().unwrap();
    let stderr = String::from_utf8(output.stderr).unwrap();
    assert_eq!(
        (output.status.code(), stderr.as_str()),
        (
            Some(1),
            "error: standard input: more than 1.0 MiB were read from this pipe, which is the limit\nhint: write the data \
             to a file first, \
             or allow more with --memory\n"
        )
    );
}

#[test]
fn commas_in_numbers_are_explained() {
    let folder = Folder::with("a.csv", "x,y\n\"1,000\",2\n\"2,000\",3\n\"1,000\",4\n");
    let ran = folder.run("select a.csv -m 1");
    let note = "column \"x\" was read as text because it holds 1,000; if the comma separates thousands, write 1000, or if it \
                is a decimal comma, write 1.000";
    assert!(ran.stderr.contains(note), "{}", ran.stderr);
}

#[test]
fn a_mean_is_not_suggested_where_text_is_missing() {
    let folder = Folder::with("a.csv", "x,c\n1,a\n,b\n3,a\n");
    folder.write("b.csv", "x,c\n1,a\n2,\n");
    let ran = folder.run("select a.csv --target b.csv -m 1");
    assert!(
        ran.stderr.contains("hint: use --missing category, or exclude the columns with --drop x"),
        "{}",
        ran.stderr
    );
}

#[test]
fn labels_keep_their_spelling() {
    let folder = Folder::with("a.csv", "x,version\n1,1.10\n100,1.1\n");
    folder.stdout("select a.csv -m 2 --label version --bandwidth 1 --scale none --quiet -o r.json");
    let result: Value = serde_json::from_str(&folder.read("r.json")).unwrap();
    let mut labels: Vec<_> = result["prototypes"].as_array().unwrap().iter().map(|row| row["label"].clone()).collect();
    labels.sort_by_key(Value::to_string);
    assert_eq!(labels, ["1.1", "1.10"]);
}

#[test]
fn notes_name_the_column_and_the_flag_and_are_in_the_result() {
    let rows: String = (0..30).map(|row| format!("{},{},{}\n", 1000 + row, row % 7, ["a", "b"][row % 2])).collect();
    let folder = Folder::with("a.csv", format!("customer,x,class\n{rows}"));
    let ran = folder.run("select a.csv -m 2 -o r.json --report r.html");
    let notes = [
        "integer column \"customer\" has only distinct values, so it looks like an id but is used as a feature; use \
         --id customer \
         if it names the rows, or exclude it with --drop customer",
        "column \"class\" looks like a label but is used as a feature; use --label class if it holds the class of each row, \
         or exclude it with --drop class",
    ];
    let result: Value = serde_json::from_str(&folder.read("r.json")).unwrap();
    assert_eq!(result["notes"], Value::from(notes.to_vec()));
    notes.iter().for_each(|note| assert!(ran.stderr.contains(note), "{}", ran.stderr));
    let page = folder.read("r.html");
    assert!(
        page.contains("<p>Notes on the data:</p><ul><li>Integer column &quot;customer&quot; has only distinct values"),
        "{page}"
    );
    let silent = folder.stdout("select a.csv -m 2 --id customer --label class -o s.json --quiet");
    assert_eq!(silent, "");
    let result: Value = serde_json::from_str(&folder.read("s.json")).unwrap();
    assert_eq!(result["notes"], Value::from(Vec::<String>::new()));
}

#[test]
fn ranks_are_shown_in_the_units_of_the_file() {
    let rows: String =
        (0..40).map(|row| format!("{},{}\n", if row == 7 { 1_000_000 } else { row % 9 }, row % 5)).collect();
    let folder = Folder::with("a.csv", format!("spent,x\n{rows}"));
    let shown = folder.stdout("select a.csv -m 40 --scale rank --min-gain 0 --report r.html");
    assert!(folder.read("r.html").contains("1000000"), "{shown}");
    folder.stdout("select a.csv -m 3 --scale robust -o r.json --quiet");
    let result: Value = serde_json::from_str(&folder.read("r.json")).unwrap();
    assert_eq!(result["data"]["scale"], "robust");
}

#[test]
fn numbers_that_look_right_but_are_not() {
    table().refuses(
        "select a.csv -m 1,000",
        2,
        "error: invalid value '1,000' for '--n-prototypes <N>': must be a positive integer, a percentage of the source rows such as 5%, or `all`, without separators: \
         1000\n\nFor more information, try '--help'.",
    );
    table().refuses(
        "select a.csv --seed -1",
        2,
        "error: invalid value '-1' for '--seed <N>': must be an integer from 0 to 18446744073709551615\n\nFor more \
         information, try '--help'.",
    );
}

#[test]
fn a_spreadsheet_instead_of_a_table() {
    let ran = Folder::with("a.xlsx", "PK\u{3}\u{4} cut off").run("select a.xlsx");
    assert_eq!(ran.code, Some(1));
    assert!(ran.stderr.contains("a.xlsx: an Excel workbook") && ran.stderr.contains("CSV"), "{}", ran.stderr);
}

/// One impossible date made a column of dates categorical without a word.
#[test]
fn a_value_that_is_not_a_date_is_named() {
    let day = |row: usize| format!("2024-{:02}-{:02}", 1 + row % 6, 1 + row % 5);
    let line = |row: usize| format!("{},{row}\n", if row == 7 { "2024-02-30".to_owned() } else { day(row) });
    let rows: String = (0..60).map(line).collect();
    let folder = Folder::with("a.csv", format!("day,x\n{rows}"));
    let ran = folder.run("select a.csv -m 3 --drop x");
    let said = "column \"day\" has 30 dates, but \"2024-02-30\" in line 9 is not a date, so each date became a category; \
                correct it or leave it empty, so that dates become numbers, exclude the column with --drop day, or confirm \
                categories with --categorical day";
    assert!(ran.code == Some(0) && ran.stderr.contains(said), "{}", ran.stderr);
    let unique: String = (0..40)
        .map(|row| format!("20{:02}-02-30,{row}\n", 10 + row).replace("-30", if row == 3 { "-30" } else { "-01" }))
        .collect();
    let ran = folder.write("b.csv", format!("day,x\n{unique}")).run("select b.csv -m 3");
    assert!(
        ran.stderr.contains("nearly all are dates, but \"2013-02-30\" in line 5 is not\nhint: correct"),
        "{}",
        ran.stderr
    );
}

#[cfg(unix)]
#[test]
fn a_named_pipe_is_not_replaced() {
    use std::os::unix::fs::FileTypeExt;
    let folder = table();
    for name in ["pipe.json", "pipe.csv", "pipe.parquet"] {
        assert!(std::process::Command::new("mkfifo").arg(folder.path(name)).status().unwrap().success());
        folder.refuses(
            &format!("select a.csv -m 2 -o {name}"),
            1,
            &format!(
                "error: cannot write {name}\nCaused by: it exists and is not a regular file (a device or a named pipe cannot be \
                 replaced)\nhint: specify a file name"
            ),
        );
        assert!(std::fs::metadata(folder.path(name)).unwrap().file_type().is_fifo());
    }
}
