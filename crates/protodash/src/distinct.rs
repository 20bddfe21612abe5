//! Duplicate rows.

use rayon::prelude::*;

use crate::parallel;
use crate::rows::{Rows, Scalar};

/// For each row, whether no earlier row has the same values.
///
/// A copy has the same gradient and gain as the first, which wins the tie, and adds nothing once the first is a
/// prototype: copies need not be candidates.
///
/// Takes 9 bytes for each row.
pub(crate) fn first_of_equal_rows<T: Scalar>(rows: Rows<'_, T>) -> Vec<bool> {
    let mut is_first = vec![true; rows.n_rows()];
    for_each_copied_row(rows, |row, _| is_first[row] = false);
    is_first
}

/// The first row with the same values, for each row.
pub(crate) fn first_equal_rows<T: Scalar>(rows: Rows<'_, T>) -> Vec<usize> {
    let mut first: Vec<usize> = (0..rows.n_rows()).collect();
    for_each_copied_row(rows, |row, earlier| first[row] = earlier);
    first
}

fn for_each_copied_row<T: Scalar>(rows: Rows<'_, T>, visit: impl FnMut(usize, usize)) {
    let are_equal = |first, second| rows.row(first) == rows.row(second);
    for_each_copy(rows.n_rows(), |row| hash(rows.row(row)), are_equal, visit);
}

/// Calls `visit` with each row that has an earlier equal row, and the first of those. Equal rows must have the same hash.
pub(crate) fn for_each_copy(
    n_rows: usize,
    hash: impl Fn(usize) -> u64 + Sync,
    are_equal: impl Fn(usize, usize) -> bool,
    mut visit: impl FnMut(usize, usize),
) {
    // The low bits of a key are the row, the others its hash: sorting needs one number for each row.
    let of_row = n_rows.next_power_of_two() as u64 - 1;
    let key = |row: usize| (hash(row) & !of_row) | row as u64;
    let mut keys: Vec<u64> = parallel::map(0..n_rows, key);
    keys.par_sort_unstable();
    let mut kinds: Vec<usize> = Vec::new();
    for alike in keys.chunk_by(|a, b| (a ^ b) & !of_row == 0).filter(|alike| alike.len() > 1) {
        kinds.clear();
        for key in alike {
            let row = (key & of_row) as usize;
            // Rows with the same hash are in source order, so the first of equal rows comes first.
            match kinds.iter().find(|&&earlier| are_equal(earlier, row)) {
                Some(&earlier) => visit(row, earlier),
                None => kinds.push(row),
            }
        }
    }
}

/// Independent hash lanes, which hide the latency of the multiplications.
const LANES: usize = 8;

/// A hash that equal rows share. Collisions are harmless: rows with the same hash are compared.
pub(crate) fn hash<T: Scalar>(row: &[T]) -> u64 {
    let mut lanes = [0_u64; LANES];
    for values in row.chunks(LANES) {
        for (lane, value) in lanes.iter_mut().zip(values) {
            // Adding 0 turns −0 into 0, which equals it and so must hash like it.
            *lane = mixed(*lane, (value.to_f64() + 0.0).to_bits());
        }
    }
    lanes.into_iter().fold(0, mixed)
}

/// Combines a hash with more bits.
pub(crate) fn mixed(hash: u64, bits: u64) -> u64 {
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
        assert_eq!(is_first[..38], [true; 38]); // 37 different rows, and the first without a 2
        assert_eq!(is_first[38..], [false; 2]);
    }
}
