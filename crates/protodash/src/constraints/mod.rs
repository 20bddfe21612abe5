//! Quotas and a budget: how many prototypes some rows may or must provide, and what all may cost.
//!
//! Quotas must not overlap: a source row counts towards one at most. Then one number per quota decides which rows can
//! still be chosen (`places.rs`); with overlapping quotas that is a matching problem, and for three of them it is NP-hard.

mod error;
mod places;
mod price;

pub use error::ConstraintError;
pub use price::{ConstraintReport, QuotaCount};

pub(crate) use places::OpenPlaces;

use std::collections::HashSet;

use crate::choice::Choice;
use crate::distinct::first_equal_rows;
use crate::error::{Error, Result};
use crate::given_rows::GivenRows;
use crate::method_feature::MethodFeature;
use crate::params::{Params, Weights};
use crate::rows::{Rows, Scalar};

/// Values of a column that an error lists.
const SHOWN_VALUES: usize = 8;

/// A minimum or a maximum number of prototypes among some source rows; fixed rows count.
///
/// # Examples
///
/// ```
/// use ndarray::array;
/// use protodash::{Gaussian, Params, Quota, select};
///
/// let rows = array![[0.0], [0.1], [0.2], [9.0]];
/// let mut params = Params::new(2);
/// let quota = Quota { name: "country=FR".to_owned(), rows: vec![0, 1, 2], at_least: 2, at_most: None };
/// params.quotas = vec![quota];
/// let selection = select(&rows, &rows, &Gaussian::new(1.0)?, &params)?;
/// assert!(selection.prototypes.iter().all(|prototype| prototype.source_index < 3));
/// let report = selection.constraints.as_ref().unwrap();
/// assert!(report.explained_without > selection.explained()); // what the quota costs
/// # Ok::<(), protodash::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Quota {
    /// What errors call it, such as `country=FR`.
    pub name: String,
    /// The source rows that count towards it, in any order.
    pub rows: Vec<usize>,
    /// The minimum number of prototypes among them.
    pub at_least: usize,
    /// The maximum number; `None` for no limit.
    pub at_most: Option<usize>,
}

impl Quota {
    /// The quotas of a column: `minima` and `maxima` name values and numbers, and `values` has the value of each source row.
    ///
    /// # Errors
    ///
    /// [`ConstraintError::NoSuchValue`] if no row has a value, and [`ConstraintError::RepeatedValue`] if one has two minima
    /// or two maxima.
    ///
    /// # Examples
    ///
    /// ```
    /// use protodash::Quota;
    ///
    /// let values = [Some("FR"), Some("DE"), None, Some("FR")];
    /// let quotas = Quota::of_column("country", &values, &[("FR", 1)], &[("FR", 2), ("DE", 1)])?;
    /// assert_eq!((quotas[0].name.as_str(), &quotas[0].rows[..]), ("country=FR", &[0, 3][..]));
    /// assert_eq!((quotas[0].at_least, quotas[0].at_most, quotas[1].at_most), (1, Some(2), Some(1)));
    /// # Ok::<(), protodash::Error>(())
    /// ```
    pub fn of_column(
        column: &str,
        values: &[Option<&str>],
        minima: &[(&str, usize)],
        maxima: &[(&str, usize)],
    ) -> Result<Vec<Quota>> {
        let mut quotas: Vec<(&str, Option<usize>, Option<usize>)> = Vec::new();
        for (is_minimum, limits) in [(true, minima), (false, maxima)] {
            for &(value, number) in limits {
                let place = quotas.iter().position(|(known, ..)| *known == value).unwrap_or_else(|| {
                    quotas.push((value, None, None));
                    quotas.len() - 1
                });
                let (_, at_least, at_most) = &mut quotas[place];
                let limit = if is_minimum { at_least } else { at_most };
                if limit.replace(number).is_some() {
                    let quota = format!("{column}={value}");
                    return Err(Error::Constraint(ConstraintError::RepeatedValue { quota }));
                }
            }
        }
        let quota = |(value, at_least, at_most): (&str, Option<usize>, Option<usize>)| {
            let rows: Vec<usize> = (0..values.len()).filter(|row| values[*row] == Some(value)).collect();
            let name = format!("{column}={value}");
            if rows.is_empty() {
                return Err(Error::Constraint(ConstraintError::NoSuchValue {
                    quota: name,
                    known: known_values(values),
                }));
            }
            Ok(Quota { name, rows, at_least: at_least.unwrap_or(0), at_most })
        };
        quotas.into_iter().map(quota).collect()
    }
}

/// Some values of a column, for an error.
fn known_values(values: &[Option<&str>]) -> String {
    let mut known: Vec<&str> = values.iter().flatten().copied().collect();
    known.sort_unstable();
    known.dedup();
    let more = known.len().saturating_sub(SHOWN_VALUES);
    known.truncate(SHOWN_VALUES);
    let shown = known.join(", ");
    if more > 0 { format!("{shown} and {more} more") } else { shown }
}

/// What each source row costs, and what all prototypes may cost together.
///
/// # Examples
///
/// ```
/// use ndarray::array;
/// use protodash::{Budget, Gaussian, Params, Stopped, select};
///
/// let rows = array![[0.0], [0.1], [9.0]];
/// let mut params = Params::new(3);
/// params.budget = Some(Budget { costs: vec![5.0, 1.0, 1.0], limit: 2.0 });
/// let selection = select(&rows, &rows, &Gaussian::new(1.0)?, &params)?;
/// let chosen: Vec<usize> = selection.prototypes.iter().map(|prototype| prototype.source_index).collect();
/// assert_eq!((chosen, selection.stopped), (vec![1, 2], Stopped::Constraints));
/// # Ok::<(), protodash::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct Budget {
    /// The cost of each source row, above 0.
    pub costs: Vec<f64>,
    /// The maximum sum of the costs of all prototypes, fixed rows included.
    pub limit: f64,
}

/// What the constraints need to know about each source row.
#[derive(Debug)]
pub(crate) struct RowConstraints {
    /// 0 for rows without a quota, otherwise 1 + the number of the quota.
    groups: Vec<usize>,
    /// Costs as a fraction of the largest, so that gains per cost are no smaller than gains; empty without a budget.
    costs: Vec<f64>,
    /// For each group, whether a minimum may require copies of a row.
    keeps_copies: Vec<bool>,
}

impl RowConstraints {
    /// The constraints of a run; `None` if there are none.
    pub(crate) fn of(params: &Params, n_source: usize) -> Option<Self> {
        if !params.is_constrained() {
            return None;
        }
        let mut groups = vec![0; n_source];
        let mut keeps_copies = vec![false];
        for (place, quota) in params.quotas.iter().enumerate() {
            quota.rows.iter().for_each(|row| groups[*row] = place + 1);
            keeps_copies.push(quota.at_least > 0);
        }
        let costs = params.budget.as_ref().map_or_else(Vec::new, |budget| {
            let largest = budget.costs.iter().copied().fold(0.0, f64::max);
            budget.costs.iter().map(|cost| cost / largest).collect()
        });
        Some(RowConstraints { groups, costs, keeps_copies })
    }

    /// The group of a source row.
    pub(crate) fn group(&self, row: usize) -> usize {
        self.groups[row]
    }

    /// The cost of a source row as a fraction of the largest; 1 without a budget.
    pub(crate) fn cost(&self, row: usize) -> f64 {
        self.costs.get(row).copied().unwrap_or(1.0)
    }

    /// For each row, whether it can be chosen at all.
    ///
    /// Copies of a row with the same quota and cost are left out, as without constraints, unless a quota may need them.
    pub(crate) fn candidates<T: Scalar>(&self, rows: Rows<'_, T>, given: GivenRows<'_>) -> Vec<bool> {
        let firsts = first_equal_rows(rows);
        let fixed: HashSet<usize> = given.fixed.iter().map(|row| firsts[*row]).collect();
        let mut seen = HashSet::new();
        let mut is_candidate = given.choosable(firsts.len());
        for (row, first) in firsts.into_iter().enumerate().filter(|(row, _)| !self.keeps_copies[self.groups[*row]]) {
            let kind = (first, self.groups[row], self.cost(row).to_bits());
            is_candidate[row] = is_candidate[row] && !fixed.contains(&first) && seen.insert(kind);
        }
        is_candidate
    }
}

impl Params {
    /// Whether there are quotas or a budget.
    pub(crate) fn is_constrained(&self) -> bool {
        !self.quotas.is_empty() || self.budget.is_some()
    }

    /// These parameters without quotas and budget, for this number of prototypes.
    pub(crate) fn unconstrained(&self, n_prototypes: usize) -> Params {
        Params {
            n_prototypes: Some(n_prototypes),
            quotas: Vec::new(),
            budget: None,
            resume: Vec::new(),
            min_gain: None,
            ..self.clone()
        }
    }

    /// Checks quotas and budget, once the other parameters are known to be valid.
    pub(crate) fn check_constraints(&self, n_source: usize) -> Result<()> {
        if !self.is_constrained() {
            return Ok(());
        }
        self.check_combination()?;
        let mut quota_of = vec![None; n_source];
        for (place, quota) in self.quotas.iter().enumerate() {
            for &row in &quota.rows {
                let Some(of_row) = quota_of.get_mut(row) else {
                    return Err(Error::NoSuchRow { name: "a quota", row, n_source });
                };
                if let Some(other) = of_row.replace(place).filter(|other: &usize| *other != place) {
                    let (first, second) = (self.quotas[other].name.clone(), quota.name.clone());
                    return Err(Error::Constraint(ConstraintError::Overlap { first, second, row }));
                }
            }
        }
        if let Some(Budget { costs, limit }) = &self.budget {
            check_costs(costs, *limit, n_source)?;
        }
        let rows = RowConstraints::of(self, n_source);
        rows.map_or(Ok(()), |rows| OpenPlaces::new(self, &rows).map(|_| ()).map_err(Error::Constraint))
    }

    /// Rejects what cannot be combined with quotas or a budget.
    fn check_combination(&self) -> Result<()> {
        if !self.method.supports(MethodFeature::Quotas) {
            return Err(Error::Constraint(ConstraintError::Method { method: self.method.name() }));
        }
        let refused = |what, with, why| Err(Error::Constraint(ConstraintError::Combination { what, with, why }));
        if self.oversample > 1.0 {
            return refused("oversample", "quotas or a budget", "it drops rows that they counted");
        }
        if self.limits().is_set() && self.n_prototypes.is_none() {
            let why = "without a number of prototypes it may add rows that violate them";
            return refused("a limit on weights", "quotas or a budget", why);
        }
        if self.budget.is_some() && self.weights == Weights::Convex {
            return refused("weights convex", "a budget", "they leave the first row no gain to divide by its cost");
        }
        if self.min_gain.is_some() && self.quotas.iter().any(|quota| quota.at_least > 0) {
            return refused("min_gain", "a minimum number of rows", "it may end the run before the minimum is met");
        }
        Ok(())
    }
}

fn check_costs(costs: &[f64], limit: f64, n_source: usize) -> Result<()> {
    if costs.len() != n_source {
        return Err(Error::Constraint(ConstraintError::NumberOfCosts { given: costs.len(), n_source }));
    }
    if let Some((row, cost)) = costs.iter().enumerate().find(|(_, cost)| !(cost.is_finite() && **cost > 0.0)) {
        return Err(Error::Constraint(ConstraintError::Cost { row, cost: cost.to_string() }));
    }
    let valid = limit.is_finite() && limit > 0.0;
    crate::params::in_range("budget", limit, valid, "a finite number above 0")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn copies_are_candidates_if_their_quota_or_cost_differs_or_a_minimum_may_need_them() {
        // Rows 0 to 3 are equal, and so are 4 and 5.
        let values = [1.0, 1.0, 1.0, 1.0, 2.0, 2.0];
        let quota = |rows: &[usize], at_least| Quota {
            name: format!("{rows:?}"),
            rows: rows.to_vec(),
            at_least,
            at_most: Some(3),
        };
        let candidates = |quotas: Vec<Quota>, costs: Option<Vec<f64>>, fixed: &[usize]| {
            let budget = costs.map(|costs| Budget { costs, limit: 9.0 });
            let params = Params { quotas, budget, ..Params::new(1) };
            let rows = RowConstraints::of(&params, 6).unwrap();
            rows.candidates(Rows::new(&values, 1), GivenRows { fixed, exclude: &[] })
        };
        assert_eq!(candidates(vec![quota(&[1, 2], 0)], None, &[]), [true, true, false, false, true, false]);
        assert_eq!(candidates(vec![quota(&[1, 2], 1)], None, &[]), [true, true, true, false, true, false]);
        assert_eq!(candidates(vec![quota(&[1, 2], 1)], None, &[3]), [false, true, true, false, true, false]);
        let costs = Some(vec![1.0, 2.0, 1.0, 2.0, 3.0, 3.0]);
        assert_eq!(candidates(Vec::new(), costs, &[]), [true, true, false, false, true, false]);
    }
}
