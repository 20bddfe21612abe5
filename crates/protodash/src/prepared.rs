//! What all selections from the same data share, computed once.

use std::sync::Arc;

use ndarray::ArrayRef2;

use crate::energy;
use crate::error::{Error, Result};
use crate::kernel::Kernel;
use crate::kernel_mean::{ApproximateMeans, ErrorBound, Precision, Target, finite_means, mean_in, zero_if_cancelled};
use crate::observe::{Observer, Silent, Stage};
use crate::oversample;
use crate::params::{Method, Params, Weights};
use crate::problem::{SelectionProblem, StoppingRule};
use crate::rows::{CheckedPair, Scalar, same_rows};
use crate::search::ShardLayout;
use crate::selection::{Energy, Path, Selection};
use crate::weigh::{Rule, Weigher};

/// Target, source and kernel with the kernel mean and the target's energy, for any number of selections.
///
/// The kernel mean is most of the work of a selection, and is the same for all methods and numbers of prototypes:
/// prepare once, select often.
///
/// # Examples
///
/// ```
/// use ndarray::array;
/// use protodash::{Gaussian, Method, Params, Prepared, Unobserved, select};
///
/// let rows = array![[0.0], [0.3], [4.0], [4.2], [9.0]];
/// let kernel = Gaussian::new(1.0)?;
/// let mut params = Params::new(2);
/// let prepared = Prepared::new(&rows, &rows, &kernel, &params, &mut Unobserved)?;
/// for method in [Method::ProtoDash, Method::ProtoGreedy, Method::Swap] {
///     params.method = method;
///     let selection = prepared.select(&params, &mut Unobserved)?;
///     assert_eq!(selection, select(&rows, &rows, &kernel, &params)?);
/// }
/// # Ok::<(), protodash::Error>(())
/// ```
pub struct Prepared<'a, T: Scalar> {
    pair: CheckedPair<'a, T>,
    kernel: &'a dyn Kernel<T>,
    /// Normalised.
    target_weights: Option<Vec<f64>>,
    kernel_mean: Arc<[f64]>,
    /// Error bound of the kernel means; `None` in f64.
    error: Option<ErrorBound>,
    energy: Option<Energy>,
}

impl<'a, T: Scalar> Prepared<'a, T> {
    /// The data with their kernel mean and energy. Uses only the parameters that concern the target.
    ///
    /// Costs n₁ · n₂ kernel values, half of them if target and source are the same. If they differ and the energy is not
    /// skipped, it costs n₁²/2 more.
    ///
    /// # Errors
    ///
    /// As for [`select`](crate::select).
    ///
    /// # Examples
    ///
    /// ```
    /// use ndarray::array;
    /// use protodash::{Error, Linear, Params, Prepared, Unobserved};
    ///
    /// let (target, source) = (array![[1.0, 2.0]], array![[1.0]]);
    /// let refused = Prepared::new(&target, &source, &Linear, &Params::new(1), &mut Unobserved);
    /// assert_eq!(refused.err(), Some(Error::DifferentColumns { target: 2, available: 1 }));
    /// ```
    pub fn new(
        target: &'a ArrayRef2<T>,
        source: &'a ArrayRef2<T>,
        kernel: &'a dyn Kernel<T>,
        params: &Params,
        observer: &mut dyn Observer,
    ) -> Result<Self> {
        Self::in_precision(Precision::Double, (target, source), kernel, params, observer)
    }

    /// The same for one selection with these parameters: in the precision of the data, if the method can settle in f64 what
    /// that leaves open.
    pub(crate) fn for_one(
        target: &'a ArrayRef2<T>,
        source: &'a ArrayRef2<T>,
        kernel: &'a dyn Kernel<T>,
        params: &Params,
        observer: &mut dyn Observer,
    ) -> Result<Self> {
        let of_data = if size_of::<T>() == size_of::<f32>() { Precision::Single } else { Precision::Double };
        let settles = matches!(params.method, Method::ProtoDash | Method::ProtoGreedy)
            && matches!(params.weights, Weights::Nonnegative | Weights::Convex | Weights::Own)
            && params.oversample == 1.0;
        let precision = if settles { params.precision.unwrap_or(of_data) } else { Precision::Double };
        Self::in_precision(precision, (target, source), kernel, params, observer)
    }

    fn in_precision(
        precision: Precision,
        (target, source): (&'a ArrayRef2<T>, &'a ArrayRef2<T>),
        kernel: &'a dyn Kernel<T>,
        params: &Params,
        observer: &mut dyn Observer,
    ) -> Result<Self> {
        let pair = CheckedPair::new(target, source)?;
        let (rows, source_rows) = pair.rows();
        params.check(rows.n_rows(), source_rows.n_rows())?;
        let target_weights = params.target_weights.as_deref().map(normalised);
        let weighted = Target { rows, weights: target_weights.as_deref() };
        let watch = (Stage::KernelMean, &mut *observer as &mut dyn Observer);
        let (means, error) = mean_in(precision, weighted, source_rows, kernel, watch)?;
        let kernel_mean: Arc<[f64]> = zero_if_cancelled(finite_means(means)?, weighted, source_rows, kernel).into();
        let own_means = same_rows(rows, source_rows).then_some(&*kernel_mean);
        let energy = energy::target_energy(weighted, own_means, kernel, (params.target_energy, precision), observer)?;
        let error = error.is_of_single().then_some(error);
        Ok(Prepared { pair, kernel, target_weights, kernel_mean, error, energy })
    }

    /// The source rows and weights that a method chooses. Parameters that concern the target have no effect here; they
    /// were used in [`new`](Self::new).
    ///
    /// # Errors
    ///
    /// If a parameter is out of range, if the kernel is not positive semi-definite, or [`Error::Cancelled`] when the
    /// observer stops the run.
    ///
    /// # Examples
    ///
    /// ```
    /// use ndarray::array;
    /// use protodash::{Gaussian, Params, Prepared, Unobserved};
    ///
    /// let rows = array![[0.0], [0.3], [4.0]];
    /// let kernel = Gaussian::new(1.0)?;
    /// let prepared = Prepared::new(&rows, &rows, &kernel, &Params::new(1), &mut Unobserved)?;
    /// let sizes = [1, 2].map(|n| prepared.select(&Params::new(n), &mut Unobserved).map(|found| found.prototypes.len()));
    /// assert_eq!(sizes, [Ok(1), Ok(2)]);
    /// # Ok::<(), protodash::Error>(())
    /// ```
    pub fn select(&self, params: &Params, observer: &mut dyn Observer) -> Result<Selection> {
        let n_target = self.pair.rows().0.n_rows();
        // Target weights were checked when they were used, and need not be given again.
        let params = &Params { target_weights: None, ..params.clone() };
        params.check(n_target, self.kernel_mean.len())?;
        // On a thread of the pool: a thread outside would have to be woken at every step.
        let path = rayon::scope(|_| oversample::path(self.problem(params), observer))?;
        Ok(Selection::from_path(params, n_target, path, self.energy, self.means()))
    }

    /// The same prototypes with the optimal non-negative weights.
    ///
    /// This compares methods by their choice of rows alone. Costs O(m²) kernel values.
    ///
    /// # Errors
    ///
    /// [`Error::NotThisSource`] if a prototype is not a row of the source, or [`Error::Cancelled`] when the observer
    /// stops the run.
    ///
    /// # Examples
    ///
    /// ```
    /// use ndarray::array;
    /// use protodash::{Gaussian, Params, Prepared, Unobserved, Weights};
    ///
    /// let rows = array![[0.0], [0.3], [0.1], [9.0]];
    /// let kernel = Gaussian::new(1.0)?;
    /// let mut params = Params::new(2);
    /// params.weights = Weights::Equal;
    /// let prepared = Prepared::new(&rows, &rows, &kernel, &params, &mut Unobserved)?;
    /// let equal = prepared.select(&params, &mut Unobserved)?;
    /// let best = prepared.solve_again(&equal, &mut Unobserved)?;
    /// assert!(best.objective_final() > equal.objective_final()); // three rows on one side, one on the other
    /// # Ok::<(), protodash::Error>(())
    /// ```
    pub fn solve_again(&self, selection: &Selection, observer: &mut dyn Observer) -> Result<Selection> {
        let rows: Vec<usize> = selection.prototypes.iter().map(|prototype| prototype.source_index).collect();
        let n_source = self.kernel_mean.len();
        if let Some(&source_index) = rows.iter().find(|row| **row >= n_source) {
            return Err(Error::NotThisSource { source_index, rows: n_source });
        }
        let mut params = Params::new(rows.len());
        (params.method, params.weights) = (selection.method, Weights::Nonnegative);
        let weigher = Weigher::new(self.problem(&params), Rule::Nonnegative)?;
        let path = weigher.run(rows.iter().copied(), StoppingRule::at(rows.len()), &mut Silent(observer))?;
        let path = Path { stopped: selection.stopped, ..path };
        let n_target = self.pair.rows().0.n_rows();
        Ok(Selection::from_path(&params, n_target, path, self.energy, self.means()))
    }

    /// The input of a method.
    pub(crate) fn problem<'b>(&'b self, params: &'b Params) -> SelectionProblem<'b, T> {
        let (rows, source) = self.pair.rows();
        let target = Target { rows, weights: self.target_weights.as_deref() };
        let rough = self.error.map(|error| ApproximateMeans { target, is_source: same_rows(rows, source), error });
        let (kernel, kernel_mean, layout) = (self.kernel, &*self.kernel_mean, ShardLayout::default());
        SelectionProblem { target, source, kernel, kernel_mean, rough, params, layout }
    }

    /// The kernel means and their largest error bound.
    fn means(&self) -> (Arc<[f64]>, f64) {
        let error = |error: ErrorBound| self.kernel_mean.iter().map(|mean| error.at(*mean)).fold(0.0, f64::max);
        (Arc::clone(&self.kernel_mean), self.error.map_or(0.0, error))
    }
}

/// The weights divided by their sum. They are divided by the largest first, so that the sum cannot overflow.
pub(crate) fn normalised(weights: &[f64]) -> Vec<f64> {
    let largest = weights.iter().copied().fold(0.0, f64::max);
    let total: f64 = weights.iter().map(|weight| weight / largest).sum();
    weights.iter().map(|weight| weight / largest / total).collect()
}
