//! Tables in parts, and standard input.

use std::fs;
use std::process::Stdio;

use crate::harness::{Folder, Ran, project};

/// A folder with wine.csv and the same rows in seven parts.
fn wine() -> Folder {
    let folder = Folder::new();
    let text = fs::read_to_string(project().join("testdata/wine.csv")).unwrap();
    let (header, body) = text.split_once('\n').unwrap();
    fs::create_dir(folder.path("parts")).unwrap();
    for (at, lines) in body.lines().collect::<Vec<_>>().chunks(26).enumerate() {
        folder.write(&format!("parts/part-{at}.csv"), format!("{header}\n{}\n", lines.join("\n")));
    }
    folder.write("wine.csv", text);
    folder
}

/// The JSON without the line that names the files.
fn result(folder: &Folder, arguments: &str) -> String {
    folder.stdout(&format!("select {arguments} --label label -m 6 -o out.json"));
    folder.read("out.json").replace("\"source\": \"parts\"", "\"source\": \"wine.csv\"")
}

#[test]
fn a_table_and_its_seven_parts_give_the_same_bytes() {
    let folder = wine();
    for flags in ["", "--scale robust", "--scale rank", "--scale minmax --threads 1"] {
        let whole = result(&folder, &format!("wine.csv {flags}"));
        let parts = result(&folder, &format!("parts {flags}"));
        assert_eq!(parts, whole, "{flags}");
    }
    let by_pattern = result(&folder, "parts/*.csv").replace("parts/*.csv", "wine.csv");
    assert_eq!(by_pattern, result(&folder, "wine.csv"));
}

#[test]
fn standard_input_is_a_file_called_minus() {
    let folder = wine();
    let input = fs::File::open(folder.path("wine.csv")).unwrap();
    let piped: Ran = folder.command("select - --label label -m 3").stdin(Stdio::from(input)).output().unwrap().into();
    assert_eq!((piped.code, piped.stderr.as_str()), (Some(0), ""));
    assert_eq!(piped.stdout, folder.stdout("select wine.csv --label label -m 3"));
    folder.refuses(
        "select -",
        1,
        "error: standard input: the file is empty\nhint: the program that wrote it may have failed; write or copy it again",
    );
    folder.refuses(
        "select - --source-labels -",
        2,
        "error: `-` was given 2 times; standard input can be read only once\nhint: write the data to files first",
    );
}

#[test]
fn messages_name_the_part_and_its_line() {
    let folder = wine();
    let part = folder.read("parts/part-3.csv");
    let line = part.lines().nth(4).unwrap().to_owned();
    let (label, rest) = line.split_once(',').unwrap();
    let rest = rest.split_once(',').unwrap().1;
    folder.write("parts/part-3.csv", part.replace(&line, &format!("{label},unknown,{rest}")));
    let ran = folder.run("select parts");
    assert!(ran.stderr.starts_with("error: parts: line 5 of parts/part-3.csv, column "), "{}", ran.stderr);
    folder.write("parts/part-9.csv", "x\n1\n");
    let ran = folder.run("select parts");
    assert!(ran.stderr.starts_with("error: parts/part-9.csv: has \"x\" instead of "), "{}", ran.stderr);
}

#[test]
fn an_output_does_not_become_a_part_of_its_input() {
    let folder = wine();
    folder.refuses(
        "select parts --label label -o parts/chosen.csv",
        2,
        "error: --output parts/chosen.csv would become part of the input parts\nhint: choose another name for the output",
    );
    folder.refuses(
        "select parts/*.csv --label label -o parts/part-0.csv",
        2,
        "error: --output parts/part-0.csv would overwrite the input parts/*.csv\nhint: choose another name for the output",
    );
    folder.stdout("select parts/*.csv --label label -o parts/chosen.json");
}
