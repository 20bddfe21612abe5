//! Bandwidths from the data: named rules, and the median distance on which they are based.
//!
//! The best multiple of it depends on the kernel, whose definition says what `auto` is.

use std::fmt;
use std::str::FromStr;

use ndarray::ArrayRef2;
use rand::SeedableRng;
use rand::seq::index;
use rand_chacha::ChaCha8Rng;

use super::definition::{BANDWIDTH, KernelDefinition};
use super::{Distance, Kernel};
use crate::error::{Error, Result};
use crate::parallel;
use crate::rows::{CheckedPair, Scalar, manhattan_distance, same_rows, squared_distance};

/// How the bandwidth of a kernel is found.
///
/// # Examples
///
/// ```
/// use protodash::bandwidth::BandwidthRule;
///
/// assert_eq!("auto".parse(), Ok(BandwidthRule::default()));
/// assert_eq!("median".parse(), Ok(BandwidthRule::Median { multiple: 1.0 }));
/// assert_eq!("2.5".parse(), Ok(BandwidthRule::Fixed(2.5)));
/// let error = "wide".parse::<BandwidthRule>().unwrap_err();
/// assert_eq!(error.to_string(), "unknown bandwidth \"wide\"; it must be auto, median, cv or a number above 0");
/// ```
#[derive(Debug, Clone, Copy, PartialEq)]
#[non_exhaustive]
pub enum BandwidthRule {
    /// The kernel's own multiple of the median distance: [`KernelDefinition::auto_bandwidth`].
    Auto,
    /// A multiple of the median distance between two rows.
    Median {
        /// The factor.
        multiple: f64,
    },
    /// The best of several multiples of the median, by cross-validation.
    CrossValidated,
    /// A number.
    Fixed(f64),
}

impl BandwidthRule {
    /// The rules that have a name; the first is the default.
    pub const NAMED: &'static [(&'static str, BandwidthRule)] = &[
        ("auto", BandwidthRule::Auto),
        ("median", BandwidthRule::Median { multiple: 1.0 }),
        ("cv", BandwidthRule::CrossValidated),
    ];

    /// The bandwidth as a multiple of the median distance for a kernel; `None` if it is cross-validated or a number.
    ///
    /// # Examples
    ///
    /// ```
    /// use protodash::{BuiltInKernel, bandwidth::BandwidthRule};
    ///
    /// let default = BuiltInKernel::definition_of(BuiltInKernel::DEFAULT)?;
    /// assert_eq!(BandwidthRule::Auto.median_multiple(default), Some(0.25));
    /// assert_eq!(BandwidthRule::Fixed(2.0).median_multiple(default), None);
    /// # Ok::<(), protodash::Error>(())
    /// ```
    pub fn median_multiple(self, kernel: &KernelDefinition) -> Option<f64> {
        match self {
            BandwidthRule::Auto => kernel.auto_bandwidth,
            BandwidthRule::Median { multiple } => Some(multiple),
            BandwidthRule::CrossValidated | BandwidthRule::Fixed(_) => None,
        }
    }

    /// The bandwidth of a kernel for these rows; without a target the source is to be represented.
    ///
    /// The median is [`distinct_median`], in the metric of the kernel. [`CrossValidated`](Self::CrossValidated) is the median
    /// distance here, around which [`cross_validate`](crate::cross_validate) searches.
    ///
    /// # Errors
    ///
    /// As for [`median`]; but a single row, which has no distance to another, gets bandwidth 1, since any bandwidth
    /// gives it similarity 1 to itself.
    ///
    /// # Examples
    ///
    /// ```
    /// use ndarray::array;
    /// use protodash::{BuiltInKernel, bandwidth::BandwidthRule};
    ///
    /// let gaussian = BuiltInKernel::definition_of("gaussian")?;
    /// assert_eq!(BandwidthRule::Auto.resolve(None, &array![[0.0], [4.0]], gaussian, 0)?, 2.0);
    /// let third = BandwidthRule::Median { multiple: 1.0 / 3.0 };
    /// assert_eq!(third.resolve(None, &array![[0.0], [3.0]], gaussian, 0)?, 1.0);
    /// assert_eq!(third.resolve(None, &array![[7.0]], gaussian, 0)?, 1.0);
    /// # Ok::<(), protodash::Error>(())
    /// ```
    pub fn resolve<T: Scalar>(
        self,
        target: Option<&ArrayRef2<T>>,
        source: &ArrayRef2<T>,
        kernel: &KernelDefinition,
        seed: u64,
    ) -> Result<f64> {
        let metric = Metric::from(kernel.distance);
        let median = || distinct_median(target.unwrap_or(source), source, metric, seed);
        self.resolve_by(target.is_some(), kernel, median)
    }

    /// The same from the median of any kind of rows.
    pub(super) fn resolve_by(
        self,
        has_target: bool,
        kernel: &KernelDefinition,
        median: impl FnOnce() -> Result<f64>,
    ) -> Result<f64> {
        if let BandwidthRule::Fixed(bandwidth) = self {
            return Ok(bandwidth);
        }
        let multiple = self.median_multiple(kernel).unwrap_or(1.0);
        match median() {
            Err(Error::NoDistance { rows: 1 }) => Ok(1.0),
            Err(error) if !has_target => Err(error.about_source()),
            found => Ok(multiple * found?),
        }
    }

    /// The rule of this name, in upper or lower case.
    ///
    /// # Errors
    ///
    /// If there is no such rule.
    ///
    /// # Examples
    ///
    /// ```
    /// use protodash::bandwidth::BandwidthRule;
    ///
    /// assert_eq!(BandwidthRule::named("cv"), Ok(BandwidthRule::CrossValidated));
    /// assert!(BandwidthRule::named("2.5").is_err());
    /// ```
    pub fn named(name: &str) -> Result<Self> {
        let found = Self::NAMED.iter().find(|(known, _)| known.eq_ignore_ascii_case(name));
        found.map(|(_, rule)| *rule).ok_or_else(|| {
            let names: Vec<&str> = Self::NAMED.iter().map(|(name, _)| *name).collect();
            let allowed = format!("{} or a number above 0", names.join(", "));
            Error::UnknownBandwidth { given: name.to_owned(), allowed }
        })
    }
}

impl Default for BandwidthRule {
    fn default() -> Self {
        Self::NAMED[0].1
    }
}

impl FromStr for BandwidthRule {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self> {
        match text.parse() {
            Ok(value) => BANDWIDTH.check(value).map(|()| BandwidthRule::Fixed(value)),
            Err(_) => Self::named(text),
        }
    }
}

impl fmt::Display for BandwidthRule {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (Self::NAMED.iter().find(|(_, rule)| rule == self), self) {
            (Some((name, _)), _) => formatter.write_str(name),
            (None, BandwidthRule::Fixed(bandwidth)) => bandwidth.fmt(formatter),
            (None, BandwidthRule::Median { multiple }) => write!(formatter, "{multiple} times the median"),
            (None, BandwidthRule::Auto | BandwidthRule::CrossValidated) => formatter.write_str("found from the data"),
        }
    }
}

/// Number of rows above which [`median`] and [`distinct_median`] use a seeded sample of this size.
///
/// # Examples
///
/// ```
/// use ndarray::Array2;
/// use protodash::bandwidth::{MEDIAN_SAMPLE, Metric, median};
///
/// // With more rows than that, the seed decides which are sampled.
/// let rows = Array2::from_shape_fn((2 * MEDIAN_SAMPLE, 1), |(row, _)| (row % 97) as f64);
/// let (one, two) = (median(&rows, &rows, Metric::Euclidean, 1)?, median(&rows, &rows, Metric::Euclidean, 2)?);
/// assert!((one - two).abs() <= 1.0);
/// # Ok::<(), protodash::Error>(())
/// ```
pub const MEDIAN_SAMPLE: usize = 2000;

/// Metric in which a bandwidth is measured.
///
/// # Examples
///
/// ```
/// use ndarray::array;
/// use protodash::bandwidth::{Metric, median};
///
/// let rows = array![[0.0, 0.0], [3.0, 4.0]];
/// assert_eq!(median(&rows, &rows, Metric::Euclidean, 0)?, 5.0);
/// assert_eq!(median(&rows, &rows, Metric::Manhattan, 0)?, 7.0);
/// # Ok::<(), protodash::Error>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Metric {
    /// ‖x − y‖.
    Euclidean,
    /// Σ|xᵢ − yᵢ|.
    Manhattan,
}

impl Metric {
    /// The metric of a kernel: Manhattan for the Laplacian, Euclidean for all others.
    ///
    /// # Examples
    ///
    /// ```
    /// use protodash::{Laplacian, Matern32, bandwidth::Metric};
    ///
    /// assert_eq!(Metric::of::<f64, _>(&Laplacian::new(1.0)?), Metric::Manhattan);
    /// assert_eq!(Metric::of::<f64, _>(&Matern32::new(1.0)?), Metric::Euclidean);
    /// # Ok::<(), protodash::Error>(())
    /// ```
    pub fn of<T: Scalar, K: Kernel<T> + ?Sized>(kernel: &K) -> Self {
        Distance::of(kernel).into()
    }

    fn distance<T: Scalar, U: Scalar>(self, x: &[T], y: &[U]) -> f64 {
        match self {
            Metric::Euclidean => euclidean_distance(x, y),
            Metric::Manhattan => manhattan_distance(x, y),
        }
    }
}

impl From<Distance> for Metric {
    fn from(distance: Distance) -> Self {
        if distance == Distance::Manhattan { Metric::Manhattan } else { Metric::Euclidean }
    }
}

/// The median distance between two rows of target and source together.
///
/// If target and source are the same rows, they count once. If there are more than [`MEDIAN_SAMPLE`] rows, `seed` draws
/// a sample of that size without replacement. The median of an even number of distances is the lower of the middle two.
/// If more than half of all pairs are equal, as in one-hot data, it is the median of the others.
///
/// # Errors
///
/// If a matrix is empty or not finite, if their columns differ in number, or if all rows are equal.
///
/// # Examples
///
/// ```
/// use ndarray::array;
/// use protodash::bandwidth::{Metric, median};
///
/// let rows = array![[0.0], [1.0], [3.0]]; // distances 1, 3, 2
/// assert_eq!(median(&rows, &rows, Metric::Euclidean, 0)?, 2.0);
/// # Ok::<(), protodash::Error>(())
/// ```
pub fn median<T: Scalar>(target: &ArrayRef2<T>, source: &ArrayRef2<T>, metric: Metric, seed: u64) -> Result<f64> {
    on_sample((target, source), seed, |rows| {
        let mut distances = distances(rows, &distance_in(metric));
        lower_median(&mut distances).filter(|median| *median > 0.0).or_else(|| {
            distances.retain(|distance| *distance > 0.0);
            lower_median(&mut distances)
        })
    })
}

/// The median distance between two rows that differ, of target and source together.
///
/// Like [`median`], but ignores pairs of rows that are equal or differ only by rounding: in every column by at most 4 units
/// in the last place of an f64, also if the data are f32. Otherwise more and more copies of rows would make the median
/// smaller and smaller. Outliers have no such effect: as long as most rows are in the bulk of the data, the
/// median is a distance within the bulk.
///
/// # Errors
///
/// As for [`median`].
///
/// # Examples
///
/// ```
/// use ndarray::array;
/// use protodash::bandwidth::{Metric, distinct_median, median};
///
/// // Three pairs of copies; the distances of the other pairs are 9, 4, 4, 5, 9 and 4, but for one of 9.
/// let rows = array![[0.0], [0.0], [0.0], [4.0], [9.0]];
/// assert_eq!(median(&rows, &rows, Metric::Euclidean, 0)?, 4.0);
/// assert_eq!(distinct_median(&rows, &rows, Metric::Euclidean, 0)?, 5.0);
/// # Ok::<(), protodash::Error>(())
/// ```
pub fn distinct_median<T: Scalar>(
    target: &ArrayRef2<T>,
    source: &ArrayRef2<T>,
    metric: Metric,
    seed: u64,
) -> Result<f64> {
    on_sample((target, source), seed, |rows| median_of_different(rows, &distance_in(metric), are_copied_slices))
}

/// The same for rows that are not slices, of which those that come twice count twice.
pub(super) fn distinct_median_of(
    rows: &[usize],
    seed: u64,
    distance: impl Fn(usize, usize) -> f64 + Sync,
    are_copies: impl Fn(usize, usize) -> bool,
) -> Result<f64> {
    let sample: Vec<usize> = sampled(rows.len(), seed).into_iter().map(|row| rows[row]).collect();
    median_of_different(&sample, &distance, are_copies).ok_or(Error::NoDistance { rows: sample.len() })
}

fn median_of_different<R: Copy + Sync>(
    rows: &[R],
    distance: &(impl Fn(R, R) -> f64 + Sync),
    are_copies: impl Fn(R, R) -> bool,
) -> Option<f64> {
    let mut distances = distances(rows, distance);
    let mut pairs = (0..rows.len()).flat_map(|first| (first + 1..rows.len()).map(move |second| (first, second)));
    distances.retain(|_| pairs.next().is_some_and(|(first, second)| !are_copies(rows[first], rows[second])));
    lower_median(&mut distances)
}

/// Whether two rows are equal up to rounding in f64, value by value: a large value in one column says nothing about the others.
///
/// The precision is that of f64 for all data, so that the same numbers have the same median however they are stored.
pub(super) fn are_copies(mut values: impl Iterator<Item = (f64, f64)>) -> bool {
    const ROUNDING: f64 = 4.0 * f64::EPSILON;
    values.all(|(x, y)| (x - y).abs() <= ROUNDING * x.abs().max(y.abs()))
}

fn are_copied_slices<T: Scalar>(x: &[T], y: &[T]) -> bool {
    are_copies(x.iter().zip(y).map(|(x, y)| (x.to_f64(), y.to_f64())))
}

fn distance_in<T: Scalar>(metric: Metric) -> impl Fn(&[T], &[T]) -> f64 {
    move |x, y| metric.distance(x, y)
}

/// A value computed from a sample of the rows of target and source.
fn on_sample<T: Scalar>(
    (target, source): (&ArrayRef2<T>, &ArrayRef2<T>),
    seed: u64,
    find: impl Fn(&[&[T]]) -> Option<f64>,
) -> Result<f64> {
    let checked = CheckedPair::new(target, source)?;
    let (target, source) = checked.rows();
    let n_own = if same_rows(target, source) { 0 } else { target.n_rows() };
    let n_rows = source.n_rows() + n_own;
    let row = |index: usize| {
        if index < source.n_rows() { source.row(index) } else { target.row(index - source.n_rows()) }
    };
    let sample: Vec<&[T]> = sampled(n_rows, seed).into_iter().map(row).collect();
    find(&sample).ok_or(Error::NoDistance { rows: sample.len() })
}

/// The rows of a sample, or all if they are few.
fn sampled(n_rows: usize, seed: u64) -> Vec<usize> {
    if n_rows <= MEDIAN_SAMPLE {
        return (0..n_rows).collect();
    }
    index::sample(&mut ChaCha8Rng::seed_from_u64(seed), n_rows, MEDIAN_SAMPLE).into_vec()
}

/// The distances of all pairs: of the first row from all later ones, then of the second, and so on.
fn distances<R: Copy + Sync>(rows: &[R], distance: &(impl Fn(R, R) -> f64 + Sync)) -> Vec<f64> {
    let from = |first: usize| rows[first + 1..].iter().map(|second| distance(rows[first], *second)).collect();
    parallel::map(0..rows.len(), from).into_iter().flat_map(|distances: Vec<f64>| distances).collect()
}

/// ‖x − y‖, scaled by the largest difference if the squares would overflow or underflow.
fn euclidean_distance<T: Scalar, U: Scalar>(x: &[T], y: &[U]) -> f64 {
    let squared = squared_distance(x, y);
    if squared.is_normal() {
        return squared.sqrt();
    }
    let differences = || x.iter().zip(y).map(|(x, y)| (x.to_f64() - y.to_f64()).abs());
    let largest = differences().fold(0.0, f64::max);
    if largest == 0.0 || largest.is_infinite() {
        return largest;
    }
    largest * differences().map(|difference| (difference / largest).powi(2)).sum::<f64>().sqrt()
}

fn lower_median(values: &mut [f64]) -> Option<f64> {
    let middle = values.len().checked_sub(1)? / 2;
    Some(*values.select_nth_unstable_by(middle, f64::total_cmp).1)
}

#[cfg(test)]
mod tests {
    use super::*;
    use ndarray::{Array2, array};

    #[test]
    fn the_median_ignores_equal_pairs_when_they_are_the_majority() {
        // Four equal rows and one apart: six pairs at 0, four at 2.
        let rows = array![[1.0], [1.0], [1.0], [1.0], [3.0]];
        assert_eq!(median(&rows, &rows, Metric::Euclidean, 0), Ok(2.0));
    }

    #[test]
    fn copies_do_not_shrink_the_bandwidth() {
        let distinct = Array2::from_shape_fn((60, 2), |(row, column)| ((row * 37 + column * 11) % 101) as f64);
        let expected = distinct_median(&distinct, &distinct, Metric::Euclidean, 0).unwrap();
        // One row repeated many times: nearly half of all pairs are copies, and the plain median becomes much smaller.
        let copied = Array2::from_shape_fn((190, 2), |(row, column)| distinct[(row.saturating_sub(130), column)]);
        let plain = median(&copied, &copied, Metric::Euclidean, 0).unwrap();
        let found = distinct_median(&copied, &copied, Metric::Euclidean, 0).unwrap();
        assert!(plain < 0.5 * expected, "{plain} {expected}");
        assert!((found / expected - 1.0).abs() < 0.5, "{found} {expected}");
        // Rows that differ only by rounding are copies.
        let whole = copied.mapv(|value| value + 1.0);
        let jittered =
            Array2::from_shape_fn(whole.dim(), |at| if at.0 % 2 == 0 { whole[at] } else { whole[at].next_up() });
        let plain = median(&jittered, &jittered, Metric::Euclidean, 0).unwrap();
        let exact = distinct_median(&whole, &whole, Metric::Euclidean, 0).unwrap();
        let found = distinct_median(&jittered, &jittered, Metric::Euclidean, 0).unwrap();
        assert!(plain < 0.5 * exact, "{plain} {exact}");
        assert!((found / exact - 1.0).abs() < 1e-3, "{found} {exact}");
    }

    /// A pair was a copy if it was nearer than the rounding error of the whole rows, in the precision in which they were
    /// stored: with one large column, rows that differ in the others were "all equal", in f32 only.
    #[test]
    fn the_same_numbers_have_the_same_median_in_f32_and_f64() {
        let single = Array2::from_shape_fn((50, 3), |(row, column)| match column {
            0 => [1e8_f32, 1e8 + 8.0][row % 2],
            _ => ((row * 37 + column * 11) % 101) as f32 / 64.0,
        });
        let double = single.mapv(f64::from);
        for rows in [(&single, &double), (&(&single + 1e6), &(&double + 1e6).mapv(|value| f64::from(value as f32)))] {
            let found = distinct_median(rows.0, rows.0, Metric::Euclidean, 0).unwrap();
            assert_eq!(Ok(found), distinct_median(rows.1, rows.1, Metric::Euclidean, 0));
            assert_eq!(Ok(found), median(rows.1, rows.1, Metric::Euclidean, 0));
        }
    }

    #[test]
    fn outliers_do_not_change_the_bandwidth_of_the_bulk() {
        let bulk = Array2::from_shape_fn((300, 2), |(row, column)| ((row * 37 + column * 11) % 101) as f64);
        let expected = distinct_median(&bulk, &bulk, Metric::Euclidean, 0).unwrap();
        // Fifteen of 300 rows are in a tenth of the pairs, so the median is the 55 % quantile of the bulk.
        for (n_outliers, distance) in [(1, 1e10), (15, 1e6)] {
            let mut rows = bulk.clone();
            rows.rows_mut().into_iter().take(n_outliers).for_each(|mut row| row += distance);
            let found = distinct_median(&rows, &rows, Metric::Euclidean, 0).unwrap();
            assert!((found / expected - 1.0).abs() < 0.3, "{found} {expected}");
            // Standard scaling divides by a deviation that one outlier makes huge. The bulk becomes small, and so does
            // the bandwidth: it is still that of the bulk.
            let deviation = rows.std(0.0);
            let scaled = distinct_median(&(&rows / deviation), &(&rows / deviation), Metric::Euclidean, 0).unwrap();
            assert!((scaled * deviation / found - 1.0).abs() < 1e-6, "{scaled}");
        }
    }

    #[test]
    fn equal_rows_have_no_median_distance() {
        let rows = array![[1.0], [1.0]];
        assert_eq!(median(&rows, &rows, Metric::Euclidean, 0), Err(Error::NoDistance { rows: 2 }));
    }

    #[test]
    fn squares_that_overflow_or_underflow_are_handled() {
        for unit in [1e-200, 1e200] {
            let rows = array![[0.0, 0.0], [3.0, 4.0]] * unit;
            let found = median(&rows, &rows, Metric::Euclidean, 0).unwrap();
            assert!((found / unit - 5.0).abs() < 1e-12, "{found}");
        }
    }

    #[test]
    fn target_and_source_are_pooled() {
        // 0, 1 and 10: distances 1, 10, 9.
        let median = median(&array![[10.0]], &array![[0.0], [1.0]], Metric::Euclidean, 0);
        assert_eq!(median, Ok(9.0));
    }

    #[test]
    fn a_sample_is_reproducible_and_close_to_the_exact_median() {
        // 5,000 evenly spaced points on [0, 1]: the median distance of two is 1 − √½.
        let rows = Array2::from_shape_fn((5000, 1), |(row, _)| row as f64 / 5000.0);
        let first = median(&rows, &rows, Metric::Euclidean, 7).unwrap();
        assert_eq!(median(&rows, &rows, Metric::Euclidean, 7), Ok(first));
        assert!((first - (1.0 - 0.5_f64.sqrt())).abs() < 0.01, "{first}");
    }
}
