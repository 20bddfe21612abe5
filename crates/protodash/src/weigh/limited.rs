//! Weights within limits for rows that a method has chosen, and more rows where the limits make them useful.

use super::{Rule, Weigher, WeigherState};
use crate::error::Result;
use crate::observe::{Observer, Silent, Stage, check_cancelled};
use crate::params::Weights;
use crate::problem::{SelectionProblem, StoppingRule};
use crate::rows::Scalar;
use crate::selection::{Path, Stopped};
use crate::weights::{WeightLimits, WeightTotal};

/// The part of its size by which a set grows at a time.
const GROWTH: f64 = 0.25;

/// The path with weights within limits.
///
/// A search ends where no further row raises the objective, because a few heavy rows suffice. Within limits they do not;
/// then rows are added until none raises the objective within the limits, or there are `wanted`.
///
/// # Errors
///
/// If there are too few rows for the limits, or if the observer stops the run.
pub(crate) fn within_limits<T: Scalar>(
    problem: SelectionProblem<'_, T>,
    path: Path,
    wanted: Option<usize>,
    observer: &mut dyn Observer,
) -> Result<Path> {
    let limits = problem.params.limits();
    let total = match problem.params.weights {
        Weights::Convex => WeightTotal::One,
        _ => WeightTotal::Free,
    };
    let rule = Rule::Limited(total, limits);
    let Path { source_indices: mut order, mut stopped, race, .. } = path;
    if stopped == Stopped::Optimal {
        (order, stopped) = extended(Weigher::new(problem, rule)?, limits, order, wanted, observer)?;
    }
    if order.is_empty() {
        // Nothing to represent: no weights, no limits.
        return Ok(Path { stopped, race, ..Path::default() });
    }
    limits.check(order.len())?;
    let all = StoppingRule::at(order.len());
    let weighted = Weigher::new(problem, rule)?.run(order.into_iter(), all, &mut Silent(observer))?;
    Ok(Path { stopped, race, ..weighted })
}

/// The rows, followed by those that raise the objective within the limits; and why there are no more.
fn extended<T: Scalar>(
    mut weigher: Weigher<'_, T>,
    limits: WeightLimits,
    order: Vec<usize>,
    wanted: Option<usize>,
    observer: &mut dyn Observer,
) -> Result<(Vec<usize>, Stopped)> {
    let (n_searched, n_source) = (order.len(), weigher.problem.source.n_rows());
    let most = wanted.unwrap_or(n_source);
    order.into_iter().try_for_each(|row| weigher.push(row))?;
    let stopped = loop {
        let size = weigher.members.len();
        check_cancelled(observer.on_progress(Stage::Search, size as u64, most.max(size) as u64))?;
        let (others, n_rising) = weigher.rising();
        let batch = n_rising.min((size as f64 * GROWTH).ceil() as usize);
        // Too few rows for the limits take others whether or not these raise the objective.
        let batch = batch.max(limits.least_members().saturating_sub(size)).max(usize::from(n_rising > 0));
        let batch = batch.min(most.saturating_sub(size)).min(others.len());
        if batch == 0 {
            break if n_rising == 0 { Stopped::Optimal } else { Stopped::NPrototypes };
        }
        others[..batch].iter().try_for_each(|row| weigher.push(*row))?;
    };
    let weights = weigher.weigh();
    if weights.iter().all(|weight| *weight == 0.0) {
        // Within the limits, every set is worse than none.
        return Ok((Vec::new(), Stopped::Optimal));
    }
    let is_kept = |place: &usize| *place < n_searched || weights[*place] > 0.0;
    Ok(((0..weights.len()).filter(is_kept).map(|place| weigher.members[place]).collect(), stopped))
}

impl<T: Scalar> Weigher<'_, T> {
    /// The rows outside the set, steepest first, and how many of them would raise the objective.
    fn rising(&mut self) -> (Vec<usize>, usize) {
        let weights = self.weigh();
        let threshold = if let WeigherState::Limited(solver) = &self.state { solver.threshold() } else { 0.0 };
        let (slopes, flat) = (self.slopes(&weights), self.flat_slopes());
        // Copies of a row are of use where the limits hold its own weight down.
        let mut is_other = match self.problem.candidates {
            Some(candidates) => candidates.to_vec(),
            None => self.problem.params.given_rows().choosable(slopes.len()),
        };
        self.members.iter().for_each(|member| is_other[*member] = false);
        let mut others: Vec<usize> = (0..slopes.len()).filter(|row| is_other[*row]).collect();
        // Of slopes that differ by rounding only, the row nearest to the target comes first.
        let level =
            |row: usize| if flat[row] > 0.0 { (slopes[row] / flat[row]).round() * flat[row] } else { slopes[row] };
        let (_, kernel_mean) = self.centred_or_raw();
        others.sort_by(|a, b| {
            let by_slope = (level(*b) - flat[*b]).total_cmp(&(level(*a) - flat[*a]));
            by_slope.then(kernel_mean[*b].total_cmp(&kernel_mean[*a]))
        });
        let n_rising = others.iter().take_while(|row| slopes[**row] - flat[**row] > threshold).count();
        (others, n_rising)
    }
}
