//! The parameters of a run, checked once, on entry.

use crate::choice::Choice;
use crate::constraints::{Budget, Quota};
use crate::error::{Error, Result, Role};
use crate::kernel_mean::Precision;
use crate::weights::{LimitError, WeightLimits};

/// Parameters of [`select`](crate::select).
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
    /// Maximum number of prototypes to choose (m), not counting [`fixed`](Self::fixed) rows. With `None` the run ends by
    /// [`min_gain`](Self::min_gain), or else at the optimum.
    pub n_prototypes: Option<usize>,
    /// Source rows that are prototypes from the start, in this order; their weights are solved together with all others.
    ///
    /// The method then chooses up to [`n_prototypes`](Self::n_prototypes) further rows. Rows equal to a fixed row are not
    /// chosen. Not all methods accept fixed and excluded rows ([`MethodFeature::GivenRows`](crate::MethodFeature)).
    pub fixed: Vec<usize>,
    /// Source rows that must not be chosen, in any order. A row with the same values may be.
    pub exclude: Vec<usize>,
    /// The first rows of an earlier run with the same data and parameters, fixed rows not counted.
    ///
    /// ProtoDash and ProtoGreedy take them as chosen without searching for them, which does not change the result. Other
    /// methods, and a race, whose record counts every pair of rows, find them again.
    pub resume: Vec<usize>,
    /// Minimum and maximum numbers of prototypes among some rows. No row may count towards two of them.
    ///
    /// A step then takes the best row that leaves all minima within reach. If no such row raises the objective while a
    /// minimum is not met, it takes the one with the largest gradient of those that the minima need, whose weight may be 0.
    /// For methods with [`MethodFeature::Quotas`](crate::MethodFeature).
    pub quotas: Vec<Quota>,
    /// Costs of the rows, and what all prototypes may cost together.
    ///
    /// ProtoGreedy then takes the largest gain per cost. ProtoDash takes the largest gradient by the root of the cost, since
    /// a gain grows with the square of the gradient; with equal costs the selection is unchanged. The search also runs once with
    /// the best single row that the budget allows as its first, and the better of both is the result: otherwise a cheap row
    /// of little use could keep out an expensive one that represents nearly everything. For the same methods as quotas.
    pub budget: Option<Budget>,
    /// Stop before a step that would raise the objective by less than this (ε of Algorithms 1 and 2).
    ///
    /// ProtoDash, ProtoGreedy and Swap measure gains with the weights they search with: convex weights if requested,
    /// otherwise non-negative ones. Methods whose order does not depend on weights use the requested weights.
    pub min_gain: Option<f64>,
    /// How the rows are chosen.
    pub method: Method,
    /// How the chosen rows are weighted.
    pub weights: Weights,
    /// The largest weight allowed, as a fraction of the total weight: above 0, at most 1, and at least 1/m for m prototypes.
    ///
    /// Rows are chosen as without limits. Then the weights of the chosen rows, and of each prefix, are those that maximise
    /// the objective within the limits; a prefix too small for them has equal weights. If the run would end because no
    /// further row improves the fit, rows are added as long as one does within the limits: without
    /// [`n_prototypes`](Self::n_prototypes) the weights are optimal among all weights of all source rows within them.
    /// Needs weights that are [`Nonnegative`](Weights::Nonnegative) or [`Convex`](Weights::Convex).
    pub max_weight: Option<f64>,
    /// The smallest effective sample size (Σw)²/Σw² allowed: at least 1, at most m for m prototypes.
    ///
    /// Applied as [`max_weight`](Self::max_weight) is, and together with it.
    pub min_effective: Option<f64>,
    /// R: select ⌈R·m⌉ rows (at most all), keep the m heaviest, refit their weights; 1 turns oversampling off.
    ///
    /// The heaviest by the requested weights, or by non-negative weights if those are equal. The objective is that of
    /// the kept rows, in order of choice. PrDash-2 and PrDash-3 of the paper are ProtoDash with R = 2 and R = 3.
    pub oversample: f64,
    /// ε: the mean distance to the nearest prototype may exceed k-medoids' by this fraction ([`Method::Coverage`]).
    pub coverage_slack: f64,
    /// Random seed ([`Method::Random`], [`Method::KMedoids`], [`Method::Coverage`], [`Method::KMeans`], [`Means::Racing`]).
    pub seed: u64,
    /// One weight for each target row, not necessarily normalised; `None` gives all rows the same weight.
    pub target_weights: Option<Vec<f64>>,
    /// How to compute the target's energy ‖μ‖²; it is free if target and source are the same rows.
    ///
    /// After a race ([`Means::Racing`]) it is estimated unless it is skipped, since the exact energy needs all pairs. The
    /// estimate is from 2,000 target rows or the requested sample, and far more accurate than one from the sample alone.
    pub target_energy: TargetEnergy,
    /// Maximum memory for kernel columns, in bytes; beyond it, columns are recomputed at every step.
    pub column_memory: u64,
    /// Precision of the kernel values in the kernel mean; `None` means the precision of the data.
    ///
    /// Prototypes, weights and objective are the same in both: what f32 leaves uncertain is recomputed in f64.
    /// The error of the kernel mean of other rows and of ‖μ‖² is bounded by
    /// [`Selection::kernel_mean_error`](crate::Selection::kernel_mean_error).
    pub precision: Option<Precision>,
    /// Whether all kernel means are computed, or only as much of them as the choice of rows requires.
    pub means: Means,
    /// How far the gradient (for ProtoGreedy, the gain) of a chosen row may be below the best, as a fraction of the best:
    /// from 0 to less than 1.
    ///
    /// With 0 every step takes the best row. A larger tolerance lets [`Means::Racing`] compute less: at 0.1 a third to a half.
    pub tolerance: f64,
}

impl Params {
    /// ProtoDash as in the paper, with this number of prototypes.
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

    /// Stops before a step that gains less than `min_gain`, whatever the number of prototypes.
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

    /// Continues until no further row can raise the objective: the optimal weights over *all* source rows.
    ///
    /// This is kernel mean matching, which weights a source so that it resembles a target; rows that are not chosen have
    /// weight 0. [`covariate_shift`](crate::covariate_shift()) shows the effect of the weights.
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
            fixed: Vec::new(),
            exclude: Vec::new(),
            resume: Vec::new(),
            quotas: Vec::new(),
            budget: None,
            min_gain: None,
            method: Method::ProtoDash,
            weights: Weights::Nonnegative,
            max_weight: None,
            min_effective: None,
            oversample: 1.0,
            coverage_slack: 0.01,
            seed: 0,
            target_weights: None,
            target_energy: TargetEnergy::Exact,
            column_memory: 4 << 30,
            precision: None,
            means: Means::Auto,
            tolerance: 0.0,
        }
    }

    /// Checks everything that does not depend on the values of the data.
    pub(crate) fn check(&self, n_target: usize, n_source: usize) -> Result<()> {
        let available = self.check_given_rows(n_source)?;
        match self.n_prototypes {
            Some(0) => return Err(Error::NoPrototypes),
            Some(requested) if requested > available => {
                return Err(Error::TooManyPrototypes { requested, available });
            }
            _ => {}
        }
        if let Some(min_gain) = self.min_gain {
            in_range("min_gain", min_gain, min_gain.is_finite() && min_gain >= 0.0, "a finite number, at least 0")?;
        }
        let tolerance = self.tolerance;
        in_range("tolerance", tolerance, (0.0..1.0).contains(&tolerance), "at least 0 and below 1")?;
        let oversample = self.oversample;
        in_range("oversample", oversample, oversample.is_finite() && oversample >= 1.0, "a finite number, at least 1")?;
        if oversample > 1.0 && self.n_prototypes.is_none() {
            return Err(Error::OversampleWithoutNumber { oversample });
        }
        self.check_limits(available)?;
        let slack = self.coverage_slack;
        in_range("coverage_slack", slack, slack.is_finite() && slack >= 0.0, "a finite number, at least 0")?;
        if let TargetEnergy::Sample { n_rows, .. } = self.target_energy {
            in_range("the number of sampled target rows", n_rows as f64, n_rows >= 2, "at least 2")?;
        }
        self.check_constraints(n_source)?;
        self.target_weights.as_deref().map_or(Ok(()), |weights| check_row_weights(weights, n_target, Role::Target))
    }
}

impl Params {
    /// Whether neither a number of prototypes nor a budget ends the run, so that all source rows are weighted.
    ///
    /// # Examples
    ///
    /// ```
    /// use protodash::Params;
    ///
    /// assert!(Params::until_optimal().weights_all_rows());
    /// assert!(!Params::new(5).weights_all_rows());
    /// ```
    pub fn weights_all_rows(&self) -> bool {
        self.n_prototypes.is_none() && self.budget.is_none()
    }

    /// The limits on the weights.
    pub(crate) fn limits(&self) -> WeightLimits {
        WeightLimits { max_weight: self.max_weight, min_effective: self.min_effective }
    }

    /// Checks the limits for a run that can choose among `available` rows.
    fn check_limits(&self, available: usize) -> Result<()> {
        let limits = self.limits();
        if !limits.is_set() {
            return Ok(());
        }
        if !matches!(self.weights, Weights::Nonnegative | Weights::Convex) {
            return Err(Error::Limits(LimitError::NotOptimised { weights: self.weights.name() }));
        }
        limits.check(self.n_total().unwrap_or(available + self.fixed.len()))
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
/// assert!(objectives[1] >= objectives[0]); // exchanges never lower the objective
/// # Ok::<(), protodash::Error>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum Method {
    /// Adds the row with the largest gradient at every step (Algorithm 2).
    ProtoDash,
    /// Adds the row with the largest gain at every step (Algorithm 1), exactly, at the cost of ProtoDash.
    ProtoGreedy,
    /// Exchanges one prototype for another until no exchange raises the objective, starting from the sets of ProtoGreedy,
    /// ProtoDash and L2C; returns the best of the three.
    Swap,
    /// Adds the row that maximises the objective with equal weights at every step (MMD-critic of Kim, Khanna and Koyejo,
    /// 2016, which the paper calls L2C).
    ///
    /// It chooses by equal weights whatever [`Params::weights`] are; [`Weights::Equal`] and [`Weights::Own`] are the
    /// published ones. It continues to the requested number even if its objective falls. A row that occurs twice can be
    /// chosen twice.
    L2c,
    /// The m rows with non-zero weight on the lasso path: max l(w) with w ≥ 0 and ‖w‖₁ ≤ ε, for the smallest ε with m such
    /// rows ([`p_lasso_path`](crate::p_lasso_path)).
    ///
    /// They are in the order in which they join as ε grows. A number that the path skips, because several rows join at
    /// once, is an [`Error::UnreachableNumber`]; if the path ends before it, the run ends as
    /// [`Stopped::Optimal`](crate::Stopped::Optimal). A run for fewer need not be a prefix of a run for more, because
    /// rows also leave the path.
    PLasso,
    /// The rows that minimise the sum of distances from all source rows to the nearest of them, up to single exchanges,
    /// starting from random rows ([`k_medoids`](crate::k_medoids())).
    ///
    /// A target other than the source only affects the weights; if it is the source, each distance is weighted by its
    /// row's weight ([`Params::target_weights`]). Rows are ordered so that each lowers the sum the most, and prefixes are
    /// sensible sets; but a run for fewer finds other rows. The number must be given.
    KMedoids,
    /// Exchanges rows of k-medoids' set as long as that raises the objective and keeps the mean distance of target rows to
    /// the nearest prototype within 1 % of k-medoids' ([`Params::coverage_slack`]).
    ///
    /// The result covers the target like k-medoids and has a larger objective; the best choice for nearest-prototype
    /// classification and for labelling a few rows. Distances are those of the kernel ([`Distance`](crate::Distance)).
    /// Unlike [`KMedoids`](Self::KMedoids) it covers the target even if that is not the source, each row with its weight.
    /// Rows are in ProtoGreedy's order, so that prefixes are sensible sets; but only the whole set keeps the coverage, and
    /// a run for fewer finds other rows. The number must be given.
    Coverage,
    /// The rows nearest to the centres of k-means clusters of the source: k-means++ from [`Params::seed`], then Lloyd's steps
    /// until no row changes its cluster or a step lowers the sum of squared distances by less than a ten-thousandth.
    ///
    /// Each centre takes the nearest row that no other has taken, in the order of the sizes of their clusters, the largest
    /// first; a row equal to a chosen one is not chosen. With fewer different rows than centres there are fewer prototypes.
    /// Distances are Euclidean, for the cosine kernel those of the rows scaled to length 1; kernels whose rows cannot be
    /// averaged (Hamming, kernel matrices, custom kernels) are an [`Error::NoClusterMeans`]. A target other than the source
    /// only affects the weights; if it is the source, rows count by [`Params::target_weights`]. The number must be given.
    KMeans,
    /// The row farthest from all prototypes at every step (Gonzalez, 1985), beginning with the row of the largest kernel mean.
    ///
    /// It touches small groups and outliers that methods of the distribution leave out: the best choice for labelling rows so
    /// that every class or cluster has one, and a poor summary. The largest distance of a source row from the nearest
    /// prototype is at most twice the smallest possible for as many rows. Distances are those of
    /// [`baseline`](crate::baseline()), Euclidean for most kernels. The rows do not depend on weights, and on the target only
    /// by the first row. The order ends when every row equals a prototype; then there may be fewer prototypes.
    FarthestFirst,
    /// A random sample without replacement (RandomW of the paper).
    ///
    /// A run for fewer is a prefix of a run for more; [`Params::min_gain`] ends it before the first row that gains less,
    /// whatever the rows after it would gain.
    Random,
}

impl Choice for Method {
    const ALL: &'static [(Self, &'static str, &'static str)] = &[
        (Method::ProtoDash, "protodash", "Row with the largest gradient (Algorithm 2)"),
        (Method::ProtoGreedy, "protogreedy", "Row with the largest gain (Algorithm 1); same cost"),
        (Method::Swap, "swap", "Best of the greedy methods, improved by swaps; slowest"),
        (Method::L2c, "l2c", "Largest gain under equal weights (MMD-critic)"),
        (Method::PLasso, "p-lasso", "The N rows with non-zero weight on the lasso path"),
        (Method::KMedoids, "k-medoids", "Smallest total distance to the medoids (FasterPAM)"),
        (Method::Coverage, "coverage", "Covers like k-medoids, fits better: swaps within 1 % of its distance"),
        (Method::KMeans, "k-means", "Rows nearest to the centres of k-means clusters"),
        (Method::FarthestFirst, "farthest-first", "Row farthest from all prototypes; touches every group"),
        (Method::Random, "random", "Random sample, as a baseline"),
    ];
}

impl Method {
    /// The weights of a run that does not request any.
    ///
    /// # Examples
    ///
    /// ```
    /// use protodash::{Method, Weights};
    ///
    /// assert_eq!(Method::L2c.default_weights(), Weights::Equal); // which define it
    /// assert_eq!(Method::Swap.default_weights(), Weights::Nonnegative);
    /// ```
    pub fn default_weights(self) -> Weights {
        if self == Method::L2c { Weights::Equal } else { Weights::Nonnegative }
    }

    /// Whether a run for fewer prototypes is a prefix of a run for more, so that one run gives the results for all numbers.
    ///
    /// # Examples
    ///
    /// ```
    /// use protodash::Method;
    ///
    /// assert!(Method::ProtoDash.is_nested());
    /// assert!(!Method::Swap.is_nested()); // which rows are exchanged depends on all the others
    /// ```
    pub fn is_nested(self) -> bool {
        match self {
            Method::ProtoDash | Method::ProtoGreedy | Method::L2c | Method::FarthestFirst | Method::Random => true,
            Method::Swap | Method::PLasso | Method::KMedoids | Method::Coverage | Method::KMeans => false,
        }
    }
}

/// How kernel means are computed.
///
/// Racing chooses the same rows as the full mean, with a probability of at least 1 − 10⁻⁶ over its random seed. ProtoDash and
/// ProtoGreedy with optimal weights can race; other methods always compute the full mean, and so do kernels whose mean needs
/// no pairs (linear, cosine, Hamming, polynomial of degree 2 or less).
///
/// # Examples
///
/// ```
/// use ndarray::Array2;
/// use protodash::{Gaussian, Means, Params, select};
///
/// let rows = Array2::from_shape_fn((3000, 2), |(i, j)| ((i * (7 * j + 3)) as f64).sin());
/// let (kernel, mut params) = (Gaussian::new(0.5)?, Params::new(4));
/// let full = select(&rows, &rows, &kernel, &params)?;
/// params.means = Means::Racing;
/// let raced = select(&rows, &rows, &kernel, &params)?;
/// assert_eq!((full.means.kind, raced.means.kind), (Means::Full, Means::Racing));
/// for (one, other) in full.prototypes.iter().zip(&raced.prototypes) {
///     assert_eq!(one.source_index, other.source_index);
/// }
/// # Ok::<(), protodash::Error>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum Means {
    /// Racing where it is expected to be faster: for many distinct rows and comparatively few prototypes. Falls back to the full
    /// mean as soon as that is expected to be cheaper than the rest of the race.
    Auto,
    /// The kernel mean of every source row over the whole target.
    Full,
    /// Upper bounds from random parts of the target, refined for rows still in contention; exact means of chosen rows. Falls
    /// back to the full mean if that takes more than a quarter of all pairs.
    Racing,
}

impl Choice for Means {
    const ALL: &'static [(Self, &'static str, &'static str)] = &[
        (Means::Auto, "auto", "Racing on large data, else full"),
        (Means::Full, "full", "All pairs of target and source rows"),
        (Means::Racing, "racing", "Only as many pairs as needed; protodash, protogreedy only"),
    ];
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
    /// be negative: with weight 1, a single prototype may be farther from the target than no prototype.
    Convex,
    /// 1/|L| for each prototype of the set that `Nonnegative` chooses; its objective may fall along the path.
    Equal,
    /// The fraction of the target (by row weights) nearest to each prototype in feature space, as in
    /// [`represent`](crate::represent); the objective may fall along the path. Costs n₁ kernel values for each prototype.
    Shares,
    /// The weights of the method: equal for [`Method::L2c`], those of the lasso for [`Method::PLasso`] (at the largest ε with
    /// that many rows), the fraction of the source nearest to each for [`Method::KMedoids`] and [`Method::KMeans`], optimal
    /// non-negative weights for the others.
    Own,
}

impl Choice for Weights {
    const ALL: &'static [(Self, &'static str, &'static str)] = &[
        (Weights::Nonnegative, "nonnegative", "Optimal non-negative weights"),
        (Weights::Convex, "convex", "Optimal non-negative weights that sum to 1"),
        (Weights::Equal, "equal", "Equal weights"),
        (Weights::Shares, "shares", "Fraction of target rows nearest to each prototype"),
        (Weights::Own, "own", "The method's own: equal, lasso or cluster weights"),
    ];
}

/// How to compute the target's energy ‖μ‖² if target and source are different rows.
///
/// It turns the objective into MMD² and `explained`; the selection does not depend on it.
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
    /// An unbiased estimate from a random sample with replacement, with its standard error; exact if the target has no
    /// more rows than the sample.
    Sample {
        /// Sample size.
        n_rows: usize,
        /// Random seed.
        seed: u64,
    },
    /// Not computed: MMD² and `explained` are then unknown.
    Skip,
}

/// Default sample size for the target's energy.
pub(crate) const ENERGY_SAMPLE: usize = 2000;

impl Choice for TargetEnergy {
    const ALL: &'static [(Self, &'static str, &'static str)] = &[
        (TargetEnergy::Exact, "exact", "From all target rows"),
        (TargetEnergy::Sample { n_rows: ENERGY_SAMPLE, seed: 0 }, "sample", "From a random sample of 2000 target rows"),
        (
            TargetEnergy::Skip,
            "skip",
            "Not at all; `explained` is then unknown, unless target and source are the same rows",
        ),
    ];
}

impl TargetEnergy {
    /// The same, with another random seed.
    ///
    /// # Examples
    ///
    /// ```
    /// use protodash::TargetEnergy;
    ///
    /// let sample = TargetEnergy::Sample { n_rows: 500, seed: 0 };
    /// assert_eq!(sample.with_seed(7), TargetEnergy::Sample { n_rows: 500, seed: 7 });
    /// assert_eq!(TargetEnergy::Exact.with_seed(7), TargetEnergy::Exact);
    /// ```
    #[must_use]
    pub fn with_seed(self, seed: u64) -> Self {
        match self {
            TargetEnergy::Sample { n_rows, .. } => TargetEnergy::Sample { n_rows, seed },
            other => other,
        }
    }
}

/// An error unless there is a finite weight of at least 0 for each row, one of them positive.
pub(crate) fn check_row_weights(weights: &[f64], n_rows: usize, role: Role) -> Result<()> {
    if weights.len() != n_rows {
        return Err(Error::WrongNumberOfWeights { role, given: weights.len(), rows: n_rows });
    }
    if let Some(row) = weights.iter().position(|weight| !(weight.is_finite() && *weight >= 0.0)) {
        return Err(Error::BadWeight { role, row, value: weights[row].to_string() });
    }
    if weights.iter().all(|weight| *weight == 0.0) {
        return Err(Error::NoWeight { role });
    }
    Ok(())
}

/// An error unless a list has the expected length.
pub(crate) fn check_length(name: &'static str, given: usize, expected: usize) -> Result<()> {
    if given == expected { Ok(()) } else { Err(Error::WrongLength { name, given, expected }) }
}

/// An `OutOfRange` error unless `valid`.
pub(crate) fn in_range(name: &'static str, value: f64, valid: bool, allowed: &'static str) -> Result<()> {
    // Long numbers are easier to read with an exponent.
    let is_long = value.abs() >= 1e16 || (value != 0.0 && value.abs() < 1e-9);
    let shown = || if is_long { format!("{value:e}") } else { value.to_string() };
    if valid { Ok(()) } else { Err(Error::OutOfRange { name, value: shown(), allowed }) }
}
