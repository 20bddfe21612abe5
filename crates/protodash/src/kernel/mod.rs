//! Kernels: how similar two rows are. One file for each; this one knows none of them.

mod cosine;
mod definiteness;
mod gaussian;
mod hamming;
mod inverse_multiquadric;
mod laplacian;
mod linear;
mod matern;
mod polynomial;
mod precomputed;

pub mod bandwidth;

pub use cosine::Cosine;
pub use gaussian::Gaussian;
pub use hamming::Hamming;
pub use inverse_multiquadric::InverseMultiquadric;
pub use laplacian::Laplacian;
pub use linear::Linear;
pub use matern::{Matern32, Matern52};
pub use polynomial::Polynomial;
pub use precomputed::Precomputed;

use crate::error::Result;
use crate::params::in_range;
use crate::rows::Scalar;

/// A symmetric positive definite similarity of two rows.
///
/// One method makes a kernel; every method of this crate then runs with it. Symmetry (`k(x, y) = k(y, x)`) and
/// positive semi-definiteness (no weighted sum Σᵢⱼ cᵢcⱼ k(xᵢ, xⱼ) below 0) are promises of the implementer. A run
/// that meets proof of the contrary ends with an error, but it does not go looking for it.
///
/// # Examples
///
/// A kernel of one's own, for rows that are points on a circle given by their angle:
///
/// ```
/// use ndarray::array;
/// use protodash::{Kernel, Params, select};
///
/// struct Circular;
/// impl Kernel<f64> for Circular {
///     fn evaluate(&self, x: &[f64], y: &[f64]) -> f64 {
///         ((x[0] - y[0]).cos() - 1.0).exp()
///     }
/// }
///
/// let angles = array![[0.1], [6.2], [3.0], [3.1], [3.3]];
/// let selection = select(&angles, &angles, &Circular, &Params::new(2))?;
/// let chosen: Vec<usize> = selection.prototypes.iter().map(|prototype| prototype.source_index).collect();
/// assert_eq!(chosen, [3, 1]); // the middle of the three, then one of the two on either side of 0
/// # Ok::<(), protodash::Error>(())
/// ```
pub trait Kernel<T: Scalar>: Sync {
    /// k(x, y).
    ///
    /// # Examples
    ///
    /// ```
    /// use protodash::{Gaussian, Kernel};
    ///
    /// let kernel = Gaussian::new(1.0)?;
    /// assert_eq!(kernel.evaluate(&[0.0, 0.0], &[1.0, 1.0]), (-1.0_f64).exp());
    /// # Ok::<(), protodash::Error>(())
    /// ```
    fn evaluate(&self, x: &[T], y: &[T]) -> f64;

    /// What the fast loops may know of this kernel; [`Form::General`] unless said otherwise.
    ///
    /// # Examples
    ///
    /// ```
    /// use protodash::{Form, Kernel, Linear};
    ///
    /// assert_eq!(Kernel::<f64>::form(&Linear), Form::Linear);
    /// ```
    fn form(&self) -> Form {
        Form::General
    }
}

impl<T: Scalar, K: Kernel<T> + ?Sized> Kernel<T> for &K {
    fn evaluate(&self, x: &[T], y: &[T]) -> f64 {
        (**self).evaluate(x, y)
    }

    fn form(&self) -> Form {
        (**self).form()
    }
}

impl<T: Scalar, K: Kernel<T> + Send + ?Sized> Kernel<T> for Box<K> {
    fn evaluate(&self, x: &[T], y: &[T]) -> f64 {
        (**self).evaluate(x, y)
    }

    fn form(&self) -> Form {
        (**self).form()
    }
}

/// The formula of a kernel, so that the loop over many pairs can be one made for it.
///
/// A kernel that returns anything but [`General`](Form::General) promises that
/// [`evaluate`](Kernel::evaluate) computes that formula.
///
/// # Examples
///
/// ```
/// use protodash::{Form, Gaussian, Kernel};
///
/// assert_eq!(Kernel::<f32>::form(&Gaussian::new(2.0)?), Form::Gaussian { bandwidth: 2.0 });
/// # Ok::<(), protodash::Error>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq)]
#[non_exhaustive]
pub enum Form {
    /// Nothing is known but `evaluate`.
    General,
    /// See [`Gaussian`].
    Gaussian {
        /// σ.
        bandwidth: f64,
    },
    /// See [`Laplacian`].
    Laplacian {
        /// σ.
        bandwidth: f64,
    },
    /// See [`Matern32`].
    Matern32 {
        /// σ.
        bandwidth: f64,
    },
    /// See [`Matern52`].
    Matern52 {
        /// σ.
        bandwidth: f64,
    },
    /// See [`InverseMultiquadric`].
    InverseMultiquadric {
        /// σ.
        bandwidth: f64,
    },
    /// See [`Linear`].
    Linear,
    /// See [`Polynomial`].
    Polynomial {
        /// The power.
        degree: u32,
        /// What the product is multiplied by.
        scale: f64,
        /// What is added before the power is taken.
        offset: f64,
    },
    /// See [`Cosine`].
    Cosine,
    /// See [`Hamming`].
    Hamming,
}

/// The bandwidth, if it is one that a kernel can have: its square must be a number too.
fn checked_bandwidth(bandwidth: f64) -> Result<f64> {
    let valid = (1e-150..=1e150).contains(&bandwidth);
    in_range("bandwidth", bandwidth, valid, "above 0 and finite (1e-150 to 1e150)").map(|()| bandwidth)
}

#[cfg(test)]
mod tests;
