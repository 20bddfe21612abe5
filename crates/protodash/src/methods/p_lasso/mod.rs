//! P-Lasso, the paper's lasso for prototypes, computed as a whole regularisation path instead of by a search for ε.

mod direction;
mod support;
mod walk;

use ndarray::ArrayRef2;

use super::ChosenRows;
use crate::error::{Error, Result};
use crate::kernel::Kernel;
use crate::observe::Observer;
use crate::params::{Params, TargetEnergy};
use crate::prepared::Prepared;
use crate::problem::{SelectionProblem, StoppingRule};
use crate::rows::Scalar;
use crate::weigh::Rule;

/// The solutions of the lasso for every penalty.
///
/// Between two breakpoints the support stays the same and the weights are linear in the penalty.
///
/// # Examples
///
/// ```
/// use ndarray::array;
/// use protodash::{Gaussian, Params, Unobserved, p_lasso_path};
///
/// let rows = array![[0.0], [1.0], [2.0], [9.0]];
/// let path = p_lasso_path(&rows, &rows, &Gaussian::new(1.0)?, &Params::until_optimal(), &mut Unobserved)?;
/// assert_eq!(path.breakpoints[0].support, [1]); // the middle row has the largest kernel mean
/// assert!(path.is_complete); // down to the penalty 0
/// assert_eq!(path.breakpoints.last().unwrap().support.len(), 4);
/// # Ok::<(), protodash::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct LassoPath {
    /// The points where the support changes, from the largest penalty down; the last one is the end of the path.
    pub breakpoints: Vec<Breakpoint>,
    /// Whether the path ends at penalty 0.
    pub is_complete: bool,
}

/// One solution of the lasso.
///
/// # Examples
///
/// ```
/// use ndarray::array;
/// use protodash::{Linear, Params, Unobserved, p_lasso_path};
///
/// let rows = array![[2.0]]; // μ = K = 4, so that w = (4 − λ)/4
/// let path = p_lasso_path(&rows, &rows, &Linear, &Params::new(1), &mut Unobserved)?;
/// assert_eq!((path.breakpoints[0].penalty, path.breakpoints[0].norm), (4.0, 0.0));
/// assert_eq!((path.breakpoints[1].penalty, path.breakpoints[1].weights[0]), (0.0, 1.0));
/// assert_eq!(path.breakpoints[1].objective, 2.0);
/// # Ok::<(), protodash::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct Breakpoint {
    /// λ.
    pub penalty: f64,
    /// The source rows with a positive weight just below this penalty, in the order in which they joined.
    pub support: Vec<usize>,
    /// The weight of each at this penalty; 0 for a row that joins here.
    pub weights: Vec<f64>,
    /// ‖w‖₁; this is the solution under ‖w‖₁ ≤ ε for this ε.
    pub norm: f64,
    /// l(w), without the penalty.
    pub objective: f64,
}

impl LassoPath {
    /// The solution for a penalty; `None` below the end of the path or for NaN.
    ///
    /// # Examples
    ///
    /// ```
    /// use ndarray::array;
    /// use protodash::{Linear, Params, Unobserved, p_lasso_path};
    ///
    /// let rows = array![[2.0]]; // w = (4 − λ)/4
    /// let path = p_lasso_path(&rows, &rows, &Linear, &Params::new(1), &mut Unobserved)?;
    /// assert_eq!(path.at_penalty(1.0).unwrap().weights, [0.75]);
    /// assert_eq!(path.at_penalty(5.0).unwrap().norm, 0.0);
    /// assert_eq!(path.at_penalty(-1.0), None);
    /// # Ok::<(), protodash::Error>(())
    /// ```
    pub fn at_penalty(&self, penalty: f64) -> Option<Breakpoint> {
        let first = self.breakpoints.first()?;
        if penalty >= first.penalty {
            // Above the largest kernel mean all weights are 0.
            return Some(Breakpoint { penalty, support: Vec::new(), weights: Vec::new(), norm: 0.0, objective: 0.0 });
        }
        let (upper, lower) = self.segment(|breakpoint| breakpoint.penalty <= penalty)?;
        Some(between(upper, lower, (upper.penalty - penalty) / (upper.penalty - lower.penalty)))
    }

    /// The solution under ‖w‖₁ ≤ `norm`; `None` beyond the end of an incomplete path, or for a negative norm or NaN.
    ///
    /// Beyond the end of a complete path the constraint is inactive.
    ///
    /// # Examples
    ///
    /// ```
    /// use ndarray::array;
    /// use protodash::{Linear, Params, Unobserved, p_lasso_path};
    ///
    /// let rows = array![[2.0]];
    /// let path = p_lasso_path(&rows, &rows, &Linear, &Params::new(1), &mut Unobserved)?;
    /// assert_eq!(path.at_norm(0.75).unwrap().penalty, 1.0);
    /// assert_eq!(path.at_norm(3.0).unwrap().weights, [1.0]);
    /// # Ok::<(), protodash::Error>(())
    /// ```
    pub fn at_norm(&self, norm: f64) -> Option<Breakpoint> {
        let (first, last) = (self.breakpoints.first()?, self.breakpoints.last()?);
        if norm >= last.norm {
            return (self.is_complete || norm == last.norm).then(|| last.clone());
        }
        if norm == 0.0 {
            return self.at_penalty(first.penalty);
        }
        let (upper, lower) =
            if norm > 0.0 { self.segment(|breakpoint| breakpoint.norm >= norm)? } else { return None };
        Some(between(upper, lower, (norm - upper.norm) / (lower.norm - upper.norm)))
    }

    /// The numbers of prototypes on the path, ascending; 0 only if there is no other.
    ///
    /// # Examples
    ///
    /// ```
    /// use ndarray::array;
    /// use protodash::{Gaussian, Params, Unobserved, p_lasso_path};
    ///
    /// // Two rows with the same kernel mean join at once.
    /// let rows = array![[-1.0], [1.0]];
    /// let mut params = Params::new(1);
    /// params.n_prototypes = None;
    /// let path = p_lasso_path(&rows, &rows, &Gaussian::new(1.0)?, &params, &mut Unobserved)?;
    /// assert_eq!(path.numbers(), [2]);
    /// # Ok::<(), protodash::Error>(())
    /// ```
    pub fn numbers(&self) -> Vec<usize> {
        let mut numbers: Vec<usize> = self.breakpoints.iter().map(|breakpoint| breakpoint.support.len()).collect();
        numbers.sort_unstable();
        numbers.dedup();
        numbers
    }

    /// The segment that ends at the first breakpoint with this property.
    fn segment(&self, reached: impl Fn(&Breakpoint) -> bool) -> Option<(&Breakpoint, &Breakpoint)> {
        let lower = self.breakpoints.iter().position(reached)?;
        Some((&self.breakpoints[lower.checked_sub(1)?], &self.breakpoints[lower]))
    }

    /// The first solution with this many rows: the support, and the smallest penalty at which all its weights are positive.
    fn first_with(&self, n_prototypes: usize) -> Option<(&[usize], f64)> {
        let segments = self.breakpoints.windows(2);
        let [upper, lower] = segments.into_iter().find(|pair| pair[0].support.len() == n_prototypes)? else {
            return None;
        };
        // If a row leaves, its weight is 0 at the end of the segment but not in the middle.
        let all_stay = upper.support.iter().all(|row| lower.support.contains(row));
        let penalty = if all_stay { lower.penalty } else { 0.5 * (upper.penalty + lower.penalty) };
        Some((&upper.support, penalty))
    }
}

/// The solution between two breakpoints.
fn between(upper: &Breakpoint, lower: &Breakpoint, part: f64) -> Breakpoint {
    let mix = |from: f64, to: f64| from + part * (to - from);
    let weight_below = |row: &usize| {
        let position = lower.support.iter().position(|other| other == row);
        position.map_or(0.0, |position| lower.weights[position])
    };
    let rows = upper.support.iter().zip(&upper.weights);
    let weights: Vec<f64> = rows.map(|(row, weight)| mix(*weight, weight_below(row))).collect();
    let (penalty, norm) = (mix(upper.penalty, lower.penalty), mix(upper.norm, lower.norm));
    // l(w) = ½(μᵀw + λ‖w‖₁), of which μᵀw is linear in between.
    let product = |point: &Breakpoint| 2.0 * point.objective - point.penalty * point.norm;
    let objective = 0.5 * (mix(product(upper), product(lower)) + penalty * norm);
    Breakpoint { penalty, support: upper.support.clone(), weights, norm, objective }
}

/// The solutions of the non-negative lasso for all penalties.
///
/// # Formula
///
/// ```text
/// max μᵀw − ½ wᵀKw − λ 1ᵀw,  w ≥ 0        or equivalently  max l(w),  ‖w‖₁ ≤ ε,  w ≥ 0
/// ```
///
/// by a homotopy in λ: rows join where their gradient reaches λ and leave where their weight reaches 0, any number of them
/// at once. At the end, λ = 0, the weights are the optimal non-negative weights of the whole source. Copies of an earlier
/// row never join, nor do rows that are numerically dependent on the support.
///
/// It uses `n_prototypes`, which ends the path after the first segment with that many rows (`None` follows it to the end),
/// `target_weights` and `column_memory`. Costs the kernel mean, n₂ kernel values for each row that joins and
/// O(n₂ · |support|) for each breakpoint.
///
/// # Errors
///
/// As for [`select`](crate::select).
///
/// # Examples
///
/// ```
/// use ndarray::array;
/// use protodash::{Gaussian, Params, Unobserved, p_lasso_path};
///
/// let rows = array![[0.0], [0.5], [4.0]];
/// let mut params = Params::new(1);
/// params.n_prototypes = None;
/// let path = p_lasso_path(&rows, &rows, &Gaussian::new(1.0)?, &params, &mut Unobserved)?;
/// let end = path.breakpoints.last().unwrap();
/// assert_eq!((path.is_complete, end.penalty), (true, 0.0));
/// assert!(end.weights.iter().all(|weight| (weight - 1.0 / 3.0).abs() < 1e-12)); // each row represents itself
/// # Ok::<(), protodash::Error>(())
/// ```
pub fn p_lasso_path<T: Scalar>(
    target: &ArrayRef2<T>,
    source: &ArrayRef2<T>,
    kernel: &dyn Kernel<T>,
    params: &Params,
    observer: &mut dyn Observer,
) -> Result<LassoPath> {
    // Weights do not depend on the target's energy.
    let params = &Params { target_energy: TargetEnergy::Skip, ..params.clone() };
    let prepared = Prepared::new(target, source, kernel, params, observer)?;
    walk::walk(prepared.problem(params), params.n_prototypes, observer)
}

/// The rows of the first solution with the requested number of rows, in the order in which they joined.
///
/// If the path ends before that, its last solution. The method's own weights are those at the smallest penalty of that
/// segment, the largest ε with that many rows.
pub(super) fn choose<'a, T: Scalar>(
    problem: SelectionProblem<'a, T>,
    stop: StoppingRule,
    observer: &mut dyn Observer,
) -> Result<ChosenRows<'a>> {
    let path = walk::walk(problem, stop.n_prototypes, observer)?;
    let (support, penalty) = match stop.n_prototypes {
        None => end_of(&path),
        Some(wanted) => match path.first_with(wanted) {
            Some(found) => found,
            None => {
                let numbers = path.numbers();
                let above = numbers.iter().copied().find(|number| *number > wanted);
                if let Some(above) = above {
                    let below = numbers.iter().copied().rfind(|number| *number < wanted);
                    return Err(Error::UnreachableNumber { requested: wanted, below, above });
                }
                end_of(&path)
            }
        },
    };
    let order = Vec::from(support);
    Ok(ChosenRows::Ordered(Box::new(order.into_iter()), Rule::Penalised(penalty)))
}

fn end_of(path: &LassoPath) -> (&[usize], f64) {
    path.breakpoints.last().map_or((&[], 0.0), |end| (&end.support, end.penalty))
}
