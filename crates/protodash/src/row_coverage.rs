//! What some rows cover: how many classes have one of them, how far other rows are from the nearest, and how typical they are.
//!
//! Independent of weights and of the kernel's bandwidth, so that any sets of rows can be compared, also those of other tools.

use std::collections::{HashMap, HashSet};

use ndarray::ArrayRef2;

use crate::baseline::{SourceDistances, sampled, seed_of};
use crate::classify::check_labels;
use crate::cross_validation::Labels;
use crate::error::{Error, Result, Role};
use crate::kernel::Kernel;
use crate::kernel_mean::Target;
use crate::methods::random;
use crate::observe::{Observer, Stage, check_cancelled};
use crate::parallel;
use crate::params::{check_row_weights, in_range};
use crate::prepared::normalised;
use crate::rows::{CheckedPair, Rows, Scalar, same_rows};

/// Target rows that a thread measures at a time.
const TASK: usize = 128;

/// Tasks of each thread between two calls of the observer.
const TASKS_PER_ROUND: usize = 8;

/// Parameters of [`row_coverage`] and [`random_coverage`].
///
/// # Examples
///
/// ```
/// use protodash::RowCoverageParams;
///
/// let params = RowCoverageParams::default();
/// assert_eq!((params.n_neighbours, params.n_rows, params.n_draws), (10, 1000, 5));
/// ```
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct RowCoverageParams {
    /// The neighbour whose distance is the radius of a row; the farthest one if there are fewer.
    pub n_neighbours: usize,
    /// Maximum number of target rows whose median radius is 1; if there are more, a seeded sample of this size.
    pub n_rows: usize,
    /// Number of random draws whose distances and typicality are averaged.
    pub n_draws: usize,
    /// Seed of the sample and of the draws.
    pub seed: u64,
    /// Weights of the target rows in the mean distance; rows of weight 0 do not count in the largest one either.
    pub target_weights: Option<Vec<f64>>,
}

impl Default for RowCoverageParams {
    fn default() -> Self {
        RowCoverageParams { n_neighbours: 10, n_rows: 1000, n_draws: 5, seed: 0, target_weights: None }
    }
}

impl RowCoverageParams {
    fn check<T>(&self, target: Rows<'_, T>) -> Result<()> {
        for (name, value) in [("n_neighbours", self.n_neighbours), ("n_rows", self.n_rows), ("n_draws", self.n_draws)] {
            in_range(name, value as f64, value >= 1, "at least 1")?;
        }
        let weights = self.target_weights.as_deref();
        weights.map_or(Ok(()), |weights| check_row_weights(weights, target.n_rows(), Role::Target))
    }
}

/// What some source rows cover of the target.
///
/// # Examples
///
/// ```
/// use ndarray::array;
/// use protodash::{Gaussian, Labels, RowCoverageParams, Unobserved, row_coverage};
///
/// let rows = array![[0.0], [1.0], [2.0], [10.0]];
/// let labels = Labels { target: &[0, 0, 0, 1], source: &[0, 0, 0, 1] };
/// let (kernel, params) = (Gaussian::new(1.0)?, RowCoverageParams::default());
/// let found = row_coverage((&rows, &rows), &[1], Some(labels), &kernel, &params, &mut Unobserved)?;
/// assert_eq!((found.classes_touched, found.n_classes), (Some(1.0), Some(2)));
/// assert_eq!((found.mean_distance, found.largest_distance), (Some(11.0 / 4.0), Some(9.0)));
/// # Ok::<(), protodash::Error>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq)]
#[non_exhaustive]
pub struct RowCoverage {
    /// Number of classes of the target with one of the rows; for random rows, its expectation. `None` without labels.
    pub classes_touched: Option<f64>,
    /// Number of classes of the target. `None` without labels.
    pub n_classes: Option<usize>,
    /// The mean distance of target rows from the nearest of the rows. `None` if distances are unknown or there are no rows.
    pub mean_distance: Option<f64>,
    /// The largest of these distances.
    pub largest_distance: Option<f64>,
    /// The mean radius of the rows over the median radius of target rows: below 1, they are more typical than most. `None` if
    /// distances are unknown, there are no rows, or the median is 0.
    pub typicality: Option<f64>,
}

/// What these source rows cover of the target.
///
/// # Formula
///
/// ```text
/// mean_distance = Σᵢ pᵢ minⱼ d(xᵢ, zⱼ)        largest_distance = maxᵢ minⱼ d(xᵢ, zⱼ)
/// typicality = 1/m Σⱼ r(zⱼ) / median r(xᵢ),  r(x) the distance of x from its tenth-nearest other target row
/// ```
///
/// with the m `rows` zⱼ and the target rows xᵢ of weight pᵢ. d is the distance of [`baseline`](crate::baseline()). The median
/// is that of all target rows or of a seeded sample of [`n_rows`](RowCoverageParams::n_rows) of them, whatever their weights.
///
/// Costs m·n₁ distances twice, and n₁ for each row of the sample. The result does not depend on the number of threads.
///
/// # Errors
///
/// If a matrix is empty or not finite, if a row does not exist, if there is not one label or weight for each row, if a
/// parameter is 0, or [`Error::Cancelled`] when the observer stops the run.
///
/// # Examples
///
/// See [`RowCoverage`].
pub fn row_coverage<T: Scalar>(
    (target, source): (&ArrayRef2<T>, &ArrayRef2<T>),
    rows: &[usize],
    labels: Option<Labels<'_>>,
    kernel: &dyn Kernel<T>,
    params: &RowCoverageParams,
    observer: &mut dyn Observer,
) -> Result<RowCoverage> {
    let checked = CheckedPair::new(target, source)?;
    let n_source = checked.rows().1.n_rows();
    if let Some(&source_index) = rows.iter().find(|row| **row >= n_source) {
        return Err(Error::NotThisSource { source_index, rows: n_source });
    }
    CoverageSurvey::new(checked.rows(), labels, kernel, params, observer)?.measure(rows, observer)
}

/// What `n_random` random source rows cover of the target on average.
///
/// The number of classes is its exact expectation over all subsets of that size, Σ_c 1 − C(n − n_c, m)/C(n, m) for n_c source
/// rows of class c. Distances and typicality are means over [`n_draws`](RowCoverageParams::n_draws) seeded draws, each of
/// which costs as much as [`row_coverage`].
///
/// # Errors
///
/// As for [`row_coverage`]; also [`Error::TooManyPrototypes`].
///
/// # Examples
///
/// ```
/// use ndarray::array;
/// use protodash::{Gaussian, Labels, RowCoverageParams, Unobserved, random_coverage};
///
/// let rows = array![[0.0], [1.0], [2.0], [10.0]];
/// let labels = Labels { target: &[0, 0, 0, 1], source: &[0, 0, 0, 1] };
/// let (kernel, params) = (Gaussian::new(1.0)?, RowCoverageParams::default());
/// let found = random_coverage((&rows, &rows), 2, Some(labels), &kernel, &params, &mut Unobserved)?;
/// // Class 0 is always touched, and class 1 in half of all pairs.
/// assert_eq!(found.classes_touched, Some(1.5));
/// # Ok::<(), protodash::Error>(())
/// ```
pub fn random_coverage<T: Scalar>(
    (target, source): (&ArrayRef2<T>, &ArrayRef2<T>),
    n_random: usize,
    labels: Option<Labels<'_>>,
    kernel: &dyn Kernel<T>,
    params: &RowCoverageParams,
    observer: &mut dyn Observer,
) -> Result<RowCoverage> {
    let checked = CheckedPair::new(target, source)?;
    let available = checked.rows().1.n_rows();
    if n_random > available {
        return Err(Error::TooManyPrototypes { requested: n_random, available });
    }
    CoverageSurvey::new(checked.rows(), labels, kernel, params, observer)?.measure_random(n_random, observer)
}

/// Measures what sets of source rows cover; prepared once for any number of sets.
pub(crate) struct CoverageSurvey<'a, T: Scalar> {
    target: Rows<'a, T>,
    source: Rows<'a, T>,
    is_same: bool,
    weights: Option<Vec<f64>>,
    labels: Option<Labels<'a>>,
    /// Distances from the target rows.
    distances: SourceDistances<'a, T>,
    params: &'a RowCoverageParams,
    median_radius: f64,
}

impl<'a, T: Scalar> CoverageSurvey<'a, T> {
    /// A survey of the target, with the median radius of its rows.
    pub(crate) fn new(
        (target, source): (Rows<'a, T>, Rows<'a, T>),
        labels: Option<Labels<'a>>,
        kernel: &'a dyn Kernel<T>,
        params: &'a RowCoverageParams,
        observer: &mut dyn Observer,
    ) -> Result<Self> {
        params.check(target)?;
        if let Some(labels) = labels {
            check_labels(labels.target, target, Role::Target)?;
            check_labels(labels.source, source, Role::Source)?;
        }
        let weights = params.target_weights.as_deref().map(normalised);
        let distances = SourceDistances::new(kernel, target);
        let is_same = same_rows(target, source);
        let mut survey =
            CoverageSurvey { target, source, is_same, weights, labels, distances, params, median_radius: f64::NAN };
        let sample = sampled(Target { rows: target, weights: None }, params.n_rows, params.seed);
        let sample: Vec<(&[T], Option<usize>)> = sample.iter().map(|(row, _)| (target.row(*row), Some(*row))).collect();
        let mut radii = survey.radii(&sample, observer)?;
        survey.median_radius = median(&mut radii);
        Ok(survey)
    }

    /// Number of random draws whose figures are averaged.
    pub(crate) fn n_draws(&self) -> usize {
        self.params.n_draws
    }

    /// What these source rows cover.
    pub(crate) fn measure(&self, rows: &[usize], observer: &mut dyn Observer) -> Result<RowCoverage> {
        let (mean, largest) = self.distances_to(rows, observer)?;
        let with_own = |row: &usize| (self.source.row(*row), self.is_same.then_some(*row));
        let radii = self.radii(&rows.iter().map(with_own).collect::<Vec<_>>(), observer)?;
        let typicality = radii.iter().sum::<f64>() / radii.len() as f64 / self.median_radius;
        let known = |value: f64| Some(value).filter(|value| value.is_finite());
        let touched: Option<HashSet<usize>> =
            self.labels.map(|labels| rows.iter().map(|row| labels.source[*row]).collect());
        let classes = self.classes();
        Ok(RowCoverage {
            classes_touched: touched
                .zip(classes.as_ref())
                .map(|(touched, all)| touched.intersection(all).count() as f64),
            n_classes: classes.map(|classes| classes.len()),
            mean_distance: known(mean),
            largest_distance: known(largest),
            typicality: known(typicality),
        })
    }

    /// What as many random rows cover on average.
    pub(crate) fn measure_random(&self, n_random: usize, observer: &mut dyn Observer) -> Result<RowCoverage> {
        let n_source = self.source.n_rows();
        let draws = (0..self.params.n_draws).map(|draw| {
            let order = random::order(n_source, seed_of(self.params.seed, draw));
            self.measure(&order.take(n_random).collect::<Vec<_>>(), observer)
        });
        let draws = draws.collect::<Result<Vec<RowCoverage>>>()?;
        let mean = |value: fn(&RowCoverage) -> Option<f64>| {
            let sum: Option<f64> = draws.iter().map(value).sum();
            sum.map(|sum| sum / draws.len() as f64)
        };
        Ok(RowCoverage {
            classes_touched: self.expected_classes(n_random),
            n_classes: self.classes().map(|classes| classes.len()),
            mean_distance: mean(|draw| draw.mean_distance),
            largest_distance: mean(|draw| draw.largest_distance),
            typicality: mean(|draw| draw.typicality),
        })
    }

    /// The classes of the target.
    fn classes(&self) -> Option<HashSet<usize>> {
        self.labels.map(|labels| labels.target.iter().copied().collect())
    }

    /// The expected number of classes that `n_random` random source rows touch.
    fn expected_classes(&self, n_random: usize) -> Option<f64> {
        let (labels, classes) = (self.labels?, self.classes()?);
        let mut sizes: HashMap<usize, usize> = HashMap::new();
        labels.source.iter().for_each(|label| *sizes.entry(*label).or_default() += 1);
        let mut sizes: Vec<usize> = classes.iter().filter_map(|class| sizes.get(class).copied()).collect();
        // In a fixed order, so that the sum is the same to the last bit.
        sizes.sort_unstable();
        let n = labels.source.len();
        Some(sizes.into_iter().map(|size| 1.0 - probability_of_none(n, size, n_random)).sum())
    }

    /// The mean and the largest distance of target rows from the nearest of these source rows; NaN if there are none.
    fn distances_to(&self, rows: &[usize], observer: &mut dyn Observer) -> Result<(f64, f64)> {
        if rows.is_empty() {
            return Ok((f64::NAN, f64::NAN));
        }
        let others: Vec<&[T]> = rows.iter().map(|row| self.source.row(*row)).collect();
        let n_target = self.target.n_rows();
        let (mut mean, mut largest) = (0.0, 0.0);
        let per_round = TASK * TASKS_PER_ROUND * rayon::current_num_threads();
        for start in (0..n_target).step_by(per_round) {
            check_cancelled(observer.on_progress(Stage::Coverage, start as u64, n_target as u64))?;
            let round = start..n_target.min(start + per_round);
            let found = parallel::map(0..round.len().div_ceil(TASK), |task| {
                let first = start + task * TASK;
                let measured: Vec<&[T]> = self.target.slice(first..round.end.min(first + TASK)).iter().collect();
                self.distances.nearest(&measured, &others)
            });
            for (row, distance) in round.zip(found.into_iter().flatten()) {
                let weight = self.weights.as_ref().map_or(1.0 / n_target as f64, |weights| weights[row]);
                if weight > 0.0 {
                    mean += weight * distance;
                    // NaN stays NaN.
                    largest = if distance > largest || distance.is_nan() { distance } else { largest };
                }
            }
        }
        Ok((mean, largest))
    }

    /// The distance of each row from its n-th nearest target row other than itself, given by number; NaN if there is no other.
    fn radii(&self, rows: &[(&[T], Option<usize>)], observer: &mut dyn Observer) -> Result<Vec<f64>> {
        let per_task = self.distances.rows_per_task(None);
        let per_round = per_task * rayon::current_num_threads();
        let mut radii = Vec::with_capacity(rows.len());
        for (round, measured) in rows.chunks(per_round).enumerate() {
            check_cancelled(observer.on_progress(Stage::Coverage, (round * per_round) as u64, rows.len() as u64))?;
            let found = parallel::map(0..measured.len().div_ceil(per_task), |task| {
                let task = &measured[task * per_task..measured.len().min((task + 1) * per_task)];
                let values: Vec<&[T]> = task.iter().map(|(row, _)| *row).collect();
                let distances = self.distances.to_each_of(&values);
                task.iter().zip(distances).map(|((_, own), distances)| self.radius(distances, *own)).collect::<Vec<_>>()
            });
            radii.extend(found.into_iter().flatten());
        }
        Ok(radii)
    }

    fn radius(&self, mut distances: Vec<f64>, own: Option<usize>) -> f64 {
        own.map(|own| distances.swap_remove(own));
        match self.params.n_neighbours.min(distances.len()) {
            0 => f64::NAN,
            nth => *distances.select_nth_unstable_by(nth - 1, f64::total_cmp).1,
        }
    }
}

/// The probability that none of `size` of `n` rows is among `n_drawn`: Π (n − size − i)/(n − i).
fn probability_of_none(n: usize, size: usize, n_drawn: usize) -> f64 {
    if size + n_drawn > n {
        return 0.0;
    }
    (0..n_drawn).map(|i| (n - size - i) as f64 / (n - i) as f64).product()
}

/// The median, the mean of the middle two of an even number; NaN if there are none.
fn median(values: &mut [f64]) -> f64 {
    values.sort_unstable_by(f64::total_cmp);
    let (n, middle) = (values.len(), values.len() / 2);
    match n {
        0 => f64::NAN,
        _ if n % 2 == 1 => values[middle],
        _ => 0.5 * (values[middle - 1] + values[middle]),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_probability_agrees_with_all_subsets() {
        for (n, size) in [(6, 1), (6, 3), (7, 6)] {
            for n_drawn in 0..=n {
                let subsets = || (0_u32..1 << n).filter(|subset| subset.count_ones() as usize == n_drawn);
                let none = subsets().filter(|subset| subset & ((1 << size) - 1) == 0).count();
                let expected = none as f64 / subsets().count() as f64;
                assert!((probability_of_none(n, size, n_drawn) - expected).abs() < 1e-15, "{n} {size} {n_drawn}");
            }
        }
    }

    #[test]
    fn the_median_of_an_even_number_is_between_the_middle_two() {
        assert_eq!((median(&mut [5.0, 1.0, 3.0]), median(&mut [4.0, 1.0, 2.0, 9.0])), (3.0, 3.0));
        assert!(median(&mut []).is_nan());
    }
}
