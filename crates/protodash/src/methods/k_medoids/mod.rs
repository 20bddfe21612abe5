//! K-Medoids: the rows that minimise the sum of distances from all rows to the nearest of them.
//!
//! Written from the paper: E. Schubert and P. J. Rousseeuw, "Fast and eager k-medoids clustering: O(k) runtime
//! improvement of the PAM, CLARA, and CLARANS algorithms", Information Systems 101 (2021). As a method it uses the
//! source alone; a target other than the source only affects the weights. [`cover`] covers the target.

mod coverage_limit;
mod distance;
mod nearest_medoids;
mod order;

use ndarray::ArrayRef2;
use rand::SeedableRng;
use rand::seq::index;
use rand_chacha::ChaCha8Rng;

pub(crate) use self::distance::{CoverProblem, Distances};
use self::nearest_medoids::NearestMedoids;
use self::order::{OrderedMedoids, in_greedy_order};
use crate::error::{Error, Result, Role};
use crate::kernel::{Distance, Kernel};
use crate::observe::{Observer, Stage, check_cancelled};
use crate::parallel;
use crate::params::{Params, check_row_weights};
use crate::problem::{SelectionProblem, StoppingRule};
use crate::rows::{CheckedMatrix, Rows, Scalar, same_rows};

pub(crate) use self::coverage_limit::CoverageLimit;

/// An exchange must lower the loss by more than this fraction of it; less is rounding, and might never end.
const SMALLEST_DROP: f64 = 1e-12;

/// Parameters of [`k_medoids`].
///
/// # Examples
///
/// ```
/// use protodash::KMedoidsParams;
///
/// let mut params = KMedoidsParams::new(10);
/// params.seed = 7;
/// assert_eq!(params.n_medoids, 10);
/// ```
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct KMedoidsParams {
    /// Number of medoids (k).
    pub n_medoids: usize,
    /// Random seed of the initial medoids.
    pub seed: u64,
    /// The initial medoids, instead of random ones.
    pub initial: Option<Vec<usize>>,
    /// Row weights, not necessarily normalised: weight 2 is the same as two equal rows. `None` gives all rows the same
    /// weight.
    pub row_weights: Option<Vec<f64>>,
    /// Maximum memory for the matrix of all distances, in bytes; beyond it, distances are computed whenever they are
    /// needed. The result is the same to the last bit.
    pub matrix_memory: u64,
}

impl KMedoidsParams {
    /// The defaults with this number of medoids.
    ///
    /// # Examples
    ///
    /// ```
    /// assert_eq!(protodash::KMedoidsParams::new(3).initial, None);
    /// ```
    pub fn new(n_medoids: usize) -> Self {
        KMedoidsParams { n_medoids, seed: 0, initial: None, row_weights: None, matrix_memory: 4 << 30 }
    }
}

/// The result of [`k_medoids`].
///
/// # Examples
///
/// ```
/// use ndarray::array;
/// use protodash::{Gaussian, KMedoidsParams, Unobserved, k_medoids};
///
/// let rows = array![[0.0], [1.0], [2.0], [10.0], [11.0]];
/// let found = k_medoids(&rows, &Gaussian::new(1.0)?, &KMedoidsParams::new(2), &mut Unobserved)?;
/// assert_eq!(found.shares(2), Some(vec![0.6, 0.4]));
/// # Ok::<(), protodash::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct KMedoids {
    /// 0-based rows of the source, each the one that lowers the loss of the earlier ones the most, so that prefixes are
    /// sensible sets too.
    pub medoids: Vec<usize>,
    /// Σ over all rows of the distance from the nearest of the first i + 1 medoids, times the row's weight if it has one.
    pub losses: Vec<f64>,
    /// For each row of the source, the position of its nearest medoid.
    pub assignment: Vec<usize>,
    /// The distance used.
    pub distance: Distance,
    /// Number of exchanges.
    pub n_exchanges: usize,
    /// The weight of the rows nearest to each of the first i + 1 medoids.
    sizes: Vec<Vec<f64>>,
}

impl KMedoids {
    /// The loss: Σ over all rows of the distance from the nearest medoid.
    ///
    /// # Examples
    ///
    /// ```
    /// use ndarray::array;
    /// use protodash::{Gaussian, KMedoidsParams, Unobserved, k_medoids};
    ///
    /// let rows = array![[0.0], [1.0], [2.0], [10.0], [11.0]];
    /// let found = k_medoids(&rows, &Gaussian::new(1.0)?, &KMedoidsParams::new(2), &mut Unobserved)?;
    /// assert_eq!(found.loss(), 3.0); // 1 + 0 + 1, and 1 in the other cluster
    /// # Ok::<(), protodash::Error>(())
    /// ```
    pub fn loss(&self) -> f64 {
        self.losses.last().copied().unwrap_or(0.0)
    }

    /// The share of rows, by weight, nearest to each of the first `n_medoids`; `None` for 0 and beyond the last.
    ///
    /// # Examples
    ///
    /// ```
    /// use ndarray::array;
    /// use protodash::{Gaussian, KMedoidsParams, Unobserved, k_medoids};
    ///
    /// let rows = array![[0.0], [1.0], [2.0], [10.0]];
    /// let found = k_medoids(&rows, &Gaussian::new(1.0)?, &KMedoidsParams::new(2), &mut Unobserved)?;
    /// assert_eq!(found.shares(1), Some(vec![1.0]));
    /// assert_eq!(found.shares(2), Some(vec![0.75, 0.25]));
    /// # Ok::<(), protodash::Error>(())
    /// ```
    pub fn shares(&self, n_medoids: usize) -> Option<Vec<f64>> {
        let sizes = self.sizes.get(n_medoids.checked_sub(1)?)?;
        let total: f64 = sizes.iter().sum();
        Some(sizes.iter().map(|size| size / total).collect())
    }
}

/// The rows that minimise the sum of distances from all rows to the nearest of them, up to single exchanges.
///
/// # Formula
///
/// ```text
/// min Σ_o v_o min_{m ∈ M} d(o, m),  |M| = k
/// ```
///
/// with the distance d of the kernel ([`Distance`]) and the row weights v, 1 unless given. FasterPAM: starting from random
/// rows, each candidate in turn replaces a medoid as soon as that lowers the loss, until no exchange of any medoid for any
/// row does. A single medoid is found exactly.
///
/// Costs n² distances once with a matrix of them, n² for each round without, and O(n) for each candidate of a round.
/// The result depends neither on the number of threads nor on the matrix.
///
/// # Errors
///
/// If the matrix is empty or not finite, if there are fewer rows than medoids or no medoids are requested, if the initial
/// medoids are not the right number of distinct rows, if the row weights are not one finite number of at least 0 for each
/// row, one of them positive, if a distance is not finite, or [`Error::Cancelled`] when the observer stops the run.
///
/// # Examples
///
/// ```
/// use ndarray::array;
/// use protodash::{KMedoidsParams, Laplacian, Unobserved, k_medoids};
///
/// let rows = array![[0.0], [1.0], [2.0], [20.0], [21.0], [22.0]];
/// let found = k_medoids(&rows, &Laplacian::new(1.0)?, &KMedoidsParams::new(2), &mut Unobserved)?;
/// let mut medoids = found.medoids.clone();
/// medoids.sort();
/// assert_eq!(medoids, [1, 4]);
/// # Ok::<(), protodash::Error>(())
/// ```
pub fn k_medoids<T: Scalar>(
    source: &ArrayRef2<T>,
    kernel: &dyn Kernel<T>,
    params: &KMedoidsParams,
    observer: &mut dyn Observer,
) -> Result<KMedoids> {
    let source = CheckedMatrix::new(source, Role::Source)?;
    if let Some(weights) = &params.row_weights {
        check_row_weights(weights, source.rows().n_rows(), Role::Source)?;
    }
    search(source.rows(), kernel, params, observer)
}

/// The medoids of the source as a method of [`select`](crate::select).
///
/// If the source is the target, its rows have the target weights.
pub(crate) fn choose<T: Scalar>(
    problem: SelectionProblem<'_, T>,
    stop: StoppingRule,
    observer: &mut dyn Observer,
) -> Result<Vec<usize>> {
    let n_medoids = stop.n_prototypes.ok_or(Error::NumberOfMedoidsNeeded)?;
    let Params { seed, column_memory, .. } = *problem.params;
    let row_weights = problem.source_weights().map(Vec::from);
    let params = KMedoidsParams { seed, row_weights, matrix_memory: column_memory, ..KMedoidsParams::new(n_medoids) };
    search(problem.source, problem.kernel, &params, observer).map(|found| found.medoids)
}

/// The source rows that minimise the sum of distances from the *target* rows to the nearest of them, and a limit on that
/// sum for later exchanges.
///
/// If the source is the target, these are the medoids of [`choose`].
pub(crate) fn cover<'a, T: Scalar>(
    problem: SelectionProblem<'a, T>,
    n_medoids: usize,
    observer: &mut dyn Observer,
) -> Result<(Vec<usize>, CoverageLimit<'a, T>)> {
    let SelectionProblem { target, source, kernel, params, .. } = problem;
    let weights = target.weights.map_or_else(|| vec![1.0; target.rows.n_rows()], Vec::from);
    let candidates = (!same_rows(target.rows, source)).then_some(source);
    let problem = CoverProblem { kernel, rows: target.rows, weights, candidates };
    let initial = initial(&KMedoidsParams { seed: params.seed, ..KMedoidsParams::new(n_medoids) }, source.n_rows())?;
    // At the same time the search stores a column for each prototype.
    let columns = (size_of::<f64>() * source.n_rows() * n_medoids) as u64;
    let distances = Distances::new(problem, params.column_memory.saturating_sub(columns), observer)?;
    let (medoids, _) = refined(&distances, initial, observer)?;
    let OrderedMedoids { medoids, .. } = in_greedy_order(&distances, medoids, observer)?;
    let limit = CoverageLimit::new(distances, &medoids, params.coverage_slack)?;
    Ok((medoids, limit))
}

/// [`k_medoids`] of checked rows.
fn search<T: Scalar>(
    rows: Rows<'_, T>,
    kernel: &dyn Kernel<T>,
    params: &KMedoidsParams,
    observer: &mut dyn Observer,
) -> Result<KMedoids> {
    let initial = initial(params, rows.n_rows())?;
    let weights = params.row_weights.clone().unwrap_or_else(|| vec![1.0; rows.n_rows()]);
    let problem = CoverProblem { kernel, rows, weights, candidates: None };
    let distances = Distances::new(problem, params.matrix_memory, observer)?;
    let (medoids, n_exchanges) = refined(&distances, initial, observer)?;
    let OrderedMedoids { medoids, losses, sizes, assignment } = in_greedy_order(&distances, medoids, observer)?;
    Ok(KMedoids { medoids, losses, assignment, distance: Distance::of(kernel), n_exchanges, sizes })
}

/// The medoids that no exchange improves, and the number of exchanges; a single medoid is found exactly.
fn refined<T: Scalar>(
    distances: &Distances<'_, T>,
    initial: Vec<usize>,
    observer: &mut dyn Observer,
) -> Result<(Vec<usize>, usize)> {
    if initial.len() == 1 { Ok((vec![centre(distances, observer)?], 0)) } else { refine(distances, initial, observer) }
}

fn initial(params: &KMedoidsParams, n_rows: usize) -> Result<Vec<usize>> {
    let n_medoids = params.n_medoids;
    if n_medoids == 0 {
        return Err(Error::NoPrototypes);
    }
    if n_medoids > n_rows {
        return Err(Error::TooManyPrototypes { requested: n_medoids, available: n_rows });
    }
    let Some(initial) = &params.initial else {
        let mut generator = ChaCha8Rng::seed_from_u64(params.seed);
        return Ok(index::sample(&mut generator, n_rows, n_medoids).into_vec());
    };
    let mut sorted = initial.clone();
    sorted.sort_unstable();
    sorted.dedup();
    if sorted.len() != n_medoids || initial.len() != n_medoids || sorted.last().is_some_and(|last| *last >= n_rows) {
        return Err(Error::BadInitialMedoids { given: initial.len(), requested: n_medoids, rows: n_rows });
    }
    Ok(initial.clone())
}

/// Exchanges medoids until no exchange lowers the loss; returns the medoids and the number of exchanges.
fn refine<T: Scalar>(
    distances: &Distances<'_, T>,
    initial: Vec<usize>,
    observer: &mut dyn Observer,
) -> Result<(Vec<usize>, usize)> {
    let n_candidates = distances.n_candidates();
    let mut nearest_medoids = NearestMedoids::new(distances, initial)?;
    let mut loss = nearest_medoids.loss();
    let per_call = (distances.per_round() / distances.n_rows()).max(1);
    let (mut candidate, mut unchanged, mut n_exchanges) = (0, 0, 0);
    while unchanged < n_candidates {
        if candidate % per_call == 0 {
            check_cancelled(observer.on_progress(Stage::Swap, unchanged as u64, n_candidates as u64))?;
        }
        unchanged += 1;
        if !nearest_medoids.is_medoid[candidate] {
            let exchange = nearest_medoids.best_exchange(distances, candidate)?;
            if exchange.change < -SMALLEST_DROP * loss {
                let before = nearest_medoids.medoids[exchange.position];
                nearest_medoids.exchange(distances, exchange.position, candidate);
                let exchanged = nearest_medoids.loss();
                if exchanged < loss {
                    loss = exchanged;
                    (unchanged, n_exchanges) = (1, n_exchanges + 1);
                } else {
                    // The drop was only rounding: equal rows would be exchanged forever.
                    nearest_medoids.exchange(distances, exchange.position, before);
                }
            }
        }
        candidate = (candidate + 1) % n_candidates;
    }
    Ok((nearest_medoids.medoids, n_exchanges))
}

/// The candidate with the smallest sum of distances from all rows, the first if tied.
fn centre<T: Scalar>(distances: &Distances<'_, T>, observer: &mut dyn Observer) -> Result<usize> {
    let (n_rows, n_candidates) = (distances.n_rows(), distances.n_candidates());
    let per_round = rayon::current_num_threads() * (distances.per_round() / n_rows).max(1);
    let mut totals: Vec<f64> = Vec::with_capacity(n_candidates);
    for start in (0..n_candidates).step_by(per_round) {
        check_cancelled(observer.on_progress(Stage::Swap, start as u64, n_candidates as u64))?;
        let total = |candidate: usize| {
            let mut values = Vec::new();
            let column = distances.column(candidate, 0..n_rows, &mut values);
            column.iter().zip(distances.weights()).map(|(distance, weight)| weight * distance).sum::<f64>()
        };
        totals.append(&mut parallel::map(start..n_candidates.min(start + per_round), total));
    }
    if let Some(row) = totals.iter().position(|total| !total.is_finite()) {
        return Err(Error::KernelNotFinite { role: Role::Source, row, value: totals[row].to_string() });
    }
    Ok((0..n_candidates).reduce(|best, other| if totals[other] < totals[best] { other } else { best }).unwrap_or(0))
}
