//! A comparison as a file: schema 1, beside that of a selection.

use std::io::Write;

use serde::{Deserialize, Serialize};

use crate::error::WriteError;
use protodash_result::{Flags, Layout, SavedKernel};

/// A whole comparison. Times and memory differ from run to run, everything else does not.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(crate) struct Comparison {
    pub(crate) schema: u64,
    pub(crate) kernel: SavedKernel,
    pub(crate) n_target: usize,
    pub(crate) n_source: usize,
    pub(crate) n_features: usize,
    /// Rows that 1-NN was judged by; 0 without classes.
    pub(crate) n_test: usize,
    /// The classes, in the order of the rows and columns of each `confusion`; none without classes.
    #[serde(default)]
    pub(crate) classes: Vec<String>,
    /// The part of the rows that was held out to judge by; `null` judges by the target.
    pub(crate) holdout: Option<f64>,
    pub(crate) oversample: f64,
    pub(crate) seed: u64,
    /// What all methods had in common: the kernel mean and the target's energy.
    pub(crate) preparation_seconds: f64,
    pub(crate) results: Vec<Outcome>,
    /// How many prototypes each two methods have in common, for each number of prototypes.
    pub(crate) overlap: Vec<Overlap>,
    /// What could not be done, and why.
    pub(crate) notes: Vec<String>,
    /// Where the rows came from and what their columns were for.
    pub(crate) data: Flags,
}

/// One method at one number of prototypes.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(crate) struct Outcome {
    pub(crate) method: String,
    /// The number asked for.
    pub(crate) n_prototypes: usize,
    /// The number found: fewer where no further row could help.
    pub(crate) n_found: usize,
    pub(crate) stopped: String,
    /// With the method's own weights.
    pub(crate) objective: f64,
    pub(crate) mmd2: Option<f64>,
    pub(crate) explained: Option<f64>,
    /// With the best non-negative weights for the same rows.
    pub(crate) objective_solved_again: f64,
    pub(crate) mmd2_solved_again: Option<f64>,
    pub(crate) explained_solved_again: Option<f64>,
    /// The part of the judged rows that the nearest prototype classifies rightly.
    pub(crate) accuracy: Option<f64>,
    /// The same for the vote of all prototypes, weighted.
    pub(crate) accuracy_weighted: Option<f64>,
    /// How often the nearest prototype gave rows of each class (in rows) each class (in columns).
    pub(crate) confusion: Option<Vec<Vec<u64>>>,
    /// Without the preparation.
    pub(crate) seconds: f64,
    /// Of the process, the data included; of the run for the largest number where one run serves several.
    pub(crate) peak_memory_bytes: u64,
    pub(crate) prototypes: Vec<Chosen>,
}

/// A chosen row.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(crate) struct Chosen {
    /// Row of the source file, counted from 0.
    pub(crate) source_index: u64,
    pub(crate) id: Option<String>,
    pub(crate) label: Option<String>,
    /// The method's own weight.
    pub(crate) weight: f64,
}

/// The rows that methods have in common at one number of prototypes.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(crate) struct Overlap {
    pub(crate) n_prototypes: usize,
    pub(crate) methods: Vec<String>,
    /// `shared[i][j]` rows were chosen by both the i-th and the j-th method.
    pub(crate) shared: Vec<Vec<usize>>,
}

impl Comparison {
    /// The results for one number of prototypes.
    pub(crate) fn at(&self, n_prototypes: usize) -> Vec<&Outcome> {
        self.results.iter().filter(|outcome| outcome.n_prototypes == n_prototypes).collect()
    }

    /// Writes the document, one line for each result.
    pub(crate) fn write(&self, writer: &mut dyn Write) -> Result<(), WriteError> {
        let mut serializer = serde_json::Serializer::with_formatter(&mut *writer, Layout::default());
        self.serialize(&mut serializer)?;
        Ok(writer.write_all(b"\n")?)
    }

    /// Writes one line of comma-separated values for each result, without the rows.
    pub(crate) fn write_csv(&self, writer: &mut dyn Write) -> Result<(), WriteError> {
        writeln!(
            writer,
            "method,n_prototypes,n_found,stopped,objective,mmd2,explained,objective_solved_again,mmd2_solved_again,\
             explained_solved_again,accuracy,accuracy_weighted,seconds,peak_memory_bytes"
        )?;
        for outcome in &self.results {
            let known = |value: Option<f64>| value.map_or_else(String::new, |value| value.to_string());
            let Outcome { method, n_prototypes, n_found, stopped, objective, objective_solved_again, .. } = outcome;
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
