//! Files that do not hold a kernel matrix.

use crate::harness::Folder;

const SIMILARITIES: &str = "hint: a kernel matrix contains similarities, such as exp(-distance^2), not distances";

#[test]
fn not_square() {
    Folder::with("k.csv", "1,0.5,0.1\n0.5,1,0.2\n").refuses(
        "select k.csv --kernel precomputed -m 1",
        1,
        "error: k.csv: the kernel matrix has 2 rows and 3 columns; it must be square\nhint: with --kernel \
         precomputed, the source must be an n x n matrix of similarities; without it, the source is the data",
    );
}

#[test]
fn not_symmetric() {
    Folder::with("k.csv", "1,0.5\n0.4,1\n").refuses(
        "select k.csv --kernel precomputed -m 1",
        1,
        &format!(
            "error: k.csv: the kernel matrix is not symmetric: row 0, column 1 has 0.5, row 1, column 0 has 0.4 \
             (rows are counted from 0)\n{SIMILARITIES}"
        ),
    );
}

#[test]
fn not_positive_semidefinite() {
    // [[1, 2], [2, 1]] has the eigenvalues 3 and -1.
    Folder::with("k.csv", "1,2\n2,1\n").refuses(
        "select k.csv --kernel precomputed -m 1",
        1,
        &format!(
            "error: k.csv: the kernel matrix is not positive semi-definite: it has an eigenvalue of -1.000e0 or less \
             while the largest is about 3.000e0\n{SIMILARITIES}"
        ),
    );
}

#[test]
fn a_target_of_other_source_rows() {
    let folder = Folder::with("k.csv", "1,0.5\n0.5,1\n");
    folder.write("t.csv", "1,0.5,0.2\n").refuses(
        "select k.csv --target t.csv --kernel precomputed -m 1",
        1,
        "error: t.csv: the kernel matrix of target and source has 3 columns for 2 source rows; it needs one for \
         each\nhint: --target must have one row per target row and one column per source row",
    );
}

#[test]
fn text_and_gaps() {
    let header = "hint: remove the header line and the row names, if there are any";
    Folder::with("k.csv", "a,b\n1,0.5\n0.5,1\n").refuses(
        "select k.csv --kernel precomputed -m 1",
        1,
        &format!(
            "error: k.csv: line 1, column \"column_1\": found text \"a\"; a kernel matrix must hold numbers only\n{header}"
        ),
    );
    let known = "hint: every pair of rows needs a kernel value";
    Folder::with("k.csv", "1,0.5\n,1\n").refuses(
        "select k.csv --kernel precomputed -m 1",
        1,
        &format!(
            "error: k.csv: line 2, column \"column_1\": found a missing value; kernel values must be finite numbers\n{known}"
        ),
    );
    Folder::with("k.csv", "1,inf\n0.5,1\n").refuses(
        "select k.csv --kernel precomputed -m 1",
        1,
        &format!("error: k.csv: line 1, column \"column_2\": found inf; kernel values must be finite numbers\n{known}"),
    );
}

#[test]
fn too_large_for_the_memory() {
    Folder::with("k.csv", "1,0.5\n0.5,1\n").refuses(
        "select k.csv --kernel precomputed -m 1 --memory 31",
        1,
        "error: k.csv: a kernel matrix of 2 rows and 2 columns needs 32 bytes; --memory allows 31\nhint: increase \
         --memory",
    );
}
