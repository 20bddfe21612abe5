//! Ranks of tables as representatives of each other, and their averages.

use std::collections::BTreeMap;

use super::pair::Pair;

/// Differences in `explained` up to this are rounding errors.
///
/// If the same cells are chosen from different rows, the sums differ in their last digits; in the questionnaires of NHANES
/// such differences are below 1e-13, and all others above 1e-9.
const ROUNDING: f64 = 1e-12;

/// The rank of each value of `explained`, 1 for the largest; values that are equal up to rounding share the mean of
/// their ranks.
///
/// # Examples
///
/// ```
/// assert_eq!(protodash::relate::ranks(&[0.5, 0.9, 0.1 + 0.4, 0.3]), [2.5, 1.0, 2.5, 4.0]);
/// assert_eq!(protodash::relate::ranks(&[0.3, 0.1 + 0.2]), [1.5, 1.5]);
/// ```
#[must_use]
pub fn ranks(explained: &[f64]) -> Vec<f64> {
    let mut order: Vec<usize> = (0..explained.len()).collect();
    order.sort_by(|one, other| explained[*other].total_cmp(&explained[*one]));
    let mut ranks = vec![0.0; explained.len()];
    let mut better = 0;
    for equal in order.chunk_by(|one, other| explained[*one] - explained[*other] <= ROUNDING) {
        // Ranks better + 1 to better + equal, on average.
        let rank = better as f64 + (equal.len() as f64 + 1.0) / 2.0;
        equal.iter().for_each(|index| ranks[*index] = rank);
        better += equal.len();
    }
    ranks
}

/// Gives every pair its rank among the pairs with the same target.
pub(super) fn rank(pairs: &mut [Pair]) {
    let mut of_target: BTreeMap<usize, Vec<usize>> = BTreeMap::new();
    for (index, pair) in pairs.iter().enumerate() {
        of_target.entry(pair.target).or_default().push(index);
    }
    for indices in of_target.values() {
        let explained: Vec<f64> = indices.iter().map(|index| pairs[*index].explained).collect();
        indices.iter().zip(ranks(&explained)).for_each(|(index, rank)| pairs[*index].rank = rank);
    }
}

/// The mean of the ranks that a table has as a source.
pub(super) fn average(pairs: &[Pair], source: usize) -> Option<f64> {
    let ranks: Vec<f64> = pairs.iter().filter(|pair| pair.source == source).map(|pair| pair.rank).collect();
    (!ranks.is_empty()).then(|| ranks.iter().sum::<f64>() / ranks.len() as f64)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pair(target: usize, source: usize, explained: f64) -> Pair {
        let (prototypes, objective, own_explained, rank) = (Vec::new(), 0.0, 1.0, 0.0);
        Pair { target, source, n_keys: 1, prototypes, objective, explained, own_explained, rank }
    }

    #[test]
    fn only_differences_above_rounding_change_ranks() {
        assert_eq!(ranks(&[0.7, 0.7 - 3e-13, 0.7 - 1e-9, 0.7 + 2e-16]), [2.0, 2.0, 4.0, 2.0]);
        assert_eq!(ranks(&[-5.0, 0.0, -5.0]), [2.5, 1.0, 2.5]);
        assert_eq!(ranks(&[]), [0.0; 0]);
    }

    #[test]
    fn equal_values_share_their_ranks() {
        let mut pairs =
            [pair(0, 1, 0.5), pair(0, 2, 0.9), pair(0, 3, 0.5), pair(0, 4, 0.1), pair(1, 0, 0.2), pair(1, 2, 0.3)];
        rank(&mut pairs);
        assert_eq!(pairs.each_ref().map(|pair| pair.rank), [2.5, 1.0, 2.5, 4.0, 2.0, 1.0]);
        assert_eq!((average(&pairs, 2), average(&pairs, 1), average(&pairs, 9)), (Some(1.0), Some(2.5), None));
    }
}
