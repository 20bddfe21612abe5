//! Claims about time, and about P-Lasso failing to return prototypes.

use super::super::evidence::NhanesReading;
use super::super::protocol::StudySetting;
use super::super::trial::TableOutcome;
use super::place;
use crate::claim::{Claim, ClaimVerdict};
use crate::interval::Estimate;

/// Threshold for "much more expensive".
const MUCH: f64 = 2.0;

/// P-Lasso returns no prototypes.
pub(super) fn p_lasso_result(reading: &NhanesReading<'_>, setting: StudySetting) -> Option<Claim> {
    let has = |outcome: &&TableOutcome| outcome.methods.iter().any(|found| found.method == "P-Lasso");
    let n_tables = reading.evidence.questionnaires(setting).count();
    let n_found = reading.evidence.questionnaires(setting).filter(has).count();
    let claim = "P-Lasso gave no result on most questionnaires";
    let ours = format!("a result for {n_found} of {n_tables}");
    let claim = Claim::new(&place("V-C", setting), claim, ours, 2 * n_found < n_tables);
    (n_tables > 0).then(|| claim.holding_if("it has prototypes, within 10 % of m, for less than half of them"))
}

/// P-Lasso is much more expensive than ProtoDash.
pub(super) fn p_lasso_expensive(reading: &NhanesReading<'_>, setting: StudySetting) -> Option<Claim> {
    let times = Times::of(reading, setting, "P-Lasso")?;
    let claim = "P-Lasso is much more expensive than ProtoDash";
    let ours = format!("{}; ours follows its path and ends at m prototypes", times.shown("P-Lasso"));
    let claim = Claim::new(&place("V", setting), claim, ours, ClaimVerdict::above(&times.whole, MUCH.ln()));
    Some(claim.holding_if("it takes more than twice the CPU time, kernel mean included"))
}

/// ProtoDash is faster than another method.
pub(super) fn faster(reading: &NhanesReading<'_>, setting: StudySetting, other: &str) -> Option<Claim> {
    let times = Times::of(reading, setting, other)?;
    let claim = format!("ProtoDash is efficient: it is faster than {other}");
    let claim =
        Claim::new(&place("figure 6b", setting), &claim, times.shown(other), ClaimVerdict::above(&times.whole, 0.0));
    let criterion = match needs_kernel_mean(other) {
        true => "the interval of the whole time, kernel mean included, is above 1",
        false => "the interval of the whole time, with the kernel mean that ProtoDash alone needs, is above 1",
    };
    Some(claim.holding_if(criterion))
}

/// Log of a method's time relative to ProtoDash's, averaged over questionnaires.
struct Times {
    /// Including the kernel mean, for methods that need it.
    whole: Estimate,
    /// Excluding the kernel mean.
    choice: Estimate,
}

impl Times {
    fn of(reading: &NhanesReading<'_>, setting: StudySetting, other: &str) -> Option<Times> {
        let choice = |outcome: &TableOutcome, method: &str| {
            outcome.methods.iter().find(|found| found.method == method).map(|found| found.seconds)
        };
        let whole = |outcome: &TableOutcome, method: &str| {
            let mean = if needs_kernel_mean(method) { outcome.kernel_mean_seconds } else { 0.0 };
            choice(outcome, method).map(|seconds| seconds + mean)
        };
        let estimate = |seconds: &dyn Fn(&TableOutcome, &str) -> Option<f64>| {
            let log = |outcome: &TableOutcome| Some((seconds(outcome, other)? / seconds(outcome, "ProtoDash")?).ln());
            Estimate::of(&reading.evidence.questionnaires(setting).filter_map(log).collect::<Vec<_>>())
        };
        Some(Times { whole: estimate(&whole)?, choice: estimate(&choice)? })
    }

    fn shown(&self, other: &str) -> String {
        let times = |log: &Estimate| {
            let [mean, low, high] = [log.mean, log.low(), log.high()].map(f64::exp);
            let decimals = if mean < 10.0 { 2 } else { 0 };
            format!("{mean:.decimals$} times as long ({low:.decimals$} to {high:.decimals$})")
        };
        format!(
            "{other} takes {} as ProtoDash, its selection without the kernel mean {}; geometric means over questionnaires with \
             95 % intervals",
            times(&self.whole),
            times(&self.choice)
        )
    }
}

/// K-Medoids uses distances only.
fn needs_kernel_mean(method: &str) -> bool {
    method != "K-Medoids"
}

#[cfg(test)]
mod tests {
    use super::super::super::evidence::tests::{Fixture, adults, outcome};
    use super::*;

    /// The kernel mean takes 3 s, selection 1 s with ProtoDash, 2 s with P-Lasso and 3.9 s with K-Medoids.
    fn fixture() -> Fixture {
        let mut fixture = Fixture::default();
        for table in ["ALQ_H", "INQ_H"] {
            let mut found =
                outcome(&[("ProtoDash", 1.0, 0.9), ("P-Lasso", 2.0, 0.5), ("K-Medoids", 3.9, 0.1)], vec![0.4]);
            found.kernel_mean_seconds = 3.0;
            fixture.table(adults(), table, found);
        }
        fixture
    }

    #[test]
    fn the_kernel_mean_counts_for_those_that_need_it() {
        let fixture = fixture();
        // P-Lasso: (2 + 3)/(1 + 3) = 1.25 < 2. K-Medoids: 3.9 < 1 + 3 in total, 3.9 > 1 for the selection alone.
        let expensive = fixture.read(|reading| p_lasso_expensive(reading, adults())).unwrap();
        assert!(
            expensive.ours.starts_with("P-Lasso takes 1.25 times as long (1.25 to 1.25) as ProtoDash, its selection")
        );
        assert_eq!(expensive.verdict, ClaimVerdict::DoesNotHold);
        let medoids = fixture.read(|reading| faster(reading, adults(), "K-Medoids")).unwrap();
        assert!(medoids.ours.contains("without the kernel mean 3.90 times as long"), "{}", medoids.ours);
        assert_eq!(medoids.verdict, ClaimVerdict::DoesNotHold);
        let lasso = fixture.read(|reading| faster(reading, adults(), "P-Lasso")).unwrap();
        assert_eq!(lasso.verdict, ClaimVerdict::Holds);
        assert_eq!(fixture.read(|reading| faster(reading, adults(), "L2C")), None);
    }

    #[test]
    fn results_of_p_lasso_are_counted() {
        let claim = fixture().read(|reading| p_lasso_result(reading, adults())).unwrap();
        assert_eq!((claim.ours.as_str(), claim.verdict), ("a result for 2 of 2", ClaimVerdict::DoesNotHold));
    }
}
