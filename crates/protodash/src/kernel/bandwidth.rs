//! The scale of a data set: the median distance of two of its rows.

use ndarray::ArrayRef2;
use rand::SeedableRng;
use rand::seq::index;
use rand_chacha::ChaCha8Rng;
use rayon::prelude::*;

use super::{Form, Kernel};
use crate::error::{Error, Result, Role};
use crate::rows::{Checked, Scalar, manhattan_distance, same_rows, squared_distance};

/// More rows than this are represented by a seeded sample of as many.
///
/// # Examples
///
/// ```
/// use ndarray::Array2;
/// use protodash::bandwidth::{MEDIAN_SAMPLE, Metric, median};
///
/// // Of more rows than that, the seed decides which are looked at.
/// let rows = Array2::from_shape_fn((2 * MEDIAN_SAMPLE, 1), |(row, _)| (row % 97) as f64);
/// let (one, two) = (median(&rows, &rows, Metric::Euclidean, 1)?, median(&rows, &rows, Metric::Euclidean, 2)?);
/// assert!((one - two).abs() <= 1.0);
/// # Ok::<(), protodash::Error>(())
/// ```
pub const MEDIAN_SAMPLE: usize = 2000;

/// What "distance" means to a kernel.
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
    /// ‖x − y‖: Gaussian, Matérn and inverse multiquadric kernels.
    Euclidean,
    /// Σ|xᵢ − yᵢ|: the Laplacian kernel.
    Manhattan,
}

impl Metric {
    /// The distance that a kernel falls with: Manhattan for the Laplacian, Euclidean for all others.
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
        if matches!(kernel.form(), Form::Laplacian { .. }) { Metric::Manhattan } else { Metric::Euclidean }
    }
}

/// The median distance of two different rows of target and source together.
///
/// Rows of a target that is the source are counted once. Of more than [`MEDIAN_SAMPLE`] rows a sample of that many is
/// drawn without replacement from `seed`. The median of an even number of distances is the lower of the middle two.
/// If more than half of all pairs are equal, which one-hot data can bring about, it is the median of the others.
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
    let (target, source) = (Checked::new(target, Role::Target)?, Checked::new(source, Role::Source)?);
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

/// ‖x − y‖, by way of the largest difference where squares would leave the range of `f64`.
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
    fn duplicates_do_not_make_the_median_zero() {
        // Four equal rows and one apart: six pairs at 0, four at 2.
        let rows = array![[1.0], [1.0], [1.0], [1.0], [3.0]];
        assert_eq!(median(&rows, &rows, Metric::Euclidean, 0), Ok(2.0));
    }

    #[test]
    fn equal_rows_have_no_scale() {
        let rows = array![[1.0], [1.0]];
        assert_eq!(median(&rows, &rows, Metric::Euclidean, 0), Err(Error::NoDistance { rows: 2 }));
    }

    #[test]
    fn distances_whose_squares_leave_the_range_are_found_all_the_same() {
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
    fn a_sample_is_reproducible_and_near_the_truth() {
        // 5,000 evenly spaced points on [0, 1]: the median distance of two is 1 − √½.
        let rows = Array2::from_shape_fn((5000, 1), |(row, _)| row as f64 / 5000.0);
        let first = median(&rows, &rows, Metric::Euclidean, 7).unwrap();
        assert_eq!(median(&rows, &rows, Metric::Euclidean, 7), Ok(first));
        assert!((first - (1.0 - 0.5_f64.sqrt())).abs() < 0.01, "{first}");
    }
}
