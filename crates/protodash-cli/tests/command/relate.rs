//! `protodash relate`: tables matched by a key.

use serde_json::Value;

use crate::harness::{Folder, golden, on_testdata};

const TABLES: &str = "testdata/relate/early_childhood.csv testdata/relate/health.csv testdata/relate/income.csv \
                      testdata/relate/occupation.csv";

#[test]
fn relations_are_as_reviewed() {
    for (name, flags) in
        [("relate_shared", "--all-categorical"), ("relate_all", "--all-categorical --keys all --kernel linear")]
    {
        let arguments = format!("relate {TABLES} --key SEQN {flags}");
        golden(name, &arguments, &on_testdata(&arguments));
    }
    // Numeric columns as numbers, and only people with an occupation.
    let arguments = "relate testdata/relate/health.csv testdata/relate/income.csv --key SEQN --keys all -m 5 --best 2 \
                     --keys-of testdata/relate/occupation.csv";
    golden("relate_adults", arguments, &on_testdata(arguments));
}

/// Three tables with four keys; the library's test of the same name derives the numbers.
fn three() -> Folder {
    let folder = Folder::with("a.csv", "id,p,q\n1,1,0\n2,1,0\n3,1,0\n4,0,1\n");
    folder.write("b.csv", "x,id\n1,3\n2,1\n1,2\n").write("c.csv", "id,p,q\n4,1,0\n3,0,1\n");
    folder
}

const BY_HAND: &str = "relate a.csv b.csv c.csv --key id -m 1 --kernel linear --scale none";

#[test]
fn three_tables_by_hand() {
    let folder = three();
    folder.stdout(&format!("{BY_HAND} -o pairs.csv"));
    let expected = [
        "target,source,n_keys,n_prototypes,objective,explained,own_explained,rank",
        "a,b,3,1,0.5,1.0,1.0,1.0",
        "a,c,2,1,0.125,0.5,0.5,2.0",
        "b,a,3,1,0.8888888888888888,1.0,1.0,1.5",
        "b,c,1,1,0.5,1.0,1.0,1.5",
        "c,a,2,1,0.125,0.5,0.5,2.0",
        "c,b,1,1,0.5,1.0,1.0,1.0",
    ];
    let found = folder.read("pairs.csv");
    for (found, expected) in found.lines().zip(expected) {
        assert_eq!(shortened(found), shortened(expected), "\n{found}");
    }
    assert_eq!(found.lines().count(), 7);
    let (table, all) = (folder.stdout(BY_HAND), folder.stdout(&format!("{BY_HAND} --keys all")));
    assert!(table.contains("b represents the other tables best, with an average rank of 1.00"), "{table}");
    assert!(table.contains("each pair is compared on the keys both tables share (1 to 3)"), "{table}");
    assert!(all.contains("all pairs are compared on all 4 keys"), "{all}");
}

#[test]
fn hints_name_only_flags_of_relate() {
    let folder = Folder::with("a.csv", "id,x\n1,5\n2,7\n");
    let names: String = (0..30).map(|row| format!("{row},person {row}\n")).collect();
    folder.write("same.csv", "id,y\n1,3\n2,3\n").write("names.csv", format!("id,name\n{names}"));
    let cases = [
        ("same.csv --drop y", "drop fewer columns"),
        ("same.csv", "omit the table"),
        ("names.csv", "exclude it with --drop name, or use it anyway with --categorical name"),
    ];
    for (other, hint) in cases {
        let ran = folder.run(&format!("relate a.csv {other} --key id"));
        assert_eq!(ran.code, Some(1), "{other}");
        assert!(ran.stderr.ends_with(&format!("\nhint: {hint}\n")), "{}", ran.stderr);
    }
}

#[test]
fn notes_are_said_and_kept() {
    let rows = |second: fn(u32) -> String| (0..40).map(|row| format!("{row},{}\n", second(row))).collect::<String>();
    let folder =
        Folder::with("a.csv", format!("id,height,number\n{}", rows(|row| format!("{},{}", row % 7, 900 + row))));
    folder.write("b.csv", format!("id,x\n{}", rows(|row| (row % 5).to_string())));
    let ran = folder.run("relate a.csv b.csv --key id -m 3 -o r.json --report r.html");
    let note = "a.csv: integer column \"number\" has only distinct values, so it looks like an id but is used as a feature; \
                exclude it with --drop number";
    assert!(ran.stderr.contains(&format!("note: {note}")), "{}", ran.stderr);
    let relation: Value = serde_json::from_str(&folder.read("r.json")).unwrap();
    assert_eq!(relation["notes"], serde_json::json!([note]));
    assert!(folder.read("r.html").contains("A.csv: integer column &quot;number&quot; has only distinct values"));
}

/// Every rank was 1 and everything was explained, by no prototypes.
#[test]
fn a_table_whose_mean_is_zero_is_rejected_by_name() {
    three().refuses(
        "relate c.csv a.csv b.csv --key id --kernel linear --scale standard",
        1,
        "error: c.csv: under this kernel the mean is 0, so there is nothing to represent\nhint: the linear kernel sees only the \
         mean, which --scale standard makes 0; use another --kernel or --scale",
    );
}

#[test]
fn fewer_keys_than_prototypes_are_reported() {
    let said = three().stdout("relate a.csv b.csv c.csv --key id --kernel linear --scale none");
    assert!(said.contains("at most 10 prototypes per table"), "{said}");
}

/// A line with its numbers cut to nine digits.
fn shortened(line: &str) -> Vec<String> {
    let short = |cell: &str| cell.parse::<f64>().map_or_else(|_| cell.to_owned(), |number| format!("{number:.9}"));
    line.split(',').map(short).collect()
}

#[test]
fn the_result_names_tables_keys_and_edges() {
    let folder = three();
    folder.stdout(&format!("{BY_HAND} -o relation.json --best 1"));
    let relation: Value = serde_json::from_str(&folder.read("relation.json")).unwrap();
    assert_eq!((&relation["schema"], &relation["keys"], &relation["n_keys"]), (&1.into(), &"shared".into(), &4.into()));
    let a = &relation["tables"][0];
    assert_eq!(
        (&a["name"], &a["path"], &a["n_keys"], &a["n_features"]),
        (&"a".into(), &"a.csv".into(), &4.into(), &2.into())
    );
    assert_eq!((&a["prototypes"][0]["key"], &a["prototypes"][0]["weight"]), (&"1".into(), &0.75.into()));
    assert_eq!(relation["pairs"].as_array().unwrap().len(), 6);
    assert_eq!(
        (&relation["pairs"][1]["source"], &relation["pairs"][1]["prototypes"][0]["key"]),
        (&"c".into(), &"3".into())
    );
    let edges: Vec<(&str, &str)> = relation["edges"]
        .as_array()
        .unwrap()
        .iter()
        .map(|edge| (edge["source"].as_str().unwrap(), edge["target"].as_str().unwrap()))
        .collect();
    // a and c represent b equally well, so both have an edge to it.
    assert_eq!(edges, [("b", "a"), ("a", "b"), ("c", "b"), ("b", "c")]);
}

#[test]
fn the_graph_is_valid_graphviz() {
    let folder = three();
    std::fs::rename(folder.path("c.csv"), folder.path("the \"third\".csv")).unwrap();
    let arguments = BY_HAND.replace("c.csv", "the{}\"third\".csv");
    folder.stdout(&format!("{arguments} -o graph.dot"));
    assert_eq!(
        folder.read("graph.dot"),
        "// An edge from A to B: the prototypes of A are among the best representatives of B.\n\
         digraph relation {\n  node [shape=box];\n  \
         \"a\" [label=\"a\\naverage rank 1.75\"];\n  \
         \"b\" [label=\"b\\naverage rank 1.00\"];\n  \
         \"the \\\"third\\\"\" [label=\"the \\\"third\\\"\\naverage rank 1.75\"];\n  \
         \"b\" -> \"a\" [label=\"100.0 %\"];\n  \
         \"a\" -> \"b\" [label=\"100.0 %\"];\n  \
         \"the \\\"third\\\"\" -> \"b\" [label=\"100.0 %\"];\n  \
         \"b\" -> \"the \\\"third\\\"\" [label=\"100.0 %\"];\n}\n"
    );
}

#[test]
fn order_and_threads_do_not_change_the_numbers() {
    let lines = |arguments: &str| {
        let folder = Folder::new();
        let path = folder.path("pairs.csv");
        let ran = on_testdata(&format!("relate {arguments} --key SEQN -q -o {}", path.display()));
        assert_eq!(ran.code, Some(0), "{}", ran.stderr);
        let mut lines: Vec<String> = folder.read("pairs.csv").lines().map(str::to_owned).collect();
        lines.sort();
        lines
    };
    let turned: Vec<&str> = TABLES.split(' ').rev().collect();
    let first = lines(&format!("{TABLES} --threads 1"));
    assert_eq!(first, lines(&format!("{} --threads 2", turned.join(" "))));
    assert_eq!(first.len(), 1 + 10); // nobody is in both early childhood and occupation
}

#[test]
fn keys_are_the_same_in_every_format() {
    let folder = three();
    folder.write("b.jsonl", "{\"x\": 1, \"id\": 3.0}\n{\"x\": 2, \"id\": 1}\n{\"x\": 1, \"id\": 2}\n");
    assert_eq!(folder.stdout(BY_HAND), folder.stdout(&BY_HAND.replace("b.csv", "b.jsonl")));
}

#[test]
fn bad_calls() {
    let folder = three();
    folder.refuses(
        "relate a.csv --key id",
        2,
        "error: only one table, a.csv; at least 2 are needed\nhint: name the tables to compare, as in: protodash \
         relate a.csv b.csv --key id",
    );
    folder.refuses("relate a.csv b.csv a.csv --key id", 2, "error: a.csv is listed twice\nhint: list each table once");
    folder.refuses(
        "relate a.csv b.csv --key id --drop id",
        2,
        "error: column \"id\" appears in both --key and --drop\nhint: remove it from --drop: a key is never a feature",
    );
    folder.refuses(
        "relate a.csv b.csv --key id --kernel precomputed",
        2,
        "error: --kernel precomputed reads kernel matrices, which have no key column\nhint: use another kernel",
    );
    folder.refuses(
        "relate a.csv b.csv --key id -o graph.png",
        2,
        "error: --output graph.png ends in .png; allowed are .json, .csv and .dot\nhint: use .json for the result, \
         .csv for one line per pair, .dot for a Graphviz graph",
    );
}

#[test]
fn bad_tables() {
    let folder = three();
    folder.refuses(
        "relate a.csv b.csv --key ident",
        1,
        "error: a.csv: there is no column \"ident\"; the closest is \"id\"\nhint: correct the name in --key",
    );
    folder.refuses(
        "relate a.csv b.csv --key id --drop nothing",
        1,
        "error: none of the 2 tables has the column \"nothing\" given to --drop\nhint: check the spelling",
    );
    folder.write("twice.csv", "id,x\n1,2\n3,4\n1,5\n").refuses(
        "relate a.csv twice.csv --key id",
        1,
        "error: twice.csv: key \"1\" in column \"id\" is in line 2 and again in line 4; keys must be unique\nhint: combine \
         the rows of each key into one first",
    );
    folder.write("none.csv", "id,x\n1,2\n,4\n").refuses(
        "relate a.csv none.csv --key id",
        1,
        "error: none.csv: line 3, column \"id\": the key is missing; every row must have one\nhint: add a key, or \
         delete the row",
    );
    folder.write("apart.csv", "id,x\n17,2\n18,4\n").refuses(
        "relate a.csv apart.csv --key id --keys all --keys-of b.csv",
        1,
        "error: apart.csv: none of its 2 keys (such as \"17\") is one of the requested keys\nhint: omit the table, or \
         write its keys as in the file of --keys-of",
    );
    folder.write("apart.csv", "id,x\n17,2\n18,4\n").refuses(
        "relate a.csv b.csv apart.csv --key id",
        1,
        "error: apart.csv: none of its 2 keys (such as \"17\") is in any other table\nhint: omit the table, or write \
         keys the same way in all tables",
    );
}
