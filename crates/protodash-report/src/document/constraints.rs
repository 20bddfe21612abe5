//! Quotas and a budget, in the format.

use protodash::{ConstraintReport, Params, QuotaCount};
use serde::{Deserialize, Serialize};

/// The quotas and the budget of a run, how they were met, and what they, or given numbers for each class, cost in fit.
///
/// # Examples
///
/// ```
/// use protodash_report::{BudgetRecord, ConstraintsRecord, QuotaRecord};
///
/// let quota = QuotaRecord {
///     name: "country=FR".to_owned(),
///     column: Some("country".to_owned()),
///     value: Some("FR".to_owned()),
///     at_least: 10,
///     at_most: None,
///     n_prototypes: 12,
/// };
/// let budget = BudgetRecord { cost: "tokens".to_owned(), budget: 5000.0, spent: 4200.0 };
/// let record = ConstraintsRecord {
///     quotas: vec![quota],
///     budget: Some(budget),
///     objective_without: 0.4,
///     explained_without: Some(0.9),
/// };
/// assert_eq!(record.settings(), ["at least 10 of country=FR", "budget 5000 for tokens"]);
/// ```
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct ConstraintsRecord {
    /// The quotas.
    #[serde(default)]
    pub quotas: Vec<QuotaRecord>,
    /// The budget, if there is one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub budget: Option<BudgetRecord>,
    /// The objective of as many prototypes chosen without quotas, budget and numbers for each class.
    pub objective_without: f64,
    /// The share that those explain; `null` if it is unknown.
    pub explained_without: Option<f64>,
}

/// A quota.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct QuotaRecord {
    /// Its rows, such as `country=FR`.
    pub name: String,
    /// The column that it is about; absent in files of earlier versions.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub column: Option<String>,
    /// The value of that column; absent in files of earlier versions.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub value: Option<String>,
    /// The minimum number of prototypes.
    pub at_least: usize,
    /// The maximum number.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub at_most: Option<usize>,
    /// The number there are.
    pub n_prototypes: usize,
}

/// A budget.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct BudgetRecord {
    /// The column of the costs, or `cost` if they come from no column.
    pub cost: String,
    /// The maximum cost of all prototypes.
    pub budget: f64,
    /// Their cost.
    pub spent: f64,
}

impl ConstraintsRecord {
    /// The record of a report; `cost` names the costs.
    #[must_use]
    pub fn new(report: &ConstraintReport, cost: &str) -> ConstraintsRecord {
        let quota = |count: &QuotaCount| QuotaRecord {
            name: count.name.clone(),
            column: None,
            value: None,
            at_least: count.at_least,
            at_most: count.at_most,
            n_prototypes: count.n_prototypes,
        };
        ConstraintsRecord {
            quotas: report.quotas.iter().map(quota).collect(),
            budget: report.spent.map(|(spent, budget)| BudgetRecord { cost: cost.to_owned(), budget, spent }),
            objective_without: report.objective_without,
            explained_without: report.explained_without,
        }
    }

    /// Adds the column and the value of each quota to its record, found by its name.
    ///
    /// # Examples
    ///
    /// ```
    /// use protodash_report::{ConstraintsRecord, QuotaRecord};
    ///
    /// let quota = QuotaRecord { name: "time=10:30".to_owned(), ..QuotaRecord::default() };
    /// let mut record = ConstraintsRecord { quotas: vec![quota], ..ConstraintsRecord::default() };
    /// record.set_columns([("time", "10:00"), ("time", "10:30")]);
    /// assert_eq!(record.quotas[0].value.as_deref(), Some("10:30"));
    /// ```
    pub fn set_columns<'a>(&mut self, limits: impl IntoIterator<Item = (&'a str, &'a str)>) {
        for (column, value) in limits {
            // The core names quotas like this.
            let name = format!("{column}={value}");
            for quota in self.quotas.iter_mut().filter(|quota| quota.column.is_none() && quota.name == name) {
                (quota.column, quota.value) = (Some(column.to_owned()), Some(value.to_owned()));
            }
        }
    }

    /// The constraints in words, which a run that continues this one must have too.
    #[must_use]
    pub fn settings(&self) -> Vec<String> {
        let quotas = self.quotas.iter().map(|quota| quota_words(&quota.name, quota.at_least, quota.at_most));
        let budget = self.budget.iter().map(|budget| budget_words(&budget.cost, budget.budget));
        quotas.chain(budget).collect()
    }
}

/// The quotas and the budget of a run in words, as [`ConstraintsRecord::settings`] has them; `cost` names the costs.
///
/// # Examples
///
/// ```
/// use protodash::{Budget, Params};
/// use protodash_report::constraint_settings;
///
/// let mut params = Params::new(3);
/// params.budget = Some(Budget { costs: vec![1.0, 2.0], limit: 5000.0 });
/// assert_eq!(constraint_settings(&params, "tokens"), ["budget 5000 for tokens"]);
/// ```
#[must_use]
pub fn constraint_settings(params: &Params, cost: &str) -> Vec<String> {
    let quotas = params.quotas.iter().map(|quota| quota_words(&quota.name, quota.at_least, quota.at_most));
    quotas.chain(params.budget.iter().map(|budget| budget_words(cost, budget.limit))).collect()
}

fn quota_words(name: &str, at_least: usize, at_most: Option<usize>) -> String {
    match (at_least, at_most) {
        (_, None) => format!("at least {at_least} of {name}"),
        (0, Some(at_most)) => format!("at most {at_most} of {name}"),
        (_, Some(at_most)) => format!("at least {at_least} and at most {at_most} of {name}"),
    }
}

fn budget_words(cost: &str, budget: f64) -> String {
    format!("budget {budget} for {cost}")
}
