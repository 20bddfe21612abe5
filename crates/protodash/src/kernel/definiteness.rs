//! Checks that a matrix can be a kernel matrix: square, finite, symmetric and positive semi-definite.

use ndarray::ArrayView2;
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

use super::matrix_problem::MatrixProblem;
use crate::parallel;

/// Rounding error of a matrix computed in f32, relative to its largest value or eigenvalue.
const TOLERANCE: f64 = 1e-6;
const MAX_ITERATIONS: usize = 64;

/// What is wrong with the matrix, unless it can be a kernel matrix.
pub(super) fn check_definite(matrix: ArrayView2<'_, f64>) -> Result<(), MatrixProblem> {
    let (rows, columns) = matrix.dim();
    if rows == 0 || columns == 0 {
        return Err(MatrixProblem::Empty { rows, columns });
    }
    if rows != columns {
        return Err(MatrixProblem::NotSquare { rows, columns });
    }
    if let Some(((row, column), value)) = matrix.indexed_iter().find(|(_, value)| !value.is_finite()) {
        return Err(MatrixProblem::NotFinite { row, column, value: value.to_string() });
    }
    check_symmetric(matrix)?;
    check_eigenvalues(matrix)
}

fn check_symmetric(matrix: ArrayView2<'_, f64>) -> Result<(), MatrixProblem> {
    let largest = matrix.iter().fold(0.0_f64, |largest, value| largest.max(value.abs()));
    for row in 0..matrix.nrows() {
        for column in row + 1..matrix.ncols() {
            let (value, mirrored) = (matrix[(row, column)], matrix[(column, row)]);
            if (value - mirrored).abs() > TOLERANCE * largest {
                return Err(MatrixProblem::NotSymmetric { row, column, value, mirrored });
            }
        }
    }
    Ok(())
}

/// Searches for a negative eigenvalue by Lanczos iteration.
///
/// Every Ritz value is a Rayleigh quotient of the matrix, so a negative one proves that the matrix is not positive
/// semi-definite. The extreme Ritz values converge first: a few dozen products with the matrix find any substantial
/// negative eigenvalue, where a factorisation would cost n³/3.
fn check_eigenvalues(matrix: ArrayView2<'_, f64>) -> Result<(), MatrixProblem> {
    let (diagonal, off_diagonal) = tridiagonalise(matrix);
    let radius = diagonal.iter().chain(&off_diagonal).fold(0.0_f64, |radius, value| radius.max(value.abs())) * 3.0;
    let smallest = kth_eigenvalue(&diagonal, &off_diagonal, 1, radius);
    let largest = kth_eigenvalue(&diagonal, &off_diagonal, diagonal.len(), radius);
    if smallest < -TOLERANCE * largest.abs().max(smallest.abs()) {
        return Err(MatrixProblem::NotPositiveSemidefinite { smallest, largest });
    }
    Ok(())
}

/// The tridiagonal matrix of Lanczos iteration with full reorthogonalisation.
fn tridiagonalise(matrix: ArrayView2<'_, f64>) -> (Vec<f64>, Vec<f64>) {
    let n = matrix.nrows();
    let mut generator = ChaCha8Rng::seed_from_u64(0);
    let mut basis = vec![normalised((0..n).map(|_| generator.random_range(-1.0..1.0)).collect())];
    let (mut diagonal, mut off_diagonal) = (Vec::new(), Vec::new());
    loop {
        let last = &basis[basis.len() - 1];
        let along = |row: usize| matrix.row(row).iter().zip(last).map(|(a, b)| a * b).sum();
        let mut next: Vec<f64> = parallel::map(0..n, along);
        let size = norm(&next);
        diagonal.push(inner(&next, last));
        // Two passes suffice: the second removes the rounding errors of the first.
        for _ in 0..2 {
            for vector in &basis {
                let overlap = inner(&next, vector);
                next.iter_mut().zip(vector).for_each(|(next, vector)| *next -= overlap * vector);
            }
        }
        let rest = norm(&next);
        if basis.len() == n.min(MAX_ITERATIONS) || rest <= 1e-12 * size {
            return (diagonal, off_diagonal);
        }
        off_diagonal.push(rest);
        basis.push(normalised(next));
    }
}

/// The `k`-th smallest eigenvalue of a symmetric tridiagonal matrix, by bisection.
fn kth_eigenvalue(diagonal: &[f64], off_diagonal: &[f64], k: usize, radius: f64) -> f64 {
    let (mut low, mut high) = (-radius, radius);
    for _ in 0..100 {
        let middle = 0.5 * (low + high);
        if eigenvalues_below(diagonal, off_diagonal, middle) >= k { high = middle } else { low = middle }
    }
    0.5 * (low + high)
}

/// Number of eigenvalues below `point`: the negative pivots of T − point·I (Sylvester's law of inertia).
fn eigenvalues_below(diagonal: &[f64], off_diagonal: &[f64], point: f64) -> usize {
    let mut pivot = 1.0;
    let mut below = 0;
    for (index, value) in diagonal.iter().enumerate() {
        let coupling = if index == 0 { 0.0 } else { off_diagonal[index - 1] * off_diagonal[index - 1] / pivot };
        pivot = value - point - coupling;
        if pivot == 0.0 {
            pivot = f64::MIN_POSITIVE;
        }
        below += usize::from(pivot < 0.0);
    }
    below
}

fn inner(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}

fn norm(a: &[f64]) -> f64 {
    inner(a, a).sqrt()
}

fn normalised(mut vector: Vec<f64>) -> Vec<f64> {
    let size = norm(&vector);
    vector.iter_mut().for_each(|value| *value /= size);
    vector
}

#[cfg(test)]
mod tests {
    use super::*;
    use ndarray::{Array2, array};

    #[test]
    fn eigenvalues_of_a_hand_worked_matrix() {
        // [[2, 1], [1, 2]] has eigenvalues 1 and 3.
        assert!((kth_eigenvalue(&[2.0, 2.0], &[1.0], 1, 9.0) - 1.0).abs() < 1e-12);
        assert!((kth_eigenvalue(&[2.0, 2.0], &[1.0], 2, 9.0) - 3.0).abs() < 1e-12);
    }

    #[test]
    fn one_negative_eigenvalue_among_many_is_found() {
        // The identity except for one pair, whose 2 × 2 block [[1, 1.5], [1.5, 1]] has the eigenvalue −0.5.
        let mut matrix = Array2::<f64>::eye(500);
        matrix[(123, 321)] = 1.5;
        matrix[(321, 123)] = 1.5;
        match check_definite(matrix.view()) {
            Err(MatrixProblem::NotPositiveSemidefinite { smallest, .. }) => {
                assert!((smallest + 0.5).abs() < 1e-6, "{smallest}")
            }
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn singular_and_zero_matrices_pass() {
        assert_eq!(check_definite(Array2::<f64>::ones((40, 40)).view()), Ok(()));
        assert_eq!(check_definite(Array2::<f64>::zeros((3, 3)).view()), Ok(()));
        assert_eq!(check_definite(array![[1e-30]].view()), Ok(()));
    }

    #[test]
    fn shape_and_values_are_checked_first() {
        let square = check_definite(Array2::<f64>::zeros((2, 3)).view());
        assert_eq!(square, Err(MatrixProblem::NotSquare { rows: 2, columns: 3 }));
        let infinite = check_definite(array![[f64::INFINITY]].view());
        assert!(matches!(infinite, Err(MatrixProblem::NotFinite { row: 0, column: 0, .. })));
    }
}
