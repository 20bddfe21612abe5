//! From encoded tables to the data set that the core works on.

use ndarray::Array2;
use protodash::{Dataset, KernelSpec, Result};
use protodash_table::Matrix;

/// Source and target in one precision, double if either needs it, with the kernel asked for.
pub(crate) fn dataset(
    source: Matrix,
    target: Option<Matrix>,
    kernel: &KernelSpec,
    seed: u64,
) -> Result<Dataset<'static>> {
    match (source, target) {
        (Matrix::F32(source), None) => Dataset::from_f32(source, None, kernel, seed),
        (Matrix::F32(source), Some(Matrix::F32(target))) => {
            Dataset::from_f32(source, Some(target.into()), kernel, seed)
        }
        (source, target) => {
            Dataset::from_f64(in_double(source), target.map(|target| in_double(target).into()), kernel, seed)
        }
    }
}

fn in_double(matrix: Matrix) -> Array2<f64> {
    match matrix {
        Matrix::F32(matrix) => matrix.mapv(f64::from),
        Matrix::F64(matrix) => matrix,
    }
}
