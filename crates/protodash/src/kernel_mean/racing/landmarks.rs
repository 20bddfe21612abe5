//! Features of rows from random landmarks: the part of the kernel whose mean is known exactly.
//!
//! The features ψ(x) are the coordinates of x in feature space along a few directions spanned by the landmarks, so that ψ(x)ᵀψ(y)
//! is the kernel of an orthogonal projection and what it leaves, k(x, y) − ψ(x)ᵀψ(y), is positive semi-definite.

use rand::seq::index;
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

use super::rank::cheapest_rank;
use crate::factor::Factor;
use crate::kernel::{Kernel, loop_formula};
use crate::kernel_mean::column;
use crate::kernel_mean::fused::{FeatureMap, ROWS_AT_A_TIME, feature_map};
use crate::parallel;
use crate::rows::{Rows, Scalar, product};
use crate::simd::{InstructionSet, Simd, Visitor, Work};

/// Source rows that are landmarks.
pub(super) const N_LANDMARKS: usize = 500;
/// Directions that features are coordinates along, at most.
pub(super) const N_FEATURES: usize = 96;
/// Features are kept or dropped by so many.
pub(super) const FEATURE_STEP: usize = 12;
/// Source rows that tell how many features to keep.
const N_CHECKED: usize = 192;
/// Multiplications by the landmarks' Gram matrix that turn random directions towards the leading ones.
const N_ITERATIONS: usize = 4;
/// Directions with less than this part of the largest diagonal entry are left out: their coordinates would be rounding.
const MIN_RELATIVE_PIVOT: f64 = 1e-8;

/// ψ(x) = A k_Z(x) for landmarks Z.
///
/// # Formula
///
/// ```text
/// A = R⁻¹ Wᵀ,  Wᵀ K_Z W = R Rᵀ
/// ```
///
/// with any W; its columns here are close to the leading eigenvectors of K_Z, the directions in which the landmarks vary most.
pub(crate) struct LandmarkFeatures<T> {
    landmarks: Vec<T>,
    n_columns: usize,
    /// A, one row for each feature.
    coefficients: Vec<f64>,
    n_features: usize,
    /// The map in register tiles; `None` for kernels that have no fused loops.
    fused: Option<Box<dyn FeatureMap<T>>>,
}

impl<T: Scalar> LandmarkFeatures<T> {
    /// Features from random rows of the source.
    pub(crate) fn new(kernel: &dyn Kernel<T>, source: Rows<'_, T>, seed: u64) -> Self {
        let mut generator = ChaCha8Rng::seed_from_u64(seed);
        let n_landmarks = N_LANDMARKS.min(source.n_rows());
        let n_drawn = source.n_rows().min(n_landmarks + N_CHECKED);
        let mut drawn = index::sample(&mut generator, source.n_rows(), n_drawn).into_vec();
        let checked = drawn.split_off(n_landmarks);
        drawn.sort_unstable();
        let landmarks: Vec<T> = drawn.iter().flat_map(|row| source.row(*row)).copied().collect();
        let rows = Rows::new(&landmarks, source.n_columns());
        let gram = parallel::map(0..n_landmarks, |landmark| {
            let mut values = vec![0.0; n_landmarks];
            column(kernel, rows, rows.row(landmark), &mut values);
            values
        });
        let coefficients = coefficients(&gram, &mut generator);
        let mut features = LandmarkFeatures {
            n_columns: rows.n_columns(),
            n_features: coefficients.len() / n_landmarks,
            landmarks,
            coefficients,
            fused: None,
        };
        if checked.len() == N_CHECKED {
            features.drop_features(kernel, source, &checked);
        }
        features.fused = features.fused(kernel);
        features
    }

    /// Drops the last features, if a race is expected to be cheaper without them.
    fn drop_features(&mut self, kernel: &dyn Kernel<T>, source: Rows<'_, T>, checked: &[usize]) {
        let values: Vec<T> = checked.iter().flat_map(|row| source.row(*row)).copied().collect();
        let rows = Rows::new(&values, source.n_columns());
        let of_rows = self.map(kernel, rows, |_, features| features.to_vec());
        self.n_features = cheapest_rank(kernel, rows, &of_rows);
        self.coefficients.truncate(self.n_features * self.n_landmarks());
    }

    /// The map in register tiles, for a kernel that has them.
    fn fused(&self, kernel: &dyn Kernel<T>) -> Option<Box<dyn FeatureMap<T>>> {
        let formula = loop_formula(kernel).filter(|_| self.n_features > 0)?;
        feature_map(formula, Rows::new(&self.landmarks, self.n_columns), &self.coefficients)
    }

    /// Number of features; 0 if every landmark has a similarity of 0 to itself.
    pub(crate) fn n_features(&self) -> usize {
        self.n_features
    }

    /// Number of landmarks, each of which takes a kernel value for each row.
    pub(super) fn n_landmarks(&self) -> usize {
        self.landmarks.len() / self.n_columns
    }

    /// Calls `visit` with the number of each row and its features, for some rows at a time in parallel; returns what it does
    /// in the order of the rows.
    pub(crate) fn map<A: Send>(
        &self,
        kernel: &dyn Kernel<T>,
        rows: Rows<'_, T>,
        visit: impl Fn(usize, &[f64]) -> A + Sync,
    ) -> Vec<A> {
        let n_chunks = rows.n_rows().div_ceil(ROWS_AT_A_TIME);
        let visited = parallel::map(0..n_chunks, |chunk| self.visit_chunk(kernel, rows, chunk, &visit));
        visited.into_iter().flatten().collect()
    }

    /// Writes the features of all rows, rounded to f32; a zero for each row if there are none.
    pub(super) fn write(&self, kernel: &dyn Kernel<T>, rows: Rows<'_, T>, places: &mut [f32]) {
        let width = self.n_features.max(1);
        parallel::map_chunks(places, ROWS_AT_A_TIME * width, |chunk, places| {
            let first = chunk * ROWS_AT_A_TIME;
            self.write_few(kernel, rows.slice(first..rows.n_rows().min(first + ROWS_AT_A_TIME)), places);
        });
    }

    /// The same for some rows of a matrix.
    pub(super) fn write_some(&self, kernel: &dyn Kernel<T>, matrix: Rows<'_, T>, rows: &[usize], places: &mut [f32]) {
        let width = self.n_features.max(1);
        parallel::map_chunks(places, ROWS_AT_A_TIME * width, |chunk, places| {
            let rows = rows.iter().skip(chunk * ROWS_AT_A_TIME).take(ROWS_AT_A_TIME);
            let values: Vec<T> = rows.flat_map(|row| matrix.row(*row)).copied().collect();
            self.write_few(kernel, Rows::new(&values, matrix.n_columns()), places);
        });
    }

    fn write_few(&self, kernel: &dyn Kernel<T>, rows: Rows<'_, T>, places: &mut [f32]) {
        let features = self.of_few(kernel, rows);
        for (row, places) in places.chunks_exact_mut(self.n_features.max(1)).enumerate() {
            places.iter_mut().zip(&features).for_each(|(place, along)| *place = along[row] as f32);
        }
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
        let mut features = vec![[0.0; ROWS_AT_A_TIME]; self.n_features];
        if let Some(fused) = &self.fused {
            fused.features(rows, &mut features);
            return features;
        }
        let landmarks = Rows::new(&self.landmarks, self.n_columns);
        let mut similarities = vec![[0.0; ROWS_AT_A_TIME]; landmarks.n_rows()];
        for (landmark, values) in landmarks.iter().zip(&mut similarities) {
            column(kernel, rows, landmark, &mut values[..rows.n_rows()]);
        }
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

/// Rows whose features are summed in registers.
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

/// A, row after row; empty if the Gram matrix is 0.
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
        if schur > MIN_RELATIVE_PIVOT * largest {
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
    parallel::map(0..vectors.len(), |place| matrix.iter().map(|row| product(&row[..], &vectors[place])).collect())
}

/// Orthonormal vectors with the same span, by Gram and Schmidt, twice for accuracy; those that vanish are left out.
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
    use crate::kernel::{Gaussian, Laplacian, Polynomial};

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

    /// The map in register tiles and the one by columns give the same features, also for rows far from the landmarks.
    #[test]
    fn the_fused_map_agrees_with_the_plain_one() {
        fn check<T: Scalar>(rows: Rows<'_, T>) {
            let kernels: [&dyn Kernel<T>; 3] =
                [&Gaussian::new(0.7).unwrap(), &Laplacian::new(2.0).unwrap(), &Polynomial::new(2, 0.7, 1.0).unwrap()];
            for kernel in kernels {
                let mut features = LandmarkFeatures::new(kernel, rows.slice(0..1500), 7);
                let of_row = |_: usize, features: &[f64]| features.to_vec();
                let fused = features.map(kernel, rows, of_row);
                assert!(features.fused.take().is_some());
                let plain = features.map(kernel, rows, of_row);
                for (row, (fused, plain)) in fused.iter().zip(&plain).enumerate() {
                    let length = kernel.evaluate(rows.row(row), rows.row(row)).sqrt();
                    let distance: f64 = fused.iter().zip(plain).map(|(a, b)| (a - b).powi(2)).sum::<f64>().sqrt();
                    assert!(distance <= 1e-7 * length, "row {row}: {distance:e}");
                }
                let few = rows.slice(3..8);
                features.fused = features.fused(kernel);
                assert_eq!(features.map(kernel, few, of_row), fused[3..8]);
            }
        }
        let mut values = random(4 * 1563, 3);
        // Out of reach of the landmarks' centre.
        values[4 * 1540..4 * 1542].fill(3e7);
        check(Rows::new(&values, 4));
        let single: Vec<f32> = values.iter().map(|value| *value as f32).collect();
        check(Rows::new(&single, 4));
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
