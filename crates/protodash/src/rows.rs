//! Rows of numbers: scalar types, a borrowed row-major matrix, and the sums over a pair of rows that kernels need.

use std::ops::Range;

use ndarray::{ArrayRef2, CowArray, Ix2};

use crate::compiled::CompiledOnce;
use crate::error::{Error, Result, Role};
use crate::parallel;
use crate::search::Wire;

/// Element type of a matrix: `f32` or `f64`.
///
/// Arithmetic is in `f64` for both unless stated otherwise.
///
/// # Examples
///
/// ```
/// use protodash::Scalar;
///
/// assert_eq!(0.5_f32.to_f64(), 0.5);
/// ```
pub trait Scalar:
    sealed::Sealed + CompiledOnce + Wire + Copy + PartialEq + Send + Sync + std::fmt::Debug + 'static
{
    /// The same number as an `f64`, exactly.
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
    /// Downcasts of slices to the concrete type.
    pub trait Sealed: Sized {
        fn as_single(values: &[Self]) -> Option<&[f32]>;
        fn as_double(values: &[Self]) -> Option<&[f64]>;
    }

    impl Sealed for f32 {
        fn as_single(values: &[f32]) -> Option<&[f32]> {
            Some(values)
        }

        fn as_double(_: &[f32]) -> Option<&[f64]> {
            None
        }
    }

    impl Sealed for f64 {
        fn as_single(_: &[f64]) -> Option<&[f32]> {
            None
        }

        fn as_double(values: &[f64]) -> Option<&[f64]> {
            Some(values)
        }
    }
}

/// Rows whose element type is known at run time.
///
/// This lets the hot loops be compiled once, in this crate, rather than in every crate that calls them.
#[derive(Debug, Clone, Copy)]
pub(crate) enum TypedRows<'a> {
    Single(Rows<'a, f32>),
    Double(Rows<'a, f64>),
}

/// A borrowed row-major matrix.
#[derive(Debug)]
pub(crate) struct Rows<'a, T> {
    values: &'a [T],
    n_columns: usize,
}

impl<T> Clone for Rows<'_, T> {
    fn clone(&self) -> Self {
        *self
    }
}

// A derived impl would require `T: Copy`.
impl<T> Copy for Rows<'_, T> {}

impl<'a, T> Rows<'a, T> {
    /// Rows of `n_columns` values each.
    ///
    /// # Panics
    ///
    /// If `n_columns` is 0 or does not divide the number of values.
    pub(crate) fn new(values: &'a [T], n_columns: usize) -> Self {
        assert!(
            n_columns > 0 && values.len().is_multiple_of(n_columns),
            "{} values in rows of {n_columns}",
            values.len()
        );
        Rows { values, n_columns }
    }

    /// Number of rows.
    pub(crate) fn n_rows(self) -> usize {
        self.values.len() / self.n_columns
    }

    /// Number of values in a row.
    pub(crate) fn n_columns(self) -> usize {
        self.n_columns
    }

    /// The values of one row.
    ///
    /// # Panics
    ///
    /// If there is no such row.
    #[inline]
    pub(crate) fn row(self, index: usize) -> &'a [T] {
        &self.values[index * self.n_columns..][..self.n_columns]
    }

    /// All rows in order.
    pub(crate) fn iter(self) -> std::slice::ChunksExact<'a, T> {
        self.values.chunks_exact(self.n_columns)
    }

    /// A run of consecutive rows.
    ///
    /// # Panics
    ///
    /// If the range does not lie within the rows.
    pub(crate) fn slice(self, range: Range<usize>) -> Self {
        Rows { values: &self.values[range.start * self.n_columns..range.end * self.n_columns], ..self }
    }

    /// All values, row after row.
    pub(crate) fn values(self) -> &'a [T] {
        self.values
    }
}

impl<'a, T: Scalar> Rows<'a, T> {
    /// The same rows, with their element type known.
    pub(crate) fn typed(self) -> TypedRows<'a> {
        match (T::as_single(self.values), T::as_double(self.values)) {
            (Some(values), _) => TypedRows::Single(Rows { values, n_columns: self.n_columns }),
            (None, values) => TypedRows::Double(Rows { values: values.unwrap_or_default(), n_columns: self.n_columns }),
        }
    }
}

/// Values checked per task.
const VALUES_PER_TASK: usize = 1 << 16;

/// A caller's matrix, checked and in row-major order: borrowed if it already was, otherwise copied.
pub(crate) struct CheckedMatrix<'a, T>(CowArray<'a, T, Ix2>);

impl<'a, T: Scalar> CheckedMatrix<'a, T> {
    pub(crate) fn new(matrix: &'a ArrayRef2<T>, role: Role) -> Result<Self> {
        let (rows, columns) = matrix.dim();
        if rows == 0 || columns == 0 {
            return Err(Error::Empty { role, rows, columns });
        }
        let checked = CheckedMatrix(matrix.as_standard_layout());
        if let Some(at) = not_finite(checked.rows().values()) {
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

/// Index of the first value that is not finite.
fn not_finite<T: Scalar>(values: &[T]) -> Option<usize> {
    let finite = |value: &T| value.to_f64().is_finite();
    let task = parallel::first(values.len().div_ceil(VALUES_PER_TASK), &|task| {
        let start = task * VALUES_PER_TASK;
        // Without an early exit the compiler vectorises the inner loop.
        values[start..values.len().min(start + VALUES_PER_TASK)]
            .chunks(256)
            .any(|few| !few.iter().fold(true, |all, value| all & finite(value)))
    })?;
    let start = task * VALUES_PER_TASK;
    values[start..].iter().position(|value| !finite(value)).map(|place| start + place)
}

/// A caller's target and source, checked. If both are the same matrix, it is checked, and copied if necessary, only
/// once.
pub(crate) struct CheckedPair<'a, T> {
    target: CheckedMatrix<'a, T>,
    /// `None` if it is the target.
    source: Option<CheckedMatrix<'a, T>>,
}

impl<'a, T: Scalar> CheckedPair<'a, T> {
    pub(crate) fn new(target: &'a ArrayRef2<T>, source: &'a ArrayRef2<T>) -> Result<Self> {
        let one =
            target.as_ptr() == source.as_ptr() && target.dim() == source.dim() && target.strides() == source.strides();
        let target = CheckedMatrix::new(target, Role::Target)?;
        let source = if one { None } else { Some(CheckedMatrix::new(source, Role::Source)?) };
        let pair = CheckedPair { target, source };
        let (target, source) = pair.rows();
        if target.n_columns() != source.n_columns() {
            return Err(Error::DifferentColumns { target: target.n_columns(), available: source.n_columns() });
        }
        Ok(pair)
    }

    /// Target and source.
    pub(crate) fn rows(&self) -> (Rows<'_, T>, Rows<'_, T>) {
        let target = self.target.rows();
        (target, self.source.as_ref().map_or(target, CheckedMatrix::rows))
    }
}

/// True if both are the same rows: the same memory, or equal values.
pub(crate) fn same_rows<T: Scalar>(a: Rows<'_, T>, b: Rows<'_, T>) -> bool {
    a.n_columns == b.n_columns
        && a.values.len() == b.values.len()
        && (std::ptr::eq(a.values, b.values) || a.values == b.values)
}

/// Number of partial sums of a product.
pub(crate) const LANES: usize = 8;

/// Σ f(xᵢ, yᵢ) in f64, with enough independent partial sums for the compiler to vectorise.
#[inline(always)]
fn sum_over_pairs<T: Scalar, U: Scalar>(x: &[T], y: &[U], term: impl Fn(f64, f64) -> f64) -> f64 {
    let mut partial = [0.0; LANES];
    let (x_chunks, x_rest) = x.as_chunks::<LANES>();
    let (y_chunks, y_rest) = y.as_chunks::<LANES>();
    for (x, y) in x_chunks.iter().zip(y_chunks) {
        for lane in 0..LANES {
            partial[lane] += term(x[lane].to_f64(), y[lane].to_f64());
        }
    }
    let rest: f64 = x_rest.iter().zip(y_rest).map(|(x, y)| term(x.to_f64(), y.to_f64())).sum();
    // The order in which vectors are reduced: half onto half.
    let [a, b, c, d, e, f, g, h] = partial;
    ((a + e) + (c + g)) + ((b + f) + (d + h)) + rest
}

/// xᵀy.
#[inline(always)]
pub(crate) fn product<T: Scalar, U: Scalar>(x: &[T], y: &[U]) -> f64 {
    sum_over_pairs(x, y, |x, y| x * y)
}

/// ‖x‖² − ‖y‖², by differences.
#[inline(always)]
pub(crate) fn difference_of_squares<T: Scalar, U: Scalar>(x: &[T], y: &[U]) -> f64 {
    sum_over_pairs(x, y, |x, y| (x - y) * (x + y))
}

/// Lengths whose squares and products neither overflow nor lose digits.
pub(crate) const PLAIN_LENGTHS: Range<f64> = 1e-70..1e70;

/// ‖x‖, even if its square overflows or underflows.
#[inline(always)]
pub(crate) fn length<T: Scalar>(x: &[T]) -> f64 {
    let length = product(x, x).sqrt();
    if PLAIN_LENGTHS.contains(&length) { length } else { scaled_length(x) }
}

#[cold]
fn scaled_length<T: Scalar>(x: &[T]) -> f64 {
    let largest = x.iter().fold(0.0, |largest: f64, value| largest.max(value.to_f64().abs()));
    if largest == 0.0 {
        return 0.0;
    }
    largest * x.iter().map(|value| (value.to_f64() / largest).powi(2)).sum::<f64>().sqrt()
}

/// xᵀy / (‖x‖ ‖y‖), from the lengths; 0 if one of them is 0.
#[inline(always)]
pub(crate) fn cosine<T: Scalar, U: Scalar>(x: &[T], y: &[U], (x_length, y_length): (f64, f64)) -> f64 {
    if x_length == 0.0 || y_length == 0.0 {
        0.0
    } else if PLAIN_LENGTHS.contains(&x_length) && PLAIN_LENGTHS.contains(&y_length) {
        product(x, y) / (x_length * y_length)
    } else {
        sum_over_pairs(x, y, |x, y| (x / x_length) * (y / y_length))
    }
}

/// (x − r)ᵀ(y − r), by differences.
#[inline]
pub(crate) fn centred_product<T: Scalar>(x: &[T], y: &[T], r: &[T]) -> f64 {
    let mut partial = [0.0; LANES];
    for ((x, y), r) in x.chunks(LANES).zip(y.chunks(LANES)).zip(r.chunks(LANES)) {
        for (((sum, x), y), r) in partial.iter_mut().zip(x).zip(y).zip(r) {
            *sum += (x.to_f64() - r.to_f64()) * (y.to_f64() - r.to_f64());
        }
    }
    partial.iter().sum()
}

/// ‖x − y‖², by differences: accurate where the expansion into products would cancel.
#[inline(always)]
pub(crate) fn squared_distance<T: Scalar, U: Scalar>(x: &[T], y: &[U]) -> f64 {
    sum_over_pairs(x, y, |x, y| (x - y) * (x - y))
}

/// Σ|xᵢ − yᵢ|.
#[inline(always)]
pub(crate) fn manhattan_distance<T: Scalar, U: Scalar>(x: &[T], y: &[U]) -> f64 {
    sum_over_pairs(x, y, |x, y| (x - y).abs())
}

/// Number of values that differ.
#[inline(always)]
pub(crate) fn hamming_distance<T: Scalar, U: Scalar>(x: &[T], y: &[U]) -> f64 {
    sum_over_pairs(x, y, |x, y| if x == y { 0.0 } else { 1.0 })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sums_include_the_remainder_after_the_last_full_chunk() {
        let x: Vec<f64> = (0..19).map(f64::from).collect();
        let y = vec![1.0; 19];
        assert_eq!(product(&x, &y), 171.0); // 0 + 1 + … + 18
        assert_eq!(difference_of_squares(&x, &y), 2090.0); // 0² + 1² + … + 18² − 19
        assert_eq!(centred_product(&x, &[2.0; 19], &y), 152.0); // −1 + 0 + 1 + … + 17
        assert_eq!(squared_distance(&x, &y), 1786.0); // 1 + 0 + 1² + … + 17²
        assert_eq!(manhattan_distance(&x, &y), 154.0); // 1 + 0 + 1 + … + 17
        assert_eq!(hamming_distance(&x, &y), 18.0); // all but the one 1
    }

    #[test]
    fn a_transposed_matrix_is_copied_to_row_major_order() {
        let matrix = ndarray::array![[1.0, 2.0], [3.0, 4.0]];
        let transposed = matrix.t();
        let checked = CheckedMatrix::new(&transposed, Role::Source).unwrap();
        assert_eq!(checked.rows().row(0), [1.0, 3.0]);
    }

    #[test]
    fn rows_with_equal_values_are_the_same() {
        let (a, b) = (vec![1.0, 2.0], vec![1.0, 2.0]);
        assert!(same_rows(Rows::new(&a, 1), Rows::new(&b, 1)));
        assert!(!same_rows(Rows::new(&a, 1), Rows::new(&b, 2)));
    }
}
