//! Chosen rows with all their columns and their weights or scores, as CSV or Parquet.

use std::io::Write;
use std::sync::Arc;

use arrow_array::{ArrayRef, Float64Array, RecordBatch, UInt64Array};
use arrow_schema::{ArrowError, Field, Schema};
use parquet::arrow::ArrowWriter;

use crate::error::WriteError;
use protodash_report::{CriticismRecord, PrototypeRecord};
use protodash_table::cell_text;

/// The prototypes' rows, preceded by rank in order of choice, weight, share, gain and row number.
pub(crate) fn prototype_rows(
    rows: &RecordBatch,
    prototypes: &[(u64, &PrototypeRecord)],
) -> Result<RecordBatch, WriteError> {
    let numbers = |value: fn(&PrototypeRecord) -> f64| -> ArrayRef {
        Arc::new(prototypes.iter().map(|(_, prototype)| Some(value(prototype))).collect::<Float64Array>())
    };
    let found = [
        ("prototype_rank", whole(prototypes.iter().map(|(rank, _)| Some(*rank)))),
        ("prototype_weight", numbers(|prototype| prototype.weight)),
        ("prototype_share", numbers(|prototype| prototype.share)),
        ("prototype_gain", numbers(|prototype| prototype.gain)),
        ("source_index", whole(prototypes.iter().map(|(_, prototype)| Some(prototype.source_index)))),
    ];
    in_front(rows, &found)
}

/// The criticisms' rows, preceded by rank, score and row number.
pub(crate) fn criticism_rows(rows: &RecordBatch, criticisms: &[CriticismRecord]) -> Result<RecordBatch, WriteError> {
    let scores: ArrayRef = Arc::new(criticisms.iter().map(|criticism| Some(criticism.score)).collect::<Float64Array>());
    let among_target = criticisms.iter().any(|criticism| criticism.target_index.is_some());
    let index = |criticism: &CriticismRecord| criticism.source_index.or(criticism.target_index);
    let found = [
        ("criticism_rank", ranks(criticisms.len())),
        ("criticism_score", scores),
        (if among_target { "target_index" } else { "source_index" }, whole(criticisms.iter().map(index))),
    ];
    in_front(rows, &found)
}

/// Writes rows as CSV, with a header; missing cells are empty.
pub(crate) fn write_csv(rows: &RecordBatch, writer: &mut dyn Write) -> Result<(), WriteError> {
    let schema = rows.schema();
    if let Some(field) = schema.fields().iter().find(|field| field.data_type().is_nested()) {
        let (name, kind) = (field.name(), field.data_type());
        return Err(ArrowError::CsvError(format!("column {name:?} has type {kind}, which CSV cannot hold")).into());
    }
    write_line(writer, schema.fields().iter().map(|field| field.name().clone()))?;
    for row in 0..rows.num_rows() {
        write_line(writer, rows.columns().iter().map(|column| cell_text(column, row).unwrap_or_default()))?;
    }
    Ok(())
}

fn write_line(writer: &mut dyn Write, cells: impl Iterator<Item = String>) -> Result<(), WriteError> {
    let line = cells.map(quoted).collect::<Vec<String>>().join(",");
    // A line with a single empty cell would be a blank line, which readers skip.
    Ok(writeln!(writer, "{}", if line.is_empty() { "\"\"" } else { &line })?)
}

fn quoted(cell: String) -> String {
    if cell.contains([',', '"', '\r', '\n']) { format!("\"{}\"", cell.replace('"', "\"\"")) } else { cell }
}

/// Writes rows as Parquet.
pub(crate) fn write_parquet(rows: &RecordBatch, writer: &mut dyn Write) -> Result<(), WriteError> {
    let mut bytes = Vec::new();
    let mut parquet = ArrowWriter::try_new(&mut bytes, rows.schema(), None)?;
    parquet.write(rows)?;
    parquet.close()?;
    Ok(writer.write_all(&bytes)?)
}

fn ranks(count: usize) -> ArrayRef {
    whole((1..=count as u64).map(Some))
}

fn whole(numbers: impl Iterator<Item = Option<u64>>) -> ArrayRef {
    Arc::new(numbers.collect::<UInt64Array>())
}

/// Prepends columns; a name that is taken gets a number.
fn in_front(rows: &RecordBatch, found: &[(&str, ArrayRef)]) -> Result<RecordBatch, WriteError> {
    let schema = rows.schema();
    let free = |name: &str| {
        let taken = |name: &str| schema.column_with_name(name).is_some();
        let numbered = (2..).map(|number| format!("{name}_{number}"));
        std::iter::once(name.to_owned()).chain(numbered).find(|name| !taken(name)).unwrap_or_default()
    };
    let own = found.iter().map(|(name, values)| Arc::new(Field::new(free(name), values.data_type().clone(), false)));
    let fields: Vec<_> = own.chain(schema.fields().iter().cloned()).collect();
    let columns = found.iter().map(|(_, values)| values).chain(rows.columns()).cloned().collect();
    Ok(RecordBatch::try_new(Arc::new(Schema::new(fields)), columns)?)
}

#[cfg(test)]
mod tests {
    use super::*;
    use arrow_array::StringArray;

    #[test]
    fn names_that_are_taken_get_a_number() {
        let names: ArrayRef = Arc::new(StringArray::from(vec!["Ada", "Emmy, \"E\""]));
        let ranks: ArrayRef = Arc::new(UInt64Array::from(vec![1, 1]));
        let rows = RecordBatch::try_from_iter([("name", names), ("prototype_rank", ranks)]).unwrap();
        let prototype = |source_index, weight| PrototypeRecord {
            source_index,
            id: None,
            weight,
            share: 0.5,
            gain: 0.25,
            label: None,
            n_represented: Some(1),
            other: Default::default(),
        };
        let rows = prototype_rows(&rows, &[(1, &prototype(7, 1.5)), (3, &prototype(3, 1e-30))]).unwrap();
        let mut written = Vec::new();
        write_csv(&rows, &mut written).unwrap();
        assert_eq!(
            String::from_utf8(written).unwrap(),
            "prototype_rank_2,prototype_weight,prototype_share,prototype_gain,source_index,name,prototype_rank\n\
             1,1.5,0.5,0.25,7,Ada,1\n3,1e-30,0.5,0.25,3,\"Emmy, \"\"E\"\"\",1\n"
        );
    }
}
