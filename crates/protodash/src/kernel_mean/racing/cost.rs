//! Expected work of the full mean and of a race, and which of them is less.

use super::landmarks::{N_FEATURES, N_LANDMARKS};
use crate::kernel::{Kernel, loop_formula};
use crate::kernel_mean::{PairShape, Precision, n_pairs};
use crate::rows::Scalar;

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
/// Work for a value of a kernel that is not built in.
const EVALUATION: f64 = 300.0;
/// Rows that become exact at every step.
const EXACT_PER_STEP: f64 = 16.0;

/// An amount of work; its unit is one column of a pair of rows in f32.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Workload {
    pub(crate) n_pairs: f64,
    pub(crate) work: f64,
}

/// Work for one kernel value.
pub(crate) fn pair_work<T: Scalar>(kernel: &dyn Kernel<T>, n_columns: usize, precision: Precision) -> f64 {
    if let Some(sparse) = kernel.sparse() {
        return 2.0 * (sparse.rows().mean_values() + CURVE);
    }
    match (loop_formula(kernel), precision) {
        (Some(_), Precision::Single) => n_columns as f64 + CURVE,
        (Some(_), Precision::Double) => 2.0 * (n_columns as f64 + CURVE),
        (None, _) => EVALUATION + n_columns as f64,
    }
}

/// The full mean.
pub(crate) fn full_workload<T: Scalar>(kernel: &dyn Kernel<T>, shape: PairShape, precision: Precision) -> Workload {
    let n_pairs = n_pairs(kernel, shape) as f64;
    Workload { n_pairs, work: n_pairs * pair_work(kernel, shape.n_columns, precision) }
}

/// A race, for this number of prototypes.
pub(crate) fn race_workload<T: Scalar>(
    kernel: &dyn Kernel<T>,
    shape: PairShape,
    n_prototypes: usize,
    precision: Precision,
) -> Workload {
    let PairShape { n_target, n_source, n_columns, is_source } = shape;
    let (n_target, n_source) = (n_target as f64, n_source as f64);
    let (n_features, n_landmarks) = (N_FEATURES as f64, N_LANDMARKS as f64);
    let raced_pair = draw_work(kernel, n_columns, N_FEATURES);
    let draws = n_source * DRAWS_PER_ROW * (n_prototypes as f64 / 100.0).powf(DRAWS_GROWTH).max(0.25);
    let landmarks = (if is_source { n_source } else { n_target + n_source }) * n_landmarks;
    let exact = EXACT_PER_STEP * n_prototypes as f64 * n_target;
    let work = draws * raced_pair
        + landmarks * 2.0 * (2.0 * n_columns as f64 + n_features)
        + exact * 3.0 * pair_work(kernel, n_columns, precision);
    Workload { n_pairs: draws + landmarks + exact, work }
}

/// Work for one draw for a source row, with so many features.
fn draw_work<T: Scalar>(kernel: &dyn Kernel<T>, n_columns: usize, n_features: usize) -> f64 {
    let powers = if loop_formula(kernel).is_some() { POWERS } else { 0.0 };
    pair_work(kernel, n_columns, Precision::Single) + n_features as f64 + powers
}

/// What one draw for a source row costs, in kernel values of the full mean in the precision of the data.
pub(super) fn draw_cost<T: Scalar>(kernel: &dyn Kernel<T>, n_columns: usize, n_features: usize) -> f64 {
    draw_work(kernel, n_columns, n_features) / pair_work(kernel, n_columns, Precision::of_data::<T>())
}

/// Whether a race is expected to be faster than the full mean, for this number of prototypes. A race merges only rows of the
/// target.
pub(crate) fn race_pays<T: Scalar>(
    kernel: &dyn Kernel<T>,
    (full, raced): (PairShape, PairShape),
    n_prototypes: Option<usize>,
) -> bool {
    // Near the optimum every row contends.
    let Some(n_prototypes) = n_prototypes else { return false };
    // A race evaluates pairs of sparse rows one by one, the full mean in panels.
    if kernel.sparse().is_some() {
        return false;
    }
    let precision = Precision::of_data::<T>();
    let race = race_workload(kernel, raced, n_prototypes, precision);
    MARGIN * race.work < full_workload(kernel, full, precision).work
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::kernel::Gaussian;

    fn pays(n_rows: usize, n_columns: usize, n_prototypes: Option<usize>) -> bool {
        let shape = PairShape { n_target: n_rows, n_source: n_rows, n_columns, is_source: true };
        race_pays::<f64>(&Gaussian::new(1.0).unwrap(), (shape, shape), n_prototypes)
    }

    #[test]
    fn a_race_pays_for_many_rows_and_few_prototypes() {
        assert!(!pays(1_000, 10, Some(10)));
        assert!(!pays(20_000, 16, Some(100)));
        assert!(pays(200_000, 50, Some(100)));
        assert!(!pays(60_000, 20, Some(3000)));
        assert!(!pays(200_000, 1, None));
    }
}
