//! Why quotas or a budget cannot be met: which one, what was asked for, and what is possible.

use crate::method_feature::MethodFeature;
use thiserror::Error;

/// Why quotas or a budget cannot be met.
///
/// # Examples
///
/// ```
/// use ndarray::array;
/// use protodash::{ConstraintError, Error, Linear, Params, Quota, select};
///
/// let rows = array![[1.0], [2.0], [3.0]];
/// let mut params = Params::new(3);
/// params.quotas = vec![Quota { name: "country=FR".to_owned(), rows: vec![2], at_least: 2, at_most: None }];
/// let error = select(&rows, &rows, &Linear, &params).unwrap_err();
/// let expected = ConstraintError::TooFewRows { quota: "country=FR".to_owned(), at_least: 2, available: 1 };
/// assert_eq!(error, Error::Constraint(expected));
/// assert_eq!(error.to_string(), "country=FR: at least 2 rows requested, but only 1 can be chosen");
/// ```
#[derive(Debug, Clone, PartialEq, Error)]
#[non_exhaustive]
pub enum ConstraintError {
    /// The method cannot be constrained.
    #[error("{method} does not support quotas or a budget; use {}", MethodFeature::Quotas.names("or"))]
    Method {
        /// The method.
        method: &'static str,
    },

    /// Another parameter contradicts the constraints.
    #[error("{what} cannot be combined with {with}: {why}")]
    Combination {
        /// The parameter.
        what: &'static str,
        /// The constraint.
        with: &'static str,
        /// The reason.
        why: &'static str,
    },

    /// There are quotas or a budget in a selection per class.
    #[error("quotas and budgets are not possible in a selection per class; use minima and maxima of the label instead")]
    PerLabel,

    /// A row counts towards two quotas.
    #[error("source row {row} counts towards {first} and {second}; quotas must not share rows: use one column for all")]
    Overlap {
        /// One quota.
        first: String,
        /// The other quota.
        second: String,
        /// The row.
        row: usize,
    },

    /// No source row has a value.
    #[error("{quota}: no source row has this value; the column has {known}")]
    NoSuchValue {
        /// The quota.
        quota: String,
        /// Values that there are.
        known: String,
    },

    /// A value has two minima or two maxima.
    #[error("{quota}: two minima or two maxima given; one of each is possible")]
    RepeatedValue {
        /// The quota.
        quota: String,
    },

    /// The minimum of a quota is above its maximum.
    #[error("{quota}: at least {at_least} and at most {at_most} rows requested; the minimum is above the maximum")]
    AboveMaximum {
        /// The quota.
        quota: String,
        /// Its minimum.
        at_least: usize,
        /// Its maximum.
        at_most: usize,
    },

    /// A quota has fewer rows than its minimum.
    #[error("{quota}: at least {at_least} rows requested, but only {available} can be chosen")]
    TooFewRows {
        /// The quota.
        quota: String,
        /// Its minimum.
        at_least: usize,
        /// Its rows that are fixed or can be chosen.
        available: usize,
    },

    /// More rows of a quota are fixed than it allows.
    #[error("{quota}: at most {at_most} rows requested, but {n_fixed} are fixed")]
    TooManyFixed {
        /// The quota.
        quota: String,
        /// Its maximum.
        at_most: usize,
        /// Its fixed rows.
        n_fixed: usize,
    },

    /// The minima together exceed the number of prototypes.
    #[error("{quotas}: {needed} rows needed, but only {n_prototypes} can be chosen")]
    TooManyRows {
        /// The quotas with their minima.
        quotas: String,
        /// The rows they need besides fixed ones.
        needed: usize,
        /// The number of prototypes to choose.
        n_prototypes: usize,
    },

    /// There is not one cost for each source row.
    #[error("{given} costs given for {n_source} source rows; one is needed for each row")]
    NumberOfCosts {
        /// Number of costs.
        given: usize,
        /// Number of source rows.
        n_source: usize,
    },

    /// A cost is not a positive number.
    #[error("the cost of source row {row} is {cost}; costs must be finite and above 0")]
    Cost {
        /// 0-based source row.
        row: usize,
        /// The cost as text, so that errors stay comparable when it is NaN.
        cost: String,
    },

    /// The budget does not pay for what is required.
    #[error("the budget is {budget}, but {needs} at least {cost}")]
    Budget {
        /// The budget.
        budget: f64,
        /// What has to be paid, with its verb.
        needs: &'static str,
        /// Its cost.
        cost: f64,
    },
}
