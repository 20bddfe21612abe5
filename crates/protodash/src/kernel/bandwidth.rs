//! Bandwidths from the data: rules by name, and the median distance that they start from.

use std::fmt;
use std::str::FromStr;

use ndarray::ArrayRef2;
use rand::SeedableRng;
use rand::seq::index;
use rand_chacha::ChaCha8Rng;
use rayon::prelude::*;

use super::definition::BANDWIDTH;
use super::{Distance, Kernel};
use crate::error::{Error, Result, Role};
use crate::rows::{CheckedMatrix, Scalar, manhattan_distance, same_rows, squared_distance};

/// How the bandwidth of a kernel is found.
///
/// # Examples
///
/// ```
/// use protodash::bandwidth::BandwidthRule;
///
/// assert_eq!("median".parse(), Ok(BandwidthRule::default()));
/// assert_eq!("2.5".parse(), Ok(BandwidthRule::Fixed(2.5)));
/// let error = "wide".parse::<BandwidthRule>().unwrap_err();
/// assert_eq!(error.to_string(), "unknown bandwidth \"wide\"; it must be median, cv or a number above 0");
/// ```
#[derive(Debug, Clone, Copy, PartialEq)]
#[non_exhaustive]
pub enum BandwidthRule {
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
    pub const NAMED: &'static [(&'static str, BandwidthRule)] =
        &[("median", BandwidthRule::Median { multiple: 1.0 }), ("cv", BandwidthRule::CrossValidated)];

    /// The bandwidth for these rows; without a target the source is to be represented.
    ///
    /// [`CrossValidated`](Self::CrossValidated) is the median distance here, around which
    /// [`cross_validate`](crate::cross_validate) searches.
    ///
    /// # Errors
    ///
    /// As for [`median`]; but a single row, which has no distance to another, gets the bandwidth 1, since any gives it the
    /// same similarity of 1 to itself.
    ///
    /// # Examples
    ///
    /// ```
    /// use ndarray::array;
    /// use protodash::bandwidth::{BandwidthRule, Metric};
    ///
    /// let half = BandwidthRule::Median { multiple: 0.5 };
    /// assert_eq!(half.resolve(None, &array![[0.0], [4.0]], Metric::Euclidean, 0)?, 2.0);
    /// assert_eq!(half.resolve(None, &array![[7.0]], Metric::Euclidean, 0)?, 1.0);
    /// # Ok::<(), protodash::Error>(())
    /// ```
    pub fn resolve<T: Scalar>(
        self,
        target: Option<&ArrayRef2<T>>,
        source: &ArrayRef2<T>,
        metric: Metric,
        seed: u64,
    ) -> Result<f64> {
        let multiple = match self {
            BandwidthRule::Fixed(bandwidth) => return Ok(bandwidth),
            BandwidthRule::Median { multiple } => multiple,
            BandwidthRule::CrossValidated => 1.0,
        };
        match (median(target.unwrap_or(source), source, metric, seed), target) {
            (Err(Error::NoDistance { rows: 1 }), _) => Ok(1.0),
            (Err(error), None) => Err(error.about_source()),
            (found, _) => Ok(multiple * found?),
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
            (None, BandwidthRule::CrossValidated) => formatter.write_str("cross-validated"),
        }
    }
}

/// Number of rows above which [`median`] uses a seeded sample of this size.
///
/// # Examples
///
/// ```
/// use ndarray::Array2;
/// use protodash::bandwidth::{MEDIAN_SAMPLE, Metric, median};
///
/// // Of more rows than that, the seed decides which are sampled.
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
    /// The metric that a kernel falls with: Manhattan for the Laplacian, Euclidean for all others.
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
}

impl From<Distance> for Metric {
    fn from(distance: Distance) -> Self {
        if distance == Distance::Manhattan { Metric::Manhattan } else { Metric::Euclidean }
    }
}

/// The median distance between two rows of target and source together.
///
/// If target and source are the same rows, they count once. Of more than [`MEDIAN_SAMPLE`] rows, `seed` draws a sample
/// of that many without replacement. The median of an even number of distances is the lower of the middle two. If more
/// than half of all pairs are equal, as in one-hot data, it is the median of the others.
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
    let (target, source) = (CheckedMatrix::new(target, Role::Target)?, CheckedMatrix::new(source, Role::Source)?);
    let (target, source) = (target.rows(), source.rows());
    if target.n_columns() != source.n_columns() {
        return Err(Error::DifferentColumns { target: target.n_columns(), available: source.n_columns() });
    }
    let n_own = if same_rows(target, source) { 0 } else { target.n_rows() };
    let n_rows = source.n_rows() + n_own;
    let row = |index: usize| {
        if index < source.n_rows() { source.row(index) } else { target.row(index - source.n_rows()) }
    };
    let sample: Vec<&[T]> = if n_rows <= MEDIAN_SAMPLE {
        (0..n_rows).map(row).collect()
    } else {
        index::sample(&mut ChaCha8Rng::seed_from_u64(seed), n_rows, MEDIAN_SAMPLE).into_iter().map(row).collect()
    };
    median_of_pairs(&sample, metric).ok_or(Error::NoDistance { rows: sample.len() })
}

fn median_of_pairs<T: Scalar>(rows: &[&[T]], metric: Metric) -> Option<f64> {
    let distance = |x: &[T], y: &[T]| match metric {
        Metric::Euclidean => euclidean_distance(x, y),
        Metric::Manhattan => manhattan_distance(x, y),
    };
    let mut distances: Vec<f64> = (0..rows.len())
        .into_par_iter()
        .flat_map_iter(|first| rows[first + 1..].iter().map(move |second| distance(rows[first], second)))
        .collect();
    lower_median(&mut distances).filter(|median| *median > 0.0).or_else(|| {
        distances.retain(|distance| *distance > 0.0);
        lower_median(&mut distances)
    })
}

/// ‖x − y‖, scaled by the largest difference where the squares would overflow or underflow.
fn euclidean_distance<T: Scalar>(x: &[T], y: &[T]) -> f64 {
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
    fn equal_rows_have_no_median_distance() {
        let rows = array![[1.0], [1.0]];
        assert_eq!(median(&rows, &rows, Metric::Euclidean, 0), Err(Error::NoDistance { rows: 2 }));
    }

    #[test]
    fn squares_that_overflow_or_underflow_do_no_harm() {
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
