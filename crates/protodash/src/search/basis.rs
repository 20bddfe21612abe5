//! Coordinates of the prototypes in feature space.
//!
//! A prototype outside the span of the earlier ones is a *pivot* and adds a direction to an orthonormal basis. One
//! inside the span can still be useful: with a linear kernel on three columns the fourth prototype is always inside,
//! yet it can help if a weight is held at 0. Such a *dependent* prototype adds no direction, but the residual of its
//! kernel column is kept, so that gradients are exact whether or not the residual is only rounding.

use crate::factor::{Factor, Rotation, schur};
use crate::gram::Gram;
use crate::search::protocol::FactorRow;

/// F: the triangle that maps the shards' columns C to kernel columns.
///
/// ```text
/// K[:, p] = Σ_{q ≤ p} F_pq C[:, q]
/// ```
///
/// For a pivot, C[:, p] is a coordinate and F_pp the root of its Schur complement; for a dependent prototype, C[:, p] is
/// the residual and F_pp = 1. Only its own row of F refers to the column of a dependent prototype.
#[derive(Debug, Clone)]
pub(crate) struct PrototypeBasis {
    triangle: Factor,
    is_pivot: Vec<bool>,
    /// The smallest Schur complement of a pivot, as a fraction of its diagonal.
    smallest: f64,
}

impl Default for PrototypeBasis {
    fn default() -> Self {
        PrototypeBasis { triangle: Factor::default(), is_pivot: Vec::new(), smallest: 1.0 }
    }
}

/// A prototype is a pivot if its Schur complement exceeds this fraction of its diagonal.
const PIVOT: f64 = 1e-8;

impl PrototypeBasis {
    pub(crate) fn from_gram(gram: &Gram) -> Self {
        let mut basis = PrototypeBasis::default();
        for member in 0..gram.len() {
            let similarities: Vec<f64> = (0..member).map(|other| gram.get(member, other)).collect();
            basis.push(&similarities, gram.get(member, member));
        }
        basis
    }

    /// Adds a prototype with these similarities to the others and to itself.
    pub(crate) fn push(&mut self, similarities: &[f64], diagonal: f64) {
        let mut reduced = self.triangle.reduce(similarities);
        self.keep_pivots(&mut reduced);
        let schur = schur(&reduced, diagonal);
        let is_pivot = schur > diagonal * self.rounding().max(PIVOT);
        if is_pivot {
            self.triangle.push(&reduced, schur);
            self.smallest = self.smallest.min(schur / diagonal);
        } else {
            self.triangle.push_row(&reduced, 1.0);
        }
        self.is_pivot.push(is_pivot);
    }

    /// Error bound of the Schur complements of other rows, as a fraction of their diagonals.
    ///
    /// A Schur complement s is a difference and has the rounding error of its terms, about 1e-16 of the diagonal; its
    /// column, divided by √s, propagates that error, relative to s, to everything the column is subtracted from.
    pub(crate) fn rounding(&self) -> f64 {
        1e-14 / self.smallest
    }

    /// Number of prototypes.
    pub(crate) fn len(&self) -> usize {
        self.is_pivot.len()
    }

    /// A prototype's row of F, and whether it is a pivot.
    pub(crate) fn row(&self, position: usize) -> (&[f64], bool) {
        (self.triangle.row(position), self.is_pivot[position])
    }

    /// All rows of F.
    pub(super) fn factor_rows(&self) -> Vec<FactorRow> {
        let row = |position| (self.triangle.row(position).to_vec(), self.is_pivot[position]);
        (0..self.len()).map(row).map(|(entries, is_pivot)| FactorRow { entries, is_pivot }).collect()
    }

    /// v = Fᵀw, so that K w = C v.
    pub(crate) fn coordinates(&self, weights: &[f64]) -> Vec<f64> {
        let mut sum = vec![0.0; self.is_pivot.len()];
        self.triangle.add_rows(weights, &mut sum);
        sum
    }

    /// Whether every prototype is a pivot.
    pub(crate) fn is_independent(&self) -> bool {
        self.is_pivot.iter().all(|is_pivot| *is_pivot)
    }

    /// The unit vector that the span loses when a prototype is removed; `None` if the others span the same space.
    ///
    /// It is F⁻¹eᵢ over the pivots, which is orthogonal to all of them except i.
    pub(crate) fn direction_lost(&self, position: usize) -> Option<Vec<f64>> {
        if !self.is_pivot[position] {
            return None;
        }
        let mut lost = vec![0.0; self.is_pivot.len()];
        lost[position] = 1.0;
        self.triangle.solve_lower(&mut lost);
        self.keep_pivots(&mut lost);
        let length = squared(&lost).sqrt();
        lost.iter_mut().for_each(|value| *value /= length);
        let kept_by = |other: usize| {
            let row = &self.triangle.row(other)[..other];
            let along: f64 = row.iter().zip(&lost).map(|(a, b)| a * b).sum();
            along * along > 1e-9 * squared(row)
        };
        let mut dependent = (0..self.is_pivot.len()).filter(|other| !self.is_pivot[*other]);
        if dependent.any(kept_by) { None } else { Some(lost) }
    }

    /// Removes a prototype from an independent basis; returns the rotations of the columns.
    pub(crate) fn remove(&mut self, position: usize) -> Vec<Rotation> {
        debug_assert!(self.is_independent());
        self.is_pivot.pop();
        let rotations = self.triangle.remove(position);
        let fraction = |row: &[f64]| row[row.len() - 1].powi(2) / squared(row);
        self.smallest = (0..self.is_pivot.len()).map(|row| fraction(self.triangle.row(row))).fold(1.0, f64::min);
        rotations
    }

    fn keep_pivots(&self, values: &mut [f64]) {
        for (value, is_pivot) in values.iter_mut().zip(&self.is_pivot) {
            *value = if *is_pivot { *value } else { 0.0 };
        }
    }
}

fn squared(vector: &[f64]) -> f64 {
    vector.iter().map(|value| value * value).sum()
}

#[cfg(test)]
mod tests {
    use super::*;
    use ndarray::array;

    /// Three vectors in the plane: (1, 0), (0, 1) and (1, 1), which is the sum of the others.
    fn plane() -> PrototypeBasis {
        PrototypeBasis::from_gram(&Gram::from_view(array![[1.0, 0.0, 1.0], [0.0, 1.0, 1.0], [1.0, 1.0, 2.0]].view()))
    }

    #[test]
    fn a_dependent_prototype_adds_no_direction() {
        let basis = plane();
        assert_eq!(basis.is_pivot, [true, true, false]);
        assert_eq!(basis.row(2), (&[1.0, 1.0, 1.0][..], false));
        assert_eq!(basis.coordinates(&[1.0, 2.0, 3.0]), [4.0, 5.0, 3.0]); // (1, 0) + 2 (0, 1) + 3 (1, 1)
    }

    #[test]
    fn later_rows_do_not_refer_to_a_dependent_prototype() {
        let mut basis = plane();
        basis.push(&[2.0, 1.0, 3.0], 14.0); // (2, 1, 3), outside the plane
        assert_eq!(basis.row(3), (&[2.0, 1.0, 0.0, 3.0][..], true));
    }

    #[test]
    fn a_direction_is_lost_only_if_no_other_prototype_has_it() {
        assert_eq!(plane().direction_lost(0), None); // (1, 1) still spans it
        assert_eq!(plane().direction_lost(2), None); // not a pivot
        let two = PrototypeBasis::from_gram(&Gram::from_view(array![[1.0, 0.0], [0.0, 4.0]].view()));
        assert_eq!(two.direction_lost(1), Some(vec![0.0, 1.0]));
    }
}
