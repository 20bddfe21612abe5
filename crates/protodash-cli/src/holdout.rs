//! Rows kept apart, so that prototypes are judged by rows that they have not seen.

use rand::SeedableRng;
use rand::seq::index::sample;
use rand_chacha::ChaCha8Rng;

/// Which rows of the matrices are represented, chosen from, and judged; `None` means all.
#[derive(Debug, Clone, PartialEq, Default)]
pub(crate) struct Split {
    pub(crate) target: Option<Vec<usize>>,
    pub(crate) source: Option<Vec<usize>>,
    /// Rows of the target; `None` judges by those that are represented.
    pub(crate) test: Option<Vec<usize>>,
}

impl Split {
    /// Keeps `part` of the target's rows for judging, and out of the source too where the two are the same.
    ///
    /// At least one row is kept and at least one is left.
    pub(crate) fn hold_out(part: f64, n_target: usize, same: bool, seed: u64) -> Option<Split> {
        if n_target < 2 {
            return None;
        }
        let n_test = ((part * n_target as f64).round() as usize).clamp(1, n_target - 1);
        let mut held_out = vec![false; n_target];
        let drawn = sample(&mut ChaCha8Rng::seed_from_u64(seed), n_target, n_test);
        drawn.into_iter().for_each(|row| held_out[row] = true);
        let rows = |wanted: bool| (0..n_target).filter(|row| held_out[*row] == wanted).collect::<Vec<usize>>();
        let left = rows(false);
        Some(Split { source: same.then(|| left.clone()), target: Some(left), test: Some(rows(true)) })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_row_is_on_one_side() {
        let split = Split::hold_out(0.3, 10, true, 7).unwrap();
        let (left, test) = (split.target.unwrap(), split.test.unwrap());
        assert_eq!((left.len(), test.len()), (7, 3));
        assert_eq!(split.source, Some(left.clone()));
        let mut all = [left, test].concat();
        all.sort_unstable();
        assert_eq!(all, (0..10).collect::<Vec<_>>());
        assert_eq!(Split::hold_out(0.3, 10, false, 7).unwrap().source, None);
    }

    #[test]
    fn something_is_left_and_something_kept() {
        let sizes = |part| Split::hold_out(part, 3, false, 0).map(|split| split.test.unwrap().len());
        assert_eq!([0.0001, 0.5, 0.9999].map(sizes), [Some(1), Some(2), Some(2)]);
        assert_eq!(Split::hold_out(0.5, 1, false, 0), None);
    }
}
