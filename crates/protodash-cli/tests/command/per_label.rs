//! Prototypes per class: terminal, files and errors.

use serde_json::Value;

use crate::harness::{Folder, golden, on_testdata};

#[test]
fn tables_are_as_reviewed() {
    let calls = [
        ("select_per_label", "select testdata/wine.csv --label label -m 6 --per-label proportional"),
        ("select_per_label_equal", "select testdata/digits.csv --label label --per-label equal"),
    ];
    for (name, arguments) in calls {
        golden(name, arguments, &on_testdata(arguments));
    }
}

#[test]
fn the_result_has_the_allocation_to_classes() {
    let folder = Folder::with("a.csv", "x,kind\n0,a\n1,a\n2,a\n3,a\n10,b\n11,b\n20,c\n");
    folder.stdout("select a.csv --label kind --per-label proportional -m 4 --scale none --bandwidth 1 -o r.json");
    let result: Value = serde_json::from_str(&folder.read("r.json")).unwrap();
    let labels: Vec<&str> =
        result["prototypes"].as_array().unwrap().iter().map(|prototype| prototype["label"].as_str().unwrap()).collect();
    assert_eq!(labels, ["a", "b", "c", "a"]);
    let per_label = &result["per_label"];
    assert_eq!(per_label["allocation"], "proportional");
    let numbers: Vec<(&str, u64)> = per_label["classes"]
        .as_array()
        .unwrap()
        .iter()
        .map(|class| (class["label"].as_str().unwrap(), class["n_prototypes"].as_u64().unwrap()))
        .collect();
    assert_eq!(numbers, [("a", 2), ("b", 1), ("c", 1)]);
    // Such a result can be criticised like any other.
    folder.stdout("criticize r.json a.csv -n 2");
}

/// The slider showed the counts of the whole run, or none, at every size.
#[test]
fn the_page_counts_rows_of_each_class_at_every_size() {
    let folder = Folder::with("a.csv", "x,kind\n0,a\n1,a\n2,a\n3,a\n2,b\n11,b\n20,c\n");
    let flags = "--label kind --per-label proportional -m 4 --scale none --bandwidth 1";
    folder.stdout(&format!("select a.csv {flags} -o r.json --report r.html"));
    let page = folder.read("r.html");
    let (_, data) = page.split_once("id=\"view\">").unwrap();
    let view: Value = serde_json::from_str(data.split_once("</script>").unwrap().0).unwrap();
    let counts = view["n_represented"].as_array().unwrap();
    let result: Value = serde_json::from_str(&folder.read("r.json")).unwrap();
    let whole: Vec<Value> =
        result["prototypes"].as_array().unwrap().iter().map(|prototype| prototype["n_represented"].clone()).collect();
    assert_eq!((counts.len(), &counts[3], &view["stands"]), (4, &Value::from(whole.clone()), &Value::from(whole)));
    // The first prototype is one of four rows of class a, and the first of class b is nearer to one of these.
    assert_eq!((&counts[0], &counts[1]), (&serde_json::json!([4]), &serde_json::json!([4, 2])));
}

#[test]
fn classes_can_have_given_numbers() {
    let folder = Folder::with("a.csv", "x,kind\n0,a\n1,a\n2,a\n3,a\n10,b\n11,b\n20,\"c, d\"\n");
    let flags = "--label kind --scale none --bandwidth 1 -q";
    folder.stdout(&format!("select a.csv {flags} --per-label a=2,b=1 -o r.json"));
    let result: Value = serde_json::from_str(&folder.read("r.json")).unwrap();
    let labels: Vec<&str> =
        result["prototypes"].as_array().unwrap().iter().map(|prototype| prototype["label"].as_str().unwrap()).collect();
    assert_eq!(labels, ["a", "b", "a"]);
    assert_eq!(result["per_label"]["allocation"], "given");
    assert!(result["constraints"]["explained_without"].as_f64().unwrap() >= result["explained"].as_f64().unwrap());
    let class = |place: usize| &result["per_label"]["classes"][place];
    assert_eq!((&class(0)["n_requested"], &class(1)["n_prototypes"]), (&2.into(), &1.into()));
    assert_eq!((&class(2)["n_requested"], &class(2)["n_prototypes"]), (&Value::Null, &0.into()));
    assert_eq!(result["classes_without_prototype"], serde_json::json!(["c, d"]));
    // -m may repeat the sum.
    folder.stdout(&format!("select a.csv {flags} --per-label b=1,a=2 -m 3 -o same.json"));
    let same: Value = serde_json::from_str(&folder.read("same.json")).unwrap();
    assert_eq!(same["prototypes"], result["prototypes"]);
    let table = folder.stdout(&format!("select a.csv {flags} --per-label a=2,b=1"));
    assert!(table.contains("3 classes with given numbers of prototypes"), "{table}");
}

#[test]
fn impossible_numbers_are_rejected() {
    let folder = Folder::with("a.csv", "x,kind\n0,FR\n1,FR\n2,DE\n");
    for (value, message) in [
        ("FRA=1", "error: a.csv: no target row is of class \"FRA\"; did you mean \"FR\"? The classes are DE, FR"),
        ("FR=3", "error: a.csv: class \"FR\": 3 prototypes requested, but it has only 2 source rows"),
        ("FR=1,FR=1", "error: a.csv: class \"FR\" is listed twice"),
        ("FR=0", "error: a.csv: 0 prototypes requested; at least 1 is needed"),
    ] {
        folder.refuses(&format!("select a.csv --label kind --per-label {value}"), 1, message);
    }
    for number in ["5", "all"] {
        folder.refuses(
            &format!("select a.csv --label kind --per-label FR=1,DE=1 -m {number}"),
            2,
            &format!("error: -m is {number}, but the numbers of --per-label add up to 2\nhint: omit -m"),
        );
    }
    folder.refuses(
        "select a.csv --label kind --per-label fair",
        2,
        "error: invalid value 'fair' for '--per-label <HOW>': must be `proportional`, `equal`, or counts per class such \
         as FR=10,DE=5\n\nFor more information, try '--help'.",
    );
}

#[test]
fn impossible_allocations_are_rejected() {
    let folder = Folder::with("a.csv", "x,kind\n0,a\n1,b\n2,c\n");
    folder.write("b.csv", "x,kind\n0,a\n1,z\n");
    folder.refuses(
        "select a.csv --drop kind --per-label equal",
        2,
        "error: --per-label needs class labels\nhint: add --label with the name of the class column",
    );
    folder.refuses(
        "select a.csv --label kind --per-label equal -m 2",
        1,
        "error: a.csv: cannot choose 2 prototypes for 3 classes; each needs at least 1\n\
         hint: use -m 3 or more, or omit --per-label",
    );
    folder.refuses(
        "select a.csv --target b.csv --label kind --per-label equal -m 2",
        1,
        "error: a.csv: class \"z\" has 1 target row and no source row to represent it\n\
         hint: exclude the class with --target-where, or omit --per-label",
    );
}
