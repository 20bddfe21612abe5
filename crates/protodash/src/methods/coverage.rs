//! Coverage, beyond the paper: exchanges from k-medoids' set that raise the objective and keep its coverage.

use super::gains::largest_gain;
use super::k_medoids::{self, CoverageLimit};
use super::swap::{ExchangeLimit, in_greedy_order, refine};
use crate::distinct::first_equal_rows;
use crate::error::{Error, Result};
use crate::observe::Observer;
use crate::problem::{SelectionProblem, StoppingRule};
use crate::rows::Scalar;
use crate::search::{GreedySearch, Rank, SearchSpace};
use crate::selection::Stopped;

/// The rows of a set that covers the target almost as well as k-medoids and that no exchange improves, best first.
///
/// ```text
/// L = argmin D(L),  D(L) = Σᵢ pᵢ min_{j ∈ L} d(xᵢ, zⱼ)                    (k-medoids, up to single exchanges)
/// while an exchange of one row raises f(L) and keeps D(L) ≤ (1 + ε) D(k-medoids):
///     make it
/// ```
///
/// with the distance d of the kernel, as in k-medoids, over the *target* rows xᵢ. The objective is never below that of
/// k-medoids' rows with optimal weights.
pub(super) fn coverage<'a, T: Scalar>(
    problem: SelectionProblem<'a, T>,
    space: SearchSpace<'a, T>,
    stop: StoppingRule,
    observer: &mut dyn Observer,
) -> Result<Vec<usize>> {
    let n_prototypes = stop.n_prototypes.ok_or(Error::NumberOfMedoidsNeeded)?;
    let (medoids, mut limit) = k_medoids::cover(problem, n_prototypes, observer)?;
    let mut search = GreedySearch::new(space, StoppingRule::at(n_prototypes), observer)?;
    for row in without_copies(space, medoids) {
        // Rows of weight 0 are kept, since they may be the nearest prototypes of other rows.
        search.include(row)?;
    }
    // Where copies were dropped, another row can only lower the distances.
    while search.wants_more()? {
        let Some(trial) = largest_gain(&mut search)? else { break };
        search.add(trial, Rank::GainBound)?;
    }
    limit.start_from(search.prototypes().source_indices())?;
    refine(&mut search, &mut limit)?;
    let set = search.prototypes().source_indices().to_vec();
    drop(search);
    let mut order = in_greedy_order(space, set.clone(), Stopped::NPrototypes)?.source_indices;
    // Rows that raise the objective of no prefix come last.
    let rest: Vec<usize> = set.into_iter().filter(|row| !order.contains(row)).collect();
    order.extend(rest);
    Ok(order)
}

/// The rows without duplicates, each replaced by the first row equal to it.
fn without_copies<T: Scalar>(space: SearchSpace<'_, T>, rows: Vec<usize>) -> Vec<usize> {
    let first = first_equal_rows(space.rows);
    let mut kept: Vec<usize> = Vec::with_capacity(rows.len());
    for row in rows.into_iter().map(|row| first[row]) {
        if !kept.contains(&row) {
            kept.push(row);
        }
    }
    kept
}

impl<T: Scalar> ExchangeLimit for CoverageLimit<'_, T> {
    fn allows(&self, prototype: usize, candidate: usize) -> bool {
        CoverageLimit::allows(self, prototype, candidate)
    }

    fn exchanged(&mut self, prototype: usize, candidate: usize) {
        self.exchange(prototype, candidate);
    }
}

#[cfg(test)]
mod tests {
    use ndarray::Array2;
    use rand::{RngExt, SeedableRng};
    use rand_chacha::ChaCha8Rng;

    use super::*;
    use crate::kernel::{Cosine, InverseMultiquadric, Kernel, Laplacian, Polynomial};
    use crate::observe::Unobserved;
    use crate::params::{Method, Params};
    use crate::prepared::Prepared;
    use crate::rows::{manhattan_distance, squared_distance};

    fn random(n_rows: usize, seed: u64) -> Array2<f64> {
        let mut generator = ChaCha8Rng::seed_from_u64(seed);
        Array2::from_shape_simple_fn((n_rows, 2), || generator.random_range(-1.0..1.0))
    }

    /// Σ pᵢ min d(xᵢ, zⱼ), straight from the definition.
    fn distance_of(set: &[usize], (target, weights): (&Array2<f64>, &[f64]), source: &Array2<f64>, at: usize) -> f64 {
        let between = |x: &[f64], z: &[f64]| {
            let k = |x: &[f64], z: &[f64]| Kernel::evaluate(&Polynomial::new(2, 1.0, 0.5).unwrap(), x, z);
            match at {
                0 => squared_distance(x, z).sqrt(),
                1 => manhattan_distance(x, z),
                2 => (k(x, x) + k(z, z) - 2.0 * k(x, z)).max(0.0).sqrt(),
                _ => 1.0 - Kernel::evaluate(&Cosine, x, z),
            }
        };
        let rows = target.rows().into_iter().zip(weights);
        rows.map(|(x, weight)| {
            let x = x.to_vec();
            let nearest = set.iter().map(|&row| between(&x, &source.row(row).to_vec()));
            weight * nearest.fold(f64::INFINITY, f64::min)
        })
        .sum()
    }

    #[test]
    fn a_separate_target_is_covered_within_the_limit() {
        let kernels: [Box<dyn Kernel<f64>>; 4] = [
            Box::new(InverseMultiquadric::new(0.3).unwrap()),
            Box::new(Laplacian::new(1.0).unwrap()),
            Box::new(Polynomial::new(2, 1.0, 0.5).unwrap()),
            Box::new(Cosine),
        ];
        for (seed, n_prototypes) in [(1, 1), (2, 2), (3, 4), (4, 7)] {
            let (target, source) = (random(23, seed), random(17, seed + 100));
            let mut params = Params::new(n_prototypes);
            params.method = Method::Coverage;
            params.target_weights = Some((0..23).map(|row| (row % 5) as f64).collect());
            for (at, kernel) in kernels.iter().enumerate() {
                let prepared = Prepared::new(&target, &source, &**kernel, &params, &mut Unobserved).unwrap();
                let problem = prepared.problem(&params);
                let weighted = (&target, problem.target.weights.unwrap());
                let (start, _) = k_medoids::cover(problem, n_prototypes, &mut Unobserved).unwrap();
                let before = distance_of(&start, weighted, &source, at);
                for position in 0..n_prototypes {
                    for candidate in (0..17).filter(|row| !start.contains(row)) {
                        let mut exchanged = start.clone();
                        exchanged[position] = candidate;
                        assert!(distance_of(&exchanged, weighted, &source, at) >= before - 1e-12);
                    }
                }
                let found = prepared.select(&params, &mut Unobserved).unwrap();
                let set: Vec<usize> = found.prototypes.iter().map(|prototype| prototype.source_index).collect();
                let after = distance_of(&set, weighted, &source, at);
                assert!(after <= 1.01 * before + 1e-12, "{after} {before}");
            }
        }
    }
}
