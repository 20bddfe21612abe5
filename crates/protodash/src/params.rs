//! What a caller can ask of a run, checked once, on entry.

use crate::error::{Error, Result};
use crate::kernel_mean::Precision;

/// What is asked of [`select`](crate::select).
///
/// # Examples
///
/// ```
/// use protodash::{Method, Params};
///
/// let mut params = Params::new(10);
/// params.method = Method::ProtoGreedy;
/// params.min_gain = Some(1e-6);
/// assert_eq!(params.n_prototypes, Some(10));
/// ```
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct Params {
    /// How many prototypes to choose at most (m); `None` leaves the number to [`min_gain`](Self::min_gain), or else to
    /// the optimum.
    pub n_prototypes: Option<usize>,
    /// Stop before a step that would raise the objective by less than this (ε of Algorithms 1 and 2).
    ///
    /// ProtoDash, ProtoGreedy and Swap measure it with the weights that they search with (convex ones if these are asked
    /// for, otherwise non-negative ones); methods whose order does not depend on weights, with the weights asked for.
    pub min_gain: Option<f64>,
    /// How the rows are chosen.
    pub method: Method,
    /// How the chosen rows are weighted.
    pub weights: Weights,
    /// R: choose ⌈R·m⌉ rows (at most all), keep the m heaviest and weigh these again; 1 keeps what is chosen.
    ///
    /// The heaviest by the weights asked for; by the non-negative ones where these are equal. The objective is that of
    /// the kept rows, in order of choice. PrDash-2 and PrDash-3 of the paper are ProtoDash with the factors 2 and 3.
    pub oversample: f64,
    /// Seed of the method's random draws ([`Method::Random`]).
    pub seed: u64,
    /// One weight for each target row, not necessarily normalised; `None` weighs all rows alike.
    pub target_weights: Option<Vec<f64>>,
    /// How the target's own energy ‖μ‖² is found; it is free when target and source are the same rows.
    pub target_energy: TargetEnergy,
    /// Bytes that the search may hold in kernel columns; past it, columns are computed again at every step.
    pub column_memory: u64,
    /// Source rows in one shard. The selection does not depend on it.
    pub rows_per_shard: usize,
    /// The numbers that kernel values are computed in for the kernel mean; `None` means those of the data.
    ///
    /// The prototypes, their weights and the objective are the same in both: what f32 leaves in doubt is computed again
    /// in f64. The kernel mean of the other rows and ‖μ‖² have the error that
    /// [`Selection::kernel_mean_error`](crate::Selection::kernel_mean_error) states.
    pub precision: Option<Precision>,
}

impl Params {
    /// The defaults of the paper's ProtoDash with a given number of prototypes.
    ///
    /// # Examples
    ///
    /// ```
    /// use protodash::{Method, Params, Weights};
    ///
    /// let params = Params::new(5);
    /// assert_eq!((params.method, params.weights), (Method::ProtoDash, Weights::Nonnegative));
    /// ```
    pub fn new(n_prototypes: usize) -> Self {
        Params { n_prototypes: Some(n_prototypes), ..Params::until_optimal() }
    }

    /// Stops where a step gains less than `min_gain`, at whatever number of prototypes that is.
    ///
    /// # Examples
    ///
    /// ```
    /// use ndarray::array;
    /// use protodash::{Gaussian, Params, Stopped, select};
    ///
    /// let rows = array![[0.0], [0.1], [9.0]];
    /// let selection = select(&rows, &rows, &Gaussian::new(1.0)?, &Params::with_min_gain(0.01))?;
    /// assert_eq!(selection.stopped, Stopped::MinGain);
    /// assert_eq!(selection.prototypes.len(), 2); // one for each cluster
    /// # Ok::<(), protodash::Error>(())
    /// ```
    pub fn with_min_gain(min_gain: f64) -> Self {
        Params { min_gain: Some(min_gain), ..Params::until_optimal() }
    }

    /// Goes on until no further row can raise the objective: the best weights over *all* source rows.
    ///
    /// That is kernel mean matching, the weighting of a source so that it looks like a target; rows that are not
    /// chosen have the weight 0. [`covariate_shift`](crate::covariate_shift()) says what the weights do.
    ///
    /// # Examples
    ///
    /// ```
    /// use ndarray::array;
    /// use protodash::{Gaussian, Params, Stopped, select};
    ///
    /// let (target, source) = (array![[0.0], [0.2]], array![[0.1], [7.0], [0.3]]);
    /// let selection = select(&target, &source, &Gaussian::new(1.0)?, &Params::until_optimal())?;
    /// assert_eq!(selection.stopped, Stopped::Optimal);
    /// # Ok::<(), protodash::Error>(())
    /// ```
    pub fn until_optimal() -> Self {
        Params {
            n_prototypes: None,
            min_gain: None,
            method: Method::ProtoDash,
            weights: Weights::Nonnegative,
            oversample: 1.0,
            seed: 0,
            target_weights: None,
            target_energy: TargetEnergy::Exact,
            column_memory: 4 << 30,
            rows_per_shard: 1024,
            precision: None,
        }
    }

    /// Checks everything that can be checked without the data's values.
    pub(crate) fn check(&self, n_target: usize, n_source: usize) -> Result<()> {
        match self.n_prototypes {
            Some(0) => return Err(Error::NoPrototypes),
            Some(requested) if requested > n_source => {
                return Err(Error::TooManyPrototypes { requested, available: n_source });
            }
            _ => {}
        }
        if let Some(min_gain) = self.min_gain {
            in_range("min_gain", min_gain, min_gain.is_finite() && min_gain >= 0.0, "a finite number, at least 0")?;
        }
        let oversample = self.oversample;
        in_range("oversample", oversample, oversample.is_finite() && oversample >= 1.0, "a finite number, at least 1")?;
        if oversample > 1.0 && self.n_prototypes.is_none() {
            return Err(Error::OversampleWithoutNumber { oversample });
        }
        if let TargetEnergy::Sample { n_rows, .. } = self.target_energy {
            in_range("the number of sampled target rows", n_rows as f64, n_rows >= 2, "at least 2")?;
        }
        in_range("rows_per_shard", self.rows_per_shard as f64, self.rows_per_shard >= 1, "at least 1")?;
        self.target_weights.as_deref().map_or(Ok(()), |weights| check_target_weights(weights, n_target))
    }
}

/// How prototypes are chosen.
///
/// # Examples
///
/// ```
/// use ndarray::array;
/// use protodash::{Gaussian, Method, Params, select};
///
/// let rows = array![[0.0], [1.0], [2.0], [7.0]];
/// let kernel = Gaussian::new(1.0)?;
/// let mut params = Params::new(2);
/// let mut objectives = Vec::new();
/// for method in [Method::ProtoGreedy, Method::Swap] {
///     params.method = method;
///     objectives.push(select(&rows, &rows, &kernel, &params)?.objective_final());
/// }
/// assert!(objectives[1] >= objectives[0]); // exchanging never makes it worse
/// # Ok::<(), protodash::Error>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum Method {
    /// The row with the largest gradient at every step (Algorithm 2).
    ProtoDash,
    /// The row with the largest gain at every step (Algorithm 1), exactly, at ProtoDash's price.
    ProtoGreedy,
    /// Exchanges of one prototype for another until none gains, from ProtoGreedy's set, from ProtoDash's and from L2C's; the
    /// best.
    Swap,
    /// The row that makes the objective with equal weights largest at every step (MMD-critic of Kim, Khanna and Koyejo,
    /// 2016, which the paper calls L2C).
    ///
    /// It looks at equal weights whatever [`Params::weights`] are asked for; [`Weights::Equal`] or [`Weights::Own`] are
    /// those it is published with. It goes on to the number asked for although its objective may fall. A row that comes
    /// twice can be chosen twice.
    L2c,
    /// The rows that have a weight in the lasso, max l(w) with w ≥ 0 and ‖w‖₁ ≤ ε, for the smallest ε with as many as
    /// are wanted ([`p_lasso_path`](crate::p_lasso_path)).
    ///
    /// They come in the order in which they join as ε grows. A number that the path passes by, since several rows join
    /// at once, is an [`Error::UnreachableNumber`]; a path that ends before it ends the run as
    /// [`Stopped::Optimal`](crate::Stopped::Optimal). A run for fewer need not be the beginning of a run for more: rows
    /// leave the path too.
    PLasso,
    /// The rows with the smallest sum of distances from all source rows to the nearest of them, up to single exchanges,
    /// from rows drawn by [`Params::seed`] ([`k_medoids`](crate::k_medoids())).
    ///
    /// A target that is other rows plays no part until they are weighted; where it is the source, each distance counts
    /// as much as its row does ([`Params::target_weights`]). They come in the order in which each lowers that sum the most,
    /// so that beginnings are sensible sets; but a run for fewer finds other rows. The number must be given.
    KMedoids,
    /// Rows drawn blindly by [`Params::seed`], without replacement (RandomW of the paper).
    ///
    /// A run for fewer is the beginning of a run for more; [`Params::min_gain`] ends it before the first row that
    /// gains less, blind as the draw is to what might come after.
    Random,
}

impl Method {
    /// Whether a run for fewer prototypes is the beginning of a run for more, so that one run answers for all numbers.
    ///
    /// # Examples
    ///
    /// ```
    /// use protodash::Method;
    ///
    /// assert!(Method::ProtoDash.is_nested());
    /// assert!(!Method::Swap.is_nested()); // which row is exchanged depends on all the others
    /// ```
    pub fn is_nested(self) -> bool {
        match self {
            Method::ProtoDash | Method::ProtoGreedy | Method::L2c | Method::Random => true,
            Method::Swap | Method::PLasso | Method::KMedoids => false,
        }
    }
}

/// How a chosen set is weighted.
///
/// # Examples
///
/// ```
/// use ndarray::array;
/// use protodash::{Gaussian, Params, Weights, select};
///
/// let rows = array![[0.0], [0.5], [3.0]];
/// let mut params = Params::new(2);
/// params.weights = Weights::Convex;
/// let selection = select(&rows, &rows, &Gaussian::new(1.0)?, &params)?;
/// let total: f64 = selection.prototypes.iter().map(|prototype| prototype.weight).sum();
/// assert!((total - 1.0).abs() < 1e-12);
/// # Ok::<(), protodash::Error>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum Weights {
    /// w ≥ 0, as in the paper.
    Nonnegative,
    /// w ≥ 0 and Σw = 1, so that the weights are shares of the target. The objective of the first few prototypes can
    /// be negative: with its weight held at 1, a lone prototype may be farther from the target than nothing at all.
    Convex,
    /// 1/|L| for each prototype of the set that `Nonnegative` chooses; its objective may fall along the path.
    Equal,
    /// The part of the target (by its row weights) that is nearest to each prototype in feature space, as
    /// [`represent`](crate::represent) finds it; its objective may fall along the path. Costs n₁ kernel values for each
    /// prototype.
    Shares,
    /// The weights that belong to the method: equal ones for [`Method::L2c`], the lasso's for [`Method::PLasso`] (under
    /// the largest ε with as many rows), the parts of the source that are nearest to each for [`Method::KMedoids`], the best non-negative ones for the others.
    Own,
}

/// How ‖μ‖², the target's own energy, is found when target and source are different rows.
///
/// It is the constant that turns the objective into MMD² and `explained`; no selection depends on it.
///
/// # Examples
///
/// ```
/// use ndarray::array;
/// use protodash::{Gaussian, Params, TargetEnergy, select};
///
/// let (target, source) = (array![[0.0], [1.0]], array![[0.5], [4.0]]);
/// let mut params = Params::new(1);
/// params.target_energy = TargetEnergy::Skip;
/// assert_eq!(select(&target, &source, &Gaussian::new(1.0)?, &params)?.mmd2(), None);
/// # Ok::<(), protodash::Error>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum TargetEnergy {
    /// The whole n₁ × n₁ sum.
    Exact,
    /// An unbiased estimate from rows drawn with replacement, with its standard error; exact if the target has no more
    /// rows than would be drawn.
    Sample {
        /// How many rows to draw.
        n_rows: usize,
        /// Seed of the draw.
        seed: u64,
    },
    /// Not at all: MMD² and `explained` are then unknown.
    Skip,
}

pub(crate) fn check_target_weights(weights: &[f64], n_target: usize) -> Result<()> {
    if weights.len() != n_target {
        return Err(Error::WrongNumberOfTargetWeights { given: weights.len(), rows: n_target });
    }
    if let Some(row) = weights.iter().position(|weight| !(weight.is_finite() && *weight >= 0.0)) {
        return Err(Error::BadTargetWeight { row, value: weights[row].to_string() });
    }
    if weights.iter().all(|weight| *weight == 0.0) {
        return Err(Error::NoTargetWeight);
    }
    Ok(())
}

/// An `OutOfRange` error unless `valid`.
pub(crate) fn in_range(name: &'static str, value: f64, valid: bool, allowed: &'static str) -> Result<()> {
    // Numbers too long to read are written with an exponent.
    let is_long = value.abs() >= 1e16 || (value != 0.0 && value.abs() < 1e-9);
    let shown = || if is_long { format!("{value:e}") } else { value.to_string() };
    if valid { Ok(()) } else { Err(Error::OutOfRange { name, value: shown(), allowed }) }
}
