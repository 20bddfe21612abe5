//! P-Lasso, the paper's lasso for prototypes, by its whole regularisation path instead of a search for ε.

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
/// assert_eq!(path.breakpoints[0].support, [1]); // the row in the middle is the most similar to all
/// assert!(path.is_complete); // down to where every row stands for itself
/// assert_eq!(path.breakpoints.last().unwrap().support.len(), 4);
/// # Ok::<(), protodash::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct LassoPath {
    /// Where the support changes, from the largest penalty down; the last one is the end of the path.
    pub breakpoints: Vec<Breakpoint>,
    /// Whether the path goes down to the penalty 0.
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
    /// The source rows with a weight just below this penalty, in the order in which they joined.
    pub support: Vec<usize>,
    /// The weight of each at this penalty; 0 for a row that joins here.
    pub weights: Vec<f64>,
    /// ‖w‖₁, the ε of which this is the solution under ‖w‖₁ ≤ ε.
    pub norm: f64,
    /// l(w), without the penalty.
    pub objective: f64,
}

impl LassoPath {
    /// The solution for a penalty; `None` below the end of the path or if it is not a number.
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
            // Above the largest kernel mean nothing has a weight.
            return Some(Breakpoint { penalty, support: Vec::new(), weights: Vec::new(), norm: 0.0, objective: 0.0 });
        }
        let (upper, lower) = self.stretch(|breakpoint| breakpoint.penalty <= penalty)?;
        Some(between(upper, lower, (upper.penalty - penalty) / (upper.penalty - lower.penalty)))
    }

    /// The solution under ‖w‖₁ ≤ `norm`; `None` past the end of a path that is not complete, or for no norm at all.
    ///
    /// Past the end of a complete path the bound does not bind, and the solution is that without one.
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
            if norm > 0.0 { self.stretch(|breakpoint| breakpoint.norm >= norm)? } else { return None };
        Some(between(upper, lower, (norm - upper.norm) / (lower.norm - upper.norm)))
    }

    /// The numbers of prototypes that the path has, in order; 0 only if it has no other.
    ///
    /// # Examples
    ///
    /// ```
    /// use ndarray::array;
    /// use protodash::{Gaussian, Params, Unobserved, p_lasso_path};
    ///
    /// // Two pairs of rows, alike from either side: both rows of the middle join at once.
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

    /// The two breakpoints between which the first one below has the property.
    fn stretch(&self, reached: impl Fn(&Breakpoint) -> bool) -> Option<(&Breakpoint, &Breakpoint)> {
        let lower = self.breakpoints.iter().position(reached)?;
        Some((&self.breakpoints[lower.checked_sub(1)?], &self.breakpoints[lower]))
    }

    /// The first solution with this many rows: the support, and the smallest penalty at which all of it has a weight.
    fn first_with(&self, n_prototypes: usize) -> Option<(&[usize], f64)> {
        let stretches = self.breakpoints.windows(2);
        let [upper, lower] = stretches.into_iter().find(|pair| pair[0].support.len() == n_prototypes)? else {
            return None;
        };
        // Where a row leaves, its weight is 0 at the end of the stretch but not in the middle.
        let all_stay = upper.support.iter().all(|row| lower.support.contains(row));
        let penalty = if all_stay { lower.penalty } else { 0.5 * (upper.penalty + lower.penalty) };
        Some((&upper.support, penalty))
    }
}

/// The solution a part of the way from one breakpoint to the next.
fn between(upper: &Breakpoint, lower: &Breakpoint, part: f64) -> Breakpoint {
    let mix = |from: f64, to: f64| from + part * (to - from);
    let weight_below = |row: &usize| {
        let place = lower.support.iter().position(|other| other == row);
        place.map_or(0.0, |place| lower.weights[place])
    };
    let rows = upper.support.iter().zip(&upper.weights);
    let weights: Vec<f64> = rows.map(|(row, weight)| mix(*weight, weight_below(row))).collect();
    let (penalty, norm) = (mix(upper.penalty, lower.penalty), mix(upper.norm, lower.norm));
    // l(w) = ½(μᵀw + λ‖w‖₁), of which μᵀw is linear in between.
    let product = |point: &Breakpoint| 2.0 * point.objective - point.penalty * point.norm;
    let objective = 0.5 * (mix(product(upper), product(lower)) + penalty * norm);
    Breakpoint { penalty, support: upper.support.clone(), weights, norm, objective }
}

/// The non-negative lasso's solutions for all penalties from the largest kernel mean down.
///
/// # Formula
///
/// ```text
/// max μᵀw − ½ wᵀKw − λ 1ᵀw,  w ≥ 0        or, the same in other words,  max l(w),  ‖w‖₁ ≤ ε,  w ≥ 0
/// ```
///
/// followed by a homotopy in λ: rows join where their gradient reaches λ and leave where their weight reaches 0, any
/// number of them at once. Where the path ends, at λ = 0, its weights are the best non-negative ones of the whole
/// source. Copies of an earlier row never join, nor do rows that are numerically combinations of those that have.
///
/// Of `params` it looks at `n_prototypes`, which ends the path after the first stretch with that many rows (`None`
/// follows it to the end), at `target_weights` and at `column_memory`. Costs the kernel mean, n₂ kernel values for each
/// row that joins and O(n₂ · |support|) for each breakpoint.
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
/// assert!(end.weights.iter().all(|weight| (weight - 1.0 / 3.0).abs() < 1e-12)); // every row stands for itself
/// # Ok::<(), protodash::Error>(())
/// ```
pub fn p_lasso_path<T: Scalar, K: Kernel<T> + ?Sized>(
    target: &ArrayRef2<T>,
    source: &ArrayRef2<T>,
    kernel: &K,
    params: &Params,
    observer: &mut dyn Observer,
) -> Result<LassoPath> {
    // Weights do not depend on the target's energy.
    let params = &Params { target_energy: TargetEnergy::Skip, ..params.clone() };
    let prepared = Prepared::new(target, source, kernel, params, observer)?;
    walk::walk(prepared.problem(params), params.n_prototypes, observer)
}

/// The rows of the first solution with as many as are wanted, in the order in which they joined.
///
/// A path that ends before is followed to its end. Its own weights are those at the smallest penalty of that stretch,
/// which is the largest ε with so many rows.
pub(super) fn choose<'a, T: Scalar, K: Kernel<T> + ?Sized>(
    problem: SelectionProblem<'a, T, K>,
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
