//! Solves (K + λI) x = b on some of the members, for ridges λ that change more often than the members.
//!
//! Factoring again for each ridge would cost O(p³). The factor of an earlier ridge λ₀ is a preconditioner for conjugate
//! gradients: the condition number is at most the ratio of the two ridges, so a few steps of O(p²) suffice.

use crate::factor::Factor;
use crate::gram::Gram;
use crate::rows::product;

/// The largest ratio of two ridges for which the factor of one serves the other.
const LARGEST_RATIO: f64 = 4.0;
/// More members than this part of all are removed by factoring the rest again.
const REFACTORED_PART: f64 = 1.0 / 32.0;
/// How far the conjugate gradients reduce a residual before it is computed anew.
const REDUCTION: f64 = 1e-10;
/// A residual below this fraction of the right-hand side is rounding.
const RESIDUAL: f64 = 1e-14;
/// Residuals computed anew.
const MOST_RESTARTS: usize = 6;
/// More steps than a condition number of `LARGEST_RATIO` needs.
const MOST_STEPS: usize = 60;

/// Some members, and the factor of K + λ₀I on them.
#[derive(Debug, Clone, Default)]
pub(super) struct RidgeFactor {
    members: Vec<usize>,
    factor: Factor,
    factored_ridge: f64,
    /// How often a whole matrix was factored, rather than extended or reduced.
    #[cfg(test)]
    pub(super) n_factored: usize,
}

impl RidgeFactor {
    pub(super) fn members(&self) -> &[usize] {
        &self.members
    }

    pub(super) fn is_empty(&self) -> bool {
        self.members.is_empty()
    }

    /// Adds members.
    pub(super) fn add(&mut self, gram: &Gram, members: &[usize]) {
        let first = self.members.len();
        self.members.extend_from_slice(members);
        // Before the first ridge there is none to factor with: singular matrices would have no factor.
        if self.factored_ridge > 0.0 && self.factor.len() == first {
            self.factor_after(gram);
        }
    }

    /// Makes the first members those of an empty set, to be factored by the next `prepare`.
    pub(super) fn add_unfactored(&mut self, n_members: usize) {
        self.members.extend(0..n_members);
    }

    /// Removes the member at a position.
    pub(super) fn remove(&mut self, position: usize) -> usize {
        if position < self.factor.len() {
            self.factor.remove(position);
        }
        self.members.remove(position)
    }

    /// Removes the members for which `is_removed`.
    pub(super) fn remove_all(&mut self, is_removed: impl Fn(usize) -> bool) {
        let positions: Vec<usize> = (0..self.members.len()).filter(|at| is_removed(self.members[*at])).collect();
        if positions.len() as f64 > (REFACTORED_PART * self.members.len() as f64).max(1.0) {
            self.members.retain(|member| !is_removed(*member));
            self.factor = Factor::default(); // factored by the next `prepare`
        } else {
            for position in positions.into_iter().rev() {
                self.remove(position);
            }
        }
    }

    /// Factors anew unless the factor serves this ridge.
    pub(super) fn prepare(&mut self, gram: &Gram, ridge: f64) {
        let ratio = ridge / self.factored_ridge;
        let is_near = (1.0 / LARGEST_RATIO..=LARGEST_RATIO).contains(&ratio);
        if is_near && self.factor.len() == self.members.len() {
            return;
        }
        (self.factor, self.factored_ridge) = (Factor::default(), ridge);
        #[cfg(test)]
        {
            self.n_factored += usize::from(!self.members.is_empty());
        }
        self.factor_after(gram);
    }

    /// Extends the factor by the members it lacks.
    fn factor_after(&mut self, gram: &Gram) {
        let (members, ridge) = (&self.members, self.factored_ridge);
        let row = |position: usize| {
            let member = members[position];
            let similarity = |other: &usize| gram.get(member, *other);
            let mut row: Vec<f64> = members[..=position].iter().map(similarity).collect();
            row[position] += ridge;
            row
        };
        let rows = (self.factor.len()..members.len()).map(row).collect();
        // The ridge is a lower bound of the Schur complements, which rounding must not fall below.
        self.factor.extend(rows, ridge);
    }

    /// Improves x until (K + λI) x = b up to rounding; `prepare` must have been called.
    pub(super) fn solve(&self, gram: &Gram, ridge: f64, b: &[f64], x: &mut [f64]) {
        let mut reached = f64::INFINITY;
        for _ in 0..MOST_RESTARTS {
            let products = self.times(gram, ridge, x);
            let residual: Vec<f64> = b.iter().zip(products).map(|(b, product)| b - product).collect();
            let size = product(&residual, &residual).sqrt();
            let least = RESIDUAL * product(b, b).sqrt();
            if size <= least || size > 0.5 * reached {
                break;
            }
            reached = size;
            self.conjugate_gradients(gram, ridge, residual, (REDUCTION * size).max(0.5 * least), x);
        }
    }

    /// Conjugate gradients on the residual until it is below `goal`, added to x.
    fn conjugate_gradients(&self, gram: &Gram, ridge: f64, mut residual: Vec<f64>, goal: f64, x: &mut [f64]) {
        let mut direction: Vec<f64> = Vec::new();
        let mut before = 0.0;
        for _ in 0..MOST_STEPS {
            let mut solved = residual.clone();
            self.factor.solve(&mut solved);
            let height = product(&residual, &solved);
            if direction.is_empty() {
                direction = solved;
            } else {
                direction.iter_mut().zip(solved).for_each(|(old, new)| *old = new + height / before * *old);
            }
            before = height;
            let image = self.times(gram, ridge, &direction);
            let step = height / product(&direction, &image);
            if !step.is_finite() {
                return;
            }
            x.iter_mut().zip(&direction).for_each(|(x, direction)| *x += step * direction);
            residual.iter_mut().zip(&image).for_each(|(residual, image)| *residual -= step * image);
            if product(&residual, &residual).sqrt() <= goal {
                return;
            }
        }
    }

    /// (K + λI) x on the members.
    fn times(&self, gram: &Gram, ridge: f64, x: &[f64]) -> Vec<f64> {
        let mut products = gram.times_among(&self.members, x);
        products.iter_mut().zip(x).for_each(|(product, x)| *product += ridge * x);
        products
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn gram(n_members: usize) -> Gram {
        let similarity = |i: usize, j: usize| (-((i as f64 - j as f64) / 9.0).powi(2)).exp();
        let mut gram = Gram::default();
        for i in 0..n_members {
            let others: Vec<f64> = (0..i).map(|j| similarity(i, j)).collect();
            gram.push(&others, 1.0);
        }
        gram
    }

    #[test]
    fn a_factor_serves_ridges_near_its_own() {
        let gram = gram(60);
        let mut factor = RidgeFactor::default();
        factor.add(&gram, &(0..50).collect::<Vec<_>>());
        assert_eq!(factor.factor.len(), 0); // there is no ridge yet
        let b: Vec<f64> = (0..49).map(|i| f64::from(i % 5)).collect();
        factor.prepare(&gram, 0.01);
        factor.remove_all(|member| member == 7);
        for ridge in [0.01, 0.0399, 0.0026, 0.02] {
            factor.prepare(&gram, ridge);
            let mut x = vec![0.0; 49];
            factor.solve(&gram, ridge, &b, &mut x);
            let reached = factor.times(&gram, ridge, &x);
            assert!(b.iter().zip(reached).all(|(b, reached)| (b - reached).abs() < 1e-11), "{ridge}");
        }
        assert_eq!(factor.n_factored, 1);
        factor.prepare(&gram, 0.05);
        assert_eq!(factor.n_factored, 2);
        factor.add(&gram, &[50, 51]);
        factor.prepare(&gram, 0.04);
        assert_eq!((factor.n_factored, factor.factor.len()), (2, 51));
    }
}
