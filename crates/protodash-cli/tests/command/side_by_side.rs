//! Reports of two selections side by side.

use std::fs;

use crate::harness::{Folder, project};

fn wine(selections: &[(&str, &str)]) -> Folder {
    let folder = Folder::new();
    fs::copy(project().join("testdata/wine.csv"), folder.path("wine.csv")).unwrap();
    for (name, flags) in selections {
        folder.stdout(&format!("select wine.csv {flags} -o {name}"));
    }
    folder
}

/// The sentences of a page's header.
fn lead(page: &str) -> String {
    let header = page.split("<header").nth(1).unwrap().split("<dl").next().unwrap();
    header.replace("&quot;", "\"").replace("&#39;", "'")
}

#[test]
fn two_methods_share_a_scale_and_differ_in_rows() {
    let folder = wine(&[("a.json", "--label label -m 6"), ("b.json", "--label label -m 6 --method k-medoids")]);
    folder.stdout("report a.json b.json --data wine.csv -o both.html");
    let page = folder.read("both.html");
    let lead = lead(&page);
    assert!(lead.contains("The 6 rows of A explain "), "{lead}");
    assert!(lead.contains("The runs differ only in method (protodash, k-medoids)."), "{lead}");
    // One chart for both, three columns of cards with values, outlines of both, the weights as a table.
    for part in
        ["id=\"curve\"", "<h3>In both (", "<h3>Only in A (", "class=\"other-bars\"", "weight in B", "class=\"cells\""]
    {
        assert!(page.contains(part), "{part}");
    }
    assert!(page.contains("<code id=\"call-command-of-b\">protodash select wine.csv -m 6 --kernel "));
}

#[test]
fn without_data_the_report_says_so_and_a_result_of_any_name_is_the_second() {
    let folder = wine(&[("a.json", "--label label -m 4"), ("b.json", "--label label -m 6")]);
    fs::rename(folder.path("b.json"), folder.path("b.result")).unwrap();
    folder.stdout("report a.json b.result -o both.html");
    let page = folder.read("both.html");
    assert!(page.contains("they need the data; use “--data FILE” to add them"));
    assert!(lead(&page).contains("With the first 4 prototypes each, A explains "), "{}", lead(&page));
    assert!(lead(&page).contains("The settings of both runs are the same."));
}

#[test]
fn bandwidths_are_compared_without_the_kernel() {
    let folder =
        wine(&[("a.json", "--label label -m 5 --bandwidth 1"), ("b.json", "--label label -m 5 --bandwidth 4")]);
    folder.stdout("report a.json b.json --data wine.csv -o both.html");
    let page = folder.read("both.html");
    assert!(page.contains("<p class=\"lead\">In the features, whatever the kernel, rows are "), "{}", lead(&page));
    assert!(page.contains("which cannot be compared: their kernels differ."));
    assert!(page.contains("id=\"curve-a\"") && page.contains("id=\"curve-b\""));
}

#[test]
fn other_rows_are_noted_and_their_values_named_as_missing() {
    let folder = wine(&[
        ("a.json", "--label label -m 5 --source-where alcohol<13"),
        ("b.json", "--label label -m 5 --source-where alcohol>=13"),
    ]);
    folder.stdout("report a.json b.json --data wine.csv -o both.html");
    let page = folder.read("both.html");
    assert!(page.contains("A and B share none of their rows (5 and 5)."));
    assert!(page.contains("each can choose only among its own rows"), "{}", lead(&page));
    assert!(page.contains("Values of 5 rows of B, and distributions: they are not among those that A chose from."));
}

#[test]
fn a_result_and_its_data_are_still_one_report() {
    let folder = wine(&[("a.json", "--label label -m 4")]);
    folder.stdout("report a.json wine.csv -o one.html");
    folder.stdout("report a.json --data wine.csv -o other.html");
    assert!(folder.read("one.html") == folder.read("other.html"), "the pages differ");
    assert!(folder.read("one.html").contains("id=\"plane\""));
}

#[test]
fn what_cannot_be_compared_is_refused() {
    let folder = wine(&[("a.json", "--label label -m 4")]);
    folder.stdout("explain wine.csv --label label --rows alcohol>14.5 -m 2 -o why.json");
    let kind = "error: why.json: is a result of `protodash explain`, but two results side by side must both be \
                selections\nhint: create a report of it alone with `protodash report RESULT.json`";
    folder.refuses("report a.json why.json -o both.html", 1, kind);
    folder.refuses("report why.json a.json -o both.html", 1, kind);
    folder.refuses(
        "report a.json a.json wine.csv -o both.html",
        2,
        "error: 3 files are given, but a report has one result or two selections\nhint: give RESULT and SOURCE, or two \
         selections, with their data as --data FILE",
    );
    folder.refuses(
        "report a.json wine.csv --data wine.csv -o both.html",
        2,
        "error: the data are given twice, as wine.csv and as --data wine.csv\nhint: omit one of them",
    );
    folder.refuses(
        "report a.json a.json --image-shape 2x2 -o both.html",
        2,
        "error: --image-shape needs the data of the selections\nhint: add --data FILE",
    );
    fs::copy(folder.path("wine.csv"), folder.path("grapes.csv")).unwrap();
    folder.stdout("select grapes.csv --label label -m 4 -o grapes.json");
    folder.refuses(
        "report a.json grapes.json -o both.html",
        1,
        "error: grapes.json: A was chosen from wine.csv, B from grapes.csv: rows can be compared only within the same \
         table\nhint: compare selections from the same table, such as with other settings or another target",
    );
    folder.refuses(
        "report a.json a.json --data wine.csv -o wine.csv",
        2,
        "error: --output wine.csv ends in .csv; it must end in .html\nhint: use a name such as report.html",
    );
}
