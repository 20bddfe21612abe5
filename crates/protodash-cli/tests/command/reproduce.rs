//! The command on a page makes the same result again, whatever the names of files, columns and classes.

use std::process::{Command, Stdio};

use crate::harness::{Folder, project};

const ODD: &str = "it's; $HOME \"q\".csv";

fn folder() -> Folder {
    let folder = Folder::new();
    let wine = std::fs::read_to_string(project().join("testdata/wine.csv")).unwrap();
    folder.write("wine.csv", &wine);
    // The header names of the odd file need every kind of quoting.
    let renamed =
        wine.replacen("alcohol", "\"a, \"\"b\"\"\"", 1).replacen("ash", "it's $x", 1).replacen("label", "--class", 1);
    folder.write(ODD, renamed);
    folder
}

/// The text between two others, with the entities of HTML undone.
fn between(page: &str, open: &str, close: &str) -> String {
    let found = page.split(open).nth(1).unwrap().split(close).next().unwrap();
    found.replace("&lt;", "<").replace("&gt;", ">").replace("&quot;", "\"").replace("&#39;", "'").replace("&amp;", "&")
}

/// The result in a page, without why the run stopped: the command names the number of rows where a gain was too small.
fn result_of(page: &str) -> String {
    let result = between(page, "id=\"result\">", "</script>");
    result.lines().filter(|line| !line.starts_with("  \"stopped\"")).collect::<Vec<_>>().join("\n")
}

/// Runs the command, then the one on its page, in a shell.
fn check(folder: &Folder, arguments: &[&str]) {
    let program = std::path::Path::new(env!("CARGO_BIN_EXE_protodash"));
    let mut first = Command::new(program);
    first.args(arguments).args(["--report", "first.html", "--quiet"]).current_dir(folder.path(""));
    let ran = first.stdin(Stdio::null()).output().unwrap();
    assert!(ran.status.success(), "{arguments:?}: {}", String::from_utf8_lossy(&ran.stderr));
    let page = folder.read("first.html");
    let line = between(&page, "<code id=\"call-command\">", "</code>");
    let mut shell = Command::new("sh");
    shell.args(["-c", &line]).current_dir(folder.path("")).stdin(Stdio::null());
    let found = std::env::var("PATH").unwrap_or_default();
    let ran = shell.env("PATH", format!("{}:{found}", program.parent().unwrap().display())).output().unwrap();
    assert!(ran.status.success(), "{line}: {}", String::from_utf8_lossy(&ran.stderr));
    let again = folder.read("page.html");
    assert_eq!(result_of(&again), result_of(&page), "{line}");
    assert_eq!(between(&again, "<code id=\"call-command\">", "</code>"), line);
}

#[test]
fn the_command_on_the_page_makes_the_same_result() {
    let folder = folder();
    let lines = [
        "select wine.csv --label label -m 6 --per-label equal --n-criticisms 2 --criticism distance",
        "select wine.csv --label label --per-label class_2=3,class_0=2",
        "select wine.csv --drop label -m 6 --estimate hue,alcohol",
        "select wine.csv --drop label,ash -m 4 --method protogreedy --weights convex --scale minmax --seed 7",
        "select wine.csv --drop label -m 4 --kernel polynomial --degree 3 --n-criticisms 3 --diversity 0.5",
        "select wine.csv --id label -m 3 --oversample 2 --target-sample 90 --source-sample 120 --seed 3",
        "select wine.csv --drop label -m 3 --fixed 5,70 --exclude 1,2 --normalize",
        "select wine.csv --drop label -m 5 --max-weight 0.4 --min-effective 3",
        "select wine.csv --min-gain 0.003 --target-energy skip --show label",
        "select wine.csv --label label -m 6 --at-least label=class_0:3 --at-most label=class_1:2",
        "select wine.csv --drop label -m 5 --cost alcohol --budget 55 --at-least label=class_2:1",
        "explain wine.csv --label label --rows alcohol>14.3 -m 2 --same --similar-share 0.9",
        "select wine.csv --drop label -m all --bandwidth 20 --shift --source-where alcohol<13 --target-where alcohol>=13",
    ];
    for line in lines {
        check(&folder, &line.split(' ').collect::<Vec<_>>());
    }
    check(&folder, &["select", ODD, "--label=--class", "-m", "4", "--at-least=--class=class_0:2"]);
    check(&folder, &["select", ODD, "--label=--class", "-m", "3", "--drop", "\"a, \"\"b\"\"\",it's $x"]);
    check(&folder, &["select", ODD, "--drop=--class", "-m", "3", "--source-where", "\"it's $x\" > 2.2"]);
}

#[test]
fn the_command_of_a_relation_relates_the_same_tables() {
    let folder = Folder::new();
    for name in ["health", "income", "occupation"] {
        let table = std::fs::read_to_string(project().join(format!("testdata/relate/{name}.csv"))).unwrap();
        folder.write(&format!("{name}.csv"), table);
    }
    let tables = "relate health.csv income.csv occupation.csv --key SEQN -m 4";
    for flags in [
        "--all-categorical --best 2 --seed 4",
        "--keys all --drop INDFMMPI --keys-of health.csv --method random --kernel gaussian --bandwidth median",
        "--kernel laplacian --bandwidth 3 --scale rank --categorical HSQ500,OCD150",
        "--kernel polynomial --degree 2 --weights equal",
    ] {
        let arguments = format!("{tables} {flags}");
        check(&folder, &arguments.split(' ').collect::<Vec<_>>());
    }
}

#[test]
fn the_command_of_a_comparison_compares_the_same_methods() {
    let folder = folder();
    let flags = "--label label -m 3,6 --method protodash,k-medoids --holdout 0.25 --seed 2";
    folder.stdout(&format!("compare wine.csv {flags} --report methods.html"));
    let line = between(&folder.read("methods.html"), "<code id=\"call-command\">", "</code>");
    let kernel = "--kernel inverse-multiquadric --bandwidth ";
    assert!(line.starts_with(&format!("protodash compare wine.csv -m 3,6 {kernel}")), "{line}");
    assert!(
        line.ends_with(" --label label --method protodash,k-medoids --holdout 0.25 --seed 2 --report page.html"),
        "{line}"
    );
    folder.stdout(line.strip_prefix("protodash ").unwrap());
    let prototypes = |page: &str| {
        let result: serde_json::Value = serde_json::from_str(&result_of(&folder.read(page))).unwrap();
        let outcomes = result["results"].as_array().unwrap().iter();
        outcomes.map(|outcome| outcome["prototypes"].clone()).collect::<Vec<_>>()
    };
    assert_eq!(prototypes("page.html"), prototypes("methods.html"));
    assert_eq!(between(&folder.read("page.html"), "<code id=\"call-command\">", "</code>"), line);
}
