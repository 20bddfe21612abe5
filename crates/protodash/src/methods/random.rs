//! RandomW, the paper's baseline: a random sample with optimal weights.

use std::collections::HashMap;

use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

/// The numbers below `n_rows` in random order, each order equally likely.
///
/// A Fisher–Yates shuffle from the front, so that a run for m is a prefix of a run for m + 1. Only touched positions are
/// stored, O(m) of them.
pub(crate) fn order(n_rows: usize, seed: u64) -> impl Iterator<Item = usize> {
    let mut generator = ChaCha8Rng::seed_from_u64(seed);
    let mut moved: HashMap<usize, usize> = HashMap::new();
    (0..n_rows).map(move |position| {
        // Drawn as 64 bits, so that the order does not depend on the word size.
        let drawn = generator.random_range(position as u64..n_rows as u64) as usize;
        let here = moved.remove(&position).unwrap_or(position);
        if drawn == position { here } else { moved.insert(drawn, here).unwrap_or(drawn) }
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_row_occurs_once() {
        for n_rows in [1, 2, 17, 300] {
            let mut drawn: Vec<usize> = order(n_rows, 3).collect();
            drawn.sort_unstable();
            assert_eq!(drawn, (0..n_rows).collect::<Vec<_>>());
        }
    }

    #[test]
    fn all_orders_are_equally_likely() {
        let mut counts: HashMap<Vec<usize>, u32> = HashMap::new();
        (0..6000).for_each(|seed| *counts.entry(order(3, seed).collect()).or_default() += 1);
        assert_eq!(counts.len(), 6);
        // 1,000 each, give or take four standard deviations of 29.
        assert!(counts.values().all(|count| (885..1115).contains(count)), "{counts:?}");
    }

    #[test]
    fn different_seeds_give_different_orders() {
        assert_ne!(order(50, 0).collect::<Vec<_>>(), order(50, 1).collect::<Vec<_>>());
    }
}
