//! Data for the tests: the tables in `testdata`, and seeded random matrices.

use std::path::PathBuf;

use ndarray::Array2;
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

/// The text of a file in the repository's `testdata`.
pub(crate) fn testdata(file: &str) -> String {
    let path = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../testdata").join(file);
    std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// A file of the real data that is too large for the repository, or `None` after reporting what is skipped.
///
/// # Panics
///
/// If it is missing in CI, where nothing may be skipped.
pub(crate) fn real_data(file: &str) -> Option<PathBuf> {
    let beside = || PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../../shared/data");
    let found = std::env::var_os("PROTODASH_DATA").map_or_else(beside, PathBuf::from).join(file);
    if found.exists() {
        return Some(found);
    }
    assert!(std::env::var_os("CI").is_none(), "{} not found", found.display());
    eprintln!("skipped: {} not found", found.display());
    None
}

/// The cells of a comma-separated table without quotes: its header, then its rows.
pub(crate) fn cells(file: &str) -> (Vec<String>, Vec<Vec<String>>) {
    let text = testdata(file);
    let mut lines = text.lines().map(|line| line.split(',').map(str::to_owned).collect::<Vec<String>>());
    let header = lines.next().expect("a header");
    (header, lines.collect())
}

/// The 1,797 digits: 64 pixels from 0 to 16.
pub(crate) fn digits() -> Array2<f64> {
    let (_, rows) = cells("digits.csv");
    from_rows(rows.iter().map(|row| row[1..].iter().map(|cell| cell.parse().unwrap()).collect()).collect())
}

pub(crate) fn from_rows(rows: Vec<Vec<f64>>) -> Array2<f64> {
    let n_columns = rows[0].len();
    Array2::from_shape_vec((rows.len(), n_columns), rows.concat()).unwrap()
}

/// Values uniform in [−1, 1).
pub(crate) fn random(n_rows: usize, n_columns: usize, seed: u64) -> Array2<f64> {
    let mut generator = ChaCha8Rng::seed_from_u64(seed);
    Array2::from_shape_simple_fn((n_rows, n_columns), || generator.random_range(-1.0..1.0))
}

/// One-hot rows of a few categorical variables: many equal rows, many dependent columns.
pub(crate) fn one_hot(n_rows: usize, levels: &[usize], seed: u64) -> Array2<f64> {
    let mut generator = ChaCha8Rng::seed_from_u64(seed);
    let mut matrix = Array2::zeros((n_rows, levels.iter().sum()));
    for mut row in matrix.rows_mut() {
        let mut first = 0;
        for &n_levels in levels {
            row[first + generator.random_range(0..n_levels)] = 1.0;
            first += n_levels;
        }
    }
    matrix
}

/// Some rows of a matrix.
pub(crate) fn take(matrix: &Array2<f64>, rows: impl IntoIterator<Item = usize>) -> Array2<f64> {
    matrix.select(ndarray::Axis(0), &rows.into_iter().collect::<Vec<_>>())
}

/// The chosen rows, in order.
pub(crate) fn chosen(selection: &protodash::Selection) -> Vec<usize> {
    selection.prototypes.iter().map(|prototype| prototype.source_index).collect()
}

/// The final weights, in order of choice.
pub(crate) fn weights(selection: &protodash::Selection) -> Vec<f64> {
    selection.prototypes.iter().map(|prototype| prototype.weight).collect()
}
