//! Which rows are the first of their kind.

use std::collections::HashMap;

use rayon::prelude::*;

use crate::rows::{Rows, Scalar};

/// For each row, whether no earlier row has the same values.
///
/// A copy has the gradient and the gain of the first, which comes before it on a tie, and once the first is a
/// prototype it adds nothing: copies need never be candidates.
pub(crate) fn first_of_equal_rows<T: Scalar>(rows: Rows<'_, T>) -> Vec<bool> {
    let hashes: Vec<u64> = (0..rows.n_rows()).into_par_iter().map(|row| hash(rows.row(row))).collect();
    let mut seen: HashMap<u64, Vec<usize>> = HashMap::with_capacity(rows.n_rows());
    hashes
        .into_iter()
        .enumerate()
        .map(|(row, hash)| {
            let alike = seen.entry(hash).or_default();
            let first = alike.iter().all(|&earlier| rows.row(earlier) != rows.row(row));
            if first {
                alike.push(row);
            }
            first
        })
        .collect()
}

/// A hash that equal rows share. It need not resist anybody: rows with the same hash are compared.
fn hash<T: Scalar>(row: &[T]) -> u64 {
    // Adding 0 turns −0 into 0, which equals it and so must hash like it.
    row.iter().fold(0, |hash: u64, value| {
        (hash.rotate_left(5) ^ (value.to_f64() + 0.0).to_bits()).wrapping_mul(0x9E37_79B9_7F4A_7C15)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_first_copy_counts() {
        let rows = [1.0, 2.0, 0.0, 1.0, 1.0, 2.0, -0.0, 1.0, 2.0, 1.0];
        assert_eq!(first_of_equal_rows(Rows::new(&rows, 2)), [true, true, false, false, true]);
    }
}
