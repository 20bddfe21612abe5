//! Rows scaled to length 1, as is usual for embeddings.

use super::Matrix;
use super::fill::MatrixElement;
use crate::advice::Note;
use crate::numbers::counted;

impl Matrix {
    /// Scales each row to length 1. Returns a note if there are rows of zeros, which stay as they are.
    ///
    /// # Examples
    ///
    /// ```
    /// use ndarray::array;
    /// use protodash_table::Matrix;
    ///
    /// let mut matrix = Matrix::F64(array![[3.0, 4.0], [0.0, 0.0]]);
    /// assert!(matrix.normalize().is_some());
    /// assert_eq!(matrix, Matrix::F64(array![[0.6, 0.8], [0.0, 0.0]]));
    /// ```
    pub fn normalize(&mut self) -> Option<Note> {
        let n_features = self.n_features();
        let rows = match self {
            Matrix::F32(rows) => rows.as_slice_mut().map(|rows| normalize(rows, n_features)),
            Matrix::F64(rows) => rows.as_slice_mut().map(|rows| normalize(rows, n_features)),
            Matrix::Sparse(rows) => return rows.normalize(),
        };
        note(rows.unwrap_or(0))
    }
}

/// Divides each of the `rows`, of `n_features` numbers, by its length, and returns how many have length 0.
pub(super) fn normalize<T: MatrixElement>(rows: &mut [T], n_features: usize) -> u64 {
    let mut n_zero = 0;
    for row in rows.chunks_exact_mut(n_features) {
        n_zero += u64::from(!normalize_row(row));
    }
    n_zero
}

/// Divides each row of a sparse matrix by its length, and returns a note if there are rows of zeros. Row i has the values
/// `starts[i]..starts[i + 1]`; those that do not exist are left out.
///
/// # Examples
///
/// ```
/// let mut values = [3.0, 4.0, -5.0];
/// assert_eq!(protodash_table::normalize_sparse(&[0, 2, 3], &mut values), None);
/// assert_eq!(values, [0.6, 0.8, -1.0]);
/// ```
pub fn normalize_sparse(starts: &[usize], values: &mut [f64]) -> Option<Note> {
    let rows = starts.windows(2).map(|ends| values.get_mut(ends[0]..ends[1]).is_some_and(normalize_row));
    note(rows.filter(|has_length| !has_length).count() as u64)
}

/// Divides a row by its length; false if that is 0.
fn normalize_row<T: MatrixElement>(row: &mut [T]) -> bool {
    // Divided by the largest first, so that squares neither overflow nor vanish.
    let largest = row.iter().map(|value| value.to_f64().abs()).fold(0.0, f64::max);
    if largest == 0.0 {
        return false;
    }
    let length = row.iter().map(|value| (value.to_f64() / largest).powi(2)).sum::<f64>().sqrt();
    row.iter_mut().for_each(|value| *value = T::from_f64(value.to_f64() / largest / length));
    true
}

/// Returns the note on rows that cannot have length 1, if there are any.
pub(super) fn note(n_zero: u64) -> Option<Note> {
    let rows = counted(n_zero, "row");
    (n_zero > 0).then(|| Note::new(format!("{rows} of zeros cannot be scaled to length 1; left unchanged")))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_have_length_1_unless_they_are_zero() {
        let mut rows = [3.0, 4.0, 0.0, 0.0, -6e200, 8e200, 3e-200, 4e-200];
        assert_eq!(normalize(&mut rows, 2), 1);
        let expected = [0.6, 0.8, 0.0, 0.0, -0.6, 0.8, 0.6, 0.8];
        assert!(
            rows.iter().zip(expected).all(|(found, wanted): (&f64, f64)| (found - wanted).abs() < 1e-15),
            "{rows:?}"
        );
        let mut single = [3.0_f32, 4.0];
        assert_eq!((normalize(&mut single, 2), single), (0, [0.6, 0.8]));
        assert_eq!(note(0), None);
        let mut sparse = [-6e200, 8e200, 3.0];
        assert!(normalize_sparse(&[0, 2, 2, 3], &mut sparse).is_some());
        assert!((sparse[0] + 0.6).abs() < 1e-15 && sparse[2] == 1.0, "{sparse:?}");
    }
}
