//! Cross-validation of the bandwidth: which of several gives prototypes that do best on held-out rows.
//!
//! Objectives of different bandwidths are not comparable, since each bandwidth is a different kernel. The use of
//! prototypes is: with labels, how well they classify; without, how close they are.
//!
//! With many columns, distances are computed once for all bandwidths and folds (`shared.rs`); with few, the fused loops
//! compute them again in less time than it takes to look them up.

mod affordable;
mod folds;
mod shared;

use std::ops::ControlFlow;

use ndarray::{Array2, ArrayRef2};

use self::folds::{Fold, Folds};
use self::shared::SharedDistances;
use crate::classify::check_labels;
use crate::error::{Error, Result, Role};
use crate::kernel::bandwidth::{BandwidthRule, Metric, median};
use crate::kernel::{Kernel, known_kernel};
use crate::observe::{Observer, Stage};
use crate::parallel;
use crate::params::{Params, TargetEnergy, in_range};
use crate::rows::{CheckedMatrix, Rows, Scalar, manhattan_distance, squared_distance};
use crate::select::select_with;

/// Settings of [`cross_validate`].
///
/// # Examples
///
/// ```
/// use protodash::CrossValidation;
///
/// let mut settings = CrossValidation::default();
/// settings.n_folds = 10;
/// assert_eq!(settings.multiples.first(), Some(&0.125)); // from an eighth of the median …
/// assert_eq!(settings.multiples.last(), Some(&4.0)); // … to four times, in factors of √2
/// ```
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct CrossValidation {
    /// Number of folds; each is held out once.
    pub n_folds: usize,
    /// Number of rows above which a seeded sample of this size is used, for target and source each.
    pub n_rows: usize,
    /// Seed of the sample and of the folds.
    pub seed: u64,
    /// Bandwidths to try, as multiples of the median distance.
    pub multiples: Vec<f64>,
    /// Step between the multiples tried first; with more than 1, the neighbours of the best follow.
    pub stride: usize,
    /// Maximum number of prototypes in a fold; `None` for as many as the parameters ask for.
    pub most_prototypes: Option<usize>,
    /// That distance; `None` computes [`median`].
    pub median: Option<f64>,
}

impl Default for CrossValidation {
    /// Five folds of at most 5,000 rows; eleven bandwidths from 2⁻³ to 2² times the median distance, in factors of √2.
    fn default() -> Self {
        let multiples = (-6..=4).map(|half_steps| 2.0_f64.powf(0.5 * f64::from(half_steps))).collect();
        CrossValidation { n_folds: 5, n_rows: 5000, seed: 0, multiples, stride: 1, most_prototypes: None, median: None }
    }
}

/// Classes of target and source rows, for scoring a bandwidth by classification.
///
/// # Examples
///
/// ```
/// let labels = protodash::Labels { target: &[0, 1], source: &[1, 1, 0] };
/// assert_eq!(labels.source.len(), 3);
/// ```
#[derive(Debug, Clone, Copy)]
pub struct Labels<'a> {
    /// Class of each target row.
    pub target: &'a [usize],
    /// Class of each source row.
    pub source: &'a [usize],
}

/// The score of a bandwidth; lower is better.
///
/// # Examples
///
/// ```
/// assert_ne!(protodash::Criterion::Error, protodash::Criterion::Distance);
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum Criterion {
    /// Fraction of held-out rows whose nearest prototype has another class.
    Error,
    /// Mean distance of held-out rows to the nearest prototype.
    Distance,
}

/// Score of one bandwidth.
///
/// # Examples
///
/// ```
/// let score = protodash::BandwidthScore { multiple: 0.5, bandwidth: 2.5, score: 0.1, standard_error: 0.01 };
/// assert_eq!(score.bandwidth / score.multiple, 5.0); // the median distance
/// ```
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct BandwidthScore {
    /// Bandwidth as a multiple of the median distance.
    pub multiple: f64,
    /// Bandwidth.
    pub bandwidth: f64,
    /// Mean score over the folds.
    pub score: f64,
    /// Standard error of that mean.
    pub standard_error: f64,
}

/// The bandwidths that were tried with their scores.
///
/// # Examples
///
/// ```
/// use ndarray::Array2;
/// use protodash::{CrossValidation, Gaussian, Params, Unobserved, cross_validate};
///
/// let rows = Array2::from_shape_fn((40, 1), |(row, _)| (row as f64 * 0.7).sin());
/// let settings = CrossValidation::default();
/// let curve = cross_validate(&rows, &rows, None, &Gaussian::new, &Params::new(4), &settings, &mut Unobserved)?;
/// assert_eq!(curve.scores.len(), 11);
/// assert!(curve.scores.iter().all(|score| score.score >= curve.best().score));
/// # Ok::<(), protodash::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct BandwidthCurve {
    /// What the scores measure.
    pub criterion: Criterion,
    /// One score for each bandwidth that was tried, in the order given.
    pub scores: Vec<BandwidthScore>,
    /// Number of folds.
    pub n_folds: usize,
    /// Number of target rows used.
    pub n_rows: usize,
    best: usize,
    /// The bandwidth of the rule `auto`.
    auto: f64,
}

impl BandwidthCurve {
    /// The bandwidth with the lowest score; ties go to the one closest to the median distance.
    ///
    /// # Examples
    ///
    /// ```
    /// use ndarray::array;
    /// use protodash::{CrossValidation, Gaussian, Params, Unobserved, cross_validate};
    ///
    /// let rows = array![[0.0], [0.1], [0.2], [5.0], [5.1], [5.2]];
    /// let mut settings = CrossValidation::default();
    /// (settings.multiples, settings.n_folds) = (vec![0.5, 1.0], 2);
    /// let curve = cross_validate(&rows, &rows, None, &Gaussian::new, &Params::new(2), &settings, &mut Unobserved)?;
    /// assert!(curve.best().score < 0.2);
    /// # Ok::<(), protodash::Error>(())
    /// ```
    pub fn best(&self) -> BandwidthScore {
        self.scores[self.best]
    }

    /// Whether all of several bandwidths have the same score, so that held-out rows cannot tell which is best.
    ///
    /// # Examples
    ///
    /// ```
    /// use ndarray::array;
    /// use protodash::{CrossValidation, Gaussian, Params, Unobserved, cross_validate};
    ///
    /// let rows = array![[0.0], [1.0], [2.0], [3.0], [4.0], [5.0]];
    /// let settings = CrossValidation::default();
    /// // Every row that is not held out is a prototype, whatever the bandwidth.
    /// let curve = cross_validate(&rows, &rows, None, &Gaussian::new, &Params::new(6), &settings, &mut Unobserved)?;
    /// assert!(curve.is_flat());
    /// assert_eq!(curve.bandwidth(), 1.0); // half the median distance, the rule `auto` of the Gaussian
    /// # Ok::<(), protodash::Error>(())
    /// ```
    pub fn is_flat(&self) -> bool {
        self.scores.len() > 1 && self.scores.iter().all(|score| score.score == self.scores[0].score)
    }

    /// The bandwidth to use: the [`best`](Self::best), or that of the rule `auto` if the curve is [flat](Self::is_flat).
    ///
    /// # Examples
    ///
    /// See [`is_flat`](Self::is_flat).
    pub fn bandwidth(&self) -> f64 {
        if self.is_flat() { self.auto } else { self.best().bandwidth }
    }
}

/// Scores bandwidths of a kernel by how well their prototypes do on held-out rows.
///
/// # Formula
///
/// ```text
/// score(σ) = mean over folds of the mean over held-out rows x of
///            [label of the nearest prototype ≠ label of x]     with labels
///            d(x, nearest prototype)                           without
/// ```
///
/// The target is split into random folds. For each fold, prototypes are selected with `params` to represent the other
/// folds: from their rows if source and target are the same, otherwise from the whole source. The nearest prototype is
/// that in the kernel's own metric: Σ|xᵢ − yᵢ| for the Laplacian kernel, ‖x − y‖ for the others. Target weights apply
/// to the rows represented and to the means. If a fold leaves fewer source rows than requested prototypes, all of them
/// may be chosen. Parameters that name source rows ([`fixed`](Params::fixed), [`exclude`](Params::exclude),
/// [`resume`](Params::resume), quotas, a budget) and limits on the weights are checked but not applied in the folds, which
/// have other rows; fixed rows count towards the number of prototypes. A bandwidth for which no row is chosen, which `min_gain` can cause, has an infinite score.
///
/// `kernel_at` returns the kernel for a bandwidth. Costs one selection for each fold and bandwidth, on at most
/// [`CrossValidation::n_rows`] rows and with at most [`CrossValidation::most_prototypes`] prototypes; with a
/// [`stride`](CrossValidation::stride) not all bandwidths are tried. The result depends on the seed, not on the number of threads.
///
/// # Errors
///
/// As for [`select`](crate::select); also if there are no multiples or one is not finite and above 0, if the stride or the
/// maximum number of prototypes is 0, if there are fewer
/// than two folds or more folds than target rows or rows to use, if there is not one label for each row, or if all rows are equal.
///
/// # Examples
///
/// ```
/// use ndarray::Array2;
/// use protodash::{CrossValidation, Criterion, Gaussian, Labels, Params, Unobserved, cross_validate};
///
/// // Two alternating classes along a line: too wide a kernel cannot tell them apart.
/// let rows = Array2::from_shape_fn((60, 1), |(row, _)| row as f64);
/// let classes: Vec<usize> = (0..60).map(|row| row / 10 % 2).collect();
/// let labels = Some(Labels { target: &classes, source: &classes });
/// let settings = CrossValidation::default();
/// let curve = cross_validate(&rows, &rows, labels, &Gaussian::new, &Params::new(8), &settings, &mut Unobserved)?;
/// assert_eq!(curve.criterion, Criterion::Error);
/// assert!(curve.best().score < 0.3);
/// # Ok::<(), protodash::Error>(())
/// ```
pub fn cross_validate<T: Scalar, K: Kernel<T>>(
    target: &ArrayRef2<T>,
    source: &ArrayRef2<T>,
    labels: Option<Labels<'_>>,
    kernel_at: &dyn Fn(f64) -> Result<K>,
    params: &Params,
    settings: &CrossValidation,
    observer: &mut dyn Observer,
) -> Result<BandwidthCurve> {
    let checked = (CheckedMatrix::new(target, Role::Target)?, CheckedMatrix::new(source, Role::Source)?);
    let (target_rows, source_rows) = (checked.0.rows(), checked.1.rows());
    if target_rows.n_columns() != source_rows.n_columns() {
        return Err(Error::DifferentColumns { target: target_rows.n_columns(), available: source_rows.n_columns() });
    }
    params.check(target_rows.n_rows(), source_rows.n_rows())?;
    check(settings, target_rows, source_rows, labels)?;
    let any = kernel_at(1.0)?;
    let metric = Metric::of(&any);
    let rule = known_kernel(&any).and_then(|kernel| BandwidthRule::Auto.median_multiple(kernel.definition()));
    let median = settings.median.map_or_else(|| median(target, source, metric, settings.seed), Ok)?;
    let folds = Folds::new(target_rows, source_rows, settings);
    let n_rows = folds.n_target();
    let mut tried: Vec<Option<BandwidthScore>> = vec![None; settings.multiples.len()];
    let first: Vec<usize> = (0..tried.len()).step_by(settings.stride).collect();
    let n_later = if settings.stride > 1 { 2 } else { 0 };
    let mut progress = FoldProgress { observer, done: 0, total: ((first.len() + n_later) * settings.n_folds) as u64 };
    let shared = SharedDistances::new(&folds, &any, params, &mut progress)?;
    let in_fold = (params, settings, metric);
    let mut try_all = |places: &[usize], tried: &mut Vec<Option<BandwidthScore>>| -> Result<()> {
        let kernel_of = |place: &usize| kernel_at(settings.multiples[*place] * median);
        let kernels: Vec<K> = places.iter().map(kernel_of).collect::<Result<_>>()?;
        let mut by_bandwidth = vec![Vec::with_capacity(settings.n_folds); places.len()];
        match &shared {
            None => {
                for fold in folds.iter() {
                    for (kernel, scores) in kernels.iter().zip(&mut by_bandwidth) {
                        scores.push(score(&fold, (kernel, None), labels, in_fold, &mut progress)?);
                        progress.done += 1;
                    }
                }
            }
            Some(distances) => {
                for fold in folds.numbered() {
                    for (kernel, scores) in kernels.iter().filter_map(|kernel| kernel.built_in()).zip(&mut by_bandwidth)
                    {
                        let kernel = (&distances.kernel(kernel) as &dyn Kernel<f64>, shared.as_ref());
                        scores.push(score(&fold, kernel, labels, in_fold, &mut progress)?);
                        progress.done += 1;
                    }
                }
            }
        }
        for (place, scores) in places.iter().zip(&by_bandwidth) {
            tried[*place] = Some(summarised(settings.multiples[*place], median, scores));
        }
        Ok(())
    };
    try_all(&first, &mut tried)?;
    if let Some(best) = first.get(least(&first.iter().filter_map(|place| tried[*place]).collect::<Vec<_>>())) {
        let near = [best.checked_sub(1), Some(best + 1)];
        let open: Vec<usize> =
            near.into_iter().flatten().filter(|place| tried.get(*place).is_some_and(Option::is_none)).collect();
        try_all(&open, &mut tried)?;
    }
    let scores: Vec<BandwidthScore> = tried.into_iter().flatten().collect();
    let criterion = if labels.is_some() { Criterion::Error } else { Criterion::Distance };
    let best = least(&scores);
    let auto = rule.unwrap_or(1.0) * median;
    Ok(BandwidthCurve { criterion, scores, n_folds: settings.n_folds, n_rows, best, auto })
}

fn check<T>(
    settings: &CrossValidation,
    target: Rows<'_, T>,
    source: Rows<'_, T>,
    labels: Option<Labels<'_>>,
) -> Result<()> {
    let CrossValidation { n_folds, n_rows, median, .. } = *settings;
    in_range("the number of folds", n_folds as f64, n_folds >= 2, "at least 2")?;
    if target.n_rows() < n_folds {
        return Err(Error::FewerRowsThanFolds { folds: n_folds, rows: target.n_rows() });
    }
    in_range("the number of rows to use", n_rows as f64, n_rows >= n_folds, "at least the number of folds")?;
    if let Some(median) = median {
        in_range("the median distance", median, median.is_finite() && median > 0.0, "finite and above 0")?;
    }
    in_range("the number of bandwidths", 0.0, !settings.multiples.is_empty(), "at least 1")?;
    in_range("the stride", 0.0, settings.stride > 0, "at least 1")?;
    in_range("the number of prototypes in a fold", 0.0, settings.most_prototypes != Some(0), "at least 1")?;
    for &multiple in &settings.multiples {
        in_range("a multiple of the median", multiple, multiple.is_finite() && multiple > 0.0, "finite and above 0")?;
    }
    let Some(labels) = labels else { return Ok(()) };
    check_labels(labels.target, target, Role::Target)?;
    check_labels(labels.source, source, Role::Source)
}

/// Score of one bandwidth on one fold; infinite if no row is chosen.
fn score<T: Scalar>(
    fold: &Fold<T>,
    (kernel, shared): (&dyn Kernel<T>, Option<&SharedDistances>),
    labels: Option<Labels<'_>>,
    (params, settings, metric): (&Params, &CrossValidation, Metric),
    progress: &mut FoldProgress<'_>,
) -> Result<f64> {
    let source = fold.source();
    let held_out_weights = fold.held_out_weights(params.target_weights.as_deref());
    let params = in_fold(params, settings, fold);
    let selection = select_with(&fold.target, source, kernel, &params, progress)?;
    let chosen: Vec<usize> = selection.prototypes.iter().map(|prototype| prototype.source_index).collect();
    let wrong = |labels: Labels<'_>, place: usize, nearest: usize| {
        fold.source_label(labels, nearest) != fold.held_out_label(labels, place)
    };
    let value = |place: usize, nearest: NearestPrototype| match labels {
        None => nearest.distance,
        Some(_) if chosen.is_empty() => f64::INFINITY,
        Some(labels) => f64::from(u8::from(wrong(labels, place, nearest.source_index))),
    };
    let nearest = nearest((&fold.held_out, source), &chosen, metric, (kernel, shared));
    let weighted = nearest.iter().zip(&held_out_weights).enumerate().filter(|(_, (_, weight))| **weight > 0.0);
    let sum: f64 = weighted.map(|(place, (nearest, weight))| weight * value(place, *nearest)).sum();
    let total: f64 = held_out_weights.iter().sum();
    Ok(if total > 0.0 { sum / total } else { 0.0 })
}

/// The parameters for a fold: as many prototypes in all, without what names rows of the whole source or may not be
/// reachable with fewer rows. The bandwidth should not depend on either.
fn in_fold<T: Scalar>(params: &Params, settings: &CrossValidation, fold: &Fold<T>) -> Params {
    let most = settings.most_prototypes.unwrap_or(usize::MAX).min(fold.source().nrows());
    Params {
        n_prototypes: params.n_total().map(|n_prototypes| n_prototypes.min(most)),
        target_weights: params.target_weights.as_deref().and_then(|weights| fold.kept_weights(weights)),
        target_energy: TargetEnergy::Skip,
        fixed: Vec::new(),
        exclude: Vec::new(),
        resume: Vec::new(),
        quotas: Vec::new(),
        budget: None,
        max_weight: None,
        min_effective: None,
        ..params.clone()
    }
}

#[derive(Debug, Clone, Copy)]
struct NearestPrototype {
    source_index: usize,
    distance: f64,
}

/// The nearest chosen source row of each row; infinitely far away if none was chosen.
fn nearest<T: Scalar>(
    (rows, source): (&Array2<T>, &Array2<T>),
    chosen: &[usize],
    metric: Metric,
    (kernel, shared): (&dyn Kernel<T>, Option<&SharedDistances>),
) -> Vec<NearestPrototype> {
    let distance = |x: &[T], y: &[T]| match (shared, kernel.sparse(), metric) {
        (Some(distances), ..) => distances.between(&[x[0].to_f64()], &[y[0].to_f64()]),
        (None, Some(kernel), _) => kernel.distance(x, y),
        (None, None, Metric::Euclidean) => squared_distance(x, y).sqrt(),
        (None, None, Metric::Manhattan) => manhattan_distance(x, y),
    };
    let prototypes: Vec<Vec<T>> = chosen.iter().map(|&index| source.row(index).to_vec()).collect();
    let nearest_to = |place: usize| {
        let x = rows.row(place).to_vec();
        let mut nearest = NearestPrototype { source_index: 0, distance: f64::INFINITY };
        for (&source_index, prototype) in chosen.iter().zip(&prototypes) {
            let distance = distance(&x, prototype);
            if distance < nearest.distance {
                nearest = NearestPrototype { source_index, distance };
            }
        }
        nearest
    };
    parallel::map(0..rows.nrows(), nearest_to)
}

fn summarised(multiple: f64, median: f64, scores: &[f64]) -> BandwidthScore {
    let n_folds = scores.len() as f64;
    let score = scores.iter().sum::<f64>() / n_folds;
    let variance = scores.iter().map(|fold| (fold - score).powi(2)).sum::<f64>() / (n_folds - 1.0);
    let standard_error = if score.is_finite() { (variance / n_folds).sqrt() } else { f64::INFINITY };
    BandwidthScore { multiple, bandwidth: multiple * median, score, standard_error }
}

/// Index of the lowest score; ties go to the multiple closest to 1 on a log scale.
fn least(scores: &[BandwidthScore]) -> usize {
    let distance_from_one = |place: usize| scores[place].multiple.ln().abs();
    let better = |a: usize, b: usize| {
        let (first, second) = (scores[a].score, scores[b].score);
        first < second || (first == second && distance_from_one(a) < distance_from_one(b))
    };
    (0..scores.len()).reduce(|best, other| if better(other, best) { other } else { best }).unwrap_or(0)
}

/// Reports progress in folds and bandwidths, and passes on requests to stop.
struct FoldProgress<'a> {
    observer: &'a mut dyn Observer,
    done: u64,
    total: u64,
}

impl Observer for FoldProgress<'_> {
    fn on_progress(&mut self, _: Stage, _: u64, _: u64) -> ControlFlow<()> {
        self.observer.on_progress(Stage::CrossValidation, self.done, self.total)
    }
}
