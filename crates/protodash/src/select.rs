//! The verb: target and source in, a selection out.

use ndarray::ArrayRef2;

use crate::energy;
use crate::error::{Error, Result, Role};
use crate::kernel::Kernel;
use crate::kernel_mean::{Target, finite_means, mean_over_target};
use crate::observe::{Observer, Stage, Unobserved};
use crate::oversample;
use crate::params::Params;
use crate::problem::Problem;
use crate::rows::{Checked, Scalar, same_rows};
use crate::selection::Selection;

/// The source rows and weights whose kernel mean is nearest the target's.
///
/// Hand in the same matrix twice to summarise a data set by its own rows. Costs n₁ · n₂ kernel values for the kernel
/// mean (half of them when target and source are the same), and n₂ kernel values and O(n₂ · |L|) for each prototype.
/// The result is the same for any number of threads and shards. Runs on the current `rayon` thread pool.
///
/// # Errors
///
/// If a matrix is empty, if a value or a kernel value is not finite, if target and source differ in their number of
/// columns, or if `params` asks for what cannot be; each [`Error`] says what was given and what is allowed.
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
pub fn select<T: Scalar, K: Kernel<T> + ?Sized>(
    target: &ArrayRef2<T>,
    source: &ArrayRef2<T>,
    kernel: &K,
    params: &Params,
) -> Result<Selection> {
    select_with(target, source, kernel, params, &mut Unobserved)
}

/// [`select`], with an observer that is told of progress and can stop the run.
///
/// # Errors
///
/// As for [`select`], and [`Error::Cancelled`] when the observer stops it.
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
pub fn select_with<T: Scalar, K: Kernel<T> + ?Sized>(
    target: &ArrayRef2<T>,
    source: &ArrayRef2<T>,
    kernel: &K,
    params: &Params,
    observer: &mut dyn Observer,
) -> Result<Selection> {
    with_kernel_mean(target, source, kernel, params, observer, |problem, observer| {
        let Problem { target, source, kernel_mean, .. } = problem;
        let own_means = same_rows(target.rows, source).then_some(kernel_mean);
        let energy = energy::target_energy(target, own_means, kernel, params.target_energy, observer)?;
        let path = oversample::path(problem, observer)?;
        Ok(Selection::from_path(params, target.rows.n_rows(), path, energy, kernel_mean.to_vec()))
    })
}

/// What `answer` makes of the problem, once everything is checked and the kernel mean is known.
pub(crate) fn with_kernel_mean<T: Scalar, K: Kernel<T> + ?Sized, R>(
    target: &ArrayRef2<T>,
    source: &ArrayRef2<T>,
    kernel: &K,
    params: &Params,
    observer: &mut dyn Observer,
    answer: impl FnOnce(Problem<'_, T, K>, &mut dyn Observer) -> Result<R>,
) -> Result<R> {
    let (target, source) = (Checked::new(target, Role::Target)?, Checked::new(source, Role::Source)?);
    let (target, source) = (target.rows(), source.rows());
    if target.n_columns() != source.n_columns() {
        return Err(Error::DifferentColumns { target: target.n_columns(), available: source.n_columns() });
    }
    params.check(target.n_rows(), source.n_rows())?;
    let weights = params.target_weights.as_deref().map(normalised);
    let target = Target { rows: target, weights: weights.as_deref() };
    let means = finite_means(mean_over_target(target, source, kernel, (Stage::KernelMean, &mut *observer))?)?;
    answer(Problem { target, source, kernel, kernel_mean: &means, params }, observer)
}

/// The weights divided by their sum, by way of the largest so that the sum of huge ones stays finite.
pub(crate) fn normalised(weights: &[f64]) -> Vec<f64> {
    let largest = weights.iter().copied().fold(0.0, f64::max);
    let total: f64 = weights.iter().map(|weight| weight / largest).sum();
    weights.iter().map(|weight| weight / largest / total).collect()
}
