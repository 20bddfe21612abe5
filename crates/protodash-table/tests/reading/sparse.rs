//! Files of sparse rows: svmlight, and the `.npz` files of SciPy.

use std::ops::ControlFlow;
use std::path::Path;

use protodash_table::{
    Condition, CsrRows, Encoded, Format, Input, Keyed, Matrix, Part, Result, Roles, RowPlace, Scaling, encode,
    equal_rows,
};

use crate::files::{cells, names, open, packed, sample, write};
use crate::tables::texts;

/// Two classes; a comment, a row without values, columns out of order, and a zero that is stored.
const MAILS: &str = "# two classes\n+1 7:0.5 3:2 # the first\n-1\n\n-1 3:1e-3 9:0\n+1 12:-4\n";

fn encoded(source: Part<'_>, target: Option<Part<'_>>, roles: &Roles) -> Result<(Encoded, Option<Encoded>)> {
    encode(source, target, roles, &mut |_, _| ControlFlow::Continue(()))
}

fn roles(set: impl FnOnce(&mut Roles)) -> Roles {
    let mut roles = Roles::default();
    set(&mut roles);
    roles
}

fn rows(encoded: &Encoded) -> &CsrRows {
    match &encoded.matrix {
        Matrix::Sparse(rows) => rows,
        _ => panic!("the rows are sparse"),
    }
}

/// The rows with their zeros.
fn dense(rows: &CsrRows) -> Vec<Vec<f64>> {
    let stored = |row: usize| rows.starts[row]..rows.starts[row + 1];
    let dense = |row: usize| {
        let mut values = vec![0.0; rows.n_columns];
        stored(row).for_each(|at| values[rows.columns[at] as usize] = rows.values[at]);
        values
    };
    (0..rows.n_rows()).map(dense).collect()
}

#[test]
fn svmlight_is_read_in_every_compression() {
    let directory = tempfile::tempdir().unwrap();
    for (ending, bytes) in packed(MAILS.as_bytes()) {
        for name in [format!("mails.svm{ending}"), format!("content-decides{ending}.bin")] {
            let input = open(&write(directory.path(), &name, &bytes)).unwrap();
            assert_eq!(
                (input.format(), input.n_rows(), names(&input)),
                (Format::Svmlight, 4, vec!["label", "features"])
            );
            assert_eq!(cells(&input), [["1", "3:2 7:0.5"], ["-1", "-"], ["-1", "3:0.001"], ["1", "12:-4"]]);
            // Comments and blank lines are not rows.
            assert_eq!((input.place(0), input.place(2)), (RowPlace::Line(2), RowPlace::Line(5)));
            let (found, _) = encoded(Part::from(&input), None, &Roles::default()).unwrap();
            let found_rows = rows(&found);
            // Counted from 1, since no row has a column 0.
            assert_eq!((found_rows.first, found_rows.n_columns, &found_rows.starts[..]), (1, 12, &[0, 2, 2, 3, 4][..]));
            assert_eq!(
                (&found_rows.columns[..], &found_rows.values[..]),
                (&[2, 6, 2, 11][..], &[2.0, 0.5, 1e-3, -4.0][..])
            );
            assert_eq!(found.rows.labels().unwrap(), ["1", "-1", "-1", "1"]);
            assert!(found.features.is_empty() && input.notes().is_empty());
        }
    }
}

#[test]
fn matrices_of_scipy_are_read_by_rows_and_by_columns() {
    let expected = [[1.0, 0.0, 2.0], [0.0, 0.0, 0.0], [0.0, -0.5, 0.0], [4.0, 0.0, 0.0]];
    for name in ["sparse_rows.npz", "sparse_columns.npz"] {
        let directory = tempfile::tempdir().unwrap();
        for (ending, bytes) in packed(&std::fs::read(sample(name)).unwrap()) {
            let input = open(&write(directory.path(), &format!("a{ending}"), &bytes)).unwrap();
            assert_eq!((input.format(), input.n_rows(), input.is_sparse()), (Format::ScipyNpz, 4, true));
            assert_eq!(cells(&input), [["0:1 2:2"], ["-"], ["1:-0.5"], ["0:4"]]);
            let (found, _) = encoded(Part::from(&input), None, &Roles::default()).unwrap();
            assert_eq!(dense(rows(&found)), expected);
            assert_eq!((rows(&found).first, found.rows.labels()), (0, None));
        }
        // Its arrays can still be read alone.
        let data = open(Path::new(&format!("{}:data", sample(name).display()))).unwrap();
        assert_eq!((data.format(), data.n_rows(), data.is_sparse()), (Format::Npz, 4, false));
    }
}

#[test]
fn conditions_and_rows_select_sparse_rows() {
    let directory = tempfile::tempdir().unwrap();
    let input = open(&write(directory.path(), "mails.svm", MAILS)).unwrap();
    let (spam, other) = (Condition::parse("label = 1").unwrap(), Condition::parse("features IS NOT NULL").unwrap());
    let source = Part { condition: Some(&spam), ..Part::from(&input) };
    let target = Part { condition: Some(&other), rows: Some(&[1, 2, 3]), ..Part::from(&input) };
    let (source, target) = encoded(source, Some(target), &Roles::default()).unwrap();
    let target = target.unwrap();
    assert_eq!((source.rows.table_rows(), target.rows.table_rows()), (vec![0, 3], vec![2, 3]));
    assert_eq!((rows(&source).values.len(), rows(&target).values.len()), (3, 2));
    let none = Condition::parse("label = 7").unwrap();
    let error = encoded(Part { condition: Some(&none), ..Part::from(&input) }, None, &Roles::default()).unwrap_err();
    assert!(error.to_string().contains("label = 7"), "{error}");
}

#[test]
fn source_and_target_have_the_same_columns() {
    let directory = tempfile::tempdir().unwrap();
    let input = |name: &str, text: &str| open(&write(directory.path(), name, text)).unwrap();
    let (few, many) = (input("few.svm", "1 2:1\n"), input("many.svm", "1 4:1\n"));
    let (source, target) = encoded(Part::from(&few), Some(Part::from(&many)), &Roles::default()).unwrap();
    let target = target.unwrap();
    assert_eq!(
        (dense(rows(&source)), dense(rows(&target))),
        (vec![vec![0.0, 1.0, 0.0, 0.0]], vec![vec![0.0, 0.0, 0.0, 1.0]])
    );
    // If one file has a column 0, both count from 0.
    let zero = input("zero.svm", "1 0:3\n");
    let (source, target) = encoded(Part::from(&few), Some(Part::from(&zero)), &Roles::default()).unwrap();
    assert_eq!(
        (dense(rows(&source)), dense(rows(&target.unwrap()))),
        (vec![vec![0.0, 0.0, 1.0]], vec![vec![3.0, 0.0, 0.0]])
    );
    let normalized = roles(|roles| roles.normalize = true);
    let (found, _) = encoded(Part::from(&input("mails.svm", MAILS)), None, &normalized).unwrap();
    assert_eq!(texts(&found.notes), ["1 row of zeros cannot be scaled to length 1; left unchanged"]);
    assert_eq!(rows(&found).values[2..], [1.0, -1.0]);
}

#[test]
fn parts_are_one_table() {
    let directory = tempfile::tempdir().unwrap();
    write(directory.path(), "a.svm", "2 1:1\n1 3:1\n");
    write(directory.path(), "b.svm", "9:5\n"); // without a label
    let input = open(directory.path()).unwrap();
    assert_eq!(cells(&input), [["2", "1:1"], ["1", "3:1"], ["-", "9:5"]]);
    let (found, _) = encoded(Part::from(&input), None, &Roles::default()).unwrap();
    assert_eq!((rows(&found).n_columns, &rows(&found).columns[..]), (9, &[0, 2, 8][..]));
    assert_eq!(found.rows.labels().unwrap(), ["2", "1", ""]);
}

#[test]
fn rows_for_ranking_have_a_query() {
    let directory = tempfile::tempdir().unwrap();
    let input = open(&write(directory.path(), "ranks.txt", "3 qid:1 1:0.5\n2 qid:1 2:1\n1 qid:2 1:1\n")).unwrap();
    assert_eq!(names(&input), ["label", "qid", "features"]);
    let ranked = roles(|roles| roles.label = Some("qid".into()));
    let (found, _) = encoded(Part::from(&input), None, &ranked).unwrap();
    assert_eq!(found.rows.labels().unwrap(), ["1", "1", "2"]);
}

#[test]
fn equal_rows_are_found() {
    let directory = tempfile::tempdir().unwrap();
    let input = |name: &str, text: &str| open(&write(directory.path(), name, text)).unwrap();
    let (all, some) = (input("all.svm", MAILS), input("some.svm", "-1 9:0 3:0.001\n+1 12:-4\n"));
    assert_eq!(equal_rows(&all, &some, None).unwrap(), [vec![2], vec![3]]);
}

#[test]
fn what_is_wrong_is_named_with_its_line() {
    let directory = tempfile::tempdir().unwrap();
    let error = |text: &str| {
        let error = open(&write(directory.path(), "a.svm", text)).unwrap_err();
        let hint = error.hint().unwrap().render(|_| None).unwrap();
        assert!(hint.starts_with("each line must be a label"), "{hint}");
        error.to_string().rsplit_once("a.svm: ").unwrap().1.to_owned()
    };
    assert_eq!(error("1 1:2\n1 2:x\n"), "line 2: the value of index 2 is \"x\"; it must be a finite number");
    assert_eq!(error("# a\n\n1 1:1 1:2\n"), "line 3: index 1 comes twice; each may come once");
    assert_eq!(error("1 spam\n"), "line 1: found \"spam\"; after the label, only index:value is allowed");
    let error = open(&sample("sparse_triples.npz")).unwrap_err();
    let message = error.to_string();
    assert!(
        message.ends_with("the sparse matrix has the layout \"coo\"; supported are \"csr\" and \"csc\""),
        "{message}"
    );
    let hint = error.hint().unwrap().render(|_| None).unwrap();
    assert_eq!(hint, "convert it with scipy.sparse.save_npz(path, matrix.tocsr())");
}

#[test]
fn what_sparse_rows_lack_is_an_error() {
    let directory = tempfile::tempdir().unwrap();
    let input = |name: &str, text: &str| open(&write(directory.path(), name, text)).unwrap();
    let (mails, table) = (input("mails.svm", MAILS), input("table.csv", "x,y\n1,2\n3,5\n"));
    let refused = |source: &Input, target: Option<&Input>, roles: &Roles| {
        let error = encoded(Part::from(source), target.map(Part::from), roles).unwrap_err();
        error.to_string().replace(&format!("{}/", directory.path().display()), "")
    };
    let mixed = "mails.svm: the rows are sparse (svmlight), those of table.csv are not sparse (CSV); source and target must be \
                 files of one kind";
    assert_eq!(refused(&mails, Some(&table), &Roles::default()), mixed);
    let mixed = "table.csv: the rows are not sparse (CSV), those of mails.svm are sparse (svmlight); source and target must be \
                 files of one kind";
    assert_eq!(refused(&table, Some(&mails), &Roles::default()), mixed);
    let named = "mails.svm: holds sparse rows, whose features cannot be chosen by name, scaled or made categorical";
    for changed in [
        roles(|roles| roles.scale = Some(Scaling::Standard)),
        roles(|roles| roles.columns = Some(vec!["x3".into()])),
        roles(|roles| roles.drop = vec!["label".into()]),
        roles(|roles| roles.categorical = vec!["features".into()]),
    ] {
        assert_eq!(refused(&mails, None, &changed), named);
    }
    let little = roles(|roles| roles.memory = 60);
    assert_eq!(
        refused(&mails, None, &little),
        "mails.svm: the values of 3 sparse rows need at least 68 bytes, more than the 60 bytes allowed"
    );
    let empty = input("empty.svm", "1\n2\n");
    assert_eq!(refused(&empty, None, &Roles::default()), "empty.svm: no row has a value other than 0");
    let keyed = Keyed::new(&mails, "label", &Roles::default(), &mut |_, _| ControlFlow::Continue(()));
    assert!(keyed.unwrap_err().to_string().ends_with("tables that are matched by keys must have columns"));
}
