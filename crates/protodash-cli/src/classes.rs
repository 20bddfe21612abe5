//! Class labels: read from files, numbered for the core, and used to cross-validate the bandwidth.

use std::path::Path;

use protodash::bandwidth::BandwidthRule;
use protodash::{BandwidthCurve, CrossValidation, Error, Labels, Params, Role};
use protodash_table::{Input, ReadOptions, column_texts};

use crate::args;
use crate::data::Data;
use crate::error::Failure;
use crate::json::refuse_result;
use crate::progress::Progress;

/// The class of each row, as a number.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Classes {
    /// The labels, in alphabetical order; a class is its position here.
    pub(crate) names: Vec<String>,
    /// The class of each target row.
    pub(crate) target: Vec<usize>,
    /// The class of each source row.
    pub(crate) source: Vec<usize>,
}

impl Classes {
    /// Returns the classes of both sides; `None` if either has no labels.
    pub(crate) fn of(data: &Data) -> Option<Classes> {
        Some(Classes::new(data.rows(Role::Target).labels()?, data.source.labels()?))
    }

    /// Returns the classes of rows with these labels.
    fn new(target: &[String], source: &[String]) -> Classes {
        let mut names: Vec<&String> = source.iter().chain(target).collect();
        names.sort_unstable();
        names.dedup();
        let codes = |labels: &[String]| labels.iter().filter_map(|label| names.binary_search(&label).ok()).collect();
        let (target, source) = (codes(target), codes(source));
        Classes { names: names.into_iter().cloned().collect(), target, source }
    }

    /// The classes, for the core.
    pub(crate) fn labels(&self) -> Labels<'_> {
        Labels { target: &self.target, source: &self.source }
    }

    /// Returns the failure for an error of the core, with the label of the class it concerns.
    pub(crate) fn failure(&self, data: &Data, error: Error) -> Failure {
        let Error::ClassWithoutSource { label, .. } = error else { return data.failure(error) };
        Failure::Labels {
            path: data.tables.path(Role::Source).to_owned(),
            message: error.with_name(self.names.get(label).map_or("", String::as_str)),
            hint: "exclude the class with --target-where, or omit --per-label",
        }
    }
}

/// Returns the class of each row of `rows` from the file at `path`; `None` without a path.
pub(crate) fn read_labels(
    path: Option<&Path>,
    rows: &Input,
    (no_header, memory): (bool, u64),
    progress: &mut Progress,
) -> Result<Option<Vec<String>>, Failure> {
    let Some(path) = path else { return Ok(None) };
    refuse_result(path)?;
    let mut options = ReadOptions::default();
    options.header = !no_header;
    options.pipe_limit = memory;
    let input = progress.waiting(&format!("opening {}", path.display()), || Input::open(path, &options))?;
    let refused = |message, hint| Failure::Labels { path: path.to_owned(), message, hint };
    let n_columns = input.columns().len();
    if n_columns != 1 {
        let message = format!("has {n_columns} columns; a label file must have one column, with the class of each row");
        return Err(refused(message, "remove the other columns, or add the labels to the data and use --label"));
    }
    if input.n_rows() != rows.n_rows() {
        let (found, wanted) = (input.n_rows(), rows.n_rows());
        let message =
            format!("has {found} rows, but {} has {wanted}; there must be one label per row", rows.path().display());
        return Err(refused(message, "use the label file that belongs to it"));
    }
    let labels = progress.waiting("reading labels", || column_texts(&input, 0))?;
    Ok(Some(labels.into_iter().map(Option::unwrap_or_default).collect()))
}

/// Sets the kernel's bandwidth by cross-validation, if the flags request it.
///
/// Returns the score of every bandwidth tried.
pub(crate) fn cross_validated(
    data: &mut Data,
    flags: &args::KernelArgs,
    params: &Params,
    seed: u64,
    progress: &mut Progress,
) -> Result<Option<BandwidthCurve>, Failure> {
    let Some(settings) = cross_validation(flags, seed) else { return Ok(None) };
    let classes = Classes::of(data);
    let labels = classes.as_ref().map(Classes::labels);
    let curve = data.matrices.cross_validate_bandwidth(labels, params, &settings, progress);
    let curve = curve.map_err(|error| data.failure(error))?;
    progress.clear();
    Ok(Some(curve))
}

/// Sets the kernel's bandwidth by cross-validation on the source alone, if the flags request it.
pub(crate) fn cross_validated_on_source(
    data: &mut Data,
    flags: &args::KernelArgs,
    params: &Params,
    seed: u64,
    progress: &mut Progress,
) -> Result<(), Failure> {
    let Some(settings) = cross_validation(flags, seed) else { return Ok(()) };
    let classes = data.source.labels().map(|labels| Classes::new(labels, labels));
    let labels = classes.as_ref().map(|classes| &classes.source[..]);
    let curve = data.matrices.cross_validate_bandwidth_on_source(labels, params, &settings, progress);
    curve.map_err(|error| data.failure(error))?;
    progress.clear();
    Ok(())
}

/// The settings of the cross-validation that the flags request.
fn cross_validation(flags: &args::KernelArgs, seed: u64) -> Option<CrossValidation> {
    let mut settings = CrossValidation::default();
    settings.seed = seed;
    (flags.bandwidth == Some(BandwidthRule::CrossValidated)).then_some(settings)
}
