//! Optimal weights for a given set: max l(w) on a small Gram matrix. Knows nothing about target or source.

mod active_set;
mod at_once;
mod bounded;
mod gain_bound;
mod limit_error;
mod limited;
mod ridge_factor;

pub(crate) use active_set::{ActiveSet, Constraint, Optimum};
pub(crate) use gain_bound::NewMember;
pub use limit_error::LimitError;
pub use limited::WeightLimits;
pub(crate) use limited::{LimitedSolver, WeightTotal};

use ndarray::{Array1, Array2, ArrayView1, ArrayView2};

use crate::centred::{largest, shift};
use crate::error::{Error, Result, Role};
use crate::gram::Gram;
use crate::params::check_length;

/// The weights w ≥ 0 that maximise the objective.
///
/// # Formula
///
/// ```text
/// max μᵀw − ½ wᵀKw,  w ≥ 0
/// ```
///
/// the step shared by Algorithms 1 and 2. The active-set method of Lawson and Hanson on the normal equations, with a
/// Cholesky factor that is updated, never recomputed: O(p²) for each member that enters or leaves the support of size p.
/// Members that are linear combinations of others, such as duplicates, keep weight 0.
///
/// # Errors
///
/// If the matrix is not square, if the lengths differ, or if a value is not finite.
///
/// # Examples
///
/// ```
/// use ndarray::array;
/// use protodash::weights::nonnegative;
///
/// // The unconstrained maximiser is (4/3, −2/3). With the second weight held at 0 the first is μ₁/K₁₁.
/// let weights = nonnegative(array![1.0, 0.0].view(), array![[1.0, 0.5], [0.5, 1.0]].view())?;
/// assert_eq!(weights, [1.0, 0.0]);
/// # Ok::<(), protodash::Error>(())
/// ```
pub fn nonnegative(kernel_mean: ArrayView1<'_, f64>, gram: ArrayView2<'_, f64>) -> Result<Vec<f64>> {
    solve(kernel_mean, gram, Constraint::Nonnegative)
}

/// The weights w ≥ 0 with Σw = 1 that maximise the objective.
///
/// # Formula
///
/// ```text
/// max μᵀw − ½ wᵀKw,  w ≥ 0,  Σw = 1
/// ```
///
/// the extension that the paper's discussion names as future work. The same method as [`nonnegative`], with the
/// multiplier of the sum.
///
/// # Errors
///
/// As for [`nonnegative`].
///
/// # Examples
///
/// ```
/// use ndarray::array;
/// use protodash::weights::convex;
///
/// let weights = convex(array![0.3, 0.1].view(), array![[1.0, 0.0], [0.0, 1.0]].view())?;
/// assert!((weights[0] - 0.6).abs() < 1e-15); // μ − λ with Σ = 1: λ = −0.3
/// assert!((weights[1] - 0.4).abs() < 1e-15);
/// # Ok::<(), protodash::Error>(())
/// ```
pub fn convex(kernel_mean: ArrayView1<'_, f64>, gram: ArrayView2<'_, f64>) -> Result<Vec<f64>> {
    solve(kernel_mean, gram, Constraint::Convex)
}

/// The weights w ≥ 0 within limits that maximise the objective.
///
/// # Formula
///
/// ```text
/// max μᵀw − ½ wᵀKw,  0 ≤ wⱼ ≤ max_weight · Σw,  (Σw)²/Σw² ≥ min_effective
/// ```
///
/// which is a convex problem. Solved by an active-set method with two bounds, inside a search for the multiplier of the
/// effective sample size and one for the total.
///
/// # Errors
///
/// As for [`nonnegative`]; also if a limit is out of range, or if no weights of so many members meet it.
///
/// # Examples
///
/// ```
/// use ndarray::{Array2, array};
/// use protodash::weights::{WeightLimits, limited_nonnegative};
///
/// let limits = WeightLimits { max_weight: Some(0.5), min_effective: None };
/// let (kernel_mean, gram) = (array![0.6, 0.2, 0.1], Array2::eye(3));
/// // With w₁ = w₂ + w₃ the objective is 0.8 w₂ + 0.7 w₃ − ½((w₂ + w₃)² + w₂² + w₃²).
/// let weights = limited_nonnegative(kernel_mean.view(), gram.view(), limits)?;
/// for (weight, expected) in weights.iter().zip([0.5, 0.3, 0.2]) {
///     assert!((weight - expected).abs() < 1e-10);
/// }
/// # Ok::<(), protodash::Error>(())
/// ```
pub fn limited_nonnegative(
    kernel_mean: ArrayView1<'_, f64>,
    gram: ArrayView2<'_, f64>,
    limits: WeightLimits,
) -> Result<Vec<f64>> {
    check_problem(kernel_mean, gram)?;
    limits.check(kernel_mean.len())?;
    let mut solver = LimitedSolver::new(limits, WeightTotal::Free);
    Ok(solver.maximise(&Gram::from_view(gram), &kernel_mean.to_vec()))
}

/// The weights w ≥ 0 with Σw = 1 within limits that maximise the objective.
///
/// # Formula
///
/// ```text
/// max μᵀw − ½ wᵀKw,  0 ≤ w ≤ max_weight,  Σw = 1,  1/Σw² ≥ min_effective
/// ```
///
/// # Errors
///
/// As for [`limited_nonnegative`].
///
/// # Examples
///
/// ```
/// use ndarray::array;
/// use protodash::weights::{WeightLimits, limited_convex};
///
/// let (kernel_mean, gram) = (array![0.3, 0.1], array![[1.0, 0.0], [0.0, 1.0]]);
/// let limits = WeightLimits { max_weight: Some(0.55), min_effective: None };
/// let weights = limited_convex(kernel_mean.view(), gram.view(), limits)?;
/// assert!((weights[0] - 0.55).abs() < 1e-15); // 0.6 without the cap
/// # Ok::<(), protodash::Error>(())
/// ```
pub fn limited_convex(
    kernel_mean: ArrayView1<'_, f64>,
    gram: ArrayView2<'_, f64>,
    limits: WeightLimits,
) -> Result<Vec<f64>> {
    check_problem(kernel_mean, gram)?;
    limits.check(kernel_mean.len())?;
    let (gram, kernel_mean) = centred_on_best(kernel_mean, gram);
    let mut solver = LimitedSolver::new(limits, WeightTotal::One);
    Ok(solver.maximise(&Gram::from_view(gram.view()), &kernel_mean.to_vec()))
}

/// The same weight 1/n for each of n members.
///
/// # Examples
///
/// ```
/// assert_eq!(protodash::weights::equal(4), [0.25; 4]);
/// ```
pub fn equal(n_members: usize) -> Vec<f64> {
    vec![1.0 / n_members as f64; n_members]
}

/// An error unless the matrix is square, the lengths agree and all values are finite.
fn check_problem(kernel_mean: ArrayView1<'_, f64>, gram: ArrayView2<'_, f64>) -> Result<()> {
    let (rows, columns) = gram.dim();
    if rows != columns {
        return Err(Error::NotSquare { rows, columns });
    }
    check_length("the kernel mean", kernel_mean.len(), rows)?;
    if let Some(((row, column), value)) = gram.indexed_iter().find(|(_, value)| !value.is_finite()) {
        return Err(Error::NotFinite { role: Role::Source, row, column, value: value.to_string() });
    }
    if let Some((row, value)) = kernel_mean.indexed_iter().find(|(_, value)| !value.is_finite()) {
        return Err(Error::KernelNotFinite { role: Role::Source, row, value: value.to_string() });
    }
    Ok(())
}

fn solve(kernel_mean: ArrayView1<'_, f64>, gram: ArrayView2<'_, f64>, constraint: Constraint) -> Result<Vec<f64>> {
    check_problem(kernel_mean, gram)?;
    let (gram, kernel_mean) = match constraint {
        Constraint::Nonnegative => (gram.to_owned(), kernel_mean.to_owned()),
        Constraint::Convex => centred_on_best(kernel_mean, gram),
    };
    let optimum = ActiveSet::new(constraint).maximise(&Gram::from_view(gram.view()), &kernel_mean.to_vec());
    Ok(optimum.weights)
}

/// The matrix and the means centred at the best single member; under Σw = 1 the optimal weights are the same.
fn centred_on_best(kernel_mean: ArrayView1<'_, f64>, gram: ArrayView2<'_, f64>) -> (Array2<f64>, Array1<f64>) {
    let n_members = kernel_mean.len();
    if n_members == 0 {
        return (gram.to_owned(), kernel_mean.to_owned());
    }
    let best = largest(n_members, |member| kernel_mean[member] - 0.5 * gram[(member, member)]);
    let own = gram[(best, best)];
    let centred = |(i, j): (usize, usize)| gram[(i, j)] - gram[(i, best)] - gram[(j, best)] + own;
    let mean = |member: usize| kernel_mean[member] - kernel_mean[best] - gram[(member, best)] + own;
    let members = (0..n_members).map(|member| (mean(member), centred((member, member)), gram[(member, member)] + own));
    let shift = shift(members, own);
    (
        Array2::from_shape_fn(gram.dim(), |pair| centred(pair) + shift),
        Array1::from_shape_fn(n_members, |member| mean(member) + shift),
    )
}
