//! Principal component analysis, for a two-dimensional view of the rows.

use ndarray::{Array1, Array2, ArrayRef2, Axis};
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

use crate::error::{Result, Role};
use crate::rows::{CheckedMatrix, Scalar};

/// Extra directions in the iteration, for faster convergence.
const EXTRA_DIRECTIONS: usize = 6;
/// Maximum residual of an eigenvector, relative to the largest variance.
const TOLERANCE: f64 = 1e-7;
/// Maximum number of iterations. A spectrum too flat to converge has no preferred direction.
const MAX_ROUNDS: usize = 200;

/// The mean of some rows and their principal axes.
///
/// # Examples
///
/// ```
/// use ndarray::array;
/// use protodash::principal_axes;
///
/// let axes = principal_axes(&array![[2.0, 1.0], [2.0, -1.0], [-2.0, 1.0], [-2.0, -1.0]], 2, 0)?;
/// assert!((axes.shares[0] - 0.8).abs() < 1e-12); // 4 of 4 + 1
/// assert!((axes.project(&[3.0, 0.5])[1] - 0.5).abs() < 1e-9);
/// # Ok::<(), protodash::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct PrincipalAxes {
    /// The mean of the rows.
    pub mean: Vec<f64>,
    /// Orthonormal directions, largest variance first.
    pub axes: Vec<Vec<f64>>,
    /// The fraction of the variance in each direction.
    pub shares: Vec<f64>,
}

impl PrincipalAxes {
    /// The coordinates of a row along the axes.
    ///
    /// # Examples
    ///
    /// ```
    /// use ndarray::array;
    /// use protodash::principal_axes;
    ///
    /// let axes = principal_axes(&array![[1.0], [3.0]], 2, 0)?;
    /// assert_eq!(axes.project(&[5.0]), [3.0]); // one column, one axis
    /// # Ok::<(), protodash::Error>(())
    /// ```
    pub fn project<T: Scalar>(&self, row: &[T]) -> Vec<f64> {
        let along = |axis: &Vec<f64>| {
            let deviations = row.iter().zip(&self.mean).zip(axis);
            deviations.map(|((value, mean), weight)| (value.to_f64() - mean) * weight).sum()
        };
        self.axes.iter().map(along).collect()
    }
}

/// The first `n_axes` principal axes; fewer if the rows vary in fewer directions.
///
/// # Formula
///
/// ```text
/// C v = λ v,   C = 1/n Σᵢ (xᵢ − x̄)(xᵢ − x̄)ᵀ,   share = λ / trace C
/// ```
///
/// for the largest λ, by subspace iteration with Rayleigh–Ritz steps from a random start; C is never formed. The largest
/// component of each direction is positive. Each of about ten iterations costs 4·n·d·(`n_axes` + 6) operations; memory
/// is one copy of the rows in `f64`, so use a sample of large data.
///
/// # Errors
///
/// If the matrix is empty or not finite.
///
/// # Examples
///
/// ```
/// use ndarray::array;
/// use protodash::principal_axes;
///
/// let axes = principal_axes(&array![[0.0, 0.0], [3.0, 4.0], [6.0, 8.0]], 2, 0)?;
/// assert_eq!(axes.axes.len(), 1); // all on one line
/// assert!((axes.axes[0][0] - 0.6).abs() < 1e-9 && (axes.axes[0][1] - 0.8).abs() < 1e-9);
/// # Ok::<(), protodash::Error>(())
/// ```
pub fn principal_axes<T: Scalar>(rows: &ArrayRef2<T>, n_axes: usize, seed: u64) -> Result<PrincipalAxes> {
    let checked = CheckedMatrix::new(rows, Role::Target)?;
    let rows = checked.rows();
    let mut centred = Array2::from_shape_fn((rows.n_rows(), rows.n_columns()), |(i, j)| rows.row(i)[j].to_f64());
    let mean = column_means(&centred);
    centred -= &mean;
    let largest = centred.iter().fold(0.0_f64, |largest, value| largest.max(value.abs()));
    let mut found = PrincipalAxes { mean: mean.to_vec(), axes: Vec::new(), shares: Vec::new() };
    if largest == 0.0 || n_axes == 0 {
        return Ok(found);
    }
    // Squares of values up to 1 neither overflow nor all underflow.
    centred /= largest;
    let total: f64 = centred.iter().map(|value| value * value).sum();
    let covariance = |basis: &Array2<f64>| centred.t().dot(&centred.dot(basis));
    for (variance, axis) in largest_eigenpairs(covariance, centred.ncols(), n_axes, seed) {
        // Skip directions in which only rounding varies.
        if variance > 1e-12 * total {
            found.axes.push(oriented(axis));
            found.shares.push((variance / total).min(1.0));
        }
    }
    Ok(found)
}

/// The mean of each column, divided before it is summed so that large values do not overflow.
fn column_means(rows: &Array2<f64>) -> Array1<f64> {
    let n_rows = rows.nrows() as f64;
    rows.axis_iter(Axis(1)).map(|column| column.iter().map(|value| value / n_rows).sum()).collect()
}

/// The largest eigenvalues and their eigenvectors of a symmetric matrix without negative ones, given as a product.
pub(crate) fn largest_eigenpairs(
    product: impl Fn(&Array2<f64>) -> Array2<f64>,
    n_rows: usize,
    n_axes: usize,
    seed: u64,
) -> Vec<(f64, Array1<f64>)> {
    let n_followed = (n_axes + EXTRA_DIRECTIONS).min(n_rows);
    let mut random = ChaCha8Rng::seed_from_u64(seed);
    let start = Array2::from_shape_simple_fn((n_rows, n_followed), || random.random_range(-1.0..1.0));
    let mut basis = orthonormal(start);
    let mut round = 0;
    loop {
        let image = product(&basis);
        let (values, rotation) = eigen(basis.t().dot(&image));
        let (ritz, image) = (basis.dot(&rotation), image.dot(&rotation));
        let wanted = n_axes.min(n_followed);
        let residual = |at: usize| {
            let difference = &image.column(at) - &(&ritz.column(at) * values[at]);
            difference.dot(&difference).sqrt()
        };
        let converged = (0..wanted).all(|at| residual(at) <= TOLERANCE * values[0]);
        round += 1;
        if converged || round == MAX_ROUNDS {
            return (0..wanted).map(|at| (values[at], ritz.column(at).to_owned())).collect();
        }
        basis = orthonormal(image);
    }
}

/// Orthonormalised columns (Gram–Schmidt); a dependent column becomes 0.
fn orthonormal(mut columns: Array2<f64>) -> Array2<f64> {
    for at in 0..columns.ncols() {
        let mut column = columns.column(at).to_owned();
        let before = column.dot(&column).sqrt();
        // A second pass removes the rounding errors of the first.
        for _ in 0..2 {
            for other in 0..at {
                let along = columns.column(other).dot(&column);
                column.scaled_add(-along, &columns.column(other));
            }
        }
        let length = column.dot(&column).sqrt();
        let scale = if length > 1e-14 * before { 1.0 / length } else { 0.0 };
        columns.column_mut(at).assign(&(column * scale));
    }
    columns
}

/// Eigenvalues, largest first, and eigenvectors (in columns) of a small symmetric matrix, by Jacobi rotations.
fn eigen(mut matrix: Array2<f64>) -> (Vec<f64>, Array2<f64>) {
    let n = matrix.nrows();
    let mut vectors = Array2::eye(n);
    for _ in 0..60 {
        let off: f64 = (0..n).flat_map(|i| (0..i).map(move |j| (i, j))).map(|at| matrix[at] * matrix[at]).sum();
        let diagonal: f64 = (0..n).map(|i| matrix[(i, i)] * matrix[(i, i)]).sum();
        if off <= 1e-32 * diagonal {
            break;
        }
        for q in 1..n {
            for p in 0..q {
                rotate(&mut matrix, &mut vectors, p, q);
            }
        }
    }
    let mut order: Vec<usize> = (0..n).collect();
    order.sort_by(|a, b| matrix[(*b, *b)].total_cmp(&matrix[(*a, *a)]));
    (order.iter().map(|at| matrix[(*at, *at)]).collect(), vectors.select(Axis(1), &order))
}

/// One rotation, after which the entry (p, q) is 0.
fn rotate(matrix: &mut Array2<f64>, vectors: &mut Array2<f64>, p: usize, q: usize) {
    let entry = matrix[(p, q)];
    if entry == 0.0 {
        return;
    }
    let theta = (matrix[(q, q)] - matrix[(p, p)]) / (2.0 * entry);
    let tangent = theta.signum() / (theta.abs() + theta.hypot(1.0));
    let cosine = 1.0 / tangent.hypot(1.0);
    let sine = tangent * cosine;
    let turn = |(a, b): (f64, f64)| (cosine * a - sine * b, sine * a + cosine * b);
    for k in 0..matrix.nrows() {
        (matrix[(k, p)], matrix[(k, q)]) = turn((matrix[(k, p)], matrix[(k, q)]));
    }
    for k in 0..matrix.nrows() {
        (matrix[(p, k)], matrix[(q, k)]) = turn((matrix[(p, k)], matrix[(q, k)]));
        (vectors[(k, p)], vectors[(k, q)]) = turn((vectors[(k, p)], vectors[(k, q)]));
    }
}

/// The direction or its opposite, so that the largest component (the first if tied) is positive.
pub(crate) fn oriented(axis: Array1<f64>) -> Vec<f64> {
    let largest =
        axis.iter().fold(0.0_f64, |largest, value| if value.abs() > largest.abs() { *value } else { largest });
    if largest < 0.0 { axis.iter().map(|value| -value).collect() } else { axis.to_vec() }
}

#[cfg(test)]
mod tests {
    use super::*;
    use ndarray::array;

    #[test]
    fn a_rectangle_varies_along_its_sides() {
        let corners = array![[12.0, 1.0], [12.0, -1.0], [8.0, 1.0], [8.0, -1.0]];
        let found = principal_axes(&corners, 2, 7).unwrap();
        assert_eq!(found.mean, [10.0, 0.0]);
        assert!((found.shares[0] - 0.8).abs() < 1e-12 && (found.shares[1] - 0.2).abs() < 1e-12);
        let place = found.project(&[12.0, 1.0]);
        assert!((place[0] - 2.0).abs() < 1e-9 && (place[1] - 1.0).abs() < 1e-9, "{place:?}");
    }

    #[test]
    fn constant_rows_have_no_direction() {
        let found = principal_axes(&array![[3.0, 4.0], [3.0, 4.0]], 2, 0).unwrap();
        assert_eq!((found.axes.len(), found.project(&[3.0, 4.0])), (0, Vec::new()));
        assert_eq!(principal_axes(&array![[7.0_f32]], 2, 0).unwrap().mean, [7.0]);
    }

    #[test]
    fn huge_values_do_not_overflow() {
        let found = principal_axes(&array![[1e300, 0.0], [-1e300, 0.0], [0.0, 1e299]], 2, 0).unwrap();
        assert!((found.axes[0][0] - 1.0).abs() < 1e-9, "{found:?}");
        assert!(found.shares.iter().all(|share| share.is_finite()));
    }

    /// Rows whose columns have variances of very different and of nearly equal size, all mixed.
    fn mixed(n_rows: usize, n_columns: usize) -> Array2<f64> {
        let mut random = ChaCha8Rng::seed_from_u64(5);
        let mut uniform = |shape| Array2::from_shape_simple_fn(shape, || random.random_range(-1.0..1.0));
        let (plain, turn) = (uniform((n_rows, n_columns)), uniform((n_columns, n_columns)));
        let stretched = Array2::from_shape_fn((n_rows, n_columns), |(i, j)| plain[(i, j)] / (1.0 + j as f64));
        stretched.dot(&turn)
    }

    #[test]
    fn subspace_iteration_agrees_with_the_full_covariance() {
        let rows = mixed(60, 20);
        let centred = &rows - &column_means(&rows);
        let (values, vectors) = eigen(centred.t().dot(&centred));
        let total: f64 = values.iter().sum();
        let found = principal_axes(&rows, 2, 3).unwrap();
        for (at, (share, axis)) in found.shares.iter().zip(&found.axes).enumerate() {
            assert!((share - values[at] / total).abs() < 1e-9, "{share}");
            let along = Array1::from(axis.clone()).dot(&vectors.column(at));
            assert!((along.abs() - 1.0).abs() < 1e-9, "{along}");
        }
        assert_eq!(found.axes.len(), 2);
    }

    #[test]
    fn the_result_does_not_depend_on_seed_or_threads() {
        let rows = mixed(200, 9);
        let one = rayon::ThreadPoolBuilder::new().num_threads(1).build().unwrap();
        let alone = one.install(|| principal_axes(&rows, 2, 0).unwrap());
        assert_eq!(alone, principal_axes(&rows, 2, 0).unwrap());
        let other = principal_axes(&rows, 2, 1).unwrap();
        assert!(other.axes[0].iter().zip(&alone.axes[0]).all(|(a, b)| (a - b).abs() < 1e-6));
    }
}
