//! The objective l(w), its gradient, MMD² and `explained`.

use ndarray::{Array1, ArrayView1, ArrayView2};

use crate::error::{Error, Result};
use crate::params::check_length;

/// The value of the objective at `weights`.
///
/// # Formula
///
/// ```text
/// l(w) = μᵀw − ½ wᵀKw
/// ```
///
/// where `μ` is the kernel mean of the prototypes, `K` their Gram matrix and `w ≥ 0` their weights (section II of the
/// paper). The squared MMD to the target is `‖μ‖² − 2 l(w)`, so larger is better.
///
/// # Errors
///
/// If the Gram matrix is not square, or if there is not one kernel mean and one weight for each of its rows.
///
/// # Examples
///
/// ```
/// use ndarray::{Array2, array};
/// use protodash::objective::objective;
///
/// let kernel_mean = array![0.5, 0.25];
/// let gram = Array2::eye(2); // two prototypes too far apart to overlap
/// // With K = I the maximiser is w = μ and the maximum is ½ μᵀμ.
/// assert_eq!(objective(kernel_mean.view(), gram.view(), kernel_mean.view())?, 0.15625);
/// # Ok::<(), protodash::Error>(())
/// ```
pub fn objective(
    kernel_mean: ArrayView1<'_, f64>,
    gram: ArrayView2<'_, f64>,
    weights: ArrayView1<'_, f64>,
) -> Result<f64> {
    check_lengths(kernel_mean, gram, weights)?;
    Ok(kernel_mean.dot(&weights) - 0.5 * weights.dot(&gram.dot(&weights)))
}

/// The gradient of the objective at `weights`.
///
/// # Formula
///
/// ```text
/// ∇l(w) = μ − K w
/// ```
///
/// with the symbols of [`objective`]; line 6 of Algorithm 2.
///
/// # Errors
///
/// If the Gram matrix is not square, or if there is not one kernel mean and one weight for each of its rows.
///
/// # Examples
///
/// ```
/// use ndarray::{Array2, array};
/// use protodash::objective::gradient;
///
/// let kernel_mean = array![0.5, 0.25];
/// let at_the_maximum = gradient(kernel_mean.view(), Array2::eye(2).view(), kernel_mean.view())?;
/// assert_eq!(at_the_maximum, array![0.0, 0.0]);
/// # Ok::<(), protodash::Error>(())
/// ```
pub fn gradient(
    kernel_mean: ArrayView1<'_, f64>,
    gram: ArrayView2<'_, f64>,
    weights: ArrayView1<'_, f64>,
) -> Result<Array1<f64>> {
    check_lengths(kernel_mean, gram, weights)?;
    Ok(&kernel_mean - &gram.dot(&weights))
}

fn check_lengths(
    kernel_mean: ArrayView1<'_, f64>,
    gram: ArrayView2<'_, f64>,
    weights: ArrayView1<'_, f64>,
) -> Result<()> {
    let (rows, columns) = gram.dim();
    if rows != columns {
        return Err(Error::NotSquare { rows, columns });
    }
    check_length("the kernel mean", kernel_mean.len(), rows)?;
    check_length("the weights", weights.len(), rows)
}

/// The squared maximum mean discrepancy to a target with energy ‖μ‖².
///
/// # Formula
///
/// ```text
/// MMD²(w) = ‖μ‖² − 2 l(w)
/// ```
///
/// # Examples
///
/// ```
/// assert_eq!(protodash::objective::mmd2(1.0, 0.375), 0.25);
/// ```
pub fn mmd2(target_energy: f64, objective: f64) -> f64 {
    // Rounding can give −1e-17 if the prototypes are the target.
    (target_energy - 2.0 * objective).max(0.0)
}

/// The fraction of the target's energy that a set with this objective explains.
///
/// # Formula
///
/// ```text
/// explained = 2 l(w) / ‖μ‖²
/// ```
///
/// If the target has no energy (‖μ‖² = 0), this is 1 for objective 0, a perfect fit, and 0 otherwise.
///
/// # Examples
///
/// ```
/// use protodash::objective::explained;
///
/// assert_eq!(explained(1.0, 0.375), 0.75);
/// assert_eq!([explained(0.0, 0.0), explained(0.0, -0.5)], [1.0, 0.0]);
/// ```
pub fn explained(target_energy: f64, objective: f64) -> f64 {
    if target_energy > 0.0 {
        (2.0 * objective / target_energy).min(1.0)
    } else if target_energy == 0.0 && objective == 0.0 {
        1.0
    } else {
        0.0
    }
}
