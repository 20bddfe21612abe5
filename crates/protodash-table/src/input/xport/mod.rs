//! SAS transport files, versions 5 and 8.
//!
//! The `sas_xport` crate reads the headers; observations are read here, because version 0.4 of that crate mistakes a short
//! observation of zeros and spaces for padding, which turns its zeros into 3.7e-40 or drops it at the end of the file, and
//! does not report truncated files.
//!
//! All missing values of SAS (`.`, `._` and `.A` to `.Z`) are null, and so is blank text, which is how SAS writes missing
//! text. A file with several data sets needs the name of one, as in `study.xpt:DEMO`.

mod data_set;
mod float;
mod observations;

use std::sync::Arc;

use arrow_schema::{DataType, Field};

use self::data_set::XportDataSet;
use self::observations::Observations;
use super::layout::TableLayout;
use super::origin::FileOrigin;
use super::part::choose;
use super::{Batches, ColumnKind, Format, OpenedTable, TableColumn, TableReader};
use crate::{Error, Result};

/// One data set of a SAS transport file.
struct Xport {
    origin: Arc<FileOrigin>,
    data_set: Arc<XportDataSet>,
    schema: arrow_schema::SchemaRef,
}

/// Returns the data set `wanted` of the file `origin`, or its only one if none is named.
///
/// The whole file is read, because version 5 does not state the number of rows.
pub(crate) fn open(origin: Arc<FileOrigin>, wanted: Option<&String>) -> Result<OpenedTable> {
    let mut data_sets = data_set::all(&origin)?;
    if data_sets.is_empty() {
        return Err(Error::Empty { path: origin.path().to_owned() });
    }
    let names = data_sets.iter().map(|data_set| data_set.name.clone()).collect();
    let position = choose(origin.path(), "data sets", names, wanted)?;
    let data_set = Arc::new(data_sets.swap_remove(position));
    let kind =
        |is_text| if is_text { (ColumnKind::Text, DataType::Utf8) } else { (ColumnKind::Number, DataType::Float64) };
    let (mut fields, mut columns) = (Vec::new(), Vec::new());
    for variable in &data_set.variables {
        let (kind, data_type) = kind(variable.is_text);
        fields.push(Field::new(&variable.name, data_type, true));
        columns.push(TableColumn { name: variable.name.clone(), kind });
    }
    let layout = TableLayout::new(origin.path(), Format::Xpt, fields, columns, data_set.n_rows)?;
    let schema = layout.schema.clone();
    Ok(OpenedTable { layout, table: Box::new(Xport { origin, data_set, schema }) })
}

impl TableReader for Xport {
    fn batches(&self) -> Result<Batches> {
        let observations = Observations::open(self.origin.clone(), self.data_set.clone(), self.schema.clone())?;
        Ok(Batches::new(observations))
    }
}
