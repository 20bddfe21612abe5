//! Kernels: how similar two rows are.
//!
//! Each kernel has a file, which says everything there is to know about it; the list in `built_in.rs` names them all.

mod definiteness;
mod definition;
mod distance;
mod loop_formula;
pub(crate) mod matrix_problem;
mod precomputed;
mod sparse;
mod spec;

mod cosine;
mod gaussian;
mod hamming;
mod inverse_multiquadric;
mod laplacian;
mod linear;
mod matern32;
mod matern52;
mod polynomial;

pub mod bandwidth;
pub(crate) mod built_in;

pub(crate) use built_in::*;
pub use definition::{KernelDefinition, Parameter, ParameterDefault, ParameterValue};
pub use distance::Distance;
pub use precomputed::Precomputed;
pub use sparse::{SparseError, SparseKernel, SparseMatrix};
pub use spec::KernelSpec;

pub(crate) use sparse::{CANCELLED, SparseRows, number};

pub(crate) use loop_formula::{AnyCurve, Curve, CurveVisitor, Exponential, LoopFormula};

use crate::rows::Scalar;

/// A symmetric positive definite similarity of two rows.
///
/// A custom kernel needs one method, [`evaluate`](Self::evaluate). The implementer promises symmetry
/// (`k(x, y) = k(y, x)`) and positive semi-definiteness (no weighted sum Σᵢⱼ cᵢcⱼ k(xᵢ, xⱼ) is negative). A run that
/// finds a violation returns an error, but it does not search for one.
///
/// # Examples
///
/// A custom kernel for points on a circle, given by their angles:
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

    /// The built-in kernel that this is, for which there are faster loops; `None` for any other.
    ///
    /// A kernel that returns one promises that [`evaluate`](Self::evaluate) computes the same values.
    ///
    /// # Examples
    ///
    /// ```
    /// use protodash::{Kernel, Linear};
    ///
    /// assert_eq!(Kernel::<f64>::built_in(&Linear), Some(Linear.into()));
    /// ```
    fn built_in(&self) -> Option<BuiltInKernel> {
        None
    }

    /// The kernel of sparse rows that this is, whose rows are row numbers.
    #[doc(hidden)]
    fn sparse(&self) -> Option<&SparseKernel> {
        None
    }
}

impl<T: Scalar, K: Kernel<T> + ?Sized> Kernel<T> for &K {
    fn evaluate(&self, x: &[T], y: &[T]) -> f64 {
        (**self).evaluate(x, y)
    }

    fn built_in(&self) -> Option<BuiltInKernel> {
        (**self).built_in()
    }

    fn sparse(&self) -> Option<&SparseKernel> {
        (**self).sparse()
    }
}

impl<T: Scalar, K: Kernel<T> + Send + ?Sized> Kernel<T> for Box<K> {
    fn evaluate(&self, x: &[T], y: &[T]) -> f64 {
        (**self).evaluate(x, y)
    }

    fn built_in(&self) -> Option<BuiltInKernel> {
        (**self).built_in()
    }

    fn sparse(&self) -> Option<&SparseKernel> {
        (**self).sparse()
    }
}

/// How the loops over many pairs compute this kernel; `None` calls [`evaluate`](Kernel::evaluate) for each pair.
pub(crate) fn loop_formula<T: Scalar, K: Kernel<T> + ?Sized>(kernel: &K) -> Option<LoopFormula> {
    kernel.built_in().and_then(|kernel| kernel.loop_formula())
}

/// The built-in kernel with the same values, however rows are stored; `None` for a custom or a precomputed kernel.
///
/// Loops that read the values of rows need [`Kernel::built_in`].
pub(crate) fn known_kernel<T: Scalar, K: Kernel<T> + ?Sized>(kernel: &K) -> Option<BuiltInKernel> {
    kernel.built_in().or_else(|| kernel.sparse().map(SparseKernel::formula))
}

/// True if k(x, x) = 1 is known to hold for every row, so that no similarity exceeds 1.
pub(crate) fn has_unit_diagonal<T: Scalar, K: Kernel<T> + ?Sized>(kernel: &K) -> bool {
    known_kernel(kernel).is_some_and(|kernel| kernel.definition().unit_diagonal)
}

#[cfg(test)]
mod tests;
