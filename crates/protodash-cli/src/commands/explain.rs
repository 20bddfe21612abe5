//! `protodash explain`: the few rows that represent each of some rows.

use std::sync::Arc;

use arrow_array::{ArrayRef, BooleanArray, Float64Array, RecordBatch, StringArray, UInt64Array};
use protodash::{ExplainParams, KernelSpec, Params, Role};
use protodash_report::{ExplanationDocument, ExplanationOrigin, LongValues};

use crate::args::ExplainArgs;
use crate::classes::{Classes, cross_validated_on_source};
use crate::data::Data;
use crate::error::{Failure, WriteError};
use crate::json;
use crate::output::{Kind, Output};
use crate::progress::Progress;
use crate::report::{self, explanation_report};
use crate::rows_output::{write_csv, write_parquet};
use crate::terminal;

/// Explains rows, and shows or writes the explanations.
pub(super) fn run(call: &ExplainArgs) -> Result<(), Failure> {
    call.check()?;
    let flags = call.with_rows()?;
    let output = call.output.as_deref().map(Output::new).transpose()?;
    if let Some(output) = &output {
        output.check(&Data::paths(&call.source, &flags))?;
    }
    let page = report::destination(call.page.report.as_deref(), &Data::paths(&call.source, &flags), output.as_ref())?;
    let kernel = call.kernel.spec().map_err(|error| Failure::core(&call.source, error))?;
    // What explains a row must not depend on the other rows of the call.
    let kernel = kernel.map(KernelSpec::measured_on_source);
    let mut progress = Progress::new(call.run.quiet, true);
    let mut data = Data::load(&call.source, &flags, kernel.as_ref(), (call.run.memory(), call.seed), &mut progress)?;
    report::check_shape(&data, call.page.image_shape)?;
    cross_validated_on_source(&mut data, &call.kernel, &Params::new(call.n_prototypes), call.seed, &mut progress)?;
    let classes = call.same.then(|| classes(call, &data)).transpose()?;
    let params = params(call, &data);
    let labels = classes.as_ref().map(Classes::labels);
    let found = data.matrices.explain(labels, &params, &mut progress).map_err(|error| data.failure(error))?;
    let origin = ExplanationOrigin {
        same_class: call.same,
        similar_share: call.similar_share,
        data: json::data_record(&call.source, &flags),
        seed: call.seed,
        notes: data.notes.clone(),
    };
    let document = ExplanationDocument::new(&found, &data.row_data(), origin, &mut progress);
    progress.clear();
    let document = document.map_err(|error| report::failure(Some(&data), error))?;
    // Created before anything is shown or written, so that errors come first.
    let input = (&data, call.page.image_shape);
    let made = page.as_ref().map(|_| explanation_report(&document, Some(input), &mut progress)).transpose()?;
    match output {
        None => terminal::print(&terminal::explanations(&document, terminal::width()))?,
        Some(output) => {
            write(&output, &document)?;
            if !call.run.quiet {
                protodash_terminal::say(&format!("{}\nwritten to {}", document.sentence(), output.path().display()));
            }
        }
    }
    report::finish(page.as_ref().zip(made.as_ref()), call.run.quiet)
}

/// The classes of the rows and of the source rows, which --same needs.
fn classes(call: &ExplainArgs, data: &Data) -> Result<Classes, Failure> {
    Classes::of(data).ok_or_else(|| {
        let (message, hint) = match &call.data.label {
            Some(label) => (
                format!("has no column {label:?}, but --same needs the class of each row to explain"),
                "add the column to the file, or omit --same",
            ),
            None => (
                "has no classes, but --same needs the class of each row to explain".to_owned(),
                "add --rows-labels with a file of their classes, or omit --same",
            ),
        };
        Failure::Labels { path: data.tables.path(Role::Target).to_owned(), message, hint }
    })
}

fn params(call: &ExplainArgs, data: &Data) -> ExplainParams {
    let mut params = ExplainParams::default();
    params.n_prototypes = call.n_prototypes;
    params.similar_share = call.similar_share;
    params.seed = call.seed;
    if data.tables.target.is_none() {
        // Rows of the source itself: none explains itself.
        let rows = data.rows(Role::Target);
        let own = (0..rows.len()).map(|row| data.source.matrix_row(rows.table_row(row)));
        params.own_rows = Some(own.collect());
    }
    params
}

fn write(output: &Output, document: &ExplanationDocument) -> Result<(), Failure> {
    output.write(|writer| match output.kind() {
        Kind::Json => Ok(document.write(writer)?),
        Kind::Csv => write_csv(&long_table(document)?, writer),
        _ => write_parquet(&long_table(document)?, writer),
    })
}

/// The explanations as one table.
fn long_table(document: &ExplanationDocument) -> Result<RecordBatch, WriteError> {
    let array = |values: LongValues| -> ArrayRef {
        match values {
            LongValues::Whole(values) => Arc::new(UInt64Array::from(values)),
            LongValues::Number(values) => Arc::new(Float64Array::from(values)),
            LongValues::Text(values) => Arc::new(StringArray::from(values)),
            LongValues::Flag(values) => Arc::new(BooleanArray::from(values)),
        }
    };
    let columns = document.table().into_iter().map(|column| (column.name, array(column.values)));
    Ok(RecordBatch::try_from_iter(columns)?)
}
