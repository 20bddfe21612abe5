//! How rows look, for one line each.

use protodash::{Dataset, Role};

use super::columns::described_rows;
use super::{PageObserver, RowData};
use crate::error::Result;
use crate::look::Look;

/// The look of each of these rows of the matrices: its cells, the most unusual ones if not all fit; of sparse rows the stored
/// values, the largest if not all fit. Nothing for kernel matrices.
///
/// # Errors
///
/// If the rows cannot be read again, or if `observer` cancels.
pub fn looks(data: &RowData<'_, '_>, rows: &[(Role, usize)], observer: &mut dyn PageObserver) -> Result<Vec<Look>> {
    if let Dataset::Sparse(kernel) = data.matrices {
        let look = |&(role, row): &(Role, usize)| {
            let side = kernel.target().filter(|_| role == Role::Target).unwrap_or(kernel.source());
            let (columns, values) = side.stored(row);
            let names = columns.iter().map(|column| data.tables.sparse_name(*column as usize));
            Look::of_sparse(names.zip(values.iter().copied()))
        };
        return Ok(rows.iter().map(look).collect());
    }
    if data.features.is_empty() {
        return Ok(Vec::new());
    }
    let (columns, cells) = described_rows(data, rows, observer)?;
    Ok(cells.iter().map(|cells| Look::new(&columns, cells)).collect())
}
