//! Unusable files: each error says where, what was found, what is allowed and what to try.

use std::io::Write as _;

use crate::harness::{Folder, project};

fn refuses(content: impl AsRef<[u8]>, message: &str) {
    Folder::with("a.csv", content).refuses("select a.csv -m 1", 1, message);
}

#[test]
fn a_file_that_does_not_exist() {
    let message = "error: nowhere.csv: no such file\nhint: check the spelling, or use the full path";
    Folder::new().refuses("select nowhere.csv", 1, message);
    Folder::with("a.csv", "x\n1\n2\n").refuses("select a.csv --target nowhere.csv", 1, message);
}

#[test]
fn an_empty_file() {
    refuses(
        "",
        "error: a.csv: the file is empty\nhint: the program that wrote it may have failed; write or copy it again",
    );
}

#[test]
fn a_header_and_nothing_else() {
    refuses(
        "x,y\n",
        "error: a.csv: has 2 columns but no data rows; at least 1 row is needed\nhint: if its only line is data, use --no-header",
    );
}

#[test]
fn rows_of_different_lengths() {
    refuses(
        "x,y\n1,2\n3\n4,5\n",
        "error: a.csv: line 3 has 1 field but line 1 has 2\nhint: put cells that contain \",\" in double quotes, or if \",\" is not the separator, set --delimiter",
    );
}

#[test]
fn text_in_a_numeric_column() {
    refuses(
        "x,y\n1,2\n3,tall\n5,6\n",
        "error: a.csv: line 3, column \"y\": found text \"tall\" in a numeric column\nhint: use --categorical y to \
         treat every value as a category, exclude the column with --drop y, or empty the cells that have no value",
    );
}

#[test]
fn missing_values() {
    refuses(
        "x,y\n1,2\nNaN,4\n5,\n",
        "error: a.csv: missing values in 2 columns of 3 rows: \"x\" (1), \"y\" (1); the first is in line 3, column \
         \"x\"\nhint: use --missing category, --missing mean, --missing zero, or exclude the columns with --drop x,y",
    );
}

#[test]
fn infinite_values() {
    refuses(
        "x,y\n1,2\n3,inf\n5,6\n",
        "error: a.csv: line 3, column \"y\": found inf; every number must be finite\nhint: correct the cell, empty it \
         and see --missing, or exclude the column with --drop y",
    );
    refuses(
        "x,y\n1,2\n3,4\n-Infinity,6\n",
        "error: a.csv: line 4, column \"x\": found -inf; every number must be finite\nhint: correct the cell, empty \
         it and see --missing, or exclude the column with --drop x",
    );
}

#[test]
fn columns_that_are_all_constant() {
    refuses(
        "x,y\n1,2\n1,2\n1,2\n",
        "error: a.csv: all 2 feature columns are constant, so all rows are equal\nhint: choose features that differ between rows with --columns",
    );
}

#[test]
fn duplicate_column_names() {
    refuses(
        "x,y,x\n1,2,3\n4,5,6\n",
        "error: a.csv: columns 1 and 3 are both called \"x\"; names must differ\nhint: rename one of them, or use --no-header if the first line is data",
    );
}

#[test]
fn more_prototypes_than_rows() {
    Folder::with("a.csv", "x,y\n1,2\n3,5\n").refuses(
        "select a.csv -m 3",
        1,
        "error: a.csv: cannot choose 3 prototypes from 2 source rows\nhint: use -m 2 or fewer",
    );
}

#[test]
fn an_unknown_column() {
    let folder = Folder::with("a.csv", "height,weight\n1,2\n3,5\n");
    folder.refuses(
        "select a.csv --drop hieght",
        1,
        "error: a.csv: there is no column \"hieght\"; the closest is \"height\"\nhint: correct the name in --drop",
    );
    folder.refuses(
        "select a.csv --id name",
        1,
        "error: a.csv: there is no column \"name\"; the closest are \"height\" and \"weight\"\nhint: correct the name in --id",
    );
    folder.refuses(
        "select a.csv --columns height,depth",
        1,
        "error: a.csv: there is no column \"depth\"; the closest are \"height\" and \"weight\"\nhint: correct the name in --columns",
    );
}

#[test]
fn a_target_with_other_columns() {
    let folder = Folder::with("a.csv", "x,y\n1,2\n3,5\n");
    folder.write("b.csv", "x,z\n1,2\n3,5\n").refuses(
        "select a.csv --target b.csv",
        1,
        "error: source and target must \
                                                                                        have the same features; not \
                                                                                        in b.csv: \"y\"; not in \
                                                                                        a.csv: \"z\"\nhint: exclude \
                                                                                        them with --drop y,z, or name \
                                                                                        the features with --columns",
    );
}

#[test]
fn a_target_with_other_dimensions() {
    let folder = Folder::new();
    folder.write("a.npy", npy("(2, 3)", 6)).write("b.npy", npy("(3, 2)", 6));
    folder.refuses(
        "select a.npy --target b.npy",
        1,
        "error: source and target must have the same features; not in \
                                                      b.npy: \"x2\"\nhint: exclude them with --drop x2, or name the \
                                                      features with --columns",
    );
}

#[test]
fn a_condition_that_no_row_satisfies() {
    let folder = Folder::with("a.csv", "x,y\n1,2\n3,5\n");
    folder.refuses("select a.csv --target-where x>9", 1, "error: a.csv: none of the 2 rows satisfies the condition `x>9`\nhint: comparisons of text are case-sensitive; ILIKE ignores case");
    folder.refuses("select a.csv --source-where z>9", 1, "error: a.csv: condition `z>9`: there is no column \"z\"; the closest are \"x\" and \"y\"\nhint: if z is text rather than a column, write 'z' in single quotes");
}

#[test]
fn a_truncated_parquet_file() {
    let folder = Folder::new();
    let source = project().join("testdata/wine.csv");
    folder.stdout(&format!("select {} --label label -m 20 -o whole.parquet", source.display()));
    let whole = std::fs::read(folder.path("whole.parquet")).unwrap();
    folder.write("cut.parquet", &whole[..whole.len() / 2]).refuses("select cut.parquet", 1, "error: cut.parquet: the Parquet file is damaged\nCaused by: Parquet error: Invalid Parquet file. Corrupt footer\nhint: copy or download the file again");
}

#[test]
fn a_truncated_gzip_file() {
    let wine = std::fs::read(project().join("testdata/wine.csv")).unwrap();
    let mut packed = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::default());
    packed.write_all(&wine).unwrap();
    let packed = packed.finish().unwrap();
    let folder = Folder::with("whole.csv.gz", &packed);
    folder.stdout("select whole.csv.gz --label label -m 2");
    folder.write("cut.csv.gz", &packed[..packed.len() / 2]).refuses(
        "select cut.csv.gz --label label",
        1,
        "error: cut.csv.gz: the gzip data end too early\nhint: copy or download the file again",
    );
}

#[test]
fn data_larger_than_the_memory() {
    Folder::with("a.csv", "x,y\n1,2\n3,5\n").refuses("select a.csv -m 1 --memory 20", 1, "error: a.csv: 2 rows of 2 features need at least 32 bytes, more than the 20 bytes allowed\nhint: use fewer columns with --columns, use fewer rows with --source-where, or allow more with --memory");
}

#[test]
fn all_rows_equal_in_an_array() {
    Folder::with("a.npy", npy("(3, 2)", 0)).refuses("select a.npy -m 1", 1, "error: a.npy: all 2 feature columns are constant, so all rows are equal\nhint: choose features that differ between rows with --columns");
}

/// An array in NumPy's format, of the numbers 1, 2, 3, … or, if `n` is 0, of six zeros.
fn npy(shape: &str, n: usize) -> Vec<u8> {
    let mut header = format!("{{'descr': '<f8', 'fortran_order': False, 'shape': {shape}, }}");
    while (10 + header.len() + 1) % 64 != 0 {
        header.push(' ');
    }
    header.push('\n');
    let mut bytes = b"\x93NUMPY\x01\x00".to_vec();
    bytes.extend((header.len() as u16).to_le_bytes());
    bytes.extend(header.as_bytes());
    let numbers = (0..6).map(|i| if n == 0 { 0.0 } else { f64::from(i) + 1.0 });
    bytes.extend(numbers.flat_map(f64::to_le_bytes));
    bytes
}

#[test]
fn a_number_that_the_lasso_path_skips() {
    // Four corners of a square enter the path at the same time.
    let folder = Folder::with("square.csv", "x,y\n0,0\n0,1\n1,0\n1,1\n");
    folder.refuses(
        "select square.csv --method p-lasso -m 2",
        1,
        "error: square.csv: no lasso penalty gives exactly 2 prototypes; the smallest possible number is 4\nhint: use \
         -m 4, or another --method",
    );
    let folder = Folder::with("centre.csv", "x,y\n0.5,0.5\n0,0\n0,1\n1,0\n1,1\n");
    folder.refuses(
        "select centre.csv --method p-lasso -m 3",
        1,
        "error: centre.csv: no lasso penalty gives exactly 3 prototypes; the closest possible numbers are 1 and 5\n\
         hint: use -m 1 or -m 5, or another --method",
    );
}
