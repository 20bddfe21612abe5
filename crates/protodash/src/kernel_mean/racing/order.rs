//! The target in random order, and how far each level reads.

use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use rayon::prelude::*;

use super::bound::Prefix;

/// Draws of the first level.
const FIRST_DRAWS: usize = 1056;
/// Every level reads this many times the draws of the level before.
const GROWTH: f64 = 1.4;
/// The last level reads at most this part of the target: beyond it, the exact mean costs little more.
const LAST_PART: f64 = 0.65;
/// Draws that loops add up together. Levels end at multiples of it, so that there are no remainders.
pub(super) const DRAWS_PER_BATCH: usize = 96;
/// No row is drawn less often than one with this part of the mean of √s.
const MIN_RELATIVE_SIZE: f64 = 0.25;

/// The first draws of successive sampling without replacement.
pub(super) struct TargetOrder {
    /// The target row of each draw.
    pub(super) rows: Vec<usize>,
    /// 1/q of each draw.
    pub(super) inverse_sizes: Vec<f32>,
    /// π of each draw.
    pub(super) rates: Vec<f32>,
    /// Ωπ of each draw.
    pub(super) early_rates: Vec<f32>,
    /// The prefix that each level reads.
    pub(super) levels: Vec<Prefix>,
    /// Σπ over the whole target.
    pub(super) total_rate: f64,
}

impl TargetOrder {
    /// The order of rows with these weights, which sum to 1, and these √s; at most `max_draws` of it.
    ///
    /// Rows of weight 0 are never drawn.
    pub(super) fn new(weight: impl Fn(usize) -> f64, roots: &[f32], max_draws: usize, seed: u64) -> Self {
        let mean: f64 = roots.iter().enumerate().map(|(row, root)| weight(row) * f64::from(*root)).sum();
        // Where every residual is 0 any positive size will do.
        let least = if mean > 0.0 { MIN_RELATIVE_SIZE * mean } else { 1.0 };
        let size = |row: usize| f64::from(roots[row]).max(least);
        let rate = |row: usize| weight(row) * size(row);
        let mut generator = ChaCha8Rng::seed_from_u64(seed);
        let mut keys: Vec<(f64, usize)> = Vec::with_capacity(roots.len());
        for row in 0..roots.len() {
            let uniform: f64 = generator.random_range(0.0..1.0);
            if weight(row) > 0.0 {
                keys.push((-(-uniform).ln_1p() / rate(row), row));
            }
        }
        let ends = level_ends(keys.len(), max_draws);
        let n_draws = ends.last().copied().unwrap_or(0);
        let earlier = |a: &(f64, usize), b: &(f64, usize)| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1));
        if n_draws < keys.len() {
            keys.select_nth_unstable_by(n_draws, earlier);
        }
        let (drawn, left) = keys.split_at_mut(n_draws);
        drawn.par_sort_unstable_by(earlier);
        let keys = &*drawn;
        // Summed from the end, so that what is left is exact even if one row has nearly all the weight.
        let mut sum: f64 = left.iter().map(|(_, row)| rate(*row)).sum();
        let mut remaining: Vec<f64> = keys.iter().map(|(_, row)| rate(*row)).collect();
        for rate in remaining.iter_mut().rev() {
            sum += *rate;
            *rate = sum;
        }
        let mut order = TargetOrder {
            rows: keys.iter().map(|(_, row)| *row).collect(),
            inverse_sizes: keys.iter().map(|(_, row)| size(*row).recip() as f32).collect(),
            rates: Vec::with_capacity(n_draws),
            early_rates: Vec::with_capacity(n_draws),
            levels: Vec::with_capacity(ends.len()),
            total_rate: sum,
        };
        let (mut omega, mut squares) = (0.0, 0.0);
        for (draw, remaining) in remaining.iter().enumerate() {
            let rate = rate(keys[draw].1);
            omega += remaining.recip();
            squares += rate * rate;
            order.rates.push(rate as f32);
            order.early_rates.push((omega * rate) as f32);
            if ends[order.levels.len()] == draw + 1 {
                order.levels.push(Prefix { n_draws: draw + 1, omega, squares });
            }
        }
        order
    }

    /// The draws that a level reads beyond the level before.
    pub(super) fn segment(&self, level: usize) -> std::ops::Range<usize> {
        let start = level.checked_sub(1).map_or(0, |before| self.levels[before].n_draws);
        start..self.levels[level].n_draws
    }
}

/// Where levels end: a geometric sequence up to a part of the target and so many draws, and at least one level.
fn level_ends(n_rows: usize, max_draws: usize) -> Vec<usize> {
    let last = ((LAST_PART * n_rows as f64) as usize).min(max_draws.max(FIRST_DRAWS)).max(1);
    let mut ends = vec![FIRST_DRAWS.min(last)];
    let mut draws = FIRST_DRAWS as f64;
    loop {
        draws *= GROWTH;
        let end = (draws as usize).next_multiple_of(DRAWS_PER_BATCH);
        if end > last {
            return ends;
        }
        ends.push(end);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn levels_grow_geometrically_and_leave_a_part_of_the_target() {
        assert_eq!(level_ends(3, 9999), [1]);
        assert_eq!(level_ends(1500, 9999), [975]);
        assert_eq!(level_ends(4000, 9999), [1056, 1536, 2112]);
        assert_eq!(level_ends(4000, 2000), [1056, 1536]);
        assert_eq!(level_ends(4000, 10), [1056]);
        let many = level_ends(200_000, usize::MAX);
        assert!(many.windows(2).all(|pair| pair[1] > pair[0] && (pair[1] as f64) < 1.5 * pair[0] as f64));
        assert!(*many.last().unwrap() > 90_000 && *many.last().unwrap() <= 130_000);
    }

    #[test]
    fn rows_are_drawn_in_proportion_to_their_rates() {
        // Weights 0.1, 0.2, 0.3, 0.4 and 0; the first draw takes row i with probability π_i/Σπ.
        let (weights, roots) = ([0.1, 0.2, 0.3, 0.4, 0.0], [1.0, 0.5, 0.0, 0.25, 9.0]);
        let least = 0.25 * (0.1 + 0.1 + 0.1);
        let rates = [0.1, 0.1, 0.3 * least, 0.1];
        let total: f64 = rates.iter().sum();
        let mut counts = [0; 4];
        for seed in 0..20_000 {
            let order = TargetOrder::new(|row| weights[row], &roots, usize::MAX, seed);
            assert!((order.total_rate - total).abs() < 1e-15);
            counts[order.rows[0]] += 1;
        }
        for (count, rate) in counts.into_iter().zip(rates) {
            let expected = 20_000.0 * rate / total;
            assert!((f64::from(count) - expected).abs() < 5.0 * expected.sqrt(), "{counts:?}");
        }
    }

    #[test]
    fn prefixes_have_the_sums_of_their_draws() {
        let n = 5000;
        let roots: Vec<f32> = (0..n).map(|row| (row % 7) as f32 / 7.0).collect();
        let order = TargetOrder::new(|_| 1.0 / n as f64, &roots, usize::MAX, 3);
        let mut left = order.total_rate;
        let mut omega = 0.0;
        for (draw, rate) in order.rates.iter().enumerate() {
            omega += left.recip();
            left -= f64::from(*rate);
            assert!((f64::from(order.early_rates[draw]) / (omega * f64::from(*rate)) - 1.0).abs() < 1e-5);
        }
        let last = order.levels.last().unwrap();
        assert_eq!(last.n_draws, order.rows.len());
        assert!((last.omega / omega - 1.0).abs() < 1e-5);
        let distinct: std::collections::HashSet<_> = order.rows.iter().collect();
        assert_eq!(distinct.len(), order.rows.len());
    }
}
