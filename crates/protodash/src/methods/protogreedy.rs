//! ProtoGreedy, Algorithm 1 of the paper, without a quadratic programme for every candidate.

use super::gains::largest_gain;
use crate::error::Result;
use crate::rows::Scalar;
use crate::search::{GreedySearch, Rank};
use crate::selection::Stopped;

/// Adds the row with the largest gain until the stopping rule is met.
///
/// ```text
/// L = ∅
/// while |L| < m and the objective rises by at least ε:
///     vⱼ = f(L ∪ {j}) − f(L) for all j ∉ L
///     j₀ = argmax vⱼ
///     L  = L ∪ {j₀}
///     ζ  = argmax l(w) over w ≥ 0 supported on L
/// ```
pub(crate) fn protogreedy<T: Scalar>(search: &mut GreedySearch<'_, T>) -> Result<Stopped> {
    while search.wants_more()? {
        let Some(trial) = largest_gain(search)? else { return search.fill_quotas() }; // j₀, and ζ on L ∪ {j₀}
        if search.gains_too_little(&trial) {
            return Ok(Stopped::MinGain);
        }
        search.add(trial, Rank::GainBound)?; // L = L ∪ {j₀}
    }
    Ok(Stopped::NPrototypes)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::given_rows::GivenRows;
    use crate::kernel::Gaussian;
    use crate::kernel_mean::{Precision, Target, mean_over_target};
    use crate::observe::{Stage, Unobserved};
    use crate::problem::StoppingRule;
    use crate::rows::Rows;
    use crate::search::{SearchSettings, SearchSpace, ShardLayout};
    use crate::weights::Constraint;

    /// The cost of ProtoDash: on the digits one quadratic programme per step, where the plain loop solves 1,797. Columns
    /// in f32 occasionally need one more.
    #[test]
    fn one_quadratic_programme_per_step() {
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
            let constraint = Constraint::Nonnegative;
            let settings = SearchSettings {
                constraint,
                shift: 0.0,
                level: 0.0,
                column_memory: 1 << 30,
                column_precision,
                checks_definiteness: true,
                keeps_schur: true,
                tolerance: 0.0,
            };
            let layout = ShardLayout::default();
            let given = GivenRows::default();
            let (approximate, candidates, kernel_mean) = (None, None, &means[..]);
            let kernel = &kernel;
            let constraints = None;
            let space = SearchSpace {
                kernel,
                rows,
                kernel_mean,
                approximate,
                layout,
                candidates,
                given,
                constraints,
                settings,
            };
            let mut unobserved = Unobserved;
            let mut search = GreedySearch::new(space, StoppingRule::at(100), &mut unobserved).unwrap();
            protogreedy(&mut search).unwrap();
            assert_eq!(search.prototypes().len(), 100);
            let n_solved = search.prototypes().n_solved();
            match column_precision {
                Precision::Double => assert_eq!(n_solved, 100, "width {width}"),
                // Two candidates that f32 cannot tell apart are both tried.
                Precision::Single => assert!(n_solved <= 105, "width {width}: {n_solved}"),
            }
        }
    }
}
