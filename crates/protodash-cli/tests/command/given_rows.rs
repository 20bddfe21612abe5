//! Fixed rows, excluded rows and continued runs.

use serde_json::Value;

use crate::harness::{Folder, project};

fn copy(name: &str) -> Folder {
    let folder = Folder::new();
    std::fs::copy(project().join("testdata").join(name), folder.path(name)).unwrap();
    folder
}

fn json(folder: &Folder, name: &str) -> Value {
    serde_json::from_str(&folder.read(name)).unwrap()
}

/// The rows of the prototypes in a result.
fn rows(result: &Value) -> Vec<u64> {
    result["prototypes"].as_array().unwrap().iter().map(|row| row["source_index"].as_u64().unwrap()).collect()
}

#[test]
fn fixed_rows_come_first_and_the_number_counts_new_rows() {
    let folder = copy("wine.csv");
    folder.stdout("select wine.csv --label label -m 4 -o free.json");
    let first = rows(&json(&folder, "free.json"));
    let output = folder.stdout("select wine.csv --label label --fixed 17,4 --exclude 0 -m 3");
    assert!(output.starts_with("2 fixed rows alone explain "), "{output}");
    assert!(output.contains("3 more rows add ") && output.contains("(the fixed and 3 random rows, best weights: "));
    folder.stdout(&format!("select wine.csv --label label --fixed 17,4 --exclude {} -m 3 -o r.json", first[0]));
    let result = json(&folder, "r.json");
    let found = rows(&result);
    assert_eq!((found.len(), &found[..2]), (5, &[17, 4][..]));
    assert_eq!((result["n_fixed"].as_u64(), &result["exclude"]), (Some(2), &Value::from(vec![first[0]])));
    assert!(!found.contains(&first[0]));
    // What a report and criticisms need is in the file.
    folder.stdout("criticize r.json wine.csv -n 1");
    folder.stdout("report r.json wine.csv -o r.html");
}

#[test]
fn rows_of_another_file_join_as_prototypes_but_are_not_represented() {
    let folder = copy("wine.csv");
    let text = folder.read("wine.csv");
    let (header, lines) = text.split_once('\n').unwrap();
    let lines: Vec<&str> = lines.lines().collect();
    let part = |lines: &[&str]| format!("{header}\n{}\n", lines.join("\n"));
    folder.write("pool.csv", part(&lines[5..])).write("labelled.csv", part(&lines[..5]));
    for flags in ["", " --source-sample 100 --seed 3", " --method protogreedy --source-where alcohol>12"] {
        let call = format!("select pool.csv --label label --fixed labelled.csv -m 6{flags} -o r.json");
        folder.stdout(&call);
        let result = json(&folder, "r.json");
        let found = rows(&result);
        assert_eq!((found.len(), &found[..5]), (11, &[173, 174, 175, 176, 177][..]), "{flags}");
        assert_eq!(result["n_fixed"], 5);
        assert_eq!(result["n_target"], 173);
        folder.stdout("criticize r.json pool.csv -n 2");
        folder.stdout("report r.json pool.csv -o r.html");
    }
    folder.write("other.csv", "a,b\n1,2\n");
    let ran = folder.run("select pool.csv --label label --fixed other.csv -m 2");
    assert_eq!(ran.code, Some(1));
    assert!(ran.stderr.contains("other.csv"), "{}", ran.stderr);
}

/// The header and some lines of a file.
fn part(text: &str, rows: &[usize]) -> String {
    let lines: Vec<&str> = text.lines().collect();
    let rows: Vec<&str> = rows.iter().map(|row| lines[row + 1]).collect();
    format!("{}\n{}\n", lines[0], rows.join("\n"))
}

#[test]
fn a_file_with_rows_of_the_source_fixes_these() {
    let folder = copy("wine.csv");
    let text = folder.read("wine.csv");
    folder.write("known.csv", part(&text, &[17, 4]));
    folder.stdout("select wine.csv --label label --fixed 17,4 -m 3 -o numbers.json");
    folder.stdout("select wine.csv --label label --fixed known.csv -m 3 -o file.json");
    assert_eq!(folder.read("file.json"), folder.read("numbers.json"));
    // A run with the file can be continued, and its rows may be limited by a condition.
    folder.stdout("select wine.csv --label label --fixed known.csv -m 6 --resume file.json -o more.json");
    assert_eq!(rows(&json(&folder, "more.json"))[..5], rows(&json(&folder, "file.json"))[..]);
    let ran = folder.run("select wine.csv --label label --fixed known.csv -m 3 --source-where alcohol<12");
    assert_eq!(ran.code, Some(1));
    assert!(ran.stderr.contains("--source-where or --source-sample leaves it out"), "{}", ran.stderr);
    // With one row that the source lacks, all of them join it.
    folder.write("known.csv", part(&text, &[17, 4]).replacen(",1", ",2", 1));
    folder.stdout("select wine.csv --drop label --fixed known.csv -m 3 -o joined.json");
    assert_eq!(rows(&json(&folder, "joined.json"))[..2], [178, 179]);
}

#[test]
fn rows_of_another_file_are_excluded() {
    let folder = copy("wine.csv");
    let text = folder.read("wine.csv");
    folder.stdout("select wine.csv --label label -m 4 -o free.json");
    let first: Vec<usize> = rows(&json(&folder, "free.json")).iter().map(|row| *row as usize).collect();
    folder.write("bad.csv", part(&text, &first[..2]));
    let ran = folder.run("select wine.csv --label label -m 4 --exclude bad.csv -o file.json");
    assert!(ran.stderr.contains("excluded 2 rows equal to 2 of the 2 rows of bad.csv"), "{}", ran.stderr);
    let result = json(&folder, "file.json");
    let mut excluded: Vec<usize> = first[..2].to_vec();
    excluded.sort_unstable();
    assert_eq!(result["exclude"], Value::from(excluded));
    assert!(rows(&result).iter().all(|row| !first[..2].contains(&(*row as usize))));
    folder.write("none.csv", part(&text, &[0]).replace("14.23", "99.9"));
    folder.refuses(
        "select wine.csv --label label -m 4 --exclude none.csv",
        1,
        "error: --exclude none.csv: no source row of wine.csv is equal to one of its 1 row\n\
         hint: all columns are compared; add --id to compare only the ids",
    );
    folder.write("a.csv", "name,x\nAda,0\nBo,5\nCy,9\n").write("names.csv", "name\nBo\nZoe\n");
    folder.stdout("select a.csv --id name --exclude names.csv -m 2 -o r.json");
    let mut found = rows(&json(&folder, "r.json"));
    found.sort_unstable();
    assert_eq!(found, [0, 2]);
    folder.refuses(
        "select a.csv --exclude nofile -m 1",
        2,
        "error: --exclude nofile: there is no such file, and it is not a row number\n\
         hint: use row numbers such as 3,17, the name of a file, or ids together with --id",
    );
}

#[test]
fn changed_values_are_other_data() {
    let folder = copy("wine.csv");
    folder.stdout("select wine.csv --label label -m 4 --scale none --bandwidth 50 -o four.json");
    let chosen = rows(&json(&folder, "four.json"));
    let text = folder.read("wine.csv");
    // A row that is no prototype and hardly matters to the objective.
    let row = (0..178).find(|row| !chosen.contains(row)).unwrap() as usize;
    let line = text.lines().nth(row + 1).unwrap();
    let (cells, last) = line.rsplit_once(',').unwrap();
    folder.write("wine.csv", text.replace(line, &format!("{cells},{last}.0000001")));
    folder.refuses(
        "select wine.csv --label label -m 8 --scale none --bandwidth 50 --resume four.json -q",
        1,
        "error: four.json: cannot be continued with these data and flags: the values in its rows, or their weights, are \
         not those of these data\n\
         hint: use the original files, or run the selection again",
    );
}

#[test]
fn ids_name_rows() {
    let folder = Folder::with("a.csv", "name,x,y\nAda,0,1\nBo,5,5\nCy,0,0\nDi,9,8\nEd,5,4\n");
    folder.stdout("select a.csv --id name --fixed Di --exclude Bo,Cy -m 2 -o r.json");
    let found = rows(&json(&folder, "r.json"));
    assert_eq!((found[0], found.len()), (3, 3));
    assert!(!found.contains(&1) && !found.contains(&2));
    folder.refuses(
        "select a.csv --id name --fixed Zoe -m 1",
        1,
        "error: --fixed Zoe: no source row of a.csv has this id\nhint: ids are compared as text, as --id shows them",
    );
    folder.refuses(
        "select a.csv --id name --exclude Bo,Zoe -m 1 -o r.json",
        1,
        "error: --exclude Zoe: no source row of a.csv has this id\nhint: ids are compared as text, as --id shows them",
    );
}

#[test]
fn wrong_rows_are_rejected() {
    let folder = Folder::with("a.csv", "x,y\n0,1\n5,5\n0,0\n9,8\n");
    folder.refuses(
        "select a.csv --fixed 4 -m 1",
        1,
        "error: --fixed 4: a.csv has 4 rows, counted from 0\nhint: use numbers up to 3",
    );
    folder.refuses(
        "select a.csv --exclude 2 --source-where x>0 -m 1",
        1,
        "error: --exclude 2: this row of a.csv is not among the source rows\n\
         hint: --source-where or --source-sample leaves it out",
    );
    folder.refuses(
        "select a.csv --fixed 1,2 --exclude 2 -m 1",
        1,
        "error: a.csv: source row 2 is both fixed and excluded; it can be only one of them",
    );
    // Row 3 of the file is row 1 of those that the condition leaves.
    folder.refuses(
        "select a.csv --source-where x>0 --fixed 3 --exclude 3 -m 1",
        1,
        "error: a.csv: source row 3 is both fixed and excluded; it can be only one of them",
    );
    folder.refuses(
        "select a.csv --exclude 0,1,2,3 -m 1",
        1,
        "error: a.csv: no source row is left to choose: of 4 rows, 0 are fixed and 4 excluded",
    );
    folder.refuses(
        "select a.csv --fixed 1 --method swap -m 1",
        2,
        "error: --fixed cannot be used with --method swap\nhint: use --method protodash, protogreedy, l2c, farthest-first or random",
    );
    folder.refuses(
        "select a.csv --fixed nowhere.csv -m 1",
        2,
        "error: --fixed nowhere.csv: there is no such file, and it is not a row number\n\
         hint: use row numbers such as 3,17, the name of a file, or ids together with --id",
    );
}

#[test]
fn a_continued_run_gives_the_bytes_of_a_fresh_one() {
    let folder = copy("wine.csv");
    let text = folder.read("wine.csv");
    let lines: Vec<&str> = text.lines().collect();
    folder.write("known.csv", [lines[0], lines[4], lines[90], ""].join("\n"));
    folder.write("other.csv", format!("{}\n{}\n", lines[0], lines[7].replace('1', "2")));
    for flags in [
        "",
        " --method protogreedy",
        " --weights convex",
        " --fixed 3,9 --exclude 2",
        " --method random --seed 7",
        " --fixed known.csv",
        " --fixed other.csv --exclude known.csv",
        " --max-weight 0.2 --min-effective 6.5",
        " --weights convex --min-effective 7 --fixed 3,9",
    ] {
        folder.stdout(&format!("select wine.csv --label label -m 8{flags} -o few.json"));
        folder.stdout(&format!("select wine.csv --label label -m 20{flags} -o fresh.json"));
        folder.stdout(&format!("select wine.csv --label label -m 20{flags} --resume few.json -o more.json"));
        assert_eq!(folder.read("fresh.json"), folder.read("more.json"), "{flags}");
    }
}

#[test]
fn a_run_with_other_settings_or_data_is_not_continued() {
    let folder = copy("wine.csv");
    folder.stdout("select wine.csv --label label -m 4 -o r.json");
    let refuses = |call: &str, difference: &str| {
        let message = format!("error: r.json: {difference}\nhint: use the original files, or run the selection again");
        folder.refuses(&format!("select {call} --label label -m 9 --resume r.json"), 1, &message);
    };
    let bandwidth = json(&folder, "r.json")["kernel"]["bandwidth"].to_string();
    let differs = |difference: &str| format!("cannot be continued with these data and flags: {difference}");
    refuses("wine.csv --method protogreedy", &differs("its method is \"protodash\", now it is \"protogreedy\""));
    refuses("wine.csv --scale minmax", &differs("its scale is null, now it is \"minmax\""));
    refuses("wine.csv --bandwidth 2", &differs(&format!("its kernel's bandwidth is {bandwidth}, now it is 2.0")));
    refuses("wine.csv --exclude 5", &differs("its list of excluded rows is [], now it is [5]"));
    let text = folder.read("wine.csv");
    let shorter: String = text.lines().take(100).map(|line| format!("{line}\n")).collect();
    folder.write("short.csv", shorter);
    refuses("short.csv", &differs("its number of source rows is 178, now it is 99"));
}

/// The rows that these flags name were looked up among the rows of a fold.
#[test]
fn the_bandwidth_is_cross_validated_without_given_rows_and_limits() {
    let folder = copy("wine.csv");
    let bandwidth = |flags: &str| {
        folder.stdout(&format!("select wine.csv --label label --bandwidth cv {flags} -o r.json"));
        json(&folder, "r.json")["kernel"]["bandwidth"].as_f64().unwrap()
    };
    let plain = bandwidth("-m 6");
    assert_eq!(bandwidth("--fixed 177,3 -m 4"), plain);
    let excluded: Vec<String> = (150..178).map(|row| row.to_string()).collect();
    assert_eq!(bandwidth(&format!("--exclude {} -m 6", excluded.join(","))), plain);
    assert_eq!(bandwidth("--max-weight 0.25 --min-effective 5 -m 6"), plain);
}
