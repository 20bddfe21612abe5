//! The similarities of one row to many, in f64: what a step of the search computes.
//!
//! Distances come from differences here: one row is read against each, so that memory is the limit and exactness is
//! free. The sums over the columns are those of [`Kernel::evaluate`] to the last bit.

use super::fused::{Curve, Exponential, Formula, InverseMultiquadric, Matern32, Matern52, Plan, Power, Profile, Sum};
use crate::kernel::{Form, Kernel};
use crate::rows::{Rows, Scalar, hamming_distance, manhattan_distance, product, squared_distance};
use crate::simd::{Aligned, Level, Simd, Visitor, Work};

/// Writes k(x, y) for each row x.
///
/// Equal to [`evaluate`](Kernel::evaluate) up to the rounding of the curve: 1e-15 · (2 + |ln k|) relative to k. A value
/// does not depend on which other rows there are. Reads each row once and allocates nothing.
///
/// # Panics
///
/// If there are not as many values as rows.
pub(crate) fn column<T: Scalar, K: Kernel<T> + ?Sized>(kernel: &K, rows: Rows<'_, T>, y: &[T], values: &mut [f64]) {
    column_at(Level::best(), kernel, rows, y, values);
}

fn column_at<T: Scalar, K: Kernel<T> + ?Sized>(
    level: Level,
    kernel: &K,
    rows: Rows<'_, T>,
    y: &[T],
    values: &mut [f64],
) {
    assert_eq!(rows.n_rows(), values.len(), "one value for each row");
    let form = kernel.form();
    if form == Form::General {
        rows.iter().zip(values).for_each(|(x, value)| *value = kernel.evaluate(x, y));
    } else {
        level.visit_f64(Column { form, rows, y, values });
    }
}

struct Column<'a, T> {
    form: Form,
    rows: Rows<'a, T>,
    y: &'a [T],
    values: &'a mut [f64],
}

impl<T: Scalar> Visitor<f64> for Column<'_, T> {
    type Output = ();

    fn visit<S: Simd<Element = f64>>(self, simd: S) {
        simd.run(self);
    }
}

impl<S: Simd<Element = f64>, T: Scalar> Work<S> for Column<'_, T> {
    type Output = ();

    #[inline(always)]
    fn work(self, simd: S) {
        let y = self.y;
        match (self.form, Plan::of(self.form)) {
            (_, Some(plan)) => match plan.plain.sum {
                Sum::Products => self.along(simd, plan.plain, |x| product(x, y)),
                Sum::SquaredDifferences => self.along(simd, plan.plain, |x| squared_distance(x, y)),
                Sum::AbsoluteDifferences => self.along(simd, plan.plain, |x| manhattan_distance(x, y)),
            },
            (Form::Hamming, None) => self.each(|x| 1.0 - hamming_distance(x, y) / y.len() as f64),
            (Form::Cosine, None) => {
                let length = product(y, y).sqrt();
                self.each(|x| {
                    let lengths = product(x, x).sqrt() * length;
                    if lengths > 0.0 { product(x, y) / lengths } else { 0.0 }
                });
            }
            // What is left is the linear kernel.
            _ => self.each(|x| product(x, y)),
        }
    }
}

impl<T: Scalar> Column<'_, T> {
    /// A value for each row by itself.
    #[inline(always)]
    fn each(self, value_of: impl Fn(&[T]) -> f64) {
        self.rows.iter().zip(self.values).for_each(|(x, value)| *value = value_of(x));
    }

    /// Sums over the columns for each row by itself, and a curve of them in vectors.
    #[inline(always)]
    fn along<S: Simd<Element = f64>>(self, simd: S, formula: Formula, sum_of: impl Fn(&[T]) -> f64) {
        match formula.curve {
            Curve::Exponential => self.along_profile(simd, formula, sum_of, Exponential),
            Curve::Matern32 => self.along_profile(simd, formula, sum_of, Matern32),
            Curve::Matern52 => self.along_profile(simd, formula, sum_of, Matern52),
            Curve::InverseMultiquadric => self.along_profile(simd, formula, sum_of, InverseMultiquadric),
            Curve::Power(degree) => self.along_profile(simd, formula, sum_of, Power(degree)),
        }
    }

    #[inline(always)]
    fn along_profile<S: Simd<Element = f64>>(
        self,
        simd: S,
        formula: Formula,
        sum_of: impl Fn(&[T]) -> f64,
        profile: impl Profile,
    ) {
        let (slope, constant) = (simd.splat(formula.slope), simd.splat(formula.x_offset.constant));
        let mut rows = self.rows.iter();
        for values in self.values.chunks_mut(8) {
            let mut sums = Aligned([0.0; 8]);
            sums.0.iter_mut().zip(rows.by_ref().take(values.len())).for_each(|(sum, x)| *sum = sum_of(x));
            let argument = simd.mul_add(simd.load(&sums), slope, constant);
            let similarities = simd.store(profile.value(simd, argument));
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
            for level in Level::available() {
                let mut column = vec![f64::NAN; rows.n_rows()];
                column_at(level, &*kernel, rows, y, &mut column);
                for (x, value) in rows.iter().zip(column) {
                    let expected = kernel.evaluate(x, y);
                    let allowed = 1e-14 * expected.abs();
                    assert!((value - expected).abs() <= allowed, "{level:?} {:?} {value} {expected}", kernel.form());
                }
            }
        }
    }

    #[test]
    fn every_path_agrees_with_evaluating_each_row() {
        for n_columns in [1, 2, 7, 8, 9, 50, 131] {
            for n_rows in [1, 7, 8, 9, 40] {
                let values = random(n_rows * n_columns, n_columns as u64);
                check(&values, n_columns);
                check(&values.iter().map(|value| *value as f32).collect::<Vec<f32>>(), n_columns);
            }
        }
    }

    #[test]
    fn small_similarities_are_as_exact_as_their_logarithm() {
        let values: Vec<f64> = (0..1000).map(|i| f64::from(i) / 27.0).collect();
        let rows = Rows::new(&values, 1);
        let kernel = Gaussian::new(1.0).unwrap();
        for level in Level::available() {
            let mut column = vec![0.0; 1000];
            column_at(level, &kernel, rows, &[0.0], &mut column);
            for (x, value) in values.iter().zip(column) {
                let expected = (-0.5 * x * x).exp();
                assert!((value - expected).abs() <= 1e-15 * (2.0 + 0.5 * x * x) * expected, "{level:?} {x} {value:e}");
            }
        }
    }

    #[test]
    fn a_kernel_without_a_formula_is_evaluated() {
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
