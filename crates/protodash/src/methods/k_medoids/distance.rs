//! Distances of rows from the candidates for medoids.
//!
//! They come from a matrix if it fits in memory and are otherwise computed on demand, with bit-identical values.

use std::ops::Range;

use crate::error::{Result, Role};
use crate::kernel::{BuiltInKernel, Distance, Kernel, Polynomial};
use crate::kernel_mean::column::column;
use crate::observe::{Observer, Stage, check_cancelled};
use crate::parallel;
use crate::rows::{Rows, Scalar, cosine, hamming_distance, length, manhattan_distance, squared_distance};
use crate::simd::{InstructionSet, Simd, Visitor, Work};

/// Distances × columns between two calls of the observer, for each thread.
const WORK_PER_ROUND: usize = 200_000_000;

/// The rows to be covered, with their weights, and the rows that medoids are chosen from.
pub(crate) struct CoverProblem<'a, T: Scalar> {
    pub(crate) kernel: &'a dyn Kernel<T>,
    pub(crate) rows: Rows<'a, T>,
    pub(crate) weights: Vec<f64>,
    /// `None` if they are the rows to be covered.
    pub(crate) candidates: Option<Rows<'a, T>>,
}

/// The distances of rows from candidates.
pub(crate) struct Distances<'a, T: Scalar> {
    kernel: &'a dyn Kernel<T>,
    rows: Rows<'a, T>,
    candidates: Rows<'a, T>,
    /// Whether the candidates are the rows.
    is_symmetric: bool,
    /// Row weights.
    weights: Vec<f64>,
    distance: Distance,
    /// The kernel if it is a polynomial, whose distances in feature space can be computed without cancellation.
    polynomial: Option<Polynomial>,
    /// k(x, x) for the distance in feature space, ‖x‖ for the cosine; otherwise empty.
    own: Vec<f64>,
    /// `own` of the candidates; empty if they are the rows.
    own_of_candidates: Vec<f64>,
    /// The distances of all rows from candidate i, for every i.
    matrix: Option<Vec<f64>>,
}

impl<'a, T: Scalar> Distances<'a, T> {
    /// Computes the matrix if it takes no more than `memory` bytes.
    pub(crate) fn new(problem: CoverProblem<'a, T>, memory: u64, observer: &mut dyn Observer) -> Result<Self> {
        let CoverProblem { kernel, rows, weights, candidates } = problem;
        let distance = Distance::of(kernel);
        let polynomial = match kernel.built_in() {
            Some(BuiltInKernel::Polynomial(polynomial)) => Some(polynomial),
            _ => None,
        };
        let own = own_values(kernel, distance, rows);
        let own_of_candidates = candidates.map_or_else(Vec::new, |rows| own_values(kernel, distance, rows));
        let (is_symmetric, candidates) = (candidates.is_none(), candidates.unwrap_or(rows));
        let mut distances = Distances {
            kernel,
            rows,
            candidates,
            is_symmetric,
            weights,
            distance,
            polynomial,
            own,
            own_of_candidates,
            matrix: None,
        };
        let n_distances = rows.n_rows() as u128 * candidates.n_rows() as u128;
        if n_distances * size_of::<f64>() as u128 <= u128::from(memory) {
            distances.matrix = Some(distances.compute_matrix(observer)?);
        }
        Ok(distances)
    }

    fn compute_matrix(&self, observer: &mut dyn Observer) -> Result<Vec<f64>> {
        let (n_rows, n_candidates) = (self.rows.n_rows(), self.candidates.n_rows());
        let mut matrix = vec![0.0; n_rows * n_candidates];
        let work = n_rows * self.rows.n_columns();
        let per_round = rayon::current_num_threads() * (WORK_PER_ROUND / work).max(1);
        for (round, part) in matrix.chunks_mut(per_round * n_rows).enumerate() {
            let first = round * per_round;
            check_cancelled(observer.on_progress(Stage::Distances, first as u64, n_candidates as u64))?;
            parallel::map_chunks(part, n_rows, |index, values| self.compute(first + index, 0..n_rows, values));
        }
        Ok(matrix)
    }

    pub(super) fn n_rows(&self) -> usize {
        self.rows.n_rows()
    }

    pub(super) fn n_candidates(&self) -> usize {
        self.candidates.n_rows()
    }

    /// The role of the rows, for error messages.
    pub(super) fn role(&self) -> Role {
        if self.is_symmetric { Role::Source } else { Role::Target }
    }

    pub(super) fn weights(&self) -> &[f64] {
        &self.weights
    }

    /// Distances between two calls of the observer.
    pub(super) fn per_round(&self) -> usize {
        let work = if self.matrix.is_some() { 1 } else { self.rows.n_columns() };
        (WORK_PER_ROUND / 10 / work).max(1)
    }

    /// The distances of candidate `from` from each row of a block, computed into `values` if there is no matrix.
    pub(super) fn column<'b>(&'b self, from: usize, block: Range<usize>, values: &'b mut Vec<f64>) -> &'b [f64] {
        match &self.matrix {
            Some(matrix) => &matrix[from * self.rows.n_rows()..][block],
            None => {
                values.resize(block.len(), 0.0);
                self.compute(from, block, values);
                values
            }
        }
    }

    /// The distance of candidate `from` from row `to`: one value of the column.
    pub(crate) fn pair(&self, from: usize, to: usize) -> f64 {
        match &self.matrix {
            Some(matrix) => matrix[from * self.rows.n_rows() + to],
            None => {
                let mut value = [0.0];
                self.compute(from, to..to + 1, &mut value);
                value[0]
            }
        }
    }

    fn compute(&self, from: usize, block: Range<usize>, values: &mut [f64]) {
        let (rows, y) = (self.rows.slice(block.clone()), self.candidates.row(from));
        if let Some(sparse) = self.kernel.sparse() {
            return sparse.distances(rows, y, values);
        }
        match self.distance {
            Distance::FeatureSpace if self.polynomial.is_some() => {
                let Some(polynomial) = self.polynomial else { return };
                let squared = |x: &[T]| polynomial.squared_feature_distance(x, y);
                rows.iter().zip(&mut *values).for_each(|(x, value)| *value = at_least_0(squared(x)).sqrt());
            }
            Distance::FeatureSpace => {
                column(self.kernel, rows, y, values);
                let (pairs, other) = (values.iter_mut().zip(&self.own[block.clone()]), self.own_of(from));
                pairs.for_each(|(value, own)| *value = at_least_0(own + other - 2.0 * *value).sqrt());
            }
            Distance::Cosine => {
                let lengths = (&self.own[block.clone()], self.own_of(from));
                InstructionSet::best().visit_f64(RowAngles { rows, y, values: &mut *values, lengths });
            }
            distance => InstructionSet::best().visit_f64(RowDistances { rows, y, values: &mut *values, distance }),
        }
        if self.is_symmetric && block.contains(&from) {
            // Exactly 0 despite rounding, even for a row of zeros.
            values[from - block.start] = 0.0;
        }
    }

    /// The entry of `own` for a candidate.
    fn own_of(&self, candidate: usize) -> f64 {
        if self.is_symmetric { self.own[candidate] } else { self.own_of_candidates[candidate] }
    }
}

/// What the distances need to know about each row on its own; empty if nothing.
fn own_values<T: Scalar>(kernel: &dyn Kernel<T>, distance: Distance, rows: Rows<'_, T>) -> Vec<f64> {
    let own_value = |row: usize| match distance {
        Distance::FeatureSpace => {
            // By the same loop as all other values, so that copies of a row are at distance 0 from it.
            let mut value = [0.0];
            column(kernel, rows.slice(row..row + 1), rows.row(row), &mut value);
            value[0]
        }
        _ => length(rows.row(row)),
    };
    let needed = matches!(distance, Distance::FeatureSpace | Distance::Cosine) && kernel.sparse().is_none();
    if needed { parallel::map(0..rows.n_rows(), own_value) } else { Vec::new() }
}

/// 1 − cos of each row of a block and another, from their lengths.
struct RowAngles<'a, T> {
    rows: Rows<'a, T>,
    y: &'a [T],
    values: &'a mut [f64],
    lengths: (&'a [f64], f64),
}

impl<T: Scalar> Visitor<f64> for RowAngles<'_, T> {
    type Output = ();

    fn visit<S: Simd<Element = f64>>(self, simd: S) {
        simd.run(self);
    }
}

impl<S: Simd<Element = f64>, T: Scalar> Work<S> for RowAngles<'_, T> {
    type Output = ();

    #[inline(always)]
    fn work(self, _: S) {
        let RowAngles { rows, y, values, lengths: (lengths, other) } = self;
        for ((x, value), &length) in rows.iter().zip(values).zip(lengths) {
            // Two rows of zeros are at distance 0.
            let are_zeros = length == 0.0 && other == 0.0;
            *value = if are_zeros { 0.0 } else { at_least_0(1.0 - cosine(x, y, (length, other))) };
        }
    }
}

/// Replaces negative values, which are rounding, by 0; keeps NaN, which the caller reports.
fn at_least_0(value: f64) -> f64 {
    if value < 0.0 { 0.0 } else { value }
}

/// Sums over the columns of a pair of rows, for each row of a block, with the best available instructions.
struct RowDistances<'a, T> {
    rows: Rows<'a, T>,
    y: &'a [T],
    values: &'a mut [f64],
    distance: Distance,
}

impl<T: Scalar> Visitor<f64> for RowDistances<'_, T> {
    type Output = ();

    fn visit<S: Simd<Element = f64>>(self, simd: S) {
        simd.run(self);
    }
}

impl<S: Simd<Element = f64>, T: Scalar> Work<S> for RowDistances<'_, T> {
    type Output = ();

    #[inline(always)]
    fn work(self, _: S) {
        let y = self.y;
        match self.distance {
            Distance::Manhattan => self.each(|x| manhattan_distance(x, y)),
            Distance::Hamming => self.each(|x| hamming_distance(x, y) / y.len() as f64),
            Distance::Euclidean | Distance::Cosine | Distance::FeatureSpace => {
                self.each(|x| squared_distance(x, y).sqrt())
            }
        }
    }
}

impl<T: Scalar> RowDistances<'_, T> {
    #[inline(always)]
    fn each(self, value_of: impl Fn(&[T]) -> f64) {
        self.rows.iter().zip(self.values).for_each(|(x, value)| *value = value_of(x));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::kernel::{Cosine, Gaussian, Hamming, Laplacian, Linear, Polynomial};
    use crate::observe::Unobserved;

    fn distance(kernel: &dyn Kernel<f64>, x: [f64; 2], y: [f64; 2]) -> f64 {
        let values = [x, y].concat();
        let by = |memory: u64| {
            let weights = vec![1.0; values.len() / 2];
            let problem = CoverProblem { kernel, rows: Rows::new(&values, 2), weights, candidates: None };
            Distances::new(problem, memory, &mut Unobserved).unwrap()
        };
        let (matrix, none) = (by(32), by(31));
        assert!(matrix.matrix.is_some() && none.matrix.is_none());
        assert_eq!((none.pair(0, 0), none.pair(1, 1)), (0.0, 0.0));
        assert_eq!(matrix.pair(0, 1).to_bits(), none.pair(0, 1).to_bits());
        assert_eq!(none.pair(1, 0), none.pair(0, 1));
        for memory in [32, 0] {
            let (rows, candidates) = (Rows::new(&x, 2), Some(Rows::new(&values, 2)));
            let across = CoverProblem { kernel, rows, weights: vec![1.0], candidates };
            let across = Distances::new(across, memory, &mut Unobserved).unwrap();
            assert_eq!([across.pair(0, 0), across.pair(1, 0)], [none.pair(0, 0), none.pair(1, 0)]);
        }
        none.pair(0, 1)
    }

    #[test]
    fn every_kernel_has_its_distance() {
        assert_eq!(distance(&Gaussian::new(0.1).unwrap(), [0.0, 0.0], [3.0, 4.0]), 5.0);
        assert_eq!(distance(&Linear, [1.0, 0.0], [4.0, 4.0]), 5.0);
        assert_eq!(distance(&Laplacian::new(9.0).unwrap(), [0.0, 0.0], [3.0, -4.0]), 7.0);
        assert_eq!(distance(&Hamming, [1.0, 2.0], [1.0, 3.0]), 0.5);
        assert_eq!(distance(&Cosine, [1.0, 0.0], [0.0, 2.0]), 1.0);
        assert_eq!(distance(&Cosine, [0.0, 0.0], [3.0, 4.0]), 1.0);
        assert_eq!(distance(&Cosine, [0.0, 0.0], [0.0, 0.0]), 0.0);
        // k = (xᵀy)²: 1 + 16 − 2 · 0
        assert_eq!(distance(&Polynomial::new(2, 1.0, 0.0).unwrap(), [1.0, 0.0], [0.0, 2.0]), 17.0_f64.sqrt());
    }

    #[test]
    fn polynomial_distances_of_rows_far_from_the_origin_do_not_cancel() {
        // (1 + x y)³ at 10⁶ and 10⁶ + 2⁻¹⁰: the similarities, 10³⁶, agree in all digits. The derivative of the features
        // (1, √3x, √3x², x³) at x has the length 3x² + …, so that the distance is 3 · 10¹² · 2⁻¹⁰ to six digits.
        let kernel = Polynomial::new(3, 1.0, 1.0).unwrap();
        let found = distance(&kernel, [1e6, 0.0], [1e6 + 1.0 / 1024.0, 0.0]);
        assert!((found / (3e12 / 1024.0) - 1.0).abs() < 1e-6, "{found}");
    }

    #[test]
    fn angles_of_huge_and_tiny_rows_are_accurate() {
        let ordinary = distance(&Cosine, [3.0, 4.0], [4.0, 3.0]);
        for (x, y) in [(1e200, 1e200), (1e-200, 1e-200), (1e200, 1e-200), (1e-160, 1.0), (1e154, 1e154)] {
            let found = distance(&Cosine, [3.0 * x, 4.0 * x], [4.0 * y, 3.0 * y]);
            assert!((found - ordinary).abs() < 1e-12, "{x:e} {y:e}: {found}");
        }
    }

    #[test]
    fn copies_are_at_distance_0() {
        let kernel = Polynomial::new(3, 0.7, 0.3).unwrap();
        assert_eq!(distance(&kernel, [0.1, 0.7], [0.1, 0.7]), 0.0);
    }
}
