//! Which rows can still be chosen so that all quotas can be met within the number of prototypes and the budget.
//!
//! # Formula
//!
//! Group g still needs n_g = max(at_least − chosen, 0) rows, and the cheapest n_g rows that it has left cost r_g. With p
//! places and a budget b left, a row of group g and cost c can be chosen if g is below its maximum and
//!
//! ```text
//! n_g > 0:   c ≤ b − Σ r + (the largest cost within r_g)      it takes a place that is reserved for its group
//! n_g = 0:   p > Σ n  and  c ≤ b − Σ r
//! ```
//!
//! Groups do not overlap, so the cheapest rows of each group are the cheapest way to meet all minima: a row is refused
//! exactly if no completion exists. p − Σ n and b − Σ r never grow, so a refused row stays refused.

use super::{Budget, ConstraintError, RowConstraints};
use crate::params::Params;

/// Budgets are compared with sums of costs up to rounding.
const ROUNDING: f64 = 1e-12;

/// The places, minima and money that are left.
#[derive(Debug, Clone)]
pub(crate) struct OpenPlaces {
    /// Rows that can still be chosen; `None` for any number.
    n_left: Option<usize>,
    /// What they may cost; infinite without a budget.
    budget: f64,
    /// Rows without a quota, then those of each quota.
    groups: Vec<GroupPlaces>,
}

#[derive(Debug, Clone)]
struct GroupPlaces {
    /// How many more rows may be chosen.
    n_allowed: usize,
    /// The cheapest rows that meet its minimum, as many as it still needs, cheapest first.
    reserved: Vec<(f64, usize)>,
    /// The cost of its most expensive row; negative if it has no rows.
    highest_cost: f64,
}

impl GroupPlaces {
    fn reserved_cost(&self) -> f64 {
        self.reserved.iter().map(|(cost, _)| cost).sum()
    }
}

impl OpenPlaces {
    /// The places before the first step, with fixed rows counted; an error if the constraints cannot be met.
    pub(crate) fn new(params: &Params, rows: &RowConstraints) -> Result<Self, ConstraintError> {
        let n_rows = rows.groups.len();
        let mut n_fixed = vec![0; params.quotas.len() + 1];
        params.fixed.iter().for_each(|row| n_fixed[rows.group(*row)] += 1);
        let mut available: Vec<Vec<(f64, usize)>> = vec![Vec::new(); n_fixed.len()];
        let is_choosable = params.given_rows().choosable(n_rows);
        let choosable = (0..n_rows).filter(|row| is_choosable[*row]);
        choosable.for_each(|row| available[rows.group(row)].push((rows.cost(row), row)));
        let mut groups = Vec::with_capacity(n_fixed.len());
        for (group, mut available) in available.into_iter().enumerate() {
            available.sort_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
            let (needed, n_allowed) = match group.checked_sub(1) {
                None => (0, usize::MAX),
                Some(quota) => needed_and_allowed(&params.quotas[quota], n_fixed[group], available.len())?,
            };
            let highest_cost = available.last().map_or(-1.0, |(cost, _)| *cost);
            available.truncate(needed);
            groups.push(GroupPlaces { n_allowed, reserved: available, highest_cost });
        }
        let places = OpenPlaces { n_left: params.n_prototypes, budget: f64::INFINITY, groups };
        places.check_number(params)?;
        match &params.budget {
            None => Ok(places),
            Some(budget) => places.with_budget(budget, params, rows),
        }
    }

    fn check_number(&self, params: &Params) -> Result<(), ConstraintError> {
        let needed = self.n_reserved();
        let Some(n_prototypes) = self.n_left.filter(|n_left| needed > *n_left) else { return Ok(()) };
        let minima = params.quotas.iter().filter(|quota| quota.at_least > 0);
        let quotas: Vec<String> = minima.map(|quota| format!("{}:{}", quota.name, quota.at_least)).collect();
        Err(ConstraintError::TooManyRows { quotas: quotas.join(", "), needed, n_prototypes })
    }

    /// With what the budget leaves after the fixed rows.
    fn with_budget(
        mut self,
        budget: &Budget,
        params: &Params,
        rows: &RowConstraints,
    ) -> Result<OpenPlaces, ConstraintError> {
        let Budget { costs, limit } = budget;
        let unit = costs.iter().copied().fold(0.0, f64::max);
        let spent: f64 = params.fixed.iter().map(|row| rows.cost(*row)).sum();
        self.budget = limit / unit * (1.0 + ROUNDING) - spent;
        let is_choosable = params.given_rows().choosable(costs.len());
        let cheapest = (0..costs.len()).filter(|row| is_choosable[*row]).map(|row| rows.cost(row));
        let cheapest = cheapest.fold(f64::INFINITY, f64::min);
        let reserved = self.reserved_cost();
        let fails =
            |needs, cost: f64| Err(ConstraintError::Budget { budget: *limit, needs, cost: rounded(cost * unit) });
        if self.budget < 0.0 {
            return fails("the fixed rows cost", spent);
        }
        if self.budget < reserved {
            let needs =
                if spent > 0.0 { "fixed rows and minima cost" } else { "the cheapest rows that meet the minima cost" };
            return fails(needs, spent + reserved);
        }
        if self.budget < cheapest {
            let needs = if spent > 0.0 { "fixed rows and the cheapest row cost" } else { "the cheapest row costs" };
            return fails(needs, spent + cheapest);
        }
        Ok(self)
    }

    /// For each group, the highest cost of a row that can be chosen; negative if none can.
    pub(crate) fn cost_limits(&self) -> Vec<f64> {
        let is_free = self.n_left.is_none_or(|n_left| n_left > self.n_reserved());
        let spare = (self.budget - self.reserved_cost()).max(0.0);
        let limit = |group: &GroupPlaces| match group.reserved.last() {
            _ if group.n_allowed == 0 => -1.0,
            Some((largest, _)) => spare + largest,
            None if is_free => spare,
            None => -1.0,
        };
        self.groups.iter().map(limit).collect()
    }

    /// The limits of groups that need more rows; all other groups are closed.
    pub(crate) fn needed_limits(&self) -> Vec<f64> {
        let limits = self.cost_limits().into_iter().zip(&self.groups);
        limits.map(|(limit, group)| if group.reserved.is_empty() { -1.0 } else { limit }).collect()
    }

    /// Whether a quota needs more rows.
    pub(crate) fn needs_more(&self) -> bool {
        self.n_reserved() > 0
    }

    /// Whether the constraints keep some row from being chosen.
    pub(crate) fn is_binding(&self) -> bool {
        self.cost_limits().iter().zip(&self.groups).any(|(limit, group)| *limit < group.highest_cost)
    }

    /// Counts a chosen row.
    pub(crate) fn take(&mut self, source_index: usize, group: usize, cost: f64) {
        self.n_left = self.n_left.map(|n_left| n_left.saturating_sub(1));
        self.budget -= cost;
        let group = &mut self.groups[group];
        group.n_allowed = group.n_allowed.saturating_sub(1);
        // A row that was not reserved replaces the most expensive one that was.
        let place = group.reserved.iter().position(|(_, row)| *row == source_index);
        if let Some(place) = place.or(group.reserved.len().checked_sub(1)) {
            group.reserved.remove(place);
        }
    }

    fn n_reserved(&self) -> usize {
        self.groups.iter().map(|group| group.reserved.len()).sum()
    }

    fn reserved_cost(&self) -> f64 {
        self.groups.iter().map(GroupPlaces::reserved_cost).sum()
    }
}

/// How many rows a quota still needs and may still take.
fn needed_and_allowed(
    quota: &super::Quota,
    n_fixed: usize,
    n_choosable: usize,
) -> Result<(usize, usize), ConstraintError> {
    let (name, at_least) = (quota.name.clone(), quota.at_least);
    if let Some(at_most) = quota.at_most.filter(|at_most| *at_most < at_least) {
        return Err(ConstraintError::AboveMaximum { quota: name, at_least, at_most });
    }
    if let Some(at_most) = quota.at_most.filter(|at_most| *at_most < n_fixed) {
        return Err(ConstraintError::TooManyFixed { quota: name, at_most, n_fixed });
    }
    let available = n_fixed + n_choosable;
    if available < at_least {
        return Err(ConstraintError::TooFewRows { quota: name, at_least, available });
    }
    let allowed = quota.at_most.map_or(usize::MAX, |at_most| at_most - n_fixed);
    Ok((at_least.saturating_sub(n_fixed), allowed))
}

/// A cost without the digits that dividing by the largest has changed.
fn rounded(cost: f64) -> f64 {
    format!("{cost:.12e}").parse().unwrap_or(cost)
}
