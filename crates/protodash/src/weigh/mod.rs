//! Weights for rows in order of choice, for each prefix, independent of the method that chose them.

mod limited;
mod shares;

use std::collections::HashSet;

use crate::centred::{CentredProblem, plain_shift};
use crate::diagonal::check_own_similarity;
use crate::distinct::first_equal_rows;
use crate::error::{Result, Role};
use crate::gram::Gram;
use crate::kernel::Kernel;
use crate::kernel_mean::{Target, column};
use crate::observe::{Observer, Stage, check_cancelled};
use crate::problem::{SelectionProblem, StoppingRule};
use crate::rows::Scalar;
use crate::selection::{Path, Stopped, newest};
use crate::weights::{ActiveSet, Constraint, LimitedSolver, WeightLimits, WeightTotal, equal};
use shares::Shares;

pub(crate) use limited::within_limits;

/// A slope below this fraction of the largest possible one is rounding error.
const FLAT: f64 = 1e-9;
/// A slope below this fraction of its terms is rounding error.
const ROUNDING: f64 = 1e-13;
/// A constant may exceed the quantity to be explained by this factor without losing too many digits.
const FAR: f64 = 1e4;

/// The rule that gives a set its weights.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum Rule {
    /// The optimal w ≥ 0.
    Nonnegative,
    /// The optimal w ≥ 0 with Σw = 1.
    Convex,
    /// 1/|L| for each.
    Equal,
    /// The optimal w ≥ 0 for μᵀw − ½ wᵀKw − λ 1ᵀw.
    Penalised(f64),
    /// The share of these rows nearest to each.
    Shares(Role),
    /// The optimal w ≥ 0 within limits.
    Limited(WeightTotal, WeightLimits),
}

impl Rule {
    /// Whether the weights sum to 1, so that one row alone may be worse than none.
    fn sums_to_one(self) -> bool {
        matches!(self, Rule::Convex | Rule::Equal | Rule::Shares(_) | Rule::Limited(WeightTotal::One, _))
    }
}

/// Computes weights for rows in order of choice.
pub(crate) struct Weigher<'a, T: Scalar> {
    problem: SelectionProblem<'a, T>,
    rule: Rule,
    members: Vec<usize>,
    /// The centred problem for optimal weights that sum to 1; `None` for other rules, and if no row is far away.
    centred: Option<CentredProblem<'a, T>>,
    /// Added to all kernel values and means; 0 unless the weights are optimal ones that sum to 1. See
    /// [`fit_shift`](Self::fit_shift).
    shift: f64,
    gram: Gram,
    kernel_mean: Vec<f64>,
    /// Subtracted from the kernel means in the solver; 0 unless the rule is `Penalised`.
    penalty: f64,
    penalised: Vec<f64>,
    /// The largest centred objective of a member with weight 1.
    best_alone: f64,
    state: WeigherState<'a, T>,
}

/// The state of each rule between rows.
enum WeigherState<'a, T> {
    Solver(ActiveSet),
    Limited(LimitedSolver),
    Equal,
    Shares(Shares<'a, T>),
}

impl<'a, T: Scalar> Weigher<'a, T> {
    /// A weigher with no rows yet.
    ///
    /// # Errors
    ///
    /// If the optimal weights must sum to 1 and a row's similarity to itself is negative or not finite.
    pub(crate) fn new(problem: SelectionProblem<'a, T>, rule: Rule) -> Result<Self> {
        let SelectionProblem { target, source, .. } = problem;
        let state = match rule {
            Rule::Nonnegative | Rule::Penalised(_) => WeigherState::Solver(ActiveSet::new(Constraint::Nonnegative)),
            Rule::Convex => WeigherState::Solver(ActiveSet::new(Constraint::Convex)),
            Rule::Limited(total, limits) => WeigherState::Limited(LimitedSolver::new(limits, total)),
            Rule::Equal => WeigherState::Equal,
            Rule::Shares(Role::Target) => WeigherState::Shares(Shares::new(target)),
            Rule::Shares(Role::Source) => {
                let weights = problem.source_weights();
                WeigherState::Shares(Shares::new(Target { rows: source, weights }))
            }
        };
        let (centred, shift) = match rule {
            Rule::Convex | Rule::Limited(WeightTotal::One, _) => {
                let centred = CentredProblem::new(&problem)?;
                let shift = centred.as_ref().map_or_else(|| plain_shift(&problem), |centred| centred.shift);
                (centred, shift)
            }
            _ => (None, 0.0),
        };
        let penalty = if let Rule::Penalised(penalty) = rule { penalty } else { 0.0 };
        Ok(Weigher {
            problem,
            rule,
            members: Vec::new(),
            centred,
            shift,
            gram: Gram::default(),
            kernel_mean: Vec::new(),
            penalty,
            penalised: Vec::new(),
            best_alone: f64::NEG_INFINITY,
            state,
        })
    }

    /// Adds rows until there are enough, one gains too little, or none is left.
    ///
    /// Costs O(|L|) kernel values and O(|L|²) for each row.
    pub(crate) fn run(
        mut self,
        mut order: impl Iterator<Item = usize>,
        stop: StoppingRule,
        observer: &mut dyn Observer,
    ) -> Result<Path> {
        let goal = stop.n_prototypes.unwrap_or(self.problem.source.n_rows());
        let mut path = Path::default();
        while path.source_indices.len() < goal {
            let size = path.source_indices.len();
            check_cancelled(observer.on_progress(Stage::Search, size as u64, goal as u64))?;
            let Some(source_index) = order.next() else {
                let weights = path.weights.last().map_or(&[][..], Vec::as_slice);
                path.stopped = if self.is_optimal(weights) { Stopped::Optimal } else { Stopped::Exhausted };
                return Ok(path);
            };
            let (weights, objective) = self.add(source_index)?;
            let gain = objective - path.objective.last().unwrap_or(&0.0);
            let exempt = size < stop.n_fixed || (size == 0 && self.rule.sums_to_one());
            if stop.min_gain.is_some_and(|min_gain| gain < min_gain) && !exempt {
                path.stopped = Stopped::MinGain;
                return Ok(path);
            }
            check_cancelled(observer.on_prototype(size + 1, &newest(source_index, &weights, gain), objective))?;
            path.source_indices.push(source_index);
            path.weights.push(weights);
            path.objective.push(objective);
        }
        // Without a number, the run ends when every row is a prototype.
        path.stopped = if stop.n_prototypes.is_some() { Stopped::NPrototypes } else { Stopped::Optimal };
        Ok(path)
    }

    /// Whether it is certain that no other row can raise the objective: none is left, or no slope is positive.
    ///
    /// # Formula
    ///
    /// ```text
    /// gⱼ ≤ δ ‖μ‖ √Kⱼⱼ               for all rows j of the source,  g = μ − K w
    /// gⱼ − wᵀg ≤ δ ‖μ − φ_w‖ ‖φ(yⱼ) − φ_w‖     under Σw = 1,  φ_w = Σ wⱼ φ(yⱼ)
    /// ```
    ///
    /// The most that j can gain is then ½ (δ‖μ‖)², or ½ δ² MMD². Costs |L| kernel columns.
    fn is_optimal(&self, weights: &[f64]) -> bool {
        if self.members.is_empty() && self.rule.sums_to_one() {
            return false; // weights that sum to 1 need a row
        }
        let source = self.problem.source;
        let firsts = first_equal_rows(source);
        let members: HashSet<usize> = self.members.iter().map(|member| firsts[*member]).collect();
        let is_candidate = self.problem.params.given_rows().candidates(source);
        let mut others = (0..firsts.len()).filter(|row| is_candidate[*row] && !members.contains(&firsts[*row]));
        if !matches!(self.state, WeigherState::Solver(_)) {
            return others.next().is_none();
        }
        let slopes = self.slopes(weights);
        if !self.rule.sums_to_one() {
            let flat = self.flat_slopes();
            return others.all(|row| slopes[row] <= flat[row]);
        }
        let multiplier: f64 = self.members.iter().zip(weights).map(|(member, weight)| weight * slopes[*member]).sum();
        let flat = self.flat_differences(weights, &slopes, multiplier);
        others.all(|row| slopes[row] - multiplier <= flat[row])
    }

    /// The largest gⱼ − wᵀg of each source row that counts as 0 under Σw = 1.
    ///
    /// Moving all rows together changes neither these differences nor the bound, so that a mean far from the origin hides
    /// nothing. What the rounding of large values leaves of them counts as 0 too.
    fn flat_differences(&self, weights: &[f64], slopes: &[f64], multiplier: f64) -> Vec<f64> {
        let source = self.problem.source;
        let (kernel, kernel_mean) = self.centred_or_raw();
        let product = |row: usize| kernel_mean[row] - slopes[row];
        let own: f64 = self.members.iter().zip(weights).map(|(member, weight)| weight * product(*member)).sum();
        let distance = |row: usize| {
            let diagonal = kernel.evaluate(source.row(row), source.row(row));
            (diagonal - 2.0 * product(row) + own).max(0.0).sqrt()
        };
        let distances: Vec<f64> = (0..slopes.len()).map(distance).collect();
        // At most ‖μ − φ_w‖.
        let part = |(slope, distance): (&f64, &f64)| (slope - multiplier).abs() / distance;
        let scale = slopes.iter().zip(&distances).map(part).filter(|part| part.is_finite()).fold(0.0, f64::max);
        let rounding = |row: usize| ROUNDING * (kernel_mean[row].abs() + product(row).abs() + multiplier.abs());
        distances.iter().enumerate().map(|(row, distance)| FLAT * scale * distance + rounding(row)).collect()
    }

    /// g = μ − K w at every source row.
    fn slopes(&self, weights: &[f64]) -> Vec<f64> {
        let source = self.problem.source;
        let (kernel, kernel_mean) = self.centred_or_raw();
        let mut slopes: Vec<f64> = kernel_mean.to_vec();
        let mut similarities = vec![0.0; slopes.len()];
        for (&member, &weight) in self.members.iter().zip(weights).filter(|(_, weight)| **weight > 0.0) {
            column(kernel, source, source.row(member), &mut similarities);
            slopes.iter_mut().zip(&similarities).for_each(|(slope, similarity)| *slope -= weight * similarity);
        }
        slopes
    }

    /// δ ‖μ‖ √Kⱼⱼ: the largest slope of each source row that counts as 0.
    fn flat_slopes(&self) -> Vec<f64> {
        let source = self.problem.source;
        let (kernel, kernel_mean) = self.centred_or_raw();
        let length = |row: usize| (kernel.evaluate(source.row(row), source.row(row)) + self.shift).max(0.0).sqrt();
        let lengths: Vec<f64> = (0..kernel_mean.len()).map(length).collect();
        // At most ‖μ‖.
        let part = |(mean, length): (&f64, &f64)| (mean + self.shift).abs() / length;
        let scale = kernel_mean.iter().zip(&lengths).map(part).filter(|part| part.is_finite()).fold(0.0, f64::max);
        lengths.into_iter().map(|length| FLAT * scale * length).collect()
    }

    /// The kernel and the kernel means, without the shift.
    fn centred_or_raw(&self) -> (&dyn Kernel<T>, &[f64]) {
        match &self.centred {
            Some(centred) => (&centred.kernel, &centred.kernel_mean),
            None => (self.problem.kernel, self.problem.kernel_mean),
        }
    }

    /// Makes the constant as large as what the best member leaves unexplained; `alone` is the centred objective of the newest
    /// member with weight 1.
    ///
    /// # Formula
    ///
    /// ```text
    /// ‖μ − φ(z)‖² = ‖μ − φ(r)‖² − 2 alone(z)
    /// ```
    ///
    /// The constant of the problem is as large as what the best row r of the source leaves. For members that are all far from
    /// it, that may be too small to show that they are independent; for members chosen after a distant one, the constant of
    /// that one may be too large. A constant that is replaced costs |L|² kernel values.
    fn fit_shift(&mut self, alone: f64) {
        let Some(centred) = &self.centred else { return };
        self.best_alone = self.best_alone.max(alone);
        let shift = centred.shift - 2.0 * self.best_alone.min(0.0);
        if self.members.len() > 1 && shift * FAR > self.shift {
            return;
        }
        self.shift = shift;
        let source = self.problem.source;
        let similarity = |i: usize, j: usize| centred.kernel.evaluate(source.row(i), source.row(j)) + shift;
        self.gram = Gram::default();
        for (position, member) in self.members.iter().enumerate() {
            let others: Vec<f64> = self.members[..position].iter().map(|other| similarity(*member, *other)).collect();
            self.gram.push(&others, similarity(*member, *member));
        }
        self.kernel_mean = self.members.iter().map(|member| centred.kernel_mean[*member] + shift).collect();
        self.penalised.clone_from(&self.kernel_mean);
        self.state = match self.rule {
            Rule::Limited(total, limits) => WeigherState::Limited(LimitedSolver::new(limits, total)),
            _ => WeigherState::Solver(ActiveSet::new(Constraint::Convex)),
        };
    }

    /// Adds a row; returns the weights and the objective.
    fn add(&mut self, source_index: usize) -> Result<(Vec<f64>, f64)> {
        self.push(source_index)?;
        Ok(self.weighed())
    }

    /// The weights of all rows and their objective.
    fn weighed(&mut self) -> (Vec<f64>, f64) {
        let weights = self.weigh();
        // With a shift the weights sum to 1, so it adds half of itself.
        let level = self.centred.as_ref().map_or(0.0, |centred| centred.level);
        let objective = (self.gram.objective(&self.kernel_mean, &weights) - 0.5 * self.shift) + level;
        (weights, objective)
    }

    /// Adds a row, with its similarities to the others.
    fn push(&mut self, source_index: usize) -> Result<()> {
        let source = self.problem.source;
        let row = source.row(source_index);
        let (kernel, kernel_mean) = self.centred_or_raw();
        let similarity = |other: &usize| kernel.evaluate(row, source.row(*other)) + self.shift;
        let similarities: Vec<f64> = self.members.iter().map(similarity).collect();
        let (diagonal, kernel_mean) = (similarity(&source_index), kernel_mean[source_index] + self.shift);
        check_own_similarity(source_index, diagonal)?;
        self.gram.push(&similarities, diagonal);
        self.kernel_mean.push(kernel_mean);
        self.penalised.push(kernel_mean - self.penalty);
        self.members.push(source_index);
        self.fit_shift(kernel_mean - 0.5 * (diagonal + self.shift));
        Ok(())
    }

    /// The weights of all rows by the rule.
    fn weigh(&mut self) -> Vec<f64> {
        match &mut self.state {
            WeigherState::Solver(solver) => solver.maximise(&self.gram, &self.penalised).weights,
            WeigherState::Limited(solver) => solver.maximise(&self.gram, &self.penalised),
            WeigherState::Equal => equal(self.members.len()),
            WeigherState::Shares(shares) => {
                let newest = self.members[self.members.len() - 1];
                shares.add(self.problem.kernel, self.problem.source.row(newest))
            }
        }
    }
}
