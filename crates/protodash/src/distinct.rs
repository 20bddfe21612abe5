//! Which rows are the first of their kind.

use rayon::prelude::*;

use crate::rows::{Rows, Scalar};

/// For each row, whether no earlier row has the same values.
///
/// A copy has the gradient and the gain of the first, which comes before it on a tie, and once the first is a
/// prototype it adds nothing: copies need never be candidates.
pub(crate) fn first_of_equal_rows<T: Scalar>(rows: Rows<'_, T>) -> Vec<bool> {
    first_equal_rows(rows).into_iter().enumerate().map(|(row, first)| row == first).collect()
}

/// For each row the first row that has the same values.
///
/// Looks at each row once and takes 24 bytes for it.
pub(crate) fn first_equal_rows<T: Scalar>(rows: Rows<'_, T>) -> Vec<usize> {
    let mut hashed: Vec<(u64, usize)> =
        (0..rows.n_rows()).into_par_iter().map(|row| (hash(rows.row(row)), row)).collect();
    hashed.par_sort_unstable();
    let mut first: Vec<usize> = (0..rows.n_rows()).collect();
    let mut kinds: Vec<usize> = Vec::new();
    for alike in hashed.chunk_by(|a, b| a.0 == b.0).filter(|alike| alike.len() > 1) {
        kinds.clear();
        for &(_, row) in alike {
            // Rows with one hash come in their order, so that the first of a kind is met first.
            match kinds.iter().find(|&&earlier| rows.row(earlier) == rows.row(row)) {
                Some(&earlier) => first[row] = earlier,
                None => kinds.push(row),
            }
        }
    }
    first
}

/// Values that are mixed at a time, each into a number of its own, so that no mixing waits for the one before.
const LANES: usize = 8;

/// A hash that equal rows share. It need not resist anybody: rows with the same hash are compared.
fn hash<T: Scalar>(row: &[T]) -> u64 {
    let mut lanes = [0_u64; LANES];
    for values in row.chunks(LANES) {
        for (lane, value) in lanes.iter_mut().zip(values) {
            // Adding 0 turns −0 into 0, which equals it and so must hash like it.
            *lane = mixed(*lane, (value.to_f64() + 0.0).to_bits());
        }
    }
    lanes.into_iter().fold(0, mixed)
}

fn mixed(hash: u64, bits: u64) -> u64 {
    (hash.rotate_left(23) ^ bits).wrapping_mul(0x9E37_79B9_7F4A_7C15)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_first_copy_counts() {
        let rows = [1.0, 2.0, 0.0, 1.0, 1.0, 2.0, -0.0, 1.0, 2.0, 1.0];
        assert_eq!(first_of_equal_rows(Rows::new(&rows, 2)), [true, true, false, false, true]);
        assert_eq!(first_equal_rows(Rows::new(&rows, 2)), [0, 1, 0, 1, 4]);
    }

    #[test]
    fn wide_rows_that_differ_in_one_place_are_different() {
        let mut rows = vec![1.0; 40 * 37];
        (0..37).for_each(|row| rows[row * 37 + row] = 2.0);
        let is_first = first_of_equal_rows(Rows::new(&rows, 37));
        assert_eq!(is_first[..38], [true; 38]); // 37 of their own kind, and the first without a 2
        assert_eq!(is_first[38..], [false; 2]);
    }
}
