//! Sparse rows as pages show them: in the columns with the largest values of the rows that are shown.

use std::sync::Arc;

use arrow_array::{ArrayRef, Float64Array, RecordBatch};
use arrow_schema::{DataType, Field, Schema};
use protodash::{Dataset, KernelSpec, Role, SparseKernel};
use protodash_table::Feature;

use super::{RowData, RowSource};
use crate::error::Result;
use crate::numbers::count;

/// Columns for each row that is shown.
const COLUMNS_PER_ROW: usize = 8;
/// Minimum and maximum number of columns.
const N_COLUMNS: [usize; 2] = [24, 240];
/// The columns, with their zeros, take no more memory than the sparse rows, or than this many values.
const MOST_VALUES: usize = 1 << 23;

/// Sparse rows in some of their columns, with zeros.
pub(crate) struct NarrowedRows<'a, 'd> {
    rows: RowData<'a, 'd>,
    matrices: Dataset<'static>,
    features: Vec<Feature>,
}

impl<'a, 'd> NarrowedRows<'a, 'd> {
    /// The columns in which `shown` have their largest values; `None` if the rows are not sparse.
    pub(crate) fn new(rows: &RowData<'a, 'd>, shown: &[(Role, usize)]) -> Result<Option<Self>> {
        let Dataset::Sparse(kernel) = rows.matrices else { return Ok(None) };
        let columns = kernel.largest_columns(shown, n_columns(kernel, shown.len()));
        let dense = |role| kernel.dense_columns(role, &columns);
        let target = kernel.target().map(|_| dense(Role::Target).into());
        // The rows are only shown, so any kernel will do.
        let matrices = Dataset::from_f64(dense(Role::Source), target, &KernelSpec::new("linear")?, 0)?;
        let features = columns.iter().map(|column| Feature::new(&rows.tables.sparse_name(*column), None)).collect();
        Ok(Some(NarrowedRows { rows: *rows, matrices, features }))
    }

    /// The rows, which are not sparse.
    pub(crate) fn data(&self) -> RowData<'_, 'static> {
        RowData {
            matrices: &self.matrices,
            source_rows: self.rows.source_rows,
            target_rows: self.rows.target_rows,
            features: &self.features,
            codes: false,
            target_weights: self.rows.target_weights,
            tables: self,
        }
    }

    /// What a page lacks; `None` if it has all columns.
    pub(crate) fn missing(&self) -> Option<String> {
        let (shown, all) = (self.features.len(), self.rows.matrices.n_features());
        (shown < all).then(|| {
            format!(
                "{} of {} columns: shown are those in which the rows on this page have their largest values",
                count((all - shown) as u64),
                count(all as u64)
            )
        })
    }

    /// One column of the rows at these places.
    fn values(&self, places: &[Option<(Role, usize)>], column: usize) -> Float64Array {
        let [source, target] = [Role::Source, Role::Target].map(|role| self.matrices.column(role, column));
        let value = |(role, row): (Role, usize)| {
            let side = if role == Role::Source { &source } else { &target };
            side.as_ref()?.get(row).copied()
        };
        places.iter().map(|place| place.and_then(value)).collect()
    }
}

impl RowSource for NarrowedRows<'_, '_> {
    fn is_one(&self) -> bool {
        self.rows.tables.is_one()
    }

    fn rows(&self, role: Role, numbers: &[u64]) -> Result<RecordBatch> {
        let batch = self.rows.tables.rows(role, numbers)?;
        // One table may hold rows of both sides.
        let roles: &[Role] = if self.is_one() { &[Role::Source, Role::Target] } else { &[role] };
        let place =
            |number: &u64| roles.iter().find_map(|role| Some((*role, self.rows.rows(*role).matrix_row(*number)?)));
        let places: Vec<Option<(Role, usize)>> = numbers.iter().map(place).collect();
        let own = (0..self.features.len()).map(|column| Arc::new(self.values(&places, column)) as ArrayRef);
        let columns: Vec<ArrayRef> = batch.columns().iter().cloned().chain(own).collect();
        let fields = self.features.iter().map(|feature| Arc::new(Field::new(&feature.column, DataType::Float64, true)));
        let fields: Vec<Arc<Field>> = batch.schema().fields().iter().cloned().chain(fields).collect();
        Ok(RecordBatch::try_new(Arc::new(Schema::new(fields)), columns)?)
    }

    fn file(&self, role: Role, path: &str) -> Option<Vec<u8>> {
        self.rows.tables.file(role, path)
    }
}

/// How many columns are shown with this many rows.
fn n_columns(kernel: &SparseKernel, n_shown: usize) -> usize {
    let sides = || [Some(kernel.source()), kernel.target()].into_iter().flatten();
    let (n_rows, n_values) = sides().fold((0, 0), |sum, side| (sum.0 + side.n_rows(), sum.1 + side.n_values()));
    let [least, most] = N_COLUMNS;
    let affordable = (n_values.max(MOST_VALUES) / n_rows.max(1)).clamp(least, most);
    (COLUMNS_PER_ROW * n_shown).clamp(least, affordable)
}
