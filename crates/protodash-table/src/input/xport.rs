//! SAS transport files, versions 5 and 8, read by the `sas_xport` crate.
//!
//! All of SAS's missing values, `.` and `.A` to `.Z`, are null, and so is blank text, which is how SAS writes missing
//! text. A file with several data sets needs the name of one, as in `study.xpt:DEMO`.

use std::io::{BufReader, Read};
use std::sync::Arc;

use arrow_array::builder::{Float64Builder, StringBuilder};
use arrow_array::{ArrayRef, RecordBatch};
use arrow_schema::{DataType, Field, SchemaRef};
use encoding_rs::WINDOWS_1252;
use sas_xport::sas::SasVariableType;
use sas_xport::sas::xport::{Result as XportResult, XportDataset, XportReader, XportValue};

use super::layout::{Layout, rows_per_batch};
use super::origin::Origin;
use super::part::{Part, choose};
use super::{Batches, Column, ColumnKind, Format, Opened, Table};
use crate::{Error, Result};

type DataSet = XportDataset<BufReader<Box<dyn Read + Send>>>;

/// A SAS transport file of which one data set is read.
struct Xport {
    origin: Arc<Origin>,
    /// Which of the file's data sets.
    position: usize,
    schema: SchemaRef,
}

/// Returns the data set `wanted` of the file `origin`, or its only one if none is named.
///
/// The whole file is read, since version 5 does not say how many rows a data set has.
pub(crate) fn open(origin: Arc<Origin>, wanted: Option<&Part>) -> Result<Opened> {
    let summaries = summarise(&origin)?;
    if summaries.is_empty() {
        return Err(Error::Empty { path: origin.path().to_owned() });
    }
    let names = summaries.iter().map(|summary| summary.name.clone()).collect();
    let position = choose(origin.path(), "data sets", names, wanted)?;
    let Summary { columns, n_rows, .. } = summaries.into_iter().nth(position).unwrap_or_default();
    let data_type = |kind: &ColumnKind| if *kind == ColumnKind::Text { DataType::Utf8 } else { DataType::Float64 };
    let fields = columns.iter().map(|column| Field::new(&column.name, data_type(&column.kind), true)).collect();
    let layout = Layout::new(origin.path(), Format::Xpt, fields, columns, n_rows)?;
    let schema = layout.schema.clone();
    Ok(Opened { layout, table: Box::new(Xport { origin, position, schema }) })
}

/// What is known of one data set.
#[derive(Default)]
struct Summary {
    name: String,
    columns: Vec<Column>,
    n_rows: u64,
}

fn summarise(origin: &Origin) -> Result<Vec<Summary>> {
    let mut summaries = Vec::new();
    let mut next = first_data_set(origin)?;
    while let Some(mut data_set) = next {
        data_set.skip_to_end().map_err(|cause| origin.decode_error(Format::Xpt, cause))?;
        let name = data_set.schema().dataset_name().trim().to_owned();
        let columns = columns(&data_set);
        summaries.push(Summary { name, columns, n_rows: data_set.record_number() as u64 });
        next = data_set.next_dataset().map_err(|cause| origin.decode_error(Format::Xpt, cause))?;
    }
    Ok(summaries)
}

fn columns(data_set: &DataSet) -> Vec<Column> {
    let column = |variable: &sas_xport::sas::xport::XportVariable| Column {
        name: variable.full_name().trim().to_owned(),
        kind: match variable.value_type() {
            SasVariableType::Character => ColumnKind::Text,
            _ => ColumnKind::Number,
        },
    };
    data_set.schema().variables().iter().map(column).collect()
}

/// Returns the first data set of the file, ready to be read; text that is not UTF-8 is Windows-1252.
fn first_data_set(origin: &Origin) -> Result<Option<DataSet>> {
    let reader = BufReader::with_capacity(1 << 16, origin.reader()?);
    let mut options = XportReader::options();
    options.add_fallback_encoding(WINDOWS_1252);
    let first = options.from_reader(reader).and_then(XportReader::next_dataset);
    first.map_err(|cause| origin.decode_error(Format::Xpt, cause))
}

impl Table for Xport {
    fn batches(&self) -> Result<Batches> {
        let mut data_set = first_data_set(&self.origin)?;
        for _ in 0..self.position {
            let skip = |mut before: DataSet| before.skip_to_end().and_then(|()| before.next_dataset());
            let skipped = data_set.map(skip).transpose();
            data_set = skipped.map_err(|cause| self.origin.decode_error(Format::Xpt, cause))?.flatten();
        }
        Ok(Batches::new(Rows { origin: self.origin.clone(), data_set, schema: self.schema.clone() }))
    }
}

/// Yields the rows of a data set.
struct Rows {
    origin: Arc<Origin>,
    /// `None` if the file no longer has it.
    data_set: Option<DataSet>,
    schema: SchemaRef,
}

impl Iterator for Rows {
    type Item = Result<RecordBatch>;

    fn next(&mut self) -> Option<Result<RecordBatch>> {
        let columns = read_columns(self.data_set.as_mut()?, &self.schema).transpose()?;
        let columns = columns.map_err(|cause| self.origin.decode_error(Format::Xpt, cause));
        let batch = |columns| RecordBatch::try_new(self.schema.clone(), columns);
        Some(columns.and_then(|columns| batch(columns).map_err(|cause| Error::arrow(self.origin.path(), cause))))
    }
}

/// Returns the columns of the next rows, or `None` if there are none.
fn read_columns(data_set: &mut DataSet, schema: &SchemaRef) -> XportResult<Option<Vec<ArrayRef>>> {
    let mut builders: Vec<Builder> = schema.fields().iter().map(|field| Builder::new(field.data_type())).collect();
    let mut n_rows = 0;
    while n_rows < rows_per_batch(builders.len()) {
        let Some(record) = data_set.next_record()? else { break };
        for (builder, value) in builders.iter_mut().zip(record.iter()) {
            builder.append(value);
        }
        n_rows += 1;
    }
    Ok((n_rows > 0).then(|| builders.into_iter().map(Builder::finish).collect()))
}

/// Collects the values of one variable.
enum Builder {
    Number(Float64Builder),
    Text(StringBuilder),
}

impl Builder {
    fn new(data_type: &DataType) -> Builder {
        match data_type {
            DataType::Utf8 => Builder::Text(StringBuilder::new()),
            _ => Builder::Number(Float64Builder::new()),
        }
    }

    fn append(&mut self, value: &XportValue<'_>) {
        match (self, value) {
            (Builder::Number(builder), XportValue::Number(number)) if !number.is_nan() => builder.append_value(*number),
            (Builder::Text(builder), XportValue::Character(text)) if !text.trim().is_empty() => {
                builder.append_value(text.trim());
            }
            (Builder::Number(builder), _) => builder.append_null(),
            (Builder::Text(builder), _) => builder.append_null(),
        }
    }

    fn finish(self) -> ArrayRef {
        match self {
            Builder::Number(mut builder) => Arc::new(builder.finish()),
            Builder::Text(mut builder) => Arc::new(builder.finish()),
        }
    }
}
