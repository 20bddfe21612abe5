//! Rows of numbers: the scalar types we take, a borrowed row-major matrix, and the sums over a pair of rows that
//! kernels are made of.

use std::ops::Range;

use ndarray::{ArrayRef2, CowArray, Ix2};

use crate::error::{Error, Result, Role};

/// A type of number that data may have: `f32` or `f64`.
///
/// Arithmetic is done in `f64` for both.
///
/// # Examples
///
/// ```
/// use protodash::Scalar;
///
/// assert_eq!(0.5_f32.to_f64(), 0.5);
/// ```
pub trait Scalar: sealed::Sealed + Copy + PartialEq + Send + Sync + std::fmt::Debug + 'static {
    /// The same number as `f64`, exactly.
    ///
    /// # Examples
    ///
    /// ```
    /// assert_eq!(protodash::Scalar::to_f64(0.25_f32), 0.25);
    /// ```
    fn to_f64(self) -> f64;
}

impl Scalar for f32 {
    #[inline(always)]
    fn to_f64(self) -> f64 {
        f64::from(self)
    }
}

impl Scalar for f64 {
    #[inline(always)]
    fn to_f64(self) -> f64 {
        self
    }
}

mod sealed {
    pub trait Sealed {}
    impl Sealed for f32 {}
    impl Sealed for f64 {}
}

/// A borrowed matrix whose rows lie one after the other.
///
/// # Examples
///
/// ```
/// use protodash::Rows;
///
/// let rows = Rows::new(&[1.0, 2.0, 3.0, 4.0, 5.0, 6.0], 3);
/// assert_eq!((rows.n_rows(), rows.n_columns()), (2, 3));
/// assert_eq!(rows.row(1), [4.0, 5.0, 6.0]);
/// ```
#[derive(Debug)]
pub struct Rows<'a, T> {
    values: &'a [T],
    n_columns: usize,
}

impl<T> Clone for Rows<'_, T> {
    fn clone(&self) -> Self {
        *self
    }
}

// Derived, it would ask the same of T, which is only borrowed.
impl<T> Copy for Rows<'_, T> {}

impl<'a, T> Rows<'a, T> {
    /// Rows of `n_columns` values each.
    ///
    /// # Panics
    ///
    /// If `n_columns` is 0 or does not divide the number of values.
    ///
    /// # Examples
    ///
    /// ```
    /// assert_eq!(protodash::Rows::new(&[0.5, 1.5], 1).n_rows(), 2);
    /// ```
    pub fn new(values: &'a [T], n_columns: usize) -> Self {
        assert!(
            n_columns > 0 && values.len().is_multiple_of(n_columns),
            "{} values in rows of {n_columns}",
            values.len()
        );
        Rows { values, n_columns }
    }

    /// How many rows there are.
    ///
    /// # Examples
    ///
    /// ```
    /// assert_eq!(protodash::Rows::new(&[0.5, 1.5], 2).n_rows(), 1);
    /// ```
    pub fn n_rows(self) -> usize {
        self.values.len() / self.n_columns
    }

    /// How many values a row has.
    ///
    /// # Examples
    ///
    /// ```
    /// assert_eq!(protodash::Rows::new(&[0.5, 1.5], 2).n_columns(), 2);
    /// ```
    pub fn n_columns(self) -> usize {
        self.n_columns
    }

    /// The values of one row.
    ///
    /// # Panics
    ///
    /// If there is no such row.
    ///
    /// # Examples
    ///
    /// ```
    /// assert_eq!(protodash::Rows::new(&[0.5, 1.5], 1).row(1), [1.5]);
    /// ```
    #[inline]
    pub fn row(self, index: usize) -> &'a [T] {
        &self.values[index * self.n_columns..][..self.n_columns]
    }

    /// All rows in order.
    ///
    /// # Examples
    ///
    /// ```
    /// let values = [1.0, 2.0, 3.0, 4.0];
    /// let sums: Vec<f64> = protodash::Rows::new(&values, 2).iter().map(|row| row.iter().sum()).collect();
    /// assert_eq!(sums, [3.0, 7.0]);
    /// ```
    pub fn iter(self) -> std::slice::ChunksExact<'a, T> {
        self.values.chunks_exact(self.n_columns)
    }

    /// A run of consecutive rows.
    ///
    /// # Panics
    ///
    /// If the range does not lie within the rows.
    ///
    /// # Examples
    ///
    /// ```
    /// let values = [1.0, 2.0, 3.0];
    /// assert_eq!(protodash::Rows::new(&values, 1).slice(1..3).row(0), [2.0]);
    /// ```
    pub fn slice(self, range: Range<usize>) -> Self {
        Rows { values: &self.values[range.start * self.n_columns..range.end * self.n_columns], ..self }
    }

    /// All values, row after row.
    ///
    /// # Examples
    ///
    /// ```
    /// assert_eq!(protodash::Rows::new(&[1.0, 2.0], 1).values(), [1.0, 2.0]);
    /// ```
    pub fn values(self) -> &'a [T] {
        self.values
    }
}

/// A caller's matrix, checked and in row-major order: borrowed when it already was, copied once when not.
pub(crate) struct Checked<'a, T>(CowArray<'a, T, Ix2>);

impl<'a, T: Scalar> Checked<'a, T> {
    pub(crate) fn new(matrix: &'a ArrayRef2<T>, role: Role) -> Result<Self> {
        let (rows, columns) = matrix.dim();
        if rows == 0 || columns == 0 {
            return Err(Error::Empty { role, rows, columns });
        }
        let checked = Checked(matrix.as_standard_layout());
        let finite = |value: &T| value.to_f64().is_finite();
        if let Some(at) = checked.rows().values().iter().position(|value| !finite(value)) {
            let value = checked.rows().values()[at].to_f64().to_string();
            return Err(Error::NotFinite { role, row: at / columns, column: at % columns, value });
        }
        Ok(checked)
    }

    pub(crate) fn rows(&self) -> Rows<'_, T> {
        // `as_standard_layout` is contiguous by its contract, so the slice always exists.
        self.0.as_slice().map_or(Rows { values: &[], n_columns: 1 }, |values| Rows::new(values, self.0.ncols()))
    }
}

/// True if both are the same rows: the same memory, or equal value by value.
pub(crate) fn same_rows<T: Scalar>(a: Rows<'_, T>, b: Rows<'_, T>) -> bool {
    a.n_columns == b.n_columns
        && a.values.len() == b.values.len()
        && (std::ptr::eq(a.values, b.values) || a.values == b.values)
}

const LANES: usize = 8;

/// Σ f(xᵢ, yᵢ) in f64, with enough independent partial sums that the compiler can use vector instructions.
#[inline(always)]
fn sum_over_pairs<T: Scalar>(x: &[T], y: &[T], term: impl Fn(f64, f64) -> f64) -> f64 {
    let mut partial = [0.0; LANES];
    let (x_chunks, x_rest) = x.as_chunks::<LANES>();
    let (y_chunks, y_rest) = y.as_chunks::<LANES>();
    for (x, y) in x_chunks.iter().zip(y_chunks) {
        for lane in 0..LANES {
            partial[lane] += term(x[lane].to_f64(), y[lane].to_f64());
        }
    }
    let rest: f64 = x_rest.iter().zip(y_rest).map(|(x, y)| term(x.to_f64(), y.to_f64())).sum();
    partial.iter().sum::<f64>() + rest
}

/// xᵀy.
#[inline]
pub(crate) fn product<T: Scalar>(x: &[T], y: &[T]) -> f64 {
    sum_over_pairs(x, y, |x, y| x * y)
}

/// ‖x − y‖², by differences: exact where the expansion into products would cancel.
#[inline]
pub(crate) fn squared_distance<T: Scalar>(x: &[T], y: &[T]) -> f64 {
    sum_over_pairs(x, y, |x, y| (x - y) * (x - y))
}

/// Σ|xᵢ − yᵢ|.
#[inline]
pub(crate) fn manhattan_distance<T: Scalar>(x: &[T], y: &[T]) -> f64 {
    sum_over_pairs(x, y, |x, y| (x - y).abs())
}

/// How many of the values differ.
#[inline]
pub(crate) fn hamming_distance<T: Scalar>(x: &[T], y: &[T]) -> f64 {
    sum_over_pairs(x, y, |x, y| if x == y { 0.0 } else { 1.0 })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sums_reach_past_the_last_full_chunk() {
        let x: Vec<f64> = (0..19).map(f64::from).collect();
        let y = vec![1.0; 19];
        assert_eq!(product(&x, &y), 171.0); // 0 + 1 + … + 18
        assert_eq!(squared_distance(&x, &y), 1786.0); // 1 + 0 + 1² + … + 17²
        assert_eq!(manhattan_distance(&x, &y), 154.0); // 1 + 0 + 1 + … + 17
        assert_eq!(hamming_distance(&x, &y), 18.0); // all but the one 1
    }

    #[test]
    fn a_transposed_matrix_is_read_by_rows() {
        let matrix = ndarray::array![[1.0, 2.0], [3.0, 4.0]];
        let transposed = matrix.t();
        let checked = Checked::new(&transposed, Role::Source).unwrap();
        assert_eq!(checked.rows().row(0), [1.0, 3.0]);
    }

    #[test]
    fn equal_values_in_other_memory_are_the_same_rows() {
        let (a, b) = (vec![1.0, 2.0], vec![1.0, 2.0]);
        assert!(same_rows(Rows::new(&a, 1), Rows::new(&b, 1)));
        assert!(!same_rows(Rows::new(&a, 1), Rows::new(&b, 2)));
    }
}
