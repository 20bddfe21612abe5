//! A baseline: the same number of random rows, measured in the same way as the prototypes.
//!
//! There are two measures. [`random_explained`](Baseline::random_explained) puts `explained` in perspective: with a
//! wide kernel, random rows also explain almost everything. [`nearer_than_random`](Baseline::nearer_than_random) does
//! not depend on the kernel, so it can also compare selections with different kernels.

mod best;
mod distances;
mod expected;
mod rivals;

use ndarray::ArrayRef2;
use rand::SeedableRng;
use rand::seq::index;
use rand_chacha::ChaCha8Rng;

use self::best::best_explained;
pub(crate) use self::distances::SourceDistances;
use self::rivals::Rivals;
use crate::energy;
use crate::error::{Error, Result, Role};
use crate::kernel::Kernel;
use crate::kernel_mean::{ApproximateMeans, ErrorBound, Target};
use crate::methods::random;
use crate::observe::{Observer, Unobserved};
use crate::parallel;
use crate::params::{Method, Params, Weights, check_row_weights};
use crate::prepared::normalised;
use crate::problem::{SelectionProblem, StoppingRule};
use crate::representation::prototype_rows;
use crate::rows::{CheckedPair, Rows, Scalar, same_rows};
use crate::search::ShardLayout;
use crate::selection::{Energy, Prototype, Selection};
use crate::weigh::{Rule, Weigher};
use crate::weights::{WeightLimits, WeightTotal};

/// Number of prototypes above which one draw is enough: results hardly vary between draws, and the weights cost O(m³).
const MANY_PROTOTYPES: usize = 256;

/// Number of prototypes above which no weights are computed for random rows.
const MOST_PROTOTYPES: usize = 1024;

/// Parameters of the comparison with random rows.
///
/// # Examples
///
/// ```
/// use protodash::BaselineParams;
///
/// let params = BaselineParams::default();
/// assert_eq!((params.n_draws, params.n_rows, params.seed), (5, 1000, 0));
/// ```
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct BaselineParams {
    /// Number of random draws whose fit is averaged.
    pub n_draws: usize,
    /// Maximum number of target rows to measure; if there are more, a seeded sample of this size.
    pub n_rows: usize,
    /// Seed of the draws and of the sample.
    pub seed: u64,
    /// Weights of the target rows that the selection was made with.
    pub target_weights: Option<Vec<f64>>,
    /// The rows that the selection was not allowed to choose ([`Params::exclude`]): random rows are not among them either.
    pub exclude: Vec<usize>,
    /// The rule that gives random rows their weights; [`Weights::Own`] is optimal non-negative weights.
    pub weights: Weights,
    /// The limits on these weights.
    pub limits: WeightLimits,
}

impl Default for BaselineParams {
    fn default() -> Self {
        BaselineParams {
            n_draws: 5,
            n_rows: 1000,
            seed: 0,
            target_weights: None,
            exclude: Vec::new(),
            weights: Weights::Nonnegative,
            limits: WeightLimits::default(),
        }
    }
}

impl BaselineParams {
    /// The comparison for a selection with these parameters: random rows get their weights by the same rule.
    ///
    /// The lasso's own weights have no rule for given rows; random rows then get the optimal non-negative ones.
    ///
    /// # Examples
    ///
    /// ```
    /// use protodash::{BaselineParams, Method, Params, Weights};
    ///
    /// let mut params = Params::new(10);
    /// (params.method, params.weights) = (Method::L2c, Weights::Own);
    /// assert_eq!(BaselineParams::of_run(&params).weights, Weights::Equal);
    /// ```
    #[must_use]
    pub fn of_run(params: &Params) -> BaselineParams {
        let weights = match (params.weights, params.method) {
            (Weights::Own, Method::L2c) => Weights::Equal,
            (Weights::Own, Method::KMedoids | Method::KMeans) => Weights::Shares,
            (Weights::Own, _) => Weights::Nonnegative,
            (weights, _) => weights,
        };
        BaselineParams {
            seed: params.seed,
            target_weights: params.target_weights.clone(),
            exclude: params.exclude.clone(),
            weights,
            limits: params.limits(),
            ..BaselineParams::default()
        }
    }

    /// The comparison for a selection that was made class by class with these parameters: no random rows are drawn.
    ///
    /// Weights that are solved within each class cannot be compared with those of rows drawn from all classes.
    ///
    /// # Examples
    ///
    /// ```
    /// use protodash::{BaselineParams, Params};
    ///
    /// assert_eq!(BaselineParams::of_run_per_label(&Params::new(10)).n_draws, 0);
    /// ```
    #[must_use]
    pub fn of_run_per_label(params: &Params) -> BaselineParams {
        BaselineParams { n_draws: 0, ..BaselineParams::of_run(params) }
    }

    /// The rule for the weights of random rows.
    fn rule(&self) -> Rule {
        match self.weights {
            Weights::Equal => Rule::Equal,
            Weights::Shares => Rule::Shares(Role::Target),
            Weights::Convex if self.limits.is_set() => Rule::Limited(WeightTotal::One, self.limits),
            Weights::Convex => Rule::Convex,
            _ if self.limits.is_set() => Rule::Limited(WeightTotal::Free, self.limits),
            _ => Rule::Nonnegative,
        }
    }
}

/// How a selection compares with the same number of random source rows.
///
/// Only prototypes with a positive weight count, here and in the number of random rows. [Fixed](Params::fixed) rows always
/// count: random rows are drawn next to them.
///
/// # Examples
///
/// ```
/// use ndarray::Array2;
/// use protodash::{BaselineParams, Gaussian, Params, Unobserved, baseline, select};
///
/// // Three groups: three random rows often miss one.
/// let rows = Array2::from_shape_fn((60, 1), |(row, _)| (row % 3) as f64 * 10.0 + row as f64 / 60.0);
/// let kernel = Gaussian::new(2.0)?;
/// let selection = select(&rows, &rows, &kernel, &Params::new(3))?;
/// let chance = baseline(&rows, &rows, &selection, &kernel, &BaselineParams::default(), &mut Unobserved)?;
/// assert!(chance.nearer_than_random.unwrap() > 0.8);
/// assert!(chance.random_explained.unwrap() < selection.explained().unwrap());
/// assert_eq!(chance.random_explained_path.len(), 3);
/// # Ok::<(), protodash::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct Baseline {
    /// The share of the target's energy that the same number of random rows explains, on average, with weights by the rule of
    /// [`weights`](BaselineParams::weights).
    ///
    /// `None` if the energy is unknown, there are no prototypes, or more than 1,024 of them (256 with limits on the weights).
    pub random_explained: Option<f64>,
    /// The rule that gave random rows their weights.
    pub weights: Weights,
    /// The share that 1, 2, … random rows explain, up to the number of chosen rows; empty if unknown.
    pub random_explained_path: Vec<f64>,
    /// Number of random draws.
    pub n_draws: usize,
    /// The fraction by which target rows are nearer to their nearest prototype than to the nearest of the same number
    /// of random rows; negative if they are farther away. `None` if distances are unknown or all 0.
    pub nearer_than_random: Option<f64>,
    /// The same for the first prototypes, at up to 30 sizes about a constant factor apart (fewer above 33,000 source rows): the
    /// number of prototypes, and by how much target rows are nearer. Sizes at which no new prototype has a weight are omitted.
    pub nearer_than_random_path: Vec<(usize, f64)>,
    /// The mean distance of the measured rows to their nearest prototype; `None` if distances are unknown.
    pub distance: Option<f64>,
    /// Their mean distance to the nearest of all source rows that may be chosen: no selection can be nearer. `None` if
    /// distances are unknown, or if the source represents itself, where it is 0.
    pub best_distance: Option<f64>,
    /// The share of the target's energy that all source rows explain together, with the best non-negative weights: no
    /// selection can explain more. `None` if the energy or a kernel mean is unknown, if the source represents itself, or
    /// above 1,000 source rows, where it could cost more than the selection.
    pub best_explained: Option<f64>,
    /// Number of target rows whose distances were measured.
    pub n_rows: usize,
    /// Number of source rows that random rows are drawn from for [`nearer_than_random`](Baseline::nearer_than_random): a random
    /// subset of those that may be chosen. `None` if it is all of them, as up to 65,536.
    pub n_drawn_from: Option<usize>,
}

impl Baseline {
    /// The comparison of a selection without new prototypes.
    fn of_nothing() -> Baseline {
        Baseline {
            random_explained: None,
            weights: Weights::Nonnegative,
            random_explained_path: Vec::new(),
            n_draws: 0,
            nearer_than_random: None,
            nearer_than_random_path: Vec::new(),
            distance: None,
            best_distance: None,
            best_explained: None,
            n_rows: 0,
            n_drawn_from: None,
        }
    }
}

/// Compares a selection with random rows.
///
/// # Formula
///
/// ```text
/// nearer_than_random = 1 − Σᵢ pᵢ minⱼ d(xᵢ, zⱼ) / Σᵢ pᵢ Σₖ d₍ₖ₎(xᵢ) C(n − k, m − 1)/C(n, m)
/// ```
///
/// where zⱼ are the m prototypes with positive weight and d₍₁₎(x) ≤ d₍₂₎(x) ≤ … the distances of x from all n source
/// rows: the k-th is the minimum over a random subset of m rows if the subset contains it and no nearer row. The inner
/// sum is the expectation over all subsets, not an estimate, unless more than S = max(65,536, 100 m) rows may be chosen: then
/// the distances are those from one seeded subset of S of them. A random subset of a random subset is a random subset, so
/// that the estimate has no bias, and what the prototypes and [`best_distance`](Baseline::best_distance) contribute stays
/// exact. xᵢ are the target rows, or a seeded sample of [`n_rows`](BaselineParams::n_rows) of them. With fixed rows, m counts the new prototypes, the subsets are of the rows
/// that may be chosen, and both minima include the distance to the fixed rows.
///
/// d is the Euclidean distance for any kernel, with three exceptions: the fraction of differing values if the kernel
/// compares codes, the distance of the normalised rows for the cosine, and √(k(x, x) + k(z, z) − 2 k(x, z)) for kernel
/// matrices and custom kernels, whose rows need not be points. It is unknown for kernel matrices without k(x, x).
///
/// [`distance`](Baseline::distance) and [`best_distance`](Baseline::best_distance) are Σᵢ pᵢ minⱼ d(xᵢ, zⱼ) over the prototypes and
/// over all rows that may be chosen.
///
/// `random_explained` is the mean over [`n_draws`](BaselineParams::n_draws) draws, each of which grows from 1 row to m, with
/// weights by the selection's rule at each size. Above 256 prototypes one draw is made, above 1,024 none; with limits on the
/// weights, none above 256.
///
/// Costs q·min(n, S) distances and as many numbers to sort for q measured rows, q·n distances with a separate target, and m²/2 kernel values and O(m³) for each draw; with a
/// separate target, also a selection of all source rows that improve the fit, if there are at most 1,000. The kernel mean of
/// the selection is reused. The result depends on the seed, not on the number of threads.
///
/// # Errors
///
/// If the selection or the weights belong to other rows or its fields do not fit together, if a matrix is empty or not finite, or
/// [`Error::Cancelled`](crate::Error::Cancelled) when the observer stops the run.
///
/// # Examples
///
/// ```
/// use ndarray::array;
/// use protodash::{BaselineParams, Gaussian, Params, Unobserved, baseline, select};
///
/// let rows = array![[0.0], [1.0], [2.0]];
/// let kernel = Gaussian::new(1.0)?;
/// let selection = select(&rows, &rows, &kernel, &Params::new(1))?;
/// let chance = baseline(&rows, &rows, &selection, &kernel, &BaselineParams::default(), &mut Unobserved)?;
/// // The middle row is at distances 1, 0 and 1; a random row, on average, at 1, 2/3 and 1.
/// assert!((chance.nearer_than_random.unwrap() - 0.25).abs() < 1e-15);
/// # Ok::<(), protodash::Error>(())
/// ```
pub fn baseline<T: Scalar>(
    target: &ArrayRef2<T>,
    source: &ArrayRef2<T>,
    selection: &Selection,
    kernel: &dyn Kernel<T>,
    params: &BaselineParams,
    observer: &mut dyn Observer,
) -> Result<Baseline> {
    let checked = CheckedPair::new(target, source)?;
    let (target, source) = checked.rows();
    if selection.n_source != source.n_rows() {
        return Err(Error::OtherNumberOfRows { selected_from: selection.n_source, given: source.n_rows() });
    }
    let n_prototypes = selection.prototypes.len();
    let Some((fixed, new)) = selection.prototypes.split_at_checked(selection.n_fixed) else {
        let (what, given) = ("fixed rows", selection.n_fixed);
        return Err(Error::InconsistentSelection { what, given, prototypes: n_prototypes });
    };
    if let Some(weights) = &params.target_weights {
        check_row_weights(weights, target.n_rows(), Role::Target)?;
    }
    let weights = params.target_weights.as_deref().map(normalised);
    let target = Target { rows: target, weights: weights.as_deref() };
    let new: Vec<Prototype> = new.iter().filter(|prototype| prototype.weight > 0.0).copied().collect();
    if new.is_empty() {
        return Ok(Baseline::of_nothing());
    }
    let given = draw_params(selection, params);
    let n_choosable = given.check_given_rows(source.n_rows())?;
    if n_prototypes > fixed.len() + n_choosable {
        let (what, given) = ("source rows that could be chosen", n_choosable);
        return Err(Error::InconsistentSelection { what, given, prototypes: n_prototypes });
    }
    prototype_rows(source, &selection.prototypes)?;
    let is_separate = !same_rows(target.rows, source);
    let choosable = given.given_rows().choosable(source.n_rows());
    let rivals = Rivals::new(selection, kernel, source, choosable, (params.seed, is_separate));
    let sample = sampled(target, params.n_rows, params.seed);
    let mut sums = rivals.sums(&sample, target.rows, observer)?;
    let complete = sums.sizes.pop().unwrap_or_default();
    let path = sums.sizes.iter().chain([&complete]).filter_map(|size| Some((size.n_prototypes, size.nearer()?)));
    let total: f64 = sample.iter().map(|(_, weight)| weight).sum();
    let mean = |sum: f64| Some(sum / total).filter(|mean| mean.is_finite());
    let (random_explained_path, n_draws) = random_path(target, source, kernel, selection, (params, &given));
    Ok(Baseline {
        random_explained: random_explained_path.get(fixed.len() + new.len() - 1).copied(),
        weights: params.weights,
        random_explained_path,
        n_draws,
        nearer_than_random: complete.nearer(),
        nearer_than_random_path: path.collect(),
        distance: mean(complete.ours),
        best_distance: mean(sums.best).filter(|_| is_separate),
        best_explained: if is_separate { best_explained(target, source, kernel, selection, &given) } else { None },
        n_rows: sample.len(),
        n_drawn_from: rivals.n_drawn_from(),
    })
}

/// A target row to measure, and its weight.
pub(crate) type WeightedTargetRow = (usize, f64);

/// The target rows to measure: all of them with their weights, or a sample with equal weights.
pub(crate) fn sampled<T: Scalar>(target: Target<'_, T>, n_rows: usize, seed: u64) -> Vec<WeightedTargetRow> {
    let n_target = target.rows.n_rows();
    match target.weights {
        None if n_target <= n_rows => (0..n_target).map(|row| (row, 1.0)).collect(),
        Some(weights) if n_target <= n_rows => {
            weights.iter().copied().enumerate().filter(|(_, weight)| *weight > 0.0).collect()
        }
        None => {
            let mut generator = ChaCha8Rng::seed_from_u64(seed);
            in_order(index::sample(&mut generator, n_target, n_rows).into_vec())
        }
        Some(_) => in_order(energy::draw(target, n_rows, seed)),
    }
}

/// The drawn rows in the order of the data: a custom kernel may compute neighbouring rows at once.
fn in_order(mut drawn: Vec<usize>) -> Vec<WeightedTargetRow> {
    drawn.sort_unstable();
    drawn.into_iter().map(|row| (row, 1.0)).collect()
}

/// The share explained by random rows at every size up to that of the selection, and the number of draws; empty if
/// unknown.
fn random_path<T: Scalar>(
    target: Target<'_, T>,
    source: Rows<'_, T>,
    kernel: &dyn Kernel<T>,
    selection: &Selection,
    (params, given): (&BaselineParams, &Params),
) -> (Vec<f64>, usize) {
    let n_prototypes = selection.prototypes.len();
    let most = if params.limits.is_set() { MANY_PROTOTYPES } else { MOST_PROTOTYPES };
    let Some(energy) = selection.target_energy.filter(|_| n_prototypes <= most) else {
        return (Vec::new(), 0);
    };
    let rule = params.rule();
    let n_draws = if n_prototypes > MANY_PROTOTYPES { params.n_draws.min(1) } else { params.n_draws };
    let seeds: Vec<u64> = (0..n_draws).map(|draw| seed_of(params.seed, draw)).collect();
    let computed = match selection.kernel_mean() {
        Some(_) => Vec::new(),
        None => means_of_draws(target, source, kernel, given, &seeds),
    };
    let problem = SelectionProblem {
        target,
        source,
        kernel,
        kernel_mean: selection.kernel_mean().unwrap_or(&computed),
        approximate: None,
        params: given,
        candidates: None,
        layout: ShardLayout::default(),
    };
    let draws = parallel::map(0..seeds.len(), |draw| one_draw(problem, rule, (n_prototypes, energy), seeds[draw]));
    match draws.into_iter().collect::<Option<Vec<Vec<f64>>>>() {
        Some(draws) if n_draws > 0 => {
            let mean = |size: usize| draws.iter().map(|path| path[size]).sum::<f64>() / n_draws as f64;
            ((0..n_prototypes).map(mean).collect(), n_draws)
        }
        _ => (Vec::new(), 0),
    }
}

/// Parameters with which rows are drawn: the same fixed and excluded rows as those of the selection.
fn draw_params(selection: &Selection, params: &BaselineParams) -> Params {
    let mut given = Params::new(selection.prototypes.len());
    // Any method that takes fixed rows; only its rows count.
    given.method = Method::Random;
    given.fixed = selection.prototypes[..selection.n_fixed].iter().map(|prototype| prototype.source_index).collect();
    given.exclude.clone_from(&params.exclude);
    given
}

/// The kernel means of the rows that are drawn; NaN for all others.
fn means_of_draws<T: Scalar>(
    target: Target<'_, T>,
    source: Rows<'_, T>,
    kernel: &dyn Kernel<T>,
    params: &Params,
    seeds: &[u64],
) -> Vec<f64> {
    let n_prototypes = params.n_prototypes.unwrap_or(0);
    let drawn = seeds.iter().flat_map(|seed| drawn_rows(source.n_rows(), params, *seed).take(n_prototypes));
    let mut drawn: Vec<usize> = drawn.collect();
    drawn.sort_unstable();
    drawn.dedup();
    let rows: Vec<&[T]> = drawn.iter().map(|row| source.row(*row)).collect();
    let means = ApproximateMeans { target, is_source: false, error: ErrorBound::default(), race: None };
    let mut all = vec![f64::NAN; source.n_rows()];
    for (row, mean) in drawn.into_iter().zip(means.means_of(kernel, &rows)) {
        all[row] = mean;
    }
    all
}

/// The seed of a draw: draws differ within a comparison and between comparisons with neighbouring seeds.
pub(crate) fn seed_of(seed: u64, draw: usize) -> u64 {
    seed.wrapping_mul(0x9E37_79B9_7F4A_7C15).wrapping_add(1 + draw as u64)
}

/// The fixed rows, then the others in random order.
fn drawn_rows(n_rows: usize, params: &Params, seed: u64) -> impl Iterator<Item = usize> {
    params.given_rows().first_fixed(n_rows, random::order(n_rows, seed))
}

/// The share explained by the first 1, 2, … rows of one draw.
fn one_draw<T: Scalar>(
    problem: SelectionProblem<'_, T>,
    rule: Rule,
    (n_rows, energy): (usize, Energy),
    seed: u64,
) -> Option<Vec<f64>> {
    let order = drawn_rows(problem.source.n_rows(), problem.params, seed);
    let weigher = Weigher::new(problem, rule).ok()?;
    let path = weigher.run(order, StoppingRule::at(n_rows), &mut Unobserved).ok()?;
    path.objective.iter().map(|objective| energy.explained(*objective)).collect()
}
