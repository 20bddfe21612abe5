//! Quotas and budgets.

use serde_json::Value;

use crate::harness::{Folder, project};

fn nhanes() -> Folder {
    let folder = Folder::new();
    std::fs::copy(project().join("testdata/nhanes_adults.csv"), folder.path("adults.csv")).unwrap();
    folder
}

fn json(folder: &Folder, name: &str) -> Value {
    serde_json::from_str(&folder.read(name)).unwrap()
}

/// A column of the prototypes, from the table.
fn values(folder: &Folder, result: &Value, column: &str) -> Vec<String> {
    let text = folder.read("adults.csv");
    let mut lines = text.lines().map(|line| line.split(',').collect::<Vec<_>>());
    let place = lines.next().unwrap().iter().position(|name| *name == column).unwrap();
    let lines: Vec<Vec<&str>> = lines.collect();
    let rows = result["prototypes"].as_array().unwrap().iter();
    rows.map(|row| lines[row["source_index"].as_u64().unwrap() as usize][place].to_owned()).collect()
}

const READ: &str = "select adults.csv --id id --missing category --seed 1";

#[test]
fn quotas_and_budget_are_met_and_reported() {
    let folder = nhanes();
    for method in ["protodash", "protogreedy", "random"] {
        let call = format!(
            "{READ} -m 12 --method {method} --at-least diabetes=yes:5 --at-most diabetes=no:6 --cost household_size \
             --budget 40 -o r.json"
        );
        folder.stdout(&call);
        let result = json(&folder, "r.json");
        let diabetes = values(&folder, &result, "diabetes");
        let count = |value: &str| diabetes.iter().filter(|other| *other == value).count();
        assert!(count("yes") >= 5 && count("no") <= 6 && diabetes.len() <= 12, "{method}: {diabetes:?}");
        let costs = values(&folder, &result, "household_size");
        let spent: f64 = costs.iter().map(|cost| cost.parse::<f64>().unwrap()).sum();
        let constraints = &result["constraints"];
        assert_eq!(
            (constraints["budget"]["spent"].as_f64(), &constraints["budget"]["cost"]),
            (Some(spent), &"household_size".into())
        );
        assert!(spent <= 40.0);
        assert_eq!(constraints["quotas"][0]["name"], "diabetes=yes");
        assert_eq!(constraints["quotas"][0]["n_prototypes"].as_u64(), Some(count("yes") as u64));
        assert!(constraints["explained_without"].as_f64().is_some());
        folder.stdout("report r.json adults.csv -o r.html");
    }
    let output = folder.stdout(&format!("{READ} -m 6 --at-least diabetes=yes:3"));
    let price = "rows of diabetes=yes (at least 3); without quotas, the same number of rows explains ";
    assert!(output.contains(price), "{output}");
    // Without -m the budget alone limits the number.
    folder.stdout(&format!("{READ} --cost household_size --budget 25 -o r.json"));
    let result = json(&folder, "r.json");
    assert!(result["prototypes"].as_array().unwrap().len() > 10);
    assert_eq!(result["stopped"], "constraints");
}

#[test]
fn a_run_continues_only_with_the_same_constraints() {
    let folder = nhanes();
    let quota = "--at-least diabetes=yes:3";
    folder.stdout(&format!("{READ} -m 5 {quota} -o five.json"));
    folder.stdout(&format!("{READ} -m 9 {quota} --resume five.json -o more.json"));
    folder.stdout(&format!("{READ} -m 9 {quota} -o fresh.json"));
    assert_eq!(folder.read("more.json"), folder.read("fresh.json"));
    let ran = folder.run(&format!("{READ} -m 9 --at-least diabetes=yes:4 --resume five.json"));
    let difference =
        "its list of constraints is [\"at least 3 of diabetes=yes\"], now it is [\"at least 4 of diabetes=yes\"]";
    assert!(ran.stderr.contains(difference), "{}", ran.stderr);
}

#[test]
fn what_cannot_be_met_is_refused() {
    let text = "c,cost,x,zero,below\nFR,1,0,1,1\nFR,2,1,0,2\nDE,3,2,1,-3\nDE,,3,1,1\n";
    let folder = Folder::with("a.csv", text);
    for (flags, message) in [
        ("--at-least c=FR:3", "a.csv: c=FR: at least 3 rows requested, but only 2 can be chosen"),
        ("--at-least c=ES:1", "a.csv: c=ES: no source row has this value; the column has DE, FR"),
        ("--at-least c=FR:2 --at-most c=FR:1", "the minimum is above the maximum"),
        ("--at-least c=FR:2 --at-least c=DE:1 -m 2", "c=FR:2, c=DE:1: 3 rows needed, but only 2 can be chosen"),
        ("--at-least c=FR:1 --at-least x=0:1", "source row 0 counts towards c=FR and x=0"),
        ("--at-least d=FR:1", "a.csv has no column \"d\""),
        ("--cost zero --budget 5", "--cost zero: row 1 of a.csv has the cost \"0\""),
        ("--cost below --budget 5", "--cost below: row 2 of a.csv has the cost \"-3\""),
        ("--cost cost --budget 5", "--cost cost: row 3 of a.csv has the cost missing"),
        ("--cost c --budget 5", "--cost c: row 0 of a.csv has the cost \"FR\""),
        ("--cost cost --budget 0.5 --source-where cost>0", "the budget is 0.5, but the cheapest row costs at least 1"),
        (
            "--at-least c=FR:1 --method swap",
            "swap does not support quotas or a budget; use protodash, protogreedy or random",
        ),
    ] {
        let ran = folder.run(&format!("select a.csv --drop cost,zero,below {flags}"));
        assert!(ran.stderr.contains(message) && ran.code == Some(1), "{flags}: {}", ran.stderr);
    }
    for (flags, message) in [
        ("--cost cost", "--cost cost has no effect without --budget"),
        ("--budget 5", "--budget needs the cost of each row"),
        ("--cost cost --budget -5", "must be a number above 0"),
        ("--at-least c:5", "must have the form COLUMN=VALUE:N, such as country=FR:10"),
        ("--at-least c=FR:1 --per-label equal --label c", "quotas and --budget cannot be used with --per-label"),
    ] {
        let ran = folder.run(&format!("select a.csv {flags}"));
        assert!(ran.stderr.contains(message) && ran.code == Some(2), "{flags}: {}", ran.stderr);
    }
}
