//! Optimal weights for a given set: max l(w) on a small Gram matrix. Knows nothing about target or source.

mod active_set;
mod gain_bound;

pub(crate) use active_set::{ActiveSet, Constraint, Optimum};
pub(crate) use gain_bound::NewMember;

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

fn solve(kernel_mean: ArrayView1<'_, f64>, gram: ArrayView2<'_, f64>, constraint: Constraint) -> Result<Vec<f64>> {
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
