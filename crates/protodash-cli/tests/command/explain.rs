//! Explanations of individual rows.

use serde_json::Value;

use crate::harness::{Folder, golden, on_testdata, project};

fn copy(name: &str) -> Folder {
    let folder = Folder::new();
    std::fs::copy(project().join("testdata").join(name), folder.path(name)).unwrap();
    folder
}

#[test]
fn the_output_is_as_reviewed() {
    let arguments =
        "explain testdata/nhanes_adults.csv --id id --missing category --rows age{}>{}79{}and{}height_cm{}>{}180 -m 3";
    golden("explain", arguments, &on_testdata(arguments));
}

#[test]
fn rows_of_a_file_are_explained_like_selections_for_each() {
    let folder = copy("wine.csv");
    let text = folder.read("wine.csv");
    let lines: Vec<&str> = text.lines().collect();
    folder.write("new.csv", format!("{}\n{}\n{}\n", lines[0], lines[20], lines[90]));
    folder.stdout("explain wine.csv --drop label --rows new.csv -m 3 --bandwidth 2 -o all.json");
    let found: Value = serde_json::from_str(&folder.read("all.json")).unwrap();
    assert_eq!(found["explanations"].as_array().unwrap().len(), 2);
    for (row, line) in [20, 90].into_iter().enumerate() {
        folder.write("one.csv", format!("{}\n{}\n", lines[0], lines[line]));
        folder.stdout("select wine.csv --drop label --target one.csv -m 3 --bandwidth 2 -o one.json");
        let alone: Value = serde_json::from_str(&folder.read("one.json")).unwrap();
        let indices = |value: &Value| -> Vec<Value> {
            value["prototypes"].as_array().unwrap().iter().map(|one| one["source_index"].clone()).collect()
        };
        assert_eq!(indices(&found["explanations"][row]), indices(&alone));
        // The row itself is in the source, and nothing represents it better.
        assert_eq!(indices(&alone)[0], Value::from(line - 1));
    }
}

#[test]
fn the_long_table_has_a_line_for_each_prototype_and_classes_restrict_it() {
    let folder = copy("wine.csv");
    let call = "explain wine.csv --label label --same --rows label='class_2' -m 2 -o out.csv";
    for threads in [1, 3] {
        folder.stdout(&format!("{call} --threads {threads}"));
        let written = folder.read("out.csv");
        let mut lines = written.lines();
        let header = "row,label,similar,nearest_distance,explained,rank,source_index,source_label,weight,share,distance,alike,differs";
        assert_eq!(lines.next(), Some(header));
        let cells: Vec<Vec<&str>> = lines.map(|line| line.split(',').collect()).collect();
        assert_eq!(cells.len(), 2 * 48); // 48 wines of class 2
        assert!(cells.iter().all(|cells| cells[1] == "class_2" && cells[7] == "class_2" && cells[0] != cells[6]));
        std::fs::rename(folder.path("out.csv"), folder.path(&format!("{threads}.csv"))).unwrap();
    }
    assert_eq!(folder.read("1.csv"), folder.read("3.csv"));
}

#[test]
fn a_row_far_from_all_others_has_nothing_similar() {
    let folder = copy("wine.csv");
    let text = folder.read("wine.csv");
    let header = text.lines().next().unwrap();
    let n_features = header.split(',').count() - 1;
    folder.write("far.csv", format!("{header}\nclass_0{}\n", ",9999".repeat(n_features)));
    let shown = folder.stdout("explain wine.csv --label label --rows far.csv");
    assert!(shown.contains("row 0, class_0: nothing similar; the nearest row is "), "{shown}");
}

#[test]
fn wrong_calls_are_rejected() {
    let folder = copy("wine.csv");
    folder.refuses(
        "explain wine.csv --label label --rows label='class_0' --target wine.csv",
        2,
        "error: --target is not possible here: --rows says which rows to explain\nhint: omit --target",
    );
    folder.refuses(
        "explain wine.csv --drop label --rows alcohol>14 --same",
        2,
        "error: --same needs class labels\nhint: add --label with the name of the class column",
    );
    let ran = folder.run("explain wine.csv --drop label --rows nowhere.csv");
    assert_eq!(ran.code, Some(1), "{}", ran.stderr);
    let ran = folder.run("explain wine.csv --drop label --rows alcohol>");
    assert_eq!(ran.code, Some(2));
    assert!(
        ran.stderr.starts_with("error: --rows alcohol>: there is no such file, and as a condition: "),
        "{}",
        ran.stderr
    );
}

#[test]
fn the_report_shows_each_row_next_to_its_prototypes() {
    let folder = copy("wine.csv");
    let call = "explain wine.csv --label label --rows alcohol>14 -m 3 -o out.json --report page.html";
    folder.stdout(call);
    let page = folder.read("page.html");
    let found: Value = serde_json::from_str(&folder.read("out.json")).unwrap();
    let rows = found["explanations"].as_array().unwrap();
    // A line of the list for each row; the first five are also in the page without a script.
    assert_eq!(page.matches("<tr data-at=").count(), rows.len());
    assert_eq!(page.matches("<article").count(), 5);
    for one in rows[0]["prototypes"].as_array().unwrap() {
        assert!(page.contains(&format!("row {}</span>", one["source_index"])));
    }
    // The saved result and the data give the same page; the result alone says what is missing.
    folder.stdout("report out.json wine.csv -o again.html");
    assert_eq!(folder.read("again.html"), page);
    folder.stdout("report out.json -o brief.html");
    let brief = folder.read("brief.html");
    assert!(brief.contains("Not shown on this page") && brief.contains("differs most"));
}

#[test]
fn reports_of_other_data_are_refused() {
    let folder = copy("wine.csv");
    folder.stdout("explain wine.csv --drop label --rows alcohol>14 -m 2 -o out.json");
    let text = folder.read("wine.csv");
    folder.write("fewer.csv", text.lines().take(100).collect::<Vec<_>>().join("\n"));
    let ran = folder.run("report out.json fewer.csv -o page.html");
    let message = "was made from different data: it expects 178 source rows";
    assert!(ran.code == Some(1) && ran.stderr.contains(message), "{}", ran.stderr);
}
