//! The effect of weighting a source to resemble a target: effective sample size, and feature means before and after.
//! It reads a finished selection and does not choose rows.
//!
//! Kernel mean matching over the whole source is [`select`](crate::select) with
//! [`Params::until_optimal`](crate::Params::until_optimal): when no further row can raise the objective, the weights
//! are optimal among all w ≥ 0 (or all with Σw = 1) over *all* rows, with weight 0 for rows that are not chosen.

use ndarray::ArrayRef2;

use crate::error::{Error, Result, Role};
use crate::kernel::SparseMatrix;
use crate::params::check_row_weights;
use crate::prepared::normalised;
use crate::rows::{CheckedMatrix, Rows, Scalar};
use crate::selection::Prototype;

/// The effect of weights on a source.
///
/// # Examples
///
/// ```
/// use ndarray::array;
/// use protodash::{Gaussian, Params, covariate_shift, select};
///
/// let source = array![[0.0], [1.0], [2.0], [3.0]]; // evenly spread
/// let target = array![[2.0], [3.0], [3.0], [3.0]]; // mostly 3
/// let selection = select(&target, &source, &Gaussian::new(0.5)?, &Params::until_optimal())?;
/// let shift = covariate_shift(&target, &source, &selection.prototypes, None)?;
/// let feature = shift.features[0];
/// assert_eq!((feature.source.mean, feature.target.mean), (1.5, 2.75));
/// assert!((feature.weighted.mean - 2.75).abs() < 0.1);
/// assert!(shift.effective_sample_size < 2.0); // of 4 rows
/// # Ok::<(), protodash::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct CovariateShift {
    /// (Σw)²/Σw², the number of equally weighted rows that estimate a mean as well; 0 if no row has a weight.
    pub effective_sample_size: f64,
    /// One entry for each column.
    pub features: Vec<FeatureShift>,
    /// A weight for each source row; 0 for those not chosen.
    pub weights: Vec<f64>,
}

/// A feature in the source, in the weighted source and in the target.
///
/// # Examples
///
/// ```
/// use protodash::covariate_shift::{FeatureShift, Moments};
///
/// let moments = |mean| Moments { mean, standard_deviation: 2.0 };
/// let shift = FeatureShift { source: moments(1.0), weighted: moments(4.5), target: moments(5.0) };
/// assert_eq!(shift.difference_before(), -2.0); // in standard deviations of the target
/// assert_eq!(shift.difference_after(), -0.25);
/// ```
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct FeatureShift {
    /// In the source.
    pub source: Moments,
    /// In the weighted source.
    pub weighted: Moments,
    /// In the target.
    pub target: Moments,
}

impl FeatureShift {
    /// Difference between the means of source and target, in standard deviations of the target.
    ///
    /// If the target is constant, in standard deviations of the source; if both are, without a unit.
    ///
    /// # Examples
    ///
    /// ```
    /// use protodash::covariate_shift::{FeatureShift, Moments};
    ///
    /// let constant = Moments { mean: 3.0, standard_deviation: 0.0 };
    /// assert_eq!(FeatureShift { source: constant, weighted: constant, target: constant }.difference_before(), 0.0);
    /// ```
    pub fn difference_before(&self) -> f64 {
        self.difference(self.source.mean)
    }

    /// Difference between the means of weighted source and target, in the same unit.
    ///
    /// # Examples
    ///
    /// ```
    /// use protodash::covariate_shift::{FeatureShift, Moments};
    ///
    /// let moments = |mean| Moments { mean, standard_deviation: 1.0 };
    /// let shift = FeatureShift { source: moments(0.0), weighted: moments(2.0), target: moments(1.5) };
    /// assert_eq!(shift.difference_after(), 0.5);
    /// ```
    pub fn difference_after(&self) -> f64 {
        self.difference(self.weighted.mean)
    }

    fn difference(&self, mean: f64) -> f64 {
        let difference = mean - self.target.mean;
        let scales = [self.target.standard_deviation, self.source.standard_deviation];
        match scales.into_iter().find(|scale| *scale > 0.0) {
            Some(scale) => difference / scale,
            None => difference,
        }
    }
}

/// Mean and standard deviation of a feature.
///
/// # Examples
///
/// ```
/// let moments = protodash::covariate_shift::Moments { mean: 1.0, standard_deviation: 0.5 };
/// assert_eq!(moments.mean, 1.0);
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Moments {
    /// Σ pᵢ xᵢ, with weights pᵢ that sum to 1.
    pub mean: f64,
    /// √(Σ pᵢ (xᵢ − mean)²), the population standard deviation.
    pub standard_deviation: f64,
}

/// The effect of the prototypes' weights on the source.
///
/// # Formula
///
/// ```text
/// effective sample size = (Σw)² / Σw²        weighted mean = Σ wⱼ yⱼ / Σw
/// ```
///
/// Weights are divided by their sum for the means. Costs O((n₁ + n₂) d).
///
/// # Errors
///
/// If a matrix is empty or not finite, if their numbers of columns differ, if a prototype is not a row of the source, or
/// if there is not one finite target weight of at least 0 for each target row, one of them positive.
///
/// # Examples
///
/// ```
/// use ndarray::array;
/// use protodash::{Prototype, covariate_shift};
///
/// let (target, source) = (array![[2.0]], array![[1.0], [3.0], [8.0]]);
/// let prototype = |source_index| Prototype { source_index, weight: 0.25, share: 0.5, gain: 0.0 };
/// let shift = covariate_shift(&target, &source, &[prototype(1), prototype(0)], None)?;
/// assert_eq!(shift.weights, [0.25, 0.25, 0.0]);
/// assert_eq!(shift.effective_sample_size, 2.0);
/// assert_eq!((shift.features[0].source.mean, shift.features[0].weighted.mean), (4.0, 2.0));
/// # Ok::<(), protodash::Error>(())
/// ```
pub fn covariate_shift<T: Scalar>(
    target: &ArrayRef2<T>,
    source: &ArrayRef2<T>,
    prototypes: &[Prototype],
    target_weights: Option<&[f64]>,
) -> Result<CovariateShift> {
    let (target, source) = (CheckedMatrix::new(target, Role::Target)?, CheckedMatrix::new(source, Role::Source)?);
    let (target, source) = (target.rows(), source.rows());
    if target.n_columns() != source.n_columns() {
        return Err(Error::DifferentColumns { target: target.n_columns(), available: source.n_columns() });
    }
    target_weights.map_or(Ok(()), |weights| check_row_weights(weights, target.n_rows(), Role::Target))?;
    let weights = source_weights(source.n_rows(), prototypes)?;
    let [of_source, weighted] = [None, Some(&weights[..])].map(|weights| moments(source, weights));
    Ok(shift_of(moments(target, target_weights), of_source, weighted, weights))
}

/// The same of sparse rows, whose columns must have been compared.
pub(crate) fn sparse_covariate_shift(
    target: &SparseMatrix,
    source: &SparseMatrix,
    prototypes: &[Prototype],
    target_weights: Option<&[f64]>,
) -> Result<CovariateShift> {
    target_weights.map_or(Ok(()), |weights| check_row_weights(weights, target.n_rows(), Role::Target))?;
    let weights = source_weights(source.n_rows(), prototypes)?;
    let [of_source, weighted] = [None, Some(&weights[..])].map(|weights| sparse_moments(source, weights));
    Ok(shift_of(sparse_moments(target, target_weights), of_source, weighted, weights))
}

/// The weight of each source row.
fn source_weights(n_source: usize, prototypes: &[Prototype]) -> Result<Vec<f64>> {
    let mut weights = vec![0.0; n_source];
    for &Prototype { source_index, weight, .. } in prototypes {
        let Some(sum) = weights.get_mut(source_index) else {
            return Err(Error::NotThisSource { source_index, rows: n_source });
        };
        *sum += weight;
    }
    Ok(weights)
}

fn shift_of(target: Vec<Moments>, source: Vec<Moments>, weighted: Vec<Moments>, weights: Vec<f64>) -> CovariateShift {
    let features = weighted.into_iter().zip(source).zip(target);
    let features = features.map(|((weighted, source), target)| FeatureShift { source, weighted, target }).collect();
    CovariateShift { effective_sample_size: effective_sample_size(&weights), features, weights }
}

fn effective_sample_size(weights: &[f64]) -> f64 {
    let (sum, squares) = (weights.iter().sum::<f64>(), weights.iter().map(|weight| weight * weight).sum::<f64>());
    if squares > 0.0 { sum * sum / squares } else { 0.0 }
}

/// The moments of each column; all 0 if no row has a weight.
fn moments<T: Scalar>(rows: Rows<'_, T>, weights: Option<&[f64]>) -> Vec<Moments> {
    let shares = match weights {
        Some(weights) if weights.iter().all(|weight| *weight == 0.0) => {
            return vec![Moments::default(); rows.n_columns()];
        }
        Some(weights) => normalised(weights),
        None => vec![1.0; rows.n_rows()],
    };
    // Dividing once at the end keeps means of whole numbers exact.
    let total = if weights.is_some() { 1.0 } else { rows.n_rows() as f64 };
    let averaged = |term: &dyn Fn(usize, f64) -> f64| {
        let mut sums = vec![0.0; rows.n_columns()];
        for (row, share) in rows.iter().zip(&shares).filter(|(_, share)| **share > 0.0) {
            for (column, (sum, value)) in sums.iter_mut().zip(row).enumerate() {
                *sum += share * term(column, value.to_f64());
            }
        }
        sums.iter_mut().for_each(|sum| *sum /= total);
        sums
    };
    let means = averaged(&|_, value| value);
    let variances = averaged(&|column, value| (value - means[column]) * (value - means[column]));
    let moments = means.iter().zip(&variances).enumerate().map(|(column, (&mean, variance))| {
        let mut values = rows.iter().zip(&shares).filter(|(_, share)| **share > 0.0).map(|(row, _)| row[column]);
        match values.next() {
            // The rounding error of the mean is not a deviation.
            Some(first) if values.all(|value| value == first) => {
                Moments { mean: first.to_f64(), standard_deviation: 0.0 }
            }
            _ => Moments { mean, standard_deviation: variance.sqrt() },
        }
    });
    moments.collect()
}

impl SparseMatrix {
    /// The mean and the standard deviation of each column, its zeros included.
    ///
    /// # Examples
    ///
    /// ```
    /// let rows = protodash::SparseMatrix::new(3, vec![0, 1, 1], vec![2], vec![4.0])?;
    /// let moments = rows.moments()[2];
    /// assert_eq!((moments.mean, moments.standard_deviation), (2.0, 2.0));
    /// # Ok::<(), protodash::Error>(())
    /// ```
    pub fn moments(&self) -> Vec<Moments> {
        sparse_moments(self, None)
    }
}

/// The moments of each column of a sparse matrix.
fn sparse_moments(matrix: &SparseMatrix, weights: Option<&[f64]>) -> Vec<Moments> {
    let n_columns = matrix.n_columns();
    let shares = match weights {
        Some(weights) if weights.iter().all(|weight| *weight == 0.0) => return vec![Moments::default(); n_columns],
        Some(weights) => normalised(weights),
        None => vec![1.0; matrix.n_rows()],
    };
    // Dividing once at the end keeps means of whole numbers exact.
    let total = if weights.is_some() { 1.0 } else { matrix.n_rows() as f64 };
    // Of each column: Σ share · value and Σ share of the rows that store one, and the range of all values.
    let mut columns = vec![StoredColumn::default(); n_columns];
    let n_counted = shares.iter().filter(|share| **share > 0.0).count();
    let for_each_stored = |visit: &mut dyn FnMut(usize, f64, f64)| {
        for (row, &share) in shares.iter().enumerate().filter(|(_, share)| **share > 0.0) {
            let stored = matrix.row(row);
            stored.columns.iter().zip(stored.values).for_each(|(column, value)| visit(*column as usize, share, *value));
        }
    };
    for_each_stored(&mut |column, share, value| columns[column].add(share, value));
    let means: Vec<f64> = columns.iter().map(|column| column.sum / total).collect();
    let mut variances = vec![0.0; n_columns];
    for_each_stored(&mut |column, share, value| variances[column] += share * (value - means[column]).powi(2));
    let moments = columns.iter().zip(&means).zip(&variances).map(|((column, &mean), variance)| {
        let zeros = (total - column.share).max(0.0) * mean * mean;
        let is_constant = column.n_rows == 0 || (column.n_rows == n_counted && column.least == column.largest);
        if is_constant {
            return Moments { mean: column.largest, standard_deviation: 0.0 };
        }
        Moments { mean, standard_deviation: ((variance + zeros) / total).sqrt() }
    });
    moments.collect()
}

/// Sums over the stored values of a column.
#[derive(Debug, Clone, Copy, Default)]
struct StoredColumn {
    n_rows: usize,
    sum: f64,
    share: f64,
    least: f64,
    largest: f64,
}

impl StoredColumn {
    fn add(&mut self, share: f64, value: f64) {
        let is_first = self.n_rows == 0;
        self.least = if is_first { value } else { self.least.min(value) };
        self.largest = if is_first { value } else { self.largest.max(value) };
        self.n_rows += 1;
        self.sum += share * value;
        self.share += share;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use ndarray::array;

    #[test]
    fn moments_are_those_of_the_weighted_rows() {
        let values = [1.0, 10.0, 3.0, 10.0, 5.0, 10.0];
        let rows = Rows::new(&values, 2);
        // 1, 3, 5: mean 3, variance (4 + 0 + 4)/3
        let plain = moments(rows, None);
        assert_eq!(plain[0], Moments { mean: 3.0, standard_deviation: (8.0_f64 / 3.0).sqrt() });
        assert_eq!(plain[1], Moments { mean: 10.0, standard_deviation: 0.0 });
        // 1 and 5 with 3 to 1: mean 2, variance (3·1 + 1·9)/4 = 3
        let weighted = moments(rows, Some(&[6.0, 0.0, 2.0]));
        assert_eq!(weighted[0], Moments { mean: 2.0, standard_deviation: 3.0_f64.sqrt() });
    }

    #[test]
    fn a_constant_feature_does_not_deviate_by_rounding() {
        let values = [0.1; 7];
        assert_eq!(moments(Rows::new(&values, 1), None)[0], Moments { mean: 0.1, standard_deviation: 0.0 });
        // 0.1 away from a constant target is one standard deviation of the source.
        let shift = covariate_shift(&array![[0.1], [0.1], [0.1]], &array![[0.1], [0.3]], &[], None).unwrap();
        assert!((shift.features[0].difference_before() - 1.0).abs() < 1e-12, "{shift:?}");
    }

    #[test]
    fn without_weights_the_effective_sample_size_is_zero() {
        let shift = covariate_shift(&array![[1.0]], &array![[2.0]], &[], None).unwrap();
        assert_eq!((shift.effective_sample_size, shift.features[0].weighted), (0.0, Moments::default()));
    }

    #[test]
    fn the_effective_sample_size_is_n_for_equal_weights_and_1_for_one_large_weight() {
        assert_eq!(effective_sample_size(&[0.5; 8]), 8.0);
        assert!((effective_sample_size(&[1e9, 1.0, 1.0]) - 1.0).abs() < 1e-8);
    }

    #[test]
    fn target_weights_are_used() {
        let (target, source) = (array![[0.0], [4.0]], array![[1.0]]);
        let shift = covariate_shift(&target, &source, &[], Some(&[1.0, 3.0])).unwrap();
        assert_eq!(shift.features[0].target.mean, 3.0);
        let error = covariate_shift(&target, &source, &[], Some(&[1.0])).unwrap_err();
        assert_eq!(error.to_string(), "there is 1 target weight for 2 target rows; there must be one for each");
    }
}
