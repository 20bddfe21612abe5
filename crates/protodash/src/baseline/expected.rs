//! The expected minimum of a random subset.

/// The expected minimum of random subsets of some sizes, of any `n` values.
///
/// # Formula
///
/// ```text
/// E = Σₖ d₍ₖ₎ C(n − k, m − 1)/C(n, m)
/// ```
///
/// The ratio is m/n for k = 1, and (n − k − m + 1)/(n − k) times as large for the next k. Terms below 1e-17 of the
/// total are ignored.
pub(super) struct ExpectedLeast {
    /// For each size the probability that the k-th value is the minimum, as far as it matters.
    probabilities: Vec<Vec<f64>>,
}

impl ExpectedLeast {
    /// # Panics
    ///
    /// If a size is 0 or larger than `n`.
    pub(super) fn new(n: usize, sizes: impl Iterator<Item = usize>) -> Self {
        let of_size = |n_drawn: usize| {
            assert!((1..=n).contains(&n_drawn), "{n_drawn} of {n} values");
            let next = |(nearer, probability): &(usize, f64)| {
                Some((nearer + 1, probability * next_ratio(n, n_drawn, *nearer)))
            };
            let first = (0, n_drawn as f64 / n as f64);
            let all = std::iter::successors(Some(first), next);
            all.take(counting(n, n_drawn)).map(|(_, probability)| probability).collect()
        };
        ExpectedLeast { probabilities: sizes.map(of_size).collect() }
    }

    /// The expected minimum for each size, over all subsets. Sorts only the values that matter.
    pub(super) fn of(&self, values: &mut [f64]) -> Vec<f64> {
        let n_counting = self.probabilities.iter().map(Vec::len).max().unwrap_or(0);
        if n_counting < values.len() && n_counting > 0 {
            values.select_nth_unstable_by(n_counting - 1, f64::total_cmp);
        }
        let values = &mut values[..n_counting];
        values.sort_unstable_by(f64::total_cmp);
        let expected = |probabilities: &Vec<f64>| {
            probabilities.iter().zip(&*values).fold(0.0, |sum, (probability, value)| sum + probability * value)
        };
        self.probabilities.iter().map(expected).collect()
    }
}

/// Number of values after which the remaining probability is below 1e-17.
fn counting(n: usize, n_drawn: usize) -> usize {
    // The probability that no drawn value is among the first k is at most (1 − m/n)^k.
    let miss = (1.0 - n_drawn as f64 / n as f64).ln();
    let enough = (1e-17_f64.ln() / miss).ceil();
    let last = n - n_drawn + 1;
    if enough.is_finite() { last.min((enough as usize).max(1)) } else { last }
}

/// The probability of the next value divided by that of this one, which `nearer` values precede.
fn next_ratio(n: usize, n_drawn: usize, nearer: usize) -> f64 {
    let left = n - nearer - 1;
    if left < n_drawn { 0.0 } else { (left + 1 - n_drawn) as f64 / left as f64 }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn expected_least(values: &mut [f64], n_drawn: usize) -> f64 {
        ExpectedLeast::new(values.len(), [n_drawn].into_iter()).of(values)[0]
    }

    #[test]
    fn several_sizes_are_as_each_alone() {
        let values: Vec<f64> = (0..40).map(|i| f64::from(i * i * 7 % 31)).collect();
        let sizes = [1, 2, 5, 17, 40];
        let together = ExpectedLeast::new(40, sizes.into_iter()).of(&mut values.clone());
        let alone = sizes.map(|size| expected_least(&mut values.clone(), size));
        assert_eq!(together, alone);
    }

    #[test]
    fn one_draw_is_the_mean_and_all_draws_are_the_minimum() {
        assert_eq!(expected_least(&mut [4.0, 1.0, 3.0, 8.0], 1), 4.0);
        assert_eq!(expected_least(&mut [4.0, 1.0, 3.0, 8.0], 4), 1.0);
    }

    #[test]
    fn all_subsets_agree() {
        let values: Vec<f64> = (0..11).map(|i| f64::from(i * i * 7 % 31)).collect();
        for n_drawn in 1..=11 {
            let subsets = (0_u32..1 << 11).filter(|subset| subset.count_ones() == n_drawn);
            let least =
                |subset: u32| (0..11).filter(|i| subset >> i & 1 == 1).map(|i| values[i]).fold(f64::INFINITY, f64::min);
            let (sum, count) = subsets.fold((0.0, 0.0), |(sum, count), subset| (sum + least(subset), count + 1.0));
            let found = expected_least(&mut values.clone(), n_drawn as usize);
            assert!((found - sum / count).abs() < 1e-13, "{found} for {n_drawn}");
        }
    }

    #[test]
    fn ignored_values_have_no_effect() {
        let n = 20_000;
        let values: Vec<f64> = (0..n).map(|i| ((i * 7919) % n) as f64).collect();
        assert!(counting(n, 400) < n / 5);
        // The minimum of m of the numbers 0 … n − 1 has the expectation (n − m)/(m + 1).
        for n_drawn in [1, 3, 400, 19_999] {
            let found = expected_least(&mut values.clone(), n_drawn);
            let expected = (n - n_drawn) as f64 / (n_drawn + 1) as f64;
            assert!((found - expected).abs() < 1e-9 * (1.0 + expected), "{found} {expected}");
        }
    }
}
