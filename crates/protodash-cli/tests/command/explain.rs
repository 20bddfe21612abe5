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
fn alike_is_measured_in_spreads_of_the_source() {
    let folder = Folder::with("a.csv", "x,y\n0,0\n10,5\n20,1\n30,7\n40,3\n");
    // The rows to explain differ from each other by 0.2, those of the source by 10 and more.
    folder.write("rows.csv", "x,y\n10.5,5\n10.7,5\n");
    folder.stdout("explain a.csv --rows rows.csv -m 1 -o out.json");
    let found: Value = serde_json::from_str(&folder.read("out.json")).unwrap();
    let prototype = &found["explanations"][0]["prototypes"][0];
    assert_eq!(prototype["source_index"], 1);
    assert_eq!(prototype["alike"], serde_json::json!(["y 5", "x 10 and 10.5"]));
    assert_eq!(prototype["differs"], serde_json::json!([]));
}

#[test]
fn dates_are_compared_in_days() {
    let days = ["2001-08-24", "2005-01-02", "2009-03-04", "2013-12-13", "2018-08-18"];
    let lines: String = days.iter().enumerate().map(|(row, day)| format!("{day},{row}\n")).collect();
    let folder = Folder::with("a.csv", format!("when,x\n{lines}"));
    folder.write("rows.csv", "when,x\n2018-08-19,4\n2001-08-24,4\n");
    folder.stdout("explain a.csv --rows rows.csv -m 1 -o out.json");
    let found: Value = serde_json::from_str(&folder.read("out.json")).unwrap();
    let alike = &found["explanations"][0]["prototypes"][0]["alike"];
    assert_eq!(alike, &serde_json::json!(["x 4", "when 2018-08-18 and 2018-08-19"]));
}

#[test]
fn an_explanation_does_not_depend_on_the_other_rows() {
    let folder = copy("wine.csv");
    let text = folder.read("wine.csv");
    let lines: Vec<&str> = text.lines().collect();
    let far = format!("class_0{}", ",9999".repeat(lines[0].split(',').count() - 1));
    folder.write("one.csv", format!("{}\n{}\n", lines[0], lines[20]));
    folder.write("more.csv", format!("{}\n{}\n{}\n{far}\n", lines[0], lines[20], lines[150]));
    for flags in ["", " --bandwidth median", " --bandwidth cv", " --same", " --kernel laplacian"] {
        let [one, more] = ["one", "more"].map(|name| {
            let call = format!("explain wine.csv --label label --rows {name}.csv -m 3{flags} -o {name}.json");
            folder.stdout(&call);
            serde_json::from_str::<Value>(&folder.read(&format!("{name}.json"))).unwrap()
        });
        assert_eq!(one["kernel"], more["kernel"], "{flags}");
        assert_eq!(one["explanations"][0], more["explanations"][0], "{flags}");
    }
}

#[test]
fn the_source_by_another_name_is_still_the_source() {
    let folder = copy("wine.csv");
    let explained = |rows: &str| folder.stdout(&format!("explain wine.csv --label label --rows {rows} -m 2"));
    assert_eq!(explained("./wine.csv"), explained("wine.csv"));
    // A row of the source would be at distance 0 from itself.
    folder.stdout("explain wine.csv --label label --rows ./wine.csv -m 1 -o out.json");
    let found: Value = serde_json::from_str(&folder.read("out.json")).unwrap();
    let rows = found["explanations"].as_array().unwrap();
    assert!(rows.iter().all(|row| row["prototypes"][0]["source_index"] != row["row"]));
}

#[test]
fn explanations_are_not_data() {
    let folder = copy("wine.csv");
    folder.stdout("explain wine.csv --label label --rows alcohol>14.5 -o out.json");
    let message = "error: out.json: this is a protodash result, not data\n\
                   hint: use the original data file; `protodash report out.json -o report.html` shows the result";
    folder.refuses("select out.json -m 2", 1, message);
    folder.refuses("explain out.json --rows out.json", 1, message);
    folder.refuses("select wine.csv --label label --fixed out.json -m 2", 1, message);
    let ran = folder.run("criticize out.json wine.csv");
    assert_eq!(ran.code, Some(1));
    let message =
        "error: out.json: is a result of `protodash explain`, which has explanations of rows but no selection\n";
    assert!(ran.stderr.starts_with(message), "{}", ran.stderr);
}

#[test]
fn a_source_of_one_row_is_similar_only_to_an_equal_row() {
    let folder = Folder::with("a.csv", "x,y\n1,2\n");
    folder.write("rows.csv", "x,y\n1,2\n1,2.5\n");
    let shown = folder.stdout("explain a.csv --rows rows.csv --scale none");
    let sentence = "2 rows explained by 1 source row; 1 has nothing similar: all source rows are equal, so only an \
                    equal row counts as similar\n";
    assert_eq!(shown.split_whitespace().take(24).collect::<Vec<_>>(), sentence.split_whitespace().collect::<Vec<_>>());
}

#[test]
fn wrong_calls_are_rejected() {
    let folder = copy("wine.csv");
    let text = folder.read("wine.csv");
    let unlabelled: String =
        text.lines().take(3).map(|line| format!("{}\n", line.split_once(',').unwrap().1)).collect();
    folder.write("unlabelled.csv", unlabelled);
    folder.refuses(
        "explain wine.csv --label label --rows unlabelled.csv --same",
        1,
        "error: unlabelled.csv: has no column \"label\", but --same needs the class of each row to explain\n\
         hint: add the column to the file, or omit --same",
    );
    folder.refuses(
        "explain wine.csv --label label --rows label='class_0' --target wine.csv",
        2,
        "error: --target cannot be used with --rows, which says which rows to explain\nhint: omit --target",
    );
    folder.refuses(
        "explain wine.csv --drop label --rows alcohol>14 --same",
        2,
        "error: --same needs class labels\n\
         hint: add --label with the name of the class column, or --source-labels and --rows-labels with files",
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

#[test]
fn classes_can_be_in_files() {
    let folder = Folder::with("known.csv", "x\n0\n1\n2\n3\n4\n5\n");
    folder.write("new.csv", "x\n1.4\n3.6\n").write("known.txt", "class\na\nb\na\nb\na\nb\n");
    folder.write("new.txt", "class\nb\nb\n");
    let call = "explain known.csv --rows new.csv --same --source-labels known.txt";
    folder.stdout(&format!("{call} --rows-labels new.txt -m 2 -q -o r.json"));
    let result: Value = serde_json::from_str(&folder.read("r.json")).unwrap();
    for row in result["explanations"].as_array().unwrap() {
        assert_eq!(row["label"], "b");
        assert!(row["prototypes"].as_array().unwrap().iter().all(|one| one["source_index"].as_u64().unwrap() % 2 == 1));
    }
    folder.refuses(
        call,
        1,
        "error: new.csv: has no classes, but --same needs the class of each row to explain\n\
         hint: add --rows-labels with a file of their classes, or omit --same",
    );
    // Rows of the source have the classes of its file.
    folder.stdout("explain known.csv --rows x>3 --same --source-labels known.txt -m 2 -q -o own.json");
    let own: Value = serde_json::from_str(&folder.read("own.json")).unwrap();
    assert_eq!(own["explanations"][0]["prototypes"][0]["label"], "a");
    folder.refuses(
        "explain known.csv --rows x>3 --same --source-labels known.txt --rows-labels new.txt",
        2,
        "error: --rows-labels has the classes of a --rows file, but --rows is a condition on SOURCE\n\
         hint: omit --rows-labels: rows of SOURCE have the classes of --source-labels",
    );
}

/// Single rows lack most categories; only those that the source lacks say something about them.
#[test]
fn only_categories_that_the_source_lacks_are_noted() {
    let folder = Folder::with("a.csv", "kind,x\na,1\nb,2\nc,3\na,4\n");
    let notes = |call: &str| folder.run(call).stderr;
    assert_eq!(notes("explain a.csv --rows x=1 -m 1"), "");
    folder.write("new.csv", "kind,x\nd,1\n");
    let note = "note: column \"kind\" has \"d\" only in the target";
    assert_eq!(notes("explain a.csv --rows new.csv -m 1").trim_end(), note);
}
