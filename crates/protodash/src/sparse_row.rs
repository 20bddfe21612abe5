//! A row without its negligible entries, which are most of them under narrow kernels.

use crate::rows::LANES;

/// An entry below this fraction of the diagonal is negligible: f64 has half as many digits.
pub(crate) const NEGLIGIBLE: f64 = 1e-30;

/// Shorter rows are read faster as they are.
const SHORTEST: usize = 64;
/// At most one entry in this many may count.
const MOST: usize = 4;

/// A row without its negligible entries.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct SparseRow {
    /// Ascending.
    positions: Vec<u32>,
    values: Vec<f64>,
}

impl SparseRow {
    /// The entries that count; `None` if there are too many, or too few in all, to save time.
    pub(crate) fn of(row: &[f64], is_negligible: impl Fn(usize, f64) -> bool) -> Option<SparseRow> {
        if row.len() < SHORTEST || u32::try_from(row.len()).is_err() {
            return None;
        }
        let most = row.len() / MOST;
        let counting = row.iter().enumerate().filter(|(position, value)| !is_negligible(*position, **value));
        let some: Vec<(u32, f64)> =
            counting.take(most + 1).map(|(position, value)| (position as u32, *value)).collect();
        let (positions, values) = Some(some).filter(|some| some.len() <= most)?.into_iter().unzip();
        Some(SparseRow { positions, values })
    }

    /// The product with a vector that may be shorter than the row, to the bit as [`product`](crate::rows::product) of the
    /// dense row with 0 where entries are negligible.
    #[inline(always)]
    pub(crate) fn product(&self, vector: &[f64]) -> f64 {
        let in_lanes = vector.len() / LANES * LANES;
        let (mut partial, mut rest) = ([0.0; LANES], 0.0);
        for (position, value) in self.up_to(vector.len()) {
            let term = value * vector[position];
            if position < in_lanes {
                partial[position % LANES] += term;
            } else {
                rest += term;
            }
        }
        let [a, b, c, d, e, f, g, h] = partial;
        ((a + e) + (c + g)) + ((b + f) + (d + h)) + rest
    }

    /// Adds a multiple of the row to the given sums.
    #[inline(always)]
    pub(crate) fn add_multiple(&self, sums: &mut [f64], factor: f64) {
        for (position, value) in self.up_to(sums.len()) {
            sums[position] += factor * value;
        }
    }

    #[inline(always)]
    fn up_to(&self, end: usize) -> impl Iterator<Item = (usize, f64)> {
        let entries = self.positions.iter().zip(&self.values).map(|(position, value)| (*position as usize, *value));
        entries.take_while(move |(position, _)| *position < end)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rows::product;

    #[test]
    fn products_and_sums_are_those_of_the_dense_row() {
        let row: Vec<f64> =
            (0..101).map(|at| if at % 9 == 4 || at == 100 { 1.0 / (at + 1) as f64 } else { 0.0 }).collect();
        let sparse = SparseRow::of(&row, |_, value| value == 0.0).unwrap();
        let vector: Vec<f64> = (0..101).map(|at| f64::from(at).sin()).collect();
        for end in [0, 5, 95, 100, 101] {
            assert_eq!(sparse.product(&vector[..end]), product(&row[..end], &vector[..end]), "{end}");
            let (mut ours, mut sums) = (vector[..end].to_vec(), vector[..end].to_vec());
            sparse.add_multiple(&mut ours, 0.3);
            crate::factor::add_multiple(&mut sums, 0.3, &row);
            assert_eq!(ours, sums);
        }
    }

    #[test]
    fn short_and_dense_rows_have_no_sparse_form() {
        assert_eq!(SparseRow::of(&[0.0; 63], |_, value| value == 0.0), None);
        assert_eq!(SparseRow::of(&[1.0; 640], |_, value| value == 0.0), None);
        assert!(SparseRow::of(&[0.0; 64], |_, value| value == 0.0).is_some());
    }
}
