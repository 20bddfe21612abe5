//! A comparison of methods as a file: schema 1 of its JSON format.

use std::collections::BTreeSet;
use std::io::{self, Write};

use protodash::compare::{MethodComparison, MethodResult, RandomCoverage, SkippedRun};
use protodash::{Choice, Prototype, RowCoverage};
use protodash_table::RowMap;
use serde::{Deserialize, Serialize};

use super::{DataRecord, Provenance, SCHEMA, SavedKernel, layout};

/// A finished comparison. Times and memory differ between runs; everything else is reproducible.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ComparisonDocument {
    /// The number of the schema.
    pub schema: u64,
    /// The kernel.
    pub kernel: SavedKernel,
    /// Number of rows to represent.
    pub n_target: usize,
    /// Number of rows to choose from.
    pub n_source: usize,
    /// Number of columns in their matrices.
    pub n_features: usize,
    /// Number of rows in the 1-NN test; 0 without classes.
    pub n_test: usize,
    /// The classes, in the order of the rows and columns of `confusion`.
    #[serde(default)]
    pub classes: Vec<String>,
    /// The share of rows held out for testing; `null` if the target was used.
    pub holdout: Option<f64>,
    /// The oversampling factor.
    pub oversample: f64,
    /// The seed of every random draw.
    pub seed: u64,
    /// Time for the kernel mean and the target's energy, which all methods share.
    pub preparation_seconds: f64,
    /// One entry per method and number of prototypes.
    pub results: Vec<OutcomeRecord>,
    /// What random rows cover on average, per number of prototypes; empty if coverage was not measured.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub random_coverage: Vec<RandomCoverageRecord>,
    /// How many prototypes each pair of methods shares, per number of prototypes.
    pub overlap: Vec<OverlapRecord>,
    /// Notes on how the data were read and encoded, then what could not be computed, and why.
    pub notes: Vec<String>,
    /// Where the rows came from and how their columns were used.
    pub data: DataRecord,
}

/// One method at one number of prototypes.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct OutcomeRecord {
    /// The method.
    pub method: String,
    /// The number requested.
    pub n_prototypes: usize,
    /// The number found: fewer if no further row improves the fit.
    pub n_found: usize,
    /// Why the run ended.
    pub stopped: String,
    /// The objective with the method's own weights.
    pub objective: f64,
    /// MMD² with the method's own weights.
    pub mmd2: Option<f64>,
    /// The share explained with the method's own weights.
    pub explained: Option<f64>,
    /// The objective with the weights refitted: the best non-negative weights for the same rows.
    #[serde(alias = "objective_solved_again")]
    pub objective_refitted: f64,
    /// MMD² with refitted weights.
    #[serde(alias = "mmd2_solved_again")]
    pub mmd2_refitted: Option<f64>,
    /// The share explained with refitted weights.
    #[serde(alias = "explained_solved_again")]
    pub explained_refitted: Option<f64>,
    /// Accuracy of the nearest prototype's class on the test rows.
    pub accuracy: Option<f64>,
    /// Accuracy of the weighted vote of all prototypes; `None` also for kernels whose similarities are not between 0 and 1.
    pub accuracy_weighted: Option<f64>,
    /// The confusion matrix of 1-NN: true classes in rows, predicted ones in columns.
    pub confusion: Option<Vec<Vec<u64>>>,
    /// What the chosen rows cover, if that was measured.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub coverage: Option<CoverageRecord>,
    /// Time, without the preparation.
    pub seconds: f64,
    /// Peak memory of the process until then, data included.
    pub peak_memory_bytes: u64,
    /// The chosen rows.
    pub prototypes: Vec<ChosenRecord>,
}

/// What some rows cover.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct CoverageRecord {
    /// Number of classes with one of the rows, an expectation for random rows; `null` without classes.
    pub classes_touched: Option<f64>,
    /// Number of classes; `null` without classes.
    pub n_classes: Option<usize>,
    /// The mean distance of the target rows from the nearest of the rows.
    pub mean_distance: Option<f64>,
    /// The largest of these distances.
    pub largest_distance: Option<f64>,
    /// The distance of the rows from their tenth neighbours over the median of all: below 1, they are typical.
    pub typicality: Option<f64>,
}

impl CoverageRecord {
    fn new(coverage: &RowCoverage) -> CoverageRecord {
        CoverageRecord {
            classes_touched: coverage.classes_touched,
            n_classes: coverage.n_classes,
            mean_distance: coverage.mean_distance,
            largest_distance: coverage.largest_distance,
            typicality: coverage.typicality,
        }
    }
}

/// What as many random rows as prototypes cover on average.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct RandomCoverageRecord {
    /// The number of rows.
    pub n_prototypes: usize,
    /// The number of draws whose distances and typicality were averaged; the number of classes is its exact expectation.
    pub n_draws: usize,
    /// The averages.
    #[serde(flatten)]
    pub coverage: CoverageRecord,
}

impl RandomCoverageRecord {
    fn new(random: &RandomCoverage) -> RandomCoverageRecord {
        let RandomCoverage { n_prototypes, n_draws, expected } = random;
        RandomCoverageRecord { n_prototypes: *n_prototypes, n_draws: *n_draws, coverage: CoverageRecord::new(expected) }
    }
}

/// A row that a method chose.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ChosenRecord {
    /// Row of the source, counted from 0.
    pub source_index: u64,
    /// Its id.
    pub id: Option<String>,
    /// Its class.
    pub label: Option<String>,
    /// Its weight from the method itself.
    pub weight: f64,
}

/// How many rows the methods share at one number of prototypes.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct OverlapRecord {
    /// The number of prototypes.
    pub n_prototypes: usize,
    /// The methods.
    pub methods: Vec<String>,
    /// `shared[i][j]` rows were chosen by both the i-th and the j-th method.
    pub shared: Vec<Vec<usize>>,
}

/// The columns of a CSV file on coverage.
const COVERAGE_COLUMNS: &str = ",classes_touched,mean_distance,largest_distance,typicality,random_classes_touched,\
     random_mean_distance,random_largest_distance,random_typicality";

/// The part of a comparison that does not come from the core.
#[derive(Debug, Clone)]
pub struct ComparisonProvenance<'a> {
    /// The kernel, the rows and the settings, as for a selection.
    pub run: Provenance<'a>,
    /// The names of the classes, in the order of their numbers.
    pub classes: Vec<String>,
    /// The share of rows held out for testing.
    pub holdout: Option<f64>,
}

impl ComparisonDocument {
    /// Whether the weighted vote of all prototypes is meaningful: similarities must be between 0 and 1. With a kernel
    /// based on products a vote can be negative, and the longest rows win.
    pub(crate) fn has_votes(&self) -> bool {
        has_votes(&self.kernel)
    }

    /// The document of a comparison.
    #[must_use]
    pub fn new(found: &MethodComparison, provenance: ComparisonProvenance<'_>) -> ComparisonDocument {
        let ComparisonProvenance { run, classes, holdout } = provenance;
        let note = |skipped: &SkippedRun| {
            let SkippedRun { method, n_prototypes, error } = skipped;
            format!("skipped {} with {n_prototypes} prototypes: {error}", method.name())
        };
        let tried = found.results.iter().map(|result| result.n_prototypes);
        let sizes: BTreeSet<usize> = tried.chain(found.skipped.iter().map(|skipped| skipped.n_prototypes)).collect();
        let has_votes = has_votes(&run.kernel);
        ComparisonDocument {
            schema: SCHEMA,
            kernel: run.kernel,
            n_target: found.n_target,
            n_source: found.n_source,
            n_features: run.n_features,
            n_test: found.n_test,
            classes,
            holdout,
            oversample: run.oversample,
            seed: run.seed,
            preparation_seconds: found.preparation.seconds,
            results: found
                .results
                .iter()
                .map(|result| OutcomeRecord::new(result, run.source_rows, has_votes))
                .collect(),
            random_coverage: found.random_coverage.iter().map(RandomCoverageRecord::new).collect(),
            overlap: sizes.into_iter().map(|size| OverlapRecord::new(found, size)).collect(),
            notes: run.notes.into_iter().chain(found.skipped.iter().map(note)).collect(),
            data: run.data,
        }
    }
}

fn has_votes(kernel: &SavedKernel) -> bool {
    kernel.kernel.is_some_and(|kernel| kernel.definition().unit_diagonal)
}

impl OutcomeRecord {
    fn new(result: &MethodResult, rows: &RowMap, has_votes: bool) -> OutcomeRecord {
        let accuracy = result.accuracy.as_ref();
        let chosen = |prototype: &Prototype| ChosenRecord {
            source_index: rows.table_row(prototype.source_index),
            id: rows.id(prototype.source_index).map(str::to_owned),
            label: rows.label(prototype.source_index).map(str::to_owned),
            weight: prototype.weight,
        };
        OutcomeRecord {
            method: result.method.name().to_owned(),
            n_prototypes: result.n_prototypes,
            n_found: result.prototypes.len(),
            stopped: result.stopped.name().to_owned(),
            objective: result.own.objective,
            mmd2: result.own.mmd2,
            explained: result.own.explained,
            objective_refitted: result.refitted.objective,
            mmd2_refitted: result.refitted.mmd2,
            explained_refitted: result.refitted.explained,
            accuracy: accuracy.map(|accuracy| accuracy.nearest),
            accuracy_weighted: accuracy.filter(|_| has_votes).map(|accuracy| accuracy.weighted),
            confusion: accuracy.map(|accuracy| accuracy.confusion.clone()),
            coverage: result.coverage.as_ref().map(CoverageRecord::new),
            seconds: result.cost.seconds,
            peak_memory_bytes: result.cost.peak_memory_bytes,
            prototypes: result.prototypes.iter().map(chosen).collect(),
        }
    }
}

impl OverlapRecord {
    fn new(found: &MethodComparison, n_prototypes: usize) -> OverlapRecord {
        let at_size = found.results.iter().filter(|result| result.n_prototypes == n_prototypes);
        OverlapRecord {
            n_prototypes,
            methods: at_size.map(|result| result.method.name().to_owned()).collect(),
            shared: found.shared_rows(n_prototypes),
        }
    }
}

impl ComparisonDocument {
    /// The results for one number of prototypes.
    #[must_use]
    pub fn at(&self, n_prototypes: usize) -> Vec<&OutcomeRecord> {
        self.results.iter().filter(|outcome| outcome.n_prototypes == n_prototypes).collect()
    }

    /// Writes the document, one line for each result.
    ///
    /// # Errors
    ///
    /// The error of the writer.
    pub fn write(&self, writer: &mut dyn Write) -> serde_json::Result<()> {
        layout::write(self, writer)
    }

    /// The text that [`write`](Self::write) writes.
    ///
    /// # Errors
    ///
    /// If a number cannot be written.
    pub fn to_json(&self) -> serde_json::Result<String> {
        layout::to_json(self)
    }

    /// What random rows cover at this number of prototypes, if that was measured.
    #[must_use]
    pub fn random_at(&self, n_prototypes: usize) -> Option<&RandomCoverageRecord> {
        self.random_coverage.iter().find(|random| random.n_prototypes == n_prototypes)
    }

    /// Writes one line of comma-separated values for each result, without the rows; if coverage was measured, with that of the
    /// result and of random rows.
    ///
    /// # Errors
    ///
    /// The error of the writer.
    pub fn write_csv(&self, writer: &mut dyn Write) -> io::Result<()> {
        let has_coverage = !self.random_coverage.is_empty();
        let coverage_names = if has_coverage { COVERAGE_COLUMNS } else { "" };
        writeln!(
            writer,
            "method,n_prototypes,n_found,stopped,objective,mmd2,explained,objective_refitted,mmd2_refitted,\
             explained_refitted,accuracy,accuracy_weighted,seconds,peak_memory_bytes{coverage_names}"
        )?;
        for outcome in &self.results {
            let known = |value: Option<f64>| value.map_or_else(String::new, |value| value.to_string());
            let OutcomeRecord { method, n_prototypes, n_found, stopped, objective, objective_refitted, .. } = outcome;
            let (mmd2, explained) = (known(outcome.mmd2), known(outcome.explained));
            let (again_mmd2, again) = (known(outcome.mmd2_refitted), known(outcome.explained_refitted));
            let (accuracy, weighted) = (known(outcome.accuracy), known(outcome.accuracy_weighted));
            let (seconds, bytes) = (outcome.seconds, outcome.peak_memory_bytes);
            let covered = |coverage: Option<CoverageRecord>| {
                let cells: fn(CoverageRecord) -> [Option<f64>; 4] =
                    |one| [one.classes_touched, one.mean_distance, one.largest_distance, one.typicality];
                coverage.map_or([None; 4], cells).map(|value| format!(",{}", known(value))).concat()
            };
            let random = self.random_at(*n_prototypes).map(|random| random.coverage);
            let coverage = if has_coverage { covered(outcome.coverage) + &covered(random) } else { String::new() };
            writeln!(
                writer,
                "{method},{n_prototypes},{n_found},{stopped},{objective},{mmd2},{explained},{objective_refitted},\
                 {again_mmd2},{again},{accuracy},{weighted},{seconds},{bytes}{coverage}"
            )?;
        }
        Ok(())
    }
}
