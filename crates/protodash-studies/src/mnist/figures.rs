//! The averages in figures 3 and 4.
//!
//! Trials are independent, but the target sets of a trial share a source. So each trial is averaged first, over digits
//! and then over skews, and intervals are computed from the averages of the trials.

use std::collections::BTreeMap;

use super::protocol::{REPRESENTATIVE, SKEWS};
use super::trial::{DigitMethodOutcome, DigitOutcome};
use crate::contestants::contestants;
use crate::figure::{Figure, FigureCurve, Point};
use crate::interval::Estimate;

/// Results by trial.
pub(super) struct Averages<'a> {
    pub(super) outcomes: &'a [DigitOutcome],
    pub(super) sizes: &'a [usize],
    /// Images of each digit in the source of each trial.
    pub(super) in_source: &'a [[usize; 10]],
}

impl Averages<'_> {
    /// All figures.
    pub(super) fn figures(&self) -> Vec<Figure> {
        vec![
            self.curve("3a", "1-NN accuracy", "accuracy", &|found, at| found.accuracy.get(at).copied()),
            self.curve("3b", "objective", "objective", &|found, at| found.objective.get(at).copied()),
            self.oversampling(),
            self.by_skew(),
            self.times(),
            self.shares(),
        ]
    }

    /// Average of a method in each trial at one skew; trials without the method are excluded.
    pub(super) fn at_skew(
        &self,
        method: &str,
        skew: u32,
        value: &dyn Fn(&DigitMethodOutcome) -> Option<f64>,
    ) -> BTreeMap<usize, f64> {
        let of_set =
            |outcome: &DigitOutcome| outcome.methods.iter().find(|found| found.method == method).and_then(value);
        by_trial(self.outcomes.iter().filter(|outcome| outcome.set.skew == skew), &of_set)
    }

    /// Average of a method in each trial over all skews.
    pub(super) fn over_skews(
        &self,
        method: &str,
        value: &dyn Fn(&DigitMethodOutcome) -> Option<f64>,
    ) -> BTreeMap<usize, f64> {
        let mut sums: BTreeMap<usize, (f64, usize)> = BTreeMap::new();
        for skew in skews() {
            for (trial, average) in self.at_skew(method, skew, value) {
                let sum = sums.entry(trial).or_default();
                *sum = (sum.0 + average, sum.1 + 1);
            }
        }
        sums.into_iter().map(|(trial, (sum, count))| (trial, sum / count as f64)).collect()
    }

    /// Share of prototypes with the target's digit at full skew, with an oversampling factor, in each trial.
    pub(super) fn oversampled(&self, method: &str, factor: f64) -> BTreeMap<usize, f64> {
        if factor == 1.0 {
            return self.at_skew(method, 100, &|found| found.of_digit.map(|share| share.count));
        }
        let of_set = |outcome: &DigitOutcome| {
            let mut all = outcome.oversampled.iter();
            all.find(|found| found.method == method && found.factor == factor).map(|found| found.of_digit.count)
        };
        by_trial(self.outcomes.iter().filter(|outcome| outcome.set.skew == 100), &of_set)
    }

    /// Average CPU seconds for the kernel mean in each trial.
    pub(super) fn kernel_mean_seconds(&self) -> BTreeMap<usize, f64> {
        by_trial(self.outcomes.iter(), &|outcome| Some(outcome.kernel_mean_seconds))
    }

    /// Share of the source's images of the target's digit that became prototypes, at full skew, in each trial.
    pub(super) fn of_attainable(&self, method: &str) -> BTreeMap<usize, f64> {
        self.at_full_skew(method, |found, share, most| share * found.n_prototypes as f64 / most as f64)
    }

    /// Largest share of the target's digit that the source allows at full skew, in each trial.
    pub(super) fn attainable(&self) -> BTreeMap<usize, f64> {
        self.at_full_skew("ProtoDash", |found, _, most| most as f64 / found.n_prototypes as f64)
    }

    /// Average of a value that depends on the outcome, its share of the digit and the largest possible share.
    fn at_full_skew(
        &self,
        method: &str,
        value: impl Fn(&DigitMethodOutcome, f64, usize) -> f64,
    ) -> BTreeMap<usize, f64> {
        let of_set = |outcome: &DigitOutcome| {
            let found = outcome.methods.iter().find(|found| found.method == method)?;
            let there = self.in_source.get(outcome.set.trial)?.get(outcome.set.digit?)?;
            let most = found.n_prototypes.min(*there);
            (most > 0).then_some(value(found, found.of_digit?.count, most))
        };
        by_trial(self.outcomes.iter().filter(|outcome| outcome.set.skew == 100), &of_set)
    }

    fn curve(
        &self,
        number: &str,
        what: &str,
        y: &str,
        value: &dyn Fn(&DigitMethodOutcome, usize) -> Option<f64>,
    ) -> Figure {
        let series = contestants().into_iter().map(|contestant| {
            let at = |(place, size): (usize, &usize)| {
                point(size.to_string(), &self.over_skews(contestant.name, &|found| value(found, place)))
            };
            FigureCurve { name: contestant.name.into(), points: self.sizes.iter().enumerate().filter_map(at).collect() }
        });
        let last = self.sizes.last().copied().unwrap_or(0);
        let title = format!(
            "{what} by number of prototypes, averaged over skews; for Swap, P-Lasso and K-Medoids points below \
             m = {last} use the first rows of the selection of {last}, not separate selections"
        );
        figure(number, &title, ("prototypes", y), series.collect())
    }

    fn oversampling(&self) -> Figure {
        let series = ["ProtoDash", "ProtoGreedy"].map(|method| {
            let at = |factor: f64| point(factor.to_string(), &self.oversampled(method, factor));
            FigureCurve { name: method.into(), points: [1.0, 2.0, 3.0].into_iter().filter_map(at).collect() }
        });
        let title = "share of the target digit among the prototypes at 100 % skew, by oversampling";
        figure("3c", title, ("oversampling", "share"), series.into())
    }

    fn by_skew(&self) -> Figure {
        let series = contestants().into_iter().map(|contestant| {
            let at = |skew: u32| point(skew.to_string(), &self.at_skew(contestant.name, skew, &final_accuracy));
            FigureCurve { name: contestant.name.into(), points: skews().filter_map(at).collect() }
        });
        figure("4a", "1-NN accuracy with all prototypes, by skew", ("skew in percent", "accuracy"), series.collect())
    }

    fn times(&self) -> Figure {
        let mean = FigureCurve {
            name: "kernel mean of the target".into(),
            points: point("all skews".into(), &self.kernel_mean_seconds()).into_iter().collect(),
        };
        let methods = contestants().into_iter().map(|contestant| {
            let times = self.over_skews(contestant.name, &|found| Some(found.seconds));
            FigureCurve {
                name: contestant.name.into(),
                points: point("all skews".into(), &times).into_iter().collect(),
            }
        });
        let series = [mean].into_iter().chain(methods).collect();
        figure(
            "4b",
            "CPU time of the selection on one thread, and of the kernel mean that every method that sees the target needs",
            ("sets", "seconds"),
            series,
        )
    }

    fn shares(&self) -> Figure {
        let series = contestants().into_iter().map(|contestant| {
            let share = |of: &dyn Fn(&DigitMethodOutcome) -> Option<f64>| self.at_skew(contestant.name, 100, of);
            let count = point("prototypes".into(), &share(&|found| found.of_digit.map(|share| share.count)));
            let weight = point("weight".into(), &share(&|found| found.of_digit.map(|share| share.weight)));
            FigureCurve { name: contestant.name.into(), points: [count, weight].into_iter().flatten().collect() }
        });
        figure("4c", "share of the target digit at 100 % skew", ("share of", "share"), series.collect())
    }
}

/// Accuracy with all prototypes.
pub(super) fn final_accuracy(found: &DigitMethodOutcome) -> Option<f64> {
    found.accuracy.last().copied()
}

/// All skews, the representative set first.
pub(super) fn skews() -> impl Iterator<Item = u32> {
    [REPRESENTATIVE].into_iter().chain(SKEWS)
}

/// Average over the target sets of each trial.
fn by_trial<'a>(
    outcomes: impl Iterator<Item = &'a DigitOutcome>,
    value: &dyn Fn(&DigitOutcome) -> Option<f64>,
) -> BTreeMap<usize, f64> {
    let mut sums: BTreeMap<usize, (f64, usize)> = BTreeMap::new();
    for outcome in outcomes {
        if let Some(value) = value(outcome) {
            let sum = sums.entry(outcome.set.trial).or_default();
            *sum = (sum.0 + value, sum.1 + 1);
        }
    }
    sums.into_iter().map(|(trial, (sum, count))| (trial, sum / count as f64)).collect()
}

fn point(x: String, by_trial: &BTreeMap<usize, f64>) -> Option<Point> {
    let values: Vec<f64> = by_trial.values().copied().collect();
    Some(Point { x, estimate: Estimate::of(&values)? })
}

fn figure(number: &str, title: &str, (x, y): (&str, &str), series: Vec<FigureCurve>) -> Figure {
    Figure { name: number.into(), title: title.into(), x: x.into(), y: y.into(), series }
}
