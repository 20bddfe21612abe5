//! A hash of the encoded rows of a run, by which a continued run recognises other data.

use ndarray::ArrayRef2;
use protodash::{Dataset, SparseMatrix};
use rayon::prelude::*;
use sha2::{Digest, Sha256};

/// Rows that are hashed together; the hash of all is that of the hashes of these blocks.
const ROWS_PER_BLOCK: usize = 1024;

/// A hash of the matrices of source and target and of the target's weights; `None` for kernel matrices and custom kernels.
///
/// It depends on the values alone: not on the precision they are stored in, the sign of a zero, or the number of threads.
///
/// # Cost
///
/// One pass over the matrices, in parallel.
///
/// # Examples
///
/// ```
/// use ndarray::array;
/// use protodash::{Dataset, KernelSpec};
/// use protodash_report::data_hash;
///
/// let kernel = KernelSpec::new("linear")?;
/// let hash = |value: f64| Ok::<_, protodash::Error>(data_hash(&Dataset::from_f64(array![[value], [2.0]], None, &kernel, 0)?, None));
/// assert_eq!(hash(1.0)?, hash(1.0)?);
/// assert_ne!(hash(1.0)?, hash(1.5)?);
/// let single = Dataset::from_f32(array![[1.0_f32], [2.0]], None, &kernel, 0)?;
/// assert_eq!(data_hash(&single, None), hash(1.0)?);
/// assert_ne!(data_hash(&single, Some(&[1.0, 3.0])), hash(1.0)?);
/// # Ok::<(), protodash::Error>(())
/// ```
#[must_use]
pub fn data_hash(matrices: &Dataset<'_>, target_weights: Option<&[f64]>) -> Option<String> {
    let mut hash = Sha256::new();
    match matrices {
        Dataset::F32 { source, target, .. } => {
            hash.update(of_matrix(source));
            target.iter().for_each(|target| hash.update(of_matrix(target)));
        }
        Dataset::F64 { source, target, .. } => {
            hash.update(of_matrix(source));
            target.iter().for_each(|target| hash.update(of_matrix(target)));
        }
        Dataset::Sparse(kernel) => {
            hash.update(of_sparse(kernel.source()));
            kernel.target().iter().for_each(|target| hash.update(of_sparse(target)));
        }
        _ => return None,
    }
    if let Some(weights) = target_weights {
        weights.iter().for_each(|weight| hash.update((weight + 0.0).to_le_bytes()));
    }
    Some(format!("sha256:{}", hash.finalize().iter().map(|byte| format!("{byte:02x}")).collect::<String>()))
}

/// The hash of a matrix, with its shape.
fn of_matrix<T: Copy + Into<f64> + Sync>(matrix: &ArrayRef2<T>) -> [u8; 32] {
    of_rows((matrix.nrows(), matrix.ncols()), |row| {
        // Adding 0 turns -0 into 0.
        matrix.row(row).iter().flat_map(|value| ((*value).into() + 0.0).to_le_bytes()).collect()
    })
}

/// The hash of a sparse matrix, with its shape; it differs from that of the same rows with their zeros.
fn of_sparse(matrix: &SparseMatrix) -> [u8; 32] {
    of_rows((matrix.n_rows(), matrix.n_columns()), |row| {
        let (columns, values) = matrix.stored(row);
        let entries = columns.iter().zip(values);
        let mut bytes = (columns.len() as u64).to_le_bytes().to_vec();
        entries.for_each(|(column, value)| {
            bytes.extend(column.to_le_bytes());
            bytes.extend(value.to_le_bytes());
        });
        bytes
    })
}

/// The hash of rows that are bytes, with the shape of their matrix.
fn of_rows((n_rows, n_columns): (usize, usize), bytes_of: impl Fn(usize) -> Vec<u8> + Sync) -> [u8; 32] {
    let n_blocks = n_rows.div_ceil(ROWS_PER_BLOCK);
    let blocks = (0..n_blocks).into_par_iter().map(|block| {
        let mut hash = Sha256::new();
        (block * ROWS_PER_BLOCK..n_rows.min((block + 1) * ROWS_PER_BLOCK)).for_each(|row| hash.update(bytes_of(row)));
        <[u8; 32]>::from(hash.finalize())
    });
    let mut hash = Sha256::new();
    hash.update((n_rows as u64).to_le_bytes());
    hash.update((n_columns as u64).to_le_bytes());
    blocks.collect::<Vec<_>>().into_iter().for_each(|block| hash.update(block));
    hash.finalize().into()
}

#[cfg(test)]
mod tests {
    use super::*;
    use ndarray::{Array2, array};
    use protodash::KernelSpec;

    fn dataset(source: Array2<f64>, target: Option<Array2<f64>>) -> Dataset<'static> {
        let kernel = KernelSpec::new("linear").unwrap();
        Dataset::from_f64(source, target.map(Into::into), &kernel, 0).unwrap()
    }

    #[test]
    fn every_value_the_shape_and_the_side_count() {
        let rows = Array2::from_shape_fn((3000, 2), |(row, column)| (2 * row + column) as f64);
        let whole = data_hash(&dataset(rows.clone(), None), None);
        for place in [(0, 0), (1023, 1), (1024, 0), (2999, 1)] {
            let mut other = rows.clone();
            other[place] += 1e-9;
            assert_ne!(data_hash(&dataset(other, None), None), whole, "{place:?}");
        }
        assert_ne!(
            data_hash(&dataset(array![[1.0, 2.0]], None), None),
            data_hash(&dataset(array![[1.0], [2.0]], None), None)
        );
        let with_target = data_hash(&dataset(rows.clone(), Some(rows.clone())), None);
        assert_ne!(with_target, whole);
        assert_eq!(data_hash(&dataset(array![[-0.0]], None), None), data_hash(&dataset(array![[0.0]], None), None));
    }

    #[test]
    fn values_and_columns_of_sparse_rows_count() {
        let hash = |column, value| {
            let rows = SparseMatrix::new(9, vec![0, 1, 2], vec![3, column], vec![1.0, value]).unwrap();
            data_hash(&Dataset::from_sparse(rows, None, &KernelSpec::new("linear").unwrap(), 0).unwrap(), None).unwrap()
        };
        assert_eq!(hash(4, 2.0), hash(4, 2.0));
        assert_ne!(hash(4, 2.0), hash(5, 2.0));
        assert_ne!(hash(4, 2.0), hash(4, 2.5));
    }

    #[test]
    fn the_number_of_threads_does_not_matter() {
        let data = dataset(Array2::from_shape_fn((5000, 3), |(row, column)| (row * 7 + column) as f64), None);
        let on = |n_threads| {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(n_threads).build().unwrap();
            pool.install(|| match &data {
                Dataset::F64 { source, .. } => of_matrix(source),
                _ => [0; 32],
            })
        };
        assert_eq!(on(1), on(3));
    }
}
