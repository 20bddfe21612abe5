//! The result of a run: prototypes in order of choice, and the path that led to them.

use std::sync::Arc;

use crate::constraints::ConstraintReport;
use crate::figures::{FigureErrors, TargetFigures};
use crate::objective;
use crate::params::{Means, Method, Params, Weights};
use crate::search::RaceRecord;

/// One chosen row of the source.
///
/// # Examples
///
/// ```
/// use ndarray::array;
/// use protodash::{Gaussian, Params, select};
///
/// let rows = array![[0.0], [0.2], [5.0]];
/// let selection = select(&rows, &rows, &Gaussian::new(1.0)?, &Params::new(2))?;
/// let [first, second] = &selection.prototypes[..] else { panic!("two prototypes") };
/// assert!(first.share > second.share); // two nearby rows outweigh a single one
/// assert!((first.share + second.share - 1.0).abs() < 1e-12);
/// # Ok::<(), protodash::Error>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Prototype {
    /// 0-based row of the source.
    pub source_index: usize,
    /// Importance weight w ≥ 0; weights need not sum to 1.
    pub weight: f64,
    /// The weight divided by the sum of all weights; 0 if that sum is 0.
    pub share: f64,
    /// How much the objective rose when this prototype was added.
    pub gain: f64,
}

/// Why a run ended; none of them is an error.
///
/// # Examples
///
/// ```
/// use ndarray::array;
/// use protodash::{Gaussian, Params, Stopped, select};
///
/// let rows = array![[1.0], [1.0], [1.0]]; // one row represents all
/// let selection = select(&rows, &rows, &Gaussian::new(1.0)?, &Params::new(3))?;
/// assert_eq!(selection.stopped, Stopped::Optimal);
/// assert_eq!(selection.prototypes.len(), 1);
/// # Ok::<(), protodash::Error>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum Stopped {
    /// The requested number of prototypes was reached.
    NPrototypes,
    /// The next step would have gained less than the requested minimum.
    MinGain,
    /// No further row can raise the objective: more prototypes would not help.
    Optimal,
    /// The method has no further row, but under this rule for weights another row might raise the objective: the end of
    /// the lasso's path with weights that are not its own.
    Exhausted,
    /// Quotas or the budget admit no further row that raises the objective, but other rows might.
    Constraints,
}

impl Stopped {
    /// Its name in results.
    ///
    /// # Examples
    ///
    /// ```
    /// assert_eq!(protodash::Stopped::MinGain.name(), "min_gain");
    /// ```
    pub fn name(self) -> &'static str {
        match self {
            Stopped::NPrototypes => "n_prototypes",
            Stopped::MinGain => "min_gain",
            Stopped::Optimal => "optimal",
            Stopped::Exhausted => "exhausted",
            Stopped::Constraints => "constraints",
        }
    }
}

/// The target's energy ‖μ‖², exact or estimated.
///
/// # Examples
///
/// ```
/// use ndarray::array;
/// use protodash::{Gaussian, Params, select};
///
/// let rows = array![[0.0], [100.0]]; // too far apart to be similar at all
/// let selection = select(&rows, &rows, &Gaussian::new(1.0)?, &Params::new(1))?;
/// let energy = selection.target_energy.expect("free when target and source are the same");
/// assert_eq!((energy.value, energy.standard_error), (0.5, None)); // (1 + 0 + 0 + 1)/4
/// # Ok::<(), protodash::Error>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Energy {
    /// Σᵢᵢ′ pᵢ pᵢ′ k(xᵢ, xᵢ′), or its estimate.
    pub value: f64,
    /// The standard error of an estimate; `None` when the value is exact.
    pub standard_error: Option<f64>,
}

impl Energy {
    /// The squared maximum mean discrepancy at this objective.
    ///
    /// # Formula
    ///
    /// ```text
    /// MMD²(w) = ‖μ‖² − 2 l(w)
    /// ```
    ///
    /// Never below 0: rounding can leave about −1e-16 · ‖μ‖², which becomes 0.
    ///
    /// # Examples
    ///
    /// ```
    /// let energy = protodash::Energy { value: 0.5, standard_error: None };
    /// assert_eq!(energy.mmd2(0.125), 0.25);
    /// ```
    pub fn mmd2(&self, objective: f64) -> f64 {
        objective::mmd2(self.value, objective)
    }

    /// The share of this energy that prototypes with this objective explain; `None` if it is unknown.
    ///
    /// # Formula
    ///
    /// ```text
    /// explained = 2 l(w) / ‖μ‖² = 1 − MMD²/‖μ‖²
    /// ```
    ///
    /// At most 1. Unknown if ‖μ‖² is 0, when there is nothing to explain, or if an estimate of it is not above 0.
    ///
    /// # Examples
    ///
    /// ```
    /// let exact = |value| protodash::Energy { value, standard_error: None };
    /// assert_eq!(exact(0.5).explained(0.125), Some(0.5));
    /// assert_eq!(exact(0.0).explained(0.0), None);
    /// let estimate = protodash::Energy { value: -0.01, standard_error: Some(0.02) };
    /// assert_eq!(estimate.explained(0.125), None);
    /// ```
    pub fn explained(&self, objective: f64) -> Option<f64> {
        (self.value > 0.0).then(|| objective::explained(self.value, objective))
    }

    /// The share of this energy that is explained at this MMD²; `None` if it is unknown.
    ///
    /// # Examples
    ///
    /// ```
    /// let energy = protodash::Energy { value: 0.5, standard_error: None };
    /// assert_eq!(energy.explained_at(0.25), Some(0.5)); // 1 − 0.25/0.5
    /// ```
    pub fn explained_at(&self, mmd2: f64) -> Option<f64> {
        (self.value > 0.0).then(|| 1.0 - mmd2 / self.value)
    }

    /// The standard error of [`explained`](Self::explained) to first order, if the energy was estimated.
    ///
    /// # Examples
    ///
    /// ```
    /// let estimate = protodash::Energy { value: 0.5, standard_error: Some(0.05) };
    /// assert_eq!(estimate.explained_standard_error(0.125), Some(0.05)); // 0.5 · 0.05 / 0.5
    /// ```
    pub fn explained_standard_error(&self, objective: f64) -> Option<f64> {
        Some(self.explained(objective)?.abs() * self.standard_error? / self.value)
    }
}

/// The result of [`select`](crate::select).
///
/// # Examples
///
/// ```
/// use ndarray::array;
/// use protodash::{Gaussian, Params, select};
///
/// let rows = array![[0.0], [0.1], [4.0], [4.1], [9.0]];
/// let selection = select(&rows, &rows, &Gaussian::new(1.0)?, &Params::new(3))?;
/// assert_eq!(selection.objective.len(), 3);
/// assert!(selection.explained().unwrap() > 0.99);
/// # Ok::<(), protodash::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct Selection {
    /// The method.
    pub method: Method,
    /// The rule for weights.
    pub weights: Weights,
    /// The largest weight allowed, as a fraction of the total ([`Params::max_weight`]).
    pub max_weight: Option<f64>,
    /// The smallest effective sample size allowed ([`Params::min_effective`]).
    pub min_effective: Option<f64>,
    /// Number of target rows.
    pub n_target: usize,
    /// Number of source rows.
    pub n_source: usize,
    /// The fixed rows ([`Params::fixed`]), then the chosen rows in order of choice.
    pub prototypes: Vec<Prototype>,
    /// How many of the prototypes were fixed.
    pub n_fixed: usize,
    /// f(L) after each prototype: `objective[i]` is that of the first i + 1. Where limits on the weights are not optimised at a
    /// size, the newest prototypes have weight 0, and it is that of the size before.
    pub objective: Vec<f64>,
    /// Why the run ended.
    pub stopped: Stopped,
    /// ‖μ‖², unless it was skipped.
    pub target_energy: Option<Energy>,
    /// How the kernel means were computed.
    pub means: MeansUsed,
    /// Error bound of [`kernel_mean`](Self::kernel_mean), ‖μ‖² and [`mmd2`](Self::mmd2) from computing them in f32; 0 if
    /// they were computed in f64. Prototypes, weights and objective are always those of f64.
    pub kernel_mean_error: f64,
    /// Error bounds of the figures; 0 where they are exact up to the last digits of f64.
    pub error_bounds: FigureErrors,
    /// How quotas and budget are met and what they cost; `None` if there were none.
    pub constraints: Option<ConstraintReport>,
    /// Error bounds after each prototype.
    errors: Vec<FigureErrors>,
    /// MMD² after each prototype, where it was computed directly; else empty.
    mmd2: Vec<f64>,
    /// The weights that the first i + 1 prototypes had on their own.
    path: Vec<Vec<f64>>,
    /// The kernel mean of every source row, unless they were raced.
    kernel_mean: Option<Arc<[f64]>>,
}

impl Selection {
    /// The selection of a finished path.
    pub(crate) fn from_path(
        params: &Params,
        (n_target, n_source): (usize, usize),
        path: Path,
        TargetFigures { energy: target_energy, mmd2, errors, error_of_none }: TargetFigures,
        KernelMeans { means: kernel_mean, error: kernel_mean_error, n_pairs }: KernelMeans,
    ) -> Self {
        let Path { source_indices, weights, objective, stopped, race } = path;
        let final_weights = weights.last().map_or(&[][..], Vec::as_slice);
        Selection {
            method: params.method,
            weights: params.weights,
            max_weight: params.max_weight,
            min_effective: params.min_effective,
            n_target,
            n_source,
            prototypes: describe(&source_indices, final_weights, &objective, &mmd2),
            n_fixed: params.fixed.len(),
            objective,
            stopped,
            target_energy,
            means: MeansUsed::of(race, params.tolerance, (n_pairs, n_source)),
            kernel_mean_error,
            error_bounds: errors.last().copied().unwrap_or(error_of_none),
            constraints: None,
            errors,
            mmd2,
            path: weights,
            kernel_mean,
        }
    }

    /// μ, the mean similarity of every source row to the target; `None` if only those that choosing needed were computed.
    ///
    /// [`kernel_mean`](crate::kernel_mean()) computes them all.
    ///
    /// # Examples
    ///
    /// ```
    /// use ndarray::array;
    /// use protodash::{Linear, Params, select};
    ///
    /// let rows = array![[1.0], [3.0]];
    /// let selection = select(&rows, &rows, &Linear, &Params::new(1))?;
    /// assert_eq!(selection.kernel_mean(), Some(&[2.0, 6.0][..]));
    /// # Ok::<(), protodash::Error>(())
    /// ```
    pub fn kernel_mean(&self) -> Option<&[f64]> {
        self.kernel_mean.as_deref()
    }

    /// The objective of the whole set, 0 for an empty one.
    ///
    /// # Examples
    ///
    /// ```
    /// use ndarray::array;
    /// use protodash::{Gaussian, Params, select};
    ///
    /// let rows = array![[3.0]];
    /// let selection = select(&rows, &rows, &Gaussian::new(1.0)?, &Params::new(1))?;
    /// assert_eq!(selection.objective_final(), 0.5); // μ = K = w = 1: l = 1 − ½
    /// # Ok::<(), protodash::Error>(())
    /// ```
    pub fn objective_final(&self) -> f64 {
        self.objective.last().copied().unwrap_or(0.0)
    }

    /// The squared maximum mean discrepancy between target and weighted prototypes, if ‖μ‖² is known.
    ///
    /// See [`Energy::mmd2`]. Where weights sum to 1 under the linear kernel, it is computed from differences of values and is
    /// right to about 1e-15 of the squared distances between target and prototypes, however far they are from the origin.
    ///
    /// # Examples
    ///
    /// ```
    /// use ndarray::array;
    /// use protodash::{Gaussian, Params, select};
    ///
    /// let rows = array![[0.0], [100.0]];
    /// let selection = select(&rows, &rows, &Gaussian::new(1.0)?, &Params::new(1))?;
    /// assert_eq!(selection.mmd2(), Some(0.25)); // ‖μ‖² = ½, w = μ = ½, l = ⅛
    /// # Ok::<(), protodash::Error>(())
    /// ```
    pub fn mmd2(&self) -> Option<f64> {
        let energy = self.target_energy?;
        Some(self.mmd2.last().copied().unwrap_or_else(|| energy.mmd2(self.objective_final())))
    }

    /// [`mmd2`](Self::mmd2) after each prototype where it is more exact than ‖μ‖² − 2 l(w) of these figures; else empty.
    ///
    /// # Examples
    ///
    /// ```
    /// use ndarray::array;
    /// use protodash::{Linear, Params, Weights, select};
    ///
    /// let rows = array![[1e9], [1e9 + 1.0], [1e9 + 3.0]];
    /// let mut params = Params::new(2);
    /// params.weights = Weights::Convex;
    /// let path = select(&rows, &rows, &Linear, &params)?.mmd2_path().to_vec();
    /// assert!((path[0] - 1.0 / 9.0).abs() < 1e-12); // the mean is 4/3, the nearest row 1
    /// # Ok::<(), protodash::Error>(())
    /// ```
    pub fn mmd2_path(&self) -> &[f64] {
        &self.mmd2
    }

    /// The share of the target's energy that the prototypes explain; `None` if unknown.
    ///
    /// See [`Energy::explained`]; also unknown where it is the difference of terms so large that only rounding would be left
    /// (see [`error_bounds`](Self::error_bounds)). It is a certificate: no set of any size has an objective above ½‖μ‖², so f(L) ≥
    /// explained · f(L*) for the best set L* of the same size. With non-negative weights it is at least 0.
    ///
    /// # Examples
    ///
    /// ```
    /// use ndarray::array;
    /// use protodash::{Gaussian, Params, select};
    ///
    /// let rows = array![[0.0], [100.0]];
    /// let kernel = Gaussian::new(1.0)?;
    /// assert_eq!(select(&rows, &rows, &kernel, &Params::new(1))?.explained(), Some(0.5));
    /// assert_eq!(select(&rows, &rows, &kernel, &Params::new(2))?.explained(), Some(1.0));
    /// # Ok::<(), protodash::Error>(())
    /// ```
    pub fn explained(&self) -> Option<f64> {
        let energy = self.target_energy?;
        let explained = match self.mmd2.last() {
            Some(mmd2) => energy.explained_at(*mmd2),
            None => energy.explained(self.objective_final()),
        };
        explained.filter(|explained| !self.error_bounds.swamp(*explained, energy.value))
    }

    /// The share that the fixed rows alone explain, with the weights that are best for them; `None` if there are none.
    ///
    /// # Examples
    ///
    /// ```
    /// use ndarray::array;
    /// use protodash::{Gaussian, Params, select};
    ///
    /// let rows = array![[0.0], [100.0]];
    /// let mut params = Params::new(1);
    /// params.fixed = vec![1];
    /// let selection = select(&rows, &rows, &Gaussian::new(1.0)?, &params)?;
    /// assert_eq!((selection.prototypes[0].source_index, selection.prototypes[1].source_index), (1, 0));
    /// assert_eq!((selection.explained_by_fixed(), selection.explained()), (Some(0.5), Some(1.0)));
    /// # Ok::<(), protodash::Error>(())
    /// ```
    pub fn explained_by_fixed(&self) -> Option<f64> {
        self.prefix(self.n_fixed)?.explained()
    }

    /// The standard error of [`explained`](Self::explained), if ‖μ‖² was estimated.
    ///
    /// # Examples
    ///
    /// ```
    /// use ndarray::array;
    /// use protodash::{Gaussian, Params, select};
    ///
    /// let rows = array![[0.0], [100.0]];
    /// let selection = select(&rows, &rows, &Gaussian::new(1.0)?, &Params::new(1))?;
    /// assert_eq!(selection.explained_standard_error(), None); // the energy is exact
    /// # Ok::<(), protodash::Error>(())
    /// ```
    pub fn explained_standard_error(&self) -> Option<f64> {
        self.target_energy?.explained_standard_error(self.objective_final())
    }

    /// The least share of the best possible objective that this one is; `None` if ‖μ‖² is unknown.
    ///
    /// f(L) ≥ certified · f(L*) for the best set L* of the same size. It is [`explained`](Self::explained) if ‖μ‖² is exact. If
    /// it is estimated, its upper confidence bound is used instead: five standard errors above the estimate.
    ///
    /// # Examples
    ///
    /// ```
    /// use ndarray::array;
    /// use protodash::{Gaussian, Params, select};
    ///
    /// let rows = array![[0.0], [100.0]];
    /// let selection = select(&rows, &rows, &Gaussian::new(1.0)?, &Params::new(1))?;
    /// assert_eq!(selection.certified(), Some(0.5)); // the energy is exact
    /// # Ok::<(), protodash::Error>(())
    /// ```
    pub fn certified(&self) -> Option<f64> {
        self.target_energy?.certified(self.objective_final()).filter(|_| self.explained().is_some())
    }

    /// The weights that the first `n_prototypes` had on their own; `None` beyond the path.
    ///
    /// # Examples
    ///
    /// ```
    /// use ndarray::array;
    /// use protodash::{Gaussian, Params, select};
    ///
    /// let rows = array![[0.0], [100.0]];
    /// let selection = select(&rows, &rows, &Gaussian::new(1.0)?, &Params::new(2))?;
    /// assert_eq!(selection.weights_at(1), Some(&[0.5][..]));
    /// assert_eq!(selection.weights_at(3), None);
    /// # Ok::<(), protodash::Error>(())
    /// ```
    pub fn weights_at(&self, n_prototypes: usize) -> Option<&[f64]> {
        self.path.get(n_prototypes.checked_sub(1)?).map(Vec::as_slice)
    }

    /// The same run cut at `n_prototypes`, with the weights it had then; `None` beyond the path, or if the prototypes or the
    /// objective were cut by hand.
    ///
    /// For ProtoDash, ProtoGreedy, L2C and Random it equals a run for that many prototypes. For P-Lasso it is the rows
    /// that entered first. For Swap it is the final set in greedy order, cut there; with
    /// [`oversample`](Params::oversample) it is the kept rows in order of choice, cut there.
    ///
    /// # Examples
    ///
    /// ```
    /// use ndarray::array;
    /// use protodash::{Gaussian, Params, select};
    ///
    /// let rows = array![[0.0], [1.0], [4.0], [9.0]];
    /// let kernel = Gaussian::new(2.0)?;
    /// let long = select(&rows, &rows, &kernel, &Params::new(3))?;
    /// assert_eq!(long.prefix(2), Some(select(&rows, &rows, &kernel, &Params::new(2))?));
    /// # Ok::<(), protodash::Error>(())
    /// ```
    pub fn prefix(&self, n_prototypes: usize) -> Option<Selection> {
        if n_prototypes == self.prototypes.len() {
            return Some(self.clone());
        }
        let weights = self.weights_at(n_prototypes)?;
        // Callers may have changed the public fields.
        let source_indices: Vec<usize> = self.prototypes.get(..n_prototypes)?.iter().map(|p| p.source_index).collect();
        let objective = self.objective.get(..n_prototypes)?.to_vec();
        Some(Selection {
            prototypes: describe(&source_indices, weights, &objective, &self.mmd2),
            objective,
            n_fixed: self.n_fixed.min(n_prototypes),
            mmd2: self.mmd2.iter().take(n_prototypes).copied().collect(),
            errors: self.errors[..n_prototypes].to_vec(),
            error_bounds: self.errors[n_prototypes - 1],
            stopped: Stopped::NPrototypes,
            path: self.path[..n_prototypes].to_vec(),
            kernel_mean: self.kernel_mean.clone(),
            constraints: None,
            ..*self
        })
    }
}

/// How the kernel means of a run were computed.
///
/// # Examples
///
/// ```
/// use ndarray::array;
/// use protodash::{Gaussian, Means, Params, select};
///
/// let rows = array![[0.0], [1.0], [5.0]];
/// let means = select(&rows, &rows, &Gaussian::new(1.0)?, &Params::new(2))?.means;
/// assert_eq!((means.kind, means.confidence, means.n_exact), (Means::Full, 1.0, 3));
/// assert_eq!(means.pairs, 6); // three rows with each other and themselves
/// # Ok::<(), protodash::Error>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq)]
#[non_exhaustive]
pub struct MeansUsed {
    /// [`Means::Full`] or [`Means::Racing`].
    pub kind: Means,
    /// The probability, over random seeds, that the rows are those of the full mean up to the tolerance.
    pub confidence: f64,
    /// See [`Params::tolerance`].
    pub tolerance: f64,
    /// Kernel values of target and source rows that were computed for the means, those of landmarks included.
    pub pairs: u64,
    /// Source rows whose kernel mean is exact. All of them after a race that gave up.
    pub n_exact: usize,
}

impl MeansUsed {
    fn of(race: Option<RaceRecord>, tolerance: f64, (pairs, n_exact): (u64, usize)) -> Self {
        match race {
            Some(RaceRecord { n_pairs, n_exact, confidence }) => {
                MeansUsed { kind: Means::Racing, confidence, tolerance, pairs: n_pairs, n_exact }
            }
            None => MeansUsed { kind: Means::Full, confidence: 1.0, tolerance, pairs, n_exact },
        }
    }
}

/// Kernel means as a selection keeps them.
#[derive(Debug, Clone)]
pub(crate) struct KernelMeans {
    pub(crate) means: Option<Arc<[f64]>>,
    /// Their largest error bound.
    pub(crate) error: f64,
    /// Kernel values computed for them.
    pub(crate) n_pairs: u64,
}

/// The path of a search.
#[derive(Debug, Clone)]
pub(crate) struct Path {
    /// The chosen rows, in order.
    pub(crate) source_indices: Vec<usize>,
    /// The weights of the first i + 1 of them.
    pub(crate) weights: Vec<Vec<f64>>,
    /// The objective of the first i + 1 of them.
    pub(crate) objective: Vec<f64>,
    pub(crate) stopped: Stopped,
    /// What kernel means took, if they were raced.
    pub(crate) race: Option<RaceRecord>,
}

impl Default for Path {
    fn default() -> Self {
        let (source_indices, weights, objective) = (Vec::new(), Vec::new(), Vec::new());
        Path { source_indices, weights, objective, stopped: Stopped::NPrototypes, race: None }
    }
}

/// The last prototype of a set with these weights.
pub(crate) fn newest(source_index: usize, weights: &[f64], gain: f64) -> Prototype {
    let (total, weight): (f64, f64) = (weights.iter().sum(), weights[weights.len() - 1]);
    Prototype { source_index, weight, share: if total > 0.0 { weight / total } else { 0.0 }, gain }
}

/// The prototypes of a finished path; gains follow from MMD² where that is known better.
pub(crate) fn describe(source_indices: &[usize], weights: &[f64], objective: &[f64], mmd2: &[f64]) -> Vec<Prototype> {
    let gain = |at: usize| match (at, mmd2.get(at)) {
        (0, _) => objective[0],
        (_, Some(reached)) => 0.5 * (mmd2[at - 1] - reached),
        (_, None) => objective[at] - objective[at - 1],
    };
    let rows = source_indices.iter().zip(weights).zip(shares(weights)).enumerate();
    rows.map(|(at, ((&source_index, &weight), share))| Prototype { source_index, weight, share, gain: gain(at) })
        .collect()
}

/// Each weight divided by the sum of all; 0 if that sum is 0.
///
/// # Examples
///
/// ```
/// assert_eq!(protodash::shares(&[3.0, 1.0]), [0.75, 0.25]);
/// assert_eq!(protodash::shares(&[0.0]), [0.0]);
/// ```
pub fn shares(weights: &[f64]) -> Vec<f64> {
    let total: f64 = weights.iter().sum();
    weights.iter().map(|weight| if total > 0.0 { weight / total } else { 0.0 }).collect()
}
