//! A comparison of methods as a file: schema 1 of its JSON format.

use std::io::{self, Write};

use serde::{Deserialize, Serialize};

use super::{DataRecord, SavedKernel, layout};

/// A finished comparison. Times and memory differ from run to run, everything else does not.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ComparisonDocument {
    /// The number of the schema.
    pub schema: u64,
    /// The kernel that compared the rows.
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
    /// Time for what all methods share: the kernel mean and the target's energy.
    pub preparation_seconds: f64,
    /// One entry per method and number of prototypes.
    pub results: Vec<OutcomeRecord>,
    /// How many prototypes each pair of methods shares, per number of prototypes.
    pub overlap: Vec<OverlapRecord>,
    /// What could not be computed, and why.
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
    /// The objective with the weights refitted: optimal non-negative weights for the same rows.
    pub objective_solved_again: f64,
    /// MMD² with refitted weights.
    pub mmd2_solved_again: Option<f64>,
    /// The share explained with refitted weights.
    pub explained_solved_again: Option<f64>,
    /// Accuracy of the nearest prototype's class on the test rows.
    pub accuracy: Option<f64>,
    /// Accuracy of the weighted vote of all prototypes.
    pub accuracy_weighted: Option<f64>,
    /// The confusion matrix of 1-NN: true classes in rows, predicted ones in columns.
    pub confusion: Option<Vec<Vec<u64>>>,
    /// Time, without the preparation.
    pub seconds: f64,
    /// Peak memory of the process, data included; if one run serves several numbers, that of the whole run.
    pub peak_memory_bytes: u64,
    /// The chosen rows.
    pub prototypes: Vec<ChosenRecord>,
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
    /// Its weight by the method itself.
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
    /// What the writer says.
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

    /// Writes one line of comma-separated values for each result, without the rows.
    ///
    /// # Errors
    ///
    /// What the writer says.
    pub fn write_csv(&self, writer: &mut dyn Write) -> io::Result<()> {
        writeln!(
            writer,
            "method,n_prototypes,n_found,stopped,objective,mmd2,explained,objective_solved_again,mmd2_solved_again,\
             explained_solved_again,accuracy,accuracy_weighted,seconds,peak_memory_bytes"
        )?;
        for outcome in &self.results {
            let known = |value: Option<f64>| value.map_or_else(String::new, |value| value.to_string());
            let OutcomeRecord { method, n_prototypes, n_found, stopped, objective, objective_solved_again, .. } =
                outcome;
            let (mmd2, explained) = (known(outcome.mmd2), known(outcome.explained));
            let (again_mmd2, again) = (known(outcome.mmd2_solved_again), known(outcome.explained_solved_again));
            let (accuracy, weighted) = (known(outcome.accuracy), known(outcome.accuracy_weighted));
            let (seconds, bytes) = (outcome.seconds, outcome.peak_memory_bytes);
            writeln!(
                writer,
                "{method},{n_prototypes},{n_found},{stopped},{objective},{mmd2},{explained},{objective_solved_again},\
                 {again_mmd2},{again},{accuracy},{weighted},{seconds},{bytes}"
            )?;
        }
        Ok(())
    }
}
