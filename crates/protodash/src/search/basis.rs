//! Coordinates of the prototypes in an orthonormal basis of their span in feature space.
//!
//! A prototype may lie in the span of the others and still be of use: with a linear kernel on three columns the fourth
//! always does, yet where a weight is held at 0 it can help. Such a prototype has coordinates like any other but adds no
//! direction to the basis. Those that do are the *pivots*.

use crate::factor::{Factor, Rotation};
use crate::gram::Gram;
use crate::weights::DEPENDENT;

/// F: a row of coordinates for each prototype; the pivots' rows form a Cholesky factor.
#[derive(Debug, Clone, Default)]
pub(crate) struct Basis {
    factor: Factor,
    /// Places of the pivots among the prototypes, ascending.
    pivots: Vec<usize>,
    rows: Vec<Vec<f64>>,
}

impl Basis {
    pub(crate) fn from_gram(gram: &Gram) -> Self {
        let mut basis = Basis::default();
        for member in 0..gram.len() {
            let similarities: Vec<f64> = (0..member).map(|other| gram.get(member, other)).collect();
            let reduced = basis.reduce(&similarities);
            basis.push(reduced, gram.get(member, member));
        }
        basis
    }

    /// The coordinates of a row with these similarities to the prototypes.
    pub(crate) fn reduce(&self, similarities: &[f64]) -> Vec<f64> {
        let of_pivots: Vec<f64> = self.pivots.iter().map(|pivot| similarities[*pivot]).collect();
        self.factor.reduce(&of_pivots)
    }

    /// Adds a prototype with these coordinates; it becomes a pivot if it reaches out of the span.
    pub(crate) fn push(&mut self, mut reduced: Vec<f64>, diagonal: f64) {
        let schur = diagonal - reduced.iter().map(|value| value * value).sum::<f64>();
        if schur > DEPENDENT * diagonal {
            self.factor.push(&reduced, schur);
            self.pivots.push(self.rows.len());
            reduced.push(schur.sqrt());
        }
        self.rows.push(reduced);
    }

    /// The coordinates of a prototype, and whether it is a pivot.
    pub(crate) fn row(&self, position: usize) -> (&[f64], bool) {
        (&self.rows[position], self.pivots.binary_search(&position).is_ok())
    }

    /// v = Fᵀw, the coordinates of the weighted sum.
    pub(crate) fn coordinates(&self, weights: &[f64]) -> Vec<f64> {
        let mut sum = vec![0.0; self.pivots.len()];
        for (row, weight) in self.rows.iter().zip(weights) {
            sum.iter_mut().zip(row).for_each(|(sum, value)| *sum += weight * value);
        }
        sum
    }

    /// Whether every prototype is a pivot.
    pub(crate) fn is_independent(&self) -> bool {
        self.pivots.len() == self.rows.len()
    }

    /// The direction, of length 1, that the span loses with one prototype; `None` if the others span as much.
    ///
    /// It is F⁻¹eᵢ over the pivots, which is orthogonal to all of them but i.
    pub(crate) fn direction_lost(&self, position: usize) -> Option<Vec<f64>> {
        let pivot = self.pivots.binary_search(&position).ok()?;
        let mut lost = vec![0.0; self.pivots.len()];
        lost[pivot] = 1.0;
        self.factor.solve_lower(&mut lost);
        let length = lost.iter().map(|value| value * value).sum::<f64>().sqrt();
        lost.iter_mut().for_each(|value| *value /= length);
        let along = |row: &[f64]| row.iter().zip(&lost).map(|(a, b)| a * b).sum::<f64>();
        let kept_by = |other: usize| {
            let row = &self.rows[other];
            along(row).powi(2) > DEPENDENT * row.iter().map(|value| value * value).sum::<f64>()
        };
        let others =
            (0..self.rows.len()).filter(|other| *other != position && self.pivots.binary_search(other).is_err());
        if others.into_iter().any(kept_by) { None } else { Some(lost) }
    }

    /// Takes a prototype out of an independent basis, and says how its other columns turned.
    pub(crate) fn remove(&mut self, position: usize) -> Vec<Rotation> {
        debug_assert!(self.is_independent());
        let rotations = self.factor.remove(position);
        self.pivots.pop();
        self.rows = (0..self.pivots.len()).map(|row| self.factor.row(row).to_vec()).collect();
        rotations
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use ndarray::array;

    /// Three vectors in the plane: (1, 0), (0, 1) and (1, 1), which is the sum of the others.
    fn plane() -> Basis {
        Basis::from_gram(&Gram::from_view(array![[1.0, 0.0, 1.0], [0.0, 1.0, 1.0], [1.0, 1.0, 2.0]].view()))
    }

    #[test]
    fn a_dependent_prototype_adds_no_direction() {
        let basis = plane();
        assert_eq!((basis.pivots.as_slice(), basis.is_independent()), (&[0, 1][..], false));
        assert_eq!(basis.coordinates(&[1.0, 2.0, 3.0]), [4.0, 5.0]); // (1, 0) + 2 (0, 1) + 3 (1, 1)
        assert_eq!(basis.reduce(&[2.0, 5.0, 7.0]), [2.0, 5.0]);
    }

    #[test]
    fn a_direction_is_lost_only_if_nobody_else_has_it() {
        assert_eq!(plane().direction_lost(0), None); // (1, 1) still reaches there
        assert_eq!(plane().direction_lost(2), None); // never was a pivot
        let two = Basis::from_gram(&Gram::from_view(array![[1.0, 0.0], [0.0, 4.0]].view()));
        assert_eq!(two.direction_lost(1), Some(vec![0.0, 1.0]));
    }
}
