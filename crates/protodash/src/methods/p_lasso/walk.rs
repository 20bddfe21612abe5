//! The homotopy: from the largest penalty to 0, from one change of the support to the next.

use std::collections::HashMap;

use super::direction::{PARALLEL, settle};
use super::support::Support;
use super::{Breakpoint, LassoPath};
use crate::diagonal::checked_diagonal;
use crate::distinct::first_of_equal_rows;
use crate::error::Result;
use crate::observe::{Observer, Stage, check_cancelled};
use crate::problem::SelectionProblem;
use crate::rows::Scalar;

/// Gradients and penalties that differ by less than this fraction of a row's largest possible slope count as equal.
const TIE: f64 = 1e-12;
/// So do gradients that differ by less than this fraction of their own terms, where these are far smaller: nothing of a row of
/// the size of 1 is lost next to one of 10²⁰ that is nearly orthogonal to it.
const OWN_TERMS: f64 = 1e-9;

/// The path to the end of the first segment with `n_prototypes` rows, or to penalty 0.
///
/// On a segment with support A both the weights and all gradients are linear in the penalty λ,
///
/// ```text
/// w_A = u − λd,  g = b + λa        with K_AA u = μ_A,  K_AA d = 1,  a = K_:A d,  b = μ − K_:A u
/// ```
///
/// so that the next change is at the largest λ at which a gradient gⱼ = bⱼ + λaⱼ reaches λ or a weight uᵢ − λdᵢ
/// reaches 0. Both are computed from scratch on every segment, so that rounding does not accumulate. A segment costs
/// O(n₂ · |A|), plus one kernel column for each row that joins.
pub(super) fn walk<T: Scalar>(
    problem: SelectionProblem<'_, T>,
    n_prototypes: Option<usize>,
    observer: &mut dyn Observer,
) -> Result<LassoPath> {
    let mut walk = PathWalk::new(problem)?;
    walk.start(observer)?;
    let total = n_prototypes.unwrap_or(problem.source.n_rows());
    while walk.penalty > 0.0 && !walk.has_passed(n_prototypes) {
        let size = walk.support.members.len().min(total);
        check_cancelled(observer.on_progress(Stage::Search, size as u64, total as u64))?;
        walk.next_change(observer)?;
    }
    let is_complete = walk.penalty <= 0.0;
    Ok(LassoPath { breakpoints: walk.breakpoints, is_complete })
}

/// The path so far.
struct PathWalk<'a, T: Scalar> {
    kernel_mean: &'a [f64],
    support: Support<'a, T>,
    /// False for copies of an earlier row and for rows with similarity 0 to themselves.
    is_candidate: Vec<bool>,
    penalty: f64,
    /// How far rounding can move the gradient of each row from the penalty. It depends on the terms of the row itself, not
    /// on how large other rows are.
    rounding: Vec<f64>,
    /// The same, as far as the sizes of row and target tell.
    most_rounding: Vec<f64>,
    /// Rows that may not join while neither the penalty nor the support changes, each with the penalty at that time.
    barred: Vec<(usize, f64)>,
    breakpoints: Vec<Breakpoint>,
}

impl<'a, T: Scalar> PathWalk<'a, T> {
    fn new(problem: SelectionProblem<'a, T>) -> Result<Self> {
        let SelectionProblem { source, kernel, kernel_mean, params, .. } = problem;
        let diagonal = checked_diagonal(kernel, source)?;
        let firsts = first_of_equal_rows(source);
        let is_candidate: Vec<bool> = firsts.iter().zip(&diagonal).map(|(first, own)| *first && *own > 0.0).collect();
        let eligible = || (0..kernel_mean.len()).filter(|row| is_candidate[*row]);
        let largest = eligible().map(|row| kernel_mean[row]).fold(0.0, f64::max);
        // At most ‖μ‖, so no slope of a row exceeds this times the root of its similarity to itself.
        let scale = eligible().map(|row| kernel_mean[row].abs() / diagonal[row].sqrt()).fold(0.0, f64::max);
        let rounding: Vec<f64> = diagonal.iter().map(|own| TIE * scale * own.sqrt()).collect();
        Ok(PathWalk {
            kernel_mean,
            support: Support::new(source, kernel, params.column_memory),
            is_candidate,
            penalty: largest,
            most_rounding: rounding.clone(),
            rounding,
            barred: Vec::new(),
            breakpoints: Vec::new(),
        })
    }

    /// Adds the first rows: those with the largest kernel mean.
    fn start(&mut self, observer: &mut dyn Observer) -> Result<()> {
        if self.penalty > 0.0 {
            let tied: Vec<usize> = self.tied(|row| self.kernel_mean[row]);
            let barred = settle(&mut self.support, &tied, observer)?;
            self.bar(barred);
        }
        self.record(&[]);
        Ok(())
    }

    /// Whether the first segment with this many rows is complete.
    fn has_passed(&self, n_prototypes: Option<usize>) -> bool {
        let Some((_, before)) = self.breakpoints.split_last() else { return false };
        before.iter().any(|breakpoint| Some(breakpoint.support.len()) == n_prototypes)
    }

    /// Moves to the next penalty at which the support changes, or to 0.
    fn next_change(&mut self, observer: &mut dyn Observer) -> Result<()> {
        let members = &self.support.members;
        let means: Vec<f64> = members.iter().map(|row| self.kernel_mean[*row]).collect();
        let (u, d) = (self.support.solve(&means), self.support.solve(&vec![1.0; members.len()]));
        let products = self.support.products(&u, &d);
        for (row, [ku, a]) in products.iter().enumerate() {
            let terms = self.kernel_mean[row].abs() + ku.abs() + self.penalty * a.abs();
            self.rounding[row] = self.most_rounding[row].min(OWN_TERMS * terms);
        }
        // As the penalty falls, the weight u − λd of a row with d ≥ 0 rises: it never leaves.
        let leaves_at = |at: usize| if d[at] < 0.0 { u[at] / d[at] } else { f64::NEG_INFINITY };
        // Rows with the penalty at which they leave or join, and its rounding: of the weight where they leave, of the gradient,
        // which may exceed the penalty where the weight is far from 0, where they join.
        let of_weight = TIE * self.penalty;
        let leaves = (0..u.len()).map(|position| (members[position], leaves_at(position), of_weight));
        let joins = self.joins(&products).map(|(row, penalty)| (row, penalty, self.rounding[row]));
        let changes = leaves.chain(joins).filter(|(_, penalty, rounding)| penalty > rounding);
        let latest = changes.reduce(|first, other| if other.1 > first.1 { other } else { first });
        let Some((row, next, rounding)) = latest else {
            self.penalty = 0.0;
            let held = self.weights();
            self.record(&held);
            return Ok(());
        };
        let next = next.min(self.penalty);
        self.penalty = next;
        // The penalty has changed for a row if it has by more than the rounding of that row's own gradient.
        self.barred.retain(|(row, at)| next >= at - self.rounding[*row]);
        let before = self.support.members.clone();
        let leaves_now = |at: &usize| leaves_at(*at) >= next - TIE * next;
        let leaving: Vec<usize> = (0..u.len()).filter(leaves_now).rev().collect();
        let stuck = next >= self.breakpoints.last().map_or(f64::INFINITY, |last| last.penalty) - rounding;
        for position in leaving {
            // A row that joins and leaves at the same penalty would do so again.
            if stuck {
                self.barred.push((self.support.members[position], next));
            }
            self.support.leave(position);
        }
        // Weights of the rows that stay; those that left had weight 0 up to rounding.
        let held = self.weights();
        let tied = self.tied(|row| self.kernel_mean[row] - products[row][0] + next * products[row][1]);
        let barred = settle(&mut self.support, &tied, observer)?;
        self.bar(barred);
        if self.support.members == before {
            // No tied row can join here; the path continues without them.
            self.bar(tied);
            self.bar([row]);
        } else {
            self.record(&held);
        }
        Ok(())
    }

    /// Bars rows at this penalty.
    fn bar(&mut self, rows: impl IntoIterator<Item = usize>) {
        let at = self.penalty;
        self.barred.extend(rows.into_iter().map(|row| (row, at)));
    }

    /// The rows outside the support, each with the penalty that its gradient reaches.
    fn joins(&self, products: &[[f64; 2]]) -> impl Iterator<Item = (usize, f64)> {
        let joins_at = |row: usize| {
            let [ku, a] = products[row];
            if 1.0 - a > PARALLEL { (self.kernel_mean[row] - ku) / (1.0 - a) } else { 0.0 }
        };
        self.outsiders().map(move |row| (row, joins_at(row)))
    }

    /// The rows outside the support whose gradient has reached the penalty.
    fn tied(&self, gradient: impl Fn(usize) -> f64) -> Vec<usize> {
        self.outsiders().filter(|row| gradient(*row) >= self.penalty - self.rounding[*row]).collect()
    }

    fn outsiders(&self) -> impl Iterator<Item = usize> {
        let mut outside = self.is_candidate.clone();
        let barred = self.barred.iter().map(|(row, _)| row);
        self.support.members.iter().chain(barred).for_each(|row| outside[*row] = false);
        outside.into_iter().enumerate().filter_map(|(row, outside)| outside.then_some(row))
    }

    /// The weights of the support at this penalty, each with its row.
    fn weights(&self) -> Vec<(usize, f64)> {
        let members = &self.support.members;
        let means: Vec<f64> = members.iter().map(|row| self.kernel_mean[*row] - self.penalty).collect();
        let mut weights = self.support.solve(&means);
        if weights.iter().any(|weight| *weight < 0.0) {
            // Negative by rounding, which nearly dependent rows amplify; setting it to 0 would change all other gradients.
            weights = self.support.nonnegative(&means);
        }
        members.iter().copied().zip(weights).collect()
    }

    /// Records the support below this penalty with the weights above it; rows that join here have none yet.
    fn record(&mut self, held: &[(usize, f64)]) {
        let support = self.support.members.clone();
        let held: HashMap<usize, f64> = held.iter().copied().collect();
        let weights: Vec<f64> = support.iter().map(|row| held.get(row).copied().unwrap_or(0.0)).collect();
        // On the support K w = μ − λ, so that l(w) = ½ Σ w (μ + λ).
        let terms = support.iter().zip(&weights).map(|(row, weight)| weight * (self.kernel_mean[*row] + self.penalty));
        let objective = 0.5 * terms.sum::<f64>();
        let norm = weights.iter().sum();
        self.breakpoints.push(Breakpoint { penalty: self.penalty, support, weights, norm, objective });
    }
}
