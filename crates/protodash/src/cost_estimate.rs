//! What a selection is expected to cost, from its sizes and the time that a small part of it takes.

use ndarray::{ArrayRef2, s};

use crate::compare::Meter;
use crate::error::{Result, Role};
use crate::kernel::{Kernel, SparseKernel, has_unit_diagonal, loop_formula};
use crate::kernel_mean::{PairShape, Precision, Target, Workload, full_workload, pair_work, race_workload};
use crate::observe::{Observer, Stage, Unobserved};
use crate::params::{Means, Method, Params, TargetEnergy};
use crate::prepared::{merged_shapes, n_merged, precision_for_one, wants_race};
use crate::rows::{CheckedMatrix, Scalar};
use crate::simd::InstructionSet;

/// Work of a trial, in columns of a pair in f32: about 20 ms on two cores.
const TRIAL_WORK: f64 = (1_u64 << 30) as f64;
/// Work of a trial of a kernel that is not built in, whose values may take a thousand times as long.
const CUSTOM_TRIAL_WORK: f64 = (1_u64 << 24) as f64;
/// The same for sparse rows.
const SPARSE_TRIAL_WORK: f64 = (1_u64 << 27) as f64;
/// Runs of fewer trials are too short to be worth one.
const MIN_TRIALS: f64 = 200.0;
/// Trials, of which the fastest counts: the first one may have to start threads.
const N_TRIALS: usize = 2;
/// Work for a value of a stored column at every later step, which waits for memory.
const STORED_VALUE: f64 = 8.0;
/// Bytes for each source row besides data and columns: means, gradients, Schur complements and the newest column.
const ROW_BYTES: u64 = 48;
/// Bytes for each source row in a race: gradients, sums over the draws, slacks and flags, Schur complements for ProtoGreedy, and lists of rows
/// in contention.
const RACED_ROW_BYTES: u64 = 40;
/// What a race keeps of the target, of features and of the newest column.
const RACE_CACHE_BYTES: u64 = 200 << 20;

/// What a selection is expected to cost.
///
/// # Examples
///
/// ```
/// use ndarray::Array2;
/// use protodash::compare::Unmetered;
/// use protodash::{CostEstimate, Gaussian, Means, Params};
///
/// let rows = Array2::from_shape_fn((300_000, 1), |(row, _)| row as f64);
/// let (kernel, mut params) = (Gaussian::new(1.0)?, Params::new(10));
/// params.means = Means::Full;
/// let estimate = CostEstimate::new(&rows, &rows, &kernel, &params, &mut Unmetered)?.unwrap();
/// assert_eq!(estimate.n_pairs, 300_000 * 300_001 / 2);
/// let few = rows.slice(ndarray::s![..100, ..]);
/// assert_eq!(CostEstimate::new(&few, &few, &kernel, &params, &mut Unmetered)?, None);
/// # Ok::<(), protodash::Error>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq)]
#[non_exhaustive]
pub struct CostEstimate {
    /// Number of rows to represent.
    pub n_target: usize,
    /// Number of rows to choose from.
    pub n_source: usize,
    /// Whether the target is the source.
    pub target_is_source: bool,
    /// Number of kernel values: exact for the full mean, a typical number for racing.
    pub n_pairs: u64,
    /// Whether the kernel means will be raced.
    pub is_raced: bool,
    /// Whether they are not raced although that is expected to be faster.
    pub could_race: bool,
    /// Expected time in seconds, at the speed of a trial.
    pub seconds: f64,
    /// Expected memory in bytes, data included.
    pub n_bytes: u64,
    /// Whether the method takes further time that depends on the data.
    pub is_lower_bound: bool,
}

impl CostEstimate {
    /// The expected cost; `None` if the run is too short to be worth a trial.
    ///
    /// The trial computes kernel values of the first target rows and the last source rows, which takes less than 1 % of the
    /// run. `meter` measures its time, since the core reads no clock.
    ///
    /// # Errors
    ///
    /// If a value of the matrices is not finite.
    ///
    /// # Examples
    ///
    /// ```
    /// use ndarray::Array2;
    /// use protodash::compare::Unmetered;
    /// use protodash::{CostEstimate, Linear, Params};
    ///
    /// // The mean of a linear kernel needs no pairs, so that it is never long.
    /// let rows = Array2::<f64>::zeros((1_000_000, 1));
    /// assert_eq!(CostEstimate::new(&rows, &rows, &Linear, &Params::new(1), &mut Unmetered)?, None);
    /// # Ok::<(), protodash::Error>(())
    /// ```
    pub fn new<T: Scalar>(
        target: &ArrayRef2<T>,
        source: &ArrayRef2<T>,
        kernel: &dyn Kernel<T>,
        params: &Params,
        meter: &mut dyn Meter,
    ) -> Result<Option<Self>> {
        let is_source = target.as_ptr() == source.as_ptr() && target.dim() == source.dim();
        let (n_target, n_source, n_columns) = (target.nrows(), source.nrows(), source.ncols());
        let shape = PairShape { n_target, n_source, n_columns, is_source };
        let is_long = |shape, is_raced| {
            let total = workload(kernel, params, shape, is_raced);
            total.n_pairs > 0.0 && total.work >= MIN_TRIALS * trial_work(kernel)
        };
        if n_target == 0 || n_columns != target.ncols() || !is_long(shape, wants_race(kernel, params, (shape, shape))) {
            return Ok(None);
        }
        let shapes = without_copies((target, source), shape)?;
        let is_raced = wants_race(kernel, params, (shape, shape)) && wants_race(kernel, params, shapes);
        let merged = if is_raced { shapes.1 } else { shapes.0 };
        if !is_long(merged, is_raced) {
            return Ok(None);
        }
        let (trial, seconds) = trial(kernel, (target, source), precision_for_one::<T>(params), meter)?;
        let auto = Params { means: Means::Auto, ..params.clone() };
        let Workload { n_pairs, work } = workload(kernel, params, merged, is_raced);
        Ok(Some(CostEstimate {
            n_target,
            n_source,
            target_is_source: is_source,
            n_pairs: n_pairs as u64,
            is_raced,
            could_race: !is_raced && wants_race(kernel, &auto, shapes),
            seconds: seconds * work / trial,
            n_bytes: n_bytes::<T>(kernel, params, shape, is_raced),
            is_lower_bound: !searches(params) || params.n_prototypes.is_none(),
        }))
    }
}

/// Whether the method is a greedy search, whose cost is known.
fn searches(params: &Params) -> bool {
    matches!(params.method, Method::ProtoDash | Method::ProtoGreedy)
}

/// The sizes of the distinct rows that the sums of the full mean and of a race run over.
fn without_copies<T: Scalar>(
    (target, source): (&ArrayRef2<T>, &ArrayRef2<T>),
    shape: PairShape,
) -> Result<(PairShape, PairShape)> {
    let n_target = n_merged(CheckedMatrix::new(target, Role::Target)?.rows());
    let n_source = if shape.is_source { n_target } else { n_merged(CheckedMatrix::new(source, Role::Source)?.rows()) };
    Ok(merged_shapes(shape, (n_target < shape.n_target).then_some(n_target), || Some(n_source)))
}

/// The work of means, energy and search.
fn workload<T: Scalar>(kernel: &dyn Kernel<T>, params: &Params, shape: PairShape, is_raced: bool) -> Workload {
    let precision = precision_for_one::<T>(params);
    let n_prototypes = params.n_total().unwrap_or(0);
    let full = full_workload(kernel, shape, precision);
    let race = is_raced.then(|| race_workload(kernel, shape, n_prototypes, precision));
    // A race that takes too many pairs gives up and computes all means.
    let means = race.filter(|race| race.work < full.work).unwrap_or(full);
    let own = PairShape { n_source: shape.n_target, is_source: true, ..shape };
    let energy = match params.target_energy {
        TargetEnergy::Exact if !shape.is_source && !is_raced => full_workload(kernel, own, precision),
        TargetEnergy::Sample { n_rows, .. } if !shape.is_source && !is_raced => {
            let sample = PairShape { n_target: n_rows, n_source: n_rows, ..own };
            full_workload(kernel, sample, precision)
        }
        _ => Workload { n_pairs: 0.0, work: 0.0 },
    };
    let (m, n_source) = (n_prototypes as f64 * params.oversample, shape.n_source as f64);
    let column = n_source * pair_work(kernel, shape.n_columns, Precision::Double);
    let search = m * column + m * m / 2.0 * n_source * STORED_VALUE;
    Workload { n_pairs: means.n_pairs + energy.n_pairs, work: means.work + energy.work + search }
}

/// Expected memory of a run.
fn n_bytes<T: Scalar>(kernel: &dyn Kernel<T>, params: &Params, shape: PairShape, is_raced: bool) -> u64 {
    let PairShape { n_target, n_source, n_columns, is_source } = shape;
    let n_rows = n_source + if is_source { 0 } else { n_target };
    let dense = (n_rows * n_columns * size_of::<T>()) as u64;
    let data = kernel.sparse().map_or(dense, SparseKernel::n_bytes);
    let value_bytes = if searches(params) && has_unit_diagonal(kernel) { 4 } else { 8 };
    let n_prototypes = params.n_total().unwrap_or(0) as f64 * params.oversample;
    let columns = (n_prototypes * n_source as f64 * f64::from(value_bytes)) as u64;
    let rest = if is_raced { n_rows as u64 * RACED_ROW_BYTES + RACE_CACHE_BYTES } else { n_rows as u64 * ROW_BYTES };
    data + columns.min(params.column_memory) + rest
}

fn trial_work<T: Scalar>(kernel: &dyn Kernel<T>) -> f64 {
    match loop_formula(kernel) {
        Some(_) => TRIAL_WORK,
        None if kernel.sparse().is_some() => SPARSE_TRIAL_WORK,
        None => CUSTOM_TRIAL_WORK,
    }
}

/// The work of a trial and the seconds it takes.
fn trial<T: Scalar>(
    kernel: &dyn Kernel<T>,
    (target, source): (&ArrayRef2<T>, &ArrayRef2<T>),
    precision: Precision,
    meter: &mut dyn Meter,
) -> Result<(f64, f64)> {
    let per_pair = pair_work(kernel, source.ncols(), precision);
    let n_rows = ((trial_work(kernel) / per_pair).sqrt() as usize).max(1);
    let (n_target, n_source) = (n_rows.min(target.nrows()), n_rows.min(source.nrows()));
    let (first, last) = (target.slice(s![..n_target, ..]), source.slice(s![source.nrows() - n_source.., ..]));
    let first = CheckedMatrix::new(&first, Role::Target)?;
    let last = CheckedMatrix::new(&last, Role::Source)?;
    let target = Target { rows: first.rows(), weights: None };
    let mut seconds = f64::INFINITY;
    for _ in 0..N_TRIALS {
        meter.start();
        let watch = (Stage::KernelMean, &mut Unobserved as &mut dyn Observer);
        // Not merged, so that all of these pairs are computed.
        T::sums_of_all_pairs(target, Some(last.rows()), kernel, (InstructionSet::best(), precision), watch)?;
        seconds = seconds.min(meter.read().seconds);
    }
    Ok(((n_target * n_source) as f64 * per_pair, seconds))
}

#[cfg(test)]
mod tests {
    use ndarray::Array2;

    use super::*;
    use crate::compare::{RunCost, Unmetered};
    use crate::kernel::{Gaussian, Polynomial};

    /// A clock by which every trial takes a hundredth of a second.
    struct Clock;

    impl Meter for Clock {
        fn start(&mut self) {}

        fn read(&mut self) -> RunCost {
            RunCost { seconds: 0.01, ..RunCost::default() }
        }
    }

    fn rows(n_rows: usize, n_distinct: usize) -> Array2<f32> {
        Array2::from_shape_fn((n_rows, 2), |(row, column)| (row % n_distinct * (column + 1)) as f32)
    }

    fn estimate(rows: &Array2<f32>, source: &Array2<f32>, change: impl Fn(&mut Params)) -> Option<CostEstimate> {
        let mut params = Params::new(10);
        params.means = Means::Full;
        change(&mut params);
        CostEstimate::new(rows, source, &Gaussian::new(1.0).unwrap(), &params, &mut Clock).unwrap()
    }

    #[test]
    fn the_full_mean_takes_all_pairs_of_distinct_rows() {
        let many = rows(400_000, 400_000);
        let full = estimate(&many, &many, |_| {}).unwrap();
        assert_eq!((full.n_pairs, full.is_raced, full.could_race), (400_000 * 400_001 / 2, false, true));
        // 8e10 pairs of 22 columns each, and trials of 2³⁰ columns.
        let expected = 0.01 * 8e10 * 22.0 / 2_f64.powi(30);
        assert!((full.seconds / expected - 1.0).abs() < 0.02, "{full:?} {expected}");
        assert_eq!(full.n_bytes, 400_000 * (8 + 40 + ROW_BYTES));
        // Each row occurs four times.
        let copies = rows(800_000, 200_000);
        let merged = estimate(&copies, &copies, |_| {}).unwrap();
        assert_eq!((merged.n_target, merged.n_pairs), (800_000, 200_000 * 200_001 / 2));
        assert!(!merged.is_lower_bound && merged.target_is_source);
    }

    #[test]
    fn another_target_adds_its_energy_unless_that_is_skipped() {
        let (target, source) = (rows(200_000, 200_000), rows(300_000, 300_000));
        let exact = estimate(&target, &source, |_| {}).unwrap();
        let skipped = estimate(&target, &source, |params| params.target_energy = TargetEnergy::Skip).unwrap();
        assert_eq!(skipped.n_pairs, 200_000 * 300_000);
        assert_eq!(exact.n_pairs - skipped.n_pairs, 200_000 * 200_001 / 2);
        assert!(exact.seconds > skipped.seconds && !exact.target_is_source);
    }

    #[test]
    fn racing_takes_fewer_pairs_and_other_methods_more_time() {
        let many = rows(400_000, 400_000);
        let full = estimate(&many, &many, |_| {}).unwrap();
        let raced = estimate(&many, &many, |params| params.means = Means::Auto).unwrap();
        assert!(raced.is_raced && !raced.could_race && raced.n_pairs < full.n_pairs / 4, "{raced:?}");
        assert!(raced.seconds < full.seconds);
        let swapped = estimate(&many, &many, |params| params.method = Method::Swap).unwrap();
        assert!(swapped.is_lower_bound && !swapped.could_race && swapped.seconds > 1.5 * full.seconds);
        let all = estimate(&many, &many, |params| params.n_prototypes = None).unwrap();
        assert!(all.is_lower_bound);
    }

    #[test]
    fn short_runs_have_no_trial() {
        struct Forbidden;
        impl Meter for Forbidden {
            fn start(&mut self) {
                unreachable!("there is no trial");
            }
            fn read(&mut self) -> RunCost {
                RunCost::default()
            }
        }
        let few = rows(2000, 2000);
        let (gaussian, params) = (Gaussian::new(1.0).unwrap(), Params::new(10));
        assert_eq!(CostEstimate::new(&few, &few, &gaussian, &params, &mut Forbidden).unwrap(), None);
        // Many rows of which few are distinct, and a mean without pairs.
        let copies = rows(2_000_000, 100);
        assert_eq!(CostEstimate::new(&copies, &copies, &gaussian, &params, &mut Forbidden).unwrap(), None);
        let square = Polynomial::new(2, 1.0, 0.0).unwrap();
        assert_eq!(CostEstimate::new(&copies, &copies, &square, &params, &mut Unmetered).unwrap(), None);
    }
}
