//! The bandwidth by cross-validation: of several widths the one whose prototypes serve held-out rows best.
//!
//! The objective cannot be compared between widths, since every width is another kernel. What prototypes are for can:
//! with labels, to classify; without, to be near.

mod folds;

use std::ops::ControlFlow;

use ndarray::{Array2, ArrayRef2};
use rayon::prelude::*;

use self::folds::{Fold, Folds};
use crate::classify::check_labels;
use crate::error::{Error, Result, Role};
use crate::kernel::Kernel;
use crate::kernel::bandwidth::{Metric, median};
use crate::observe::{Observer, Stage};
use crate::params::{Params, TargetEnergy, in_range};
use crate::rows::{Checked, Rows, Scalar, manhattan_distance, squared_distance};
use crate::select::select_with;

/// What is asked of [`cross_validate`].
///
/// # Examples
///
/// ```
/// use protodash::CrossValidation;
///
/// let mut asked = CrossValidation::default();
/// asked.n_folds = 10;
/// assert_eq!(asked.multiples.first(), Some(&0.125)); // from an eighth of the median …
/// assert_eq!(asked.multiples.last(), Some(&4.0)); // … to four times, in factors of √2
/// ```
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct CrossValidation {
    /// How many parts the rows are cut into; each is held out once.
    pub n_folds: usize,
    /// Of more rows than this, a seeded sample of as many is used, of target and source each.
    pub n_rows: usize,
    /// Seed of the sample and of the folds.
    pub seed: u64,
    /// The widths to try, as multiples of the median distance.
    pub multiples: Vec<f64>,
}

impl Default for CrossValidation {
    /// Five folds of at most 5,000 rows; eleven widths from 2⁻³ to 2² times the median distance, in factors of √2.
    fn default() -> Self {
        let multiples = (-6..=4).map(|half_steps| 2.0_f64.powf(0.5 * f64::from(half_steps))).collect();
        CrossValidation { n_folds: 5, n_rows: 5000, seed: 0, multiples }
    }
}

/// The classes of both sides, for judging a width by classification.
///
/// # Examples
///
/// ```
/// let labels = protodash::Labels { target: &[0, 1], source: &[1, 1, 0] };
/// assert_eq!(labels.source.len(), 3);
/// ```
#[derive(Debug, Clone, Copy)]
pub struct Labels<'a> {
    /// The class of each target row.
    pub target: &'a [usize],
    /// The class of each source row.
    pub source: &'a [usize],
}

/// What widths were judged by; less is better.
///
/// # Examples
///
/// ```
/// assert_ne!(protodash::Criterion::Error, protodash::Criterion::Distance);
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum Criterion {
    /// The part of held-out rows whose nearest prototype is of another class.
    Error,
    /// The mean distance of held-out rows from the nearest prototype.
    Distance,
}

/// How one width did.
///
/// # Examples
///
/// ```
/// let score = protodash::BandwidthScore { multiple: 0.5, bandwidth: 2.5, score: 0.1, standard_error: 0.01 };
/// assert_eq!(score.bandwidth / score.multiple, 5.0); // the median distance
/// ```
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct BandwidthScore {
    /// The width as a multiple of the median distance.
    pub multiple: f64,
    /// The width.
    pub bandwidth: f64,
    /// The mean of the folds' scores.
    pub score: f64,
    /// The standard deviation of the folds' scores, divided by the root of their number.
    pub standard_error: f64,
}

/// All widths that were tried, and the best of them.
///
/// # Examples
///
/// ```
/// use ndarray::Array2;
/// use protodash::{CrossValidation, Gaussian, Params, Unobserved, cross_validate};
///
/// let rows = Array2::from_shape_fn((40, 1), |(row, _)| (row as f64 * 0.7).sin());
/// let asked = CrossValidation::default();
/// let curve = cross_validate(&rows, &rows, None, &Gaussian::new, &Params::new(4), &asked, &mut Unobserved)?;
/// assert_eq!(curve.scores.len(), 11);
/// assert!(curve.scores.iter().all(|score| score.score >= curve.best().score));
/// # Ok::<(), protodash::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct BandwidthCurve {
    /// What was measured.
    pub criterion: Criterion,
    /// One entry for each width, in the order they were given.
    pub scores: Vec<BandwidthScore>,
    /// How many parts the rows were cut into.
    pub n_folds: usize,
    /// How many target rows took part.
    pub n_rows: usize,
    best: usize,
}

impl BandwidthCurve {
    /// The width with the least score; of equal ones the nearest to the median distance.
    ///
    /// # Examples
    ///
    /// ```
    /// use ndarray::array;
    /// use protodash::{CrossValidation, Gaussian, Params, Unobserved, cross_validate};
    ///
    /// let rows = array![[0.0], [0.1], [0.2], [5.0], [5.1], [5.2]];
    /// let mut asked = CrossValidation::default();
    /// (asked.multiples, asked.n_folds) = (vec![0.5, 1.0], 2);
    /// let curve = cross_validate(&rows, &rows, None, &Gaussian::new, &Params::new(2), &asked, &mut Unobserved)?;
    /// assert!(curve.best().score < 0.2);
    /// # Ok::<(), protodash::Error>(())
    /// ```
    pub fn best(&self) -> BandwidthScore {
        self.scores[self.best]
    }
}

/// The widths of a kernel, each judged by how its prototypes serve rows that were held out.
///
/// # Formula
///
/// ```text
/// score(σ) = mean over folds of the mean over held-out rows x of
///            [label of the nearest prototype ≠ label of x]     with labels
///            d(x, nearest prototype)                           without
/// ```
///
/// The target is cut into folds at random. For each fold prototypes are chosen, as `params` says, to represent the
/// other folds; from their rows if source and target are the same, and else from the whole source. Nearest means by the
/// distance that the kernel falls with: Σ|xᵢ − yᵢ| for the Laplacian kernel, ‖x − y‖ for the others. Target weights
/// count in what is represented and in the means. If a fold leaves fewer source rows than prototypes are asked for, all
/// of them may be chosen. A width with which nothing is chosen, which `min_gain` can bring about, has an infinite score.
///
/// `kernel_at` makes the kernel of a width. Costs a selection for each fold and each width, on at most
/// [`CrossValidation::n_rows`] rows. The result depends on the seed and not on the number of threads.
///
/// # Errors
///
/// As for [`select`](crate::select); also if there are no multiples or one is not a finite number above 0, if there are
/// not two folds or more folds than target rows, if there is not one label for each row, or if all rows are equal.
///
/// # Examples
///
/// ```
/// use ndarray::Array2;
/// use protodash::{CrossValidation, Criterion, Gaussian, Labels, Params, Unobserved, cross_validate};
///
/// // Two classes in turn along a line: a kernel too wide cannot tell them apart.
/// let rows = Array2::from_shape_fn((60, 1), |(row, _)| row as f64);
/// let classes: Vec<usize> = (0..60).map(|row| row / 10 % 2).collect();
/// let labels = Some(Labels { target: &classes, source: &classes });
/// let asked = CrossValidation::default();
/// let curve = cross_validate(&rows, &rows, labels, &Gaussian::new, &Params::new(8), &asked, &mut Unobserved)?;
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
    asked: &CrossValidation,
    observer: &mut dyn Observer,
) -> Result<BandwidthCurve> {
    let checked = (Checked::new(target, Role::Target)?, Checked::new(source, Role::Source)?);
    let (target_rows, source_rows) = (checked.0.rows(), checked.1.rows());
    if target_rows.n_columns() != source_rows.n_columns() {
        return Err(Error::DifferentColumns { target: target_rows.n_columns(), available: source_rows.n_columns() });
    }
    params.check(target_rows.n_rows(), source_rows.n_rows())?;
    check(asked, target_rows, source_rows, labels)?;
    let metric = Metric::of(&kernel_at(1.0)?);
    let median = median(target, source, metric, asked.seed)?;
    let folds = Folds::new(target_rows, source_rows, asked);
    let n_widths = asked.multiples.len();
    let mut watch = Watch { observer, done: 0, total: (n_widths * asked.n_folds) as u64 };
    let mut by_width: Vec<Vec<f64>> = vec![Vec::new(); n_widths];
    for fold in folds.iter() {
        for (multiple, scores) in asked.multiples.iter().zip(&mut by_width) {
            scores.push(score(&fold, &kernel_at(multiple * median)?, labels, (params, metric), &mut watch)?);
            watch.done += 1;
        }
    }
    let scores: Vec<BandwidthScore> =
        asked.multiples.iter().zip(&by_width).map(|(multiple, scores)| summarised(*multiple, median, scores)).collect();
    let criterion = if labels.is_some() { Criterion::Error } else { Criterion::Distance };
    let best = least(&scores);
    Ok(BandwidthCurve { criterion, scores, n_folds: asked.n_folds, n_rows: folds.n_target(), best })
}

fn check<T>(
    asked: &CrossValidation,
    target: Rows<'_, T>,
    source: Rows<'_, T>,
    labels: Option<Labels<'_>>,
) -> Result<()> {
    let n_rows = target.n_rows().min(asked.n_rows);
    let folds = (2..=n_rows).contains(&asked.n_folds);
    in_range("the number of folds", asked.n_folds as f64, folds, "at least 2, and no more than there are target rows")?;
    in_range("the number of bandwidths", 0.0, !asked.multiples.is_empty(), "at least 1")?;
    for &multiple in &asked.multiples {
        in_range("a multiple of the median", multiple, multiple.is_finite() && multiple > 0.0, "finite and above 0")?;
    }
    let Some(labels) = labels else { return Ok(()) };
    check_labels(labels.target, target, Role::Target)?;
    check_labels(labels.source, source, Role::Source)
}

/// The score of one width on one fold; infinite if it chooses nothing.
fn score<T: Scalar, K: Kernel<T>>(
    fold: &Fold<T>,
    kernel: &K,
    labels: Option<Labels<'_>>,
    (params, metric): (&Params, Metric),
    watch: &mut Watch<'_>,
) -> Result<f64> {
    let source = fold.source();
    let held_out_weights = fold.held_out_weights(params.target_weights.as_deref());
    let mut params = params.clone();
    params.n_prototypes = params.n_prototypes.map(|n_prototypes| n_prototypes.min(source.nrows()));
    params.target_weights = params.target_weights.as_deref().and_then(|weights| fold.kept_weights(weights));
    params.target_energy = TargetEnergy::Skip;
    let selection = select_with(&fold.target, source, kernel, &params, watch)?;
    let chosen: Vec<usize> = selection.prototypes.iter().map(|prototype| prototype.source_index).collect();
    let wrong = |labels: Labels<'_>, place: usize, nearest: usize| {
        fold.source_label(labels, nearest) != fold.held_out_label(labels, place)
    };
    let value = |place: usize, nearest: Neighbour| match labels {
        None => nearest.distance,
        Some(_) if chosen.is_empty() => f64::INFINITY,
        Some(labels) => f64::from(u8::from(wrong(labels, place, nearest.source_index))),
    };
    let nearest = nearest(&fold.held_out, source, &chosen, metric);
    let weighted = nearest.iter().zip(&held_out_weights).enumerate().filter(|(_, (_, weight))| **weight > 0.0);
    let sum: f64 = weighted.map(|(place, (nearest, weight))| weight * value(place, *nearest)).sum();
    let total: f64 = held_out_weights.iter().sum();
    Ok(if total > 0.0 { sum / total } else { 0.0 })
}

#[derive(Debug, Clone, Copy)]
struct Neighbour {
    source_index: usize,
    distance: f64,
}

/// For each row the nearest of the chosen source rows; one infinitely far away where none was chosen.
fn nearest<T: Scalar>(rows: &Array2<T>, source: &Array2<T>, chosen: &[usize], metric: Metric) -> Vec<Neighbour> {
    let distance = |x: &[T], y: &[T]| match metric {
        Metric::Euclidean => squared_distance(x, y).sqrt(),
        Metric::Manhattan => manhattan_distance(x, y),
    };
    let prototypes: Vec<Vec<T>> = chosen.iter().map(|&index| source.row(index).to_vec()).collect();
    let nearest_to = |place: usize| {
        let x = rows.row(place).to_vec();
        let mut nearest = Neighbour { source_index: 0, distance: f64::INFINITY };
        for (&source_index, prototype) in chosen.iter().zip(&prototypes) {
            let distance = distance(&x, prototype);
            if distance < nearest.distance {
                nearest = Neighbour { source_index, distance };
            }
        }
        nearest
    };
    (0..rows.nrows()).into_par_iter().map(nearest_to).collect()
}

fn summarised(multiple: f64, median: f64, scores: &[f64]) -> BandwidthScore {
    let n_folds = scores.len() as f64;
    let score = scores.iter().sum::<f64>() / n_folds;
    let variance = scores.iter().map(|fold| (fold - score).powi(2)).sum::<f64>() / (n_folds - 1.0);
    let standard_error = if score.is_finite() { (variance / n_folds).sqrt() } else { f64::INFINITY };
    BandwidthScore { multiple, bandwidth: multiple * median, score, standard_error }
}

/// The place of the least score; of equal ones that with the multiple nearest 1, by their ratio.
fn least(scores: &[BandwidthScore]) -> usize {
    let far = |place: usize| scores[place].multiple.ln().abs();
    let better = |a: usize, b: usize| {
        let (first, second) = (scores[a].score, scores[b].score);
        first < second || (first == second && far(a) < far(b))
    };
    (0..scores.len()).reduce(|best, other| if better(other, best) { other } else { best }).unwrap_or(0)
}

/// Tells of the widths and folds that are done, and passes on the wish to stop.
struct Watch<'a> {
    observer: &'a mut dyn Observer,
    done: u64,
    total: u64,
}

impl Observer for Watch<'_> {
    fn on_progress(&mut self, _: Stage, _: u64, _: u64) -> ControlFlow<()> {
        self.observer.on_progress(Stage::CrossValidation, self.done, self.total)
    }
}
