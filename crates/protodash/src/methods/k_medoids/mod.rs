//! K-Medoids: the rows with the smallest sum of distances from everybody to the nearest of them.
//!
//! Written from the papers: E. Schubert and P. J. Rousseeuw, "Fast and eager k-medoids clustering: O(k) runtime
//! improvement of the PAM, CLARA, and CLARANS algorithms", Information Systems 101 (2021). It looks at the source
//! alone; a target that is another table plays no part until the medoids are weighted.

mod distance;
mod neighbours;
mod order;

use ndarray::ArrayRef2;
use rand::SeedableRng;
use rand::seq::index;
use rand_chacha::ChaCha8Rng;
use rayon::prelude::*;

use self::distance::Distances;
use self::neighbours::Neighbours;
use self::order::{Ordered, in_greedy_order};
use crate::error::{Error, Result, Role};
use crate::kernel::{Distance, Kernel};
use crate::observe::{Observer, Stage, go_on};
use crate::params::{Params, check_target_weights};
use crate::problem::{Problem, Stop};
use crate::rows::{CheckedMatrix, Rows, Scalar};

/// An exchange must lower the loss by more than this part of it; less is rounding, and could go on forever.
const SMALLEST_DROP: f64 = 1e-12;

/// What is asked of [`k_medoids`].
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
    /// How many medoids to find (k).
    pub n_medoids: usize,
    /// Seed of the rows that the exchanges begin with.
    pub seed: u64,
    /// The rows that the exchanges begin with, instead of ones drawn from the seed.
    pub initial: Option<Vec<usize>>,
    /// How much each row counts, not necessarily normalised: a row of weight 2 is as good as two equal rows. `None`
    /// counts all alike.
    pub row_weights: Option<Vec<f64>>,
    /// Bytes that a matrix of all distances may take; where it would take more, distances are computed again whenever
    /// they are needed. The result is the same to the last bit.
    pub matrix_memory: u64,
}

impl KMedoidsParams {
    /// The defaults with a given number of medoids.
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
    /// 0-based rows of the source. Each next one lowers the loss of those before it the most, so that beginnings are
    /// sensible sets too.
    pub medoids: Vec<usize>,
    /// Σ over all rows of the distance from the nearest of the first i + 1 medoids, times the row's weight if it has one.
    pub losses: Vec<f64>,
    /// For each row of the source the place of its nearest medoid.
    pub assignment: Vec<usize>,
    /// What distance was measured.
    pub distance: Distance,
    /// How many exchanges were made.
    pub n_exchanges: usize,
    /// How much the rows count that are nearest to each of the first i + 1 medoids.
    sizes: Vec<Vec<f64>>,
}

impl KMedoids {
    /// Σ over all rows of the distance from the nearest medoid: what was minimised.
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

    /// The part of all rows, by their weights, that is nearest to each of the first `n_medoids`; `None` for 0 and beyond
    /// the last.
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

/// The rows with the smallest sum of distances from all rows to the nearest of them, up to single exchanges.
///
/// # Formula
///
/// ```text
/// min Σ_o v_o min_{m ∈ M} d(o, m),  |M| = k
/// ```
///
/// with the distance d that belongs to the kernel ([`Distance`]) and the rows' weights v, 1 unless given. FasterPAM: from rows drawn without replacement,
/// candidates are looked at in turn and put in the place of a medoid as soon as that lowers the loss, until no single
/// exchange of any medoid for any row does. One medoid alone is found exactly.
///
/// Costs n² distances once with a matrix of them, n² for each round without, and O(n) for each candidate of a round.
/// The result does not depend on the number of threads nor on the matrix.
///
/// # Errors
///
/// If the matrix is empty or not finite, if there are fewer rows than medoids or no medoids are asked for, if an
/// initial row does not exist or comes twice or their number is not that of the medoids, if the rows' weights are not
/// one for each row, finite, not negative and not all 0, if a distance is not finite,
/// or [`Error::Cancelled`] when the observer stops it.
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
pub fn k_medoids<T: Scalar, K: Kernel<T> + ?Sized>(
    source: &ArrayRef2<T>,
    kernel: &K,
    params: &KMedoidsParams,
    observer: &mut dyn Observer,
) -> Result<KMedoids> {
    let source = CheckedMatrix::new(source, Role::Source)?;
    if let Some(weights) = &params.row_weights {
        check_target_weights(weights, source.rows().n_rows())?;
    }
    search(source.rows(), kernel, params, observer)
}

/// The medoids of the source as a method of [`select`](crate::select).
///
/// A source that is its own target has the weights of its rows.
pub(crate) fn choose<T: Scalar, K: Kernel<T> + ?Sized>(
    problem: Problem<'_, T, K>,
    stop: Stop,
    observer: &mut dyn Observer,
) -> Result<Vec<usize>> {
    let n_medoids = stop.n_prototypes.ok_or(Error::NumberOfMedoidsNeeded)?;
    let Params { seed, column_memory, .. } = *problem.params;
    let row_weights = problem.source_weights().map(Vec::from);
    let params = KMedoidsParams { seed, row_weights, matrix_memory: column_memory, ..KMedoidsParams::new(n_medoids) };
    search(problem.source, problem.kernel, &params, observer).map(|found| found.medoids)
}

/// [`k_medoids`] of rows that were checked.
fn search<T: Scalar, K: Kernel<T> + ?Sized>(
    rows: Rows<'_, T>,
    kernel: &K,
    params: &KMedoidsParams,
    observer: &mut dyn Observer,
) -> Result<KMedoids> {
    let initial = initial(params, rows.n_rows())?;
    let weights = params.row_weights.clone().unwrap_or_else(|| vec![1.0; rows.n_rows()]);
    let distances = Distances::new(kernel, (rows, weights), params.matrix_memory, observer)?;
    let (medoids, n_exchanges) = if params.n_medoids == 1 {
        (vec![centre(&distances, observer)?], 0)
    } else {
        refine(&distances, initial, observer)?
    };
    let Ordered { medoids, losses, sizes, assignment } = in_greedy_order(&distances, medoids, observer)?;
    Ok(KMedoids { medoids, losses, assignment, distance: Distance::of(kernel), n_exchanges, sizes })
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

/// Exchanges until no single one lowers the loss: the medoids, and how many exchanges it took.
fn refine<T: Scalar, K: Kernel<T> + ?Sized>(
    distances: &Distances<'_, T, K>,
    initial: Vec<usize>,
    observer: &mut dyn Observer,
) -> Result<(Vec<usize>, usize)> {
    let n_rows = distances.n_rows();
    let mut neighbours = Neighbours::new(distances, initial)?;
    let mut loss = neighbours.loss();
    let per_call = (distances.per_round() / n_rows).max(1);
    let (mut candidate, mut unchanged, mut n_exchanges) = (0, 0, 0);
    while unchanged < n_rows {
        if candidate % per_call == 0 {
            go_on(observer.on_progress(Stage::Swap, unchanged as u64, n_rows as u64))?;
        }
        unchanged += 1;
        if !neighbours.is_medoid[candidate] {
            let exchange = neighbours.best_exchange(distances, candidate)?;
            if exchange.change < -SMALLEST_DROP * loss {
                let before = neighbours.medoids[exchange.place];
                neighbours.exchange(distances, exchange.place, candidate);
                let exchanged = neighbours.loss();
                if exchanged < loss {
                    loss = exchanged;
                    (unchanged, n_exchanges) = (1, n_exchanges + 1);
                } else {
                    // Nothing but rounding promised a drop: twins would be exchanged forever.
                    neighbours.exchange(distances, exchange.place, before);
                }
            }
        }
        candidate = (candidate + 1) % n_rows;
    }
    Ok((neighbours.medoids, n_exchanges))
}

/// The row with the smallest sum of distances from all others; the first of several.
fn centre<T: Scalar, K: Kernel<T> + ?Sized>(
    distances: &Distances<'_, T, K>,
    observer: &mut dyn Observer,
) -> Result<usize> {
    let n_rows = distances.n_rows();
    let per_round = rayon::current_num_threads() * (distances.per_round() / n_rows).max(1);
    let mut totals: Vec<f64> = Vec::with_capacity(n_rows);
    for start in (0..n_rows).step_by(per_round) {
        go_on(observer.on_progress(Stage::Swap, start as u64, n_rows as u64))?;
        let total = |row: usize| {
            let mut values = Vec::new();
            let column = distances.column(row, 0..n_rows, &mut values);
            column.iter().zip(distances.weights()).map(|(distance, weight)| weight * distance).sum::<f64>()
        };
        totals.par_extend((start..n_rows.min(start + per_round)).into_par_iter().map(total));
    }
    if let Some(row) = totals.iter().position(|total| !total.is_finite()) {
        return Err(Error::KernelNotFinite { role: Role::Source, row, value: totals[row].to_string() });
    }
    Ok((0..n_rows).reduce(|best, other| if totals[other] < totals[best] { other } else { best }).unwrap_or(0))
}
