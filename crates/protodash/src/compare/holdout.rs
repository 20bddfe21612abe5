//! Held-out rows, to score prototypes on rows they were not chosen from.

use rand::SeedableRng;
use rand::seq::index::sample;
use rand_chacha::ChaCha8Rng;

use crate::error::{Error, Result};
use crate::params::in_range;

/// Which rows are represented, may be chosen, and are scored; `None` means all of them.
#[derive(Debug, Clone, PartialEq, Default)]
pub(super) struct Split {
    pub(super) target: Option<Vec<usize>>,
    pub(super) source: Option<Vec<usize>>,
    /// Rows of the target; `None` scores the rows that are represented.
    pub(super) test: Option<Vec<usize>>,
}

impl Split {
    /// Holds out a `fraction` of the target rows, and the same rows of the source if the two are equal.
    ///
    /// At least one row is held out and at least one is left.
    pub(super) fn hold_out(fraction: f64, n_target: usize, same: bool, seed: u64) -> Result<Split> {
        in_range("holdout", fraction, fraction > 0.0 && fraction < 1.0, "a number between 0 and 1")?;
        if n_target < 2 {
            return Err(Error::TooFewRowsToHoldOut { rows: n_target });
        }
        let n_test = ((fraction * n_target as f64).round() as usize).clamp(1, n_target - 1);
        let mut held_out = vec![false; n_target];
        let drawn = sample(&mut ChaCha8Rng::seed_from_u64(seed), n_target, n_test);
        drawn.into_iter().for_each(|row| held_out[row] = true);
        let rows = |wanted: bool| (0..n_target).filter(|row| held_out[*row] == wanted).collect::<Vec<usize>>();
        let left = rows(false);
        Ok(Split { source: same.then(|| left.clone()), target: Some(left), test: Some(rows(true)) })
    }
}

/// The values of these rows; all of them if no rows are named.
pub(super) fn pick<V: Copy>(values: &[V], rows: Option<&[usize]>) -> Vec<V> {
    rows.map_or_else(|| values.to_vec(), |rows| rows.iter().map(|row| values[*row]).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_row_is_either_kept_or_held_out() {
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
    fn at_least_one_row_is_kept_and_one_held_out() {
        let size = |fraction| Split::hold_out(fraction, 3, false, 0).map(|split| split.test.unwrap().len());
        assert_eq!([0.0001, 0.5, 0.9999].map(size), [Ok(1), Ok(2), Ok(2)]);
        assert_eq!(Split::hold_out(0.5, 1, false, 0), Err(Error::TooFewRowsToHoldOut { rows: 1 }));
    }

    #[test]
    fn the_fraction_is_between_0_and_1() {
        for fraction in [0.0, 1.0, -0.5, f64::NAN] {
            assert!(matches!(Split::hold_out(fraction, 9, true, 0), Err(Error::OutOfRange { name: "holdout", .. })));
        }
    }
}
