//! Kernel principal components on landmarks: a two-dimensional view of the rows as the kernel sees them.

use ndarray::{Array1, Array2, ArrayRef2};

use crate::error::{Error, Result};
use crate::kernel::Kernel;
use crate::kernel_mean::column;
use crate::parallel;
use crate::principal::{largest_eigenpairs, oriented};
use crate::rows::{CheckedPair, Rows, Scalar};

/// The rows of a [`KernelMap`].
///
/// # Examples
///
/// See [`Dataset::kernel_map`](crate::Dataset::kernel_map).
#[derive(Debug, Clone, Copy, Default)]
pub struct KernelMapRows<'a> {
    /// Target rows from which the axes are computed.
    pub landmarks: &'a [usize],
    /// Target rows to place.
    pub target: &'a [usize],
    /// Source rows to place.
    pub source: &'a [usize],
}

/// Rows in two dimensions: their coordinates along the two directions of feature space in which the landmarks vary most.
///
/// # Examples
///
/// See [`Dataset::kernel_map`](crate::Dataset::kernel_map).
#[derive(Debug, Clone, Default, PartialEq)]
pub struct KernelMap {
    /// The share of the placed target rows' variance in feature space along each axis; fewer than two if they vary in fewer
    /// directions.
    pub shares: Vec<f64>,
    /// The place of each target row.
    pub target: Vec<[f64; 2]>,
    /// The place of each source row.
    pub source: Vec<[f64; 2]>,
}

/// Places rows by kernel principal components of some landmarks.
///
/// # Formula
///
/// ```text
/// G v = λ v,   Gᵢⱼ = ⟨φ(lᵢ) − m, φ(lⱼ) − m⟩,   m = 1/p Σᵢ φ(lᵢ)
/// place(x) = 1/√λ Σᵢ vᵢ (k(x, lᵢ) − 1/p Σⱼ k(lᵢ, lⱼ))
/// share = Σₓ place(x)² / Σₓ ‖φ(x) − m‖²
/// ```
///
/// for the two largest λ. Shares are those of the placed target rows, so they are not too good because the landmarks are
/// few. `None` if the kernel has no values for pairs of target rows. Costs p·(n + p) kernel values for p landmarks and n
/// rows.
pub(crate) fn kernel_map<T: Scalar>(
    target: &ArrayRef2<T>,
    source: &ArrayRef2<T>,
    rows: KernelMapRows<'_>,
    kernel: &dyn Kernel<T>,
    seed: u64,
) -> Result<Option<KernelMap>> {
    let checked = CheckedPair::new(target, source)?;
    let (target, source) = checked.rows();
    check_rows(target, source, rows)?;
    let landmarks: Vec<T> = rows.landmarks.iter().flat_map(|row| target.row(*row)).copied().collect();
    let landmarks = Rows::new(&landmarks, target.n_columns());
    let Some(axes) = KernelAxes::new(kernel, landmarks, seed) else { return Ok(None) };
    let placed = parallel::map(0..rows.target.len(), |at| axes.place(target.row(rows.target[at])));
    let of_source = parallel::map(0..rows.source.len(), |at| axes.place(source.row(rows.source[at])).place);
    let variance: f64 = placed.iter().map(|row| row.from_mean).sum();
    if !variance.is_finite() || of_source.iter().flatten().any(|value| !value.is_finite()) {
        return Ok(None);
    }
    let along = |axis: usize| placed.iter().map(|row| row.place[axis].powi(2)).sum::<f64>();
    let share = |axis: usize| if variance > 0.0 { (along(axis) / variance).clamp(0.0, 1.0) } else { 0.0 };
    Ok(Some(KernelMap {
        shares: (0..axes.directions.len()).map(share).collect(),
        target: placed.into_iter().map(|row| row.place).collect(),
        source: of_source,
    }))
}

/// An error if one of the rows does not exist.
pub(crate) fn check_rows<T: Scalar>(target: Rows<'_, T>, source: Rows<'_, T>, rows: KernelMapRows<'_>) -> Result<()> {
    if let Some(&row) = rows.source.iter().find(|row| **row >= source.n_rows()) {
        return Err(Error::NoSuchRow { name: "source", row, n_source: source.n_rows() });
    }
    for (name, rows) in [("landmarks", rows.landmarks), ("target", rows.target)] {
        if let Some(&row) = rows.iter().find(|row| **row >= target.n_rows()) {
            return Err(Error::NoSuchTargetRow { name, row, n_target: target.n_rows() });
        }
    }
    Ok(())
}

/// The landmarks, and the directions in which they vary most.
struct KernelAxes<'a, T: Scalar> {
    kernel: &'a dyn Kernel<T>,
    landmarks: Rows<'a, T>,
    /// The mean similarity of each landmark to all of them, and the mean of these.
    means: Vec<f64>,
    mean: f64,
    /// v / √λ, largest λ first.
    directions: Vec<Vec<f64>>,
}

/// A row on the map.
struct PlacedRow {
    place: [f64; 2],
    /// ‖φ(x) − m‖².
    from_mean: f64,
}

impl<'a, T: Scalar> KernelAxes<'a, T> {
    /// `None` if a similarity is unknown.
    fn new(kernel: &'a dyn Kernel<T>, landmarks: Rows<'a, T>, seed: u64) -> Option<Self> {
        let n = landmarks.n_rows();
        let lines = parallel::map(0..n, |at| similarities(kernel, landmarks, landmarks.row(at)));
        // Symmetric to the last bit: one triangle counts.
        let mut gram = Array2::from_shape_fn((n, n), |(i, j)| lines[i.max(j)][i.min(j)]);
        if gram.iter().any(|value| !value.is_finite()) {
            return None;
        }
        let means: Vec<f64> = gram.rows().into_iter().map(|line| line.sum() / n as f64).collect();
        let mean = means.iter().sum::<f64>() / n.max(1) as f64;
        gram.indexed_iter_mut().for_each(|((i, j), value)| *value += mean - means[i] - means[j]);
        let trace: f64 = gram.diag().sum();
        let mut directions = Vec::new();
        if trace > 0.0 {
            for (variance, axis) in largest_eigenpairs(|basis| gram.dot(basis), n, 2, seed) {
                // Skip directions in which only rounding varies.
                if variance > 1e-12 * trace {
                    directions.push(oriented(axis / variance.sqrt()));
                }
            }
        }
        Some(KernelAxes { kernel, landmarks, means, mean, directions })
    }

    fn place(&self, row: &[T]) -> PlacedRow {
        let values = similarities(self.kernel, self.landmarks, row);
        let centred: Array1<f64> = values.iter().zip(&self.means).map(|(value, mean)| value - mean).collect();
        let along = |direction: &Vec<f64>| centred.iter().zip(direction).map(|(value, weight)| value * weight).sum();
        let mut place = [0.0; 2];
        place.iter_mut().zip(&self.directions).for_each(|(value, direction)| *value = along(direction));
        let to_mean = values.iter().sum::<f64>() / values.len().max(1) as f64;
        PlacedRow { place, from_mean: (self.kernel.evaluate(row, row) - 2.0 * to_mean + self.mean).max(0.0) }
    }
}

/// The similarity of a row to each landmark.
pub(crate) fn similarities<T: Scalar>(kernel: &dyn Kernel<T>, landmarks: Rows<'_, T>, row: &[T]) -> Vec<f64> {
    let mut values = vec![0.0; landmarks.n_rows()];
    column(kernel, landmarks, row, &mut values);
    values
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Gaussian, Linear, Precomputed, principal_axes};
    use ndarray::Axis;
    use rand::{RngExt, SeedableRng};
    use rand_chacha::ChaCha8Rng;

    fn rows(n_rows: usize, n_columns: usize) -> Array2<f64> {
        let mut random = ChaCha8Rng::seed_from_u64(3);
        Array2::from_shape_fn((n_rows, n_columns), |(_, column)| random.random_range(-1.0..1.0) / (1.0 + column as f64))
    }

    fn all(n_rows: usize) -> Vec<usize> {
        (0..n_rows).collect()
    }

    #[test]
    fn the_linear_kernel_gives_principal_components() {
        let rows = rows(40, 5);
        let all = all(40);
        let wanted = KernelMapRows { landmarks: &all, target: &all, source: &all };
        let map = kernel_map(&rows, &rows, wanted, &Linear, 1).unwrap().unwrap();
        let axes = principal_axes(&rows, 2, 0).unwrap();
        let places: Vec<Vec<f64>> = rows.rows().into_iter().map(|row| axes.project(&row.to_vec())).collect();
        for axis in 0..2 {
            assert!((map.shares[axis] - axes.shares[axis]).abs() < 1e-9);
            let sign = (map.target[0][axis] * places[0][axis]).signum();
            for (found, expected) in map.target.iter().zip(&places) {
                assert!((found[axis] - sign * expected[axis]).abs() < 1e-6, "{found:?} {expected:?}");
            }
        }
        assert_eq!(map.source, map.target);
    }

    #[test]
    fn distances_on_the_map_never_exceed_those_of_the_kernel() {
        let rows = rows(60, 3);
        let (all, few) = (all(60), [0, 7, 13, 20, 33, 41, 50, 59]);
        let kernel = Gaussian::new(0.7).unwrap();
        let wanted = KernelMapRows { landmarks: &few, target: &all, source: &[5] };
        let map = kernel_map(&rows, &rows, wanted, &kernel, 0).unwrap().unwrap();
        assert_eq!(map.source, [map.target[5]]);
        for (i, one) in map.target.iter().enumerate() {
            for (j, other) in map.target.iter().enumerate() {
                let shown = (one[0] - other[0]).powi(2) + (one[1] - other[1]).powi(2);
                let similar = kernel.evaluate(&rows.row(i).to_vec(), &rows.row(j).to_vec());
                assert!(shown <= 2.0 - 2.0 * similar + 1e-9);
            }
        }
        let total: f64 = map.shares.iter().sum();
        assert!(total > 0.05 && total < 1.0, "{total}");
    }

    #[test]
    fn all_rows_as_landmarks_give_the_eigenvalues_shares() {
        // Two pairs of equal rows, unrelated to each other: one direction holds all variance.
        let gram = Array2::from_shape_fn((4, 4), |(i, j)| if i / 2 == j / 2 { 1.0 } else { 0.0 });
        let kernel = Precomputed::new(gram.view()).unwrap();
        let all = all(4);
        let wanted = KernelMapRows { landmarks: &all, target: &all, source: &[] };
        let map = kernel_map(&kernel.target_rows(), &kernel.source_rows(), wanted, &kernel, 0).unwrap().unwrap();
        assert_eq!(map.shares.len(), 1);
        assert!((map.shares[0] - 1.0).abs() < 1e-12);
        let apart = map.target[0][0] - map.target[3][0];
        assert!((apart.abs() - 2.0_f64.sqrt()).abs() < 1e-9 && map.target[0] == map.target[1]);
    }

    #[test]
    fn unknown_similarities_give_no_map_and_equal_rows_one_place() {
        let (gram, across) = (Array2::eye(2), Array2::from_elem((3, 2), 0.5));
        let kernel = Precomputed::across(across.view(), gram.view()).unwrap();
        let (all, source) = (all(3), [0, 1]);
        let wanted = KernelMapRows { landmarks: &all, target: &all, source: &source };
        assert_eq!(kernel_map(&kernel.target_rows(), &kernel.source_rows(), wanted, &kernel, 0).unwrap(), None);
        let equal = Array2::from_elem((3, 2), 7.0);
        let map = kernel_map(&equal, &equal, wanted, &Gaussian::new(1.0).unwrap(), 0).unwrap().unwrap();
        assert_eq!((map.shares.len(), map.target), (0, vec![[0.0, 0.0]; 3]));
        let beyond = KernelMapRows { target: &[3], ..wanted };
        let refused = |wanted| kernel_map(&equal, &equal, wanted, &Linear, 0).unwrap_err();
        assert_eq!(refused(beyond), Error::NoSuchTargetRow { name: "target", row: 3, n_target: 3 });
        let beyond = KernelMapRows { landmarks: &[4], ..wanted };
        assert_eq!(refused(beyond), Error::NoSuchTargetRow { name: "landmarks", row: 4, n_target: 3 });
        let beyond = KernelMapRows { source: &[5], ..wanted };
        assert_eq!(refused(beyond), Error::NoSuchRow { name: "source", row: 5, n_source: 3 });
    }

    #[test]
    fn the_map_is_the_same_for_any_number_of_threads() {
        let rows = rows(300, 4).select(Axis(0), &all(300));
        let all = all(300);
        let wanted = KernelMapRows { landmarks: &all[..80], target: &all, source: &[] };
        let map = || kernel_map(&rows, &rows, wanted, &Gaussian::new(0.5).unwrap(), 9).unwrap();
        let one = rayon::ThreadPoolBuilder::new().num_threads(1).build().unwrap();
        assert_eq!(one.install(map), map());
    }
}
