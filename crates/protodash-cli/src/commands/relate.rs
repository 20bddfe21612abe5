//! `protodash relate`: how well the prototypes of each table represent the others.

use std::path::Path;

use protodash::relate::{KeyedTable, RelateParams, relate_with};
use protodash::{BuiltInKernel, KernelSpec};
use protodash_report::{RelationDocument, RelationProvenance, RelationSettings, SavedKernel, relation_report};

use crate::args::{RelateArgs, word};
use crate::error::Failure;
use crate::output::{Kind, Output};
use crate::progress::Progress;
use crate::related::Related;
use crate::relation_output::{write_csv, write_dot};
use crate::report;
use crate::terminal;

/// Relates the tables, and shows or writes the result.
pub(super) fn run(call: &RelateArgs) -> Result<(), Failure> {
    call.check()?;
    let output = call.output.as_deref().map(Output::graph).transpose()?;
    let inputs: Vec<&Path> = call.tables.iter().chain(&call.keys_of).map(|path| path.as_path()).collect();
    if let Some(output) = &output {
        output.check(&inputs)?;
    }
    let page = report::destination(call.report.as_deref(), &inputs, output.as_ref())?;
    let kernel = call.kernel.spec().map_err(|error| Failure::core(&call.tables[0], error))?;
    // The flags were already checked: no kernel matrices.
    let Some(kernel) = kernel else { return Ok(()) };
    let mut progress = Progress::new(call.run.quiet, true);
    let related = Related::load(call, &kernel, &mut progress);
    let related = if protodash_terminal::interrupt::requested() { Err(Failure::Interrupted) } else { related }?;
    let kernels = kernels(call, &related, &kernel, &mut progress)?;
    let document = relation(call, &related, (&kernel, &kernels), &mut progress)?;
    let made = page.as_ref().map(|_| relation_report(&document)).transpose();
    let made = made.map_err(|error| report::failure(None, error))?;
    match output {
        None => terminal::print(&terminal::relation_shown(&document, terminal::width()))?,
        Some(output) => {
            output.write(|writer| match output.kind() {
                Kind::Csv => write_csv(&document, writer),
                Kind::Dot => write_dot(&document, writer),
                _ => Ok(document.write(writer)?),
            })?;
            if !call.run.quiet {
                let sentence = terminal::relation_sentence(&document);
                protodash_terminal::say(&format!("{sentence}\nwritten to {}", output.path().display()));
            }
        }
    }
    report::finish(page.as_ref().zip(made.as_ref()), call.run.quiet)
}

/// The kernel of each table, with a bandwidth from the distances between its rows.
fn kernels(
    call: &RelateArgs,
    related: &Related,
    kernel: &KernelSpec,
    progress: &mut Progress,
) -> Result<Vec<BuiltInKernel>, Failure> {
    let tables = related.aligned.tables.iter().zip(&call.tables);
    progress.waiting("measuring distances", || {
        tables
            .map(|(table, path)| {
                let kernel = kernel.resolve(None, &table.matrix, call.seed);
                kernel.map_err(|error| Failure::core(path, error))
            })
            .collect()
    })
}

/// How well the tables represent each other.
fn relation(
    call: &RelateArgs,
    related: &Related,
    (kernel, kernels): (&KernelSpec, &[BuiltInKernel]),
    progress: &mut Progress,
) -> Result<RelationDocument, Failure> {
    let Related { names, aligned, notes } = related;
    let keyed = aligned.tables.iter().zip(kernels);
    let keyed: Vec<_> =
        keyed.map(|(table, kernel)| KeyedTable { rows: &table.matrix, keys: &table.keys, kernel }).collect();
    let mut params = RelateParams::new(call.n_prototypes);
    (params.method, params.weights, params.seed) = (call.method, call.weights, call.seed);
    let found = relate_with(&keyed, &params, progress);
    progress.clear();
    let found = found.map_err(|error| {
        let table = if let protodash::Error::NothingToRepresent { table } = error { table } else { 0 };
        Failure::core(&call.tables[table], error)
    })?;
    let tables = names.iter().zip(&call.tables).zip(aligned.tables.iter().zip(kernels));
    let described = tables.map(|((name, path), (table, kernel))| {
        let kernel = SavedKernel::new(Some(*kernel));
        (name.clone(), path.display().to_string(), table.n_asked, table.matrix.ncols(), kernel)
    });
    let provenance = RelationProvenance {
        key: call.key.clone(),
        keys: word(&call.keys),
        keys_of: call.keys_of.as_ref().map(|path| path.display().to_string()),
        key_texts: &aligned.keys,
        tables: described.collect(),
        notes: notes.clone(),
        settings: RelationSettings {
            bandwidth: kernel.bandwidth().map(|rule| rule.to_string()),
            drop: call.drop(),
            categorical: call.categorical(),
            all_categorical: call.all_categorical,
            scale: call.scale.map(|scale| scale.name().to_owned()),
            delimiter: call.delimiter,
            n_best: call.best,
            seed: call.seed,
        },
    };
    Ok(RelationDocument::new(&found, &params, provenance))
}
