//! Figures of errors, times and percentiles, and the tables.

use super::errors::Bootstrap;
use super::evidence::RetailEvidence;
use super::growth::{Growth, PAPER};
use super::protocol::{RetailProtocol, RetailTask, Set, groups};
use super::trial::TrainingOutcome;
use crate::contestants::{Contestant, contestants};
use crate::figure::{Figure, FigureCurve, Point};
use crate::interval::Estimate;
use crate::table::ResultTable;

/// Seconds in a year.
const YEAR: f64 = 365.25 * 86_400.0;

/// The results, with the number of draws of RandomW.
pub(super) struct RetailReading<'a> {
    pub(super) evidence: &'a RetailEvidence,
    pub(super) n_draws: usize,
    pub(super) protocol: &'a RetailProtocol,
}

/// Names of the methods in the figures.
fn names() -> impl Iterator<Item = &'static str> {
    contestants().into_iter().map(|Contestant { name, .. }| name)
}

impl RetailReading<'_> {
    /// The figures.
    pub(super) fn figures(&self) -> Vec<Figure> {
        let logs: fn(&TrainingOutcome) -> &[f64] = |outcome| &outcome.errors;
        let plain: fn(&TrainingOutcome) -> &[f64] = |outcome| &outcome.plain_errors;
        vec![
            self.errors("1a", "error of the predicted logarithm of expenditure", logs),
            self.errors("1a_plain", "error of the predicted expenditure, in pounds and in page values", plain),
            self.times(),
            self.percentiles(),
        ]
    }

    /// The tables.
    pub(super) fn tables(&self) -> Vec<ResultTable> {
        vec![self.people(), self.later(), self.choices(), self.scales(), self.on_paper()]
    }

    /// Errors of all trainings of one method.
    pub(super) fn errors_of(&self, set: Set, method: &str, errors: impl Fn(&TrainingOutcome) -> &[f64]) -> Vec<&[f64]> {
        self.evidence.trainings(set, method, self.n_draws).into_iter().map(errors).collect()
    }

    /// Bootstrap over the predicted customers of a set.
    pub(super) fn bootstrap(&self, set: Set) -> Bootstrap {
        let n_customers = groups()
            .into_iter()
            .find_map(|method| self.evidence.trainings(set, method, 1).first().map(|outcome| outcome.errors.len()));
        Bootstrap::new(n_customers.unwrap_or(0), self.protocol.seed)
    }

    fn errors(&self, number: &str, title: &str, errors: fn(&TrainingOutcome) -> &[f64]) -> Figure {
        let bootstraps = Set::ALL.map(|set| (set, self.bootstrap(set)));
        let series = |method: &str| {
            let point = |(set, bootstrap): &(Set, Bootstrap)| {
                let estimate = bootstrap.root_mean_square(&self.errors_of(*set, method, errors))?;
                Some(Point { x: set.to_string(), estimate })
            };
            FigureCurve { name: method.to_owned(), points: bootstraps.iter().filter_map(point).collect() }
        };
        let series = groups().into_iter().map(series).collect();
        let title = format!(
            "{title}, by the data added to the loyal customers for training; interval over predicted \
                             customers and draws"
        );
        Figure { name: number.into(), title, x: "data".into(), y: "RMSE".into(), series }
    }

    fn times(&self) -> Figure {
        let series = |label: &str, method: &str, seconds: fn(&super::trial::Seconds) -> f64| {
            let point = |set: &Set| {
                let outcomes = self.evidence.trainings(*set, method, self.n_draws);
                let values: Vec<f64> =
                    outcomes.iter().filter_map(|outcome| outcome.seconds.as_ref().map(seconds)).collect();
                Some(Point { x: set.to_string(), estimate: Estimate::of(&values)? })
            };
            FigureCurve { name: label.to_owned(), points: Set::ALL.iter().filter_map(point).collect() }
        };
        let mut all = vec![
            series("kernel mean of the loyal, for all but L2C and K-Medoids", "ProtoDash", |seconds| {
                seconds.kernel_mean
            }),
            series("kernel mean of the regular, for L2C", "L2C", |seconds| seconds.kernel_mean),
        ];
        all.extend(names().map(|method| series(method, method, |seconds| seconds.choice)));
        let title = "CPU seconds of the selection, without the kernel mean".into();
        Figure { name: "1b".into(), title, x: "data".into(), y: "seconds".into(), series: all }
    }

    fn percentiles(&self) -> Figure {
        let series = |method: &str| {
            let outcomes = self.evidence.trainings(Set::Customers, method, self.n_draws);
            let features = outcomes.first().map_or(&[][..], |outcome| &outcome.profile);
            let point = |place: usize| {
                let values: Vec<f64> = outcomes.iter().map(|outcome| outcome.profile[place].percentile).collect();
                Some(Point { x: features[place].feature.clone(), estimate: Estimate::of(&values)? })
            };
            FigureCurve { name: method.to_owned(), points: (0..features.len()).filter_map(point).collect() }
        };
        let title = "percentile of the selection's weighted average among regular customers";
        Figure {
            name: "2".into(),
            title: title.into(),
            x: "feature".into(),
            y: "percentile".into(),
            series: names().map(series).collect(),
        }
    }

    fn people(&self) -> ResultTable {
        let columns = ["data", "loyal", "regular", "chosen", "at most", "predicted", "bandwidth"];
        let mut table = ResultTable::new("people", "Customers for training, selection and prediction", &columns);
        for set in Set::ALL {
            let Some(outcome) = self.evidence.trainings(set, "ProtoDash", 1).first().copied() else { continue };
            let width = self.evidence.width(&RetailTask::Width { set }).unwrap_or(f64::NAN);
            let at_most = self.protocol.n_prototypes(outcome.n_loyal, outcome.n_regular);
            let counts = [outcome.n_loyal, outcome.n_regular, outcome.n_selected, at_most, outcome.errors.len()];
            let counts = counts.iter().map(ToString::to_string).collect();
            table.push([vec![set.to_string()], counts, vec![format!("{width:.3}")]].concat());
        }
        table
    }

    fn later(&self) -> ResultTable {
        let columns = ["method", "prototypes followed", "loyal a year later", "share", "of all regular customers"];
        let title = "Follow-up of the heaviest prototypes of the earlier year in the later one";
        let mut table = ResultTable::new("later", title, &columns);
        for method in names() {
            let Some(found) = self.evidence.later(method) else { continue };
            table.push(vec![
                method.to_owned(),
                found.n_followed.to_string(),
                found.n_turned.to_string(),
                format!("{:.1} %", 100.0 * found.n_turned as f64 / found.n_followed as f64),
                format!("{:.1} %", 100.0 * found.base_rate),
            ]);
        }
        table
    }

    fn choices(&self) -> ResultTable {
        let title = "Parameters of the regressions, chosen by 10-fold cross-validation; for RandomW in the first draw";
        let columns =
            ["data", "added to the loyal", "customers", "cost", "γ", "at the limit", "cross-validation error"];
        let mut table = ResultTable::new("choices", title, &columns);
        for set in Set::ALL {
            for method in groups() {
                let Some(outcome) = self.evidence.trainings(set, method, 1).first().copied() else { continue };
                table.push(vec![
                    set.to_string(),
                    method.to_owned(),
                    outcome.n_selected.to_string(),
                    outcome.choice.cost.to_string(),
                    outcome.choice.gamma.to_string(),
                    if self.protocol.search.is_at_the_end(outcome.choice) { "yes" } else { "no" }.to_owned(),
                    format!("{:.4}", outcome.validation_error),
                ]);
            }
        }
        table
    }

    fn scales(&self) -> ResultTable {
        let columns = ["source rows", "target rows", "prototypes", "kernel mean, s", "choice, s"];
        let mut table = ResultTable::new("scales", "Cost of ProtoDash, measured on one thread", &columns);
        for (n_source, outcome) in self.evidence.scales() {
            table.push(vec![
                n_source.to_string(),
                outcome.n_target.to_string(),
                outcome.n_prototypes.to_string(),
                format!("{:.3}", outcome.seconds.kernel_mean),
                format!("{:.3}", outcome.seconds.choice),
            ]);
        }
        table
    }

    /// Cost of the paper's problem, extrapolated with the fitted formula.
    fn on_paper(&self) -> ResultTable {
        let title = "Fitted cost, and its extrapolation to 78 million regular and 2 million loyal customers";
        let mut table = ResultTable::new("on_paper", title, &["what", "formula", "value"]);
        let Some(growth) = Growth::of(self.evidence) else { return table };
        let (n1, n2, m) = PAPER;
        let (mean, choice) = growth.seconds(PAPER);
        let n_features = self.evidence.scales().next().map_or(0, |(_, outcome)| outcome.n_features) as f64;
        let rows = [
            ("kernel mean, for each pair of rows", "a", format!("{:.3e} s", growth.of_kernel_mean)),
            ("kernel column, for each source row", "b", format!("{:.3e} s", growth.of_column)),
            ("pass over the columns, for each source row and column", "c", format!("{:.3e} s", growth.of_pass)),
            ("growth of total time with rows, n₁ = n₂/39", "exponent of n₂", format!("{:.2}", growth.exponent)),
            ("kernel mean of 2 · 78 million rows", "a n₁ n₂", format!("{:.1} days", mean / 86_400.0)),
            ("choice of 1.5 million of 78 million", "n₂ (b m + c m²/2)", format!("over {:.0} years", choice / YEAR)),
            (
                "choice of 1,000 of 78 million",
                "n₂ (b m + c m²/2)",
                format!("over {:.1} hours", growth.seconds((n1, n2, 1000.0)).1 / 3600.0),
            ),
            ("memory of the data, in f32", "4 (n₁ + n₂) d", format!("{:.1} GB", 4.0 * (n1 + n2) * n_features / 1e9)),
            ("memory of the columns for 1.5 million", "4 n₂ m", format!("{:.0} TB", 4.0 * n2 * m / 1e12)),
            ("memory of the columns for 1,000", "4 n₂ m", format!("{:.0} GB", 4.0 * n2 * 1000.0 / 1e9)),
        ];
        rows.into_iter().for_each(|(what, formula, value)| table.push(vec![what.into(), formula.into(), value]));
        table
    }
}
