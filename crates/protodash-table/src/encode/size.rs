//! The precision of the matrix, and whether it fits the memory limit.

use arrow_schema::DataType;

use super::learn::{FeatureSummary, Learnt};
use super::plan::{ColumnPlan, FeatureKind, SideColumns};
use super::problem::EncodeProblem;
use super::roles::{Categories, MissingRule, Roles};
use super::{EncodeJob, Part};

/// The precision of the matrix.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum MatrixPrecision {
    Single,
    Double,
}

impl MatrixPrecision {
    /// Returns single precision if all numbers of both parts are stored in a type that is exact in it: f32, f16 and integers
    /// of 8 or 16 bits. Scaling is computed in f64 and rounded to single precision.
    ///
    /// Codes may exceed what single precision represents, so a matrix with codes is always double.
    pub(super) fn of(source: Part<'_>, target: Option<Part<'_>>, plan: &ColumnPlan, roles: &Roles) -> MatrixPrecision {
        let has_codes = roles.categories == Categories::Codes
            && plan.features.iter().any(|feature| feature.kind == FeatureKind::Categorical);
        let mut sides = std::iter::once((source, &plan.source)).chain(target.zip(plan.target.as_ref()));
        if !has_codes && sides.all(|(part, side)| is_exact_in_single(part, side, plan)) {
            MatrixPrecision::Single
        } else {
            MatrixPrecision::Double
        }
    }

    /// Returns double precision if a column of text turned out to hold dates, whose times of day need it.
    pub(super) fn given_dates(self, learnt: &Learnt) -> MatrixPrecision {
        let is_date = |summary: &FeatureSummary| matches!(summary, FeatureSummary::Numbers(numbers) if numbers.is_date);
        if learnt.columns.iter().any(is_date) { MatrixPrecision::Double } else { self }
    }

    /// Returns the largest finite number.
    pub(super) fn max(self) -> f64 {
        match self {
            MatrixPrecision::Single => f64::from(f32::MAX),
            MatrixPrecision::Double => f64::MAX,
        }
    }

    fn width(self) -> u64 {
        match self {
            MatrixPrecision::Single => 4,
            MatrixPrecision::Double => 8,
        }
    }
}

fn is_exact_in_single(part: Part<'_>, side: &SideColumns, plan: &ColumnPlan) -> bool {
    use DataType::*;
    let schema = part.input.schema();
    let is_exact = |feature: usize| {
        let data_type = schema.field(side.file_column(feature)).data_type();
        matches!(data_type, Float16 | Float32 | Int8 | UInt8 | Int16 | UInt16)
    };
    // One-hot features are 0 and 1 in every precision.
    let mut numbers = (0..plan.features.len()).filter(|at| plan.features[*at].kind == FeatureKind::Number).peekable();
    (part.input.is_array() || numbers.peek().is_some()) && numbers.all(is_exact)
}

/// Checks that the rows and features seen so far fit the memory limit.
///
/// Both only grow while reading, so this detects a table that is too large as early as possible.
pub(super) fn check_memory(job: &EncodeJob<'_>, learnt: &Learnt) -> Result<(), EncodeProblem> {
    let n_rows = learnt.n_rows.total();
    let widths = || learnt.columns.iter().map(|summary| n_features_of(summary, job.roles));
    let n_features: u64 = widths().sum();
    let matrix = n_rows.saturating_mul(n_features).saturating_mul(job.precision.width());
    let bytes = matrix.saturating_add(learnt.columns.iter().map(bytes_of_values).sum());
    // No allocation can exceed isize::MAX bytes.
    let memory = job.roles.memory.min(isize::MAX as u64);
    if bytes <= memory {
        return Ok(());
    }
    // A column of one or two features is not the cause.
    let widest = widths().zip(&job.plan.features).max_by_key(|(n, _)| *n).filter(|(n, _)| *n > 2);
    let widest = widest.map(|(n, column)| (column.name.clone(), n));
    Err(EncodeProblem::TooLarge { path: job.source_path(), n_rows, n_features, bytes, memory, widest })
}

/// Returns the bytes of the values that are kept to scale a column.
fn bytes_of_values(summary: &FeatureSummary) -> u64 {
    match summary {
        FeatureSummary::Numbers(numbers) => 8 * numbers.source_values.len() as u64,
        FeatureSummary::Levels(_) => 0,
    }
}

/// Returns the number of features that a column becomes.
fn n_features_of(summary: &FeatureSummary, roles: &Roles) -> u64 {
    match summary {
        FeatureSummary::Numbers(_) => {
            1 + u64::from(roles.missing == MissingRule::Category && summary.missing().total() > 0)
        }
        FeatureSummary::Levels(_) if roles.categories == Categories::Codes => 1,
        // They may turn out to be dates, which are one number.
        FeatureSummary::Levels(levels) if levels.are_dates() => 1,
        FeatureSummary::Levels(levels) => levels.n_levels() as u64,
    }
}
