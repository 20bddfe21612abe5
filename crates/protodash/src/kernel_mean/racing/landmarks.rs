//! Features of rows from random landmarks: the part of the kernel whose mean is known exactly.
//!
//! The features ψ(x) are the coordinates of x in feature space along a few directions spanned by the landmarks, so that ψ(x)ᵀψ(y)
//! is the kernel of an orthogonal projection and the residual, k(x, y) − ψ(x)ᵀψ(y), is positive semi-definite.

use rand::seq::index;
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use rayon::prelude::*;

use crate::factor::Factor;
use crate::kernel::Kernel;
use crate::kernel_mean::column;
use crate::rows::{Rows, Scalar, product};
use crate::simd::{InstructionSet, Simd, Visitor, Work};

/// Maximum number of landmarks.
pub(super) const N_LANDMARKS: usize = 500;
/// Maximum number of features.
pub(super) const N_FEATURES: usize = 64;
/// Subspace iterations, which turn random directions towards the leading eigenvectors of the landmarks' Gram matrix.
const N_ITERATIONS: usize = 4;
/// Directions with less than this fraction of the largest diagonal entry are dropped: their coordinates would be rounding errors.
const LEAST_PART: f64 = 1e-8;
/// Rows per chunk. Results do not depend on it.
const ROWS_AT_A_TIME: usize = 32;

/// ψ(x) = A k_Z(x) for landmarks Z.
///
/// # Formula
///
/// ```text
/// A = R⁻¹ Wᵀ,  Wᵀ K_Z W = R Rᵀ
/// ```
///
/// with any W; its columns here are close to the leading eigenvectors of K_Z, the directions in which the landmarks vary most.
#[derive(Debug, Clone)]
pub(crate) struct LandmarkFeatures<T> {
    landmarks: Vec<T>,
    n_columns: usize,
    /// A, one row for each feature.
    coefficients: Vec<f64>,
    n_features: usize,
}

impl<T: Scalar> LandmarkFeatures<T> {
    /// Features from random rows of the source.
    pub(crate) fn new(kernel: &dyn Kernel<T>, source: Rows<'_, T>, seed: u64) -> Self {
        let mut generator = ChaCha8Rng::seed_from_u64(seed);
        let n_landmarks = N_LANDMARKS.min(source.n_rows());
        let mut drawn = index::sample(&mut generator, source.n_rows(), n_landmarks).into_vec();
        drawn.sort_unstable();
        let landmarks: Vec<T> = drawn.iter().flat_map(|row| source.row(*row)).copied().collect();
        let rows = Rows::new(&landmarks, source.n_columns());
        let gram: Vec<Vec<f64>> = rows
            .values()
            .par_chunks_exact(rows.n_columns())
            .map(|y| {
                let mut values = vec![0.0; n_landmarks];
                column(kernel, rows, y, &mut values);
                values
            })
            .collect();
        let coefficients = coefficients(&gram, &mut generator);
        let n_features = coefficients.len() / n_landmarks;
        LandmarkFeatures { n_columns: rows.n_columns(), landmarks, coefficients, n_features }
    }

    /// Number of features; 0 if every landmark has a similarity of 0 to itself.
    pub(crate) fn n_features(&self) -> usize {
        self.n_features
    }

    /// Number of landmarks: the features of a row cost this many kernel values.
    pub(super) fn n_landmarks(&self) -> usize {
        self.landmarks.len() / self.n_columns
    }

    /// Calls `visit` with the index and the features of each row, in parallel; the results are in the order of the rows.
    pub(crate) fn map<A: Send>(
        &self,
        kernel: &dyn Kernel<T>,
        rows: Rows<'_, T>,
        visit: impl Fn(usize, &[f64]) -> A + Sync,
    ) -> Vec<A> {
        let chunks = (0..rows.n_rows().div_ceil(ROWS_AT_A_TIME)).into_par_iter();
        let visited = chunks.map(|chunk| self.visit_chunk(kernel, rows, chunk, &visit));
        visited.flatten_iter().collect()
    }

    /// The same, and stores the features in f32; one zero per row if there are no features.
    pub(super) fn map_into<A: Send>(
        &self,
        kernel: &dyn Kernel<T>,
        rows: Rows<'_, T>,
        kept: &mut Vec<f32>,
        visit: impl Fn(usize, &[f64]) -> A + Sync,
    ) -> Vec<A> {
        let width = self.n_features.max(1);
        kept.clear();
        kept.resize(rows.n_rows() * width, 0.0);
        let chunks = kept.par_chunks_mut(ROWS_AT_A_TIME * width).enumerate().map(|(chunk, kept)| {
            let mut kept = kept.chunks_exact_mut(width);
            self.visit_chunk(kernel, rows, chunk, |row, features| {
                let places = kept.next().unwrap_or_default();
                places.iter_mut().zip(features).for_each(|(place, feature)| *place = *feature as f32);
                visit(row, features)
            })
        });
        chunks.flatten_iter().collect()
    }

    fn visit_chunk<A>(
        &self,
        kernel: &dyn Kernel<T>,
        rows: Rows<'_, T>,
        chunk: usize,
        mut visit: impl FnMut(usize, &[f64]) -> A,
    ) -> Vec<A> {
        let first = chunk * ROWS_AT_A_TIME;
        let some = rows.slice(first..rows.n_rows().min(first + ROWS_AT_A_TIME));
        let features = self.of_few(kernel, some);
        let mut of_row = vec![0.0; self.n_features];
        let visited = (0..some.n_rows()).map(|row| {
            for (place, along) in of_row.iter_mut().zip(&features) {
                *place = along[row];
            }
            visit(first + row, &of_row)
        });
        visited.collect()
    }

    /// The features of at most [`ROWS_AT_A_TIME`] rows: for each feature, one value per row.
    fn of_few(&self, kernel: &dyn Kernel<T>, rows: Rows<'_, T>) -> Vec<[f64; ROWS_AT_A_TIME]> {
        let landmarks = Rows::new(&self.landmarks, self.n_columns);
        let mut similarities = vec![[0.0; ROWS_AT_A_TIME]; landmarks.n_rows()];
        for (landmark, values) in landmarks.iter().zip(&mut similarities) {
            column(kernel, rows, landmark, &mut values[..rows.n_rows()]);
        }
        let mut features = vec![[0.0; ROWS_AT_A_TIME]; self.n_features];
        InstructionSet::best().visit_f64(Project {
            coefficients: &self.coefficients,
            similarities: &similarities,
            features: &mut features,
        });
        features
    }
}

/// features = coefficients · similarities.
struct Project<'a> {
    coefficients: &'a [f64],
    similarities: &'a [[f64; ROWS_AT_A_TIME]],
    features: &'a mut [[f64; ROWS_AT_A_TIME]],
}

impl Visitor<f64> for Project<'_> {
    type Output = ();

    fn visit<S: Simd<Element = f64>>(self, simd: S) {
        simd.run(self);
    }
}

/// Rows whose sums are held in registers.
const STRIPE: usize = 16;

impl<S: Simd<Element = f64>> Work<S> for Project<'_> {
    type Output = ();

    #[inline(always)]
    fn work(self, simd: S) {
        let n_landmarks = self.similarities.len();
        let mut pairs = self.features.chunks_mut(2).zip(self.coefficients.chunks(2 * n_landmarks));
        for (features, coefficients) in &mut pairs {
            let (first, second) = coefficients.split_at(n_landmarks);
            for start in (0..ROWS_AT_A_TIME).step_by(STRIPE) {
                let mut sums = [[0.0; STRIPE]; 2];
                for (landmark, similarities) in self.similarities.iter().enumerate() {
                    let similarities = &similarities[start..start + STRIPE];
                    let (a, b) = (first[landmark], second.get(landmark).copied().unwrap_or(0.0));
                    for (place, &similarity) in similarities.iter().enumerate() {
                        sums[0][place] = simd.mul_add_one(a, similarity, sums[0][place]);
                        sums[1][place] = simd.mul_add_one(b, similarity, sums[1][place]);
                    }
                }
                for (features, sums) in features.iter_mut().zip(sums) {
                    features[start..start + STRIPE].copy_from_slice(&sums);
                }
            }
        }
    }
}

/// A, row-major; empty if the Gram matrix is 0.
fn coefficients(gram: &[Vec<f64>], generator: &mut ChaCha8Rng) -> Vec<f64> {
    let n = gram.len();
    let n_directions = N_FEATURES.min(n);
    let mut directions: Vec<Vec<f64>> =
        (0..n_directions).map(|_| (0..n).map(|_| generator.random_range(-1.0..1.0)).collect()).collect();
    for _ in 0..N_ITERATIONS {
        directions = orthonormal(times(gram, &directions));
    }
    let images = times(gram, &directions);
    let largest = directions.iter().zip(&images).map(|(w, image)| product(w, image)).fold(0.0, f64::max);
    let mut factor = Factor::default();
    let mut kept: Vec<usize> = Vec::new();
    for (place, image) in images.iter().enumerate() {
        let similarities: Vec<f64> = kept.iter().map(|other| product(&directions[*other][..], image)).collect();
        let reduced = factor.reduce(&similarities);
        let schur = product(&directions[place][..], image) - product(&reduced[..], &reduced);
        if schur > LEAST_PART * largest {
            factor.push(&reduced, schur);
            kept.push(place);
        }
    }
    // R⁻¹ Wᵀ by forward substitution, one landmark at a time.
    let mut coefficients = vec![0.0; kept.len() * n];
    for landmark in 0..n {
        let column: Vec<f64> = kept.iter().map(|place| directions[*place][landmark]).collect();
        for (feature, value) in factor.reduce(&column).into_iter().enumerate() {
            coefficients[feature * n + landmark] = value;
        }
    }
    coefficients
}

/// The matrix times each vector.
fn times(matrix: &[Vec<f64>], vectors: &[Vec<f64>]) -> Vec<Vec<f64>> {
    vectors.par_iter().map(|vector| matrix.iter().map(|row| product(&row[..], vector)).collect()).collect()
}

/// Orthonormal vectors with the same span, by Gram–Schmidt repeated for accuracy; vectors that vanish are dropped.
fn orthonormal(vectors: Vec<Vec<f64>>) -> Vec<Vec<f64>> {
    let mut basis: Vec<Vec<f64>> = Vec::with_capacity(vectors.len());
    for mut vector in vectors {
        let before = product(&vector[..], &vector).sqrt();
        for _ in 0..2 {
            for other in &basis {
                let along = product(&other[..], &vector);
                vector.iter_mut().zip(other).for_each(|(value, other)| *value -= along * other);
            }
        }
        let length = product(&vector[..], &vector).sqrt();
        if length > 1e-10 * before {
            vector.iter_mut().for_each(|value| *value /= length);
            basis.push(vector);
        }
    }
    basis
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::kernel::{Gaussian, Polynomial};

    fn random(n_values: usize, seed: u64) -> Vec<f64> {
        let mut generator = ChaCha8Rng::seed_from_u64(seed);
        (0..n_values).map(|_| generator.random_range(-1.0..1.0)).collect()
    }

    /// The residual kernel of some rows has no negative eigenvalue: its Cholesky factor exists up to rounding.
    #[test]
    fn what_the_features_leave_is_positive_semi_definite() {
        let values = random(3 * 900, 1);
        let rows = Rows::new(&values, 3);
        let kernels: [&dyn Kernel<f64>; 2] = [&Gaussian::new(0.4).unwrap(), &Polynomial::new(3, 0.7, 1.0).unwrap()];
        for kernel in kernels {
            let features = LandmarkFeatures::new(kernel, rows, 7);
            let some = rows.slice(0..120);
            let mapped = features.map(kernel, some, |row, features| (row, features.to_vec()));
            assert!(mapped.iter().enumerate().all(|(place, (row, _))| place == *row));
            let residual = |i: usize, j: usize| {
                kernel.evaluate(some.row(i), some.row(j)) - product(&mapped[i].1[..], &mapped[j].1)
            };
            let jitter = 1e-9;
            let mut factor = Factor::default();
            for i in 0..120 {
                let similarities: Vec<f64> = (0..i).map(|j| residual(i, j)).collect();
                let reduced = factor.reduce(&similarities);
                let schur = residual(i, i) + jitter - product(&reduced[..], &reduced);
                assert!(schur > 0.0, "{schur}");
                factor.push(&reduced, schur);
            }
        }
    }

    #[test]
    fn a_wide_kernel_leaves_little() {
        let values = random(2 * 2000, 2);
        let rows = Rows::new(&values, 2);
        let kernel = Gaussian::new(1.0).unwrap();
        let features = LandmarkFeatures::new(&kernel, rows, 0);
        let left = features.map(&kernel, rows, |_, features| 1.0 - product(features, features));
        assert!(left.iter().all(|left| (-1e-9..1e-3).contains(left)), "{:?}", left.iter().copied().fold(0.0, f64::max));
    }

    #[test]
    fn copies_and_rows_of_zeros_do_no_harm() {
        let values = vec![0.0; 60];
        let rows = Rows::new(&values, 2);
        let features = LandmarkFeatures::new(&Gaussian::new(1.0).unwrap(), rows, 0);
        assert_eq!(features.n_features(), 1);
        let none = LandmarkFeatures::new(&crate::kernel::Linear, rows, 0);
        assert_eq!(none.n_features(), 0);
        assert_eq!(none.map(&crate::kernel::Linear, rows, |_, features| features.len()), vec![0; 30]);
    }
}
