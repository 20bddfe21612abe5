//! A Cholesky factor that can be extended or reduced by a row in O(n²).

use std::sync::Arc;

use crate::rows::product;
use crate::simd::widened;
use crate::sparse_row::{NEGLIGIBLE, SparseRow};

/// The number of rows that are added in one pass over the others.
const PANEL: usize = 8;

/// The lower triangle C with K = C Cᵀ.
///
/// Copies share rows: every trial of a candidate begins with a copy, and copying all entries would cost more than the trial.
#[derive(Debug, Clone, Default)]
pub(crate) struct Factor {
    rows: Vec<Arc<FactorEntries>>,
}

/// A row of C.
#[derive(Debug)]
struct FactorEntries {
    /// Negligible ones are 0.
    all: Vec<f64>,
    /// The others, if they are few.
    some: Option<SparseRow>,
}

impl FactorEntries {
    fn new(mut row: Vec<f64>) -> Arc<Self> {
        let least = NEGLIGIBLE * row.last().copied().unwrap_or(0.0);
        row.iter_mut().filter(|entry| entry.abs() < least).for_each(|entry| *entry = 0.0);
        let some = SparseRow::of(&row, |_, entry| entry == 0.0);
        Arc::new(FactorEntries { all: row, some })
    }

    /// The product with the first entries.
    #[inline(always)]
    fn times(&self, vector: &[f64]) -> f64 {
        match &self.some {
            Some(some) => some.product(vector),
            None => product(&self.all[..vector.len()], vector),
        }
    }

    /// Adds a multiple of the row, or of its first entries if there are fewer sums.
    #[inline(always)]
    fn add_to(&self, sums: &mut [f64], factor: f64) {
        match &self.some {
            Some(some) => some.add_multiple(sums, factor),
            None => add_multiple(sums, factor, &self.all),
        }
    }
}

/// A plane rotation of columns k and k + 1.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Rotation {
    pub(crate) column: usize,
    cosine: f64,
    sine: f64,
}

impl Rotation {
    /// The rotated pair. The pair that defined the rotation becomes (length, 0).
    #[inline]
    pub(crate) fn apply(self, first: f64, second: f64) -> (f64, f64) {
        (self.cosine * first + self.sine * second, self.cosine * second - self.sine * first)
    }
}

impl Factor {
    /// Copies another factor into the memory of this one.
    pub(crate) fn copy_from(&mut self, other: &Factor) {
        self.rows.clone_from(&other.rows);
    }

    /// Number of members.
    pub(crate) fn len(&self) -> usize {
        self.rows.len()
    }

    /// Row `index` of C, with `index + 1` entries.
    pub(crate) fn row(&self, index: usize) -> &[f64] {
        &self.rows[index].all
    }

    /// Adds the linear combination of the rows with these factors.
    pub(crate) fn add_rows(&self, factors: &[f64], sums: &mut [f64]) {
        widened(
            #[inline(always)]
            || {
                for (row, factor) in self.rows.iter().zip(factors) {
                    row.add_to(sums, *factor);
                }
            },
        );
    }

    /// The row that a new member with these similarities to the others would have, without its last entry.
    pub(crate) fn reduce(&self, similarities: &[f64]) -> Vec<f64> {
        let mut row = similarities.to_vec();
        self.solve_lower(&mut row);
        row
    }

    /// Adds the member whose row is `reduced` followed by the root of its Schur complement.
    pub(crate) fn push(&mut self, reduced: &[f64], schur: f64) {
        self.push_row(reduced, schur.sqrt());
    }

    /// Adds any row.
    pub(crate) fn push_row(&mut self, reduced: &[f64], last: f64) {
        debug_assert!(reduced.len() == self.rows.len() && last > 0.0);
        self.rows.push(FactorEntries::new(reduced.iter().copied().chain([last]).collect()));
    }

    /// Adds members, each given by its similarities to all before it and to itself; Schur complements are at least `least`.
    ///
    /// The same as adding one after the other, but each row of C is read once for several of them.
    pub(crate) fn extend(&mut self, mut members: Vec<Vec<f64>>, least: f64) {
        for panel in members.chunks_mut(PANEL) {
            let n_before = self.rows.len();
            widened(
                #[inline(always)]
                || {
                    for (index, row) in self.rows.iter().enumerate() {
                        for b in panel.iter_mut() {
                            b[index] = (b[index] - row.times(&b[..index])) / row.all[index];
                        }
                    }
                },
            );
            for member in panel {
                let mut reduced = std::mem::take(member);
                let diagonal = reduced.pop().unwrap_or(0.0);
                self.solve_lower_after(n_before, &mut reduced);
                let schur = schur(&reduced, diagonal).max(least);
                self.push(&reduced, schur);
            }
        }
    }

    /// Removes member `index` and returns the rotations that made the rest triangular again.
    ///
    /// They are orthogonal, so further rows of C (with K = C Cᵀ on more than the members) stay valid if the same rotations
    /// are applied to them and the last column is dropped.
    pub(crate) fn remove(&mut self, index: usize) -> Vec<Rotation> {
        let after = self.rows.split_off(index + 1);
        self.rows.truncate(index);
        let mut rotations: Vec<Rotation> = Vec::with_capacity(after.len());
        for (offset, entries) in after.iter().enumerate() {
            let (mut row, column) = (entries.all.clone(), index + offset);
            let mut rotate = |rotation: Rotation| {
                let pair = (row[rotation.column], row[rotation.column + 1]);
                (row[rotation.column], row[rotation.column + 1]) = rotation.apply(pair.0, pair.1);
            };
            rotations.iter().for_each(|rotation| rotate(*rotation));
            let (first, second) = (row[column], row[column + 1]);
            let length = first.hypot(second);
            let rotation = Rotation { column, cosine: first / length, sine: second / length };
            (row[column], row[column + 1]) = rotation.apply(first, second);
            rotations.push(rotation);
            row.pop();
            self.rows.push(FactorEntries::new(row));
        }
        rotations
    }

    /// Solves C x = b in place.
    pub(crate) fn solve_lower(&self, b: &mut [f64]) {
        self.solve_lower_after(0, b);
    }

    /// Solves C x = b in place if the first entries of `b` are those of x already.
    pub(crate) fn solve_lower_after(&self, n_solved: usize, b: &mut [f64]) {
        widened(
            #[inline(always)]
            || {
                for index in n_solved..b.len() {
                    let row = &self.rows[index];
                    b[index] = (b[index] - row.times(&b[..index])) / row.all[index];
                }
            },
        );
    }

    /// Solves Cᵀ x = b in place.
    pub(crate) fn solve_upper(&self, b: &mut [f64]) {
        widened(
            #[inline(always)]
            || {
                for index in (0..b.len()).rev() {
                    let row = &self.rows[index];
                    b[index] /= row.all[index];
                    let x = b[index];
                    row.add_to(&mut b[..index], -x);
                }
            },
        );
    }

    /// Solves K x = b in place.
    pub(crate) fn solve(&self, b: &mut [f64]) {
        self.solve_lower(b);
        self.solve_upper(b);
    }
}

/// Adds a multiple of the values to as many sums as there are.
#[inline(always)]
pub(crate) fn add_multiple(sums: &mut [f64], factor: f64, values: &[f64]) {
    sums.iter_mut().zip(values).for_each(|(sum, value)| *sum += factor * value);
}

/// The Schur complement of a member against the others, from its reduced row.
pub(crate) fn schur(reduced: &[f64], diagonal: f64) -> f64 {
    diagonal - product(reduced, reduced)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The factor of [[4, 2, 2], [2, 5, 3], [2, 3, 6]], worked by hand: rows (2), (1, 2), (1, 1, 2).
    fn factor() -> Factor {
        let mut factor = Factor::default();
        for (similarities, diagonal) in [(&[][..], 4.0), (&[2.0], 5.0), (&[2.0, 3.0], 6.0)] {
            let reduced = factor.reduce(similarities);
            let schur = schur(&reduced, diagonal);
            factor.push(&reduced, schur);
        }
        factor
    }

    #[test]
    fn grows_to_the_factor_computed_by_hand() {
        let entries: Vec<f64> = factor().rows.iter().flat_map(|row| row.all.clone()).collect();
        assert_eq!(entries, [2.0, 1.0, 2.0, 1.0, 1.0, 2.0]);
    }

    #[test]
    fn members_added_together_have_the_bits_of_members_added_one_by_one() {
        let similarity = |i: usize, j: usize| if i == j { 3.0 } else { 1.0 / (1.0 + (i * j % 7 + i + j) as f64) };
        let rows = |range: std::ops::Range<usize>| -> Vec<Vec<f64>> {
            range.map(|i| (0..=i).map(|j| similarity(i, j)).collect()).collect()
        };
        let (mut together, mut single) = (Factor::default(), Factor::default());
        together.extend(rows(0..5), 1e-9);
        together.extend(rows(5..31), 1e-9);
        rows(0..31).into_iter().for_each(|row| single.extend(vec![row], 1e-9));
        assert_eq!(together.len(), 31);
        (0..31).for_each(|row| assert_eq!(together.row(row), single.row(row)));
    }

    #[test]
    fn solves_what_it_factors() {
        let mut b = vec![8.0, 10.0, 11.0]; // K · (1, 1, 1)
        factor().solve(&mut b);
        assert!(b.iter().all(|x| (x - 1.0).abs() < 1e-14), "{b:?}");
    }

    #[test]
    fn removing_a_member_leaves_the_factor_of_the_others() {
        let members = [0, 1, 2];
        let gram = [[4.0, 2.0, 2.0], [2.0, 5.0, 3.0], [2.0, 3.0, 6.0]];
        for removed in members {
            let mut factor = factor();
            factor.remove(removed);
            let kept: Vec<usize> = members.into_iter().filter(|member| *member != removed).collect();
            for (i, &a) in kept.iter().enumerate() {
                for (j, &b) in kept.iter().enumerate().take(i + 1) {
                    let rebuilt: f64 = factor.row(i).iter().zip(factor.row(j)).map(|(x, y)| x * y).sum();
                    assert!((rebuilt - gram[a][b]).abs() < 1e-14);
                }
            }
        }
    }
}
