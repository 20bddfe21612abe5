//! What all selections from the same data share, computed once.

use std::ops::RangeInclusive;
use std::sync::Arc;

use ndarray::ArrayRef2;

use crate::constraints::{ConstraintReport, RowConstraints};
use crate::distinct::first_of_equal_rows;
use crate::energy;
use crate::error::{Error, Result};
use crate::figures::TargetFigures;
use crate::kernel::{Kernel, has_unit_diagonal};
use crate::kernel_mean::{
    ApproximateMeans, ErrorBound, LandmarkFeatures, MeanPart, MergedTarget, PairShape, Precision, Race, RaceTarget,
    Target, finite_means, mean_in, n_pairs, race_pays, zero_if_cancelled,
};
use crate::method_feature::MethodFeature;
use crate::observe::{Observer, Silent, Stage};
use crate::params::{ENERGY_SAMPLE, Means, Params, TargetEnergy, Weights};
use crate::problem::{SelectionProblem, StoppingRule};
use crate::rows::{CheckedPair, Rows, Scalar, same_rows};
use crate::search::ShardLayout;
use crate::selection::{Energy, KernelMeans, Path, Selection};
use crate::weigh::{Rule, Weigher};

/// The largest similarities of rows to themselves with which a race can compute residuals in f32.
const MODERATE: RangeInclusive<f64> = 1e-30..=1e30;

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
    means: PreparedMeans<T>,
}

/// Where kernel means come from.
#[derive(Clone, Copy)]
pub(crate) enum MeansOrigin<'p> {
    /// They are computed here.
    Pairs,
    /// Parts computed elsewhere: those of the source, and of the target's own rows if its energy takes them.
    Parts { means: &'p [MeanPart], of_target: Option<&'p [MeanPart]> },
}

/// The prepared kernel means and energy.
enum PreparedMeans<T> {
    Full {
        kernel_mean: Arc<[f64]>,
        /// Error bound of the kernel means; `None` in f64.
        error: Option<ErrorBound>,
        energy: Option<Energy>,
        /// Error bound of the energy; 0 in f64.
        energy_error: f64,
    },
    /// Nothing prepared: every selection runs its own race.
    Raced { target_energy: TargetEnergy, merged: MergedTarget<T> },
}

impl<'a, T: Scalar> Prepared<'a, T> {
    /// The data with their kernel mean and energy. Uses only those parameters that concern the target.
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
        Self::in_precision(Precision::Double, (target, source), kernel, params, (MeansOrigin::Pairs, observer))
    }

    /// The data for one selection with these parameters: in the precision of the data, if the method can resolve in f64 what
    /// that leaves uncertain.
    pub(crate) fn for_one(
        target: &'a ArrayRef2<T>,
        source: &'a ArrayRef2<T>,
        kernel: &'a dyn Kernel<T>,
        params: &Params,
        observer: &mut dyn Observer,
    ) -> Result<Self> {
        if resolves(params) && params.means != Means::Full {
            let pair = CheckedPair::new(target, source)?;
            let (rows, source_rows) = pair.rows();
            params.check(rows.n_rows(), source_rows.n_rows())?;
            let target_weights = params.target_weights.as_deref().map(normalised);
            let weighted = Target { rows, weights: target_weights.as_deref() };
            if let Some(merged) = merged_for_race(kernel, params, weighted, source_rows) {
                let means = PreparedMeans::Raced { target_energy: params.target_energy, merged };
                return Ok(Prepared { pair, kernel, target_weights, means });
            }
        }
        let of_pairs = (MeansOrigin::Pairs, observer);
        Self::in_precision(precision_for_one::<T>(params), (target, source), kernel, params, of_pairs)
    }

    /// The data with means from this origin.
    pub(crate) fn in_precision(
        precision: Precision,
        (target, source): (&'a ArrayRef2<T>, &'a ArrayRef2<T>),
        kernel: &'a dyn Kernel<T>,
        params: &Params,
        (origin, observer): (MeansOrigin<'_>, &mut dyn Observer),
    ) -> Result<Self> {
        let pair = CheckedPair::new(target, source)?;
        let (rows, source_rows) = pair.rows();
        params.check(rows.n_rows(), source_rows.n_rows())?;
        let target_weights = params.target_weights.as_deref().map(normalised);
        let weighted = Target { rows, weights: target_weights.as_deref() };
        let watch = (Stage::KernelMean, &mut *observer as &mut dyn Observer);
        let (means, error) = match origin {
            MeansOrigin::Pairs => mean_in(precision, weighted, source_rows, kernel, watch)?,
            MeansOrigin::Parts { means, .. } => {
                T::mean_of_parts(weighted, source_rows, kernel, (precision, means), watch)?
            }
        };
        let kernel_mean: Arc<[f64]> = zero_if_cancelled(finite_means(means)?, weighted, source_rows, kernel).into();
        let of_target = match origin {
            MeansOrigin::Parts { of_target: Some(parts), .. } => {
                let watch = (Stage::TargetEnergy, &mut *observer as &mut dyn Observer);
                let (means, error) = T::mean_of_parts(weighted, rows, kernel, (precision, parts), watch)?;
                Some((zero_if_cancelled(means, weighted, rows, kernel), error))
            }
            _ => None,
        };
        let own_means = match &of_target {
            Some((means, error)) => Some((&means[..], *error)),
            None => same_rows(rows, source_rows).then_some((&*kernel_mean, error)),
        };
        let asked = (params.target_energy, precision);
        let (energy, of_energy) = energy::bounded_energy(weighted, own_means, kernel, asked, observer)?;
        let error = error.is_for_f32().then_some(error);
        let energy_error =
            energy.map_or(0.0, |energy| if of_energy.is_for_f32() { of_energy.at(energy.value) } else { 0.0 });
        let means = PreparedMeans::Full { kernel_mean, error, energy, energy_error };
        Ok(Prepared { pair, kernel, target_weights, means })
    }

    /// The rows that a method chooses, with their weights. Parameters that concern the target have no effect here; they
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
        // Target weights were checked in `new`, and need not be given again.
        let params = &Params { target_weights: None, ..params.clone() };
        let shape = self.shape();
        params.check(shape.0, shape.1)?;
        let mut selection = self.select_checked(params, observer)?;
        if params.is_constrained() {
            let n_chosen = selection.prototypes.len() - selection.n_fixed;
            let without = self.select_checked(&params.unconstrained(n_chosen), &mut Silent(observer))?;
            selection.constraints = Some(ConstraintReport::new(params, &selection, &without));
        }
        Ok(selection)
    }

    fn select_checked(&self, params: &Params, observer: &mut dyn Observer) -> Result<Selection> {
        if matches!(self.means, PreparedMeans::Raced { .. }) {
            return T::race(self, params, observer);
        }
        let path = path_in_pool(self.problem(params), observer)?;
        Ok(self.selection_of(path, params))
    }

    /// The selection of a path that was found with all kernel means.
    pub(crate) fn selection_of(&self, mut path: Path, params: &Params) -> Selection {
        let figures = self.figures(&mut path, params, self.energy());
        Selection::from_path(params, self.shape(), path, figures, self.kernel_means())
    }

    /// The same prototypes with optimal non-negative weights.
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
    /// let best = prepared.refit_weights(&equal, &mut Unobserved)?;
    /// assert!(best.objective_final() > equal.objective_final()); // three rows on one side, one on the other
    /// # Ok::<(), protodash::Error>(())
    /// ```
    pub fn refit_weights(&self, selection: &Selection, observer: &mut dyn Observer) -> Result<Selection> {
        let rows: Vec<usize> = selection.prototypes.iter().map(|prototype| prototype.source_index).collect();
        let n_source = self.shape().1;
        if let Some(&source_index) = rows.iter().find(|row| **row >= n_source) {
            return Err(Error::NotThisSource { source_index, rows: n_source });
        }
        let mut params = Params::new(rows.len());
        (params.method, params.weights) = (selection.method, Weights::Nonnegative);
        let weigher = Weigher::new(self.problem(&params), Rule::Nonnegative)?;
        let path = weigher.run(rows.iter().copied(), StoppingRule::at(rows.len()), &mut Silent(observer))?;
        Ok(self.selection_of(Path { stopped: selection.stopped, ..path }, &params))
    }

    /// The input of a method that has all kernel means.
    pub(crate) fn problem<'b>(&'b self, params: &'b Params) -> SelectionProblem<'b, T> {
        let (kernel_mean, error) = match &self.means {
            PreparedMeans::Full { kernel_mean, error, .. } => (&kernel_mean[..], *error),
            PreparedMeans::Raced { .. } => (&[][..], None),
        };
        let (target, source) = (self.target(), self.pair.rows().1);
        let is_source = same_rows(target.rows, source);
        let approximate = error.map(|error| ApproximateMeans { target, is_source, error, race: None });
        let (kernel, layout) = (self.kernel, ShardLayout::default());
        SelectionProblem { target, source, kernel, kernel_mean, approximate, params, candidates: None, layout }
    }

    /// A selection by racing, without the full kernel mean.
    pub(crate) fn race(&self, params: &Params, observer: &mut dyn Observer) -> Result<Selection> {
        let (target, source, kernel) = (self.target(), self.pair.rows().1, self.kernel);
        let PreparedMeans::Raced { merged, .. } = &self.means else { unreachable!("only raced means are raced") };
        let merged = RaceTarget::new(target, merged);
        // Copies of earlier rows are never chosen. The others keep their bounds, since the unit of slopes follows from all.
        let given = params.given_rows();
        let constraints = RowConstraints::of(params, source.n_rows());
        let candidates =
            constraints.map_or_else(|| given.candidates(source), |constraints| constraints.candidates(source, given));
        let is_choosable = given.choosable(source.n_rows());
        let is_copy = |row: usize| is_choosable[row] && !candidates[row];
        let race = Race::without_rows(kernel, &merged, (source, &is_copy), params.seed, observer)?
            .ending_early(params.means == Means::Auto);
        drop(is_choosable);
        let energy = self.race_energy(params, race.features(), observer)?;
        let error = ErrorBound::default();
        let approximate =
            ApproximateMeans { target: merged.for_means(), is_source: merged.is(source), error, race: Some(&race) };
        let (kernel_mean, approximate, layout) = (&[][..], Some(approximate), ShardLayout::default());
        let candidates = Some(&candidates[..]);
        let problem = SelectionProblem { target, source, kernel, kernel_mean, approximate, params, candidates, layout };
        let mut path = path_in_pool(problem, observer)?;
        let figures = self.figures(&mut path, params, (energy, 0.0));
        Ok(Selection::from_path(params, self.shape(), path, figures, self.kernel_means()))
    }

    /// The prepared energy and its error bound.
    fn energy(&self) -> (Option<Energy>, f64) {
        match self.means {
            PreparedMeans::Full { energy, energy_error, .. } => (energy, energy_error),
            PreparedMeans::Raced { .. } => (None, 0.0),
        }
    }

    fn figures(&self, path: &mut Path, params: &Params, energy: (Option<Energy>, f64)) -> TargetFigures {
        TargetFigures::of(path, (self.target(), self.pair.rows().1), self.kernel, params, energy)
    }

    /// The energy, estimated with the features of a race; `None` if it is skipped.
    fn race_energy(
        &self,
        params: &Params,
        features: (&LandmarkFeatures<T>, &[f64]),
        observer: &mut dyn Observer,
    ) -> Result<Option<Energy>> {
        let target = self.target();
        let sample = match self.means {
            PreparedMeans::Raced { target_energy: TargetEnergy::Sample { n_rows, seed }, .. } => (n_rows, seed),
            // The exact energy would take as many pairs as the full mean.
            PreparedMeans::Raced { target_energy: TargetEnergy::Exact, .. } => (ENERGY_SAMPLE, params.seed),
            _ if same_rows(target.rows, self.pair.rows().1) => (ENERGY_SAMPLE, params.seed),
            _ => return Ok(None),
        };
        energy::energy_from_features(target, self.kernel, sample, features, observer).map(Some)
    }

    fn target(&self) -> Target<'_, T> {
        Target { rows: self.pair.rows().0, weights: self.target_weights.as_deref() }
    }

    /// The kernel.
    pub(crate) fn kernel(&self) -> &'a dyn Kernel<T> {
        self.kernel
    }

    /// Number of target and of source rows.
    pub(crate) fn shape(&self) -> (usize, usize) {
        let (target, source) = self.pair.rows();
        (target.n_rows(), source.n_rows())
    }

    /// The kernel means and their largest error bound.
    fn kernel_means(&self) -> KernelMeans {
        let PreparedMeans::Full { kernel_mean, error, .. } = &self.means else {
            return KernelMeans { means: None, error: 0.0, n_pairs: 0 };
        };
        let largest = |error: &ErrorBound| kernel_mean.iter().map(|mean| error.at(*mean)).fold(0.0, f64::max);
        let (target, source) = self.pair.rows();
        KernelMeans {
            means: Some(Arc::clone(kernel_mean)),
            error: error.as_ref().map_or(0.0, largest),
            n_pairs: n_pairs(self.kernel, PairShape::of(target, source)),
        }
    }
}

/// The path, computed on a thread of the pool: a thread outside would have to be woken at every step.
pub(crate) fn path_in_pool<T: Scalar>(problem: SelectionProblem<'_, T>, observer: &mut dyn Observer) -> Result<Path> {
    rayon::scope(|_| T::path(problem, observer))
}

/// The target of a race, if the parameters ask for one, it chooses the same rows as the full mean, and there are pairs to save.
fn merged_for_race<T: Scalar>(
    kernel: &dyn Kernel<T>,
    params: &Params,
    target: Target<'_, T>,
    source: Rows<'_, T>,
) -> Option<MergedTarget<T>> {
    let has_usable_means = || {
        has_unit_diagonal(kernel)
            || (has_target_similarities(kernel, target)
                && !cancels(kernel, target, source)
                && are_moderate(kernel, target.rows)
                && are_moderate(kernel, source))
    };
    let shape = PairShape::of(target.rows, source);
    if !wants_race(kernel, params, (shape, shape)) || !has_usable_means() {
        return None;
    }
    let merged = MergedTarget::of(target);
    let distinct_source = || (params.means == Means::Auto && !shape.is_source).then(|| n_merged(source));
    let shapes = merged_shapes(shape, merged.n_distinct(), distinct_source);
    wants_race(kernel, params, shapes).then_some(merged)
}

/// The sizes of the full mean, which merges equal rows, and of a race, which does so for the target only.
pub(crate) fn merged_shapes(
    shape: PairShape,
    n_target: Option<usize>,
    n_source: impl FnOnce() -> Option<usize>,
) -> (PairShape, PairShape) {
    let n_distinct = n_target.unwrap_or(shape.n_target);
    let n_source = if shape.is_source { n_distinct } else { n_source().unwrap_or(shape.n_source) };
    let full = PairShape { n_target: n_distinct, n_source, ..shape };
    let is_source = shape.is_source && n_target.is_none();
    (full, PairShape { n_target: n_distinct, is_source, ..shape })
}

/// Number of rows that sums run over: rows are merged if they occur at least twice on average.
pub(crate) fn n_merged<T: Scalar>(rows: Rows<'_, T>) -> usize {
    let n_distinct = first_of_equal_rows(rows).into_iter().filter(|is_first| *is_first).count();
    if 2 * n_distinct > rows.n_rows() { rows.n_rows() } else { n_distinct }
}

/// Whether f32 can represent the similarities and their products with the features of landmarks.
fn are_moderate<T: Scalar>(kernel: &dyn Kernel<T>, rows: Rows<'_, T>) -> bool {
    let largest = rows.iter().map(|row| kernel.evaluate(row, row)).fold(0.0, f64::max);
    largest == 0.0 || MODERATE.contains(&largest)
}

/// Whether a race is requested and pays, as far as parameters and the sizes of the full mean and of the race tell.
pub(crate) fn wants_race<T: Scalar>(kernel: &dyn Kernel<T>, params: &Params, shapes: (PairShape, PairShape)) -> bool {
    let is_requested = match params.means {
        Means::Full => false,
        Means::Racing => true,
        Means::Auto => race_pays(kernel, shapes, params.n_total()),
    };
    // Other kernels are centred at the best single row for convex weights, and finding it takes all means.
    let is_uncentred = has_unit_diagonal(kernel) || params.weights != Weights::Convex;
    resolves(params) && is_requested && is_uncentred && n_pairs(kernel, shapes.0) > 0
}

/// Whether the method resolves in f64 what approximate means leave uncertain.
pub(crate) fn resolves(params: &Params) -> bool {
    params.method.supports(MethodFeature::Racing)
        && matches!(params.weights, Weights::Nonnegative | Weights::Convex | Weights::Own)
        && params.oversample == 1.0
        && !params.limits().is_set()
        && params.budget.is_none()
}

/// The precision of the full mean of one selection.
pub(crate) fn precision_for_one<T: Scalar>(params: &Params) -> Precision {
    let of_data = params.precision.unwrap_or_else(Precision::of_data::<T>);
    if resolves(params) { of_data } else { Precision::Double }
}

/// Whether the kernel can compare target rows with each other; a precomputed one may not.
fn has_target_similarities<T: Scalar>(kernel: &dyn Kernel<T>, target: Target<'_, T>) -> bool {
    let row = target.rows.row(0);
    kernel.evaluate(row, row).is_finite()
}

/// Whether a few source rows have means that cancel to 0 up to rounding. Then all may, and only the full mean can tell.
fn cancels<T: Scalar>(kernel: &dyn Kernel<T>, target: Target<'_, T>, source: Rows<'_, T>) -> bool {
    let step = source.n_rows().div_ceil(8);
    let values: Vec<T> = source.iter().step_by(step).flatten().copied().collect();
    let some = Rows::new(&values, source.n_columns());
    let means = ApproximateMeans { target, is_source: false, error: ErrorBound::default(), race: None };
    let means = means.means_of(kernel, &some.iter().collect::<Vec<_>>());
    zero_if_cancelled(means, target, some, kernel).iter().all(|mean| *mean == 0.0)
}

/// The weights divided by their sum. They are divided by the largest first, so that the sum cannot overflow.
pub(crate) fn normalised(weights: &[f64]) -> Vec<f64> {
    let largest = weights.iter().copied().fold(0.0, f64::max);
    let total: f64 = weights.iter().map(|weight| weight / largest).sum();
    weights.iter().map(|weight| weight / largest / total).collect()
}
