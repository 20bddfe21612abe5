//! `protodash criticize`: the rows that a saved selection represents worst.

use protodash::{Prototype, Role};

use super::view;
use crate::args::{self, Criticize};
use crate::data::Data;
use crate::error::Failure;
use crate::json::{self, Document};
use crate::kernel::{Formula, Recipe};
use crate::messages;
use crate::output::{Kind, Output};
use crate::progress::Progress;
use crate::result;
use crate::rows_output::{criticism_rows, write_csv, write_parquet};
use crate::terminal;
use crate::work::{FindCriticisms, Verdict};

/// Finds criticisms, and shows or writes them.
pub(super) fn run(call: &Criticize) -> Result<(), Failure> {
    call.check()?;
    let output = call.output.as_deref().map(Output::new).transpose()?;
    let saved = json::read(&call.result)?;
    let flags = saved.data.to_args(call.target.as_deref()).map_err(|message| damaged(call, message))?;
    if let Some(output) = &output {
        // The result may be replaced by itself with criticisms, the data may not.
        output.check(&Data::paths(&call.source, &flags))?;
    }
    let recipe = recipe(&saved).map_err(|message| damaged(call, message))?;
    refuse_unknown_similarities(call, &flags, recipe.is_none())?;
    let mut progress = Progress::new(call.run.quiet, true);
    let data = Data::load(&call.source, &flags, recipe.as_ref(), (call.run.memory(), saved.seed), &mut progress)?;
    let document = criticised(call, &data, saved, &flags, &mut progress)?;
    match output {
        None => {
            let role = result::role(call.criticisms.among);
            terminal::print(&view::criticisms(&data, &document, role, terminal::width(), &mut progress)?)
        }
        Some(output) => {
            write(&output, call, &data, &document, &mut progress)?;
            if !call.run.quiet {
                let sentence = terminal::criticisms_sentence(&document);
                messages::say(&format!("{sentence}\nwritten to {}", output.path().display()));
            }
            Ok(())
        }
    }
}

/// The saved result with the criticisms that were asked for.
fn criticised(
    call: &Criticize,
    data: &Data,
    saved: Document,
    flags: &args::Data,
    progress: &mut Progress,
) -> Result<Document, Failure> {
    check_sizes(call, data, &saved)?;
    let prototypes = prototypes(call, data, &saved)?;
    let job = FindCriticisms {
        prototypes: &prototypes,
        objective: saved.objective_final,
        params: result::criticism_params(call.n_criticisms, &call.criticisms, data),
        progress: &mut *progress,
    };
    let found = match data.matrices.run(job).map_err(|error| data.failure(error))? {
        Verdict::Found(found) => found,
        Verdict::OtherData(objective) => {
            return Err(other_data(
                call,
                format!(
                    "its prototypes have an objective of {}, but {objective} on {}",
                    saved.objective_final,
                    call.source.display()
                ),
            ));
        }
    };
    progress.clear();
    Ok(Document {
        criticisms: result::criticisms(&found, &call.criticisms, data),
        criticism: Some(result::criticism_rule(&call.criticisms)),
        data: json::Flags::new(&call.source, flags),
        ..saved
    })
}

fn recipe(saved: &Document) -> Result<Option<Recipe>, String> {
    let Some(form) = saved.kernel.form()? else { return Ok(None) };
    let kernel = Formula::from_form(form).map_err(|error| error.to_string())?;
    Ok(kernel.map(Recipe::Ready))
}

/// Refuses to search target rows of which only the similarity to source rows is known.
fn refuse_unknown_similarities(call: &Criticize, flags: &args::Data, matrices: bool) -> Result<(), Failure> {
    if matrices && flags.target.is_some() && call.criticisms.among == args::Among::Target {
        let message = "--criticize-among target needs more: the kernel matrices of source and target do not say how \
                       similar target rows are to each other";
        return Err(Failure::call(message, "give --criticize-among source"));
    }
    Ok(())
}

fn check_sizes(call: &Criticize, data: &Data, saved: &Document) -> Result<(), Failure> {
    let sizes = [
        ("source rows", saved.n_source, data.source.numbers.len()),
        ("target rows", saved.n_target, data.rows(Role::Target).numbers.len()),
        ("features", saved.n_features, data.matrices.n_features()),
    ];
    match sizes.into_iter().find(|(_, before, now)| before != now) {
        Some((what, before, now)) => {
            Err(other_data(call, format!("it was made from {before} {what}, and now there are {now}")))
        }
        None => Ok(()),
    }
}

/// The saved prototypes, in rows of the matrix.
fn prototypes(call: &Criticize, data: &Data, saved: &Document) -> Result<Vec<Prototype>, Failure> {
    result::in_matrix(data, saved)
        .map_err(|row| other_data(call, format!("its prototype {row} is no source row of {}", call.source.display())))
}

fn other_data(call: &Criticize, message: String) -> Failure {
    Failure::OtherData { path: call.result.clone(), message: format!("belongs to other data: {message}") }
}

fn damaged(call: &Criticize, message: String) -> Failure {
    Failure::NotAResult {
        path: call.result.clone(),
        message: format!("is not a whole result: {message}"),
        hint: "make the selection again with `protodash select SOURCE -o RESULT.json`",
    }
}

fn write(
    output: &Output,
    call: &Criticize,
    data: &Data,
    document: &Document,
    progress: &mut Progress,
) -> Result<(), Failure> {
    if output.kind() == Kind::Json {
        return output.write(|writer| document.write(writer));
    }
    let rows = document.criticisms.iter().filter_map(|criticism| criticism.source_index.or(criticism.target_index));
    let cells = view::cells(data, result::role(call.criticisms.among), &rows.collect::<Vec<_>>(), progress)?;
    output.write(|writer| {
        let rows = criticism_rows(&cells, &document.criticisms)?;
        if output.kind() == Kind::Csv { write_csv(&rows, writer) } else { write_parquet(&rows, writer) }
    })
}
