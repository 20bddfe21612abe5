//! `protodash criticize`: the rows that a saved selection represents worst.

use protodash::criticisms::Among;
use protodash::{Criticism, Error, Prototype};
use protodash_report::{CriticismRecord, SelectionDocument};

use super::view;
use crate::args::{self, CriticizeArgs};
use crate::data::Data;
use crate::error::Failure;
use crate::json;
use crate::origin::SavedOrigin;
use crate::output::{Kind, Output};
use crate::progress::Progress;
use crate::report::{self, PageInput, selection_report};
use crate::result;
use crate::rows_output::{criticism_rows, write_csv, write_parquet};
use crate::terminal::{self, Request};

/// Finds criticisms, and shows or writes them.
pub(super) fn run(call: &CriticizeArgs) -> Result<(), Failure> {
    call.check()?;
    let output = call.output.as_deref().map(Output::new).transpose()?;
    let saved = json::read(&call.result)?;
    let origin = SavedOrigin { result: &call.result, source: &call.source };
    let flags = origin.flags(&saved.data, call.target.as_deref())?;
    let inputs = [Data::paths(&call.source, &flags), vec![call.result.as_path()]].concat();
    if let Some(output) = &output {
        output.check(&inputs)?;
    }
    let page = report::destination(call.page.report.as_deref(), &inputs, output.as_ref())?;
    let kernel = saved.kernel.spec();
    reject_unknown_similarities(call, &flags, kernel.is_none())?;
    let mut progress = Progress::new(call.run.quiet, true);
    let data = origin.load(&flags, kernel.as_ref(), (call.run.memory(), saved.seed), &mut progress)?;
    report::check_shape(&data, call.page.image_shape)?;
    let (document, prototypes, found) = criticised(call, &data, saved, &flags, &mut progress)?;
    let input = PageInput {
        data: Some((&data, &prototypes)),
        image_shape: call.page.image_shape,
        request: Request::default(),
        kernel_mean: None,
    };
    let made = page.as_ref().map(|_| selection_report(&document, input, &mut progress)).transpose()?;
    match output {
        None => {
            let role = call.criticisms.among.into();
            terminal::print(&view::criticisms(&data, (&document, &found), role, terminal::width(), &mut progress)?)?;
        }
        Some(output) => {
            write(&output, call, &data, &document, &mut progress)?;
            if !call.run.quiet {
                let sentence = terminal::criticisms_sentence(&document);
                protodash_terminal::say(&format!("{sentence}\nwritten to {}", output.path().display()));
            }
        }
    }
    report::finish(page.as_ref().zip(made.as_ref()), call.run.quiet)
}

/// The saved result with the requested criticisms; its prototypes and these as rows of the matrix.
fn criticised(
    call: &CriticizeArgs,
    data: &Data,
    saved: SelectionDocument,
    flags: &args::DataArgs,
    progress: &mut Progress,
) -> Result<(SelectionDocument, Vec<Prototype>, Vec<Criticism>), Failure> {
    let origin = SavedOrigin { result: &call.result, source: &call.source };
    let prototypes = origin.prototypes(data, &saved)?;
    let params = result::criticism_params(call.n_criticisms, &call.criticisms, data);
    let of_saved = (prototypes.as_slice(), saved.objective_final);
    let verified = data.matrices.verify(of_saved, params.target_weights.as_deref(), progress);
    let found = verified.and_then(|()| data.matrices.criticize(&prototypes, &params, progress));
    let found = found.map_err(|error| match error {
        Error::OtherObjective { saved, found } => {
            let source = call.source.display();
            origin.other_data(format!("its prototypes have objective {saved}, but {found} on {source}"))
        }
        error => data.failure(error),
    })?;
    progress.clear();
    let document = SelectionDocument {
        criticisms: result::criticisms(&found, &call.criticisms, data),
        criticism: Some(result::criticism_rule(&call.criticisms)),
        data: json::data_record(&call.source, flags),
        ..saved
    };
    Ok((document, prototypes, found))
}

/// Rejects a search among target rows if only their similarities to source rows are known.
fn reject_unknown_similarities(call: &CriticizeArgs, flags: &args::DataArgs, matrices: bool) -> Result<(), Failure> {
    if matrices && flags.target.is_some() && call.criticisms.among == Among::Target {
        let message = "--criticize-among target is not possible: the given kernel matrices do not contain the \
                       similarities between target rows";
        return Err(Failure::call(message, "use --criticize-among source"));
    }
    Ok(())
}

fn write(
    output: &Output,
    call: &CriticizeArgs,
    data: &Data,
    document: &SelectionDocument,
    progress: &mut Progress,
) -> Result<(), Failure> {
    if output.kind() == Kind::Json {
        return output.write(|writer| Ok(document.write(writer)?));
    }
    let rows = document.criticisms.iter().map(CriticismRecord::row);
    let cells = view::cells(data, call.criticisms.among.into(), &rows.collect::<Vec<_>>(), progress)?;
    output.write(|writer| {
        let rows = criticism_rows(&cells, &document.criticisms)?;
        if output.kind() == Kind::Csv { write_csv(&rows, writer) } else { write_parquet(&rows, writer) }
    })
}
