//! `protodash relate`: which tables' prototypes represent which others.

use std::path::Path;

use protodash::relate::{KeyedTable, KeyedWeight, RelateParams, Relation, relate_with};
use protodash::{BuiltInKernel, KernelSpec};
use protodash_report::{EdgeRecord, KeyRecord, PairRecord, RelationDocument, SCHEMA, SavedKernel, TableRecord};

use crate::args::{Relate, word};
use crate::error::Failure;
use crate::output::{Kind, Output};
use crate::progress::Progress;
use crate::related::Related;
use crate::relation_output::{write_csv, write_dot};
use crate::report::{self, relation_report};
use crate::terminal;

/// Relates the tables, and shows or writes what came of it.
pub(super) fn run(call: &Relate) -> Result<(), Failure> {
    call.check()?;
    let output = call.output.as_deref().map(Output::graph).transpose()?;
    let inputs: Vec<&Path> = call.tables.iter().chain(&call.keys_of).map(|path| path.as_path()).collect();
    if let Some(output) = &output {
        output.check(&inputs)?;
    }
    let page = report::destination(call.report.as_deref(), &inputs, output.as_ref())?;
    let kernel = call.kernel.spec().map_err(|error| Failure::core(&call.tables[0], error))?;
    // Kernel matrices are refused with the flags.
    let Some(kernel) = kernel else { return Ok(()) };
    let mut progress = Progress::new(call.run.quiet, true);
    let related = Related::load(call, &kernel, &mut progress);
    let related = if protodash_terminal::interrupt::requested() { Err(Failure::Interrupted) } else { related }?;
    let kernels = kernels(call, &related, &kernel, &mut progress)?;
    let relation = relation(call, &related, &kernels, &mut progress)?;
    let document = document(call, &related, &kernels, &relation);
    let made = page.as_ref().map(|_| relation_report(&document)).transpose()?;
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

/// The kernel of each table, as wide as its rows are apart.
fn kernels(
    call: &Relate,
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

fn relation(
    call: &Relate,
    related: &Related,
    kernels: &[BuiltInKernel],
    progress: &mut Progress,
) -> Result<Relation, Failure> {
    let tables: Vec<_> = related
        .aligned
        .tables
        .iter()
        .zip(kernels)
        .map(|(table, kernel)| KeyedTable { rows: &table.matrix, keys: &table.keys, kernel })
        .collect();
    let mut params = RelateParams::new(call.n_prototypes);
    params.method = call.method.into();
    params.weights = call.weights.into();
    params.seed = call.seed;
    let relation = relate_with(&tables, &params, progress);
    progress.clear();
    relation.map_err(|error| Failure::core(&call.tables[0], error))
}

/// The relation as results show it: names for tables and keys.
fn document(call: &Relate, related: &Related, kernels: &[BuiltInKernel], found: &Relation) -> RelationDocument {
    let Related { names, aligned } = related;
    let prototypes = |chosen: &[KeyedWeight]| {
        let named = |chosen: &KeyedWeight| KeyRecord { key: aligned.keys[chosen.key].clone(), weight: chosen.weight };
        chosen.iter().map(named).collect::<Vec<_>>()
    };
    let tables = found.tables.iter().enumerate().map(|(at, table)| TableRecord {
        name: names[at].clone(),
        path: call.tables[at].display().to_string(),
        n_keys: aligned.tables[at].n_asked,
        n_features: aligned.tables[at].matrix.ncols(),
        kernel: SavedKernel::new(Some(kernels[at])),
        average_rank: table.average_rank,
        objective: table.objective,
        explained: table.explained,
        prototypes: prototypes(&table.prototypes),
    });
    let pairs: Vec<PairRecord> = found
        .pairs
        .iter()
        .map(|pair| PairRecord {
            target: names[pair.target].clone(),
            source: names[pair.source].clone(),
            n_keys: pair.n_keys,
            objective: pair.objective,
            explained: pair.explained,
            own_explained: pair.own_explained,
            rank: pair.rank,
            prototypes: prototypes(&pair.prototypes),
        })
        .collect();
    RelationDocument {
        schema: SCHEMA,
        key: call.key.clone(),
        keys: word(&call.keys),
        keys_of: call.keys_of.as_ref().map(|path| path.display().to_string()),
        n_keys: aligned.keys.len(),
        n_prototypes: call.n_prototypes,
        method: word(&call.method),
        weights: word(&call.weights),
        tables: tables.collect(),
        edges: edges(&pairs, call.best),
        pairs,
    }
}

/// The pairs in which fewer than `best` other sources represent the target better, best first for each target.
fn edges(pairs: &[PairRecord], best: usize) -> Vec<EdgeRecord> {
    let mut edges = Vec::new();
    for of_target in pairs.chunk_by(|one, other| one.target == other.target) {
        let better = |pair: &PairRecord| of_target.iter().filter(|other| other.rank < pair.rank).count();
        let mut kept: Vec<&PairRecord> = of_target.iter().filter(|pair| better(pair) < best).collect();
        kept.sort_by(|one, other| one.rank.total_cmp(&other.rank).then_with(|| one.source.cmp(&other.source)));
        edges.extend(kept.into_iter().map(|pair| EdgeRecord {
            source: pair.source.clone(),
            target: pair.target.clone(),
            rank: pair.rank,
            explained: pair.explained,
        }));
    }
    edges
}
