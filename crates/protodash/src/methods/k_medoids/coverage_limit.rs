//! A limit on the distances of rows from their nearest prototype, for exchanges that optimise something else.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use super::distance::Distances;
use super::nearest_medoids::{BLOCK, NearestMedoids, TwoNearest};
use crate::error::Result;
use crate::rows::Scalar;

/// Which exchanges of a prototype for a candidate keep the sum of distances from the nearest prototype within a limit.
///
/// Takes one byte for each prototype and each candidate checked so far.
pub(crate) struct CoverageLimit<'a, T: Scalar> {
    distances: Distances<'a, T>,
    nearest: NearestMedoids,
    /// The largest sum allowed.
    limit: f64,
    /// For each candidate checked so far, whether it may replace the prototype at each position. Exchanges invalidate
    /// this.
    allowed: Mutex<HashMap<usize, Arc<[bool]>>>,
}

impl<'a, T: Scalar> CoverageLimit<'a, T> {
    /// The limit is 1 + `slack` times the sum of these medoids.
    pub(super) fn new(distances: Distances<'a, T>, medoids: &[usize], slack: f64) -> Result<Self> {
        let nearest = NearestMedoids::new(&distances, medoids.to_vec())?;
        let limit = (1.0 + slack) * nearest.loss();
        Ok(CoverageLimit { distances, nearest, limit, allowed: Mutex::default() })
    }

    /// Starts from these prototypes, whose sum must be within the limit.
    pub(crate) fn start_from(&mut self, prototypes: &[usize]) -> Result<()> {
        self.nearest = NearestMedoids::new(&self.distances, prototypes.to_vec())?;
        self.cache().clear();
        Ok(())
    }

    /// Whether the sum stays within the limit if the candidate replaces the prototype.
    pub(crate) fn allows(&self, prototype: usize, candidate: usize) -> bool {
        let known = self.cache().get(&candidate).cloned();
        // One pass over the rows answers for all prototypes. No lock is held, since a custom kernel may run any code.
        let allowed = known.unwrap_or_else(|| {
            let allowed: Arc<[bool]> = self.sums_with(candidate).into_iter().map(|sum| sum <= self.limit).collect();
            self.cache().insert(candidate, Arc::clone(&allowed));
            allowed
        });
        self.position_of(prototype).is_some_and(|position| allowed[position])
    }

    /// Records an exchange.
    pub(crate) fn exchange(&mut self, prototype: usize, candidate: usize) {
        if let Some(position) = self.position_of(prototype) {
            self.nearest.exchange(&self.distances, position, candidate);
            self.cache().clear();
        }
    }

    fn position_of(&self, prototype: usize) -> Option<usize> {
        self.nearest.medoids.iter().position(|medoid| *medoid == prototype)
    }

    fn cache(&self) -> MutexGuard<'_, HashMap<usize, Arc<[bool]>>> {
        self.allowed.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The sum of distances from the nearest prototype if the candidate replaced the prototype at each position.
    ///
    /// # Formula
    ///
    /// ```text
    /// sum(m, c) = Σ min(d₁(o), d(o, c)) + Σ over o nearest to m: min(d₂(o), d(o, c)) − min(d₁(o), d(o, c))
    /// ```
    ///
    /// with d₁ and d₂ the distances from the nearest and second nearest prototype; every term has the weight of its row o.
    /// No term is negative, so nothing cancels. Costs O(n).
    fn sums_with(&self, candidate: usize) -> Vec<f64> {
        let mut sums = vec![0.0; self.nearest.medoids.len()];
        let (mut for_all, mut values) = (0.0, Vec::new());
        let blocks = self.nearest.nearest.chunks(BLOCK).zip(self.distances.weights().chunks(BLOCK));
        for (index, (block, weights)) in blocks.enumerate() {
            let range = index * BLOCK..index * BLOCK + block.len();
            let column = self.distances.column(candidate, range, &mut values);
            let mut part = 0.0;
            for ((TwoNearest { first, second }, weight), &distance) in block.iter().zip(weights).zip(column) {
                let near = first.distance.min(distance);
                part += weight * near;
                sums[first.position] += weight * (second.distance.min(distance) - near);
            }
            for_all += part;
        }
        sums.iter_mut().for_each(|sum| *sum += for_all);
        sums
    }
}

#[cfg(test)]
mod tests {
    use super::super::distance::CoverProblem;
    use super::*;
    use crate::kernel::Gaussian;
    use crate::observe::Unobserved;
    use crate::rows::Rows;

    /// Rows 0, 1, 4 and 9 on a line, with weights.
    fn limit(kernel: &Gaussian, medoids: &[usize], slack: f64) -> CoverageLimit<'static, f64> {
        const VALUES: [f64; 4] = [0.0, 1.0, 4.0, 9.0];
        let kernel: &'static Gaussian = Box::leak(Box::new(*kernel));
        let weights = vec![1.0, 2.0, 1.0, 1.0];
        let problem = CoverProblem { kernel, rows: Rows::new(&VALUES, 1), weights, candidates: None };
        CoverageLimit::new(Distances::new(problem, 0, &mut Unobserved).unwrap(), medoids, slack).unwrap()
    }

    #[test]
    fn sums_of_all_exchanges_match_the_definition() {
        let kernel = Gaussian::new(1.0).unwrap();
        // With medoids 1 and 3 the distances are 1, 0, 3 and 0. Row 2 in place of row 1: 4 + 2·3 + 0 + 0; in place of
        // row 3: 1 + 2·0 + 0 + 5.
        assert_eq!(limit(&kernel, &[1, 3], 0.0).sums_with(2), [10.0, 6.0]);
        // A single medoid has no second: 9 + 2·8 + 5 + 0.
        assert_eq!(limit(&kernel, &[1], 0.0).sums_with(3), [30.0]);
    }

    #[test]
    fn exchanges_within_the_limit_are_allowed_and_change_what_is_allowed() {
        let mut limit = limit(&Gaussian::new(1.0).unwrap(), &[1, 3], 0.5); // 1.5 · 4
        assert!(limit.allows(3, 2) && !limit.allows(1, 2) && limit.allows(1, 0)); // 6, 10, and 2 + 4
        limit.exchange(3, 2);
        assert!(!limit.allows(1, 0)); // 2 + 5
        assert!(limit.allows(2, 3) && !limit.allows(3, 0)); // back again; row 3 is no longer a prototype
    }
}
