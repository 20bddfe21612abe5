//! A selection as a file: schema 1 of the JSON format.
//!
//! These structs are the format. They are filled from the core's structs in one place, so renaming a field there changes
//! no file. Keys may be added under the same schema number; existing keys keep their names and meaning. Keys that this
//! version does not know are kept, so that reading and writing a newer file loses nothing.

mod baseline;
mod compared_cells;
mod comparison;
mod constraints;
mod covariate_shift;
mod cross_validation;
mod data;
mod data_hash;
mod error_bounds;
mod estimate;
mod explanation;
mod kernel;
mod layout;
mod long_table;
mod means;
mod per_label;
mod prefix;
mod read;
mod relation;
mod resume;
mod rows;
mod weights_path;

use std::io::Write;

use protodash::{Choice, Energy, Selection};
use protodash_table::{RowMap, Setting};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use crate::sentences::{bandwidth_sentence, few_rows_warning, shift_warning};

pub use baseline::BaselineRecord;
pub use comparison::{
    ChosenRecord, ComparisonDocument, ComparisonProvenance, CoverageRecord, OutcomeRecord, OverlapRecord,
    RandomCoverageRecord,
};
pub use constraints::{BudgetRecord, ConstraintsRecord, QuotaRecord, constraint_settings};
pub use covariate_shift::{ShiftRecord, ShiftedFeature};
pub use cross_validation::{BandwidthPoint, CrossValidationRecord};
pub use data::DataRecord;
pub use data_hash::data_hash;
pub use error_bounds::ErrorBoundsRecord;
pub use estimate::EstimateRecord;
pub use explanation::{ExplainedRow, ExplainingRow, ExplanationDocument, ExplanationOrigin};
pub use kernel::SavedKernel;
pub use long_table::{LongColumn, LongValues};
pub use means::MeansRecord;
pub use per_label::{ClassRecord, PerLabelRecord};
pub use read::{ReadError, read_json};
pub use relation::{
    EdgeRecord, KeyRecord, PairRecord, RelationDocument, RelationProvenance, RelationSettings, TableRecord,
};
pub use resume::{RunSettings, SettingDifference, SettingGroup};
pub use rows::{CriticismRecord, CriticismRule, PrototypeRecord};

/// The number of this schema.
///
/// # Examples
///
/// ```
/// assert_eq!(protodash_report::SCHEMA, 1);
/// ```
pub const SCHEMA: u64 = 1;

/// A finished selection with all its metadata.
///
/// # Examples
///
/// ```
/// use protodash_report::SelectionDocument;
///
/// let document = SelectionDocument::example();
/// assert_eq!(document.prototypes[0].source_index, 3);
/// assert_eq!(document.explained, Some(0.8)); // 2 · 0.3 / 0.75
/// ```
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct SelectionDocument {
    /// The number of the schema, [`SCHEMA`].
    pub schema: u64,
    /// The method, as `--method` spells it.
    pub method: String,
    /// The kernel.
    pub kernel: SavedKernel,
    /// The rule for weights, as `--weights` spells it.
    pub weights: String,
    /// Number of rows to represent.
    pub n_target: usize,
    /// Number of rows to choose from.
    pub n_source: usize,
    /// Number of columns in their matrices.
    pub n_features: usize,
    /// Why the run ended: `n_prototypes`, `min_gain`, `optimal`, `exhausted` or `constraints`.
    pub stopped: String,
    /// The fixed rows, then the chosen rows in order of choice.
    pub prototypes: Vec<PrototypeRecord>,
    /// How many of the prototypes were fixed; absent if none were.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub n_fixed: usize,
    /// The rows of the source that could not be chosen, ascending; absent if there are none.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub exclude: Vec<u64>,
    /// Quotas and budget; absent if there are none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub constraints: Option<ConstraintsRecord>,
    /// The objective after the first i + 1 prototypes.
    pub objective: Vec<f64>,
    /// The objective after all of them.
    pub objective_final: f64,
    /// The squared maximum mean discrepancy; `null` if the target's energy is unknown.
    pub mmd2: Option<f64>,
    /// The share of the target's energy that the prototypes explain.
    pub explained: Option<f64>,
    /// The rows represented worst, worst first.
    pub criticisms: Vec<CriticismRecord>,
    /// The standard error of `explained` if the target's energy was estimated.
    pub explained_standard_error: Option<f64>,
    /// The least share of the best possible objective that this one is, at the upper end of the target's energy; absent if the
    /// energy is exact, where it is `explained`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub certified: Option<f64>,
    /// ‖μ‖², the energy of the target; `null` if it was skipped.
    #[serde(default)]
    pub target_energy: Option<f64>,
    /// The standard error of `target_energy` if it was estimated.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub target_energy_standard_error: Option<f64>,
    /// MMD² after the first i + 1 prototypes, where it is more exact than `target_energy` − 2 `objective`: under the linear
    /// kernel with weights that sum to 1. Absent otherwise.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub mmd2_path: Vec<f64>,
    /// Error bounds of the figures; absent if these are exact up to the last digits of f64.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub error_bounds: Option<ErrorBoundsRecord>,
    /// How the kernel means were computed; absent in files of versions that always computed them all.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub means: Option<MeansRecord>,
    /// The comparison with the same number of random rows; absent if not computed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub baseline: Option<BaselineRecord>,
    /// The classes of the target that no prototype has; absent if classes are unknown.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub classes_without_prototype: Option<Vec<String>>,
    /// The share of target rows in these classes; absent if there are none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub share_without_prototype: Option<f64>,
    /// `weights_path[i]` are the weights that the first i + 1 prototypes had on their own.
    ///
    /// A file has those of the first sizes only; see [`weights_at`](Self::weights_at).
    pub weights_path: Vec<Vec<f64>>,
    /// The weights of some larger sizes, each as long as its size.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub later_weights: Vec<Vec<f64>>,
    /// How the criticisms were found.
    pub criticism: Option<CriticismRule>,
    /// How the prototypes were allocated to the classes.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub per_label: Option<PerLabelRecord>,
    /// The means of some columns, estimated from the prototypes, if requested.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub estimates: Vec<EstimateRecord>,
    /// The source before and after weighting, if requested.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub covariate_shift: Option<ShiftRecord>,
    /// Where the rows came from and how their columns were used.
    pub data: DataRecord,
    /// The oversampling factor.
    #[serde(default = "one")]
    pub oversample: f64,
    /// The largest weight allowed, as a fraction of the total; absent without a limit.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub max_weight: Option<f64>,
    /// The smallest effective sample size allowed; absent without a limit.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub min_effective: Option<f64>,
    /// The seed of every random draw.
    #[serde(default)]
    pub seed: u64,
    /// A hash of the encoded rows and their weights, by which a continued run recognises other data; absent for kernel matrices
    /// and in older files.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub data_hash: Option<String>,
    /// Notes on how the data were read and encoded.
    #[serde(default)]
    pub notes: Vec<String>,
    /// Keys of a newer version of the format.
    #[serde(flatten)]
    pub other: Map<String, Value>,
}

/// Whether to omit a number; serde passes a reference.
#[allow(clippy::trivially_copy_pass_by_ref)]
fn is_zero(number: &usize) -> bool {
    *number == 0
}

/// The oversampling factor of files written before the key existed.
fn one() -> f64 {
    1.0
}

/// The part of a result that does not come from the core.
///
/// # Examples
///
/// See [`SelectionDocument::new`].
#[derive(Debug, Clone)]
pub struct Provenance<'a> {
    /// The kernel.
    pub kernel: SavedKernel,
    /// Number of columns in the matrices.
    pub n_features: usize,
    /// Numbers, ids and labels of the source rows.
    pub source_rows: &'a RowMap,
    /// Where the rows came from and how their columns were used.
    pub data: DataRecord,
    /// The oversampling factor.
    pub oversample: f64,
    /// The seed of every random draw.
    pub seed: u64,
    /// Notes on how the data were read and encoded.
    pub notes: Vec<String>,
}

impl SelectionDocument {
    /// A small document for examples and tests.
    ///
    /// # Examples
    ///
    /// ```
    /// assert!(protodash_report::SelectionDocument::EXAMPLE.contains("\"schema\": 1"));
    /// ```
    pub const EXAMPLE: &str = include_str!("example.json");

    /// The document in [`EXAMPLE`](Self::EXAMPLE).
    ///
    /// # Examples
    ///
    /// ```
    /// assert_eq!(protodash_report::SelectionDocument::example().n_source, 4);
    /// ```
    ///
    /// # Panics
    ///
    /// Never: the text is part of this crate and tested.
    #[must_use]
    #[allow(clippy::expect_used)]
    pub fn example() -> SelectionDocument {
        SelectionDocument::from_json(Self::EXAMPLE).expect("the example is a document")
    }

    /// The document of a finished run.
    ///
    /// # Examples
    ///
    /// ```
    /// use ndarray::array;
    /// use protodash::{Gaussian, Params, select};
    /// use protodash_report::{DataRecord, Provenance, SavedKernel, SelectionDocument};
    /// use protodash_table::{RowMap, Setting};
    ///
    /// let rows = array![[0.0], [100.0]];
    /// let kernel = Gaussian::new(1.0)?;
    /// let selection = select(&rows, &rows, &kernel, &Params::new(1))?;
    /// let names = RowMap::new(vec![7, 9], None, None)?;
    /// let provenance = Provenance {
    ///     kernel: SavedKernel::new(Some(kernel.into())),
    ///     n_features: 1,
    ///     source_rows: &names,
    ///     data: DataRecord::in_memory("array", false),
    ///     oversample: 1.0,
    ///     seed: 0,
    ///     notes: Vec::new(),
    /// };
    /// let document = SelectionDocument::new(&selection, provenance);
    /// assert_eq!((document.prototypes[0].source_index, document.explained), (7, Some(0.5)));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn new(selection: &Selection, provenance: Provenance<'_>) -> SelectionDocument {
        let energy = selection.target_energy;
        let (prototypes, n_prototypes) = (selection.prototypes.iter(), selection.prototypes.len());
        let mut document = SelectionDocument {
            schema: SCHEMA,
            method: selection.method.name().to_owned(),
            kernel: provenance.kernel,
            weights: selection.weights.name().to_owned(),
            n_target: selection.n_target,
            n_source: selection.n_source,
            n_features: provenance.n_features,
            stopped: selection.stopped.name().to_owned(),
            prototypes: prototypes.map(|prototype| PrototypeRecord::new(prototype, provenance.source_rows)).collect(),
            n_fixed: selection.n_fixed,
            exclude: Vec::new(),
            constraints: selection.constraints.as_ref().map(|report| ConstraintsRecord::new(report, "cost")),
            objective: selection.objective.clone(),
            objective_final: selection.objective_final(),
            mmd2: selection.mmd2(),
            explained: selection.explained(),
            baseline: None,
            classes_without_prototype: None,
            share_without_prototype: None,
            criticisms: Vec::new(),
            explained_standard_error: selection.explained_standard_error(),
            certified: selection.certified().filter(|_| selection.explained_standard_error().is_some()),
            target_energy: energy.map(|energy| energy.value),
            target_energy_standard_error: energy.and_then(|energy| energy.standard_error),
            mmd2_path: selection.mmd2_path().to_vec(),
            error_bounds: ErrorBoundsRecord::new(selection),
            means: Some(MeansRecord::new(&selection.means)),
            weights_path: (1..=n_prototypes)
                .filter_map(|size| selection.weights_at(size).map(<[f64]>::to_vec))
                .collect(),
            later_weights: Vec::new(),
            criticism: None,
            per_label: None,
            estimates: Vec::new(),
            covariate_shift: None,
            data: provenance.data,
            oversample: provenance.oversample,
            max_weight: selection.max_weight,
            min_effective: selection.min_effective,
            seed: provenance.seed,
            data_hash: None,
            notes: provenance.notes,
            other: Map::new(),
        };
        document.note_bandwidth();
        document
    }

    /// Records how the bandwidth was cross-validated, with a note if that decided nothing.
    ///
    /// # Examples
    ///
    /// ```
    /// use protodash_report::{BandwidthPoint, CrossValidationRecord, SelectionDocument};
    ///
    /// let point = |multiple| BandwidthPoint { multiple, bandwidth: 4.0 * multiple, score: Some(0.0), standard_error: None };
    /// let curve = vec![point(0.5), point(1.0)];
    /// let record = CrossValidationRecord { criterion: "error".into(), n_folds: 5, n_rows: 40, curve };
    /// let mut document = SelectionDocument::example();
    /// document.set_cross_validation(record);
    /// let note = "all 2 bandwidths have the same 1-NN error on held-out rows (0.0 %); using the `auto` bandwidth, 2.000";
    /// assert_eq!(document.notes.last().map(String::as_str), Some(note));
    /// ```
    pub fn set_cross_validation(&mut self, record: CrossValidationRecord) {
        self.kernel.cross_validation = Some(record);
        self.note_bandwidth();
    }

    /// Records the effect of the weights on the source, with a note if few rows carry most of the weight; `write` returns a
    /// setting as the user writes it.
    ///
    /// # Examples
    ///
    /// ```
    /// use protodash_report::{SelectionDocument, ShiftRecord};
    ///
    /// let mut document = SelectionDocument::example();
    /// let nameless = |_: &_| None;
    /// document.set_covariate_shift(ShiftRecord { effective_sample_size: 1.9, features: Vec::new() }, &nameless);
    /// assert!(document.notes.is_empty());
    /// document.set_covariate_shift(ShiftRecord { effective_sample_size: 0.9, features: Vec::new() }, &nameless);
    /// assert!(document.notes[0].starts_with("2 rows have a weight, but an effective sample size of 0.9: "));
    /// ```
    pub fn set_covariate_shift(&mut self, record: ShiftRecord, write: &dyn Fn(&Setting) -> Option<String>) {
        self.notes.extend(shift_warning(self, &record, write));
        self.covariate_shift = Some(record);
    }

    /// Notes if a few rows carry most of the weight, for a run that weights all source rows and does not measure the shift;
    /// `write` returns a setting as the user writes it.
    ///
    /// # Examples
    ///
    /// ```
    /// use protodash_report::SelectionDocument;
    ///
    /// let mut document = SelectionDocument::example();
    /// document.note_few_rows(&|_| None);
    /// assert!(document.notes.is_empty()); // two equal weights are an effective sample size of 2 of 4 rows
    /// document.prototypes[0].weight *= 1000.0;
    /// document.prototypes.truncate(2);
    /// document.stopped = "optimal".into();
    /// document.n_source = 40;
    /// document.note_few_rows(&|_| None);
    /// assert!(document.notes[0].starts_with("the weights have an effective sample size of 1.0, 2.5 % of the 40 source rows: "));
    /// ```
    pub fn note_few_rows(&mut self, write: &dyn Fn(&Setting) -> Option<String>) {
        let weights = || self.prototypes.iter().map(|prototype| prototype.weight);
        let squares: f64 = weights().map(|weight| weight * weight).sum();
        if squares > 0.0 {
            let effective = weights().sum::<f64>().powi(2) / squares;
            self.notes.extend(few_rows_warning(self, effective, write));
        }
    }

    fn note_bandwidth(&mut self) {
        if self.kernel.cross_validation.as_ref().is_some_and(CrossValidationRecord::is_flat) {
            self.notes.extend(bandwidth_sentence(self));
        }
    }

    /// The target's energy, if it is known.
    ///
    /// # Examples
    ///
    /// ```
    /// let energy = protodash_report::SelectionDocument::example().energy().expect("it is known");
    /// assert_eq!((energy.value, energy.standard_error), (0.75, None));
    /// ```
    #[must_use]
    pub fn energy(&self) -> Option<Energy> {
        let standard_error = self.target_energy_standard_error;
        self.target_energy.map(|value| Energy { value, standard_error })
    }

    /// The share explained by the first i + 1 prototypes; empty if unknown.
    ///
    /// # Examples
    ///
    /// ```
    /// let document = protodash_report::SelectionDocument::example();
    /// assert_eq!(document.explained_path(), [0.4 / 0.75, 0.6 / 0.75]);
    /// ```
    #[must_use]
    pub fn explained_path(&self) -> Vec<f64> {
        (1..=self.objective.len()).map(|size| self.explained_at(size)).collect::<Option<_>>().unwrap_or_default()
    }

    /// The share explained by the first prototypes; `None` if unknown.
    fn explained_at(&self, n_prototypes: usize) -> Option<f64> {
        let energy = self.energy()?;
        let at = n_prototypes.checked_sub(1)?;
        let explained = match self.mmd2_path.get(at) {
            Some(mmd2) => energy.explained_at(*mmd2),
            None => energy.explained(*self.objective.get(at)?),
        };
        let bounds = self.error_bounds.as_ref().map(ErrorBoundsRecord::bounds).unwrap_or_default();
        explained.filter(|explained| !bounds.swamp(*explained, energy.value))
    }

    /// The share that the fixed rows alone explain; `None` if there are none, or if it is unknown.
    ///
    /// # Examples
    ///
    /// ```
    /// let mut document = protodash_report::SelectionDocument::example();
    /// document.n_fixed = 1;
    /// assert_eq!(document.explained_by_fixed(), Some(0.4 / 0.75));
    /// ```
    #[must_use]
    pub fn explained_by_fixed(&self) -> Option<f64> {
        self.explained_at(self.n_fixed)
    }

    /// Writes how many target rows are nearest to each prototype into its record.
    ///
    /// # Examples
    ///
    /// ```
    /// let mut document = protodash_report::SelectionDocument::example();
    /// document.set_n_represented(&[3, 1]);
    /// assert_eq!(document.prototypes[1].n_represented, Some(1));
    /// ```
    pub fn set_n_represented(&mut self, n_represented: &[usize]) {
        for (prototype, count) in self.prototypes.iter_mut().zip(n_represented) {
            prototype.n_represented = Some(*count);
        }
    }

    /// Writes the document, one line for each prototype and each list of weights.
    ///
    /// # Errors
    ///
    /// The error of the writer.
    ///
    /// # Examples
    ///
    /// ```
    /// use protodash_report::SelectionDocument;
    ///
    /// let mut written = Vec::new();
    /// SelectionDocument::example().write(&mut written)?;
    /// assert_eq!(String::from_utf8(written)?, SelectionDocument::EXAMPLE);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn write(&self, writer: &mut dyn Write) -> serde_json::Result<()> {
        layout::write(&*self.as_written(), writer)
    }

    /// The text that [`write`](Self::write) writes.
    ///
    /// # Errors
    ///
    /// If a key of a newer version cannot be written.
    ///
    /// # Examples
    ///
    /// ```
    /// use protodash_report::SelectionDocument;
    ///
    /// assert_eq!(SelectionDocument::example().to_json()?, SelectionDocument::EXAMPLE);
    /// # Ok::<(), serde_json::Error>(())
    /// ```
    pub fn to_json(&self) -> serde_json::Result<String> {
        layout::to_json(&*self.as_written())
    }
}
