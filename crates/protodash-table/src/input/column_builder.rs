//! Collects the cells of one column in the type that a first pass inferred; shared by CSV and JSON lines.

use std::sync::Arc;

use arrow_array::ArrayRef;
use arrow_array::builder::{BooleanBuilder, Float64Builder, Int64Builder, StringBuilder};
use arrow_schema::DataType;

use super::census::parse_number;

/// The cells of one column so far.
#[derive(Debug)]
pub(crate) enum ColumnBuilder {
    Integer(Int64Builder),
    Float(Float64Builder),
    Boolean(BooleanBuilder),
    Text(StringBuilder),
}

impl ColumnBuilder {
    /// Returns an empty column of a type that [`Census::infer`](super::census::Census::infer) returns.
    pub(crate) fn new(data_type: &DataType) -> ColumnBuilder {
        match data_type {
            DataType::Int64 => ColumnBuilder::Integer(Int64Builder::new()),
            DataType::Float64 => ColumnBuilder::Float(Float64Builder::new()),
            DataType::Boolean => ColumnBuilder::Boolean(BooleanBuilder::new()),
            _ => ColumnBuilder::Text(StringBuilder::new()),
        }
    }

    /// Appends a value as it is written, or returns `None` if it does not fit the type.
    pub(crate) fn append(&mut self, cell: &str) -> Option<()> {
        match self {
            ColumnBuilder::Integer(builder) => builder.append_value(cell.parse().ok()?),
            ColumnBuilder::Float(builder) => builder.append_value(parse_number(cell.as_bytes())?),
            ColumnBuilder::Boolean(builder) => {
                let is_true = cell.eq_ignore_ascii_case("true");
                (is_true || cell.eq_ignore_ascii_case("false")).then(|| builder.append_value(is_true))?;
            }
            ColumnBuilder::Text(builder) => builder.append_value(cell),
        }
        Some(())
    }

    pub(crate) fn append_null(&mut self) {
        match self {
            ColumnBuilder::Integer(builder) => builder.append_null(),
            ColumnBuilder::Float(builder) => builder.append_null(),
            ColumnBuilder::Boolean(builder) => builder.append_null(),
            ColumnBuilder::Text(builder) => builder.append_null(),
        }
    }

    /// Returns the cells, and starts an empty column.
    pub(crate) fn finish(&mut self) -> ArrayRef {
        match self {
            ColumnBuilder::Integer(builder) => Arc::new(builder.finish()),
            ColumnBuilder::Float(builder) => Arc::new(builder.finish()),
            ColumnBuilder::Boolean(builder) => Arc::new(builder.finish()),
            ColumnBuilder::Text(builder) => Arc::new(builder.finish()),
        }
    }
}
