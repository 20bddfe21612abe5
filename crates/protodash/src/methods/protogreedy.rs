//! ProtoGreedy, Algorithm 1 of the paper, without its quadratic programme for every candidate.

use super::lazy::{Bounded, largest};
use crate::error::Result;
use crate::kernel::Kernel;
use crate::observe::Observer;
use crate::rows::Scalar;
use crate::search::{Leader, Rank, Ranked, Trial};

/// The candidate with the largest gain, as a trial; `None` if none gains.
///
/// # Formula
///
/// ```text
/// gain(j) ≤ gⱼ² / (2 sⱼ)
/// ```
///
/// where gⱼ is the gradient at the optimum of the set and sⱼ the Schur complement of j against all of it: for any
/// feasible v, l(v) − l(ζ) = gᵀ(v − ζ) − ½(v − ζ)ᵀK(v − ζ), the gradient is 0 on positive weights and at most 0 on the
/// others, and the quadratic form is at least sⱼvⱼ². (Under Σw = 1 read g − λ for g: λ drops out of the sum over
/// v − ζ.) Candidates are tried in the order of this bound, and the search ends when the next bound is no larger than
/// the best gain found: usually after one. Columns in f32 make the bounds a little larger, never smaller. Where many
/// weights are held at 0 the bound is far from tight; from the second candidate on one solve against the support tells
/// most of them apart from the best.
pub(crate) fn choose<T: Scalar, K: Kernel<T> + ?Sized>(
    leader: &mut Leader<'_, T, K>,
    observer: &mut dyn Observer,
) -> Result<Option<Trial<T>>> {
    let rank = if leader.len() == 0 { leader.first_rank() } else { Rank::Bound };
    leader.settle(rank, observer)?;
    let mut gains = Gains { leader, rank, best: None };
    let Some(chosen) = largest(&mut gains, f64::NEG_INFINITY) else { return Ok(None) };
    let best = gains.best.filter(|trial| trial.proposal.source_index == chosen);
    // Of equal ones it may not be the one that was the best by rounding.
    Ok(best.or_else(|| leader.try_row(chosen)))
}

struct Gains<'a, 'l, T, K: ?Sized> {
    leader: &'a mut Leader<'l, T, K>,
    rank: Rank,
    /// Of all trials only this is kept: each holds a factor of its own.
    best: Option<Trial<T>>,
}

impl<T: Scalar, K: Kernel<T> + ?Sized> Bounded for Gains<'_, '_, T, K> {
    fn by_bound(&self, limit: usize) -> Vec<Ranked> {
        self.leader.propose(self.rank, limit)
    }

    fn at_least(&self, bound: f64) -> Vec<usize> {
        self.leader.at_least(self.rank, bound)
    }

    fn closer_bound(&mut self, source_index: usize) -> Option<f64> {
        self.leader.most_gain(source_index)
    }

    fn value(&mut self, source_index: usize) -> Option<f64> {
        let trial = self.leader.try_row(source_index)?;
        let objective = trial.optimum.objective;
        let is_best = self.best.as_ref().is_none_or(|best| objective > best.optimum.objective);
        let other = if is_best { self.best.replace(trial) } else { Some(trial) };
        other.into_iter().for_each(|other| self.leader.forgo(other));
        Some(objective - self.leader.objective())
    }

    fn rounding(&self, gain: f64) -> f64 {
        // A gain is the difference of two objectives and has their rounding.
        if gain.is_finite() { 1e-10 * gain.abs() + 1e-14 * self.leader.objective().abs() } else { 0.0 }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::kernel::Gaussian;
    use crate::kernel_mean::{Precision, Target, mean_over_target};
    use crate::observe::{Stage, Unobserved};
    use crate::problem::Stop;
    use crate::rows::Rows;
    use crate::search::Candidates;
    use crate::weights::Constraint;

    /// "At ProtoDash's price": on the digits one quadratic programme a step, where the plain loop solves 1,797. Columns
    /// in f32 leave a doubt that takes another one now and then.
    #[test]
    fn one_quadratic_programme_a_step() {
        let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../testdata/digits.csv");
        let text = std::fs::read_to_string(path).unwrap();
        let cells = text.lines().skip(1).flat_map(|line| line.split(',').skip(1));
        let values: Vec<f64> = cells.map(|cell| cell.parse().unwrap()).collect();
        let rows = Rows::new(&values, 64);
        let median = 49.09;
        let precisions = [Precision::Double, Precision::Single];
        for (width, column_precision) in [0.1, 0.5, 1.0, 2.0].into_iter().flat_map(|w| precisions.map(|p| (w, p))) {
            let kernel = Gaussian::new(width * median).unwrap();
            let target = Target { rows, weights: None };
            let means = mean_over_target(target, rows, &kernel, (Stage::KernelMean, &mut Unobserved)).unwrap();
            let candidates = Candidates {
                kernel: &kernel,
                rows,
                kernel_mean: &means,
                shift: 0.0,
                constraint: Constraint::Nonnegative,
                rows_per_shard: 4096,
                column_memory: 1 << 30,
                column_precision,
                rough: None,
            };
            let mut leader = Leader::new(candidates).unwrap();
            leader.run(Stop::at(100), choose, &mut Unobserved).unwrap();
            assert_eq!(leader.len(), 100);
            match column_precision {
                Precision::Double => assert_eq!(leader.n_trials, 100, "width {width}"),
                // Two candidates nearer to each other than f32 tells apart are both tried.
                Precision::Single => assert!(leader.n_trials <= 105, "width {width}: {}", leader.n_trials),
            }
        }
    }
}
