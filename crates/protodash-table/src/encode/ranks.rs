//! Values as their mid-ranks among the values of the source, which no outlier can stretch.

/// The ranks of a column's values in the source, between 0 and 1.
///
/// # Formula
///
/// ```text
/// rank(x) = (L + (E − 1)/2) / (n − 1)
/// ```
///
/// where `n` is the number of source values, `L` of them are less than `x` and `E` equal it: equal values share the mean of
/// their ranks, and without ties the smallest is 0 and the largest 1. Between two source values the rank is interpolated;
/// beyond them it is that of the nearest.
///
/// Ranks are uniform rather than normal scores: like [`Scaling::MinMax`](crate::Scaling::MinMax) they are on the scale of a
/// category's 0 and 1, and no value is farther than 1 from another.
///
/// # Examples
///
/// ```
/// use protodash_table::RankScale;
///
/// let ranks = RankScale::new(vec![10.0, 1000.0, 10.0, 20.0]).unwrap(); // 10 and 10 share ranks 0 and 1
/// assert_eq!([10.0, 20.0, 1000.0].map(|value| ranks.rank(value)), [0.5 / 3.0, 2.0 / 3.0, 1.0]);
/// assert!((ranks.rank(15.0) - 1.25 / 3.0).abs() < 1e-15); // half-way between the ranks of 10 and 20
/// assert_eq!(ranks.rank(5000.0), 1.0);
/// assert_eq!(ranks.value(2.0 / 3.0), 20.0);
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct RankScale {
    /// The distinct values, ascending.
    values: Vec<f64>,
    /// The rank of each.
    ranks: Vec<f64>,
}

impl RankScale {
    /// Returns the ranks of finite `values`, in any order; `None` if no two differ.
    ///
    /// # Examples
    ///
    /// ```
    /// assert!(protodash_table::RankScale::new(vec![3.0, 3.0]).is_none());
    /// ```
    #[must_use]
    pub fn new(mut values: Vec<f64>) -> Option<RankScale> {
        values.sort_unstable_by(f64::total_cmp);
        let n_pairs = values.len().saturating_sub(1) as f64;
        let mut scale = RankScale { values: Vec::new(), ranks: Vec::new() };
        let mut n_less = 0;
        // Not by total order: 0 and −0 are equal.
        for equal in values.chunk_by(|a, b| a == b) {
            scale.values.push(equal[0]);
            scale.ranks.push((n_less as f64 + (equal.len() - 1) as f64 / 2.0) / n_pairs);
            n_less += equal.len();
        }
        (scale.values.len() > 1).then_some(scale)
    }

    /// Returns the ranks given as distinct ascending values with the rank of each; `None` if they are not.
    ///
    /// # Examples
    ///
    /// ```
    /// use protodash_table::RankScale;
    ///
    /// let ranks = RankScale::new(vec![1.0, 4.0, 9.0]).unwrap();
    /// let (values, of_values) = ranks.parts();
    /// assert_eq!(RankScale::from_parts(values.to_vec(), of_values.to_vec()), Some(ranks));
    /// ```
    #[must_use]
    pub fn from_parts(values: Vec<f64>, ranks: Vec<f64>) -> Option<RankScale> {
        let ascends = |numbers: &[f64]| numbers.windows(2).all(|pair| pair[0] < pair[1]);
        let fits = values.len() > 1 && values.len() == ranks.len() && ascends(&values) && ascends(&ranks);
        fits.then_some(RankScale { values, ranks })
    }

    /// Returns the distinct values of the source, ascending, and the rank of each.
    ///
    /// # Examples
    ///
    /// See [`RankScale::from_parts`].
    #[must_use]
    pub fn parts(&self) -> (&[f64], &[f64]) {
        (&self.values, &self.ranks)
    }

    /// Returns the rank of a value.
    ///
    /// # Examples
    ///
    /// See [`RankScale`].
    #[must_use]
    pub fn rank(&self, value: f64) -> f64 {
        interpolate(&self.values, &self.ranks, value)
    }

    /// Returns the value that has a rank.
    ///
    /// # Examples
    ///
    /// See [`RankScale`].
    #[must_use]
    pub fn value(&self, rank: f64) -> f64 {
        interpolate(&self.ranks, &self.values, rank)
    }
}

/// Interpolates: returns the number in `to` that corresponds to `at` in `from`, which ascends.
fn interpolate(from: &[f64], to: &[f64], at: f64) -> f64 {
    let after = from.partition_point(|number| *number < at);
    match (after.checked_sub(1), from.get(after)) {
        (_, Some(number)) if *number == at => to[after],
        (None, _) => to[0],
        (Some(before), None) => to[before],
        (Some(before), Some(next)) => {
            // Differences of halves cannot overflow.
            let share = (at / 2.0 - from[before] / 2.0) / (next / 2.0 - from[before] / 2.0);
            to[before] * (1.0 - share) + to[after] * share
        }
    }
}

/// Returns the quantile at `share` of `sorted`, which ascends, interpolated between neighbours like `numpy.quantile`.
pub(super) fn quantile(sorted: &[f64], share: f64) -> f64 {
    let Some(last) = sorted.len().checked_sub(1) else { return f64::NAN };
    let place = share * last as f64;
    let (below, part) = (place.floor() as usize, place.fract());
    let (low, high) = (sorted[below], sorted[(below + 1).min(last)]);
    low * (1.0 - part) + high * part
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns the rank, straight from the definition.
    fn by_definition(values: &[f64], value: f64) -> f64 {
        let less = values.iter().filter(|other| **other < value).count() as f64;
        let equal = values.iter().filter(|other| **other == value).count() as f64;
        (less + (equal - 1.0) / 2.0) / (values.len() - 1) as f64
    }

    #[test]
    fn ranks_match_the_definition_and_can_be_inverted() {
        // A fixed sequence with many ties and a heavy tail.
        let values: Vec<f64> = (0..200_u32).map(|i| f64::from(i * 7919 % 61).exp()).collect();
        let ranks = RankScale::new(values.clone()).unwrap();
        for value in &values {
            assert_eq!(ranks.rank(*value), by_definition(&values, *value));
            assert_eq!(ranks.value(ranks.rank(*value)), *value);
        }
    }

    #[test]
    fn ranks_never_fall_and_stay_between_those_of_the_ends() {
        let ranks = RankScale::new(vec![-1e300, -3.0, 0.0, 0.0, 5.0, 1.7e308]).unwrap();
        let values = [f64::MIN, -1e300, -10.0, -3.0, -0.0, 0.0, 1e-300, 4.9, 5.0, 1e308, f64::MAX];
        let found = values.map(|value| ranks.rank(value));
        assert!(found.windows(2).all(|pair| pair[0] <= pair[1]), "{found:?}");
        assert_eq!((found[0], found[10]), (0.0, 1.0));
        assert_eq!(found[4], found[5]);
    }

    #[test]
    fn quantiles_by_hand() {
        let sorted = [1.0, 2.0, 4.0, 8.0];
        // Positions 0.75 and 2.25: 1.75 and 5.
        assert_eq!((quantile(&sorted, 0.25), quantile(&sorted, 0.5), quantile(&sorted, 0.75)), (1.75, 3.0, 5.0));
        assert_eq!((quantile(&[7.0], 0.25), quantile(&[7.0], 1.0)), (7.0, 7.0));
    }
}
