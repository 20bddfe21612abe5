//! A problem written out in double-double, and its exact optimal weights.

use crate::double_double::DoubleDouble;
use crate::problem::{AdversaryProblem, KernelForm};
use crate::similarity::{ExactValue, Similarity};
use ndarray::Array2;

/// A Schur complement below this fraction of the diagonal is rounding error, even in double-double.
const DEPENDENT: f64 = 1e-27;
/// Fraction of the rounding error of kernel values that remains where large ones cancel.
const KERNEL_ROUNDING: f64 = 0.1;
/// Fraction of the energy that a row must be able to explain to count as independent of others.
const INDEPENDENT: f64 = 1e-2;

/// All kernel values of a problem.
pub(crate) struct Reference {
    /// Not centred.
    pub(crate) raw: View,
    /// Centred at the best single row, for weights that sum to 1: there the origin must not matter, not even to rounding.
    pub(crate) centred: View,
    /// ‖μ‖² of the target, and the size of its terms.
    pub(crate) energy: ExactValue,
    /// Kernel values for the library, where it is given matrices: of the source, across, and of the target.
    pub(crate) matrices: [Array2<f64>; 3],
    /// For each row the first that equals it.
    pub(crate) first_equal: Vec<usize>,
}

/// Changes of the support for each row.
const MOST_STEPS: usize = 20;
/// The rounding of an objective in double-double, as a fraction of it.
const LAST_DIGITS: f64 = 1e-27;

/// The Gram matrix and the kernel mean of the source, with the sizes of the terms that rounding errors are relative to.
pub(crate) struct View {
    pub(crate) gram: Vec<Vec<ExactValue>>,
    pub(crate) mean: Vec<ExactValue>,
    pub(crate) is_convex: bool,
}

impl Reference {
    pub(crate) fn new(problem: &AdversaryProblem) -> Self {
        let rows =
            |matrix: &Array2<f64>| -> Vec<Vec<f64>> { matrix.rows().into_iter().map(|row| row.to_vec()).collect() };
        let (target, source) = (rows(problem.target()), rows(&problem.source));
        let values = |x: &[Vec<f64>], y: &[Vec<f64>]| {
            let of_row = |x: &Vec<f64>| -> Vec<_> { y.iter().map(|y| problem.similarity.evaluate(x, y)).collect() };
            x.iter().map(of_row).collect::<Vec<_>>()
        };
        let mut sides = [values(&source, &source), values(&target, &source), values(&target, &target)];
        let matrices = [&sides[0], &sides[1], &sides[2]].map(|side| {
            Array2::from_shape_fn((side.len(), side.first().map_or(0, Vec::len)), |(i, j)| side[i][j].value.to_f64())
        });
        if problem.form == KernelForm::Matrix {
            // What the library is given is the problem, without further rounding.
            for value in sides.iter_mut().flatten().flatten() {
                value.value = value.value.to_f64().into();
            }
        }
        let [gram, across, own] = sides;
        let weights = problem.target_weights.clone().unwrap_or_else(|| vec![1.0; target.len()]);
        let total: DoubleDouble = weights.iter().map(|weight| DoubleDouble::from(*weight)).sum();
        let weights: Vec<DoubleDouble> = weights.iter().map(|weight| DoubleDouble::from(*weight) / total).collect();
        let weighted = |values: &mut dyn Iterator<Item = ExactValue>| {
            let terms = values.zip(&weights).map(|(term, weight)| (term.value * *weight, term.size * weight.to_f64()));
            terms.fold(ExactValue::ZERO, |sum, (value, size)| ExactValue {
                value: sum.value + value,
                size: sum.size + size,
            })
        };
        let mean = (0..source.len()).map(|j| weighted(&mut across.iter().map(|row| row[j]))).collect();
        let energy = weighted(&mut own.iter().map(|row| weighted(&mut row.iter().copied())));
        let first = |row: usize| (0..=row).find(|other| source[*other] == source[row]).unwrap_or(row);
        let raw = View { gram, mean, is_convex: false };
        // The linear kernel is centred by differences of the rows themselves, others that grow by differences of kernel
        // values, and those that do not exceed 1 not at all.
        let rounding = match (problem.similarity, problem.form) {
            (Similarity::Linear, KernelForm::BuiltIn) => 0.0,
            (similarity, _) if similarity.grows() => KERNEL_ROUNDING,
            _ => 1.0,
        };
        Reference {
            centred: raw.centred(energy, rounding),
            raw,
            energy,
            matrices,
            first_equal: (0..source.len()).map(first).collect(),
        }
    }

    /// The view of the problem for convex or for other weights.
    pub(crate) fn view(&self, is_convex: bool) -> &View {
        if is_convex { &self.centred } else { &self.raw }
    }

    /// Whether f64 has the range for all values, with room for products of them.
    pub(crate) fn is_in_range(&self) -> bool {
        let values = self.raw.gram.iter().flatten().chain(&self.raw.mean).chain([&self.energy]);
        let fits = |size: f64| size.is_finite() && size < 1e140 && (size == 0.0 || size > 1e-140);
        values.into_iter().all(|value| fits(value.size) && value.value.is_finite())
    }
}

impl View {
    pub(crate) fn len(&self) -> usize {
        self.mean.len()
    }

    /// ⟨φ(x) − φ(r), φ(y) − φ(r)⟩ for the best single row r; `rounding` is the fraction of the raw terms that may remain.
    fn centred(&self, energy: ExactValue, rounding: f64) -> View {
        let (gram, mean) = (&self.gram, &self.mean);
        let half = DoubleDouble::from(0.5);
        let alone = |i: usize| mean[i].value - half * gram[i][i].value;
        let best = (0..self.len()).fold(0, |best, i| if alone(i) > alone(best) { i } else { best });
        let value =
            |i: usize, j: usize| gram[i][j].value - gram[i][best].value - gram[j][best].value + gram[best][best].value;
        let goal = |i: usize| mean[i].value - mean[best].value - gram[i][best].value + gram[best][best].value;
        let spread = |i: usize| value(i, i).to_f64().max(0.0).sqrt();
        let apart = energy.value - mean[best].value - mean[best].value + gram[best][best].value;
        let distance = apart.to_f64().max(0.0).sqrt();
        let raw_size =
            |i: usize, j: usize| gram[i][j].size + gram[i][best].size + gram[j][best].size + gram[best][best].size;
        let raw_goal_size = |i: usize| mean[i].size + mean[best].size + gram[i][best].size + gram[best][best].size;
        let least = INDEPENDENT * apart.to_f64().max(0.0);
        let entry = |i: usize, j: usize| ExactValue {
            value: value(i, j),
            size: least + spread(i) * spread(j) + rounding * raw_size(i, j),
        };
        let goal =
            |i: usize| ExactValue { value: goal(i), size: least + spread(i) * distance + rounding * raw_goal_size(i) };
        View {
            gram: (0..self.len()).map(|i| (0..self.len()).map(|j| entry(i, j)).collect()).collect(),
            mean: (0..self.len()).map(goal).collect(),
            is_convex: true,
        }
    }

    /// μ − K w at a row, for weights on a set.
    pub(crate) fn slope(&self, row: usize, set: &[usize], weights: &[f64]) -> ExactValue {
        let ExactValue { mut value, mut size } = self.mean[row];
        for (other, weight) in set.iter().zip(weights) {
            let similarity = self.gram[row][*other];
            value = value - similarity.value * DoubleDouble::from(*weight);
            size += similarity.size * weight;
        }
        ExactValue { value, size }
    }

    /// l(w), and the size of its terms.
    pub(crate) fn objective(&self, set: &[usize], weights: &[f64]) -> ExactValue {
        let half = DoubleDouble::from(0.5);
        let mut sum = ExactValue::ZERO;
        for (row, weight) in set.iter().zip(weights) {
            let slope = self.slope(*row, set, weights);
            sum.value = sum.value + DoubleDouble::from(*weight) * half * (self.mean[*row].value + slope.value);
            sum.size += weight * slope.size;
        }
        sum
    }

    /// The Schur complement of a row against a set, as a fraction of its similarity to itself.
    pub(crate) fn schur(&self, row: usize, set: &[usize]) -> f64 {
        let own = self.gram[row][row].value;
        let solver = ExactSolver::new(self, set);
        let similarities: Vec<DoubleDouble> = set.iter().map(|other| self.gram[row][*other].value).collect();
        let support: Vec<usize> = (0..set.len()).collect();
        let Some(parts) = solver.solve(&support, similarities.clone()) else { return 0.0 };
        let explained: DoubleDouble =
            parts.iter().zip(&similarities).map(|(part, similarity)| *part * *similarity).sum();
        ((own - explained) / own).to_f64()
    }

    /// The largest l(w) with weights on a set that are at least 0, and sum to 1 if they are convex.
    pub(crate) fn best(&self, set: &[usize]) -> ExactValue {
        if set.is_empty() {
            return ExactValue::ZERO;
        }
        let solver = ExactSolver::new(self, set);
        let weights = solver.maximise();
        let as_f64: Vec<f64> = weights.iter().map(|weight| weight.to_f64()).collect();
        let half = DoubleDouble::from(0.5);
        let product = |row: usize| -> DoubleDouble {
            set.iter().zip(&weights).map(|(other, weight)| self.gram[row][*other].value * *weight).sum()
        };
        let term = |(row, weight): (&usize, &DoubleDouble)| *weight * (self.mean[*row].value - half * product(*row));
        ExactValue { value: set.iter().zip(&weights).map(term).sum(), size: self.objective(set, &as_f64).size }
    }
}

/// Lawson and Hanson's active set, from scratch at every step.
struct ExactSolver {
    gram: Vec<Vec<DoubleDouble>>,
    mean: Vec<DoubleDouble>,
    is_convex: bool,
}

impl ExactSolver {
    /// Under Σw = 1 with a constant added to all values, which changes nothing there but makes rows independent.
    fn new(view: &View, set: &[usize]) -> Self {
        let value = |i: &usize, j: &usize| view.gram[*i][*j].value;
        // As large as what one row can explain: the largest row may be beyond the digits of double-double.
        let reach = |i: &usize| (view.mean[*i].value.to_f64(), value(i, i).to_f64());
        let reaches = set.iter().map(reach).filter(|(mean, own)| *mean > 0.0 && *own > 0.0);
        let most = reaches.map(|(mean, own)| mean * (mean / own)).fold(0.0, f64::max);
        let spreads = set.iter().map(|i| value(i, i).to_f64()).filter(|own| *own > 0.0);
        let least = spreads.reduce(f64::min).unwrap_or(1.0);
        // Far below the rows it would not show that they are independent.
        let typical = DoubleDouble::from(most.max(1e-16 * least));
        let shift = if view.is_convex { typical } else { DoubleDouble::ZERO };
        ExactSolver {
            gram: set.iter().map(|i| set.iter().map(|j| value(i, j) + shift).collect()).collect(),
            mean: set.iter().map(|i| view.mean[*i].value + shift).collect(),
            is_convex: view.is_convex,
        }
    }

    fn maximise(&self) -> Vec<DoubleDouble> {
        let n = self.mean.len();
        let (mut weights, mut support) = (vec![DoubleDouble::ZERO; n], Vec::new());
        let mut multiplier = DoubleDouble::ZERO;
        if self.is_convex {
            let half = DoubleDouble::from(0.5);
            let alone = |i: usize| self.mean[i] - half * self.gram[i][i];
            let best = (0..n).fold(0, |best, i| if alone(i) > alone(best) { i } else { best });
            (weights[best], support) = (DoubleDouble::ONE, vec![best]);
            multiplier = self.mean[best] - self.gram[best][best];
        }
        let mut barred = vec![false; n];
        let mut objective = self.objective(&weights);
        // Rounding could otherwise go in circles. A maximum that is too low makes the checks weaker, never wrong.
        for _ in 0..MOST_STEPS * n {
            let slope = |i: usize| self.mean[i] - multiplier - self.product(i, &weights);
            let steep = |i: usize| slope(i).to_f64() / self.gram[i][i].to_f64().max(f64::MIN_POSITIVE).sqrt();
            let open = (0..n).filter(|i| !support.contains(i) && !barred[*i] && slope(*i) > DoubleDouble::ZERO);
            let Some(entering) = open.reduce(|a, b| if steep(b) > steep(a) { b } else { a }) else { return weights };
            let (mut next, mut members) = (weights.clone(), support.clone());
            members.push(entering);
            let Some(reached) = self.settle(&mut next, &mut members) else {
                barred[entering] = true;
                continue;
            };
            let risen = self.objective(&next);
            let rise = (risen - objective).to_f64();
            if rise > 0.0 {
                (weights, support, multiplier, objective) = (next, members, reached, risen);
                // A rise by the last digits alone might be undone and made again forever.
                match rise > LAST_DIGITS * objective.abs().to_f64() {
                    true => barred = vec![false; n],
                    false => barred[entering] = true,
                }
            } else {
                barred[entering] = true;
            }
        }
        weights
    }

    /// Moves to the maximum on the support; `None` if its rows are dependent.
    fn settle(&self, weights: &mut [DoubleDouble], support: &mut Vec<usize>) -> Option<DoubleDouble> {
        loop {
            let means: Vec<DoubleDouble> = support.iter().map(|i| self.mean[*i]).collect();
            let mut goal = self.solve(support, means)?;
            let mut multiplier = DoubleDouble::ZERO;
            if self.is_convex {
                let ones = self.solve(support, vec![DoubleDouble::ONE; support.len()])?;
                multiplier =
                    (goal.iter().copied().sum::<DoubleDouble>() - DoubleDouble::ONE) / ones.iter().copied().sum();
                goal.iter_mut().zip(&ones).for_each(|(goal, one)| *goal = *goal - multiplier * *one);
            }
            let blocks = |at: &usize| goal[*at] <= DoubleDouble::ZERO;
            let reach = |at: usize| {
                let here = weights[support[at]];
                if here > DoubleDouble::ZERO { here / (here - goal[at]) } else { DoubleDouble::ZERO }
            };
            let blocking = (0..support.len()).filter(blocks).reduce(|a, b| if reach(b) < reach(a) { b } else { a });
            let Some(at) = blocking else {
                support.iter().zip(goal).for_each(|(i, goal)| weights[*i] = goal);
                return Some(multiplier);
            };
            let step = reach(at);
            for (position, i) in support.iter().enumerate() {
                weights[*i] = weights[*i] + step * (goal[position] - weights[*i]);
            }
            weights[support[at]] = DoubleDouble::ZERO;
            support.remove(at);
        }
    }

    /// K⁻¹ b on the support, by Cholesky factorisation.
    fn solve(&self, support: &[usize], mut b: Vec<DoubleDouble>) -> Option<Vec<DoubleDouble>> {
        let n = support.len();
        let mut factor = vec![vec![DoubleDouble::ZERO; n]; n];
        for i in 0..n {
            for j in 0..=i {
                let known: DoubleDouble = (0..j).map(|k| factor[i][k] * factor[j][k]).sum();
                let rest = self.gram[support[i]][support[j]] - known;
                if i == j {
                    if rest.to_f64() <= DEPENDENT * self.gram[support[i]][support[i]].to_f64() {
                        return None;
                    }
                    factor[i][i] = rest.sqrt();
                } else {
                    factor[i][j] = rest / factor[j][j];
                }
            }
        }
        for i in 0..n {
            let known: DoubleDouble = (0..i).map(|k| factor[i][k] * b[k]).sum();
            b[i] = (b[i] - known) / factor[i][i];
        }
        for i in (0..n).rev() {
            let known: DoubleDouble = (i + 1..n).map(|k| factor[k][i] * b[k]).sum();
            b[i] = (b[i] - known) / factor[i][i];
        }
        Some(b)
    }

    fn product(&self, row: usize, weights: &[DoubleDouble]) -> DoubleDouble {
        self.gram[row].iter().zip(weights).map(|(value, weight)| *value * *weight).sum()
    }

    fn objective(&self, weights: &[DoubleDouble]) -> DoubleDouble {
        let half = DoubleDouble::from(0.5);
        (0..weights.len()).map(|i| weights[i] * (self.mean[i] - half * self.product(i, weights))).sum()
    }
}
