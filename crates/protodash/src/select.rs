//! The verb: target and source in, a selection out.

use ndarray::ArrayRef2;

use crate::energy;
use crate::error::{Error, Result, Role};
use crate::gram::Gram;
use crate::kernel::Kernel;
use crate::kernel_mean::{Target, finite_means, mean_over_target};
use crate::methods::{protodash, protogreedy, swap};
use crate::observe::{Observer, Stage, Unobserved};
use crate::params::{Method, Params, Weights};
use crate::rows::{Checked, Rows, Scalar, same_rows};
use crate::search::{Candidates, Leader};
use crate::selection::{Path, Selection};
use crate::weights::{Constraint, convex_shift, equal};

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
    let (target, source) = (Checked::new(target, Role::Target)?, Checked::new(source, Role::Source)?);
    let (target, source) = (target.rows(), source.rows());
    if target.n_columns() != source.n_columns() {
        return Err(Error::DifferentColumns { target: target.n_columns(), available: source.n_columns() });
    }
    params.check(target.n_rows(), source.n_rows())?;
    let weights = params.target_weights.as_deref().map(normalised);
    let target = Target { rows: target, weights: weights.as_deref() };
    let means = finite_means(mean_over_target(target, source, kernel, (Stage::KernelMean, &mut *observer))?)?;
    let own_means = same_rows(target.rows, source).then_some(&means[..]);
    let energy = energy::target_energy(target, own_means, kernel, params.target_energy, observer)?;
    let path = search(source, &means, kernel, params, observer)?;
    Ok(Selection::from_path(params, target.rows.n_rows(), path, energy, means))
}

/// The path of the method asked for.
pub(crate) fn search<T: Scalar, K: Kernel<T> + ?Sized>(
    source: Rows<'_, T>,
    means: &[f64],
    kernel: &K,
    params: &Params,
    observer: &mut dyn Observer,
) -> Result<Path> {
    let constraint = match params.weights {
        Weights::Convex => Constraint::Convex,
        Weights::Nonnegative | Weights::Equal => Constraint::Nonnegative,
    };
    let diagonal = source.iter().map(|row| kernel.evaluate(row, row));
    let shift = if constraint == Constraint::Convex { convex_shift(diagonal) } else { 0.0 };
    let shifted: Vec<f64> = means.iter().map(|mean| mean + shift).collect();
    let Params { rows_per_shard, column_memory, .. } = *params;
    let candidates =
        Candidates { kernel, rows: source, kernel_mean: &shifted, shift, constraint, rows_per_shard, column_memory };
    let stop = (params.n_prototypes, params.min_gain);
    let mut path = match params.method {
        Method::ProtoDash => Leader::new(candidates)?.run(stop, protodash::choose, observer)?,
        Method::ProtoGreedy => Leader::new(candidates)?.run(stop, protogreedy::choose, observer)?,
        Method::Swap => swap::search(candidates, stop, observer)?,
    };
    if params.weights == Weights::Equal {
        weigh_equally(&mut path, source, means, kernel);
    }
    Ok(path)
}

/// Gives the first i + 1 prototypes the weight 1/(i + 1) each, for every i.
fn weigh_equally<T: Scalar, K: Kernel<T> + ?Sized>(path: &mut Path, source: Rows<'_, T>, means: &[f64], kernel: &K) {
    let mut gram = Gram::default();
    let mut set_means = Vec::new();
    for (size, &row) in path.source_indices.iter().enumerate() {
        let others = &path.source_indices[..size];
        let similarity = |other: &usize| kernel.evaluate(source.row(row), source.row(*other));
        gram.push(&others.iter().map(similarity).collect::<Vec<f64>>(), similarity(&row));
        set_means.push(means[row]);
        path.weights[size] = equal(size + 1);
        path.objective[size] = gram.objective(&set_means, &path.weights[size]);
    }
}

/// The weights divided by their sum, by way of the largest so that the sum of huge ones stays finite.
pub(crate) fn normalised(weights: &[f64]) -> Vec<f64> {
    let largest = weights.iter().copied().fold(0.0, f64::max);
    let total: f64 = weights.iter().map(|weight| weight / largest).sum();
    weights.iter().map(|weight| weight / largest / total).collect()
}
