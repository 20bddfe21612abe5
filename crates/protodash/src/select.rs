//! `select`: target and source in, a selection out.

use ndarray::ArrayRef2;

use crate::error::Result;
use crate::kernel::Kernel;
use crate::observe::{Observer, Unobserved};
use crate::params::Params;
use crate::prepared::Prepared;
use crate::rows::Scalar;
use crate::selection::Selection;

/// The source rows and weights whose kernel mean is nearest to the target's.
///
/// Pass the same matrix twice to summarise a data set by its own rows. Costs n₁ · n₂ kernel values for the kernel
/// mean (half of them when target and source are the same), and n₂ kernel values and O(n₂ · |L|) for each prototype.
/// The result is the same for any number of threads. Runs on the current `rayon` thread pool.
///
/// # Errors
///
/// If a matrix is empty, if a value or a kernel value is not finite, if target and source differ in their number of
/// columns, or if a parameter is out of range; each [`Error`](crate::Error) says what was given and what is allowed.
///
/// # Examples
///
/// ```
/// use ndarray::array;
/// use protodash::{Gaussian, Params, select};
///
/// let regular = array![[1.0, 0.1], [2.0, 0.3], [7.5, 0.9], [8.0, 0.8]];
/// let loyal = array![[7.0, 0.8], [8.0, 0.9], [7.9, 1.0]];
/// // Which regular customers look like the loyal ones?
/// let selection = select(&loyal, &regular, &Gaussian::new(1.0)?, &Params::new(2))?;
/// let chosen: Vec<usize> = selection.prototypes.iter().map(|prototype| prototype.source_index).collect();
/// assert_eq!(chosen, [2, 3]);
/// # Ok::<(), protodash::Error>(())
/// ```
pub fn select<T: Scalar>(
    target: &ArrayRef2<T>,
    source: &ArrayRef2<T>,
    kernel: &dyn Kernel<T>,
    params: &Params,
) -> Result<Selection> {
    select_with(target, source, kernel, params, &mut Unobserved)
}

/// [`select`] with an observer that receives progress and can stop the run.
///
/// # Errors
///
/// As for [`select`], and [`Error::Cancelled`](crate::Error::Cancelled) when the observer stops it.
///
/// # Examples
///
/// ```
/// use std::ops::ControlFlow;
/// use ndarray::array;
/// use protodash::{Gaussian, Observer, Params, Prototype, select_with};
///
/// #[derive(Default)]
/// struct Count(usize);
/// impl Observer for Count {
///     fn on_prototype(&mut self, step: usize, _: &Prototype, _: f64) -> ControlFlow<()> {
///         self.0 = step;
///         ControlFlow::Continue(())
///     }
/// }
///
/// let rows = array![[0.0], [1.0], [5.0]];
/// let mut count = Count::default();
/// select_with(&rows, &rows, &Gaussian::new(1.0)?, &Params::new(2), &mut count)?;
/// assert_eq!(count.0, 2);
/// # Ok::<(), protodash::Error>(())
/// ```
pub fn select_with<T: Scalar>(
    target: &ArrayRef2<T>,
    source: &ArrayRef2<T>,
    kernel: &dyn Kernel<T>,
    params: &Params,
    observer: &mut dyn Observer,
) -> Result<Selection> {
    Prepared::for_one(target, source, kernel, params, observer)?.select(params, observer)
}
