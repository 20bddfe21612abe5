//! Ranks: which table represents another best, and which represents most of them well.

use super::pair::Pair;

/// Gives every pair its rank among the pairs with the same target; equal values share the mean of their ranks.
pub(super) fn rank(pairs: &mut [Pair]) {
    let values: Vec<(usize, f64)> = pairs.iter().map(|pair| (pair.target, pair.explained)).collect();
    for pair in pairs {
        let rivals = || values.iter().filter(|(target, _)| *target == pair.target).map(|(_, value)| *value);
        let better = rivals().filter(|value| *value > pair.explained).count();
        let equal = rivals().filter(|value| *value == pair.explained).count();
        // Ranks better + 1 to better + equal, on average.
        pair.rank = better as f64 + (equal as f64 + 1.0) / 2.0;
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
    fn equal_values_share_their_ranks() {
        let mut pairs =
            [pair(0, 1, 0.5), pair(0, 2, 0.9), pair(0, 3, 0.5), pair(0, 4, 0.1), pair(1, 0, 0.2), pair(1, 2, 0.3)];
        rank(&mut pairs);
        assert_eq!(pairs.each_ref().map(|pair| pair.rank), [2.5, 1.0, 2.5, 4.0, 2.0, 1.0]);
        assert_eq!((average(&pairs, 2), average(&pairs, 1), average(&pairs, 9)), (Some(1.0), Some(2.5), None));
    }
}
