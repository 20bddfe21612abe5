//! Odd results: the command must print the numbers and words of `testdata/odd_results.json`, as the library and Python
//! do.

use serde_json::Value;

use crate::harness::{Folder, project};

/// Rows as CSV, each repeated as in `repeat`.
fn csv(rows: &Value, repeat: &Value) -> String {
    let mut text = "x0\n".to_owned();
    for (at, row) in rows.as_array().unwrap().iter().enumerate() {
        let times = repeat.get(at).map_or(1, |times| times.as_u64().unwrap() as usize);
        text += &format!("{}\n", row[0]).repeat(times);
    }
    text
}

fn call(case: &Value) -> String {
    let verb = if case.get("rows").is_some() { "explain source.csv --rows rows.csv" } else { "select source.csv" };
    let mut call = format!("{verb} --scale none");
    if case.get("target").is_some() {
        call += " --target target.csv";
    }
    for (name, value) in case["options"].as_object().unwrap() {
        let value = value.as_str().map_or_else(|| value.to_string(), str::to_owned);
        call += &format!(" --{} {value}", name.replace('_', "-"));
    }
    call
}

/// Checks what the command writes and shows for explained rows.
fn check_explanations(name: &Value, folder: &Folder, call: &str, expected: &Value) {
    folder.stdout(&format!("{call} --quiet -o found.json"));
    let result: Value = serde_json::from_str(&folder.read("found.json")).unwrap();
    let shown = folder.stdout(call);
    assert!(shown.contains(expected["sentence"].as_str().unwrap()), "{name}:\n{shown}");
    let mut sections = shown.split("\n\n").skip(1);
    for (row, expected) in result["explanations"].as_array().unwrap().iter().zip(expected["rows"].as_array().unwrap()) {
        assert_eq!(row["explained"], expected["explained"], "{name}");
        let found: Vec<&Value> = row["prototypes"].as_array().unwrap().iter().map(|one| &one["source_index"]).collect();
        assert_eq!(found, expected["indices"].as_array().unwrap().iter().collect::<Vec<_>>(), "{name}");
        let section = sections.next().unwrap();
        for text in ["shares_text", "distances_text"].into_iter().flat_map(|list| expected[list].as_array().unwrap()) {
            assert!(section.contains(text.as_str().unwrap()), "{name}: {text} is not in\n{section}");
        }
        assert!(section.contains(expected["sentence"].as_str().unwrap()), "{name}:\n{section}");
    }
}

#[test]
fn the_command_has_the_numbers_and_words_of_the_library() {
    let text = std::fs::read_to_string(project().join("testdata/odd_results.json")).unwrap();
    let cases: Value = serde_json::from_str(&text).unwrap();
    for case in cases.as_array().unwrap() {
        let (name, expected) = (&case["name"], &case["expected"]);
        let folder = Folder::with("source.csv", csv(&case["source"], &Value::Null));
        if let Some(target) = case.get("target") {
            folder.write("target.csv", csv(target, &case["repeat_target"]));
        }
        let call = call(case);
        if let Some(rows) = case.get("rows") {
            folder.write("rows.csv", csv(rows, &Value::Null));
            check_explanations(name, &folder, &call, expected);
            continue;
        }
        folder.stdout(&format!("{call} --quiet -o result.json"));
        let result: Value = serde_json::from_str(&folder.read("result.json")).unwrap();
        let keys = ["objective_final", "target_energy", "target_energy_standard_error", "mmd2", "explained"];
        for key in keys.into_iter().chain(["explained_standard_error", "stopped"]) {
            assert_eq!(result[key], expected[key], "{name}: {key}");
        }
        let prototypes = result["prototypes"].as_array().unwrap();
        for (key, list) in [("source_index", "indices"), ("weight", "weights"), ("share", "shares")] {
            let found: Vec<&Value> = prototypes.iter().map(|prototype| &prototype[key]).collect();
            assert_eq!(found, expected[list].as_array().unwrap().iter().collect::<Vec<_>>(), "{name}: {list}");
        }
        let shown = folder.stdout(&call);
        for part in ["sentences", "shares_text"] {
            for text in expected[part].as_array().unwrap() {
                assert!(shown.contains(text.as_str().unwrap()), "{name}: {text} is not in\n{shown}");
            }
        }
    }
}
