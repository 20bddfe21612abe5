//! Weights within limits for rows that a method has chosen, and more rows where the limits make them useful.

use std::collections::{BTreeMap, BTreeSet};

use super::{Rule, Weigher, WeigherState};
use crate::error::Result;
use crate::observe::{Observer, Stage, check_cancelled};
use crate::params::Weights;
use crate::problem::SelectionProblem;
use crate::rows::Scalar;
use crate::selection::{Path, Stopped};
use crate::weights::{WeightLimits, WeightTotal};

/// The ridge and the total of a solver at some sizes.
type SolverStates = BTreeMap<usize, (f64, f64)>;

/// The part of its size by which a set grows at a time.
const GROWTH: f64 = 0.25;
/// The weights of every size up to this one are optimal.
const EVERY_SIZE: usize = 500;
/// From there on, each size whose weights are optimised is larger than the one before by one part in this many.
const STEPS: usize = 32;

/// The path with weights within limits.
///
/// A search ends where no further row raises the objective, because a few heavy rows suffice. Within limits they do not;
/// then rows are added until none raises the objective within the limits, or there are `wanted`.
///
/// The weights of every size up to 500, and of sizes about 3 % apart from there on, are optimal. Rows added for the limits come
/// in batches, and weights are optimal after each batch. At the sizes between, the newer rows have weight 0.
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
    let mut sizes = optimised_sizes(order.len(), limits);
    let mut ends = SolverStates::new();
    // Further rows would have to meet quotas and a budget.
    if stopped == Stopped::Optimal && !problem.params.is_constrained() {
        (order, stopped, ends) = extended(Weigher::new(problem, rule)?, limits, order, wanted, observer)?;
        sizes.extend(ends.keys());
    }
    if order.is_empty() {
        // Nothing to represent: no weights, no limits.
        return Ok(Path { stopped, race, ..Path::default() });
    }
    limits.check(order.len())?;
    sizes.insert(order.len());
    let weighted = weighted(Weigher::new(problem, rule)?, order, (&sizes, &ends), observer)?;
    Ok(Path { stopped, race, ..weighted })
}

/// The sizes of a search whose weights are optimised: at least the first, even if the search found no row.
fn optimised_sizes(n_searched: usize, limits: WeightLimits) -> BTreeSet<usize> {
    let next = |size: &usize| Some(size + size / STEPS);
    let later = std::iter::successors(next(&EVERY_SIZE), next).take_while(|size| *size <= n_searched);
    (1..=n_searched.clamp(1, EVERY_SIZE)).chain(later).chain([n_searched, limits.least_members()]).collect()
}

/// The path of rows in this order, with optimal weights at some sizes; at others the newest rows have weight 0. Where a
/// solver may start is known for some of the sizes.
fn weighted<T: Scalar>(
    mut weigher: Weigher<'_, T>,
    order: Vec<usize>,
    (sizes, starts): (&BTreeSet<usize>, &SolverStates),
    observer: &mut dyn Observer,
) -> Result<Path> {
    let n_rows = order.len() as u64;
    let mut path = Path::default();
    for (n_before, row) in order.into_iter().enumerate() {
        check_cancelled(observer.on_progress(Stage::Search, n_before as u64, n_rows))?;
        weigher.push(row)?;
        if let (WeigherState::Limited(solver), Some(start)) = (&mut weigher.state, starts.get(&(n_before + 1))) {
            solver.start_from(*start);
        }
        let (weights, objective) = if sizes.contains(&(n_before + 1)) {
            weigher.weighed()
        } else {
            let mut weights = path.weights[n_before - 1].clone();
            weights.push(0.0);
            (weights, path.objective[n_before - 1])
        };
        path.source_indices.push(row);
        path.weights.push(weights);
        path.objective.push(objective);
    }
    Ok(path)
}

/// The rows, followed by those that raise the objective within the limits; why there are no more; and the
/// numbers of rows at which weights were optimised to find the next ones, with the state of the solver.
fn extended<T: Scalar>(
    mut weigher: Weigher<'_, T>,
    limits: WeightLimits,
    order: Vec<usize>,
    wanted: Option<usize>,
    observer: &mut dyn Observer,
) -> Result<(Vec<usize>, Stopped, SolverStates)> {
    let (n_searched, n_source) = (order.len(), weigher.problem.source.n_rows());
    let most = wanted.unwrap_or(n_source);
    order.into_iter().try_for_each(|row| weigher.push(row))?;
    let mut ends = Vec::new();
    let stopped = loop {
        let size = weigher.members.len();
        check_cancelled(observer.on_progress(Stage::Search, size as u64, most.max(size) as u64))?;
        let (others, n_rising) = weigher.rising();
        if let WeigherState::Limited(solver) = &weigher.state {
            ends.push((size, solver.state()));
        }
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
        return Ok((Vec::new(), Stopped::Optimal, SolverStates::new()));
    }
    let is_kept = |place: &usize| *place < n_searched || weights[*place] > 0.0;
    let kept: Vec<usize> = (0..weights.len()).filter(is_kept).collect();
    let ends = ends.into_iter().map(|(end, state)| (kept.partition_point(|place| *place < end), state)).collect();
    Ok((kept.into_iter().map(|place| weigher.members[place]).collect(), stopped, ends))
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
