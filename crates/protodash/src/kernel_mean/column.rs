//! Similarities of one row to many, in f64: what each step of the search computes.
//!
//! Distances come from differences: with one row against many, memory bandwidth is the limit and exactness costs nothing.
//! The sums over the columns are bit-identical to those of [`Kernel::evaluate`].

use super::fused::{ColumnSum, FusedKernel, PairFormula};
use crate::kernel::{Curve, CurveVisitor, Kernel, LoopFormula, loop_formula};
use crate::parallel;
use crate::rows::{
    Rows, Scalar, TypedRows, cosine, hamming_distance, length, manhattan_distance, product, squared_distance,
};
use crate::simd::{AlignedLanes, InstructionSet, Simd, Visitor, Work};

/// Writes k(x, y) for each row x.
///
/// Equal to [`evaluate`](Kernel::evaluate) up to the rounding of the curve: 1e-15 · (2 + |ln k|) relative to k. A value
/// does not depend on which other rows there are. Reads each row once.
///
/// # Panics
///
/// If there are not as many values as rows.
pub(crate) fn column<T: Scalar>(kernel: &dyn Kernel<T>, rows: Rows<'_, T>, y: &[T], values: &mut [f64]) {
    column_at(InstructionSet::best(), kernel, rows, y, values);
}

fn column_at<T: Scalar>(level: InstructionSet, kernel: &dyn Kernel<T>, rows: Rows<'_, T>, y: &[T], values: &mut [f64]) {
    assert_eq!(rows.n_rows(), values.len(), "one value for each row");
    if let Some(sparse) = kernel.sparse() {
        return sparse.column(rows, y, values);
    }
    let Some(formula) = loop_formula(kernel) else {
        rows.iter().zip(values).for_each(|(x, value)| *value = kernel.evaluate(x, y));
        return;
    };
    match (rows.typed(), Rows::new(y, y.len()).typed()) {
        (TypedRows::Single(rows), TypedRows::Single(y)) => of_f32(level, formula, rows, y.values(), values),
        (TypedRows::Double(rows), TypedRows::Double(y)) => of_f64(level, formula, rows, y.values(), values),
        // Unreachable: both have type T.
        (TypedRows::Single(_), TypedRows::Double(_)) | (TypedRows::Double(_), TypedRows::Single(_)) => {}
    }
}

#[inline(never)]
fn of_f32(level: InstructionSet, formula: LoopFormula, rows: Rows<'_, f32>, y: &[f32], values: &mut [f64]) {
    // Converted once, not for every row.
    let y: Vec<f64> = y.iter().map(|value| f64::from(*value)).collect();
    level.visit_f64(KernelColumn { formula, rows, y: &y, values });
}

#[inline(never)]
fn of_f64(level: InstructionSet, formula: LoopFormula, rows: Rows<'_, f64>, y: &[f64], values: &mut [f64]) {
    level.visit_f64(KernelColumn { formula, rows, y, values });
}

/// Rows that a thread adds at a time.
const ROWS_TO_ADD: usize = 1024;

/// Adds k(x, y) to the sum of each row x, on all threads.
pub(crate) fn add_column<T: Scalar>(kernel: &dyn Kernel<T>, rows: Rows<'_, T>, y: &[T], sums: &mut [f64]) {
    parallel::map_chunks(sums, ROWS_TO_ADD, |block, sums| {
        let first = block * ROWS_TO_ADD;
        let mut values = vec![0.0; sums.len()];
        column(kernel, rows.slice(first..first + sums.len()), y, &mut values);
        sums.iter_mut().zip(&values).for_each(|(sum, value)| *sum += value);
    });
}

/// Rows per chunk: few enough to stay in cache while they are compared with every other row.
const ROWS_AT_A_TIME: usize = 64;

/// For each row x, the fold of the similarities k(x, y) over all rows y in order, beginning with `start`.
///
/// `fold` gets the accumulator, the position of y and the similarity. Reads the rows x from memory once.
pub(crate) fn fold_columns<T: Scalar, A: Copy + Send + Sync>(
    kernel: &dyn Kernel<T>,
    rows: Rows<'_, T>,
    others: &[&[T]],
    start: A,
    fold: impl Fn(A, usize, f64) -> A + Sync,
) -> Vec<A> {
    let mut folded = vec![start; rows.n_rows()];
    parallel::map_chunks(&mut folded, ROWS_AT_A_TIME, |chunk, folded| {
        let first = chunk * ROWS_AT_A_TIME;
        let rows = rows.slice(first..first + folded.len());
        let mut values = [0.0; ROWS_AT_A_TIME];
        let values = &mut values[..folded.len()];
        for (position, y) in others.iter().enumerate() {
            column(kernel, rows, y, values);
            folded.iter_mut().zip(&*values).for_each(|(folded, value)| *folded = fold(*folded, position, *value));
        }
    });
    folded
}

struct KernelColumn<'a, T> {
    formula: LoopFormula,
    rows: Rows<'a, T>,
    y: &'a [f64],
    values: &'a mut [f64],
}

impl<T: Scalar> Visitor<f64> for KernelColumn<'_, T> {
    type Output = ();

    fn visit<S: Simd<Element = f64>>(self, simd: S) {
        simd.run(self);
    }
}

impl<S: Simd<Element = f64>, T: Scalar> Work<S> for KernelColumn<'_, T> {
    type Output = ();

    #[inline(always)]
    fn work(self, simd: S) {
        match (FusedKernel::of(self.formula), self.formula) {
            (Some(FusedKernel { direct, .. }), _) => match direct.sum {
                ColumnSum::Products => self.curve_of(simd, direct, ProductWith),
                ColumnSum::SquaredDifferences => self.curve_of(simd, direct, SquaredDistanceTo),
                ColumnSum::AbsoluteDifferences => self.curve_of(simd, direct, ManhattanDistanceTo),
            },
            (None, LoopFormula::EqualValues) => self.each(EqualValuesWith),
            (None, LoopFormula::Cosine) => {
                let length = length(self.y);
                self.each(CosineTo { length });
            }
            // Only the linear kernel is left.
            (None, _) => self.each(ProductWith),
        }
    }
}

/// A number computed from two rows. A trait, since a closure cannot be `inline(always)`, which SIMD code needs.
trait PairValue: Copy {
    fn of<T: Scalar>(self, x: &[T], y: &[f64]) -> f64;
}

#[derive(Clone, Copy)]
struct ProductWith;
#[derive(Clone, Copy)]
struct SquaredDistanceTo;
#[derive(Clone, Copy)]
struct ManhattanDistanceTo;
#[derive(Clone, Copy)]
struct EqualValuesWith;
#[derive(Clone, Copy)]
struct CosineTo {
    /// ‖y‖.
    length: f64,
}

impl PairValue for ProductWith {
    #[inline(always)]
    fn of<T: Scalar>(self, x: &[T], y: &[f64]) -> f64 {
        product(x, y)
    }
}

impl PairValue for SquaredDistanceTo {
    #[inline(always)]
    fn of<T: Scalar>(self, x: &[T], y: &[f64]) -> f64 {
        squared_distance(x, y)
    }
}

impl PairValue for ManhattanDistanceTo {
    #[inline(always)]
    fn of<T: Scalar>(self, x: &[T], y: &[f64]) -> f64 {
        manhattan_distance(x, y)
    }
}

impl PairValue for EqualValuesWith {
    #[inline(always)]
    fn of<T: Scalar>(self, x: &[T], y: &[f64]) -> f64 {
        1.0 - hamming_distance(x, y) / y.len() as f64
    }
}

impl PairValue for CosineTo {
    #[inline(always)]
    fn of<T: Scalar>(self, x: &[T], y: &[f64]) -> f64 {
        cosine(x, y, (length(x), self.length))
    }
}

impl<T: Scalar> KernelColumn<'_, T> {
    /// The value for each row.
    #[inline(always)]
    fn each(self, value: impl PairValue) {
        for (x, result) in self.rows.iter().zip(self.values) {
            *result = value.of(x, self.y);
        }
    }

    /// Sums over the columns row by row, then applies the curve to vectors of sums.
    #[inline(always)]
    fn curve_of<S: Simd<Element = f64>>(self, simd: S, formula: PairFormula, sum: impl PairValue) {
        formula.curve.visit(CurveOfColumn { column: self, simd, formula, sum });
    }
}

/// Applies the kernel's curve to a column.
struct CurveOfColumn<'a, T, S, P> {
    column: KernelColumn<'a, T>,
    simd: S,
    formula: PairFormula,
    sum: P,
}

impl<T: Scalar, S: Simd<Element = f64>, P: PairValue> CurveVisitor for CurveOfColumn<'_, T, S, P> {
    #[inline(always)]
    fn visit<C: Curve>(self, curve: C) {
        let CurveOfColumn { column, simd, formula, sum } = self;
        let (slope, constant) = (simd.splat(formula.slope), simd.splat(formula.x_offset.constant));
        let mut rows = column.rows.iter();
        for values in column.values.chunks_mut(8) {
            let mut sums = AlignedLanes([0.0; 8]);
            for lane in &mut sums.0[..values.len()] {
                if let Some(x) = rows.next() {
                    *lane = sum.of(x, column.y);
                }
            }
            let argument = simd.mul_add(simd.load(&sums), slope, constant);
            let similarities = simd.store(curve.value(simd, argument));
            values.copy_from_slice(&similarities.0[..values.len()]);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::kernel::{
        Cosine, Gaussian, Hamming, InverseMultiquadric, Laplacian, Linear, Matern32, Matern52, Polynomial,
    };
    use rand::{RngExt, SeedableRng};
    use rand_chacha::ChaCha8Rng;

    fn random(n_values: usize, seed: u64) -> Vec<f64> {
        let mut generator = ChaCha8Rng::seed_from_u64(seed);
        (0..n_values)
            .map(|_| f64::from(generator.random_range(-8..8_i8)) / 4.0 + generator.random_range(0.0..0.1))
            .collect()
    }

    fn kernels<T: Scalar>(n_columns: usize) -> Vec<Box<dyn Kernel<T> + Send>> {
        let spread = (n_columns as f64).sqrt();
        vec![
            Box::new(Gaussian::new(spread).unwrap()),
            Box::new(Laplacian::new(spread * spread).unwrap()),
            Box::new(Matern32::new(spread).unwrap()),
            Box::new(Matern52::new(spread).unwrap()),
            Box::new(InverseMultiquadric::new(spread).unwrap()),
            Box::new(Polynomial::new(3, 1.0, 200.0).unwrap()),
            Box::new(Linear),
            Box::new(Cosine),
            Box::new(Hamming),
        ]
    }

    fn check<T: Scalar>(values: &[T], n_columns: usize) {
        let rows = Rows::new(values, n_columns);
        let y = rows.row(rows.n_rows() / 2);
        for kernel in kernels::<T>(n_columns) {
            for level in InstructionSet::available() {
                let mut column = vec![f64::NAN; rows.n_rows()];
                column_at(level, &*kernel, rows, y, &mut column);
                for (x, value) in rows.iter().zip(column) {
                    let expected = kernel.evaluate(x, y);
                    let allowed = 1e-14 * expected.abs();
                    assert!(
                        (value - expected).abs() <= allowed,
                        "{level:?} {:?} {value} {expected}",
                        kernel.built_in()
                    );
                }
            }
        }
    }

    #[test]
    fn every_instruction_set_agrees_with_evaluate() {
        for n_columns in [1, 2, 7, 8, 9, 50, 131] {
            for n_rows in [1, 7, 8, 9, 40] {
                let values = random(n_rows * n_columns, n_columns as u64);
                check(&values, n_columns);
                check(&values.iter().map(|value| *value as f32).collect::<Vec<f32>>(), n_columns);
            }
        }
    }

    #[test]
    fn a_value_does_not_depend_on_the_other_rows() {
        for n_columns in [1, 3, 8, 13, 50] {
            let values = random(19 * n_columns, 5);
            let single: Vec<f32> = values.iter().map(|value| *value as f32).collect();
            let (double, single) = (Rows::new(&values, n_columns), Rows::new(&single, n_columns));
            for level in InstructionSet::available() {
                for kernel in kernels::<f64>(n_columns) {
                    assert_independent_of_other_rows(level, &*kernel, double);
                }
                for kernel in kernels::<f32>(n_columns) {
                    assert_independent_of_other_rows(level, &*kernel, single);
                }
            }
        }
    }

    fn assert_independent_of_other_rows<T: Scalar>(level: InstructionSet, kernel: &dyn Kernel<T>, rows: Rows<'_, T>) {
        let y = rows.row(1);
        let mut together = vec![f64::NAN; rows.n_rows()];
        column_at(level, kernel, rows, y, &mut together);
        for (row, together) in together.into_iter().enumerate() {
            let mut alone = [f64::NAN];
            column_at(level, kernel, rows.slice(row..row + 1), y, &mut alone);
            assert_eq!(alone[0].to_bits(), together.to_bits(), "{level:?} {:?}, row {row}", kernel.built_in());
        }
    }

    #[test]
    fn small_similarities_keep_their_relative_accuracy() {
        let values: Vec<f64> = (0..1000).map(|i| f64::from(i) / 27.0).collect();
        let rows = Rows::new(&values, 1);
        let kernel = Gaussian::new(1.0).unwrap();
        for level in InstructionSet::available() {
            let mut column = vec![0.0; 1000];
            column_at(level, &kernel, rows, &[0.0], &mut column);
            for (x, value) in values.iter().zip(column) {
                let expected = (-0.5 * x * x).exp();
                assert!((value - expected).abs() <= 1e-15 * (2.0 + 0.5 * x * x) * expected, "{level:?} {x} {value:e}");
            }
        }
    }

    #[test]
    fn folding_visits_every_pair_once_and_in_order() {
        let values: Vec<f64> = (0..150).map(f64::from).collect();
        let rows = Rows::new(&values, 1);
        let others = [&[1.0][..], &[10.0], &[100.0]];
        let folded = fold_columns(&Linear, rows, &others, (0, 0.0), |(next, sum), position, value| {
            assert_eq!(next, position);
            (position + 1, sum + value)
        });
        let expected: Vec<(usize, f64)> = values.iter().map(|value| (3, 111.0 * value)).collect();
        assert_eq!(folded, expected);
    }

    #[test]
    fn a_custom_kernel_is_evaluated_pair_by_pair() {
        struct First;
        impl Kernel<f64> for First {
            fn evaluate(&self, x: &[f64], y: &[f64]) -> f64 {
                x[0] + 10.0 * y[0]
            }
        }
        let mut values = [0.0; 2];
        column(&First, Rows::new(&[1.0, 9.0, 2.0, 9.0], 2), &[3.0, 9.0], &mut values);
        assert_eq!(values, [31.0, 32.0]);
    }
}
