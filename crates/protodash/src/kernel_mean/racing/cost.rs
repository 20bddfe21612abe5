//! Whether a race is expected to be faster than the full mean.

use super::landmarks::{N_FEATURES, N_LANDMARKS};
use crate::kernel::{Kernel, loop_formula};
use crate::rows::{Rows, Scalar, same_rows};

/// Draws that a source row takes on average when 100 prototypes are chosen, from mixtures, images and heavy tails at several
/// bandwidths: they hardly grow with the number of rows.
const DRAWS_PER_ROW: f64 = 15_000.0;
/// How the draws grow with the number of prototypes, as a power.
const DRAWS_GROWTH: f64 = 0.7;
/// A race has to be this much faster, since its cost is a guess.
const MARGIN: f64 = 1.4;
/// Work for the curve of a kernel, in columns.
pub(super) const CURVE: f64 = 20.0;
/// Work for the powers of a residual, in columns.
pub(super) const POWERS: f64 = 10.0;
/// The same for a kernel that is not built in.
const EVALUATION: f64 = 300.0;
/// Rows that become exact at every step.
const EXACT_PER_STEP: f64 = 16.0;

/// Whether a race is expected to be faster than the full mean, for this number of prototypes.
pub(crate) fn race_pays<T: Scalar>(
    kernel: &dyn Kernel<T>,
    target: Rows<'_, T>,
    source: Rows<'_, T>,
    n_prototypes: Option<usize>,
) -> bool {
    // Near the optimum every row contends.
    let Some(n_prototypes) = n_prototypes else { return false };
    let (n_target, n_source, n_columns) = (target.n_rows() as f64, source.n_rows() as f64, target.n_columns() as f64);
    let is_source = same_rows(target, source);
    let (n_features, n_landmarks) = (N_FEATURES as f64, N_LANDMARKS as f64);
    let in_single = if size_of::<T>() == size_of::<f32>() { 1.0 } else { 2.0 };
    let (pair, raced_pair) = match loop_formula(kernel) {
        Some(_) => (in_single * (n_columns + CURVE), n_columns + n_features + CURVE + POWERS),
        None => (EVALUATION + n_columns, EVALUATION + n_columns + n_features),
    };
    let n_pairs = n_target * n_source * if is_source { 0.5 } else { 1.0 };
    let draws = DRAWS_PER_ROW * (n_prototypes as f64 / 100.0).powf(DRAWS_GROWTH).max(0.25);
    let measured = if is_source { n_source } else { n_target + n_source };
    let features = measured * n_landmarks * 2.0 * (2.0 * n_columns + n_features);
    let exact = EXACT_PER_STEP * n_prototypes as f64 * n_target * 3.0 * pair;
    MARGIN * (n_source * draws * raced_pair + features + exact) < n_pairs * pair
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::kernel::Gaussian;

    fn pays(n_rows: usize, n_columns: usize, n_prototypes: usize) -> bool {
        let values = vec![0.0_f64; n_rows * n_columns];
        let rows = Rows::new(&values, n_columns);
        race_pays(&Gaussian::new(1.0).unwrap(), rows, rows, Some(n_prototypes))
    }

    #[test]
    fn a_race_pays_for_many_rows_and_few_prototypes() {
        assert!(!pays(1_000, 10, 10));
        assert!(!pays(20_000, 16, 100));
        assert!(pays(200_000, 50, 100));
        assert!(!pays(60_000, 20, 3000));
        let values = vec![0.0_f64; 200_000];
        let rows = Rows::new(&values, 1);
        assert!(!race_pays(&Gaussian::new(1.0).unwrap(), rows, rows, None));
    }
}
