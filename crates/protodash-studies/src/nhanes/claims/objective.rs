//! Claims about the share of a questionnaire that its own prototypes explain.

use super::super::evidence::{Demographics, NhanesReading};
use super::super::protocol::{DEMOGRAPHICS, StudySetting};
use super::super::trial::TableOutcome;
use super::place;
use crate::claim::Claim;

/// Largest relative gain from one more prototype that is "incremental".
const INCREMENTAL: f64 = 0.01;

/// After m prototypes, one more adds little, for each questionnaire.
pub(super) fn incremental(reading: &NhanesReading<'_>, setting: StudySetting) -> Option<Claim> {
    let at = reading.n_prototypes;
    // The selection stops when no row improves the objective; the gain is then 0.
    let gain = |outcome: &TableOutcome| match (outcome.objective.get(at.wrapping_sub(1)), outcome.objective.get(at)) {
        (Some(before), Some(after)) => (after - before) / after,
        _ => 0.0,
    };
    let gains: Vec<f64> = reading.evidence.questionnaires(setting).map(gain).collect();
    let n_small = gains.iter().filter(|gain| **gain < INCREMENTAL).count();
    let most = gains.iter().copied().max_by(f64::total_cmp)?;
    let claim = "after m = 10 prototypes the improvement in objective is incremental";
    let ours = format!("true of {n_small} of {}; the largest gain is {:.1} %", gains.len(), 100.0 * most);
    let claim = Claim::new(&place("V-C", setting), claim, ours, n_small == gains.len());
    Some(claim.holding_if("one more adds less than 1 % of the objective, for each questionnaire"))
}

/// Our two methods do better than one that selects at random or does not fit weights.
pub(super) fn superior(reading: &NhanesReading<'_>, setting: StudySetting, other: &str) -> Option<Claim> {
    let [dash, greedy] = ["ProtoDash", "ProtoGreedy"].map(|method| Against::of(own(reading, setting, method, other)));
    let (dash, greedy) = (dash?, greedy?);
    let holds = [&dash, &greedy].iter().all(|against| against.is_better());
    let mut ours = format!("ProtoDash {}; ProtoGreedy more of {}", dash.shown(), greedy.n_more);
    // RandomW has fitted weights already.
    if let Some(solved) = Against::of(solved(reading, setting, other)).filter(|_| other != "RandomW") {
        ours += &format!("; with weights refitted for {other}'s choice as well, ProtoDash {}", solved.shown());
    }
    let claim = format!("ProtoDash's and ProtoGreedy's performance is superior to {other}'s");
    let claim = Claim::new(&place("V", setting), &claim, ours, holds);
    Some(claim.holding_if(
        "each explains more of the questionnaires with its own prototypes and weights, on average and of more than half",
    ))
}

/// Explained shares of two methods over questionnaires.
struct Against {
    n_more: usize,
    n: usize,
    mean: f64,
    mean_other: f64,
}

impl Against {
    /// From the explained shares of each questionnaire.
    fn of(pairs: Vec<(f64, f64)>) -> Option<Against> {
        let n = pairs.len();
        let mean = |value: fn(&(f64, f64)) -> f64| pairs.iter().map(value).sum::<f64>() / n as f64;
        let n_more = pairs.iter().filter(|(ours, other)| ours > other).count();
        (n > 0).then(|| Against { n_more, n, mean: mean(|pair| pair.0), mean_other: mean(|pair| pair.1) })
    }

    fn is_better(&self) -> bool {
        self.mean > self.mean_other && 2 * self.n_more > self.n
    }

    fn shown(&self) -> String {
        format!(
            "explains more of {} of {}, on average {:.1} % against {:.1} %",
            self.n_more,
            self.n,
            100.0 * self.mean,
            100.0 * self.mean_other
        )
    }
}

/// Share of each questionnaire explained by its own prototypes, for two methods with their own weights.
fn own(reading: &NhanesReading<'_>, setting: StudySetting, method: &str, other: &str) -> Vec<(f64, f64)> {
    let explained = |outcome: &TableOutcome, method: &str| {
        outcome.methods.iter().find(|found| found.method == method).and_then(|found| found.explained)
    };
    let both = |outcome: &TableOutcome| Some((explained(outcome, method)?, explained(outcome, other)?));
    reading.evidence.questionnaires(setting).filter_map(both).collect()
}

/// The same for ProtoDash and another method, both with fitted weights.
///
/// Relations have fitted weights. Demographics covers everybody, so a pair with it has all people of the questionnaire.
fn solved(reading: &NhanesReading<'_>, setting: StudySetting, other: &str) -> Vec<(f64, f64)> {
    let [dash, other] = ["ProtoDash", other].map(|method| reading.evidence.ranked(setting, method, Demographics::With));
    let with_all = dash.iter().filter(|ranked| ranked.pair.source == DEMOGRAPHICS);
    let both = with_all.filter_map(|ranked| {
        let same = |other: &&super::super::ranks::RankedPair<'_>| {
            (&other.pair.target, &other.pair.source) == (&ranked.pair.target, &ranked.pair.source)
        };
        Some((ranked.pair.own_explained, other.iter().find(same)?.pair.own_explained))
    });
    both.collect()
}

#[cfg(test)]
mod tests {
    use super::super::super::evidence::tests::{Fixture, adults, outcome};
    use super::super::super::ranks::tests::pair;
    use super::*;
    use crate::claim::ClaimVerdict;

    #[test]
    fn every_questionnaire_counts_and_a_finished_one_has_gain_zero() {
        let mut fixture = Fixture { n_prototypes: 2, ..Fixture::default() };
        fixture.table(adults(), "ALQ_H", outcome(&[], vec![0.5]));
        fixture.table(adults(), "INQ_H", outcome(&[], vec![0.5, 0.995, 1.0]));
        // Demographics is not a questionnaire.
        fixture.table(adults(), DEMOGRAPHICS, outcome(&[], vec![0.1, 0.2, 1.0]));
        let claim = |fixture: &Fixture| fixture.read(|reading| incremental(reading, adults())).unwrap();
        let found = claim(&fixture);
        assert_eq!((&*found.ours, found.verdict), ("true of 2 of 2; the largest gain is 0.5 %", ClaimVerdict::Holds));
        fixture.table(adults(), "OCQ_H", outcome(&[], vec![0.5, 0.9, 1.0]));
        let found = claim(&fixture);
        assert_eq!(
            (&*found.ours, found.verdict),
            ("true of 2 of 3; the largest gain is 10.0 %", ClaimVerdict::DoesNotHold)
        );
    }

    #[test]
    fn superior_means_more_on_average_and_for_most_questionnaires() {
        let mut fixture = Fixture::default();
        let table =
            |dash, l2c| outcome(&[("ProtoDash", 1.0, dash), ("ProtoGreedy", 1.0, dash), ("L2C", 1.0, l2c)], vec![]);
        fixture.table(adults(), "ALQ_H", table(0.9, 0.5));
        fixture.table(adults(), "INQ_H", table(0.9, 0.8));
        let own = |target: &str, own| super::super::super::trial::JudgedPair {
            own_explained: own,
            ..pair(target, DEMOGRAPHICS, 0.1)
        };
        fixture.relation(adults(), "ProtoDash", vec![own("ALQ_H", 0.9), own("INQ_H", 0.9)]);
        fixture.relation(adults(), "L2C", vec![own("ALQ_H", 0.8), own("INQ_H", 1.0)]);
        let claim = fixture.read(|reading| superior(reading, adults(), "L2C")).unwrap();
        let expected = "ProtoDash explains more of 2 of 2, on average 90.0 % against 65.0 %; ProtoGreedy more of 2; \
                        with weights refitted for L2C's choice as well, ProtoDash explains more of 1 of 2, on average \
                        90.0 % \
                        against 90.0 %";
        assert_eq!((claim.ours.as_str(), claim.verdict), (expected, ClaimVerdict::Holds));
        fixture.table(adults(), "OCQ_H", table(0.1, 0.9));
        let claim = fixture.read(|reading| superior(reading, adults(), "L2C")).unwrap();
        assert_eq!(claim.verdict, ClaimVerdict::DoesNotHold); // 0.63 against 0.73 on average
    }
}
