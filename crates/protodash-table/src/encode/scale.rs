//! Summary statistics of numeric columns, and scaling by them.

use std::sync::Arc;

use super::exact_sum::ExactMoments;
use super::integers::IntegerCensus;
use super::levels::{LevelCounts, TableRole};
use super::matrix::ColumnScale;
use super::ranks::{RankScale, quantile};
use super::roles::{MissingRule, Scaling};

/// Count, mean, deviation and range of numbers, updated batch by batch.
///
/// Sums are exact, so that batches, parts of a table and the order of rows change no bit of mean and deviation.
#[derive(Clone, Debug)]
pub(super) struct ColumnMoments {
    pub(super) n: u64,
    pub(super) n_missing: u64,
    pub(super) min: f64,
    pub(super) max: f64,
    sums: ExactMoments,
}

impl Default for ColumnMoments {
    fn default() -> ColumnMoments {
        let (min, max) = (f64::INFINITY, f64::NEG_INFINITY);
        ColumnMoments { n: 0, n_missing: 0, min, max, sums: ExactMoments::default() }
    }
}

impl ColumnMoments {
    /// Adds finite values.
    pub(super) fn add(&mut self, values: impl IntoIterator<Item = f64>) {
        for value in values {
            self.n += 1;
            // A minimum of 0 and −0 would depend on their order.
            self.min = self.min.min(value + 0.0);
            self.max = self.max.max(value + 0.0);
            self.sums.add(value);
        }
    }

    /// Returns the moments of both together.
    pub(super) fn together(&self, other: &ColumnMoments) -> ColumnMoments {
        let mut sums = self.sums.clone();
        sums.merge(&other.sums);
        ColumnMoments {
            n: self.n + other.n,
            n_missing: self.n_missing + other.n_missing,
            min: self.min.min(other.min),
            max: self.max.max(other.max),
            sums,
        }
    }

    /// Returns whether all values are equal, or there are none.
    pub(super) fn is_constant(&self) -> bool {
        self.min >= self.max
    }

    /// Returns the mean; NaN if there are no values.
    pub(super) fn mean(&self) -> f64 {
        self.sums.mean()
    }

    /// Returns the population standard deviation (n, not n − 1); NaN if there are no values.
    pub(super) fn deviation(&self) -> f64 {
        self.sums.deviation()
    }
}

/// What the first pass learns about a numeric column.
#[derive(Clone, Debug, Default)]
pub(super) struct NumberSummary {
    /// Moments in the source.
    pub(super) source: ColumnMoments,
    /// Moments in the target, if it is not the source.
    pub(super) target: ColumnMoments,
    /// The values of the source, in the order of its rows, if the scaling needs them.
    pub(super) source_values: Vec<f64>,
    /// The integers of the source, as long as they may be ids or labels.
    pub(super) integers: Option<IntegerCensus>,
    /// Whether the numbers are days, made from dates.
    pub(super) is_date: bool,
}

impl NumberSummary {
    /// Returns the summary of a column of dates.
    pub(super) fn of_dates(dates: &LevelCounts, missing: MissingRule, scale: Scaling) -> NumberSummary {
        let mut summary = NumberSummary { is_date: true, ..NumberSummary::default() };
        for (from, n_missing) in [(TableRole::Source, dates.missing.source), (TableRole::Target, dates.missing.target)]
        {
            let n_zeros = if missing == MissingRule::Zero { n_missing } else { 0 };
            let mut days = dates.days(from);
            days.extend(std::iter::repeat_n(0.0, n_zeros as usize));
            summary.add(from, &days, n_missing, scale);
        }
        summary
    }

    /// Adds a batch of values of one side, besides which `n_missing` are missing.
    pub(super) fn add(&mut self, from: TableRole, values: &[f64], n_missing: u64, scale: Scaling) {
        let moments = match from {
            TableRole::Source => &mut self.source,
            TableRole::Target => &mut self.target,
        };
        moments.add(values.iter().copied());
        moments.n_missing += n_missing;
        if from == TableRole::Source {
            if scale.needs_values() {
                self.source_values.extend(values);
            }
            self.integers.take_if(|integers| !integers.add(values));
        }
    }

    /// Returns the quartiles of the source.
    fn quartiles(&self) -> [f64; 3] {
        let mut sorted = self.source_values.clone();
        sorted.sort_unstable_by(f64::total_cmp);
        [0.25, 0.5, 0.75].map(|share| quantile(&sorted, share))
    }
}

/// How the numbers of a column are transformed.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Scaler {
    /// By this scale; [`ColumnScale::IDENTITY`] if nothing changes.
    By(ColumnScale),
    /// Every number becomes 0: the column is constant in source and target.
    Zero,
}

impl Scaler {
    /// Returns how a column is scaled; `None` if `f64` cannot represent the result.
    ///
    /// The source determines the scale. If it is constant and the target is not, the spread of both together is used, so
    /// that the column still distinguishes them.
    pub(super) fn new(scale: Scaling, column: &NumberSummary) -> Option<Scaler> {
        let (source, both) = (&column.source, column.source.together(&column.target));
        let spread = if source.is_constant() { &both } else { source };
        let (shift, divisor) = match scale {
            Scaling::None => return Some(Scaler::By(ColumnScale::IDENTITY)),
            _ if source.n == 0 || both.is_constant() => return Some(Scaler::Zero),
            Scaling::Standard => (source.mean(), spread.deviation()),
            Scaling::MinMax => (source.min, spread.max - spread.min),
            Scaling::Robust => {
                let [low, middle, high] = column.quartiles();
                (middle, if high > low { high - low } else { spread.deviation() })
            }
            Scaling::Rank => match RankScale::new(column.source_values.clone()) {
                Some(ranks) => return Some(Scaler::By(ColumnScale::Rank(Arc::new(ranks)))),
                None => (source.min, spread.max - spread.min),
            },
        };
        // A normal divisor is neither 0, infinite nor so small that dividing by it overflows or loses all precision.
        let is_usable = shift.is_finite() && divisor.is_normal();
        is_usable.then_some(Scaler::By(ColumnScale::Linear { shift, divisor }))
    }

    /// Returns how to undo the transformation, if possible.
    pub(super) fn unit(&self) -> Option<ColumnScale> {
        match self {
            Scaler::By(scale) => Some(scale.clone()),
            Scaler::Zero => None,
        }
    }

    /// Returns `value` scaled.
    pub(super) fn apply(&self, value: f64) -> f64 {
        match self {
            Scaler::By(scale) => scale.in_matrix(value),
            Scaler::Zero => 0.0,
        }
    }

    /// Returns the variance of a column after scaling.
    pub(super) fn variance(&self, column: &NumberSummary) -> f64 {
        let deviation = column.source.together(&column.target).deviation();
        match self {
            Scaler::By(ColumnScale::Linear { divisor, .. }) if deviation > 0.0 => (deviation / divisor).powi(2),
            // Ranks without ties are uniform.
            Scaler::By(ColumnScale::Rank(_)) => 1.0 / 12.0,
            _ => 0.0,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn numbers(batches: &[&[f64]]) -> ColumnMoments {
        let mut numbers = ColumnMoments::default();
        batches.iter().for_each(|batch| numbers.add(batch.iter().copied()));
        numbers
    }

    /// Returns how a column without a target is scaled.
    fn alone(scale: Scaling, source: &ColumnMoments) -> Option<Scaler> {
        both(scale, source, &ColumnMoments::default())
    }

    fn both(scale: Scaling, source: &ColumnMoments, target: &ColumnMoments) -> Option<Scaler> {
        Scaler::new(
            scale,
            &NumberSummary { source: source.clone(), target: target.clone(), ..NumberSummary::default() },
        )
    }

    /// Returns a column that has these values in source and target.
    fn column(source: &[f64], target: &[f64]) -> NumberSummary {
        let source_values = source.to_vec();
        NumberSummary {
            source: numbers(&[source]),
            target: numbers(&[target]),
            source_values,
            ..NumberSummary::default()
        }
    }

    #[test]
    fn robust_scaling_by_hand() {
        // Quartiles 2, 3 and 4, whatever the outlier.
        let scaler = Scaler::new(Scaling::Robust, &column(&[5.0e9, 1.0, 2.0, 3.0, 4.0], &[])).unwrap();
        assert_eq!([3.0, 4.0, 1.0].map(|value| scaler.apply(value)), [0.0, 0.5, -1.0]);
        // More than half are 0, so the interquartile range is 0 and the deviation is used: 1.6.
        let mostly_zero = column(&[0.0, 0.0, 4.0, 0.0, 0.0], &[]);
        let scaled = Scaler::new(Scaling::Robust, &mostly_zero).unwrap().apply(4.0);
        assert!((scaled - 4.0 / 1.6).abs() < 1e-12, "{scaled}");
        // Only the target varies.
        let scaler = Scaler::new(Scaling::Robust, &column(&[5.0, 5.0], &[7.0, 5.0])).unwrap();
        assert_eq!((scaler.apply(5.0), scaler.apply(7.0)), (0.0, 2.0 / 0.75_f64.sqrt()));
    }

    #[test]
    fn rank_scaling_by_hand() {
        let scaler = Scaler::new(Scaling::Rank, &column(&[10.0, 30.0, 20.0, 20.0, 1e9], &[15.0, 1e12])).unwrap();
        let scaled = [10.0, 20.0, 30.0, 1e9, 15.0, 1e12].map(|value| scaler.apply(value));
        assert_eq!(scaled, [0.0, 0.375, 0.75, 1.0, 0.1875, 1.0]);
        let unit = scaler.unit().unwrap();
        assert_eq!([0.0, 0.375, 0.75, 1.0, 0.1875].map(|rank| unit.in_file(rank)), [10.0, 20.0, 30.0, 1e9, 15.0]);
        // Only the target varies: by the range of both.
        let scaler = Scaler::new(Scaling::Rank, &column(&[5.0, 5.0], &[7.0, 5.0])).unwrap();
        assert_eq!((scaler.apply(5.0), scaler.apply(7.0)), (0.0, 1.0));
    }

    #[test]
    fn a_column_that_only_varies_in_the_target_is_scaled_by_both() {
        // 5, 5 and 7, 5: mean 5.5, squared distances 3·0.25 + 2.25 = 3, deviation √0.75; the range is 2.
        let (source, target) = (numbers(&[&[5.0, 5.0]]), numbers(&[&[7.0, 5.0]]));
        let scaled = |scale| [5.0, 7.0].map(|value| both(scale, &source, &target).unwrap().apply(value));
        assert_eq!(scaled(Scaling::MinMax), [0.0, 1.0]);
        let [of_source, of_target] = scaled(Scaling::Standard);
        assert!(of_source == 0.0 && (of_target - 2.0 / 0.75_f64.sqrt()).abs() < 1e-15, "{of_target}");
        // A source without values has no mean.
        assert_eq!(both(Scaling::MinMax, &numbers(&[]), &target), Some(Scaler::Zero));
    }

    #[test]
    fn moments_by_hand() {
        // 1, 2, 3, 6: mean 3, squared distances 4 + 1 + 0 + 9 = 14, deviation √3.5.
        for batches in [vec![&[1.0, 2.0, 3.0, 6.0][..]], vec![&[1.0][..], &[], &[2.0, 3.0], &[6.0]]] {
            let numbers = numbers(&batches);
            assert_eq!((numbers.n, numbers.mean(), numbers.min, numbers.max), (4, 3.0, 1.0, 6.0));
            assert!((numbers.deviation() - 3.5_f64.sqrt()).abs() < 1e-15);
        }
    }

    #[test]
    fn a_large_offset_does_not_affect_the_spread() {
        // Deviation of 0, 1, 2 is √(2/3), whatever is added to them.
        let numbers = numbers(&[&[1e9, 1e9 + 1.0], &[1e9 + 2.0]]);
        assert!((numbers.deviation() - (2.0_f64 / 3.0).sqrt()).abs() < 1e-9);
    }

    #[test]
    fn scalers_by_hand() {
        let seen = numbers(&[&[2.0, 4.0, 6.0]]);
        assert_eq!(alone(Scaling::None, &seen).unwrap().apply(4.0), 4.0);
        let min_max = alone(Scaling::MinMax, &seen).unwrap();
        assert_eq!([2.0, 4.0, 6.0, 8.0].map(|value| min_max.apply(value)), [0.0, 0.5, 1.0, 1.5]);
        // Deviation √(8/3).
        let standard = alone(Scaling::Standard, &seen).unwrap();
        assert_eq!(standard.apply(4.0), 0.0);
        assert!((standard.apply(6.0) - 2.0 / (8.0_f64 / 3.0).sqrt()).abs() < 1e-15);
    }

    #[test]
    fn constant_columns_become_zero() {
        for scale in [Scaling::Standard, Scaling::MinMax] {
            assert_eq!(alone(scale, &numbers(&[&[0.1, 0.1, 0.1]])), Some(Scaler::Zero));
            assert_eq!(alone(scale, &numbers(&[])), Some(Scaler::Zero));
        }
    }

    #[test]
    fn values_of_every_size_scale_and_ranges_beyond_f64_are_rejected() {
        for size in [1e30, 1e-30, 1e200, 1e-200, 1e307, 1e-300] {
            let seen = numbers(&[&[size, 2.0 * size, 3.0 * size]]);
            let scaled = alone(Scaling::Standard, &seen).unwrap().apply(3.0 * size);
            assert!((scaled - 1.5_f64.sqrt()).abs() < 1e-12, "{scaled}");
        }
        // The deviation is subnormal.
        assert_eq!(alone(Scaling::Standard, &numbers(&[&[0.0, 5e-324]])), None);
        assert_eq!(alone(Scaling::MinMax, &numbers(&[&[-1.7e308, 1.7e308]])), None);
    }
}
