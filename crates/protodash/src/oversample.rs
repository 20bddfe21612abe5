//! Oversampling (PrDash-2 and PrDash-3 of the paper): select more rows than requested, keep the heaviest.

use crate::error::Result;
use crate::methods::{ChosenRows, choose, searched_rule};
use crate::observe::{Observer, Silent};
use crate::params::Params;
use crate::problem::{SelectionProblem, StoppingRule};
use crate::rows::Scalar;
use crate::selection::{Path, Stopped};
use crate::weigh::{Rule, within_limits};

/// The path of a selection, oversampled or not, with weights within the limits.
pub(crate) fn path<T: Scalar>(problem: SelectionProblem<'_, T>, observer: &mut dyn Observer) -> Result<Path> {
    let params = problem.params;
    let n_fixed = params.fixed.len();
    let stop = stopping_rule(params);
    let most = problem.source.n_rows() - n_fixed;
    let enlarged = params.n_prototypes.map(|wanted| enlarged(wanted, params.oversample, most));
    let path = match params.n_prototypes.zip(enlarged) {
        Some((wanted, many)) if many > wanted => {
            kept(problem, wanted, StoppingRule { n_prototypes: Some(n_fixed + many), ..stop }, observer)?
        }
        _ => {
            let chosen = choose(problem, stop, observer)?;
            let rule = chosen.rule(params.weights);
            let path = chosen.weigh(problem, rule, stop, observer)?;
            let is_closed = params.is_constrained() && path.stopped == Stopped::Exhausted;
            if is_closed { Path { stopped: Stopped::Constraints, ..path } } else { path }
        }
    };
    if params.limits().is_set() { within_limits(problem, path, params.n_total(), observer) } else { Ok(path) }
}

/// The path of a search with non-negative or convex weights that was led elsewhere, with the requested weights and within the
/// limits.
pub(crate) fn weighed<T: Scalar>(
    problem: SelectionProblem<'_, T>,
    path: Path,
    observer: &mut dyn Observer,
) -> Result<Path> {
    let params = problem.params;
    let chosen = ChosenRows::Searched(path, searched_rule(params.weights));
    let rule = chosen.rule(params.weights);
    let path = chosen.weigh(problem, rule, stopping_rule(params), observer)?;
    if params.limits().is_set() { within_limits(problem, path, params.n_total(), observer) } else { Ok(path) }
}

/// When a run with these parameters ends.
pub(crate) fn stopping_rule(params: &Params) -> StoppingRule {
    StoppingRule { n_prototypes: params.n_total(), min_gain: params.min_gain, n_fixed: params.fixed.len() }
}

/// ⌈R·m⌉, but at most the number of rows.
fn enlarged(wanted: usize, oversample: f64, n_source: usize) -> usize {
    // In binary 1.1 · 100 is slightly more than 110, which must not be rounded up to 111.
    let many = (wanted as f64 * oversample * (1.0 - 1e-12)).ceil();
    if many < n_source as f64 { many as usize } else { n_source }
}

/// The heaviest of many rows, in order of choice, with refitted weights.
fn kept<T: Scalar>(
    problem: SelectionProblem<'_, T>,
    wanted: usize,
    many: StoppingRule,
    observer: &mut dyn Observer,
) -> Result<Path> {
    let mut silent = Silent(observer);
    let chosen = choose(problem, many, &mut silent)?;
    let rule = chosen.rule(problem.params.weights);
    // With equal weights, no row is heavier than another.
    let ranking = if rule == Rule::Equal { Rule::Nonnegative } else { rule };
    let long = chosen.weigh(problem, ranking, many, &mut silent)?;
    let order = heaviest(&long, many.n_fixed, wanted);
    let stopped = if order.len() < many.n_fixed + wanted { long.stopped } else { Stopped::NPrototypes };
    let all = StoppingRule::at(order.len());
    let chosen = ChosenRows::Ordered(Box::new(order.into_iter()), rule);
    Ok(Path { stopped, ..chosen.weigh(problem, rule, all, observer)? })
}

/// The fixed rows, and of the others those with the largest final weights, in order of choice; ties go to those chosen first.
fn heaviest(path: &Path, n_fixed: usize, wanted: usize) -> Vec<usize> {
    let Some(weights) = path.weights.last() else { return Vec::new() };
    let mut places: Vec<usize> = (n_fixed..weights.len()).collect();
    places.sort_by(|a, b| weights[*b].total_cmp(&weights[*a]));
    places.truncate(wanted);
    places.sort_unstable();
    (0..n_fixed).chain(places).map(|place| path.source_indices[place]).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_number_is_rounded_up_and_at_most_all() {
        assert_eq!(enlarged(10, 2.0, 100), 20);
        assert_eq!(enlarged(3, 1.5, 100), 5);
        assert_eq!(enlarged(100, 1.1, 1000), 110);
        assert_eq!(enlarged(10, 1e300, 64), 64);
        assert_eq!(enlarged(10, 1.0, 10), 10);
    }

    #[test]
    fn the_heaviest_stay_in_order_of_choice() {
        let weights = vec![vec![1.0], vec![0.1, 0.9, 0.5, 0.9, 0.5]];
        let path = Path { source_indices: vec![7, 3, 8, 1, 2], weights, ..Path::default() };
        assert_eq!(heaviest(&path, 0, 3), [3, 8, 1]);
        assert_eq!(heaviest(&path, 1, 2), [7, 3, 1]);
        assert_eq!(heaviest(&Path::default(), 0, 3), [0_usize; 0]);
    }
}
