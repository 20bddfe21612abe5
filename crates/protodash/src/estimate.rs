//! Estimates from a few weighted rows: the mean of a value over all rows, such as a model's score on a benchmark.

use crate::error::{Error, Result, Role};
use crate::params::{check_length, check_row_weights, in_range};
use crate::prepared::normalised;
use crate::selection::Prototype;

/// A value for some or all rows, such as whether a model answers an item correctly.
///
/// # Examples
///
/// ```
/// use protodash::RowValues;
///
/// let RowValues::All(values) = RowValues::All(&[1.0, 0.0]) else { panic!("all rows") };
/// assert_eq!(values.len(), 2);
/// ```
#[derive(Debug, Clone, Copy, PartialEq)]
#[non_exhaustive]
pub enum RowValues<'a> {
    /// Of the prototypes, in their order; the mean over all rows is unknown.
    Prototypes(&'a [f64]),
    /// Of all rows, which are both source and target.
    All(&'a [f64]),
    /// Of a source and a target that differ.
    Separate {
        /// One for each source row.
        source: &'a [f64],
        /// One for each target row.
        target: &'a [f64],
    },
}

/// The mean of a value over the target, estimated from the prototypes.
///
/// # Examples
///
/// See [`estimate`].
#[derive(Debug, Clone, Copy, PartialEq)]
#[non_exhaustive]
pub struct WeightedEstimate {
    /// The weighted mean over the prototypes.
    pub estimate: f64,
    /// The mean over the target, by its weights if given; `None` if its values are unknown.
    pub mean: Option<f64>,
    /// The estimate minus the mean.
    pub error: Option<f64>,
    /// The standard error of the plain mean of as many random target rows, drawn without replacement. `None` if the target's
    /// values are unknown or its rows have different weights.
    pub random_standard_error: Option<f64>,
}

/// The mean of a value over the target, estimated from weighted prototypes.
///
/// # Formula
///
/// ```text
/// estimate = Σⱼ wⱼ vⱼ / Σⱼ wⱼ        random_standard_error = s √((1 − m/n) / m)
/// ```
///
/// with the values vⱼ of the prototypes and their weights wⱼ, the standard deviation s of the values of all n target rows (with
/// the divisor n − 1), and the m prototypes of positive weight. The second is exact, not an estimate: a mean of m random rows is
/// off by that much on average. The estimate is good as far as the value follows the features that the rows were chosen by.
///
/// # Errors
///
/// If there is not one value for each row or prototype, if a value is not finite, if no prototype has a positive weight, if a
/// prototype is not a row of the source, or if the target weights are not valid.
///
/// # Examples
///
/// ```
/// use ndarray::array;
/// use protodash::{Gaussian, Params, RowValues, estimate, select};
///
/// // Three easy items and one hard one, by their features.
/// let items = array![[0.0], [0.1], [0.2], [5.0]];
/// let selection = select(&items, &items, &Gaussian::new(1.0)?, &Params::new(2))?;
/// let correct = [1.0, 1.0, 1.0, 0.0];
/// let found = estimate(&selection.prototypes, RowValues::All(&correct), None)?;
/// assert!(found.error.unwrap().abs() < 0.01); // the easy one has three quarters of the weight
/// assert_eq!(found.mean, Some(0.75));
/// assert_eq!(found.random_standard_error, Some(0.25)); // s = 1/2, m/n = 1/2
/// # Ok::<(), protodash::Error>(())
/// ```
pub fn estimate(
    prototypes: &[Prototype],
    values: RowValues<'_>,
    target_weights: Option<&[f64]>,
) -> Result<WeightedEstimate> {
    let (own, target) = match values {
        RowValues::Prototypes(values) => {
            check_length("the list of values", values.len(), prototypes.len())?;
            (values.to_vec(), None)
        }
        RowValues::All(values) => (of_prototypes(prototypes, values)?, Some(values)),
        RowValues::Separate { source, target } => (of_prototypes(prototypes, source)?, Some(target)),
    };
    own.iter().chain(target.into_iter().flatten()).try_for_each(check_value)?;
    let total: f64 = prototypes.iter().map(|prototype| prototype.weight).sum();
    if total.is_nan() || total <= 0.0 {
        return Err(Error::NoWeight { role: Role::Source });
    }
    let estimate = prototypes.iter().zip(&own).map(|(prototype, value)| prototype.weight / total * value).sum::<f64>();
    let n_weighted = prototypes.iter().filter(|prototype| prototype.weight > 0.0).count();
    let mean = match (target, target_weights) {
        (None, _) => None,
        (Some(values), None) => Some(mean(values)),
        (Some(values), Some(weights)) => {
            check_row_weights(weights, values.len(), Role::Target)?;
            Some(values.iter().zip(normalised(weights)).map(|(value, weight)| weight * value).sum())
        }
    };
    let has_equal_weights = target_weights.is_none_or(|weights| weights.windows(2).all(|pair| pair[0] == pair[1]));
    let random_standard_error = target.filter(|_| has_equal_weights).map(|values| standard_error(values, n_weighted));
    Ok(WeightedEstimate { estimate, mean, error: mean.map(|mean| estimate - mean), random_standard_error })
}

/// The values of the prototypes among those of all source rows.
fn of_prototypes(prototypes: &[Prototype], values: &[f64]) -> Result<Vec<f64>> {
    let value = |prototype: &Prototype| {
        let source_index = prototype.source_index;
        values.get(source_index).copied().ok_or(Error::NotThisSource { source_index, rows: values.len() })
    };
    prototypes.iter().map(value).collect()
}

fn check_value(value: &f64) -> Result<()> {
    in_range("a value", *value, value.is_finite(), "a finite number")
}

fn mean(values: &[f64]) -> f64 {
    values.iter().map(|value| value / values.len() as f64).sum()
}

/// The standard error of the mean of `n_drawn` of these values, drawn without replacement; 0 if that is all of them.
fn standard_error(values: &[f64], n_drawn: usize) -> f64 {
    let n = values.len();
    if n_drawn >= n {
        return 0.0;
    }
    let mean = mean(values);
    let variance = values.iter().map(|value| (value - mean).powi(2)).sum::<f64>() / (n - 1) as f64;
    let left = (n - n_drawn) as f64 / n as f64;
    (variance * left / n_drawn as f64).sqrt()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn prototype(source_index: usize, weight: f64) -> Prototype {
        Prototype { source_index, weight, share: 0.0, gain: 0.0 }
    }

    #[test]
    fn the_standard_error_is_the_spread_of_the_means_of_all_subsets() {
        let values = [0.3, 1.0, -2.0, 0.25, 0.0, 7.5, 1.0];
        for n_drawn in 1..=7 {
            let subsets = (0_u32..1 << 7).filter(|subset| subset.count_ones() == n_drawn);
            let of = |subset: u32| (0..7).filter(|row| subset >> row & 1 == 1).map(|row| values[row]).sum::<f64>();
            let means: Vec<f64> = subsets.map(|subset| of(subset) / f64::from(n_drawn)).collect();
            let spread = means.iter().map(|one| (one - mean(&values)).powi(2)).sum::<f64>() / means.len() as f64;
            assert!((standard_error(&values, n_drawn as usize) - spread.sqrt()).abs() < 1e-12, "{n_drawn}");
        }
    }

    #[test]
    fn weights_are_normalised_and_rows_of_weight_0_do_not_count() {
        let prototypes = [prototype(2, 3.0), prototype(0, 1.0), prototype(1, 0.0)];
        let found = estimate(&prototypes, RowValues::All(&[4.0, 100.0, 8.0, 0.0]), None).unwrap();
        assert_eq!((found.estimate, found.mean, found.error), (7.0, Some(28.0), Some(-21.0)));
        assert_eq!(found.random_standard_error, Some(standard_error(&[4.0, 100.0, 8.0, 0.0], 2)));
        let alone = estimate(&prototypes, RowValues::Prototypes(&[8.0, 4.0, 100.0]), None).unwrap();
        assert_eq!((alone.estimate, alone.mean, alone.random_standard_error), (7.0, None, None));
        let apart = RowValues::Separate { source: &[4.0, 100.0, 8.0], target: &[5.0, 9.0] };
        let weighted = estimate(&prototypes, apart, Some(&[1.0, 3.0])).unwrap();
        assert_eq!((weighted.mean, weighted.random_standard_error), (Some(8.0), None));
        assert_eq!(estimate(&prototypes, apart, Some(&[2.0, 2.0])).unwrap().random_standard_error, Some(0.0));
    }

    #[test]
    fn bad_calls_are_errors() {
        let prototypes = [prototype(2, 3.0), prototype(0, 1.0)];
        let refused = |prototypes: &[Prototype], values| estimate(prototypes, values, None).unwrap_err().to_string();
        for (message, expected) in [
            (refused(&prototypes, RowValues::Prototypes(&[1.0])), "the list of values has 1 values; it must have 2"),
            (refused(&prototypes, RowValues::All(&[1.0, f64::NAN, 0.0])), "a value is NaN; it must be a finite number"),
            (
                refused(&[prototype(0, 0.0)], RowValues::All(&[1.0])),
                "all source weights are 0; at least one must be positive",
            ),
            (refused(&[], RowValues::All(&[1.0])), "all source weights are 0; at least one must be positive"),
        ] {
            assert_eq!(message, expected);
        }
        assert!(refused(&prototypes, RowValues::All(&[1.0, 2.0])).contains("2"));
        let all = RowValues::All(&[1.0, 2.0, 3.0]);
        assert!(matches!(estimate(&prototypes, all, Some(&[1.0])), Err(Error::WrongNumberOfWeights { .. })));
    }
}
