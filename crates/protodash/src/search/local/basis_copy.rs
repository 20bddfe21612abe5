//! A shard's own copy of the prototypes.

use super::panels::{Term, terms};
use crate::factor::{Factor, Rotation};
use crate::search::protocol::FactorRow;

/// The prototypes' rows, their F (see [`PrototypeBasis`](crate::search::basis::PrototypeBasis)) and v = Fᵀw.
pub(super) struct BasisCopy<T> {
    rows: Vec<Vec<T>>,
    triangle: Factor,
    is_pivot: Vec<bool>,
    coordinates: Vec<f64>,
}

impl<T> Default for BasisCopy<T> {
    fn default() -> Self {
        BasisCopy { rows: Vec::new(), triangle: Factor::default(), is_pivot: Vec::new(), coordinates: Vec::new() }
    }
}

impl<T> BasisCopy<T> {
    pub(super) fn len(&self) -> usize {
        self.rows.len()
    }

    /// Whether every prototype is a pivot.
    pub(super) fn is_independent(&self) -> bool {
        self.is_pivot.iter().all(|is_pivot| *is_pivot)
    }

    /// The prototypes' rows.
    pub(super) fn rows(&self) -> &[Vec<T>] {
        &self.rows
    }

    /// A prototype's row of F, and whether it is a pivot.
    pub(super) fn factor_row(&self, position: usize) -> (&[f64], bool) {
        (self.triangle.row(position), self.is_pivot[position])
    }

    /// v at which the gradients were computed; missing entries count as 0.
    pub(super) fn coordinates(&self) -> &[f64] {
        &self.coordinates
    }

    /// The non-zero differences between another v and the current one.
    pub(super) fn changes_to(&self, coordinates: &[f64]) -> Vec<Term> {
        let before = self.coordinates.iter().copied().chain(std::iter::repeat(0.0));
        terms(coordinates.iter().zip(before).map(|(after, before)| after - before))
    }

    pub(super) fn set_coordinates(&mut self, coordinates: &[f64]) {
        self.coordinates.clear();
        self.coordinates.extend_from_slice(coordinates);
    }

    pub(super) fn push(&mut self, row: Vec<T>, factor_row: &FactorRow) {
        self.rows.push(row);
        self.push_factor_row(factor_row);
    }

    /// Removes a prototype from an independent F; returns the rotations of the columns. v is unknown afterwards.
    pub(super) fn remove(&mut self, position: usize) -> Vec<Rotation> {
        self.rows.remove(position);
        self.is_pivot.pop();
        self.coordinates.clear();
        self.triangle.remove(position)
    }

    /// Removes a prototype and replaces F. v is unknown afterwards.
    pub(super) fn replace(&mut self, position: usize, factor: &[FactorRow]) {
        self.rows.remove(position);
        self.coordinates.clear();
        self.triangle = Factor::default();
        self.is_pivot.clear();
        factor.iter().for_each(|row| self.push_factor_row(row));
    }

    fn push_factor_row(&mut self, FactorRow { entries, is_pivot }: &FactorRow) {
        if let Some((last, reduced)) = entries.split_last() {
            self.triangle.push_row(reduced, *last);
            self.is_pivot.push(*is_pivot);
        }
    }
}
