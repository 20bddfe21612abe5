//! The values of explained rows next to those of the rows that explain them.

use std::collections::{BTreeSet, HashMap};

use protodash::{Dataset, Explanation, Explanations, Role, SparseMatrix};

use crate::error::Result;
use crate::explanation::Difference;
use crate::gather::{PageObserver, RowData, RowSource, described_next_to};
use crate::row::Cell;
use crate::typical::{Column, Typical};

/// Maximum number of columns that are named as alike or as different.
const NAMED: usize = 3;

/// The cells of explained rows and of the rows that explain them.
pub(super) enum ComparedCells<'a> {
    /// Of tables and arrays.
    Dense {
        columns: Vec<Column>,
        rows: Vec<Vec<Cell>>,
        /// By source row.
        prototypes: HashMap<usize, Vec<Cell>>,
    },
    /// Of sparse rows, whose stored values are compared.
    Sparse {
        source: &'a SparseMatrix,
        target: &'a SparseMatrix,
        tables: &'a dyn RowSource,
        /// The standard deviation of each column among the source rows.
        deviations: Vec<f64>,
    },
}

/// A column with its difference, the cell of the explained row and that of the prototype.
struct ComparedColumn<'a> {
    difference: Difference,
    name: String,
    ours: &'a Cell,
    theirs: &'a Cell,
}

impl<'a> ComparedCells<'a> {
    pub(super) fn read(
        found: &Explanations,
        data: &RowData<'a, '_>,
        observer: &mut dyn PageObserver,
    ) -> Result<ComparedCells<'a>> {
        if let Dataset::Sparse(kernel) = data.matrices {
            let (source, target) = (kernel.source(), kernel.target().unwrap_or(kernel.source()));
            let deviations = source.moments().into_iter().map(|moments| moments.standard_deviation).collect();
            return Ok(ComparedCells::Sparse { source, target, tables: data.tables, deviations });
        }
        let chosen = |explanation: &Explanation| -> Vec<usize> {
            explanation.prototypes.iter().map(|prototype| prototype.source_index).collect()
        };
        let mut sources: Vec<usize> = found.rows.iter().flat_map(chosen).collect();
        sources.sort_unstable();
        sources.dedup();
        if data.features.is_empty() {
            return Ok(ComparedCells::Dense { columns: Vec::new(), rows: Vec::new(), prototypes: HashMap::new() });
        }
        let targets = (0..found.rows.len()).map(|row| (Role::Target, row));
        let wanted: Vec<(Role, usize)> = targets.chain(sources.iter().map(|row| (Role::Source, *row))).collect();
        let (columns, mut rows) = described_next_to(data, Role::Source, &wanted, observer)?;
        let prototypes = rows.split_off(found.rows.len());
        Ok(ComparedCells::Dense { columns, rows, prototypes: sources.into_iter().zip(prototypes).collect() })
    }

    /// The columns in which a row and a source row are alike, and those in which they differ most.
    pub(super) fn compare(&self, row: usize, source: usize) -> (Vec<String>, Vec<String>) {
        match self {
            ComparedCells::Dense { columns, rows, prototypes } => match (rows.get(row), prototypes.get(&source)) {
                (Some(ours), Some(theirs)) => {
                    in_words(columns.iter().zip(ours).zip(theirs).map(|((column, ours), theirs)| ComparedColumn {
                        difference: Difference::between(column, ours, theirs),
                        name: column.name.clone(),
                        ours,
                        theirs,
                    }))
                }
                _ => (Vec::new(), Vec::new()),
            },
            ComparedCells::Sparse { source: sources, target, tables, deviations } => {
                let (ours, theirs) = (target.stored(row), sources.stored(source));
                let columns: BTreeSet<u32> = ours.0.iter().chain(theirs.0).copied().collect();
                // A column that both rows lack says nothing about them.
                let cells: Vec<(u32, Cell, Cell)> =
                    columns.into_iter().map(|column| (column, cell(ours, column), cell(theirs, column))).collect();
                in_words(cells.iter().map(|(column, ours, theirs)| {
                    let (at, median) = (*column as usize, 0.0);
                    let deviation = deviations.get(at).copied().unwrap_or(0.0);
                    let typical = Typical::Number { median, deviation };
                    let column = Column { name: tables.sparse_name(at), typical };
                    let difference = Difference::between(&column, ours, theirs);
                    ComparedColumn { difference, name: column.name, ours, theirs }
                }))
            }
        }
    }
}

/// The value of a sparse row in a column.
fn cell((columns, values): (&[u32], &[f64]), column: u32) -> Cell {
    let value = columns.binary_search(&column).map_or(0.0, |place| values[place]);
    Cell::of_number(&value.to_string(), Some(value))
}

fn in_words<'a>(columns: impl Iterator<Item = ComparedColumn<'a>>) -> (Vec<String>, Vec<String>) {
    let mut apart: Vec<ComparedColumn<'_>> = columns.collect();
    // Stable: columns that are equally far apart stay in the order of the file.
    apart.sort_by(|a, b| a.difference.size.total_cmp(&b.difference.size));
    let close = apart.iter().take_while(|column| column.difference.is_alike()).take(NAMED);
    let alike = close.map(|ComparedColumn { difference, name, ours, theirs }| match difference.is_equal() {
        true => format!("{name} {}", ours.text),
        false => format!("{name} {} and {}", theirs.text, ours.text),
    });
    let far = apart.iter().rev().take_while(|column| !column.difference.is_alike()).take(NAMED);
    let differs =
        far.map(|ComparedColumn { name, ours, theirs, .. }| format!("{name} {} instead of {}", theirs.text, ours.text));
    (alike.collect(), differs.collect())
}

#[cfg(test)]
mod tests {
    use super::*;
    use protodash::{ExplainParams, KernelSpec, Unobserved};
    use protodash_table::RowMap;

    struct NoTables;

    impl RowSource for NoTables {
        fn is_one(&self) -> bool {
            true
        }

        fn rows(&self, _: Role, _: &[u64]) -> Result<arrow_array::RecordBatch> {
            Ok(arrow_array::RecordBatch::new_empty(arrow_schema::Schema::empty().into()))
        }

        fn sparse_name(&self, column: usize) -> String {
            format!("word {column}")
        }
    }

    #[test]
    fn only_stored_values_of_sparse_rows_are_compared() {
        let (columns, values) = (vec![1, 4, 1, 5, 2], vec![1.0, 3.0, 1.0, 2.0, 1.0]);
        let source = SparseMatrix::new(9, vec![0, 2, 4, 5], columns, values).unwrap();
        let target = SparseMatrix::new(9, vec![0, 2], vec![1, 5], vec![1.0, 9.0]).unwrap();
        let spec = KernelSpec::new("linear").unwrap();
        let matrices = Dataset::from_sparse(source, Some(target), &spec, 0).unwrap();
        let found = matrices.explain(None, &ExplainParams::default(), &mut Unobserved).unwrap();
        let (source_rows, target_rows) = (RowMap::identity(3), RowMap::identity(1));
        let data = RowData {
            matrices: &matrices,
            source_rows: &source_rows,
            target_rows: Some(&target_rows),
            features: &[],
            codes: false,
            target_weights: None,
            tables: &NoTables,
        };
        let cells = ComparedCells::read(&found, &data, &mut Unobserved).unwrap();
        let (alike, differs) = cells.compare(0, 0);
        assert_eq!(alike, ["word 1 1"]);
        // Column 5 has the standard deviation √(4/3 − 4/9) = 0.94, column 4 √(9/3 − 1) = 1.41.
        assert_eq!(differs, ["word 5 0 instead of 9", "word 4 3 instead of 0"]);
    }
}
