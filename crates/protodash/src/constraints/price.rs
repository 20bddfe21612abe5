//! What quotas and a budget cost: the fit with and without them.

use std::collections::HashSet;

use crate::params::Params;
use crate::selection::Selection;

/// How a selection meets its quotas and its budget, or what given numbers for each class cost in fit.
///
/// # Examples
///
/// See [`Quota`](super::Quota).
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct ConstraintReport {
    /// The quotas with the number of prototypes that count towards each.
    pub quotas: Vec<QuotaCount>,
    /// The cost of all prototypes and the budget, if there is one.
    pub spent: Option<(f64, f64)>,
    /// The objective of as many prototypes, chosen by the same method without quotas, budget and
    /// numbers for each class.
    pub objective_without: f64,
    /// The share that those explain; `None` if it is unknown.
    pub explained_without: Option<f64>,
}

/// A quota and the number of prototypes that count towards it.
///
/// # Examples
///
/// ```
/// use protodash::QuotaCount;
///
/// let count = QuotaCount { name: "country=FR".to_owned(), at_least: 2, at_most: None, n_prototypes: 3 };
/// assert!(count.n_prototypes >= count.at_least);
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct QuotaCount {
    /// Its name.
    pub name: String,
    /// The minimum number.
    pub at_least: usize,
    /// The maximum number.
    pub at_most: Option<usize>,
    /// The number of prototypes, fixed rows included.
    pub n_prototypes: usize,
}

impl ConstraintReport {
    /// The report on a selection, given one without constraints.
    pub(crate) fn new(params: &Params, selection: &Selection, without: &Selection) -> Self {
        let rows = || selection.prototypes.iter().map(|prototype| prototype.source_index);
        let chosen: HashSet<usize> = rows().collect();
        let count = |quota: &super::Quota| QuotaCount {
            name: quota.name.clone(),
            at_least: quota.at_least,
            at_most: quota.at_most,
            // A quota may list a row twice.
            n_prototypes: quota.rows.iter().filter(|row| chosen.contains(row)).collect::<HashSet<_>>().len(),
        };
        ConstraintReport {
            quotas: params.quotas.iter().map(count).collect(),
            spent: params.budget.as_ref().map(|budget| (rows().map(|row| budget.costs[row]).sum(), budget.limit)),
            objective_without: without.objective_final(),
            explained_without: without.explained(),
        }
    }
}
