//! The diagonal of the kernel, which must be finite and not negative.

use crate::error::{Error, Result, Role};
use crate::kernel::Kernel;
use crate::parallel;
use crate::rows::{Rows, Scalar};

/// k(x, x) for each source row.
pub(crate) fn checked_diagonal<T: Scalar>(kernel: &dyn Kernel<T>, rows: Rows<'_, T>) -> Result<Vec<f64>> {
    let own = |row: usize| kernel.evaluate(rows.row(row), rows.row(row));
    let diagonal: Vec<f64> = parallel::map(0..rows.n_rows(), own);
    diagonal.iter().enumerate().try_for_each(|(row, value)| check_own_similarity(row, *value))?;
    Ok(diagonal)
}

/// An error if a source row's similarity to itself is negative or not finite.
pub(crate) fn check_own_similarity(row: usize, value: f64) -> Result<()> {
    if !value.is_finite() {
        return Err(Error::KernelNotFinite { role: Role::Source, row, value: value.to_string() });
    }
    if value < 0.0 {
        return Err(Error::NegativeDiagonal { row, value });
    }
    Ok(())
}
