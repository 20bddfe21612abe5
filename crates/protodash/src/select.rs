//! The verb: target and source in, a selection out.

use ndarray::ArrayRef2;

use crate::energy;
use crate::error::{Error, Result, Role};
use crate::kernel::Kernel;
use crate::kernel_mean::{Target, finite_means, mean_over_target};
use crate::methods::{protodash, protogreedy, swap};
use crate::observe::{Observer, Stage, Unobserved};
use crate::params::{Method, Params, Weights};
use crate::rows::{Checked, Rows, Scalar, same_rows};
use crate::search::{Candidates, Leader};
use crate::selection::{Path, Selection, Stopped};
use crate::weights::{Constraint, equal};

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
fn search<T: Scalar, K: Kernel<T> + ?Sized>(
    source: Rows<'_, T>,
    means: &[f64],
    kernel: &K,
    params: &Params,
    observer: &mut dyn Observer,
) -> Result<Path> {
    let shift = shift(source, kernel, params);
    let shifted: Vec<f64> = means.iter().map(|mean| mean + shift).collect();
    let mut leader = Leader::new(candidates(source, (&shifted, shift), kernel, params))?;
    let stop = (params.n_prototypes, params.min_gain);
    let mut path = match params.method {
        Method::ProtoDash => leader.run(stop, protodash::choose, observer)?,
        Method::ProtoGreedy | Method::Swap => leader.run(stop, protogreedy::choose, observer)?,
    };
    if params.method == Method::Swap && path.stopped != Stopped::Optimal {
        swap::refine(&mut leader, observer)?;
        return in_greedy_order(&leader, source, (&shifted, shift), kernel, params, path.stopped);
    }
    if params.weights == Weights::Equal {
        weigh_equally(&leader, &mut path);
    }
    Ok(path)
}

/// A finished set in the order in which ProtoGreedy would choose its rows, so that its beginnings are good sets too.
fn in_greedy_order<T: Scalar, K: Kernel<T> + ?Sized>(
    leader: &Leader<'_, T, K>,
    source: Rows<'_, T>,
    (means, shift): (&[f64], f64),
    kernel: &K,
    params: &Params,
    stopped: Stopped,
) -> Result<Path> {
    let mut set = leader.source_indices().to_vec();
    set.sort_unstable();
    let values: Vec<T> = set.iter().flat_map(|&row| source.row(row)).copied().collect();
    let set_means: Vec<f64> = set.iter().map(|&row| means[row]).collect();
    let rows = Rows::new(&values, source.n_columns());
    let mut ordered = Leader::new(candidates(rows, (&set_means, shift), kernel, params))?;
    let mut path = ordered.run((Some(set.len()), None), protogreedy::choose, &mut Unobserved)?;
    // A set of which some rows add nothing is one that no exchange can improve: the optimum.
    path.stopped = if path.stopped == Stopped::Optimal { Stopped::Optimal } else { stopped };
    if params.weights == Weights::Equal {
        weigh_equally(&ordered, &mut path);
    }
    path.source_indices.iter_mut().for_each(|row| *row = set[*row]);
    Ok(path)
}

fn candidates<'a, T, K: ?Sized>(
    rows: Rows<'a, T>,
    (kernel_mean, shift): (&'a [f64], f64),
    kernel: &'a K,
    params: &Params,
) -> Candidates<'a, T, K> {
    let constraint = match params.weights {
        Weights::Convex => Constraint::Convex,
        Weights::Nonnegative | Weights::Equal => Constraint::Nonnegative,
    };
    let Params { rows_per_shard, column_memory, .. } = *params;
    Candidates { kernel, rows, kernel_mean, shift, constraint, rows_per_shard, column_memory }
}

/// The constant that is added to the kernel under Σw = 1, of the size of the kernel's own values; otherwise 0.
fn shift<T: Scalar, K: Kernel<T> + ?Sized>(source: Rows<'_, T>, kernel: &K, params: &Params) -> f64 {
    if params.weights != Weights::Convex {
        return 0.0;
    }
    let diagonal = source.iter().map(|row| kernel.evaluate(row, row));
    diagonal.fold(0.0, f64::max)
}

fn weigh_equally<T: Scalar, K: Kernel<T> + ?Sized>(leader: &Leader<'_, T, K>, path: &mut Path) {
    for (size, (weights, objective)) in path.weights.iter_mut().zip(&mut path.objective).enumerate() {
        *weights = equal(size + 1);
        *objective = leader.objective_of(weights);
    }
}

/// The weights divided by their sum, by way of the largest so that the sum of huge ones stays finite.
pub(crate) fn normalised(weights: &[f64]) -> Vec<f64> {
    let largest = weights.iter().copied().fold(0.0, f64::max);
    let total: f64 = weights.iter().map(|weight| weight / largest).sum();
    weights.iter().map(|weight| weight / largest / total).collect()
}
