//! The active-set method behind `nonnegative` and `convex`, warm-started between calls.
//!
//! The *support* is the set of members whose weights are free; all other weights are held at 0. On the support the
//! problem is a linear system, whose Cholesky factor is kept and updated. Every move either raises the objective or
//! bars a member from re-entering in this call, so a call always terminates.

use crate::factor::{Factor, schur};
use crate::gram::{self, Gram};

/// A member whose Schur complement against the support is below this fraction of its diagonal is numerically dependent
/// on it: below this, Cholesky factorisation may break down; above it, its solutions are exact for nearly the same
/// matrix.
const DEPENDENT: f64 = 1e-12;
/// Means that exceed the similarities by this factor lose digits that the weights need.
const FAR_LARGER: f64 = 1e6;
/// A slope below this fraction of its terms is rounding error.
pub(super) const ROUNDING: f64 = 1e-13;

/// The constraint on the weights.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Constraint {
    /// w ≥ 0.
    Nonnegative,
    /// w ≥ 0 and Σw = 1.
    Convex,
}

/// The maximum found by a call.
#[derive(Debug, Clone)]
pub(crate) struct Optimum {
    pub(crate) weights: Vec<f64>,
    pub(crate) objective: f64,
    /// The multiplier λ of Σw = 1, the slope common to all weights of the support; 0 without that constraint.
    pub(crate) multiplier: f64,
}

/// The state of the solver: the support, its factor and its weights.
#[derive(Debug, Clone)]
pub(crate) struct ActiveSet {
    pub(super) constraint: Constraint,
    pub(super) support: Vec<usize>,
    pub(super) factor: Factor,
    /// Weights of all members, in the order of the Gram matrix.
    pub(super) weights: Vec<f64>,
    /// The result of the last call; `None` if a member was removed since.
    pub(super) settled: Option<Settled>,
    /// C⁻¹μ of the last solution on the support, with its μ: as long as the support only grows, so does this.
    half_solved: Vec<(f64, f64)>,
}

/// The maximum on a support.
#[derive(Debug, Clone)]
pub(super) struct Settled {
    /// K w at every member.
    pub(super) products: Vec<f64>,
    pub(super) multiplier: f64,
}

impl ActiveSet {
    pub(crate) fn new(constraint: Constraint) -> Self {
        ActiveSet {
            constraint,
            support: Vec::new(),
            factor: Factor::default(),
            weights: Vec::new(),
            settled: None,
            half_solved: Vec::new(),
        }
    }

    /// Copies another solver into the memory of this one: allocating for each trial would cost as much as a solve.
    pub(crate) fn copy_from(&mut self, other: &ActiveSet) {
        let ActiveSet { constraint, support, factor, weights, settled, half_solved } = other;
        self.constraint = *constraint;
        self.support.clone_from(support);
        self.factor.copy_from(factor);
        self.weights.clone_from(weights);
        self.settled.clone_from(settled);
        self.half_solved.clone_from(half_solved);
    }

    /// The optimal weights for all members of `gram`, starting from the last result.
    ///
    /// Members may have been added at the end since then, but the others must not have changed; to remove one, call
    /// [`forget`](Self::forget).
    pub(crate) fn maximise(&mut self, gram: &Gram, kernel_mean: &[f64]) -> Optimum {
        self.weights.resize(gram.len(), 0.0);
        if self.support.is_empty() && self.constraint == Constraint::Convex {
            self.start_at_best_vertex(gram, kernel_mean);
        }
        let mut barred = vec![false; gram.len()];
        let mut settled = match self.settled.take() {
            Some(known) => known.with_new_members(gram, &self.weights),
            None => self.settle(gram, kernel_mean),
        };
        let mut objective = gram::objective(kernel_mean, &self.weights, &settled.products);
        while let Some(member) = self.steepest(gram, kernel_mean, &settled, &barred) {
            if self.enter(gram, member) {
                settled = self.settle(gram, kernel_mean);
                let risen = gram::objective(kernel_mean, &self.weights, &settled.products);
                if risen > objective {
                    objective = risen;
                    continue;
                }
            }
            // It depends on the support, or nearly: then rounding decides whether it gets a weight.
            match self.exchanged(gram, kernel_mean, member, objective) {
                Some((solver, reached)) => {
                    (*self, settled) = (solver, reached);
                    objective = gram::objective(kernel_mean, &self.weights, &settled.products);
                }
                None => barred[member] = true,
            }
        }
        let objective = gram::objective(kernel_mean, &self.weights, &settled.products);
        let multiplier = settled.multiplier;
        self.settled = Some(settled);
        Optimum { weights: self.weights.clone(), objective, multiplier }
    }

    /// Removes member `index` from the problem.
    pub(crate) fn forget(&mut self, index: usize) {
        self.settled = None;
        if let Some(position) = self.support.iter().position(|member| *member == index) {
            self.leave(position);
        }
        self.weights.remove(index);
        self.support.iter_mut().filter(|member| **member > index).for_each(|member| *member -= 1);
        if self.constraint == Constraint::Convex {
            let total: f64 = self.weights.iter().sum();
            self.weights.iter_mut().for_each(|weight| *weight /= if total > 0.0 { total } else { 1.0 });
        }
    }

    /// Starts Σw = 1 at the best single member.
    fn start_at_best_vertex(&mut self, gram: &Gram, kernel_mean: &[f64]) {
        let alone = |member: usize| kernel_mean[member] - 0.5 * gram.get(member, member);
        let best = (0..gram.len()).reduce(|best, member| if alone(member) > alone(best) { member } else { best });
        if let Some(best) = best.filter(|best| self.enter(gram, *best)) {
            self.weights[best] = 1.0;
        }
    }

    /// Moves the weights to the maximum on the support, dropping members that would become negative.
    fn settle(&mut self, gram: &Gram, kernel_mean: &[f64]) -> Settled {
        loop {
            let (goal, multiplier) = self.way_to_maximum(gram, kernel_mean);
            let here: Vec<f64> = self.support.iter().map(|member| self.weights[*member]).collect();
            let blocking = here.iter().zip(&goal).enumerate().filter(|(_, (_, goal))| **goal <= 0.0);
            let reach = |here: f64, goal: f64| if here > 0.0 { here / (here - goal) } else { 0.0 };
            let first = blocking.map(|(position, (here, goal))| (position, reach(*here, *goal)));
            let first = first.reduce(|a, b| if b.1 < a.1 { b } else { a });
            let step = first.map_or(1.0, |(_, step)| step);
            for (position, member) in self.support.iter().enumerate() {
                self.weights[*member] = here[position] + step * (goal[position] - here[position]);
            }
            let Some((position, _)) = first else {
                self.support.iter().zip(&goal).for_each(|(member, goal)| self.weights[*member] = *goal);
                return Settled { products: gram.times(&self.weights), multiplier };
            };
            self.leave(position);
        }
    }

    /// The unconstrained maximum on the support, and the multiplier of Σw = 1.
    ///
    /// It is refined only if all its weights are positive; otherwise it only decides which member leaves.
    fn way_to_maximum(&mut self, gram: &Gram, kernel_mean: &[f64]) -> (Vec<f64>, f64) {
        let mut means: Vec<f64> = self.support.iter().map(|member| kernel_mean[*member]).collect();
        let (one_each, origin) = match self.constraint {
            Constraint::Nonnegative => (Vec::new(), 0.0),
            Constraint::Convex => (vec![1.0; means.len()], self.origin(gram, &means)),
        };
        means.iter_mut().for_each(|mean| *mean -= origin);
        let (free, ones) = (self.solve_means(&means), self.solve(&one_each));
        let (weights, multiplier) = summing_to_one(free.clone(), &ones);
        if weights.iter().any(|weight| *weight <= 0.0) {
            return (weights, multiplier + origin);
        }
        let (mut weights, multiplier) =
            summing_to_one(self.refine(gram, &means, free), &self.refine(gram, &one_each, ones));
        let total: f64 = weights.iter().sum();
        if origin != 0.0 && total > 0.0 {
            // One member that is far larger than the others leaves them less than full precision.
            weights.iter_mut().for_each(|weight| *weight /= total);
        }
        (weights, multiplier + origin)
    }

    /// What to subtract from all means under Σw = 1, where only their differences count.
    ///
    /// Weights would vanish in the rounding of means that are far larger than the similarities; others are left alone.
    fn origin(&self, gram: &Gram, means: &[f64]) -> f64 {
        let largest = |values: &mut dyn Iterator<Item = f64>| values.map(f64::abs).fold(0.0, f64::max);
        let similarity = largest(&mut self.support.iter().map(|member| gram.get(*member, *member)));
        let mean = largest(&mut means.iter().copied());
        if mean > FAR_LARGER * similarity { means.first().copied().unwrap_or(0.0) } else { 0.0 }
    }

    /// Solves K x = μ on the support, from what is known of C⁻¹μ.
    fn solve_means(&mut self, means: &[f64]) -> Vec<f64> {
        let known = self.half_solved.iter().zip(means).take_while(|((mean, _), other)| mean == *other).count();
        let mut x: Vec<f64> = self.half_solved[..known].iter().map(|(_, solved)| *solved).collect();
        x.extend_from_slice(&means[known..]);
        self.factor.solve_lower_after(known, &mut x);
        self.half_solved.truncate(known);
        self.half_solved.extend(means[known..].iter().copied().zip(x[known..].iter().copied()));
        self.factor.solve_upper(&mut x);
        x
    }

    /// Solves K x = b on the support, or on nothing if b is empty.
    fn solve(&self, b: &[f64]) -> Vec<f64> {
        let mut x = b.to_vec();
        self.factor.solve(&mut x);
        x
    }

    /// A solution of K x = b after one step of iterative refinement, which nearly singular systems need.
    fn refine(&self, gram: &Gram, b: &[f64], mut x: Vec<f64>) -> Vec<f64> {
        if x.is_empty() {
            return x;
        }
        let reached = gram.times_among(&self.support, &x);
        let mut residual: Vec<f64> = b.iter().zip(reached).map(|(b, reached)| b - reached).collect();
        self.factor.solve(&mut residual);
        x.iter_mut().zip(&residual).for_each(|(x, correction)| *x += correction);
        x
    }

    /// K⁻¹1 on the support.
    pub(super) fn ones(&self, gram: &Gram) -> Vec<f64> {
        let one_each = vec![1.0; self.support.len()];
        self.refine(gram, &one_each, self.solve(&one_each))
    }

    /// The member at 0 with the steepest slope, if the slope is more than rounding error.
    fn steepest(&self, gram: &Gram, kernel_mean: &[f64], settled: &Settled, barred: &[bool]) -> Option<usize> {
        let Settled { products, multiplier } = settled;
        let mut held: Vec<bool> = barred.to_vec();
        self.support.iter().for_each(|member| held[*member] = true);
        let mut best: Option<(usize, f64)> = None;
        for member in (0..gram.len()).filter(|member| !held[*member]) {
            let slope = kernel_mean[member] - multiplier - products[member];
            if slope <= 0.0 || best.is_some_and(|(_, steepest)| slope <= steepest) {
                continue;
            }
            let terms = self.support.iter().map(|other| (gram.get(member, *other) * self.weights[*other]).abs());
            if slope > ROUNDING * (kernel_mean[member].abs() + multiplier.abs() + terms.sum::<f64>()) {
                best = Some((member, slope));
            }
        }
        best.map(|(member, _)| member)
    }

    /// Frees a member's weight, unless it is numerically dependent on the support.
    fn enter(&mut self, gram: &Gram, member: usize) -> bool {
        let similarities: Vec<f64> = self.support.iter().map(|other| gram.get(member, *other)).collect();
        let reduced = self.factor.reduce(&similarities);
        let diagonal = gram.get(member, member);
        let schur = schur(&reduced, diagonal);
        if schur <= DEPENDENT * diagonal {
            return false;
        }
        self.factor.push(&reduced, schur);
        self.support.push(member);
        true
    }

    /// The maximum with a member that depends on the support in place of another; `None` if it is not above `objective`.
    ///
    /// A near-copy of a member, or a mixture of several, may be nearer to the mean. With the weights of its parts it can
    /// replace them without a change of K w, which raises the objective by its slope until one of them reaches 0 and
    /// leaves. Without that member it is independent.
    fn exchanged(&self, gram: &Gram, kernel_mean: &[f64], member: usize, objective: f64) -> Option<(Self, Settled)> {
        if self.support.contains(&member) {
            return None;
        }
        let parts = self.parts(gram, member);
        let reach = |position: usize| self.weights[self.support[position]] / parts[position];
        let shrinking = (0..parts.len()).filter(|position| parts[*position] > DEPENDENT);
        let leaving = shrinking.reduce(|first, other| if reach(other) < reach(first) { other } else { first })?;
        let step = reach(leaving);
        let mut solver = self.clone();
        for (position, other) in self.support.iter().enumerate() {
            solver.weights[*other] = (self.weights[*other] - step * parts[position]).max(0.0);
        }
        solver.leave(leaving);
        if !solver.enter(gram, member) {
            return None;
        }
        solver.weights[member] = step;
        let settled = solver.settle(gram, kernel_mean);
        let risen = gram::objective(kernel_mean, &solver.weights, &settled.products);
        (risen > objective + ROUNDING * objective.abs()).then_some((solver, settled))
    }

    /// The weights on the support whose K w is nearest to a member's: K⁻¹k, and under Σw = 1 those that sum to 1.
    fn parts(&self, gram: &Gram, member: usize) -> Vec<f64> {
        let similarities: Vec<f64> = self.support.iter().map(|other| gram.get(member, *other)).collect();
        let parts = self.solve(&similarities);
        match self.constraint {
            Constraint::Nonnegative => parts,
            Constraint::Convex => summing_to_one(parts, &self.solve(&vec![1.0; similarities.len()])).0,
        }
    }

    /// Holds the member at `position` of the support at 0.
    fn leave(&mut self, position: usize) {
        let member = self.support.remove(position);
        self.factor.remove(position);
        self.half_solved.truncate(position);
        self.weights[member] = 0.0;
    }
}

/// The weights K⁻¹(μ − λ1) with Σw = 1 and λ, from K⁻¹μ and K⁻¹1; without that constraint K⁻¹μ itself.
fn summing_to_one(mut weights: Vec<f64>, ones: &[f64]) -> (Vec<f64>, f64) {
    if ones.is_empty() {
        return (weights, 0.0);
    }
    let multiplier = (weights.iter().sum::<f64>() - 1.0) / ones.iter().sum::<f64>();
    weights.iter_mut().zip(ones).for_each(|(weight, one)| *weight -= multiplier * one);
    (weights, multiplier)
}

impl Settled {
    /// The solution with members added since, none of which has a weight.
    fn with_new_members(mut self, gram: &Gram, weights: &[f64]) -> Settled {
        for member in self.products.len()..gram.len() {
            self.products.push(gram.times_at(member, weights));
        }
        self
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use ndarray::array;

    #[test]
    fn a_member_enters_and_pushes_another_out() {
        // Alone, the first member has w = 1. The second, nearer to the mean, makes the first's optimum (1 − 0.9·1.2)/(1
        // − 0.81) negative, so it leaves and w₂ = 1.2.
        let gram = Gram::from_view(array![[1.0, 0.9], [0.9, 1.0]].view());
        let mut solver = ActiveSet::new(Constraint::Nonnegative);
        let mut first = gram.clone();
        first.pop();
        assert_eq!(solver.maximise(&first, &[1.0]).weights, [1.0]);
        let optimum = solver.maximise(&gram, &[1.0, 1.2]);
        assert!((optimum.weights[1] - 1.2).abs() < 1e-15 && optimum.weights[0] == 0.0, "{optimum:?}");
        assert!((optimum.objective - 0.72).abs() < 1e-15);
    }

    #[test]
    fn a_duplicate_keeps_the_weight_zero() {
        let gram = Gram::from_view(array![[1.0, 1.0], [1.0, 1.0]].view());
        let optimum = ActiveSet::new(Constraint::Nonnegative).maximise(&gram, &[0.5, 0.5]);
        assert_eq!(optimum.weights, [0.5, 0.0]);
    }

    /// The second member is within 1e-7 of the first and nearer to the mean; it depends on the first and was held at 0, which
    /// lost all that it is better by.
    #[test]
    fn a_better_near_copy_takes_the_place_of_the_first() {
        let gram = Gram::from_view(array![[1.0, 1.0 - 1e-14], [1.0 - 1e-14, 1.0]].view());
        let optimum = ActiveSet::new(Constraint::Nonnegative).maximise(&gram, &[0.5, 0.5]);
        assert_eq!(optimum.weights, [0.5, 0.0]);
        let mut solver = ActiveSet::new(Constraint::Nonnegative);
        let mut first = gram.clone();
        first.pop();
        solver.maximise(&first, &[0.5]);
        assert_eq!(solver.maximise(&gram, &[0.5, 0.5 + 1e-8]).weights, [0.0, 0.5 + 1e-8]);
    }

    #[test]
    fn a_better_near_copy_takes_the_whole_share_of_the_first() {
        // Rows −1e-7, 1 and 0 on a line, plus a constant: the first and the last are copies but for 1e-14.
        let rows = [-1e-7_f64, 1.0, 0.0];
        let gram = Gram::from_view(ndarray::Array2::from_shape_fn((3, 3), |(i, j)| rows[i] * rows[j] + 1.0).view());
        let mean = |row: f64| 0.25 * row + 1.0; // the target's mean is 0.25
        let kernel_mean = [mean(-1e-7), mean(1.0), mean(0.0) + 1e-6];
        let (mut solver, mut first_two) = (ActiveSet::new(Constraint::Convex), gram.clone());
        first_two.pop();
        solver.maximise(&first_two, &kernel_mean[..2]);
        let weights = solver.maximise(&gram, &kernel_mean).weights;
        assert!(weights[0] == 0.0 && (weights[2] - 0.75).abs() < 1e-5, "{weights:?}");
        assert!((weights.iter().sum::<f64>() - 1.0).abs() < 1e-15, "{weights:?}");
    }

    #[test]
    fn means_far_larger_than_similarities_still_sum_to_one() {
        let gram = Gram::from_view(array![[2.0, 0.5], [0.5, 2.0]].view());
        let optimum = ActiveSet::new(Constraint::Convex).maximise(&gram, &[1e18, 1e18]);
        // Which member has the weight is lost in the rounding of such means, but not that there is one.
        assert_eq!(optimum.weights.iter().sum::<f64>(), 1.0);
    }

    #[test]
    fn forgetting_a_member_leaves_the_problem_of_the_others() {
        let gram = Gram::from_view(array![[1.0, 0.2, 0.1], [0.2, 1.0, 0.3], [0.1, 0.3, 1.0]].view());
        let kernel_mean = [0.5, 0.4, 0.6];
        for constraint in [Constraint::Nonnegative, Constraint::Convex] {
            for forgotten in 0..3 {
                let mut warm = ActiveSet::new(constraint);
                warm.maximise(&gram, &kernel_mean);
                warm.forget(forgotten);
                let (mut rest, mut means) = (gram.clone(), kernel_mean.to_vec());
                rest.remove(forgotten);
                means.remove(forgotten);
                let (warm, cold) = (warm.maximise(&rest, &means), ActiveSet::new(constraint).maximise(&rest, &means));
                for (warm, cold) in warm.weights.iter().zip(&cold.weights) {
                    assert!((warm - cold).abs() < 1e-14);
                }
            }
        }
    }

    #[test]
    fn a_member_with_a_negative_mean_has_no_weight() {
        let gram = Gram::from_view(array![[1.0]].view());
        assert_eq!(ActiveSet::new(Constraint::Nonnegative).maximise(&gram, &[-0.5]).weights, [0.0]);
    }
}
