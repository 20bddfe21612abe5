//! Class labels in separate files, as for MNIST.

use crate::harness::{Folder, Ran};

/// Four images of two by two pixels, in the format of MNIST.
fn pictures() -> Vec<u8> {
    let header = [0, 0, 8, 3, 0, 0, 0, 4, 0, 0, 0, 2, 0, 0, 0, 2];
    let pixels = [[0, 0, 0, 9], [1, 0, 0, 9], [200, 200, 0, 0], [200, 210, 0, 0]];
    header.into_iter().chain(pixels.into_iter().flatten()).collect()
}

fn classes(labels: &[u8]) -> Vec<u8> {
    [0, 0, 8, 1, 0, 0, 0, labels.len() as u8].into_iter().chain(labels.iter().copied()).collect()
}

fn folder() -> Folder {
    let folder = Folder::with("images-idx3-ubyte", pictures());
    folder.write("labels-idx1-ubyte", classes(&[7, 7, 1, 1]));
    folder
}

fn run(folder: &Folder, arguments: &str) -> Ran {
    folder.command(arguments).output().unwrap().into()
}

fn prototypes(json: &str) -> Vec<(u64, String)> {
    let result: serde_json::Value = serde_json::from_str(json).unwrap();
    let each = result["prototypes"].as_array().unwrap().iter();
    each.map(|one| (one["source_index"].as_u64().unwrap(), one["label"].as_str().unwrap().to_owned())).collect()
}

#[test]
fn labels_reach_the_result() {
    let folder = folder();
    let ran = run(&folder, "select images-idx3-ubyte --source-labels labels-idx1-ubyte -m 2 -q -o out.json");
    assert_eq!((ran.code, ran.stderr.as_str()), (Some(0), ""));
    let chosen = prototypes(&folder.read("out.json"));
    let expected = |row: u64| if row < 2 { "7" } else { "1" };
    assert_eq!(chosen.len(), 2);
    assert!(chosen.iter().all(|(row, label)| label == expected(*row)), "{chosen:?}");
    // The result stores the path of the labels, so criticisms have labels too.
    let ran = run(&folder, "criticize out.json images-idx3-ubyte -n 1 -q -o found.json");
    assert_eq!((ran.code, ran.stderr.as_str()), (Some(0), ""));
    let result: serde_json::Value = serde_json::from_str(&folder.read("found.json")).unwrap();
    let criticism = &result["criticisms"][0];
    assert_eq!(criticism["label"], expected(criticism["source_index"].as_u64().unwrap()));
}

#[test]
fn source_and_target_have_separate_label_files() {
    let folder = folder();
    folder.write("target.csv", "a,b,c,d\n0,0,0,9\n").write("classes.csv", "class\nseven\n");
    folder.write("source.csv", "a,b,c,d\n0,0,0,8\n100,0,0,0\n").write("few.csv", "class\nold\nnew\n");
    let call = "select source.csv --target target.csv --source-labels few.csv --target-labels classes.csv -m 1 \
                --scale none --n-criticisms 1 --criticize-among target -q -o out.json";
    let ran = run(&folder, call);
    assert_eq!((ran.code, ran.stderr.as_str()), (Some(0), ""));
    assert_eq!(prototypes(&folder.read("out.json")), [(0, "old".to_owned())]);
    let result: serde_json::Value = serde_json::from_str(&folder.read("out.json")).unwrap();
    assert_eq!(result["criticisms"][0]["label"], "seven");
}

#[test]
fn a_condition_keeps_rows_and_labels_together() {
    let folder = Folder::with("rows.csv", "x\n1\n2\n30\n31\n");
    folder.write("classes.csv", "class\na\nb\nc\nd\n");
    let call = "select rows.csv --source-labels classes.csv --source-where x>2 --target-where x>30 -m 1 -q -o out.json";
    let ran = run(&folder, call);
    assert_eq!((ran.code, ran.stderr.as_str()), (Some(0), ""));
    assert_eq!(prototypes(&folder.read("out.json")), [(3, "d".to_owned())]);
}

#[test]
fn labels_of_different_rows_are_rejected() {
    let folder = folder();
    folder.write("few", classes(&[7, 7, 1]));
    let ran = run(&folder, "select images-idx3-ubyte --source-labels few");
    assert_eq!(
        (ran.code, ran.stderr.as_str()),
        (
            Some(1),
            "error: few: has 3 rows, but images-idx3-ubyte has 4; there must be one label per row\n\
             hint: use the label file that belongs to it\n"
        )
    );
    folder.write("two.csv", "a,b\n1,2\n1,2\n1,2\n1,2\n");
    let ran = run(&folder, "select images-idx3-ubyte --source-labels two.csv");
    assert_eq!(
        (ran.code, ran.stderr.as_str()),
        (
            Some(1),
            "error: two.csv: has 2 columns; a label file must have one column, with the class of each row\n\
             hint: remove the other columns, or add the labels to the data and use --label\n"
        )
    );
}

#[test]
fn a_label_column_excludes_a_label_file() {
    let folder = folder();
    let ran = run(&folder, "select images-idx3-ubyte --label a --source-labels labels-idx1-ubyte");
    assert_eq!(ran.code, Some(2));
    assert!(ran.stderr.contains("cannot be used with"), "{}", ran.stderr);
}
